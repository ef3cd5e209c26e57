/**
 * State machine of a message: what a fact does to its status, parts and money (charge, release). Pure; reads and writes
 * nothing.
 */
import { assert, unreachable } from "../../core/assert.ts";
import type { ChargeOn } from "../../core/money.ts";
import { type CaseOf, type Phrase, phrase, said } from "../../i18n/phrase.ts";
import type { Fact } from "./facts.ts";
import { deriveMoneyPosition } from "./message-money.ts";
import { type MessageErrorCode, MOVES, type Status } from "./message-status.ts";

/** What a message row holds that facts can change. Times are epoch milliseconds. */
export type MessageState = {
  readonly status: Status;
  readonly isFinal: boolean;
  readonly isMoneyClosed: boolean;
  readonly segments: number;
  readonly price: number;
  /** By how much the reservation exceeds the cost of the leg that carries it: another may be dearer. */
  readonly excess: number;
  readonly amount: number;
  /** When it is due, as `toNotBefore` writes it. */
  readonly notBefore: number;
  /** The routes that are marked for it (domain/routing/marks.ts); 0 unless it was re-routed. */
  readonly routesTried: number;
  readonly attempts: number;
  readonly resends: number;
  readonly unansweredAt: number | null;
  readonly unansweredUntil: number | null;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly submittedAt: number | null;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  readonly finalizedAt: number | null;
};

/** Something worth keeping in the message's timeline that moved nothing: one of its events, and what is to be said of it. */
export type Note = { readonly what: CaseOf<"message.event">; readonly detail: Phrase };

export type Decision = {
  /** The state after the fact; the very same object when nothing changed. */
  readonly after: MessageState;
  /** States reached on the way, for the batch's counts; each at most once in a message's life. */
  readonly reached: readonly Status[];
  /** The part row to write: its new state. */
  readonly part: AcceptedPart | null;
  readonly note: Note | null;
};

/** When a message is charged; "nothing" of one that costs nothing, however it ended. */
type ChargeRule = ChargeOn | "nothing";

/** What its batch decides about a message. */
export type BatchRules = {
  readonly chargeOn: ChargeOn;
  /** Why it was called off; null unless it was. */
  readonly cancelReason: string | null;
};

/**
 * A re-routed message stands before all others of its batch in the index of the queue: its time is stored less this much, which is more
 * than any time, so that a page of the others never walks over it.
 */
export const REROUTED_AHEAD_MS = 2 ** 50;

/** How the time at which a message is due is stored; 0 is ahead of its class. */
export function toNotBefore(dueMs: number, routesTried: number): number {
  return routesTried === 0 ? dueMs : dueMs - REROUTED_AHEAD_MS;
}

/** When a message is due, out of its row. */
export function readNotBefore(notBefore: number): number {
  return notBefore < 0 ? notBefore + REROUTED_AHEAD_MS : notBefore;
}

