/** The delivery rate of each operator, now and on the days before. */
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { MESSAGES, NEVER_LEFT } from "../../domain/messages/message-metrics.ts";

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const DAYS = 7;

/** Outcomes of an operator's messages in one hour, numbered since the epoch. */
export type DeliveryHour = {
  readonly operator: string;
  readonly hour: number;
  readonly delivered: number;
  readonly failed: number;
};

/** Rates in percent. `usual`: the median of the days before; null without enough data. */
export type DeliveryRate = {
  readonly operator: string;
  readonly messages: number;
  readonly share: number;
  readonly usual: number | null;
};

export function toEpochHour(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS);
}

/** Adds outcomes since the last time. */
export function addDeliveryHours(tx: Tx, hours: readonly DeliveryHour[]): void {
  for (const hour of hours)
    tx.run(
      `INSERT INTO delivery_hours (operator, hour, delivered, failed) VALUES ($operator, $hour, $delivered, $failed)
       ON CONFLICT DO UPDATE SET delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
      hour,
    );
}

/** Deletes hours too old for any median. */
export function purgeDeliveryHours(tx: Tx, nowMs: number): void {
  tx.run("DELETE FROM delivery_hours WHERE hour < ?", toEpochHour(nowMs) - (DAYS + 1) * HOURS_A_DAY);
}

/** The hours of eight days: a few hundred rows an operator. */
export function deliveryHours(read: Reader): DeliveryHour[] {
  return read.all<DeliveryHour>("SELECT operator, hour, delivered, failed FROM delivery_hours");
}

/**
 * The rate of each operator over the latest hours that hold `least` messages, at most a day, beside the median of the seven
 * times 24 hours before. Operators with fewer are left out. Pure.
 */
export function deriveDeliveryRates(
  hours: readonly DeliveryHour[],
  nowMs: number,
  least: number,
): DeliveryRate[] {
  const now = toEpochHour(nowMs);
  return [...Map.groupBy(hours, ({ operator }) => operator)].flatMap(([operator, all]) => {
    const days = Array.from({ length: DAYS + 1 }, (_, day) =>
      summed(all.filter(({ hour }) => Math.floor((now - hour) / HOURS_A_DAY) === day)),
    );
    const today = all.filter(({ hour }) => now - hour < HOURS_A_DAY).sort((a, b) => b.hour - a.hour);
    const latest = latestOf(today, least);
    if (latest === null) return [];
    const shares = days.slice(1).flatMap((sum) => (sum.messages >= least ? [sum.share] : []));
    return [{ operator, ...latest, usual: medianOf(shares) }];
  });
}

/** The fewest latest hours that hold enough. */
function latestOf(newestFirst: readonly DeliveryHour[], least: number) {
  for (let count = 1; count <= newestFirst.length; count++) {
    const sum = summed(newestFirst.slice(0, count));
    if (sum.messages >= least) return sum;
  }
  return null;
}

function summed(hours: readonly DeliveryHour[]): { readonly messages: number; readonly share: number } {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const messages = hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0);
  return { messages, share: messages === 0 ? 0 : (100 * delivered) / messages };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? null : (below + above) / 2;
}

// Outcomes by operator from monotonic counters; the database follows every ten minutes.

type Tally = Store["tally"];
type Ends = { delivered: number; failed: number };

/** What was last stored of a tally. */
const written = new WeakMap<Tally, ReadonlyMap<string, Readonly<Ends>>>();

/** Outcomes by operator since the start; messages given up before they left are not counted. */
export function countOutcomes(tally: Tally): ReadonlyMap<string, Readonly<Ends>> {
  const ends = new Map<string, Ends>();
  for (const { labels, value } of tally.counters(MESSAGES).all()) {
    const [operator = "", , status] = labels;
    const sum = ends.get(operator) ?? { delivered: 0, failed: 0 };
    ends.set(operator, sum);
    if (status === "DELIVERED") sum.delivered += value;
    if (status === "FAILED") sum.failed += value;
  }
  for (const { labels, value } of tally.counters(NEVER_LEFT).all()) {
    const sum = ends.get(labels[0] ?? "");
    if (sum) sum.failed -= value;
  }
  return ends;
}

/** Outcomes not stored yet, in this hour; operators without any are left out. */
export function hoursSinceStored(tally: Tally, nowMs: number): DeliveryHour[] {
  const before = written.get(tally);
  const hour = toEpochHour(nowMs);
  return [...countOutcomes(tally)].flatMap(([operator, now]): DeliveryHour[] => {
    const delivered = now.delivered - (before?.get(operator)?.delivered ?? 0);
    const failed = now.failed - (before?.get(operator)?.failed ?? 0);
    return delivered + failed === 0 ? [] : [{ operator, hour, delivered, failed }];
  });
}

/** Marks counted outcomes as stored. */
export function markStored(tally: Tally, counted: ReadonlyMap<string, Readonly<Ends>>): void {
  written.set(tally, counted);
}

// An operator's traffic in the last minutes, from monotonic counters.

/** Counters of one operator since the start. */
export type OperatorCounts = {
  readonly operator: string;
  readonly throttled: number;
  readonly matched: number;
  readonly unmatched: number;
};

type Look = OperatorCounts & { readonly atMs: number };

/** What is kept of one operator between two samples. */
export type TrafficMemory = {
  /** One sample a minute, for fifteen minutes. */
  readonly looks: readonly Look[];
  /** Since when it throttles, and when it last did. */
  readonly throttledSinceMs: number | null;
  readonly throttledAtMs: number;
  readonly lastThrottled: number;
};

/** An operator's receipts in the last 15 minutes, and since when it throttles; null while it does not. */
export type Traffic = {
  readonly operator: string;
  readonly matched: number;
  readonly unmatched: number;
  readonly throttledSinceMs: number | null;
};

const SPAN_MS = 900_000;
const LOOK_MS = 60_000;
/** How long after its last throttling an operator counts as throttling: the pace recovers step by step. */
const THROTTLING_MS = 120_000;

/** Adds a sample; returns what to keep and the resulting traffic. Pure. */
export function advanceTraffic(
  memory: TrafficMemory | undefined,
  counts: OperatorCounts,
  nowMs: number,
): { readonly memory: TrafficMemory; readonly traffic: Traffic } {
  const { operator } = counts;
  const now: Look = { ...counts, atMs: nowMs };
  const before = memory?.looks ?? [{ ...now, throttled: 0, matched: 0, unmatched: 0 }];
  const latest = before.at(-1) ?? now;
  const kept = before.filter(({ atMs }, place) => atMs > nowMs - SPAN_MS || place === before.length - 1);
  const looks = nowMs - latest.atMs >= LOOK_MS ? [...kept, now] : kept;
  const isNew = counts.throttled > (memory ? memory.lastThrottled : 0);
  const throttledAtMs = isNew ? nowMs : (memory?.throttledAtMs ?? Number.NEGATIVE_INFINITY);
  const isThrottling = nowMs - throttledAtMs < THROTTLING_MS;
  const throttledSinceMs = isThrottling ? (memory?.throttledSinceMs ?? nowMs) : null;
  const first = kept[0] ?? now;
  return {
    memory: { looks, throttledSinceMs, throttledAtMs, lastThrottled: counts.throttled },
    traffic: {
      operator,
      matched: Math.max(0, counts.matched - first.matched),
      unmatched: Math.max(0, counts.unmatched - first.unmatched),
      throttledSinceMs,
    },
  };
}
