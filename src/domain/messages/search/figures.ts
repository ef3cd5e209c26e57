/** What became of messages, in figures that can be added and taken away again. Pure. */
import { isSandbox } from "../../../core/sandbox.ts";
import type { Facet, MessageFate } from "./rows.ts";

/** Receipts by how long they took: counts by the logarithm of the milliseconds. */
export type Times = Readonly<Record<string, number>>;

export type Outcomes = {
  readonly messages: number;
  /** Accepted by the operator. */
  readonly sent: number;
  readonly segments: number;
  readonly charged: number;
  readonly times: Times;
};

/** Outcomes of messages that were accepted on one day and have the same in common. */
export type DayFigures = Outcomes & { readonly zone: 0 | 1; readonly day: string; readonly facet: Facet };

/** Figures of a day as their row has them. */
export type FigureRow = Omit<DayFigures, "facet"> & { readonly facetId: number };

/** The day that a batch of an account was accepted on; `own` is null where the account's clocks show the appliance's day. */
export type DaysOf = (
  accountId: number,
  createdAtMs: number,
) => { readonly all: string; readonly own: string | null };

export const NO_FIGURES: Outcomes = { messages: 0, sent: 0, segments: 0, charged: 0, times: {} };

/** One figure is within 5 % of what it stands for: half the way to the next, by ratio. */
const RATIO = 1.1;

function bucketOf(ms: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, ms)) / Math.log(RATIO)));
}

/** The seconds that so large a share of the receipts took at most; null where there are none. */
export function percentile(times: Times, share: number): number | null {
  const buckets = Object.entries(times)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { bucket, count } of buckets) {
    seen += count;
    if (seen >= total * share) return Math.round(RATIO ** (bucket + 0.5)) / 1000;
  }
  return null;
}

/** Adds figures, or takes them away where `sign` is -1. */
export function sumOf(one: Outcomes, other: Outcomes, sign: 1 | -1 = 1): Outcomes {
  const times: Record<string, number> = { ...one.times };
  for (const [bucket, count] of Object.entries(other.times)) {
    const left = (times[bucket] ?? 0) + sign * count;
    if (left === 0) delete times[bucket];
    else times[bucket] = left;
  }
  return {
    messages: one.messages + sign * other.messages,
    sent: one.sent + sign * other.sent,
    segments: one.segments + sign * other.segments,
    charged: one.charged + sign * other.charged,
    times,
  };
}

export function isNothing({ messages, sent, segments, charged, times }: Outcomes): boolean {
  return messages === 0 && sent === 0 && segments === 0 && charged === 0 && Object.keys(times).length === 0;
}

/** The figures of some messages, by day and by what they have in common. Those of test batches and of sandboxes do not count. */
export function figuresOf(fates: readonly MessageFate[], daysOf: DaysOf): ReadonlyMap<string, DayFigures> {
  const figures = new Map<string, Growing>();
  for (const fate of fates) {
    if (fate.isTest === 1 || isSandbox(fate.accountId)) continue;
    const { all, own } = daysOf(fate.accountId, fate.acceptedAt);
    addTo(figures, 0, all, fate);
    if (own !== null) addTo(figures, 1, own, fate);
  }
  return figures;
}

/** What a message has in common with others. */
export function facetOf({ accountId, sender, messageClass, operator, status, errorCode }: Facet): Facet {
  return { accountId, sender, messageClass, operator, status, errorCode };
}

type Growing = Omit<{ -readonly [Name in keyof DayFigures]: DayFigures[Name] }, "times"> & {
  readonly times: Record<string, number>;
};

function addTo(figures: Map<string, Growing>, zone: 0 | 1, day: string, fate: MessageFate): void {
  const name = `${zone} ${day} ${nameOf(fate)}`;
  let sum = figures.get(name);
  if (!sum) {
    const none = { messages: 0, sent: 0, segments: 0, charged: 0 };
    sum = { zone, day, facet: facetOf(fate), ...none, times: {} };
    figures.set(name, sum);
  }
  sum.messages += 1;
  if (fate.sentAt !== null) sum.sent += 1;
  sum.segments += fate.segments;
  sum.charged += fate.amount;
  const took = receiptTook(fate);
  if (took === null) return;
  const bucket = bucketOf(took);
  sum.times[bucket] = (sum.times[bucket] ?? 0) + 1;
}

/** One name for the same facets. No sender or code has a line end in it. */
export function nameOf({ accountId, sender, messageClass, operator, status, errorCode }: Facet): string {
  return `${accountId}\n${sender}\n${messageClass}\n${operator}\n${status}\n${errorCode}`;
}

/** From the last submit to the last receipt; null where no receipt ended the message. */
function receiptTook({ status, sentAt, submittedAt, finalizedAt }: MessageFate): number | null {
  if (sentAt === null || submittedAt === null || finalizedAt === null) return null;
  return status === "DELIVERED" || status === "FAILED" ? Math.max(0, finalizedAt - submittedAt) : null;
}