/** What to do with a fact, given where the message and its parts stand. Pure. */
export function decide(
  before: MessageState,
  parts: readonly AcceptedPart[],
  fact: Fact,
  { chargeOn, cancelReason }: BatchRules,
  nowMs: number,
): Decision {
  switch (fact.kind) {
    case "claimed": {
      if (before.status !== "QUEUED" || cancelReason !== null) return unchanged(before);
      const after = move(before, "SUBMITTED", { attempts: before.attempts + 1, submittedAt: nowMs });
      return { after, reached: before.attempts === 0 ? ["SUBMITTED"] : [], part: null, note: null };
    }
    // Of a message without a fallback.
    case "first_silent":
      return unchanged(before);
    case "not_written":
      if (before.status !== "SUBMITTED") return unchanged(before);
      return moved(queue(before, 0, {}));
    case "postponed":
      if (before.status !== "SUBMITTED") return unchanged(before);
      return postponed(before, fact);
    case "rerouted": {
      const { routesTried, notBeforeMs, operatorCode } = fact;
      // No other route completes a text that was accepted in part.
      if (before.status !== "SUBMITTED" || parts.length > 0) return unchanged(before);
      return moved(queue({ ...before, routesTried }, notBeforeMs, { operatorCode }));
    }
    case "part_accepted":
      return partAccepted(before, parts, fact, chargeOn, nowMs);
    case "refused": {
      const isOpen = before.status === "SUBMITTED" || isQueuedAgain(before);
      if (!isOpen) return unchanged(before, { what: "late_refusal", detail: said(fact.error.code) });
      return fail(before, parts, fact.error.code, fact.error.operatorCode, chargeOn, nowMs);
    }
    case "unanswered": {
      if (before.status !== "SUBMITTED") return unchanged(before);
      if (fact.next === "wait") {
        if (before.unansweredUntil !== null) return unchanged(before);
        const after = { ...before, unansweredAt: nowMs, unansweredUntil: fact.untilMs };
        return {
          after,
          reached: [],
          part: null,
          note: { what: "unanswered", detail: phrase("message.note.waiting") },
        };
      }
      return moved(queue(before, 0, { resends: before.resends + 1 }), {
        what: "unanswered",
        detail: phrase("message.note.resend", { resend: before.resends + 1 }),
      });
    }
    case "outcome_unknown":
      if (before.status !== "SUBMITTED" || before.unansweredUntil === null) return unchanged(before);
      return fail(before, parts, "SUBMIT_OUTCOME_UNKNOWN", null, chargeOn, nowMs);
    case "receipt":
      return receipt(before, parts, fact, chargeOn, nowMs);
    case "receipt_overdue": {
      if (before.status !== "SENT" || before.isFinal) return unchanged(before);
      const after = { ...before, isFinal: true, errorCode: "RECEIPT_NOT_RECEIVED", finalizedAt: nowMs };
      const rule = fact.isFree ? "nothing" : chargeOn;
      return { after: closeMoney(after, parts, rule), reached: [], part: null, note: null };
    }
    case "given_up":
      if (before.status !== "QUEUED") return unchanged(before);
      return fail(before, parts, fact.error.code, fact.error.operatorCode, chargeOn, nowMs);
    case "cancelled": {
      if (before.status !== "QUEUED") return unchanged(before);
      const after = move(before, "CANCELLED", {
        isFinal: true,
        errorCode: fact.error.code,
        finalizedAt: nowMs,
      });
      return { after: closeMoney(after, parts, chargeOn), reached: ["CANCELLED"], part: null, note: null };
    }
    default:
      return unreachable(fact, "fact");
  }
}

/** Claimed at least once and waiting to be sent again, so that the answer to an earlier attempt may still come. */
function isQueuedAgain(state: MessageState): boolean {
  return state.status === "QUEUED" && state.attempts > 0;
}

function postponed(before: MessageState, fact: Extract<Fact, { kind: "postponed" }>): Decision {
  const { notBeforeMs, operatorCode, isResend } = fact;
  if (!isResend) return moved(queue(before, notBeforeMs, { operatorCode }));
  const resends = before.resends + 1;
  const note: Note = { what: "put_off", detail: phrase("message.note.resend", { resend: resends }) };
  return moved(queue(before, notBeforeMs, { operatorCode, resends }), note);
}

