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
import { findRoute, type RouteChange } from "./route-changes.ts";

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
type BatchRules = {
  readonly chargeOn: ChargeOn;
  /** Why it was called off; null unless it was. */
  readonly cancelReason: string | null;
};

/** What decides beside the fact: its batch, and by which routes its attempts left. */
export type Rules = BatchRules & {
  /** Absent: all of its attempts left by one. */
  readonly routeChanges?: readonly RouteChange[];
  /** A second SMS of it is under way by another route: it may be delivered yet. */
  readonly isSecondUnderWay?: boolean;
};

/** What judges the segments of a message together, and charges for them. */
type Judge = Pick<Rules, "routeChanges" | "isSecondUnderWay"> & { readonly chargeOn: ChargeRule };

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
  rules: Rules,
  nowMs: number,
): Decision {
  const { cancelReason } = rules;
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
      return partAccepted(before, parts, fact, rules, nowMs);
    case "refused": {
      const isOpen = before.status === "SUBMITTED" || isQueuedAgain(before);
      if (!isOpen) return unchanged(before, { what: "late_refusal", detail: said(fact.error.code) });
      return fail(before, parts, fact.error.code, fact.error.operatorCode, rules, nowMs);
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
      return fail(before, parts, "SUBMIT_OUTCOME_UNKNOWN", null, rules, nowMs);
    case "receipt":
      return receipt(before, parts, fact, rules, nowMs);
    case "second_over":
      if (before.status !== "SENT") return unchanged(before);
      return verdict(unchanged(before), parts, { ...rules, isSecondUnderWay: false }, nowMs);
    case "receipt_overdue": {
      if (before.status !== "SENT" || before.isFinal) return unchanged(before);
      const after = { ...before, isFinal: true, errorCode: "RECEIPT_NOT_RECEIVED", finalizedAt: nowMs };
      const judge: Judge = fact.isFree ? { ...rules, chargeOn: "nothing" } : rules;
      return { after: closeMoney(after, parts, judge), reached: [], part: null, note: null };
    }
    case "given_up":
      if (before.status !== "QUEUED") return unchanged(before);
      return fail(before, parts, fact.error.code, fact.error.operatorCode, rules, nowMs);
    case "cancelled": {
      if (before.status !== "QUEUED") return unchanged(before);
      const after = move(before, "CANCELLED", {
        isFinal: true,
        errorCode: fact.error.code,
        finalizedAt: nowMs,
      });
      return { after: closeMoney(after, parts, rules), reached: ["CANCELLED"], part: null, note: null };
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
  judge: Judge,
  nowMs: number,
): Decision {
  const part: AcceptedPart = {
    part: fact.part,
    state: "SENT",
    remoteKey: fact.remoteKey,
    errorCode: null,
    operatorCode: null,
    attempt: fact.trace?.attempt ?? null,
  };
  const isKnown = parts.some((known) => known.part === part.part && known.remoteKey === part.remoteKey);
  if (isKnown && !fact.isMoved) return unchanged(before);
  const added = isKnown ? null : part;
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
    return { after: before, reached: [], part: added, note: also };
  }
  const all = isKnown ? parts : [...parts, part];
  const standing = deriveStanding(all, before.segments, judge.routeChanges);
  if (standing.accepted < before.segments) return { after: before, reached: [], part: added, note };
  const sent = move(before, "SENT", { sentAt: nowMs, isFinal: fact.final, operatorCode: null });
  const after = closeMoney(fact.final ? { ...sent, finalizedAt: nowMs } : sent, all, judge);
  // One that was sent back to the queue was SENT before, and was counted then.
  const reached: Status[] = before.sentAt === null ? ["SENT"] : [];
  return verdict({ after, reached, part: added, note }, all, judge, nowMs);
}

function receipt(
  before: MessageState,
  parts: readonly AcceptedPart[],
  fact: Extract<Fact, { kind: "receipt" }>,
  judge: Judge,
  nowMs: number,
): Decision {
  const index = parts.findIndex((part) => part.part === fact.part && part.remoteKey === fact.remoteKey);
  const known = parts[index];
  assert(known, "a receipt was matched to a part of its message");
  if (fact.verdict.kind === "pending") {
    return unchanged(before, { what: "receipt", detail: said(fact.verdict.rawState) });
  }
  const isFree = fact.verdict.kind === "delivered" && fact.verdict.isFree;
  const rule: Judge = isFree ? { ...judge, chargeOn: "nothing" } : judge;
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
function verdict(so: Decision, parts: readonly AcceptedPart[], judge: Judge, nowMs: number): Decision {
  const sent = so.after;
  if (sent.isFinal) return so;
  const standing = deriveStanding(parts, sent.segments, judge.routeChanges);
  if (standing.verdict === "waiting") return so;
  if (standing.verdict === "failed" && judge.isSecondUnderWay) return so;
  const end = { isFinal: true, finalizedAt: nowMs };
  const after =
    standing.verdict === "delivered"
      ? move(sent, "DELIVERED", { ...end, deliveredAt: nowMs })
      : move(sent, "FAILED", {
          ...end,
          errorCode: standing.failed?.errorCode ?? "UNDELIVERABLE",
          operatorCode: standing.failed?.operatorCode ?? null,
        });
  return { ...so, after: closeMoney(after, parts, judge), reached: [...so.reached, after.status] };
}

function fail(
  before: MessageState,
  parts: readonly AcceptedPart[],
  code: MessageErrorCode,
  operatorCode: string | null,
  judge: Judge,
  nowMs: number,
): Decision {
  const after = move(before, "FAILED", {
    isFinal: true,
    errorCode: code,
    operatorCode,
    finalizedAt: nowMs,
  });
  return { after: closeMoney(after, parts, judge), reached: ["FAILED"], part: null, note: null };
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
function closeMoney(state: MessageState, parts: readonly AcceptedPart[], judge: Judge): MessageState {
  const { chargeOn, routeChanges } = judge;
  if (state.isMoneyClosed) return state;
  if (chargeOn === "nothing") return { ...state, amount: 0, isMoneyClosed: true };
  const position = deriveMoneyPosition(
    {
      ...state,
      acceptedSegments: deriveStanding(parts, state.segments, routeChanges).accepted,
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
  /** The claim that it left by, from 1; null where that was not noted. */
  readonly attempt: number | null;
};

/** Whether a segment that was just accepted had been accepted before, by another attempt. */
export function isAcceptedTwice(parts: readonly AcceptedPart[], { part, attempt }: AcceptedPart): boolean {
  return parts.some((known) => known.part === part && known.attempt !== attempt);
}

/** Where the segments of a message stand together. */
type Standing = {
  /** How many different segments the operator accepted: of those by one route, the most. */
  readonly accepted: number;
  readonly verdict: "waiting" | "delivered" | "failed";
  /** The part that made it fail. */
  readonly failed: AcceptedPart | null;
};

/**
 * The state of a message as a pure function of its parts (docs/behaviour.md#receipts). Segments count per attempt: delivered when every
 * segment of one attempt is, failed once a segment of each attempt that was accepted whole is lost. An attempt that carried the rest of a
 * text counts with what attempts before it got accepted by the same route: it left in their place. No other route completes a text.
 */
export function deriveStanding(
  parts: readonly AcceptedPart[],
  segments: number,
  changes: readonly RouteChange[] = [],
): Standing {
  let accepted = 0;
  const ends: (AcceptedPart | "waiting" | "delivered")[] = [];
  for (const ofRoute of byRoute(parts, changes)) {
    accepted = Math.max(accepted, new Set(ofRoute.map(({ part }) => part)).size);
    for (const attempt of new Set(ofRoute.map(attemptOf)).values()) {
      const text = joinAttempt(ofRoute, attempt);
      if (text.length === segments) ends.push(endOf(text));
    }
  }
  if (ends.includes("delivered")) return { accepted, verdict: "delivered", failed: null };
  const failed = ends.filter((end) => typeof end !== "string");
  // What was sent back and did not fail for good says less than what came of the next attempt.
  const reason = failed.find((part) => !isSentBack(part)) ?? failed[0] ?? null;
  if (reason === null || failed.length < ends.length) return { accepted, verdict: "waiting", failed: null };
  return { accepted, verdict: "failed", failed: reason };
}

/** The segments that left by each route. */
function byRoute(
  parts: readonly AcceptedPart[],
  changes: readonly RouteChange[],
): Iterable<readonly AcceptedPart[]> {
  if (changes.length === 0) return [parts];
  return Map.groupBy(parts, (part) => findRoute(changes, attemptOf(part))).values();
}

/** What was not noted counts as before all that was. */
function attemptOf({ attempt }: AcceptedPart): number {
  return attempt ?? 0;
}

/** The segments of a text as an attempt left it: its own, and of those that it has not the ones before; the best under several ids. */
function joinAttempt(parts: readonly AcceptedPart[], attempt: number): AcceptedPart[] {
  const best = new Map<number, AcceptedPart>();
  for (const part of parts) {
    if (attemptOf(part) > attempt) continue;
    const known = best.get(part.part);
    if (!known || isBetter(part, known, attempt)) best.set(part.part, part);
  }
  return [...best.values()];
}

function isBetter(part: AcceptedPart, known: AcceptedPart, attempt: number): boolean {
  const isOwn = attemptOf(part) === attempt;
  if (isOwn !== (attemptOf(known) === attempt)) return isOwn;
  return rank(part) > rank(known) || (isSentBack(known) && rank(part) === rank(known));
}

/** What became of a text all of whose segments were accepted: the part that is lost, if one is. */
function endOf(text: readonly AcceptedPart[]): AcceptedPart | "waiting" | "delivered" {
  const lost = text.find(({ state }) => state === "FAILED");
  if (lost) return lost;
  return text.every(({ state }) => state === "DELIVERED") ? "delivered" : "waiting";
}

function rank(part: AcceptedPart): number {
  return part.state === "DELIVERED" ? 2 : part.state === "SENT" ? 1 : 0;
}

/** Whether a part was sent back to be tried again and did not fail for good: what comes of the next attempt says why it does. */
function isSentBack(part: AcceptedPart): boolean {
  return part.state === "FAILED" && part.errorCode === null;
}
