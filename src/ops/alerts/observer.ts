/** Takes the observations that rules look at: what is in memory each time, what stands in the database less often. */

import type { OperatorStatus } from "../../channels/sms/lines.ts";
import { stoppedTexts } from "../../channels/whatsapp/direct-prices.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-status.ts";
import {
  movingTemplates,
  stoppedTemplates,
  unreadAccounts,
} from "../../channels/whatsapp/template-troubles.ts";
import type { Settings } from "../../config/in-force.ts";
import { numberOfOperator, operatorOfNumber } from "../../config/whatsapp-codes.ts";
import type { Clock } from "../../core/clock.ts";
import { bornAtMs } from "../../db/born.ts";
import type { Store } from "../../db/store.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { lastCheck, standingOfCheck } from "../../domain/ledger/checks.ts";
import { oldestWaiting } from "../../domain/messages/oldest-waiting.ts";
import { listFailing } from "../../webhooks/insight.ts";
import { lastDrill, newestBackup } from "../backup/backup-rows.ts";
import { certificateEnds } from "../certificates.ts";
import { lowAccounts, MOST_ENDPOINTS } from "./alarm-subjects.ts";
import { countedEnds, hoursSinceWritten, noteWritten } from "./counted-ends.ts";
import type { Observation, ObservedLink, StoppedNumber, UnreadTemplates } from "./observation.ts";
import { addHours, deliveryHours, forgetHours, sharesOf } from "./shares.ts";
import { afterLook, type OperatorCounts, type Traffic, type TrafficMemory } from "./traffic.ts";

export type ObserverDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly operators: () => readonly OperatorStatus[];
  /** The numbers of WhatsApp. */
  readonly numbers: () => readonly NumberStatus[];
  readonly machine: { readonly spaceOf: (directory: string) => { readonly freeBytes: number } };
};

/** How long what was read of the queue is good, and what was read of all else. */
const QUEUE_MS = 15_000;
const REST_MS = 300_000;
/** And what was read of templates. */
const TEMPLATES_MS = 60_000;
/** What became of messages is written down this often, where anything did. */
const HOURS_MS = 600_000;

/** Observes at this moment; a look takes a few milliseconds at most. */
export function observer(deps: ObserverDeps): () => Promise<Observation> {
  const { clock } = deps;
  const startedMs = clock.nowMs();
  const traffic = trafficWatch();
  const queue = keptFor(clock, QUEUE_MS, oldestOf(deps));
  const rest = keptFor(clock, REST_MS, () => restOf(deps, startedMs));
  const templates = keptFor(clock, TEMPLATES_MS, () => templatesOf(deps));
  const keepHours = hourKeeper(deps);
  return async () => {
    const operators = deps.operators();
    const numbers = deps.numbers();
    await keepHours();
    const nowMs = clock.nowMs();
    return {
      ...rest(),
      ...templates(),
      nowMs,
      startedMs,
      links: operators.flatMap(linksOf),
      stopped: numbers.flatMap(stoppedOf),
      countries: numbers.flatMap(({ operator, refusedCountries }) =>
        refusedCountries.map((refused) => ({ operator, ...refused })),
      ),
      traffic: traffic([...operators.map(countsOfLinks), ...numbers.map(countsOfNumber)], nowMs),
      oldest: queue(),
      disk: diskOf(deps),
      doubt: clock.doubt(),
    };
  };
}

function linksOf({ operator, connections }: OperatorStatus): ObservedLink[] {
  return connections.map(({ state, downSinceMs, lastError, refusing }, place) => ({
    operator,
    connection: place + 1,
    lastError,
    refusing,
    downSinceMs: state === "BOUND" ? null : downSinceMs,
  }));
}

/** Nobody is told of a number that a person paused or switched off. */
function stoppedOf({
  operator,
  state,
  isEnabled,
  downSinceMs,
  lastError,
}: NumberStatus): readonly StoppedNumber[] {
  if (state !== "STOPPED" || !isEnabled || downSinceMs === null) return [];
  return [{ operator, sinceMs: downSinceMs, error: lastError ?? "" }];
}

function trafficWatch(): (counts: readonly OperatorCounts[], nowMs: number) => readonly Traffic[] {
  const memories = new Map<string, TrafficMemory>();
  return (counts, nowMs) =>
    counts.map((of) => {
      const { memory, traffic } = afterLook(memories.get(of.operator), of, nowMs);
      memories.set(of.operator, memory);
      return traffic;
    });
}

