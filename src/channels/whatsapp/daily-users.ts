/**
 * Counts the different users written to in a rolling day, by portfolio: Meta limits them, and its numbers share the limit. Counted across
 * restarts, from the stored posts.
 */

import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import { recipientOf } from "../../domain/messages/segments.ts";
import { readCurrentNumbers } from "./number-stops.ts";
import { GAP_MS, type UserSpacing } from "./pacing.ts";
import { readPostsSince } from "./posts.ts";

export type DailyUserCounts = {
  /** Whether a number may write to a user: one of the day, one whose window is open, or there is room for one more; 0 is no limit. */
  readonly hasRoom: (number: string, msisdn: string, limit: number, nowMs: number) => boolean;
  /** Notes that a number writes to a user; not counted where the user's window is open. */
  readonly note: (number: string, msisdn: string, nowMs: number) => void;
  /** Different users that the numbers of this one's portfolio wrote to in the last day. */
  readonly usersOf: (number: string, nowMs: number) => number;
  /** When room comes for one more; null where nobody is counted. */
  readonly roomAtMs: (number: string) => number | null;
};

export type CountedBy = {
  /** The portfolio of a number's code; null where it is not counted. */
  readonly portfolioOf: (number: string) => string | null;
  /** Whether a user had written to a number within a day before. */
  readonly isOpen: (number: string, msisdn: string, atMs: number) => boolean;
};

const DAY_MS = 86_400_000;

export function countDailyUsers(
  read: Reader,
  { portfolioOf, isOpen }: CountedBy,
  nowMs: number,
): DailyUserCounts {
  // Of each portfolio in the order of their times.
  const users = new Map<string, Map<string, number>>();
  const of = (number: string): Map<string, number> => {
    const portfolio = portfolioOf(number);
    const known = (portfolio === null ? null : users.get(portfolio)) ?? new Map<string, number>();
    if (portfolio !== null) users.set(portfolio, known);
    return known;
  };
  const ofLastDay = (number: string, atMs: number): Map<string, number> => {
    const known = of(number);
    for (const [user, writtenAtMs] of known) {
      if (writtenAtMs > atMs - DAY_MS) break;
      known.delete(user);
    }
    return known;
  };
  const note: DailyUserCounts["note"] = (number, msisdn, atMs) => {
    if (isOpen(number, msisdn, atMs)) return;
    const known = ofLastDay(number, atMs);
    known.delete(msisdn);
    known.set(msisdn, atMs);
  };
  eachPostSince(read, nowMs - DAY_MS, ({ number, messageId, postedAt }) => {
    if (portfolioOf(number) !== null) note(number, recipientOf(read, messageId), postedAt);
  });
  return {
    note,
    usersOf: (number, atMs) => ofLastDay(number, atMs).size,
    hasRoom: (number, msisdn, limit, atMs) => {
      if (limit === 0 || isOpen(number, msisdn, atMs)) return true;
      const known = ofLastDay(number, atMs);
      return known.has(msisdn) || known.size < limit;
    },
    roomAtMs: (number) => {
      const [oldest] = of(number).values();
      return oldest === undefined ? null : oldest + DAY_MS;
    },
  };
}

// Who was written to lately, from the stored posts: restores the limits of numbers after a start.

const PAGE = 1000;

/** Goes through the posts since an instant that were not refused, oldest first, each with the code that its number has today. */
function eachPostSince(
  read: Reader,
  sinceMs: number,
  visit: (post: { readonly number: string; readonly messageId: number; readonly postedAt: number }) => void,
): void {
  const todaysNumber = readCurrentNumbers(read);
  for (let after = { atMs: sinceMs, messageId: 0 }; ; ) {
    const page = readPostsSince(read, after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    for (const post of page) visit({ ...post, number: todaysNumber(post.number) });
    after = { atMs: last.postedAt, messageId: last.messageId };
  }
}

/** Spaces users to whom a number wrote before the start. Times that a clock set back calls future count as now. */
export function restoreUserSpacing(
  read: Reader,
  number: string,
  users: Pick<UserSpacing, "note">,
  clock: Pick<Clock, "nowMs" | "steadyMs">,
): void {
  const [nowMs, steadyMs] = [clock.nowMs(), clock.steadyMs()];
  eachPostSince(read, nowMs - GAP_MS, ({ number: of, messageId, postedAt }) => {
    if (of === number) users.note(recipientOf(read, messageId), steadyMs - Math.max(0, nowMs - postedAt));
  });
}
