/**
 * Different users written to in a moving day, by portfolio: Meta limits them, and its numbers share the limit. Counted over restarts,
 * from the posts that are kept.
 */
import { recipientOf } from "../messages/part-lookup.ts";
import type { Reader } from "../store/read.ts";
import { postsSince } from "./posts.ts";

export type DayCounts = {
  /** Whether a user may be written to: one of the day, or there is room for one more; 0 is no limit. */
  readonly hasRoom: (portfolio: string, msisdn: string, limit: number, nowMs: number) => boolean;
  readonly note: (portfolio: string, msisdn: string, nowMs: number) => void;
  /** Different users that were written to in the last day. */
  readonly usersOf: (portfolio: string, nowMs: number) => number;
  /** When room comes for one more; null where nobody is counted. */
  readonly roomAtMs: (portfolio: string) => number | null;
};

const DAY_MS = 86_400_000;
const PAGE = 1000;

/** `portfolioOf`: of a number's code; null where it is not counted. */
export function dayCounts(
  read: Reader,
  portfolioOf: (number: string) => string | null,
  nowMs: number,
): DayCounts {
  // Of each portfolio in the order of their times.
  const users = new Map<string, Map<string, number>>();
  const of = (portfolio: string): Map<string, number> => {
    const known = users.get(portfolio) ?? new Map<string, number>();
    users.set(portfolio, known);
    return known;
  };
  const note: DayCounts["note"] = (portfolio, msisdn, atMs) => {
    const known = of(portfolio);
    known.delete(msisdn);
    known.set(msisdn, atMs);
  };
  for (let after = { atMs: nowMs - DAY_MS, messageId: 0 }; ; ) {
    const page = postsSince(read, after, PAGE);
    const last = page.at(-1);
    if (!last) break;
    for (const { messageId, number, postedAt } of page) {
      const portfolio = portfolioOf(number);
      if (portfolio !== null) note(portfolio, recipientOf(read, messageId), postedAt);
    }
    after = { atMs: last.postedAt, messageId: last.messageId };
  }
  const ofLastDay = (portfolio: string, atMs: number): ReadonlyMap<string, number> => {
    const known = of(portfolio);
    for (const [user, writtenAtMs] of known) {
      if (writtenAtMs > atMs - DAY_MS) break;
      known.delete(user);
    }
    return known;
  };
  return {
    note,
    usersOf: (portfolio, atMs) => ofLastDay(portfolio, atMs).size,
    hasRoom: (portfolio, msisdn, limit, atMs) => {
      if (limit === 0) return true;
      const known = ofLastDay(portfolio, atMs);
      return known.has(msisdn) || known.size < limit;
    },
    roomAtMs: (portfolio) => {
      const [oldest] = of(portfolio).values();
      return oldest === undefined ? null : oldest + DAY_MS;
    },
  };
}
