/**
 * Tells somebody when something is wrong, and when it is over (docs/administration.md#alarms).
 *
 * Begin here: `observer` takes an observation every few seconds, `rules` (pure) says what fires, `lifecycle` (pure) what is told of
 * that, `texts` has the words. Each address of the `channels` gets a letter, a row; `errands` (pure) says what is told of those that wait,
 * and `letters` tells it, again where it was not taken. All of it stands in the database, so that a restart tells nothing twice.
 */

import type { AlarmTrial } from "../../admin/operations/context.ts";
import type { Settings } from "../../config/in-force.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log, LogFields } from "../../core/log.ts";
import { startLoop } from "../../core/loop.ts";
import type { Store } from "../../db/store.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { alarmStates, forgetAlarm, keepAlarm, silences } from "./alarm-rows.ts";
import type { Told } from "./channel.ts";
import { addressesOf, type ChannelDeps, tellAlarms } from "./channels.ts";
import { addLetter, forgetLetters } from "./letter-rows.ts";
import { postman } from "./letters.ts";
import { type AlarmState, type AlarmStep, afterFirings, alarmKey } from "./lifecycle.ts";
import { type ObserverDeps, observer } from "./observer.ts";
import { notePast } from "./past-alarms.ts";
import type { AlarmFacts } from "./rules.ts";
import { firingsOf } from "./rules.ts";
import { type Texting, tooMany } from "./sms-channel.ts";
import type { AlarmSource } from "./texts.ts";

export type AlarmsDeps = ObserverDeps & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  readonly log: Log;
  readonly machine: ChannelDeps["machine"];
  readonly texting: Texting;
  readonly source: AlarmSource;
};

export type Alarms = {
  /** Tells every channel a test now; what came of each. */
  readonly test: () => Promise<readonly AlarmTrial[]>;
  readonly jobs: readonly { readonly name: string; readonly stop: () => Promise<void> }[];
};

const LOOK_MS = 5000;
/** Letters that wait are looked for this often, beside when one is due. */
const LETTERS_MS = 60_000;

export function startAlarms(deps: AlarmsDeps): Alarms {
  const { settings, clock, log } = deps;
  const tell = tellAlarms(deps);
  const deliver = postman({ ...deps, tell });
  let dueMs: number | null = clock.nowMs();
  const letters = startLoop({
    name: "tell alarms",
    everyMs: LOOK_MS,
    clock,
    log,
    runOnce: async (...asked) => {
      if (dueMs === null || clock.nowMs() < dueMs) return false;
      const nextMs = await deliver(...asked);
      dueMs = nextMs === null ? null : Math.min(nextMs, clock.nowMs() + LETTERS_MS);
      return false;
    },
  });
  const look = looking(deps, () => {
    dueMs = clock.nowMs();
    letters.wake();
  });
  const looks = startLoop({ name: "look for alarms", everyMs: LOOK_MS, clock, log, runOnce: look });
  return {
    test: () =>
      Promise.all(
        addressesOf(settings.now().alerts).map(async (to) => {
          const atMs = clock.nowMs();
          const about = { rule: "test", state: "start", subject: "", facts: {} } as const;
          const news = { ...about, sinceMs: atMs, atMs };
          return {
            ...to,
            ...trialOf(await tell(to, { eventId: deps.newId(), news, starts: 1, letters: [] })),
          };
        }),
      ),
    jobs: [
      { name: "look for alarms", stop: looks.stop },
      { name: "tell alarms", stop: letters.stop },
    ],
  };
}

function trialOf(told: Told): Pick<AlarmTrial, "delivered" | "outcome"> {
  switch (told.kind) {
    case "told":
      return { delivered: true, outcome: phrase("alarm.told") };
    case "later":
      return { delivered: false, outcome: tooMany(told.untilMs) };
    case "failed":
      return { delivered: false, outcome: told.error };
  }
}

/** One look: what fires now, and what is to be told of it, in one transaction. */
function looking(deps: AlarmsDeps, onLetters: () => void): () => Promise<boolean> {
  const { settings, store, clock } = deps;
  const observe = observer(deps);
  const states = new Map(alarmStates(store.read).map((state) => [alarmKey(state), state]));
  return async () => {
    const seen = await observe();
    const { rules } = settings.now().alerts;
    const isLasting = (rule: AlarmState["rule"], subject: string) =>
      states.get(alarmKey({ rule, subject }))?.isFiring === true;
    const firings = firingsOf(seen, rules, isLasting);
    if (firings.length === 0 && states.size === 0) return false;
    const silenced = silences(store.read);
    const isSilenced = (rule: string) => (silenced.get(rule) ?? 0) > clock.nowMs();
    const step = afterFirings(states, firings, isSilenced, clock.nowMs());
    if (step.changed.length + step.over.length === 0) return false;
    await keep(deps, step);
    for (const state of step.changed) states.set(alarmKey(state), state);
    for (const state of step.over) states.delete(alarmKey(state));
    if (step.news.length > 0) onLetters();
    return false;
  };
}

async function keep(
  { settings, store, clock, newId, log }: AlarmsDeps,
  { changed, over, news }: AlarmStep,
): Promise<void> {
  const to = addressesOf(settings.now().alerts);
  const atMs = clock.nowMs();
  const events = news.map((each) => ({ eventId: newId(), news: { ...each, atMs } }));
  await store.write((tx) => {
    for (const state of changed) {
      keepAlarm(tx, state);
      notePast(tx, state);
    }
    for (const state of over) forgetAlarm(tx, state);
    for (const event of events) for (const address of to) addLetter(tx, { ...address, ...event });
    if (events.length > 0) forgetLetters(tx, atMs);
  });
  for (const { rule, state, subject, facts } of news)
    log[state === "end" ? "info" : "warn"]("alarm", { rule, state, subject, ...inEnglish(facts) });
}

/** For the log. */
function inEnglish(facts: AlarmFacts): LogFields {
  const spoken = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === "object" ? english(value) : value,
  ]);
  return Object.fromEntries(spoken);
}
