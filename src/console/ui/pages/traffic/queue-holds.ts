/** What holds messages of an operator and class, in words. Pure. */
import type { Phrase } from "../../../../i18n/phrase.ts";
import type { TrafficWords } from "../../../../i18n/words.gen.d.ts";
import type { Answer } from "../../api/contract.ts";

export type WaitingRow = Answer<"GET /queue">["queues"][number];

type Said = {
  readonly words: TrafficWords["queue"];
  readonly time: (instant: string) => string;
  /** The time of day, with seconds. */
  readonly clock: (instant: string) => string;
  readonly said: (why: Phrase) => string;
  /** A number with what it counts: `2 : opérateur en pause`. */
  readonly counted: (count: number, what: string) => string;
};

/** All that waits, whether it could leave or is held. */
export function sumWaiting({ messages, held }: Pick<WaitingRow, "messages" | "held">): number {
  return Object.values(held).reduce((sum, count) => sum + (count ?? 0), messages);
}

/** What holds them, a sentence each: never empty, so that nobody guesses why they stay. */
export function renderHolds(row: WaitingRow, { words, time, clock, said, counted }: Said): string[] {
  const { pause, away, held, messages, rate, empty_at: emptyAt } = row;
  const { operator_paused: paused = 0, ...others } = held;
  const ofPause =
    paused > 0 && pause
      ? [words.paused({ since: time(pause.since), by: pause.by, reason: pause.reason })]
      : [];
  const ofLine = away
    ? [
        words.away({ since: away.since && time(away.since), why: away.why && said(away.why) }),
        ...(away.next_attempt_at === null ? [] : [words.nextTry({ time: clock(away.next_attempt_at) })]),
      ]
    : [];
  const rest = { ...others, ...(paused > 0 && !pause ? { operator_paused: paused } : {}) };
  const ofMessages = Object.entries(rest).map(([why, count]) => counted(count ?? 0, words.holds[why] ?? why));
  const ofPace =
    messages === 0 || away !== null
      ? []
      : [
          rate === null ? words.noLine : words.leaving,
          ...(emptyAt === null ? [] : [words.empty({ time: time(emptyAt) })]),
        ];
  return [...ofPause, ...ofLine, ...ofMessages, ...ofPace];
}
