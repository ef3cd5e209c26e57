import type { Clock } from "../../core/clock.ts";
import { createPace } from "../../dispatch/pace.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { PostAnswer } from "./post-answer.ts";

/** How fast one number may write, and how many posts may be without their answer. Times are of the steady clock. */
export type NumberPace = {
  readonly available: (nowMs: number) => boolean;
  /** When it is worth looking again; null: when a post ends, or something changes. */
  readonly nextMs: (nowMs: number) => number | null;
  /** A post begins. */
  readonly take: (nowMs: number) => void;
  /** What a post came to is durable. */
  readonly ended: () => void;
  /** Meta said "too fast" to what left at an instant, and wants rest for so long besides. */
  readonly slow: (nowMs: number, sentAtMs: number, restMs: number) => void;
  /** Nothing leaves until then. */
  readonly restUntil: (untilMs: number) => void;
  /** A message came in: Meta counts it. */
  readonly inbound: (nowMs: number) => void;
  readonly answered: (answer: PostAnswer, nowMs: number) => void;
  /** Goes by another throughput, if there is one. */
  readonly follow: () => void;
  readonly health: () => { readonly lastError: Phrase | null; readonly downSinceMs: number | null };
  readonly figures: (nowMs: number) => PaceFigures;
};

/**
 * Messages a second granted after Meta's complaints, posts of the last second, those without their answer, and how many there may be.
 * throttled: complaints since the start.
 */
export type PaceFigures = {
  readonly granted: number;
  readonly lastSecond: number;
  readonly open: number;
  readonly mostOpen: number;
  readonly throttled: number;
};

/** Posts without their answer at most: what is in doubt if Meta falls silent. */
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
