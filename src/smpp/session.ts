import { assert, unreachable } from "../base/assert.ts";
import {
  createLiveness,
  enquired,
  enquiryAtMs,
  heard,
  type Liveness,
  mostWaiting,
  submitAnswered,
  submitsTimedOut,
  submitted,
} from "./liveness.ts";
import { keptId } from "./message-id.ts";
import type { Decoded, Pdu } from "./pdu.ts";
import { type PendingSubmits, pendingSubmits, sequenceAfter } from "./pending-submits.ts";
import type { SessionInput, SessionOutput, SessionSettings } from "./session-io.ts";
import { BOUND_STATE, IN_PLACE, isIncoming, type SessionState } from "./session-matrix.ts";
import {
  type Refusal,
  refusalOfMisplaced,
  refusalOfUnknown,
  refusalOfUnreadable,
} from "./session-refusals.ts";
import { STATUS, statusText } from "./status.ts";

/*
 * One SMPP session from connect to close, as a machine without effects: what comes out depends on the inputs and
 * their times alone. It changes its own record, and the connection carries out what it returns.
 *
 * A submit without a response within the response time is reported and its link stays up, because operators do lose
 * single responses. When the link itself is doubted and given up is liveness.ts.
 */

export type Session = {
  readonly settings: SessionSettings;
  state: SessionState;
  readonly submits: PendingSubmits;
  lastSequence: number;
  bindSequence: number;
  bindDeadlineMs: number;
  unbindDeadlineMs: number;
  /** Why we unbind, or that the operator did. */
  unbindReason: string;
  /** The operator's unbind, which is answered once the submits before it are; null when there is none. */
  unbindSequence: number | null;
  readonly life: Liveness;
};

const NEVER = Number.POSITIVE_INFINITY;
const LONGEST_UNBIND_MS = 5_000;

export function createSession(settings: SessionSettings): Session {
  return {
    settings,
    state: "CLOSED",
    submits: pendingSubmits(),
    lastSequence: 0,
    bindSequence: 0,
    bindDeadlineMs: NEVER,
    unbindDeadlineMs: NEVER,
    unbindReason: "",
    unbindSequence: null,
    life: createLiveness(settings.responseTimeoutMs, settings.enquireLinkMs, settings.experience),
  };
}

/** Whether submits are in their place. */
export function canSubmitNow(session: Session): boolean {
  return session.state === "BOUND_TX" || session.state === "BOUND_TRX";
}

export function isBound(session: Session): boolean {
  return canSubmitNow(session) || session.state === "BOUND_RX";
}

/** How many more submits may leave at this moment. */
export function placesLeft(session: Session): number {
  if (!canSubmitNow(session)) return 0;
  const { life, settings, submits } = session;
  return Math.max(0, mostWaiting(life, settings.window) - submits.count() - submits.held());
}

/** When the session wants its next tick; Infinity when it waits for nothing. */
export function deadlineMs(session: Session): number {
  if (session.state === "CLOSED") return NEVER;
  const enquiryMs = isBound(session) ? enquiryAtMs(session.life, oldestSentMs(session)) : NEVER;
  const { bindDeadlineMs, unbindDeadlineMs, submits } = session;
  return Math.min(bindDeadlineMs, unbindDeadlineMs, enquiryMs, submits.deadlineMs(), submits.heldUntilMs());
}

function oldestSentMs(session: Session): number {
  return session.submits.deadlineMs() - session.settings.responseTimeoutMs;
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
      assert(placesLeft(session) > 0, "a submit needs a place in the window");
      submitted(session.life, input.ref);
      const sequence = nextSequence(session);
      session.submits.add(sequence, input.ref, nowMs + session.settings.responseTimeoutMs);
      const pdu: Pdu = { command: "submit_sm", sequence, status: 0, message: input.message };
      return [{ kind: "write", pdu, ref: input.ref }];
    }
    case "answer": {
      if (session.state === "CLOSED") return [];
      const { to, sequence, status } = input;
      return [write({ command: `${to}_resp`, sequence, status, messageId: status ? null : "" })];
    }
    case "unbind":
      if (!isBound(session)) return session.state === "OPEN" ? [closing("stopped")] : [];
      return unbind(session, "unbound", nowMs);
    case "withdrawn":
      session.submits.withdraw(input.refs);
      return answerUnbind(session, nowMs);
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
  session.life.heardAtMs = nowMs;
  session.bindSequence = nextSequence(session);
  session.bindDeadlineMs = nowMs + responseTimeoutMs;
  return [write({ command: `bind_${kind}`, sequence: session.bindSequence, status: 0, bind })];
}

