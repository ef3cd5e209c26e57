/**
 * A client's SMPP session from connect to close, as a machine without effects: what comes out depends on the inputs and
 * their times alone. It changes its own record (client-state.ts), and the link carries out what it returns.
 *
 * A submit without a response within the response time is reported and its link stays up, because operators do lose
 * single responses. When the link itself is doubted and given up is liveness.ts.
 */
import { assert, unreachable } from "../core/assert.ts";
import { phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { EsmeInput, EsmeOutput } from "./client-session-io.ts";
import {
  answerUnbind,
  type EsmeSession,
  canSubmitNow,
  isBound,
  maxSubmits,
  NEVER,
  nextSequence,
  openSlots,
  unbind,
  unbinding,
} from "./client-state.ts";
import { enquire, leave, tick } from "./client-timers.ts";
import { heard, noteSubmitAnswer, submitted } from "./liveness.ts";
import { toStoredMessageId } from "./message-id.ts";
import type { Decoded, Pdu } from "./pdu.ts";
import { brokenParameters } from "./pdu-tables.ts";
import { BOUND_STATE, ESME_ACCEPTS, isForEsme, type SessionState } from "./session-matrix.ts";
import { closing, unexpected, write } from "./session-output.ts";
import { refuseBroken, refuseUnknown, refuseUnreadable } from "./session-refusals.ts";
import { messageOctets, type ShortMessage } from "./short-message.ts";
import { STATUS, statusPhrase } from "./status.ts";

/** Takes one input at a time that never runs backwards, and tells what is to be done about it. */
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
  // What is waited for already has its own end: answers that are due may still come.
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

// What a client does about each PDU that its operator sends.

/** Takes one PDU, or what was to be one. Any of them is a sign of life. */
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
function told(
  delivery: Extract<EsmeOutput, { readonly kind: "deliver" }>,
  isBroken: boolean,
): EsmeOutput[] {
  return isBroken ? [delivery, unexpected(brokenParameters(delivery.command))] : [delivery];
}

/** Whether neither a text nor a parameter of a receipt was read of a message. */
function saysNothing(pdu: Pdu): boolean {
  if (!("message" in pdu)) return true;
  const { receiptedMessageId, messageState } = pdu.message.tlvs;
  const isReceipt = receiptedMessageId !== undefined || messageState !== undefined;
  return !isReceipt && messageOctets(pdu.message).length === 0;
}

/**
 * The operator unbinds. The responses to our submits may follow its unbind, so ours to it waits for them a moment; a
 * link closed before would leave all of its window in doubt.
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

function bindAnswered(
  session: EsmeSession,
  sequence: number,
  status: number,
  nowMs: number,
): EsmeOutput[] {
  if (sequence !== session.bindSequence) return [unexpected("bind response to no bind of ours")];
  session.bindDeadlineMs = NEVER;
  if (status !== 0) {
    return [
      { kind: "bind_refused", status },
      closing(phrase("link.bind_refused", { status: statusPhrase(status) })),
    ];
  }
  session.state = BOUND_STATE[session.settings.kind];
  // Whether it answers an enquire_link at all is good to know before the first silence.
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