function partAccepted(
  before: MessageState,
  parts: readonly AcceptedPart[],
  fact: Extract<Fact, { kind: "part_accepted" }>,
  chargeOn: ChargeOn,
  nowMs: number,
): Decision {
  const part: AcceptedPart = {
    part: fact.part,
    state: "SENT",
    remoteKey: fact.remoteKey,
    errorCode: null,
    operatorCode: null,
  };
  if (parts.some((known) => known.part === part.part && known.remoteKey === part.remoteKey)) {
    return unchanged(before);
  }
  const note: Note | null = fact.byReceipt
    ? { what: "named_by_receipt", detail: said(fact.remoteId) }
    : before.unansweredAt === null
      ? null
      : { what: "late_response", detail: said(fact.remoteId) };
  const mayStillMove = before.status === "SUBMITTED" || isQueuedAgain(before);
  if (!mayStillMove) {
    const also: Note = {
      what: "accepted_again",
      detail: phrase("message.note.part_as", { part: fact.part, id: fact.remoteId }),
    };
    return { after: before, reached: [], part, note: also };
  }
  const standing = deriveStanding([...parts, part], before.segments);
  if (standing.accepted < before.segments) return { after: before, reached: [], part, note };
  const sent = move(before, "SENT", { sentAt: nowMs, isFinal: fact.final, operatorCode: null });
  const after = closeMoney(fact.final ? { ...sent, finalizedAt: nowMs } : sent, [...parts, part], chargeOn);
  // One that was sent back to the queue was SENT before, and was counted then.
  const reached: Status[] = before.sentAt === null ? ["SENT"] : [];
  return verdict({ after, reached, part, note }, [...parts, part], chargeOn, nowMs);
}

function receipt(
  before: MessageState,
  parts: readonly AcceptedPart[],
  fact: Extract<Fact, { kind: "receipt" }>,
  chargeOn: ChargeOn,
  nowMs: number,
): Decision {
  const index = parts.findIndex((part) => part.part === fact.part && part.remoteKey === fact.remoteKey);
  const known = parts[index];
  assert(known, "a receipt was matched to a part of its message");
  if (fact.verdict.kind === "pending") {
    return unchanged(before, { what: "receipt", detail: said(fact.verdict.rawState) });
  }
  const rule = fact.verdict.kind === "delivered" && fact.verdict.isFree ? "nothing" : chargeOn;
  const state = fact.verdict.kind === "delivered" ? "DELIVERED" : "FAILED";
  if (state === "DELIVERED" && isSentBack(known) && isQueuedAgain(before)) {
    const part: AcceptedPart = { ...known, state };
    const sent = move(before, "SENT", { operatorCode: null });
    const note: Note = {
      what: "arrived_after_all",
      detail: phrase("message.note.part", { part: fact.part }),
    };
    return verdict({ after: sent, reached: [], part, note }, parts.with(index, part), rule, nowMs);
  }
  if (known.state !== "SENT") {
    return known.state === state
      ? unchanged(before)
      : unchanged(before, { what: "contradictory_receipt", detail: ofPart(fact.part, state) });
  }
  const part: AcceptedPart = {
    ...known,
    state,
    errorCode: fact.verdict.kind === "failed" ? fact.verdict.error.code : null,
    operatorCode: fact.verdict.kind === "failed" ? fact.verdict.error.operatorCode : null,
  };
  const after = parts.with(index, part);
  if (fact.verdict.kind === "again" && before.status === "SENT" && !before.isFinal) {
    const { notBeforeMs, operatorCode } = fact.verdict;
    const queued = queue(before, notBeforeMs, { operatorCode });
    return {
      after: queued,
      reached: [],
      part,
      note: { what: "sent_back", detail: said(operatorCode ?? "") },
    };
  }
  if (before.status !== "SENT" || before.isFinal) {
    const late: Note | null = before.isFinal
      ? { what: "receipt_after_end", detail: ofPart(fact.part, state) }
      : null;
    return { after: before, reached: [], part, note: late };
  }
  return verdict({ after: before, reached: [], part, note: null }, after, rule, nowMs);
}

/** Lets a message that is SENT follow its parts to its end, if they have reached one. */
function verdict(
  so: Decision,
  parts: readonly AcceptedPart[],
  chargeOn: ChargeRule,
  nowMs: number,
): Decision {
  const sent = so.after;
  if (sent.isFinal) return so;
  const standing = deriveStanding(parts, sent.segments);
  if (standing.verdict === "waiting") return so;
  const end = { isFinal: true, finalizedAt: nowMs };
  const after =
    standing.verdict === "delivered"
      ? move(sent, "DELIVERED", { ...end, deliveredAt: nowMs })
      : move(sent, "FAILED", {
          ...end,
          errorCode: standing.failed?.errorCode ?? "UNDELIVERABLE",
          operatorCode: standing.failed?.operatorCode ?? null,
        });
  return { ...so, after: closeMoney(after, parts, chargeOn), reached: [...so.reached, after.status] };
}

