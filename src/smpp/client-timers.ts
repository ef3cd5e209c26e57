/**
 * What is due in a client's session, and when: the answer to its bind, the responses to its submits, the sign of life
 * behind a silence, the answer to its unbind, the end of its leaving. Each is a time in the session's record.
 */
import { phrase } from "../i18n/phrase.ts";
import type { EsmeOutput } from "./client-session-io.ts";
import { answerUnbind, type EsmeSession, isBound, NEVER, nextSequence, unbind } from "./client-state.ts";
import { noteEnquiry, enquiryAtMs, noteSubmitTimeouts } from "./liveness.ts";
import { closing, write } from "./session-output.ts";

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
export function tick(session: EsmeSession, nowMs: number): EsmeOutput[] {
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

/** The times that were set for our leaving. */
export function leave(session: EsmeSession, nowMs: number): EsmeOutput[] {
  const { leaving } = session;
  if (leaving === null) return [];
  if (nowMs >= leaving.closeAtMs) return [closing(phrase("link.stopped_unanswered"))];
  if (nowMs < leaving.unbindAtMs) return [];
  leaving.unbindAtMs = NEVER;
  return isBound(session)
    ? unbind(session, phrase("link.unbound"), nowMs)
    : [closing(phrase("link.stopped"))];
}

/** Whether the operator is there, and answers: liveness.ts says what is doubted and when. */
function lookAfter(session: EsmeSession, hasTimedOut: boolean, nowMs: number): EsmeOutput[] {
  const { life, submits } = session;
  const isIdle = submits.count() === 0;
  life.isDead ||= nowMs >= life.enquiryDeadlineMs;
  if (life.isDead && isIdle) {
    // It may be there all the same and only ignore enquire_link: then it knows that we left.
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

/** Asks the operator whether it is there. */
export function enquire(session: EsmeSession, nowMs: number): EsmeOutput {
  noteEnquiry(session.life, nowMs);
  return write({ command: "enquire_link", sequence: nextSequence(session), status: 0 });
}
