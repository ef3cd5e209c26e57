/**
 * Messages that are claimed by the transaction that accepts them, because they can leave at once: the fact is applied to what is
 * about to be written, so that nothing is written twice. Everybody else sees them as if the claim had come right behind.
 */
import type { ChargeOn } from "../../core/money.ts";
import type { Tx } from "../../db/write.ts";
import { decide, type MessageState } from "./decide.ts";
import { traceFact } from "./fact-steps.ts";
import type { Fact } from "./facts.ts";

/** Which of the messages that are being accepted are claimed, by their row ids, and by what. */
export type FirstClaims = {
  readonly chargeOn: ChargeOn;
  readonly nowMs: number;
  /** The highest number that a parked receipt had when room was found for a message. */
  readonly parkedBefore: ReadonlyMap<number, number>;
};

/** What a row of a new message begins with. */
export type FirstState = Pick<MessageState, "status" | "attempts" | "submittedAt"> & {
  readonly parkedBefore: number | null;
};

const QUEUED: FirstState = { status: "QUEUED", attempts: 0, submittedAt: null, parkedBefore: null };

/** What the row of a message is written as that is accepted in this transaction. */
export function firstStateOf(
  tx: Tx,
  claims: FirstClaims | null,
  messageId: number,
  message: Pick<MessageState, "segments" | "price" | "notBefore">,
): FirstState {
  const parkedBefore = claims?.parkedBefore.get(messageId);
  if (!claims || parkedBefore === undefined) return QUEUED;
  const fact: Fact = { kind: "claimed", messageId, parkedBefore };
  const { chargeOn, nowMs } = claims;
  const { after } = decide({ ...UNTOUCHED, ...message }, [], fact, { chargeOn, cancelReason: null }, nowMs);
  if (tx.steps) traceFact(tx, tx.steps, fact, UNTOUCHED.status, after.status);
  const { status, attempts, submittedAt } = after;
  return { status, attempts, submittedAt, parkedBefore };
}

/** A message to which nothing has happened. */
const UNTOUCHED: Omit<MessageState, "segments" | "price" | "notBefore"> = {
  status: "QUEUED",
  isFinal: false,
  isSquared: false,
  amount: 0,
  beyond: 0,
  attempts: 0,
  resends: 0,
  unansweredAt: null,
  unansweredUntil: null,
  errorCode: null,
  operatorCode: null,
  submittedAt: null,
  sentAt: null,
  deliveredAt: null,
  finalizedAt: null,
};