function countsOfLinks({ operator, connections }: OperatorStatus): OperatorCounts {
  const sum = (of: "throttled" | "receiptsMatched" | "receiptsUnmatched") =>
    connections.reduce((total, { tally }) => total + tally[of], 0);
  return {
    operator,
    throttled: sum("throttled"),
    matched: sum("receiptsMatched"),
    unmatched: sum("receiptsUnmatched"),
  };
}

/** Statuses of nobody known are no sign of anything: Meta may tell of what others sent by the number. */
function countsOfNumber({ operator, throttled }: NumberStatus): OperatorCounts {
  return { operator, throttled, matched: 0, unmatched: 0 };
}

/** Those of the accounts whose numbers are configured. */
function templatesOf({ settings, store, clock }: ObserverDeps) {
  const { numbers } = settings.now().whatsapp;
  const operators = new Map<string, string>();
  for (const [code, { waba_id }] of Object.entries(numbers)) {
    if (!operators.has(waba_id)) operators.set(waba_id, operatorOfNumber(code));
  }
  if (operators.size === 0) return { templates: [], texts: [], moving: [], unread: [] };
  const templates = stoppedTemplates(store.read, clock.nowMs())
    .filter(({ wabaId }) => operators.has(wabaId))
    .map(({ name, language, why, sinceMs }) => ({ template: `${name} (${language})`, why, sinceMs }));
  const moving = movingTemplates(store.read)
    .filter(({ wabaId }) => operators.has(wabaId))
    .map(({ name, language, category, movesAtMs, toldMs }) => ({
      template: `${name} (${language})`,
      category,
      movesAtMs,
      sinceMs: toldMs,
    }));
  const unread = unreadAccounts(store.read).flatMap(({ wabaId, readMs, error }): UnreadTemplates[] => {
    const operator = operators.get(wabaId);
    return operator === undefined ? [] : [{ operator, readMs, error }];
  });
  const texts = stoppedTexts(store.read)
    .filter(({ operator }) => Object.hasOwn(numbers, numberOfOperator(operator) ?? ""))
    .map(({ pricedAs, ...text }) => ({ ...text, category: pricedAs }));
  return { templates, texts, moving, unread };
}

/** Since when the oldest of each class waits, but of accounts that are suspended. */
function oldestOf({ store }: ObserverDeps): () => ReadonlyMap<string, number> {
  const look = oldestWaiting(store.read);
  return () => look((accountId) => accountById(store.read, accountId)?.status === "SUSPENDED");
}

function restOf({ settings, store, clock }: ObserverDeps, startedMs: number) {
  const { read } = store;
  const config = settings.now();
  const nowMs = clock.nowMs();
  const check = lastCheck(read);
  const drill = lastDrill(read);
  const least = config.alerts.rules.delivered_share.messages;
  return {
    shares: sharesOf(deliveryHours(read), nowMs, least),
    books: {
      standing: standingOfCheck(check, startedMs, nowMs),
      checkedAtMs: check?.checkedAtMs ?? null,
    },
    backupAtMs: newestBackup(read)?.madeAtMs ?? bornAtMs(read),
    drill: drill && { atMs: drill.drilledAtMs ?? drill.madeAtMs, failure: drill.failure },
    certificates: certificateEnds(config, settings.pem),
    endpoints: listFailing(read, MOST_ENDPOINTS),
    wallets: lowAccounts(read),
  };
}

function diskOf({ settings, store, machine }: ObserverDeps): Observation["disk"] {
  const reserveBytes = settings.now().storage.reserve_megabytes * 1024 * 1024;
  try {
    return { freeBytes: machine.spaceOf(store.directory).freeBytes, reserveBytes };
  } catch {
    return null;
  }
}

/** Writes down now and then what became of messages; nothing where nothing did. */
function hourKeeper({ store, clock }: ObserverDeps): () => Promise<void> {
  let dueMs = clock.steadyMs() + HOURS_MS;
  return async () => {
    if (clock.steadyMs() < dueMs) return;
    dueMs = clock.steadyMs() + HOURS_MS;
    const counted = countedEnds(store.tally);
    const hours = hoursSinceWritten(store.tally, clock.nowMs());
    if (hours.length === 0) return;
    await store.write((tx) => {
      addHours(tx, hours);
      forgetHours(tx, clock.nowMs());
    }, "with the next");
    noteWritten(store.tally, counted);
  };
}

/** The same value for so long. */
function keptFor<T>(clock: Clock, keptMs: number, look: () => T): () => T {
  let kept: { readonly value: T; readonly untilMs: number } | null = null;
  return () => {
    if (kept === null || clock.steadyMs() >= kept.untilMs)
      kept = { value: look(), untilMs: clock.steadyMs() + keptMs };
    return kept.value;
  };
}
