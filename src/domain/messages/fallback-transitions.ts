/**
 * What a fact does to a message with a fallback (docs/behaviour.md#fallback). The row holds the leg that carries it, so `decide` is called
 * as for any message; here it is decided when the other leg takes over. Pure.
 */
import { assert } from "../../core/assert.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import { phrase, said } from "../../i18n/phrase.ts";
import type { Fallback } from "./batch-fallback.ts";
import type { Fact } from "./facts.ts";
import type { FallbackLeg, LegOutcome, MessageLegs } from "./fallback-legs.ts";
import { costOf, reservedOf } from "./message-money.ts";
import type { MessageError, Status } from "./message-status.ts";
import {
  type AcceptedPart,
  type Decision,
  decide,
  type MessageState,
  type Note,
  type Rules,
} from "./transitions.ts";

/** What of its batch and its account decides about a message with a fallback. */
export type FallbackRules = Omit<Rules, "chargeOn"> & {
  /** The rule of the first leg. */
  readonly chargeOn: ChargeOn;
  readonly fallback: Pick<Fallback, "body" | "chargeOn" | "validityMs">;
  /** No message of the account goes on by its fallback. */
  readonly isSuspended: boolean;
};

export type FallbackDecision = Decision & {
  /** The very same object when nothing changed. */
  readonly legs: MessageLegs;
  /** What the row holds from now on; null: what it held. */
  readonly carried: FallbackLeg | null;
};

/** After these errors the fallback takes over; after another refusal for the code of a country that may not be written to. */
const LEADS_ON: ReadonlySet<string> = new Set([
  ...["UNKNOWN_SUBSCRIBER", "WINDOW_CLOSED", "CHANNEL_LIMIT", "PARAMETER_REFUSED"],
  ...["TEMPLATE_UNAVAILABLE", "SUBMIT_OUTCOME_UNKNOWN", "RECEIPT_NOT_RECEIVED"],
]);
const COUNTRY_REFUSED = "130497";
/** What waited in the queue until its validity was over. */
const WAITED_OUT: ReadonlySet<string> = new Set(["EXPIRED_IN_QUEUE", "OPERATOR_THROTTLED"]);

/** How often it is looked whether the account of a message that would go on is let in again. */
const SUSPENDED_LOOK_MS = 60_000;

/** Whether a message whose first leg ended so goes on by its fallback. */
export function continuesByFallback(errorCode: string | null, operatorCode: string | null): boolean {
  if (errorCode === null) return false;
  return LEADS_ON.has(errorCode) || (errorCode === "OPERATOR_REJECTED" && operatorCode === COUNTRY_REFUSED);
}

/** How far a message is, for its client: it never goes back. */
const FAR: Readonly<Record<Status, number>> = {
  QUEUED: 0,
  SUBMITTED: 1,
  SENT: 2,
  DELIVERED: 3,
  FAILED: 3,
  CANCELLED: 3,
};

/** What the client of a message sees: `shown` is how far it was when its fallback began. */
export function toPublicStatus(status: Status, shown: Status | null): Status {
  return shown !== null && FAR[shown] > FAR[status] ? shown : status;
}

/** `carried`: the leg that the row holds. */
export function decideFallback(
  before: MessageState,
  { legs, carried }: { readonly legs: MessageLegs; readonly carried: FallbackLeg },
  parts: readonly AcceptedPart[],
  fact: Fact,
  rules: FallbackRules,
  nowMs: number,
): FallbackDecision {
  const stays = (note: Note | null = null): FallbackDecision => {
    return { after: before, reached: [], part: null, note, legs, carried: null };
  };
  if (fact.kind === "claimed" && fact.operator !== undefined && fact.operator !== carried.operator)
    return stays();
  switch (legs.stage) {
    case "FIRST":
      return ofFirst(before, { legs, carried }, parts, fact, rules, nowMs);
    case "SECOND":
      return ofSecond(before, { legs, carried }, parts, fact, rules, nowMs);
    case "BACK":
      if (fact.isFirstLeg || fact.kind === "first_silent") return stays();
      return { ...decide(before, parts, fact, rules, nowMs), legs, carried: null };
  }
}

