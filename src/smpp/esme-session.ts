/**
 * A client's SMPP session from connect to close, as a state machine without effects: its outputs depend on the inputs and their
 * times alone. It changes its own record (`EsmeSession`), and connection.ts carries out what it returns.
 *
 * A submit without a response within the response time is reported and the session stays up, because operators do lose single
 * responses. When the session itself is degraded and given up is in liveness.ts.
 */
import { assert, unreachable } from "../core/assert.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import {
  createLiveness,
  enquiryAtMs,
  heard,
  type Liveness,
  maxOutstanding,
  noteEnquiry,
  noteSubmitAnswer,
  noteSubmitTimeouts,
  type SessionHistory,
  submitted,
} from "./liveness.ts";
import { type BindKind, brokenParameters, type Decoded, type Pdu } from "./pdu.ts";
import {
  BOUND_STATE,
  closing,
  ESME_ACCEPTS,
  freeSequence,
  isForEsme,
  type PendingRequests,
  pendingRequests,
  refuseBroken,
  refuseUnknown,
  refuseUnreadable,
  type SessionOutput,
  type SessionState,
  unexpected,
  write,
} from "./session-states.ts";
import { messageOctets, type ShortMessage, toStoredMessageId } from "./short-message.ts";
import { STATUS, statusPhrase } from "./status.ts";
import type { BindFields } from "./wire-format.ts";

/** Takes one input, whose times never run backwards, and returns what is to be done about it. */
export function stepEsme(session: EsmeSession, input: EsmeInput, nowMs: number): EsmeOutput[] {
  const outputs = take(session, input, nowMs);
  const mayLeave = session.leaving !== null && isBound(session) && session.submits.count() === 0;
  return mayLeave ? [...outputs, ...unbind(session, phrase("link.unbound"), nowMs)] : outputs;
}

