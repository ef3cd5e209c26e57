/** How one batch went: by operator, by what became of its messages and why, and how fast they arrived. */
import { isoOrNull } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import { createYielder } from "../../core/slices.ts";
import { type MessageOutcome, outcomesOf } from "../../domain/messages/batch-outcomes.ts";
import { findAnyBatch } from "../operations/batches.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";

/** `NO_RECEIPT`: it left, and no receipt has come, or none ever will. */
export type OutcomeState = "DELIVERED" | "NO_RECEIPT" | "FAILED" | "CANCELLED" | "UNDER_WAY" | "WAITING";

const STATES: Readonly<Record<string, OutcomeState>> = {
  DELIVERED: "DELIVERED",
  SENT: "NO_RECEIPT",
  FAILED: "FAILED",
  CANCELLED: "CANCELLED",
  SUBMITTED: "UNDER_WAY",
  QUEUED: "WAITING",
};
const ORDER: readonly OutcomeState[] = [
  ...(["DELIVERED", "NO_RECEIPT", "FAILED", "UNDER_WAY", "WAITING", "CANCELLED"] as const),
];

export type OutcomeLine = {
  readonly operator: string;
  readonly state: OutcomeState;
  /** Why they failed or were called off; null of others. */
  readonly error: string | null;
  readonly messages: number;
  readonly segments: number;
  readonly amount: Xof;
};

export type BatchReport = {
  readonly batch_id: string;
  /** By operator, state and cause. They add up to the accepted, but for those that are not kept any more. */
  readonly lines: readonly OutcomeLine[];
  /** Accepted messages that are not kept any more: nobody can tell what became of them here. */
  readonly gone: number;
  readonly first_left_at: string | null;
  readonly last_delivered_at: string | null;
  /** How many were delivered within so many seconds of the first that left; the last has all of them. */
  readonly course: readonly { readonly seconds: number; readonly delivered: number }[];
};

const WITHIN_SECONDS = [10, 60, 300, 900, 3600, 6 * 3600, 24 * 3600, 72 * 3600];

/** Adds up the messages of a batch in slices beside other work. */
export async function batchReport(
  { store, clock }: AdminContext,
  batchId: string,
): Promise<AdminOutcome<BatchReport>> {
  const batch = findAnyBatch(store.read, batchId);
  if (!batch.ok) return batch;
  const lines = new Map<string, OutcomeLine>();
  const delivered: number[] = [];
  let [firstMs, messages] = [Number.POSITIVE_INFINITY, 0];
  const pause = createYielder(clock);
  for (const outcomes of outcomesOf(store.read, batch.value)) {
    for (const outcome of outcomes) {
      addTo(lines, outcome);
      const { submittedAtMs, deliveredAtMs } = outcome;
      if (submittedAtMs !== null) firstMs = Math.min(firstMs, submittedAtMs);
      if (deliveredAtMs !== null) delivered.push(deliveredAtMs);
    }
    messages += outcomes.length;
    await pause();
  }
  delivered.sort((a, b) => a - b);
  return done({
    batch_id: batch.value.ulid,
    lines: [...lines.values()].sort(inOrder),
    gone: batch.value.messages - messages,
    first_left_at: isoOrNull(Number.isFinite(firstMs) ? firstMs : null),
    last_delivered_at: isoOrNull(delivered.at(-1) ?? null),
    course: courseOf(delivered, firstMs),
  });
}

function addTo(
  lines: Map<string, OutcomeLine>,
  { operator, status, error, segments, amount }: MessageOutcome,
): void {
  const state = STATES[status] ?? "UNDER_WAY";
  const key = `${operator} ${state} ${error}`;
  const sum = lines.get(key);
  lines.set(key, {
    operator,
    state,
    error,
    messages: (sum?.messages ?? 0) + 1,
    segments: (sum?.segments ?? 0) + segments,
    amount: (sum?.amount ?? 0) + amount,
  });
}

function inOrder(one: OutcomeLine, other: OutcomeLine): number {
  if (one.operator !== other.operator) return one.operator < other.operator ? -1 : 1;
  return ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || other.messages - one.messages;
}

/** Up to the first step by which all had arrived. */
function courseOf(delivered: readonly number[], firstMs: number): BatchReport["course"] {
  if (delivered.length === 0 || !Number.isFinite(firstMs)) return [];
  const within = WITHIN_SECONDS.map((seconds) => ({
    seconds,
    delivered: delivered.filter((ms) => ms - firstMs <= seconds * 1000).length,
  }));
  const whole = within.findIndex((step) => step.delivered === delivered.length);
  return whole < 0 ? within : within.slice(0, whole + 1);
}
