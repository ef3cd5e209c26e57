/**
 * Paces posts to Meta's Cloud API: rate and posts in flight for each WhatsApp number, a gap of some six seconds
 * between messages to one user, and Meta's limit of different users in a day.
 */
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import { createPace } from "../../dispatch/pace.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import { readRecipient } from "../../domain/messages/segments.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { PostAnswer } from "./cloud-api.ts";
import { PAIR_MS } from "./meta-errors.ts";
import { readCurrentNumbers } from "./number-stops.ts";
import { readPostsSince } from "./posts.ts";

/** How fast one number may write, and how many posts may wait for their answer. Times are of the steady clock. */
export type NumberPace = {
  readonly available: (nowMs: number) => boolean;
  /** When it is worth looking again; null: when a post ends, or something changes. */
  readonly nextMs: (nowMs: number) => number | null;
  /** A post begins. */
  readonly take: (nowMs: number) => void;
  /** The result of a post is durable. */
  readonly ended: () => void;
  /** Meta said "too fast" to what left at `sentAtMs`; nothing leaves for `restMs` besides. */
  readonly slow: (nowMs: number, sentAtMs: number, restMs: number) => void;
  /** Nothing leaves until then. */
  readonly restUntil: (untilMs: number) => void;
  /** A message came in: Meta counts it. */
  readonly inbound: (nowMs: number) => void;
  readonly answered: (answer: PostAnswer, nowMs: number) => void;
  /** Applies another configured throughput, if there is one. */
  readonly follow: () => void;
  readonly health: () => { readonly lastError: Phrase | null; readonly downSinceMs: number | null };
  readonly figures: (nowMs: number) => PaceFigures;
};

/**
 * Messages a second granted after Meta's complaints, posts of the last second, those that wait for their answer, and how many may.
 * throttled: complaints since the start.
 */
export type PaceFigures = {
  readonly granted: number;
  readonly lastSecond: number;
  readonly open: number;
  readonly mostOpen: number;
  readonly throttled: number;
};

/** Most posts that may wait for their answer: so many have an unknown outcome if Meta falls silent. */
const MAX_OPEN = 300;
const FIRST_REST_MS = 1000;
const MAX_REST_MS = 30_000;

export function numberPace(clock: Clock, throughput: () => number): NumberPace {
  let allowed = throughput();
  const pace = createPace(allowed);
  let open = 0;
  let throttled = 0;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  let awayRestMs = FIRST_REST_MS;
  /** The last post had no answer: one at a time is risked. */
  let isDegraded = false;
  let lastError: Phrase | null = null;
  let downSinceMs: number | null = null;
  const mostOpen = (): number => (isDegraded ? 1 : Math.min(MAX_OPEN, Math.max(8, throughput())));
  const rest = (untilMs: number): void => {
    restsUntilMs = Math.max(restsUntilMs, untilMs);
  };
  return {
    available: (nowMs) => nowMs >= restsUntilMs && open < mostOpen() && pace.available(nowMs) >= 1,
    nextMs: (nowMs) => {
      if (nowMs < restsUntilMs) return restsUntilMs;
      if (open >= mostOpen()) return null;
      return pace.available(nowMs) >= 1 ? null : pace.nextAtMs(nowMs);
    },
    take: (nowMs) => {
      pace.take(nowMs, 1);
      open += 1;
    },
    ended: () => {
      open -= 1;
    },
    slow: (nowMs, sentAtMs, restMs) => {
      throttled += 1;
      pace.throttled(nowMs, sentAtMs);
      if (restMs > 0) rest(nowMs + restMs);
    },
    restUntil: rest,
    inbound: (nowMs) => {
      if (pace.available(nowMs) >= 1) pace.take(nowMs, 1);
    },
    answered: (answer, nowMs) => {
      isDegraded = answer.kind === "unanswered";
      if (answer.kind === "accepted" || answer.kind === "refused") {
        awayRestMs = FIRST_REST_MS;
        downSinceMs = null;
        return;
      }
      lastError = answer.error;
      downSinceMs ??= clock.nowMs();
      if (answer.kind !== "not_read") return;
      if (nowMs >= restsUntilMs) {
        rest(nowMs + awayRestMs);
        awayRestMs = Math.min(MAX_REST_MS, awayRestMs * 2);
      }
    },
    follow: () => {
      if (throughput() === allowed) return;
      allowed = throughput();
      pace.allow(allowed);
    },
    health: () => ({ lastError, downSinceMs }),
    figures: (nowMs) => ({
      granted: pace.grantedPerSecond(nowMs),
      lastSecond: pace.lastSecond(nowMs),
      open,
      mostOpen: mostOpen(),
      throttled,
    }),
  };
}