function unbind(session: Session, reason: string, nowMs: number): SessionOutput[] {
  session.state = "UNBINDING";
  session.unbindReason = reason;
  session.unbindDeadlineMs = nowMs + Math.min(LONGEST_UNBIND_MS, session.settings.responseTimeoutMs);
  return [write({ command: "unbind", sequence: nextSequence(session), status: 0 })];
}

function tick(session: Session, nowMs: number): SessionOutput[] {
  if (session.state === "CLOSED") return [];
  if (nowMs >= session.bindDeadlineMs) return [closing("no answer to the bind in time")];
  const { life, submits } = session;
  const outputs: SessionOutput[] = submits.letGo(nowMs) > 0 ? [{ kind: "resumed" }] : [];
  const refs = submits.expire(nowMs, nowMs + session.settings.responseTimeoutMs);
  if (refs.length > 0) {
    submitsTimedOut(life, refs, nowMs);
    outputs.push({ kind: "timed_out", refs });
  }
  if (session.unbindSequence !== null) return [...outputs, ...answerUnbind(session, nowMs)];
  if (nowMs >= session.unbindDeadlineMs) {
    return [...outputs, closing(`${session.unbindReason}, without an answer to it`)];
  }
  if (!isBound(session)) return outputs;
  life.isDead ||= nowMs >= life.enquiryDeadlineMs;
  if (life.isDead && submits.count() === 0) {
    // It may be there all the same and only ignore enquire_link: then it knows that we left.
    outputs.push(write({ command: "unbind", sequence: nextSequence(session), status: 0 }));
    return [...outputs, closing("nothing heard, no answer to enquire_link either")];
  }
  if (life.trialFailed && submits.count() === 0) {
    return [...outputs, ...unbind(session, "the operator answers no submit", nowMs)];
  }
  const isAsked = life.enquiryDeadlineMs !== NEVER;
  if (!isAsked && (refs.length > 0 || nowMs >= enquiryAtMs(life, oldestSentMs(session)))) {
    outputs.push(enquire(session, nowMs));
  }
  return outputs;
}

function enquire(session: Session, nowMs: number): SessionOutput {
  enquired(session.life, nowMs);
  return write({ command: "enquire_link", sequence: nextSequence(session), status: 0 });
}

function receive(session: Session, decoded: Decoded, nowMs: number): SessionOutput[] {
  if (session.state === "CLOSED") return [];
  const { life, submits, settings } = session;
  const before = mostWaiting(life, settings.window) - submits.held();
  heard(life, nowMs);
  const outputs = understand(session, decoded, nowMs);
  if (session.unbindSequence !== null) return [...outputs, ...answerUnbind(session, nowMs)];
  const resumes = canSubmitNow(session) && mostWaiting(life, settings.window) - submits.held() > before;
  return resumes ? [...outputs, { kind: "resumed" }] : outputs;
}

