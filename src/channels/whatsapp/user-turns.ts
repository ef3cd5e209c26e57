import type { Candidate } from "../../dispatch/lanes.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { PAIR_MS } from "./consequence.ts";

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
/** Whoever is written to without end holds up nobody else: so many of a class wait for one user. */
const MAX_FOR_ONE = 20;
/** Between two messages to one user. What leaves so far apart may arrive a little closer. */
export const GAP_MS = PAIR_MS + 250;

type Waiting = { readonly candidate: Candidate; readonly untilMs: number };

/** What waits of one class, in the order of its times. */
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
