/** Tells what is to be told, and again where it was not taken. */
import type { Chance } from "../../base/chance.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Settings } from "../../config/in-force.ts";
import type { Store } from "../../store/store.ts";
import { nextAttemptAt, readRetryAfter } from "../../webhooks/schedule.ts";
import { type AlarmLetter, dropLetter, postponeLetter, waitingLetters } from "./alarm-rows.ts";
import type { TellAlarm } from "./channels.ts";

export type PostmanDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly tell: TellAlarm;
};

/** Letters that are looked at in one round. */
const MOST = 100;

/** Tells every letter that is due; resolves with when the next one is, null when none waits. */
export type Postman = (isStopping: () => boolean, stopping?: AbortSignal) => Promise<number | null>;

export function postman(deps: PostmanDeps): Postman {
  const { store, clock } = deps;
  return async (isStopping, stopping) => {
    for (const letter of waitingLetters(store.read, MOST)) {
      if (isStopping()) return null;
      if (letter.dueAtMs <= clock.nowMs()) await deliver(deps, letter, stopping);
    }
    const left = waitingLetters(store.read, MOST).map(({ dueAtMs }) => dueAtMs);
    return left.length === 0 ? null : Math.min(...left);
  };
}

async function deliver(
  { settings, store, clock, chance, log, tell }: PostmanDeps,
  { id, channel, eventId, body, attempts }: AlarmLetter,
  stopping?: AbortSignal,
): Promise<void> {
  const { status, retryAfter, error } = await tell(channel, { eventId, body }, stopping);
  if (stopping?.aborted && error !== null) return;
  if (error === null) {
    await store.write((tx) => dropLetter(tx, id));
    return;
  }
  const nowMs = clock.nowMs();
  const failure = { kind: "failed", status, retryAfterMs: readRetryAfter(retryAfter, nowMs) } as const;
  const dueAtMs = nextAttemptAt(attempts + 1, failure, nowMs, settings.now().webhooks, chance);
  const outcome = dueAtMs === null ? "given up" : "tried again";
  log.warn("an alarm could not be told", { channel, error, outcome, attempts: attempts + 1 });
  await store.write((tx) => {
    if (dueAtMs === null) dropLetter(tx, id);
    else postponeLetter(tx, id, dueAtMs);
  });
}