type Both = { readonly legs: MessageLegs; readonly carried: FallbackLeg };

/** The first leg carries it. */
function ofFirst(
  before: MessageState,
  { legs, carried }: Both,
  parts: readonly AcceptedPart[],
  fact: Fact,
  rules: FallbackRules,
  nowMs: number,
): FallbackDecision {
  const mayGoOn = !before.isFinal && rules.cancelReason === null && !rules.isSuspended;
  const goesOn = (end: LegOutcome, note: Note | null): FallbackDecision => {
    const carriedOn = { ...legs.other, text: legs.other.text ?? rules.fallback.body };
    const expiresAt = nowMs + rules.fallback.validityMs;
    return {
      after: heldBy(before, carriedOn, { notBefore: 0, resends: 0 }),
      reached: [],
      part: null,
      note,
      carried: carriedOn,
      legs: {
        ...legs,
        stage: "SECOND",
        other: carried,
        end,
        dueAt: expiresAt,
        expiresAt,
        excess: reservedOf(before) - costOf(carriedOn),
        shown: openStatus(before.status),
        submittedAt: before.submittedAt,
        sentAt: before.sentAt,
        movedAt: nowMs,
      },
    };
  };
  if (fact.kind === "first_silent") {
    const end = { status: before.status, at: legs.movedAt ?? nowMs, errorCode: null, operatorCode: null };
    if (mayGoOn) return goesOn(end, { what: "second_way", detail: phrase("message.note.first_silent") });
    // An account may be let in again; what was called off stays so.
    const dueAt = before.isFinal || rules.cancelReason !== null ? null : nowMs + SUSPENDED_LOOK_MS;
    return { after: before, reached: [], part: null, note: null, legs: { ...legs, dueAt }, carried: null };
  }
  const decision = decide(before, parts, fact, rules, nowMs);
  const { after } = decision;
  const { status, errorCode, operatorCode } = after;
  // Its turn had come, and it is waited for no longer than it is worth sending.
  const isSilent = fact.kind === "given_up" && legs.dueAt !== null && WAITED_OUT.has(errorCode ?? "");
  if (mayGoOn && after.isFinal && (isSilent || continuesByFallback(errorCode, operatorCode))) {
    const detail = operatorCode === null ? String(errorCode) : `${errorCode} ${operatorCode}`;
    return goesOn(
      { status, at: nowMs, errorCode, operatorCode },
      { what: "second_way", detail: said(detail) },
    );
  }
  const isMoved = after.status !== before.status || after.isFinal !== before.isFinal;
  // While it waits for another turn nothing can be heard of it.
  const dueAt = after.status === "QUEUED" ? null : legs.dueAt;
  return { ...decision, legs: isMoved ? { ...legs, dueAt, movedAt: nowMs } : legs, carried: null };
}

/** The fallback carries it. */
function ofSecond(
  before: MessageState,
  { legs, carried }: Both,
  parts: readonly AcceptedPart[],
  fact: Fact,
  rules: FallbackRules,
  nowMs: number,
): FallbackDecision {
  if (fact.isFirstLeg) return ofLateFirst(before, { legs, carried }, fact, nowMs);
  const isOver = legs.expiresAt !== null && nowMs >= legs.expiresAt;
  const isTooLate = fact.kind === "claimed" && isOver && !fact.mayHaveLeft;
  if (fact.kind === "first_silent" || isTooLate) {
    return { after: before, reached: [], part: null, note: null, legs, carried: null };
  }
  const decision = decide(before, parts, fact, { ...rules, chargeOn: rules.fallback.chargeOn }, nowMs);
  const { after } = decision;
  if (after === before) return { ...decision, legs, carried: null };
  const next: MessageLegs = { ...legs, claimed: claimedAfter(legs.claimed, fact), movedAt: nowMs };
  const { firstCost } = legs;
  const hasArrived = firstCost !== null && (after.isFinal || next.claimed === 0);
  // Who has the text already gets it no second time, and pays once.
  if (hasArrived && after.status !== "SENT" && after.status !== "DELIVERED" && after.amount === 0) {
    const { status, errorCode, operatorCode } = after;
    const end = next.claimed === 0 ? null : { status, at: nowMs, errorCode, operatorCode };
    const back = backToFirst(before, { legs: next, carried }, { end, cost: firstCost }, nowMs);
    return { ...back, part: decision.part, note: decision.note };
  }
  return { ...decision, legs: next, carried: null };
}

