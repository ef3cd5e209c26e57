/** What became of messages by operator, from counters that only rise: what stands in the database follows every ten minutes. */

import type { Store } from "../../db/store.ts";
import { MESSAGES, NEVER_LEFT } from "../../domain/messages/message-tally.ts";
import { type DeliveryHour, toEpochHour } from "./shares.ts";

type Tally = Store["tally"];
type Ends = { delivered: number; failed: number };

/** What of a tally was written down last. */
const written = new WeakMap<Tally, ReadonlyMap<string, Readonly<Ends>>>();

/** By operator, since the start; what was given up before it left says nothing of the operator. */
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

/** What ended since it was last written down, as of this hour; nothing of operators with which nothing did. */
export function hoursSinceStored(tally: Tally, nowMs: number): DeliveryHour[] {
  const before = written.get(tally);
  const hour = toEpochHour(nowMs);
  return [...countOutcomes(tally)].flatMap(([operator, now]): DeliveryHour[] => {
    const delivered = now.delivered - (before?.get(operator)?.delivered ?? 0);
    const failed = now.failed - (before?.get(operator)?.failed ?? 0);
    return delivered + failed === 0 ? [] : [{ operator, hour, delivered, failed }];
  });
}

/** Notes that what was counted stands in the database. */
export function markStored(tally: Tally, counted: ReadonlyMap<string, Readonly<Ends>>): void {
  written.set(tally, counted);
}
