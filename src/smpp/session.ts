import { assert, unreachable } from "../base/assert.ts";
import { type BindKind, commandOf, isResponseId } from "./command.ts";
import type { BindFields, Decoded, Pdu } from "./pdu.ts";
import { type PendingSubmits, pendingSubmits, sequenceAfter } from "./pending-submits.ts";
import {
  BOUND_STATE,
  IN_PLACE,
  type IncomingCommand,
  isIncoming,
  type SessionState,
} from "./session-matrix.ts";
import type { ShortMessage } from "./short-message.ts";
import { STATUS, statusText } from "./status.ts";

/*
 * One SMPP session from connect to close, as a machine without effects: what comes out depends on the inputs and
 * their times alone. It changes its own record, and the connection carries out what it returns.
 *
 * A submit without a response within the response time is reported and its link stays up, because operators do lose
 * single responses. The link itself is given up when an enquire_link finds nobody (any PDU at all is a sign of life), or
 * when a whole window of submits, and at least three, timed out and for all that time no submit was answered.
 */

export type SessionSettings = {
  readonly kind: BindKind;
  readonly bind: BindFields;
  /** submit_sm that may wait for a response at once. */
  readonly window: number;
  readonly responseTimeoutMs: number;
  /** Silence from the operator after which we ask whether it is there. */
  readonly enquireLinkMs: number;
};

export type SessionInput =
  | { readonly kind: "connected" }
  | { readonly kind: "received"; readonly decoded: Decoded }
  /** The time that `deadlineMs` named has come. */
  | { readonly kind: "tick" }
  /** Only in a bound state that submits, and with fewer than `window` waiting. `ref` is the caller's. */
  | { readonly kind: "submit"; readonly ref: number; readonly message: ShortMessage }
  | {
      readonly kind: "answer";
      readonly to: DeliverCommand;
      readonly sequence: number;
      readonly status: number;
    }
  | { readonly kind: "unbind" }
  | { readonly kind: "closed" };

export type DeliverCommand = "deliver_sm" | "data_sm";

export type SessionOutput =
  | { readonly kind: "write"; readonly pdu: Pdu; readonly ref: number | null }
  /** Write what is still to be written, then close. */
  | { readonly kind: "close"; readonly reason: string }
  | { readonly kind: "bound" }
  | { readonly kind: "bind_refused"; readonly status: number }
  | {
      readonly kind: "response";
      readonly ref: number;
      readonly status: number;
      readonly messageId: string | null;
      /** The submit was reported as timed out before. */
      readonly late: boolean;
    }
  /** No response in time. Its response, should it come, is reported as late. */
  | { readonly kind: "timed_out"; readonly refs: readonly number[] }
  /** The link went away with these unanswered. */
  | { readonly kind: "lost"; readonly refs: readonly number[] }
  | {
      readonly kind: "deliver";
      readonly command: DeliverCommand;
      readonly sequence: number;
      readonly message: ShortMessage;
    }
  /** Out of place or beyond reading: dealt with, and worth a line in the log. */
  | { readonly kind: "unexpected"; readonly what: string };

export type Session = {
  readonly settings: SessionSettings;
  state: SessionState;
  readonly submits: PendingSubmits;
  lastSequence: number;
  bindSequence: number;
  bindDeadlineMs: number;
  unbindDeadlineMs: number;
  /** When the last PDU came. */
  heardAtMs: number;
  /** When the enquire_link that waits for a sign of life must have seen one; Infinity when none waits. */
  enquireDeadlineMs: number;
  /** When a submit was last answered, and how many timed out since without an answer to anyone while they waited. */
  answeredAtMs: number;
  timeoutsInRow: number;
};

const NEVER = Number.POSITIVE_INFINITY;
const LONGEST_UNBIND_MS = 5_000;
const FEWEST_TIMEOUTS_OF_A_DEAD_LINK = 3;

export function createSession(settings: SessionSettings): Session {
  return {
    settings,
    state: "CLOSED",
    submits: pendingSubmits(),
    lastSequence: 0,
    bindSequence: 0,
    bindDeadlineMs: NEVER,
    unbindDeadlineMs: NEVER,
    heardAtMs: 0,
    enquireDeadlineMs: NEVER,
    answeredAtMs: Number.NEGATIVE_INFINITY,
    timeoutsInRow: 0,
  };
}

/** Whether submits are in their place. */
export function canSubmitNow(session: Session): boolean {
  return session.state === "BOUND_TX" || session.state === "BOUND_TRX";
}

export function isBound(session: Session): boolean {
  return canSubmitNow(session) || session.state === "BOUND_RX";
}

