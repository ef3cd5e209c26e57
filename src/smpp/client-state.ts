import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { EsmeOutput, EsmeSettings } from "./client-session-io.ts";
import { createLiveness, type Liveness, maxOutstanding } from "./liveness.ts";
import { freeSequence, type PendingRequests, pendingRequests } from "./pending-requests.ts";
import type { SessionState } from "./session-matrix.ts";
import { closing, write } from "./session-output.ts";

/** What a client's session knows. Only the files of the session change it; the times are those that `stepEsme` is given. */
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
  /** We are asked to leave: when without the last responses, and when without any answer. */
  leaving: { unbindAtMs: number; readonly closeAtMs: number } | null;
  readonly life: Liveness;
};

export const NEVER = Number.POSITIVE_INFINITY;
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
    life: createLiveness(settings.responseTimeoutMs, settings.enquireLinkMs, settings.experience),
  };
}

/** Whether submits are in their place. */
export function canSubmitNow(session: EsmeSession): boolean {
  return session.state === "BOUND_TX" || session.state === "BOUND_TRX";
}

export function isBound(session: EsmeSession): boolean {
  return canSubmitNow(session) || session.state === "BOUND_RX";
}

/** It is about to end: what it still waits for is not to be drawn out. */
export function isLeaving(session: EsmeSession): boolean {
  return session.leaving !== null || session.state === "UNBINDING";
}

/** How many submits may wait for their response at this moment, those that still hold a place not counted. */
export function maxSubmits({ life, settings, submits }: EsmeSession): number {
  return maxOutstanding(life, settings.window) - submits.held();
}

/** How many more submits may leave at this moment. */
export function openSlots(session: EsmeSession): number {
  if (!canSubmitNow(session) || session.leaving !== null) return 0;
  return Math.max(0, maxSubmits(session) - session.submits.count());
}

export function nextSequence(session: EsmeSession): number {
  session.lastSequence = freeSequence(session.lastSequence, session.submits);
  return session.lastSequence;
}

/** Unbinds: what comes until the answer still counts. */
export function unbind(session: EsmeSession, reason: Phrase, nowMs: number): EsmeOutput[] {
  unbinding(session, reason, nowMs);
  return [write({ command: "unbind", sequence: nextSequence(session), status: 0 })];
}

/** From here on the session waits for its end, for five seconds at most. */
export function unbinding(session: EsmeSession, reason: Phrase, nowMs: number): void {
  session.state = "UNBINDING";
  session.unbindReason = reason;
  session.unbindDeadlineMs = nowMs + Math.min(MAX_UNBIND_MS, session.settings.responseTimeoutMs);
}

/** Answers the operator's unbind and closes, when nothing is waited for any more. */
export function answerUnbind(session: EsmeSession, nowMs: number): EsmeOutput[] {
  const { unbindSequence: sequence, submits, unbindDeadlineMs, unbindReason } = session;
  if (sequence === null || (submits.count() > 0 && nowMs < unbindDeadlineMs)) return [];
  return [write({ command: "unbind_resp", sequence, status: 0 }), closing(unbindReason)];
}