/** Something is heard of the first leg while the fallback carries it. */
function ofLateFirst(
  before: MessageState,
  { legs, carried }: Both,
  fact: Fact,
  nowMs: number,
): FallbackDecision {
  const stays = { after: before, reached: [], part: null, note: null, legs, carried: null };
  const error = failureOf(fact);
  if (!before.isFinal && error !== null && isOpen(legs)) {
    const end = {
      status: "FAILED",
      at: nowMs,
      errorCode: error.code,
      operatorCode: error.operatorCode,
    } as const;
    return { ...stays, legs: { ...legs, end } };
  }
  if (before.isFinal || fact.kind !== "receipt" || fact.verdict.kind !== "delivered") return stays;
  const cost = fact.verdict.isFree ? 0 : costOf(legs.other);
  if (legs.claimed === 0) return backToFirst(before, { legs, carried }, { end: null, cost }, nowMs);
  if (legs.firstCost !== null) return stays;
  const note: Note = { what: "first_way", detail: phrase("message.note.first_delivered") };
  const end = { status: "DELIVERED", at: nowMs, errorCode: null, operatorCode: null } as const;
  return { ...stays, legs: { ...legs, end, firstCost: cost }, note };
}

/** Why the first leg did not arrive, if a fact says that it did not; null else. */
function failureOf(fact: Fact): MessageError | null {
  if (fact.kind === "refused") return fact.error;
  return fact.kind === "receipt" && fact.verdict.kind === "failed" ? fact.verdict.error : null;
}

/** Nothing has ended the leg that was left. */
function isOpen({ end }: MessageLegs): boolean {
  return end !== null && end.errorCode === null && (end.status === "SUBMITTED" || end.status === "SENT");
}

function backToFirst(
  before: MessageState,
  { legs, carried }: Both,
  { end, cost }: { readonly end: LegOutcome | null; readonly cost: Xof },
  nowMs: number,
): FallbackDecision {
  const held = heldBy(before, legs.other, {});
  const after: MessageState = {
    ...held,
    status: "DELIVERED",
    isFinal: true,
    isMoneyClosed: true,
    amount: cost,
    sentAt: before.sentAt ?? nowMs,
    deliveredAt: nowMs,
    finalizedAt: nowMs,
  };
  return {
    after,
    reached: before.sentAt === null ? ["SENT", "DELIVERED"] : ["DELIVERED"],
    part: null,
    note: null,
    carried: legs.other,
    legs: {
      ...legs,
      stage: "BACK",
      other: carried,
      end,
      dueAt: null,
      firstCost: cost,
      movedAt: nowMs,
      excess: after.excess,
    },
  };
}

/** The state of a row that holds another leg: it waits, its reservation stays the same, and nothing of the leg before is left. */
function heldBy(before: MessageState, leg: FallbackLeg, changes: Partial<MessageState>): MessageState {
  const excess = reservedOf(before) - costOf(leg);
  assert(excess >= 0, "the dearer of two legs is reserved");
  return {
    ...before,
    status: "QUEUED",
    segments: leg.segments,
    price: leg.price,
    excess,
    unansweredAt: null,
    unansweredUntil: null,
    errorCode: null,
    operatorCode: null,
    ...changes,
  };
}

function openStatus(status: Status): MessageLegs["shown"] {
  return status === "SUBMITTED" || status === "SENT" ? status : "QUEUED";
}

/** Whether some of the fallback may have left, after a fact that changed something. */
function claimedAfter(claimed: MessageLegs["claimed"], fact: Fact): MessageLegs["claimed"] {
  if (fact.kind === "claimed") return claimed === 0 ? 1 : claimed;
  if (fact.kind === "not_written") return claimed === 1 ? 0 : claimed;
  return claimed === 1 ? 2 : claimed;
}