/** When the session wants its next tick; Infinity when it waits for nothing. */
export function deadlineMs(session: Session): number {
  if (session.state === "CLOSED") return NEVER;
  const enquireMs =
    session.enquireDeadlineMs === NEVER && isBound(session)
      ? session.heardAtMs + session.settings.enquireLinkMs
      : session.enquireDeadlineMs;
  return Math.min(session.bindDeadlineMs, session.unbindDeadlineMs, enquireMs, session.submits.deadlineMs());
}

/** Takes one input at a time that never runs backwards, and tells what is to be done about it. */
export function step(session: Session, input: SessionInput, nowMs: number): SessionOutput[] {
  switch (input.kind) {
    case "connected":
      return begin(session, nowMs);
    case "received":
      return receive(session, input.decoded, nowMs);
    case "tick":
      return tick(session, nowMs);
    case "submit": {
      assert(canSubmitNow(session), "a submit needs a bound session");
      assert(session.submits.count() < session.settings.window, "a submit needs a place in the window");
      const sequence = nextSequence(session);
      session.submits.add(sequence, input.ref, nowMs + session.settings.responseTimeoutMs);
      const pdu: Pdu = { command: "submit_sm", sequence, status: 0, message: input.message };
      return [{ kind: "write", pdu, ref: input.ref }];
    }
    case "answer": {
      if (session.state === "CLOSED") return [];
      const command = `${input.to}_resp` as const;
      return [
        write({
          command,
          sequence: input.sequence,
          status: input.status,
          messageId: input.status ? null : "",
        }),
      ];
    }
    case "unbind":
      if (!isBound(session)) return session.state === "OPEN" ? [closing("stopped")] : [];
      session.state = "UNBINDING";
      session.unbindDeadlineMs = nowMs + Math.min(LONGEST_UNBIND_MS, session.settings.responseTimeoutMs);
      return [write({ command: "unbind", sequence: nextSequence(session), status: 0 })];
    case "closed": {
      session.state = "CLOSED";
      const refs = session.submits.drain();
      return refs.length > 0 ? [{ kind: "lost", refs }] : [];
    }
  }
}

function begin(session: Session, nowMs: number): SessionOutput[] {
  assert(session.state === "CLOSED" && session.lastSequence === 0, "a session begins once");
  const { kind, bind, responseTimeoutMs } = session.settings;
  session.state = "OPEN";
  session.heardAtMs = nowMs;
  session.bindSequence = nextSequence(session);
  session.bindDeadlineMs = nowMs + responseTimeoutMs;
  return [write({ command: `bind_${kind}`, sequence: session.bindSequence, status: 0, bind })];
}

function tick(session: Session, nowMs: number): SessionOutput[] {
  if (session.state === "CLOSED") return [];
  if (nowMs >= session.bindDeadlineMs) return [closing("no answer to the bind in time")];
  if (nowMs >= session.unbindDeadlineMs) return [closing("no answer to our unbind")];
  if (nowMs >= session.enquireDeadlineMs) return [closing("no answer to enquire_link in time")];
  const outputs: SessionOutput[] = [];
  const refs = session.submits.expire(nowMs);
  if (refs.length > 0) {
    outputs.push({ kind: "timed_out", refs });
    const answersStill = session.answeredAtMs > nowMs - session.settings.responseTimeoutMs;
    session.timeoutsInRow = answersStill ? 0 : session.timeoutsInRow + refs.length;
    if (session.timeoutsInRow >= Math.max(FEWEST_TIMEOUTS_OF_A_DEAD_LINK, session.settings.window)) {
      return [...outputs, closing(`${session.timeoutsInRow} submits in a row without an answer`)];
    }
  }
  const silentMs = nowMs - session.heardAtMs;
  const asks = session.enquireDeadlineMs === NEVER && isBound(session);
  if (asks && (silentMs >= session.settings.enquireLinkMs || refs.length > 0)) {
    session.enquireDeadlineMs = nowMs + session.settings.responseTimeoutMs;
    outputs.push(write({ command: "enquire_link", sequence: nextSequence(session), status: 0 }));
  }
  return outputs;
}