function fail(
  before: MessageState,
  parts: readonly AcceptedPart[],
  code: MessageErrorCode,
  operatorCode: string | null,
  chargeOn: ChargeOn,
  nowMs: number,
): Decision {
  const after = move(before, "FAILED", {
    isFinal: true,
    errorCode: code,
    operatorCode,
    finalizedAt: nowMs,
  });
  return { after: closeMoney(after, parts, chargeOn), reached: ["FAILED"], part: null, note: null };
}

/** Back into the queue, due at a time. */
function queue(before: MessageState, dueMs: number, changes: Partial<MessageState>): MessageState {
  return move(before, "QUEUED", { ...changes, notBefore: toNotBefore(dueMs, before.routesTried) });
}

/** The move itself: looked up in the table, and leaving nothing behind that only its old state could hold. */
function move(before: MessageState, to: Status, changes: Partial<MessageState>): MessageState {
  assert(MOVES[before.status].includes(to), `a message may not move from ${before.status} to ${to}`);
  return { ...before, unansweredAt: null, unansweredUntil: null, ...changes, status: to };
}

/** The money that the new state demands; once closed, nothing moves it again. */
function closeMoney(state: MessageState, parts: readonly AcceptedPart[], chargeOn: ChargeRule): MessageState {
  if (state.isMoneyClosed) return state;
  if (chargeOn === "nothing") return { ...state, amount: 0, isMoneyClosed: true };
  const position = deriveMoneyPosition(
    {
      ...state,
      acceptedSegments: deriveStanding(parts, state.segments).accepted,
    },
    chargeOn,
  );
  return { ...state, amount: position.amount, isMoneyClosed: position.isClosed };
}

function unchanged(before: MessageState, note: Note | null = null): Decision {
  return { after: before, reached: [], part: null, note };
}

function moved(after: MessageState, note: Note | null = null): Decision {
  return { after, reached: [], part: null, note };
}

function ofPart(part: number, state: string): Phrase {
  return phrase("message.note.part_state", { part, state });
}

/** A segment the operator accepted, under one id. A resend may give a part a second row. */
export type AcceptedPart = {
  readonly part: number;
  readonly state: "SENT" | "DELIVERED" | "FAILED";
  readonly remoteKey: string;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
};

/** Where the segments of a message stand together. */
type Standing = {
  /** How many different segments the operator accepted. */
  readonly accepted: number;
  readonly verdict: "waiting" | "delivered" | "failed";
  /** The part that made it fail. */
  readonly failed: AcceptedPart | null;
};

/**
 * The state of a message as a pure function of its parts: delivered when every segment is, failed as soon as one
 * segment is lost under every id it was accepted under (docs/behaviour.md#receipts).
 */
export function deriveStanding(parts: readonly AcceptedPart[], segments: number): Standing {
  const best = new Map<number, AcceptedPart>();
  for (const part of parts) {
    const known = best.get(part.part);
    if (!known || rank(part) > rank(known) || (isSentBack(known) && rank(part) === rank(known)))
      best.set(part.part, part);
  }
  let delivered = 0;
  let failed: AcceptedPart | null = null;
  for (const part of best.values()) {
    if (part.state === "DELIVERED") delivered += 1;
    else if (part.state === "FAILED") failed ??= part;
  }
  const verdict = failed ? "failed" : delivered === segments ? "delivered" : "waiting";
  return { accepted: best.size, verdict, failed };
}

function rank(part: AcceptedPart): number {
  return part.state === "DELIVERED" ? 2 : part.state === "SENT" ? 1 : 0;
}

/** Whether a part was sent back to be tried again and did not fail for good: what comes of the next attempt says why it does. */
function isSentBack(part: AcceptedPart): boolean {
  return part.state === "FAILED" && part.errorCode === null;
}
