/**
 * An SMSC's SMPP session with one client, from connect to close, as a state machine without effects: the counterpart of
 * esme-session.ts. Who may bind and what becomes of a submit are its owner's to decide, at once or later; all else that the
 * protocol demands is decided here.
 */
import { assert, unreachable } from "../core/assert.ts";
import { phrase } from "../i18n/phrase.ts";
import { type BindKind, type Decoded, KIND_OF, type Pdu, type RefusalTlvs } from "./pdu.ts";
import {
  BOUND_STATE,
  closing,
  freeSequence,
  isForSmsc,
  type PendingRequests,
  pendingRequests,
  refuseBroken,
  refuseUnknown,
  refuseUnreadable,
  type SessionOutput,
  type SessionState,
  SMSC_ACCEPTS,
  unexpected,
  write,
} from "./session-states.ts";
import type { ShortMessage } from "./short-message.ts";
import { STATUS } from "./status.ts";
import type { BindFields, MessageOperation } from "./wire-format.ts";

const VERSION = 0x34;

export function createSmscSession(settings: () => SmscSessionSettings): SmscSession {
  return {
    settings,
    state: "CLOSED",
    bind: null,
    deliveries: pendingRequests(),
    lastSequence: 0,
    connectedAtMs: 0,
    enquiredAtMs: 0,
    isEnquired: false,
    heardAtMs: 0,
  };
}

/** When the session wants its next tick; Infinity when it waits for nothing. */
export function smscDeadlineMs(session: SmscSession): number {
  if (session.state === "CLOSED") return Number.POSITIVE_INFINITY;
  const { bindWithinMs, enquireLinkMs, responseTimeoutMs } = session.settings();
  const isUnbound = session.state === "OPEN" && session.bind === null;
  const bindByMs = isUnbound ? session.connectedAtMs + bindWithinMs : Number.POSITIVE_INFINITY;
  const answerByMs = session.deliveries.oldestSentMs() + responseTimeoutMs;
  return Math.min(bindByMs, enquiryDueMs(session, enquireLinkMs), answerByMs);
}

/** When the client is asked for a sign of life, or has been silent for too long since it was. */
function enquiryDueMs(session: SmscSession, enquireLinkMs: number): number {
  const { enquiredAtMs, heardAtMs } = session;
  const isLater = session.settings().enquiresOnSilence && !session.isEnquired;
  return (isLater ? Math.max(enquiredAtMs, heardAtMs) : enquiredAtMs) + enquireLinkMs;
}

/** Takes one input, whose times never run backwards, and returns what is to be done about it. */
export function stepSmsc(session: SmscSession, input: SmscInput, nowMs: number): SmscOutput[] {
  if (input.kind === "connected") {
    assert(session.state === "CLOSED" && session.lastSequence === 0, "a session begins once");
    session.state = "OPEN";
    session.connectedAtMs = nowMs;
    session.enquiredAtMs = nowMs;
    return [];
  }
  if (session.state === "CLOSED") return [];
  switch (input.kind) {
    case "received":
      session.heardAtMs = nowMs;
      if (session.settings().enquiresOnSilence) session.isEnquired = false;
      return receive(session, input.decoded);
    case "tick":
      return tick(session, nowMs);
    case "bind_answer":
      return answerBind(session, input);
    case "answer": {
      const { to, sequence, status, messageId, why } = input;
      return [
        write({ command: `${to}_resp`, sequence, status, messageId, ...(why === undefined ? {} : { why }) }),
      ];
    }
    case "answer_operation":
      return [write(input.response)];
    case "enquire":
      return session.state === "OPEN" || session.isEnquired ? [] : enquire(session, nowMs);
    case "deliver": {
      assert(canDeliver(session), "a deliver_sm needs a session that is bound to receive");
      const { command, ref, message } = input;
      const sequence = nextSmscSequence(session);
      session.deliveries.add(sequence, ref, nowMs);
      return [write({ command, sequence, status: STATUS.ROK, message }, ref)];
    }
    case "unbind":
      if (session.state === "OPEN") return [];
      session.state = "UNBINDING";
      return [write({ command: "unbind", sequence: nextSmscSequence(session), status: STATUS.ROK })];
    case "closed": {
      session.state = "CLOSED";
      const refs = session.deliveries.drain();
      return refs.length > 0 ? [{ kind: "lost", refs }] : [];
    }
  }
}

