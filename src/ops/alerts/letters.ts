/** Tells what is to be told, and again where it was not taken. */

import type { Settings } from "../../config/in-force.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { english } from "../../i18n/text.ts";
import { nextAttemptAt, readRetryAfter } from "../../webhooks/schedule.ts";
import { alarmStates, silences } from "./alarm-rows.ts";
import type { TellAlarm, Told } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import { type Errand, errandsOf } from "./errands.ts";
import {
  type AlarmLetter,
  type ChannelName,
  deferLetter,
  endLetter,
  noteFailure,
  postponeLetter,
  waitingLetters,
} from "./letter-rows.ts";
import { alarmKey } from "./lifecycle.ts";

export type PostmanDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly tell: TellAlarm;
};

/** Letters of a channel that are looked at in one round. */
const MOST = 500;

/** What was away is tried again so soon, so that what people missed is told within minutes of its return. */
const RETRY_MS = [30_000, 60_000, 120_000, 300_000, 600_000];
const LONGEST_RETRY_MS = 900_000;
/** Then nobody wants to read it any more: what lasts is told once a day. */
const GIVEN_UP_MS = { email: 3 * 86_400_000, sms: 86_400_000 };

/** Tells every letter that is due; resolves with when the next one is, null when none waits. */
export type Postman = (isStopping: () => boolean, stopping?: AbortSignal) => Promise<number | null>;

export function postman(deps: PostmanDeps): Postman {
  return async (isStopping, stopping) => {
    // A channel that hangs must not hold up another.
    const next = await Promise.all(CHANNELS.map((channel) => round(deps, channel, isStopping, stopping)));
    const waiting = next.filter((dueMs) => dueMs !== null);
    return waiting.length === 0 ? null : Math.min(...waiting);
  };
}

async function round(
  deps: PostmanDeps,
  channel: ChannelName,
  isStopping: () => boolean,
  stopping?: AbortSignal,
): Promise<number | null> {
  const { due, dropped } = errandsNow(deps, channel);
  await ended(deps, dropped, "dropped");
  for (const errand of due) {
    if (isStopping()) return null;
    await run(deps, errand, stopping);
  }
  const left = errandsNow(deps, channel);
  return left.due.length > 0 ? deps.clock.nowMs() : left.nextMs;
}

function errandsNow({ store: { read }, clock }: PostmanDeps, channel: ChannelName) {
  const waiting = waitingLetters(read, channel, MOST);
  if (waiting.length === 0) return { due: [], dropped: [], nextMs: null };
  const silenced = silences(read);
  const open = new Set(
    alarmStates(read)
      .filter(({ isFiring, toldAtMs }) => isFiring || toldAtMs !== null)
      .map(alarmKey),
  );
  return errandsOf(waiting, {
    nowMs: clock.nowMs(),
    isJoined: channel !== "webhook",
    silencedUntilMs: (rule) => silenced.get(rule) ?? 0,
    isOpen: ({ rule, subject }) => rule === "test" || open.has(alarmKey({ rule, subject })),
  });
}

async function run(deps: PostmanDeps, errand: Errand, stopping?: AbortSignal): Promise<void> {
  const { letters, last } = errand;
  const told = await deps.tell(last, { ...errand, eventId: last.eventId }, stopping);
  switch (told.kind) {
    case "told":
      await ended(deps, [last], "told");
      await ended(deps, letters.slice(0, -1), "joined");
      return;
    case "later":
      await deps.store.write((tx) => {
        for (const { id } of letters) deferLetter(tx, id, told.untilMs);
      });
      return;
    case "failed":
      if (!stopping?.aborted) await failed(deps, errand, told);
  }
}

async function ended(
  { store, clock }: PostmanDeps,
  letters: readonly AlarmLetter[],
  outcome: Parameters<typeof endLetter>[2],
): Promise<void> {
  if (letters.length === 0) return;
  await store.write((tx) => {
    for (const { id } of letters) endLetter(tx, id, outcome, clock.nowMs());
  });
}

type Failed = Extract<Told, { kind: "failed" }>;

async function failed(deps: PostmanDeps, { letters, last }: Errand, told: Failed): Promise<void> {
  const { store, clock, log } = deps;
  const { channel, attempts, news } = last;
  const { error } = told;
  const nowMs = clock.nowMs();
  const dueAtMs = told.isFinal ? null : nextTry(deps, last, told.retryAfter, nowMs);
  const outcome = dueAtMs === null ? "given up" : "tried again";
  log.warn("an alarm could not be told", {
    channel,
    rule: news.rule,
    error: english(error),
    outcome,
    attempts: attempts + 1,
  });
  await store.write((tx) => {
    for (const { id } of letters) {
      noteFailure(tx, id, error);
      postponeLetter(tx, id, dueAtMs ?? nowMs);
      if (dueAtMs === null) endLetter(tx, id, "given up", nowMs);
    }
  });
}

/** When one that failed is tried again; null for never. */
function nextTry(
  { settings, chance }: PostmanDeps,
  { channel, attempts, news }: AlarmLetter,
  retryAfter: string | null,
  nowMs: number,
): number | null {
  switch (channel) {
    case "webhook": {
      const retryAfterMs = readRetryAfter(retryAfter, nowMs);
      const failure = { kind: "failed", status: null, retryAfterMs } as const;
      return nextAttemptAt(attempts + 1, failure, nowMs, settings.now().webhooks, chance);
    }
    case "email":
    case "sms":
      if (nowMs - news.atMs > GIVEN_UP_MS[channel]) return null;
      return nowMs + (RETRY_MS[attempts] ?? LONGEST_RETRY_MS);
  }
}