function understand(session: Session, decoded: Decoded, nowMs: number): SessionOutput[] {
  if (!decoded.ok) return refused(refusalOfUnreadable(decoded));
  const { pdu } = decoded;
  if (!isIncoming(pdu.command)) return refused(refusalOfUnknown(pdu));
  if (!IN_PLACE[pdu.command].includes(session.state)) {
    return refused(refusalOfMisplaced(pdu, session.state));
  }
  switch (pdu.command) {
    case "bind_transceiver_resp":
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
      return bindAnswered(session, pdu.sequence, pdu.status, nowMs);
    case "submit_sm_resp":
      return submitResponse(session, pdu.sequence, pdu.status, pdu.messageId, nowMs);
    case "deliver_sm":
    case "data_sm":
      return [{ kind: "deliver", command: pdu.command, sequence: pdu.sequence, message: pdu.message }];
    case "enquire_link":
      return [write({ command: "enquire_link_resp", sequence: pdu.sequence, status: 0 })];
    case "unbind":
      return unbound(session, pdu.sequence, nowMs);
    case "unbind_resp":
      return [closing(session.unbindReason)];
    case "generic_nack":
      return nacked(session, pdu.sequence, pdu.status, nowMs);
    case "enquire_link_resp":
      session.life.answersEnquiries = true;
      return [];
    case "outbind":
    case "alert_notification":
    case "data_sm_resp":
      return [];
    default:
      return unreachable(pdu as never, "PDU");
  }
}

/**
 * The operator unbinds. The responses to our submits may follow its unbind, so ours to it waits for them a moment; a
 * link closed before would leave all of its window in doubt.
 */
function unbound(session: Session, sequence: number, nowMs: number): SessionOutput[] {
  session.unbindReason = "the operator unbound";
  session.unbindSequence = sequence;
  if (session.state === "UNBINDING") return [];
  session.state = "UNBINDING";
  session.unbindDeadlineMs = nowMs + Math.min(LONGEST_UNBIND_MS, session.settings.responseTimeoutMs);
  return session.submits.count() > 0 ? [{ kind: "halt" }] : [];
}

/** Answers the operator's unbind and closes, when nothing is waited for any more. */
function answerUnbind(session: Session, nowMs: number): SessionOutput[] {
  const { unbindSequence: sequence, submits, unbindDeadlineMs, unbindReason } = session;
  if (sequence === null || (submits.count() > 0 && nowMs < unbindDeadlineMs)) return [];
  return [write({ command: "unbind_resp", sequence, status: 0 }), closing(unbindReason)];
}

function bindAnswered(session: Session, sequence: number, status: number, nowMs: number): SessionOutput[] {
  if (sequence !== session.bindSequence) return [unexpected("bind response to no bind of ours")];
  session.bindDeadlineMs = NEVER;
  if (status !== 0) {
    return [{ kind: "bind_refused", status }, closing(`bind refused: ${statusText(status)}`)];
  }
  session.state = BOUND_STATE[session.settings.kind];
  // Whether it answers an enquire_link at all is good to know before the first silence.
  return session.life.answersEnquiries ? [{ kind: "bound" }] : [{ kind: "bound" }, enquire(session, nowMs)];
}

function submitResponse(
  session: Session,
  sequence: number,
  status: number,
  messageId: string | null,
  nowMs: number,
): SessionOutput[] {
  const submit = session.submits.settle(sequence);
  if (submit === null) {
    return [unexpected("an answer to no submit of ours", `sequence ${sequence}, ${statusText(status)}`)];
  }
  submitAnswered(session.life, nowMs);
  return [
    {
      kind: "response",
      ref: submit.ref,
      status,
      messageId: messageId === null || messageId === "" ? null : keptId(messageId),
      late: submit.late,
    },
  ];
}

/** A nack of one of our requests is its refusal (SMPP 3.4 section 4.3). One without a status says "unknown error". */
function nacked(session: Session, sequence: number, status: number, nowMs: number): SessionOutput[] {
  const refusal = status === 0 ? STATUS.RUNKNOWNERR : status;
  if (session.state === "OPEN") return bindAnswered(session, sequence, refusal, nowMs);
  return submitResponse(session, sequence, refusal, null, nowMs);
}

function refused({ answer, what, detail }: Refusal): SessionOutput[] {
  return answer === null ? [unexpected(what, detail)] : [write(answer), unexpected(what, detail)];
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

function unexpected(what: string, detail: string | null = null): SessionOutput {
  return { kind: "unexpected", what, detail };
}