function tick(session: SmscSession, nowMs: number): SmscOutput[] {
  const { bindWithinMs, enquireLinkMs, responseTimeoutMs } = session.settings();
  const isBound = session.state !== "OPEN";
  const isLate = !isBound && session.bind === null && nowMs >= session.connectedAtMs + bindWithinMs;
  if (isLate) return [closing(phrase("link.late_bind"))];
  const outputs: SmscOutput[] = [];
  const refs = session.deliveries.expire(nowMs - responseTimeoutMs, nowMs);
  session.deliveries.letGo(nowMs);
  if (refs.length > 0) outputs.push({ kind: "timed_out", refs });
  if (nowMs < enquiryDueMs(session, enquireLinkMs)) return outputs;
  if (session.isEnquired) return [...outputs, closing(phrase("link.enquiry_unanswered"))];
  session.enquiredAtMs = nowMs;
  return isBound ? [...outputs, ...enquire(session, nowMs)] : outputs;
}

function enquire(session: SmscSession, nowMs: number): SmscOutput[] {
  session.enquiredAtMs = nowMs;
  session.isEnquired = true;
  return [write({ command: "enquire_link", sequence: nextSmscSequence(session), status: STATUS.ROK })];
}

function answerBind(session: SmscSession, answer: SmscInput & { kind: "bind_answer" }): SmscOutput[] {
  const { bind } = session;
  assert(bind !== null && session.state === "OPEN", "no bind waits for an answer");
  const { status, systemId } = answer;
  if (status !== STATUS.ROK) return [...refuseBind(bind, status), closing(phrase("link.own_bind_refused"))];
  session.state = BOUND_STATE[bind.kind];
  // A client of an older version knows no optional parameters (SMPP 3.4 section 2.10).
  const scInterfaceVersion = bind.fields.interfaceVersion < VERSION ? null : answer.scInterfaceVersion;
  const command = `bind_${bind.kind}_resp` as const;
  return [
    write({ command, sequence: bind.sequence, status, systemId, scInterfaceVersion }),
    { kind: "bound", bind },
  ];
}

// What an SMSC does with each PDU that its client sends.

/** Takes one PDU, or one that could not be decoded. */
function receive(session: SmscSession, decoded: Decoded): SmscOutput[] {
  if (!decoded.ok) return refuseUnreadable(decoded, isForSmsc);
  const { pdu, isBroken } = decoded;
  // A client is told of its mistake; an operator, which cannot correct one, is read as far as possible.
  if (isBroken) return refuseBroken(pdu, isForSmsc);
  if (pdu.command === "unsupported" || !isForSmsc(pdu.command)) {
    return refuseUnknown(pdu, "a command that is not spoken here");
  }
  if (!SMSC_ACCEPTS[pdu.command].includes(session.state)) return misplaced(pdu, session.state);
  const { sequence } = pdu;
  switch (pdu.command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver":
      if (session.bind !== null) return misplaced(pdu, session.state);
      session.bind = { kind: KIND_OF[pdu.command], sequence, fields: pdu.bind };
      return [{ kind: "bind_asked", bind: session.bind }];
    case "submit_sm":
    case "data_sm":
      if (!maySubmit(session)) return misplaced(pdu, session.state);
      return [{ kind: "submit", command: pdu.command, sequence, message: pdu.message }];
    case "query_sm":
    case "cancel_sm":
      if (!maySubmit(session)) return misplaced(pdu, session.state);
      return [{ kind: "operation", command: pdu.command, sequence, operation: pdu.operation }];
    case "deliver_sm_resp":
    case "data_sm_resp": {
      const delivery = session.deliveries.settle(sequence);
      if (delivery === null) return misplaced(pdu, session.state);
      return [{ kind: "delivered", status: pdu.status, ...delivery }];
    }
    case "generic_nack": {
      const delivery = session.deliveries.settle(sequence);
      const fault = unexpected("generic_nack to something that was in order");
      return delivery === null ? [fault] : [{ kind: "delivered", status: pdu.status, ...delivery }, fault];
    }
    case "enquire_link":
      return [write({ command: "enquire_link_resp", sequence, status: STATUS.ROK })];
    case "enquire_link_resp":
      session.isEnquired = false;
      return [];
    case "unbind":
      return [
        write({ command: "unbind_resp", sequence, status: STATUS.ROK }),
        closing(phrase("link.unbound")),
      ];
    case "unbind_resp":
      return [closing(phrase("link.unbound"))];
    case "alert_notification":
      return [];
    default:
      return unreachable(pdu as never, "PDU");
  }
}