/** Messages that wait because their user was written to a moment ago, and when each user was. Times are of the steady clock. */
export type UserSpacing = {
  /** When a user may be written to: now, or later. */
  readonly freeAtMs: (msisdn: string, nowMs: number) => number;
  /** A user is written to. */
  readonly note: (msisdn: string, nowMs: number) => void;
  /** Sets a message aside until its user may be written to; false where too many of its class wait for the user already. */
  readonly keep: (candidate: Candidate, untilMs: number) => boolean;
  /** Takes out the most urgent message that was set aside and whose user is free; null where there is none. */
  readonly due: (nowMs: number) => Candidate | null;
  /** When the first of them is; null without any. */
  readonly nextMs: () => number | null;
  /** Whether no more of a class can be set aside: then nothing else of it is taken off the queue. */
  readonly isFull: (messageClass: MessageClass) => boolean;
  /** When a user will have been written to as often as messages of a class wait for it. */
  readonly throughMs: (msisdn: string, messageClass: MessageClass, nowMs: number) => number;
  readonly clear: () => void;
};

const MAX_ASIDE = 500;
/** So many of a class wait for one user at most, so that a user who is written to without end holds up nobody else. */
const MAX_FOR_ONE = 20;
/** Between two messages to one user. Messages that leave this far apart may arrive a little closer. */
const GAP_MS = PAIR_MS + 250;

type Waiting = { readonly candidate: Candidate; readonly untilMs: number };

/** The waiting messages of one class, in the order of their times. */
type Aside = { waiting: Waiting[]; readonly counts: Map<string, number> };

export function createUserSpacing(): UserSpacing {
  // In the order of their times.
  const writtenAt = new Map<string, number>();
  let byClass = noneAside();
  const forget = (nowMs: number): void => {
    for (const [msisdn, atMs] of writtenAt) {
      if (atMs > nowMs - GAP_MS) return;
      writtenAt.delete(msisdn);
    }
  };
  const freeAtMs = (msisdn: string, nowMs: number): number =>
    Math.max(nowMs, (writtenAt.get(msisdn) ?? Number.NEGATIVE_INFINITY) + GAP_MS);
  const dueOf = (aside: Aside, nowMs: number): Candidate | null => {
    for (let [first] = aside.waiting; first && first.untilMs <= nowMs; [first] = aside.waiting) {
      aside.waiting.shift();
      // Another that waited for the same user may have gone meanwhile.
      const untilMs = freeAtMs(first.candidate.message.msisdn, nowMs);
      if (untilMs <= nowMs) {
        count(aside, first.candidate, -1);
        return first.candidate;
      }
      insert(aside, { ...first, untilMs });
    }
    return null;
  };
  return {
    freeAtMs,
    note: (msisdn, nowMs) => {
      forget(nowMs);
      writtenAt.delete(msisdn);
      writtenAt.set(msisdn, nowMs);
    },
    keep: (candidate, untilMs) => {
      const aside = byClass[candidate.batch.messageClass];
      if ((aside.counts.get(candidate.message.msisdn) ?? 0) >= MAX_FOR_ONE) return false;
      count(aside, candidate, 1);
      insert(aside, { candidate, untilMs });
      return true;
    },
    due: (nowMs) => {
      for (const messageClass of MESSAGE_CLASSES) {
        const candidate = dueOf(byClass[messageClass], nowMs);
        if (candidate !== null) return candidate;
      }
      return null;
    },
    nextMs: () => {
      const times = MESSAGE_CLASSES.flatMap((one) => byClass[one].waiting.slice(0, 1)).map(
        ({ untilMs }) => untilMs,
      );
      return times.length === 0 ? null : Math.min(...times);
    },
    isFull: (messageClass) => byClass[messageClass].waiting.length >= MAX_ASIDE,
    throughMs: (msisdn, messageClass, nowMs) =>
      freeAtMs(msisdn, nowMs) + GAP_MS * (byClass[messageClass].counts.get(msisdn) ?? 0),
    clear: () => {
      byClass = noneAside();
    },
  };
}

function noneAside(): Record<MessageClass, Aside> {
  const none = (): Aside => ({ waiting: [], counts: new Map() });
  return { OTP: none(), TRANSACTIONAL: none(), MARKETING: none() };
}

function insert({ waiting }: Aside, one: Waiting): void {
  const at = waiting.findIndex(({ untilMs }) => untilMs > one.untilMs);
  waiting.splice(at === -1 ? waiting.length : at, 0, one);
}

function count({ counts }: Aside, { message: { msisdn } }: Candidate, by: 1 | -1): void {
  const left = (counts.get(msisdn) ?? 0) + by;
  if (left === 0) counts.delete(msisdn);
  else counts.set(msisdn, left);
}

// Counts the different users written to in a rolling day, by portfolio: Meta limits them, and its numbers share the
// limit. Counted across restarts, from the stored posts.

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
    if (portfolioOf(number) !== null) note(number, readRecipient(read, messageId), postedAt);
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
    if (of === number) users.note(readRecipient(read, messageId), steadyMs - Math.max(0, nowMs - postedAt));
  });
}