function receive(session: Session, decoded: Decoded, nowMs: number): SessionOutput[] {
  if (session.state === "CLOSED") return [];
  session.heardAtMs = nowMs;
  session.enquireDeadlineMs = NEVER;
  if (!decoded.ok) return refuseUnreadable(decoded);
  const { pdu } = decoded;
  if (!isIncoming(pdu.command)) return refuseUnknown(pdu);
  if (!IN_PLACE[pdu.command].includes(session.state)) return refuseOutOfPlace(session, pdu, pdu.command);
  switch (pdu.command) {
    case "bind_transceiver_resp":
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
      return bindAnswered(session, pdu.sequence, pdu.status);
    case "submit_sm_resp":
      return submitAnswered(session, pdu.sequence, pdu.status, pdu.messageId, nowMs);
    case "deliver_sm":
    case "data_sm":
      return [{ kind: "deliver", command: pdu.command, sequence: pdu.sequence, message: pdu.message }];
    case "enquire_link":
      return [write({ command: "enquire_link_resp", sequence: pdu.sequence, status: 0 })];
    case "unbind":
      return [
        write({ command: "unbind_resp", sequence: pdu.sequence, status: 0 }),
        closing("the operator unbound"),
      ];
    case "unbind_resp":
      return [closing("unbound")];
    case "generic_nack":
      return nacked(session, pdu.sequence, pdu.status, nowMs);
    case "outbind":
    case "alert_notification":
    case "enquire_link_resp":
    case "data_sm_resp":
      return [];
    default:
      return unreachable(pdu as never, "PDU");
  }
}

function bindAnswered(session: Session, sequence: number, status: number): SessionOutput[] {
  if (sequence !== session.bindSequence) return [unexpected("bind response to no bind of ours")];
  session.bindDeadlineMs = NEVER;
  if (status !== 0) {
    return [{ kind: "bind_refused", status }, closing(`bind refused: ${statusText(status)}`)];
  }
  session.state = BOUND_STATE[session.settings.kind];
  return [{ kind: "bound" }];
}

function submitAnswered(
  session: Session,
  sequence: number,
  status: number,
  messageId: string | null,
  nowMs: number,
): SessionOutput[] {
  const submit = session.submits.settle(sequence);
  if (submit === null) {
    return [unexpected(`an answer to no submit of ours, sequence ${sequence}, ${statusText(status)}`)];
  }
  session.answeredAtMs = nowMs;
  session.timeoutsInRow = 0;
  return [
    {
      kind: "response",
      ref: submit.ref,
      status,
      messageId: messageId === "" ? null : messageId,
      late: submit.late,
    },
  ];
}

/** A nack of one of our requests is its refusal (SMPP 3.4 section 4.3). One without a status says "unknown error". */
function nacked(session: Session, sequence: number, status: number, nowMs: number): SessionOutput[] {
  const refusal = status === 0 ? STATUS.RUNKNOWNERR : status;
  if (session.state === "OPEN") return bindAnswered(session, sequence, refusal);
  return submitAnswered(session, sequence, refusal, null, nowMs);
}

/** A command that could not be read, answered with the status that says why (SMPP 3.4 section 5.1.3). */
function refuseUnreadable(failure: Decoded & { ok: false }): SessionOutput[] {
  const { commandId, sequence, status, reason } = failure;
  if (isResponseId(commandId)) return [unexpected(reason)];
  const command = commandOf(commandId);
  const refusal: Pdu =
    command === "deliver_sm" || command === "data_sm"
      ? { command: `${command}_resp`, sequence, status, messageId: null }
      : { command: "generic_nack", sequence, status };
  return [write(refusal), unexpected(reason)];
}

function refuseUnknown(pdu: Pdu): SessionOutput[] {
  if (pdu.command === "deliver_sm_resp" || (pdu.command === "unsupported" && isResponseId(pdu.commandId))) {
    return [unexpected("response to a command we never send")];
  }
  const name = pdu.command === "unsupported" ? `command 0x${pdu.commandId.toString(16)}` : pdu.command;
  return [
    write({ command: "generic_nack", sequence: pdu.sequence, status: STATUS.RINVCMDID }),
    unexpected(`${name} is not for us`),
  ];
}

/** Requests are refused with RINVBNDSTS; a response or a notice in the wrong state has no answer. */
function refuseOutOfPlace(session: Session, pdu: Pdu, command: IncomingCommand): SessionOutput[] {
  const { sequence } = pdu;
  const status = STATUS.RINVBNDSTS;
  const noted = unexpected(`${command} in state ${session.state}`);
  if (command === "deliver_sm" || command === "data_sm") {
    return [write({ command: `${command}_resp`, sequence, status, messageId: null }), noted];
  }
  if (command === "unbind") return [write({ command: "unbind_resp", sequence, status }), noted];
  return [noted];
}

function nextSequence(session: Session): number {
  let sequence = sequenceAfter(session.lastSequence);
  while (session.submits.has(sequence)) sequence = sequenceAfter(sequence);
  session.lastSequence = sequence;
  return sequence;
}

function write(pdu: Pdu): SessionOutput {
  return { kind: "write", pdu, ref: null };
}

function closing(reason: string): SessionOutput {
  return { kind: "close", reason };
}

function unexpected(what: string): SessionOutput {
  return { kind: "unexpected", what };
}