function take(session: EsmeSession, input: EsmeInput, nowMs: number): EsmeOutput[] {
  switch (input.kind) {
    case "connected":
      return begin(session, nowMs);
    case "received":
      return receive(session, input.decoded, nowMs);
    case "tick":
      return tick(session, nowMs);
    case "submit":
      return submit(session, input.ref, input.message, nowMs);
    case "answer": {
      if (session.state === "CLOSED") return [];
      const { to, sequence, status } = input;
      return [write({ command: `${to}_resp`, sequence, status, messageId: status ? null : "" })];
    }
    case "leave":
      return beginToLeave(session, input, nowMs);
    case "settings": {
      const { responseTimeoutMs, enquireLinkMs } = input.settings;
      session.settings = input.settings;
      Object.assign(session.life, { responseTimeoutMs, enquireLinkMs });
      return [];
    }
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

function begin(session: EsmeSession, nowMs: number): EsmeOutput[] {
  assert(session.state === "CLOSED" && session.lastSequence === 0, "a session begins once");
  const { kind, bind, responseTimeoutMs } = session.settings;
  session.state = "OPEN";
  session.life.heardAtMs = nowMs;
  session.bindSequence = nextSequence(session);
  session.bindDeadlineMs = nowMs + responseTimeoutMs;
  return [write({ command: `bind_${kind}`, sequence: session.bindSequence, status: 0, bind })];
}

function beginToLeave(
  session: EsmeSession,
  { graceMs, longestMs }: Extract<EsmeInput, { kind: "leave" }>,
  nowMs: number,
): EsmeOutput[] {
  const before = session.leaving;
  const closeAtMs = Math.min(before?.closeAtMs ?? NEVER, nowMs + longestMs);
  // What is awaited already has its own end: answers that are due may still come.
  const isUnbinding = session.state === "UNBINDING";
  const unbindAtMs = Math.min(before?.unbindAtMs ?? NEVER, nowMs + Math.min(graceMs, longestMs));
  session.leaving = { unbindAtMs: isUnbinding ? NEVER : unbindAtMs, closeAtMs };
  if (isUnbinding) return leave(session, nowMs);
  return isBound(session) ? leave(session, nowMs) : [closing(phrase("link.stopped"))];
}

function submit(session: EsmeSession, ref: number, message: ShortMessage, nowMs: number): EsmeOutput[] {
  assert(canSubmitNow(session), "a submit needs a bound session");
  assert(openSlots(session) > 0, "a submit needs a place in the window");
  submitted(session.life, ref);
  const sequence = nextSequence(session);
  session.submits.add(sequence, ref, nowMs);
  return [{ kind: "write", pdu: { command: "submit_sm", sequence, status: 0, message }, ref }];
}

// What a client does with each PDU that its operator sends.

/** Takes one PDU, or one that could not be decoded. Any of them is a sign of life. */
function receive(session: EsmeSession, decoded: Decoded, nowMs: number): EsmeOutput[] {
  if (session.state === "CLOSED") return [];
  const before = maxSubmits(session);
  heard(session.life, nowMs);
  const outputs = understand(session, decoded, nowMs);
  if (session.unbindSequence !== null) return [...outputs, ...answerUnbind(session, nowMs)];
  const resumes = canSubmitNow(session) && maxSubmits(session) > before;
  return resumes ? [...outputs, { kind: "resumed" }] : outputs;
}

function understand(session: EsmeSession, decoded: Decoded, nowMs: number): EsmeOutput[] {
  if (!decoded.ok) return refuseUnreadable(decoded, isForEsme);
  const { pdu, isBroken = false } = decoded;
  if (isBroken && (!isForEsme(pdu.command) || saysNothing(pdu))) return refuseBroken(pdu, isForEsme);
  if (!isForEsme(pdu.command)) return refuseUnknown(pdu, "a command that is not for us");
  if (!ESME_ACCEPTS[pdu.command].includes(session.state)) return misplaced(pdu, session.state);
  switch (pdu.command) {
    case "bind_transceiver_resp":
    case "bind_transmitter_resp":
    case "bind_receiver_resp":
      return bindAnswered(session, pdu.sequence, pdu.status, nowMs);
    case "submit_sm_resp":
      return submitResponse(session, pdu.sequence, pdu.status, pdu.messageId, nowMs);
    case "deliver_sm":
    case "data_sm":
      return told(
        { kind: "deliver", command: pdu.command, sequence: pdu.sequence, message: pdu.message },
        isBroken,
      );
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

/** What was read of a receipt or a text counts, whatever is broken behind it: refused, the operator would send it for ever. */
function told(delivery: Extract<EsmeOutput, { readonly kind: "deliver" }>, isBroken: boolean): EsmeOutput[] {
  return isBroken ? [delivery, unexpected(brokenParameters(delivery.command))] : [delivery];
}

/** Whether of a message neither a text nor a receipt's parameter was read. */
function saysNothing(pdu: Pdu): boolean {
  if (!("message" in pdu)) return true;
  const { receiptedMessageId, messageState } = pdu.message.tlvs;
  const isReceipt = receiptedMessageId !== undefined || messageState !== undefined;
  return !isReceipt && messageOctets(pdu.message).length === 0;
}

/**
 * The operator unbinds. The responses to our submits may follow its unbind, so ours to it waits for them a moment; a session
 * closed before would leave the outcome of its whole window unknown.
 */
function unbound(session: EsmeSession, sequence: number, nowMs: number): EsmeOutput[] {
  const reason = phrase("link.unbound_by_operator");
  session.unbindSequence = sequence;
  if (session.state === "UNBINDING") {
    session.unbindReason = reason;
    return [];
  }
  unbinding(session, reason, nowMs);
  return session.submits.count() > 0 ? [{ kind: "halt" }] : [];
}

function bindAnswered(session: EsmeSession, sequence: number, status: number, nowMs: number): EsmeOutput[] {
  if (sequence !== session.bindSequence) return [unexpected("bind response to no bind of ours")];
  session.bindDeadlineMs = NEVER;
  if (status !== 0) {
    return [
      { kind: "bind_refused", status },
      closing(phrase("link.bind_refused", { status: statusPhrase(status) })),
    ];
  }
  session.state = BOUND_STATE[session.settings.kind];
  // Whether it answers an enquire_link at all is to be known before the first silence.
  return session.life.answersEnquiries ? [{ kind: "bound" }] : [{ kind: "bound" }, enquire(session, nowMs)];
}

function submitResponse(
  session: EsmeSession,
  sequence: number,
  status: number,
  messageId: string | null,
  nowMs: number,
): EsmeOutput[] {
  const submit = session.submits.settle(sequence);
  if (submit === null) {
    return [
      unexpected("an answer to no submit of ours", `sequence ${sequence}, ${english(statusPhrase(status))}`),
    ];
  }
  noteSubmitAnswer(session.life, nowMs);
  return [
    {
      kind: "response",
      ref: submit.ref,
      status,
      messageId: messageId === null || messageId === "" ? null : toStoredMessageId(messageId),
      late: submit.late,
    },
  ];
}

/** A nack of one of our requests is its refusal (SMPP 3.4 section 4.3). One without a status says "unknown error". */
function nacked(session: EsmeSession, sequence: number, status: number, nowMs: number): EsmeOutput[] {
  const refusal = status === 0 ? STATUS.RUNKNOWNERR : status;
  if (session.state === "OPEN") return bindAnswered(session, sequence, refusal, nowMs);
  return submitResponse(session, sequence, refusal, null, nowMs);
}

/** Requests in the wrong state are refused with RINVBNDSTS; a response or a notice there has no answer. */
function misplaced({ command, sequence }: Pdu, state: SessionState): EsmeOutput[] {
  const fault = unexpected(`${command} in state ${state}`);
  const status = STATUS.RINVBNDSTS;
  if (command === "unbind") return [write({ command: "unbind_resp", sequence, status }), fault];
  if (command !== "deliver_sm" && command !== "data_sm") return [fault];
  return [write({ command: `${command}_resp`, sequence, status, messageId: null }), fault];
}

/* The inputs and outputs of a client's session. */

export type EsmeSettings = {
  readonly kind: BindKind;
  readonly bind: BindFields;
  /** submit_sm that may wait for a response at once. */
  readonly window: number;
  readonly responseTimeoutMs: number;
  /** Silence from the operator after which an enquire_link is sent. */
  readonly enquireLinkMs: number;
  /** What the sessions before this one learned. */
  readonly history: SessionHistory;
};

export type EsmeInput =
  | { readonly kind: "connected" }
  | { readonly kind: "received"; readonly decoded: Decoded }
  /** The time that `deadlineMs` named has come. */
  | { readonly kind: "tick" }
  /** Only while `openSlots` is above 0. `ref` is the caller's. */
  | { readonly kind: "submit"; readonly ref: number; readonly message: ShortMessage }
  | {
      readonly kind: "answer";
      readonly to: DeliverCommand;
      readonly sequence: number;
      readonly status: number;
    }
  /**
   * Submits nothing more; unbinds once every submit is answered, after `graceMs` at the latest, and closes after
   * `longestMs` whatever is missing. Said again, the earlier times count.
   */
  | { readonly kind: "leave"; readonly graceMs: number; readonly longestMs: number }
  /** Applies these from now on; those of the bind count for the next one. */
  | { readonly kind: "settings"; readonly settings: EsmeSettings }
  /** Submits that never left, taken back as a "halt" asked. */
  | { readonly kind: "withdrawn"; readonly refs: readonly number[] }
  | { readonly kind: "closed" };

type DeliverCommand = "deliver_sm" | "data_sm";

export type EsmeOutput =
  | SessionOutput
  /** Nothing new may leave: submits that have not begun to are to be taken back. */
  | { readonly kind: "halt" }
  | { readonly kind: "bound" }
  | { readonly kind: "bind_refused"; readonly status: number }
  /** More submits may wait than before, though none was answered or given up. */
  | { readonly kind: "resumed" }
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
  /** The session ended with these unanswered. */
  | { readonly kind: "lost"; readonly refs: readonly number[] }
  | {
      readonly kind: "deliver";
      readonly command: DeliverCommand;
      readonly sequence: number;
      readonly message: ShortMessage;
    };

/** The state of a client's session. Only this room's session files change it; the times are those that `stepEsme` is given. */
export type EsmeSession = {
  settings: EsmeSettings;
  state: SessionState;
  readonly submits: PendingRequests;
  lastSequence: number;
  bindSequence: number;
  bindDeadlineMs: number;
  unbindDeadlineMs: number;
  /** Why we unbind, or that the operator did. */
  unbindReason: Phrase;
  /** The operator's unbind, which is answered once the submits before it are; null when there is none. */
  unbindSequence: number | null;
  /** We were asked to leave: when without the last responses, and when without any answer. */
  leaving: { unbindAtMs: number; readonly closeAtMs: number } | null;
  readonly life: Liveness;
};

const NEVER = Number.POSITIVE_INFINITY;
const MAX_UNBIND_MS = 5_000;

export function createEsmeSession(settings: EsmeSettings): EsmeSession {
  return {
    settings,
    state: "CLOSED",
    submits: pendingRequests(),
    lastSequence: 0,
    bindSequence: 0,
    bindDeadlineMs: NEVER,
    unbindDeadlineMs: NEVER,
    unbindReason: phrase("link.unbound"),
    unbindSequence: null,
    leaving: null,
    life: createLiveness(settings.responseTimeoutMs, settings.enquireLinkMs, settings.history),
  };
}

/** Whether submits are allowed in its state. */
function canSubmitNow(session: EsmeSession): boolean {
  return session.state === "BOUND_TX" || session.state === "BOUND_TRX";
}

export function isBound(session: EsmeSession): boolean {
  return canSubmitNow(session) || session.state === "BOUND_RX";
}

/** Whether it is about to end: what it still waits for is not to be drawn out. */
export function isLeaving(session: EsmeSession): boolean {
  return session.leaving !== null || session.state === "UNBINDING";
}

/** How many submits may wait for their response at this moment, those that still hold a slot not counted. */
function maxSubmits({ life, settings, submits }: EsmeSession): number {
  return maxOutstanding(life, settings.window) - submits.held();
}

/** How many more submits may leave at this moment. */
export function openSlots(session: EsmeSession): number {
  if (!canSubmitNow(session) || session.leaving !== null) return 0;
  return Math.max(0, maxSubmits(session) - session.submits.count());
}

function nextSequence(session: EsmeSession): number {
  session.lastSequence = freeSequence(session.lastSequence, session.submits);
  return session.lastSequence;
}

/** Unbinds: what comes until the answer still counts. */
function unbind(session: EsmeSession, reason: Phrase, nowMs: number): EsmeOutput[] {
  unbinding(session, reason, nowMs);
  return [write({ command: "unbind", sequence: nextSequence(session), status: 0 })];
}

/** From here on the session waits for its end, for five seconds at most. */
function unbinding(session: EsmeSession, reason: Phrase, nowMs: number): void {
  session.state = "UNBINDING";
  session.unbindReason = reason;
  session.unbindDeadlineMs = nowMs + Math.min(MAX_UNBIND_MS, session.settings.responseTimeoutMs);
}

/** Answers the operator's unbind and closes, when nothing is awaited any more. */
function answerUnbind(session: EsmeSession, nowMs: number): EsmeOutput[] {
  const { unbindSequence: sequence, submits, unbindDeadlineMs, unbindReason } = session;
  if (sequence === null || (submits.count() > 0 && nowMs < unbindDeadlineMs)) return [];
  return [write({ command: "unbind_resp", sequence, status: 0 }), closing(unbindReason)];
}

// What is due in a client's session, and when: the answer to its bind, the responses to its submits, the sign of life after a silence,
// the answer to its unbind, the end of its leaving. Each is a time in the session's record.

/** When the session wants its next tick; Infinity when it waits for nothing. */
export function deadlineMs(session: EsmeSession): number {
  if (session.state === "CLOSED") return NEVER;
  const { bindDeadlineMs, unbindDeadlineMs, submits, settings, life, leaving } = session;
  const oldestSentMs = submits.oldestSentMs();
  return Math.min(
    bindDeadlineMs,
    unbindDeadlineMs,
    oldestSentMs + settings.responseTimeoutMs,
    submits.heldUntilMs(),
    isBound(session) ? enquiryAtMs(life, oldestSentMs) : NEVER,
    leaving === null ? NEVER : Math.min(leaving.unbindAtMs, leaving.closeAtMs),
  );
}

/** Does what has come due. */
function tick(session: EsmeSession, nowMs: number): EsmeOutput[] {
  if (session.state === "CLOSED") return [];
  if (nowMs >= session.bindDeadlineMs) return [closing(phrase("link.no_bind_answer"))];
  const { submits, settings } = session;
  const outputs: EsmeOutput[] = submits.letGo(nowMs) > 0 ? [{ kind: "resumed" }] : [];
  const refs = submits.expire(nowMs - settings.responseTimeoutMs, nowMs + settings.responseTimeoutMs);
  if (refs.length > 0) {
    noteSubmitTimeouts(session.life, refs, nowMs);
    outputs.push({ kind: "timed_out", refs });
  }
  outputs.push(...leave(session, nowMs));
  if (session.unbindSequence !== null) return [...outputs, ...answerUnbind(session, nowMs)];
  if (nowMs >= session.unbindDeadlineMs) {
    return [...outputs, closing(phrase("link.unanswered_unbind", { why: session.unbindReason }))];
  }
  return isBound(session) ? [...outputs, ...lookAfter(session, refs.length > 0, nowMs)] : outputs;
}

/** Applies the times that were set for our leaving. */
function leave(session: EsmeSession, nowMs: number): EsmeOutput[] {
  const { leaving } = session;
  if (leaving === null) return [];
  if (nowMs >= leaving.closeAtMs) return [closing(phrase("link.stopped_unanswered"))];
  if (nowMs < leaving.unbindAtMs) return [];
  leaving.unbindAtMs = NEVER;
  return isBound(session)
    ? unbind(session, phrase("link.unbound"), nowMs)
    : [closing(phrase("link.stopped"))];
}

/** Checks whether the operator is there, and answers: what degrades a session, and when, is in liveness.ts. */
function lookAfter(session: EsmeSession, hasTimedOut: boolean, nowMs: number): EsmeOutput[] {
  const { life, submits } = session;
  const isIdle = submits.count() === 0;
  life.isDead ||= nowMs >= life.enquiryDeadlineMs;
  if (life.isDead && isIdle) {
    // It may be there and only ignore enquire_link: then the unbind tells it that we left.
    return [
      write({ command: "unbind", sequence: nextSequence(session), status: 0 }),
      closing(phrase("link.no_enquiry_answer")),
    ];
  }
  if (life.trialFailed && isIdle) return unbind(session, phrase("link.answers_no_submit"), nowMs);
  const isAsked = life.enquiryDeadlineMs !== NEVER;
  const isDue = hasTimedOut || nowMs >= enquiryAtMs(life, submits.oldestSentMs());
  return !isAsked && isDue ? [enquire(session, nowMs)] : [];
}

/** Sends an enquire_link. */
function enquire(session: EsmeSession, nowMs: number): EsmeOutput {
  noteEnquiry(session.life, nowMs);
  return write({ command: "enquire_link", sequence: nextSequence(session), status: 0 });
}