/** Refuses what is out of place; a response is only noted. A client that unbinds without a bind still leaves. */
function misplaced(pdu: Pdu, state: SessionState): SmscOutput[] {
  const { command, sequence } = pdu;
  switch (command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver": {
      const second = { kind: KIND_OF[command], sequence, fields: pdu.bind };
      return [...refuseBind(second, STATUS.RALYBND), unexpected("a second bind on one link")];
    }
    case "submit_sm":
    case "data_sm":
      return [
        write({ command: `${command}_resp`, sequence, status: STATUS.RINVBNDSTS, messageId: null }),
        { kind: "misplaced_submit", command, sequence, message: pdu.message },
      ];
    case "query_sm":
    case "cancel_sm":
      return [
        write(refuseOperation(command, sequence, STATUS.RINVBNDSTS)),
        unexpected(`${command} in state ${state}`),
      ];
    case "deliver_sm_resp":
    case "data_sm_resp":
      return [unexpected("an answer to a deliver_sm or data_sm that was not sent")];
    case "unbind":
      return [
        unexpected("unbind on a link that is not bound"),
        write({ command: "unbind_resp", sequence, status: STATUS.ROK }),
        closing(phrase("link.unbound")),
      ];
    default:
      return [unexpected(`${command} in state ${state}`)];
  }
}

/** The response to an operation that is refused, without a body. */
export function refuseOperation(
  command: OperationCommand,
  sequence: number,
  status: number,
): OperationResponse {
  return command === "cancel_sm"
    ? { command: "cancel_sm_resp", sequence, status }
    : {
        command: "query_sm_resp",
        sequence,
        status,
        messageId: null,
        finalDate: "",
        messageState: 0,
        errorCode: 0,
      };
}

/** Refuses a bind with this status. */
function refuseBind(bind: BindRequest, status: number): SmscOutput[] {
  const { kind, sequence } = bind;
  const command = `bind_${kind}_resp` as const;
  return [
    { kind: "bind_refused", bind, status },
    write({ command, sequence, status, systemId: null, scInterfaceVersion: null }),
  ];
}

/* The inputs and outputs of an SMSC's session. */

/** Read whenever a time is set, so that it may change during the session. */
export type SmscSessionSettings = {
  /** A session that is not bound by then is closed. */
  readonly bindWithinMs: number;
  /** How often the client is asked whether it is there; one that has not answered by the next time is closed. */
  readonly enquireLinkMs: number;
  /** Whether only a client that was silent for so long is asked, and any PDU is a sign of life; else it is asked regularly. */
  readonly enquiresOnSilence?: boolean;
  /** After which a deliver_sm counts as unanswered; Infinity waits as long as the session lasts. */
  readonly responseTimeoutMs: number;
};

/** A bind as it came. */
export type BindRequest = {
  readonly kind: BindKind;
  readonly sequence: number;
  readonly fields: BindFields;
};

