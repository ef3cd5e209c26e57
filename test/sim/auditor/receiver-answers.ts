/** What receivers answered to events, and what the appliance can have made of it. */
import type { History, SeenEvent } from "./history.ts";
import { number } from "./json.ts";
import { once } from "./once.ts";

/** A 2xx, whether or not it was in time. */
export function isGood({ answer }: SeenEvent): boolean {
  return typeof answer === "number" && answer >= 200 && answer < 300;
}

/** Closer to the time limit nobody outside knows whether an answer was in time. */
const IN_TIME = 0.75;
/** A try whose connection broke is sent once more, as soon as that is known there. */
const AT_ONCE_MS = 500;

/** Whether a try of an event was answered 2xx in time. One that was sent once more has the time of the first. */
export function isTaken(history: History, tries: readonly SeenEvent[], index: number): boolean {
  const event = tries[index];
  if (!event || !isGood(event) || event.answeredAtMs === null) return false;
  const before = tries[index - 1];
  const beganMs = before && isSentOnceMore(before, event) ? before.atMs : event.atMs;
  return event.answeredAtMs - beganMs < timeoutMs(history) * IN_TIME;
}

/** Whether a try followed upon one whose connection broke, as its second half. */
export function isSentOnceMore(before: SeenEvent, { atMs }: SeenEvent): boolean {
  return before.answer === "broken" && atMs - (before.answeredAtMs ?? before.atMs) < AT_ONCE_MS;
}

const timeoutsMs = once(({ settings }: History): readonly number[] =>
  settings.map(({ document }) => 1000 * (number(document, "webhooks", "timeout_seconds") ?? 15)),
);

const timeoutMs = once((history: History) => Math.min(...timeoutsMs(history)));

/** What no try lasts longer than, whenever it began. */
export const longestTimeoutMs = once((history: History) => Math.max(...timeoutsMs(history)));

/** So many failures in a row, and an endpoint is only probed; with its next success what waits for it is due at once. */
const PROBED_AFTER = 3;

/** A time limit that is over by so much was over for the appliance too, also where a try had the time of the one before it. */
const CERTAINLY_LATE = 1.25;

/** When endpoints may have answered 2xx in time again after they were only probed, by their URL. */
const comebacks = once((history: History): ReadonlyMap<string, readonly number[]> => {
  const { events } = history;
  const latestMs = longestTimeoutMs(history) * CERTAINLY_LATE;
  const found = new Map<string, number[]>();
  const failures = new Map<string, number>();
  const endOf = ({ answeredAtMs, atMs }: SeenEvent) => answeredAtMs ?? atMs;
  for (const event of [...events].sort((a, b) => endOf(a) - endOf(b))) {
    const before = failures.get(event.url) ?? 0;
    const isSuccess = isGood(event) && endOf(event) - event.atMs <= latestMs;
    failures.set(event.url, isSuccess ? 0 : before + 1);
    if (!isSuccess || before < PROBED_AFTER) continue;
    found.set(event.url, [...(found.get(event.url) ?? []), endOf(event)]);
  }
  return found;
});

/** Whether what waited for an endpoint became due between two moments because it answered again. */
export function cameBack(history: History, url: string, fromMs: number, toMs: number): boolean {
  return (comebacks(history).get(url) ?? []).some((atMs) => atMs >= fromMs && atMs <= toMs);
}
