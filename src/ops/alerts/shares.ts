/** Which share of its messages each operator delivers, now and on the days before. */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const DAYS = 7;

/** What became of an operator's messages in one hour, numbered since the epoch. */
export type DeliveryHour = {
  readonly operator: string;
  readonly hour: number;
  readonly delivered: number;
  readonly failed: number;
};

/** Shares are of 100. `usual`: the median of the days before; null where none of them tells anything. */
export type DeliveryRate = {
  readonly operator: string;
  readonly messages: number;
  readonly share: number;
  readonly usual: number | null;
};

export function toEpochHour(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS);
}

/** Adds what became of messages since the last time. */
export function addDeliveryHours(tx: Tx, hours: readonly DeliveryHour[]): void {
  for (const hour of hours)
    tx.run(
      `INSERT INTO delivery_hours (operator, hour, delivered, failed) VALUES ($operator, $hour, $delivered, $failed)
       ON CONFLICT DO UPDATE SET delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
      hour,
    );
}

/** Forgets what no median looks at any more. */
export function purgeDeliveryHours(tx: Tx, nowMs: number): void {
  tx.run("DELETE FROM delivery_hours WHERE hour < ?", toEpochHour(nowMs) - (DAYS + 1) * HOURS_A_DAY);
}

/** The hours of eight days: a few hundred rows an operator. */
export function deliveryHours(read: Reader): DeliveryHour[] {
  return read.all<DeliveryHour>("SELECT operator, hour, delivered, failed FROM delivery_hours");
}

/**
 * The share of each operator over the latest hours that hold `least` messages, at most a day, beside the median of the seven
 * times 24 hours before. An operator with fewer is not told of. Pure.
 */
export function deriveDeliveryRates(hours: readonly DeliveryHour[], nowMs: number, least: number): DeliveryRate[] {
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