export type SubmitCommand = "submit_sm" | "data_sm";
export type OperationCommand = "query_sm" | "cancel_sm";
export type OperationResponse = Pdu & { readonly command: `${OperationCommand}_resp` };
export type DeliveryCommand = "deliver_sm" | "data_sm";

export type SmscInput =
  | { readonly kind: "connected" }
  | { readonly kind: "received"; readonly decoded: Decoded }
  /** The time that `smscDeadlineMs` named has come. */
  | { readonly kind: "tick" }
  /** The answer to the bind that was asked for; `scInterfaceVersion` null leaves it out. */
  | {
      readonly kind: "bind_answer";
      readonly status: number;
      readonly systemId: string;
      readonly scInterfaceVersion: number | null;
    }
  /** The answer to a submit; a null id leaves the body out. */
  | {
      readonly kind: "answer";
      readonly to: SubmitCommand;
      readonly sequence: number;
      readonly status: number;
      readonly messageId: string | null;
      readonly why?: RefusalTlvs;
    }
  | { readonly kind: "answer_operation"; readonly response: OperationResponse }
  /** Asks a bound client for a sign of life now; one that does not answer by its time is cut as any. */
  | { readonly kind: "enquire" }
  /** Only while `canDeliver`. `ref` is the caller's. */
  | {
      readonly kind: "deliver";
      readonly command: DeliveryCommand;
      readonly ref: number;
      readonly message: ShortMessage;
    }
  /** Asks the client to leave. */
  | { readonly kind: "unbind" }
  | { readonly kind: "closed" };

export type SmscOutput =
  | SessionOutput
  /** To be answered by a "bind_answer". */
  | { readonly kind: "bind_asked"; readonly bind: BindRequest }
  | { readonly kind: "bound"; readonly bind: BindRequest }
  | { readonly kind: "bind_refused"; readonly bind: BindRequest; readonly status: number }
  /** To be answered by an "answer". One that is misplaced has been refused already. */
  | {
      readonly kind: "submit" | "misplaced_submit";
      readonly command: SubmitCommand;
      readonly sequence: number;
      readonly message: ShortMessage;
    }
  /** To be answered by an "answer_operation". */
  | {
      readonly kind: "operation";
      readonly command: OperationCommand;
      readonly sequence: number;
      readonly operation: MessageOperation;
    }
  /** The client answered a deliver_sm; `late` when it was reported as timed out before. */
  | {
      readonly kind: "delivered";
      readonly ref: number;
      readonly status: number;
      readonly late: boolean;
    }
  | { readonly kind: "timed_out"; readonly refs: readonly number[] }
  /** The session ended with these unanswered. */
  | { readonly kind: "lost"; readonly refs: readonly number[] };

/** The state of an SMSC's session. Only this room's session files change it; the times are those that `stepSmsc` is given. */
export type SmscSession = {
  readonly settings: () => SmscSessionSettings;
  state: SessionState;
  /** The bind that was asked for; whether its answer is still due shows in the state. */
  bind: BindRequest | null;
  readonly deliveries: PendingRequests;
  lastSequence: number;
  connectedAtMs: number;
  /** When the client was last asked whether it is there, or connected; and whether that waits for an answer. */
  enquiredAtMs: number;
  isEnquired: boolean;
  /** When the client's last PDU came. */
  heardAtMs: number;
};

/** Whether the client has bound to receive. */
export function canDeliver({ state }: SmscSession): boolean {
  return state === "BOUND_RX" || state === "BOUND_TRX";
}

/** Whether the client has bound to submit, and not left since. */
export function maySubmit({ state, bind }: SmscSession): boolean {
  return SMSC_ACCEPTS.submit_sm.includes(state) && bind?.kind !== "receiver";
}

/** A sequence number for a request that is written outside the session. */
export function nextSmscSequence(session: SmscSession): number {
  session.lastSequence = freeSequence(session.lastSequence, session.deliveries);
  return session.lastSequence;
}
