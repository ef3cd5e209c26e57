/**
 * Notifies people when something is wrong, and when it is over: alerts, which the pages call alarms (docs/administration.md#alarms).
 *
 * The observer below takes an observation every few seconds; `rules.ts` (pure) says what fires, `lifecycle.ts` (pure) what to notify,
 * `alert-texts.ts` the words. Each address of `channels.ts` gets a notification, a row (`notifications.ts`, which also plans deliveries,
 * pure); the notifier below delivers and retries. All state is in the database, so that a restart notifies nothing twice.
 */
import type { TestNotification } from "../../admin/operations/context.ts";
import { listRouteWaits, type RouteWait } from "../../admin/reports/queue.ts";
import type { OperatorRouteStatus, OperatorStatus } from "../../channels/sms/smpp-worker.ts";
import { readStoppedTexts } from "../../channels/whatsapp/category-prices.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-worker.ts";
import {
  readMovingTemplates,
  readStoppedTemplates,
  readUnreadAccounts,
} from "../../channels/whatsapp/template-rows.ts";
import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log, LogFields } from "../../core/log.ts";
import { startLoop } from "../../core/loop.ts";
import { readCreatedAtMs } from "../../db/clock-marks.ts";
import type { Store } from "../../db/store.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { deriveCheckStanding, lastCheck } from "../../domain/ledger/books-check.ts";
import { oldestWaiting } from "../../domain/messages/queue.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { listFailing } from "../../webhooks/endpoint-stats.ts";
import { deriveNextAttempt, readRetryAfter } from "../../webhooks/retry-schedule.ts";
import { lastDrill, newestBackup } from "../backup/backup-records.ts";
import { certificateEnds } from "../certificates.ts";
import { deleteAlert, readAlerts, recordPastAlert, silences, storeAlert } from "./alert-records.ts";
import type { AlertSource } from "./alert-texts.ts";
import {
  CHANNELS,
  type ChannelDeps,
  createNotificationSender,
  type DeliveryResult,
  listAddresses,
  type SendNotification,
  type SmsPort,
  toRateLimited,
} from "./channels.ts";
import {
  addDeliveryHours,
  advanceTraffic,
  countOutcomes,
  deliveryHours,
  deriveDeliveryRates,
  hoursSinceStored,
  markStored,
  type OperatorCounts,
  purgeDeliveryHours,
  type Traffic,
  type TrafficMemory,
} from "./delivery-rates.ts";
import { type AlertState, type AlertTransitions, advanceAlerts, toAlertKey } from "./lifecycle.ts";
import {
  type ChannelName,
  deferNotification,
  enqueueNotification,
  finishNotification,
  noteFailure,
  type PendingDelivery,
  pendingNotifications,
  planDeliveries,
  postponeNotification,
  purgeNotifications,
  type QueuedNotification,
} from "./notifications.ts";
import {
  type AlertFacts,
  evaluateRules,
  type IllRoute,
  MAX_ENDPOINTS,
  type Observation,
  type ObservedRouteWait,
  type ObservedSession,
  readLowWallets,
  readSmppReceipts,
  type StoppedNumber,
  type UnreadTemplates,
} from "./rules.ts";

type AlertsDeps = ObserverDeps & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  readonly log: Log;
  readonly machine: ChannelDeps["machine"];
  readonly texting: SmsPort;
  readonly source: AlertSource;
};

export type Alerts = {
  /** Sends a test over every channel now; resolves with the result of each. */
  readonly test: () => Promise<readonly TestNotification[]>;
  readonly jobs: readonly { readonly name: string; readonly stop: () => Promise<void> }[];
};

/** How often the rules are evaluated, and due notifications delivered. */
const ROUND_MS = 5000;
/** How often pending notifications are looked for, besides when one is due. */
const NOTIFICATIONS_MS = 60_000;

export function startAlerts(deps: AlertsDeps): Alerts {
  const { settings, clock, log } = deps;
  const send = createNotificationSender(deps);
  const deliver = createNotifier({ ...deps, send });
  let dueMs: number | null = clock.nowMs();
  const deliveries = startLoop({
    name: "tell alarms",
    everyMs: ROUND_MS,
    clock,
    log,
    runOnce: async (...asked) => {
      if (dueMs === null || clock.nowMs() < dueMs) return false;
      const nextMs = await deliver(...asked);
      dueMs = nextMs === null ? null : Math.min(nextMs, clock.nowMs() + NOTIFICATIONS_MS);
      return false;
    },
  });
  const evaluate = createEvaluation(deps, () => {
    dueMs = clock.nowMs();
    deliveries.wake();
  });
  const evaluations = startLoop({
    name: "look for alarms",
    everyMs: ROUND_MS,
    clock,
    log,
    runOnce: evaluate,
  });
  return {
    test: () =>
      Promise.all(
        listAddresses(settings.now().alerts).map(async (to) => {
          const atMs = clock.nowMs();
          const about = { rule: "test", state: "start", subject: "", facts: {} } as const;
          const event = { ...about, sinceMs: atMs, atMs };
          return {
            ...to,
            ...toTestResult(await send(to, { eventId: deps.newId(), event, starts: 1, notifications: [] })),
          };
        }),
      ),
    jobs: [
      { name: "look for alarms", stop: evaluations.stop },
      { name: "tell alarms", stop: deliveries.stop },
    ],
  };
}

function toTestResult(result: DeliveryResult): Pick<TestNotification, "delivered" | "outcome"> {
  switch (result.kind) {
    case "delivered":
      return { delivered: true, outcome: phrase("alarm.told") };
    case "throttled":
      return { delivered: false, outcome: toRateLimited(result.untilMs) };
    case "failed":
      return { delivered: false, outcome: result.error };
  }
}

/** Returns one round of the observer: evaluates the rules and queues the notifications, in one transaction. */
function createEvaluation(deps: AlertsDeps, onNotifications: () => void): () => Promise<boolean> {
  const { settings, store, clock } = deps;
  const observe = createObserver(deps);
  const states = new Map(readAlerts(store.read).map((state) => [toAlertKey(state), state]));
  return async () => {
    const seen = await observe();
    const { rules } = settings.now().alerts;
    const isLasting = (rule: AlertState["rule"], subject: string) =>
      states.get(toAlertKey({ rule, subject }))?.isFiring === true;
    const firings = evaluateRules(seen, rules, isLasting);
    if (firings.length === 0 && states.size === 0) return false;
    const silenced = silences(store.read);
    const isSilenced = (rule: string) => (silenced.get(rule) ?? 0) > clock.nowMs();
    const step = advanceAlerts(states, firings, isSilenced, clock.nowMs());
    if (step.changed.length + step.over.length === 0) return false;
    await storeTransitions(deps, step);
    for (const state of step.changed) states.set(toAlertKey(state), state);
    for (const state of step.over) states.delete(toAlertKey(state));
    if (step.events.length > 0) onNotifications();
    return false;
  };
}

async function storeTransitions(
  { settings, store, clock, newId, log }: AlertsDeps,
  { changed, over, events }: AlertTransitions,
): Promise<void> {
  const to = listAddresses(settings.now().alerts);
  const atMs = clock.nowMs();
  const queued = events.map((event) => ({ eventId: newId(), event: { ...event, atMs } }));
  await store.write((tx) => {
    for (const state of changed) {
      storeAlert(tx, state);
      recordPastAlert(tx, state);
    }
    for (const state of over) deleteAlert(tx, state);
    for (const each of queued) for (const address of to) enqueueNotification(tx, { ...address, ...each });
    if (queued.length > 0) purgeNotifications(tx, atMs);
  });
  for (const { rule, state, subject, facts } of events)
    log[state === "end" ? "info" : "warn"]("alarm", { rule, state, subject, ...inEnglish(facts) });
}

/** Alert facts in English, for the log. */
function inEnglish(facts: AlertFacts): LogFields {
  const spoken = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === "object" ? english(value) : value,
  ]);
  return Object.fromEntries(spoken);
}

// The notifier: delivers pending notifications, and retries those that were not taken.

type NotifierDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly send: SendNotification;
};

/** Notifications of a channel handled in one round. */
const MAX_IN_ROUND = 500;

/** Delays between attempts, so that a channel that is back delivers within minutes. */
const RETRY_MS = [30_000, 60_000, 120_000, 300_000, 600_000];
const MAX_RETRY_MS = 900_000;
/** When an undelivered notification is given up: an alert that lasts is repeated once a day anyway. */
const GIVEN_UP_MS = { email: 3 * 86_400_000, sms: 86_400_000 };

/** Delivers every notification that is due; resolves with when the next one is, null when none waits. */
type Notifier = (isStopping: () => boolean, stopping?: AbortSignal) => Promise<number | null>;

function createNotifier(deps: NotifierDeps): Notifier {
  return async (isStopping, stopping) => {
    // A channel that hangs must not hold up another.
    const next = await Promise.all(
      CHANNELS.map((channel) => deliverDue(deps, channel, isStopping, stopping)),
    );
    const waiting = next.filter((dueMs) => dueMs !== null);
    return waiting.length === 0 ? null : Math.min(...waiting);
  };
}

async function deliverDue(
  deps: NotifierDeps,
  channel: ChannelName,
  isStopping: () => boolean,
  stopping?: AbortSignal,
): Promise<number | null> {
  const { due, dropped } = planRound(deps, channel);
  await finish(deps, dropped, "dropped");
  for (const delivery of due) {
    if (isStopping()) return null;
    await deliver(deps, delivery, stopping);
  }
  const left = planRound(deps, channel);
  return left.due.length > 0 ? deps.clock.nowMs() : left.nextMs;
}

function planRound({ store: { read }, clock }: NotifierDeps, channel: ChannelName) {
  const waiting = pendingNotifications(read, channel, MAX_IN_ROUND);
  if (waiting.length === 0) return { due: [], dropped: [], nextMs: null };
  const silenced = silences(read);
  const open = new Set(
    readAlerts(read)
      .filter(({ isFiring, notifiedAtMs }) => isFiring || notifiedAtMs !== null)
      .map(toAlertKey),
  );
  return planDeliveries(waiting, {
    nowMs: clock.nowMs(),
    isJoined: channel !== "webhook",
    silencedUntilMs: (rule) => silenced.get(rule) ?? 0,
    isOpen: ({ rule, subject }) => rule === "test" || open.has(toAlertKey({ rule, subject })),
  });
}

async function deliver(deps: NotifierDeps, delivery: PendingDelivery, stopping?: AbortSignal): Promise<void> {
  const { notifications, last } = delivery;
  const result = await deps.send(last, { ...delivery, eventId: last.eventId }, stopping);
  switch (result.kind) {
    case "delivered":
      await finish(deps, [last], "told");
      await finish(deps, notifications.slice(0, -1), "joined");
      return;
    case "throttled":
      await deps.store.write((tx) => {
        for (const { id } of notifications) deferNotification(tx, id, result.untilMs);
      });
      return;
    case "failed":
      if (!stopping?.aborted) await recordFailure(deps, delivery, result);
  }
}

async function finish(
  { store, clock }: NotifierDeps,
  notifications: readonly QueuedNotification[],
  outcome: Parameters<typeof finishNotification>[2],
): Promise<void> {
  if (notifications.length === 0) return;
  await store.write((tx) => {
    for (const { id } of notifications) finishNotification(tx, id, outcome, clock.nowMs());
  });
}

type Failed = Extract<DeliveryResult, { kind: "failed" }>;

async function recordFailure(
  deps: NotifierDeps,
  { notifications, last }: PendingDelivery,
  result: Failed,
): Promise<void> {
  const { store, clock, log } = deps;
  const { channel, attempts, event } = last;
  const { error } = result;
  const nowMs = clock.nowMs();
  const dueAtMs = result.isFinal ? null : nextTry(deps, last, result.retryAfter, nowMs);
  const outcome = dueAtMs === null ? "given up" : "tried again";
  log.warn("an alarm could not be told", {
    channel,
    rule: event.rule,
    error: english(error),
    outcome,
    attempts: attempts + 1,
  });
  await store.write((tx) => {
    for (const { id } of notifications) {
      noteFailure(tx, id, error);
      postponeNotification(tx, id, dueAtMs ?? nowMs);
      if (dueAtMs === null) finishNotification(tx, id, "given up", nowMs);
    }
  });
}

/** When a failed notification is retried; null for never. */
function nextTry(
  { settings, chance }: NotifierDeps,
  { channel, attempts, event }: QueuedNotification,
  retryAfter: string | null,
  nowMs: number,
): number | null {
  switch (channel) {
    case "webhook": {
      const retryAfterMs = readRetryAfter(retryAfter, nowMs);
      const failure = { kind: "failed", status: null, retryAfterMs } as const;
      return deriveNextAttempt(attempts + 1, failure, nowMs, settings.now().webhooks, chance);
    }
    case "email":
    case "sms":
      if (nowMs - event.atMs > GIVEN_UP_MS[channel]) return null;
      return nowMs + (RETRY_MS[attempts] ?? MAX_RETRY_MS);
  }
}

// The observer: reads what is in memory each time, and what is in the database less often.

type ObserverDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly operators: () => readonly OperatorStatus[];
  /** The routes of operators that have some. */
  readonly routes: () => readonly OperatorRouteStatus[];
  /** The numbers of WhatsApp. */
  readonly numbers: () => readonly NumberStatus[];
  readonly machine: { readonly spaceOf: (directory: string) => { readonly freeBytes: number } };
};

/** How long readings of the queue, and of all else, are cached. */
const QUEUE_MS = 15_000;
const REST_MS = 300_000;
/** How long readings of templates are cached. */
const TEMPLATES_MS = 60_000;
/** A long queue is counted no more often than for this part of the time. */
const COUNT_SHARE = 50;
/** How often delivery counts are stored, where there are any. */
const HOURS_MS = 600_000;

/** Returns what observes the appliance at this moment, which takes a few milliseconds at most. */
function createObserver(deps: ObserverDeps): () => Promise<Observation> {
  const { clock } = deps;
  const startedMs = clock.nowMs();
  const traffic = createTrafficMonitor();
  const queue = memoizeFor(clock, QUEUE_MS, createOldestReader(deps));
  const rest = memoizeFor(clock, REST_MS, () => readRest(deps, startedMs));
  const templates = memoizeFor(clock, TEMPLATES_MS, () => readTemplates(deps));
  const recordHours = createHourRecorder(deps);
  const routeWaits = createRouteWaitMonitor(deps);
  return async () => {
    const operators = deps.operators();
    const numbers = deps.numbers();
    await recordHours();
    const waits = await routeWaits();
    const nowMs = clock.nowMs();
    return {
      ...rest(),
      ...templates(),
      nowMs,
      startedMs,
      links: operators.flatMap(toObservedSessions),
      stopped: numbers.flatMap(toStoppedNumbers),
      countries: numbers.flatMap(({ operator, refusedCountries }) =>
        refusedCountries.map((refused) => ({ operator, ...refused })),
      ),
      traffic: traffic([...operators.map(countSessions), ...numbers.map(countNumber)], nowMs),
      oldest: queue(),
      illRoutes: deps.routes().flatMap((operator) => toIllRoutes(operator, nowMs)),
      routeWaits: waits,
      disk: readDisk(deps),
      doubt: clock.doubt(),
    };
  };
}

function toObservedSessions({ operator, connections }: OperatorStatus): ObservedSession[] {
  return connections.map(({ state, downSinceMs, lastError, refusing }, place) => ({
    operator,
    connection: place + 1,
    lastError,
    refusing,
    downSinceMs: state === "BOUND" ? null : downSinceMs,
  }));
}

function toIllRoutes({ operator, routes }: OperatorRouteStatus, nowMs: number): IllRoute[] {
  return routes.flatMap(({ route, ill }) =>
    ill === null ? [] : [{ operator, route, cause: ill.cause, sinceMs: nowMs - ill.forMs }],
  );
}

/** What waits for routes, looked up as often as the rest of the queue, and since when it was first seen. */
function createRouteWaitMonitor({ store, settings, clock, routes }: ObserverDeps) {
  let waits: readonly ObservedRouteWait[] = [];
  let dueMs = Number.NEGATIVE_INFINITY;
  const keyOf = ({ operator, messageClass, sender }: RouteWait) => `${operator} ${messageClass} ${sender}`;
  return async (): Promise<readonly ObservedRouteWait[]> => {
    if (clock.steadyMs() < dueMs) return waits;
    const beganMs = clock.steadyMs();
    const config = settings.now();
    const found = await listRouteWaits({ store, config, clock, server: { routeStatus: routes } });
    dueMs = clock.steadyMs() + Math.max(QUEUE_MS, COUNT_SHARE * (clock.steadyMs() - beganMs));
    const before = new Map(waits.map((wait) => [keyOf(wait), wait.sinceMs]));
    const nowMs = clock.nowMs();
    waits = found.map((wait) => ({ ...wait, sinceMs: before.get(keyOf(wait)) ?? nowMs }));
    return waits;
  };
}

/** The WhatsApp numbers that Meta stopped; not those that a person paused or disabled. */
function toStoppedNumbers({
  operator,
  state,
  isEnabled,
  downSinceMs,
  lastError,
}: NumberStatus): readonly StoppedNumber[] {
  if (state !== "STOPPED" || !isEnabled || downSinceMs === null) return [];
  return [{ operator, sinceMs: downSinceMs, error: lastError ?? "" }];
}

function createTrafficMonitor(): (counts: readonly OperatorCounts[], nowMs: number) => readonly Traffic[] {
  const memories = new Map<string, TrafficMemory>();
  return (counts, nowMs) =>
    counts.map((of) => {
      const { memory, traffic } = advanceTraffic(memories.get(of.operator), of, nowMs);
      memories.set(of.operator, memory);
      return traffic;
    });
}

function countSessions({ operator, connections }: OperatorStatus): OperatorCounts {
  const sum = (of: "throttled" | "receiptsMatched" | "receiptsUnmatched") =>
    connections.reduce((total, { tally }) => total + tally[of], 0);
  return {
    operator,
    throttled: sum("throttled"),
    matched: sum("receiptsMatched"),
    unmatched: sum("receiptsUnmatched"),
  };
}

/** Counts of a number; unmatched statuses are left out, since Meta also reports what others sent by the number. */
function countNumber({ operator, throttled }: NumberStatus): OperatorCounts {
  return { operator, throttled, matched: 0, unmatched: 0 };
}

/** The templates of accounts whose numbers are configured. */
function readTemplates({ settings, store, clock }: ObserverDeps) {
  const { numbers } = settings.now().whatsapp;
  const operators = new Map<string, string>();
  for (const [code, { waba_id }] of Object.entries(numbers)) {
    if (!operators.has(waba_id)) operators.set(waba_id, toWhatsAppOperator(code));
  }
  if (operators.size === 0) return { templates: [], texts: [], moving: [], unread: [] };
  const templates = readStoppedTemplates(store.read, clock.nowMs())
    .filter(({ wabaId }) => operators.has(wabaId))
    .map(({ name, language, why, sinceMs }) => ({ template: `${name} (${language})`, why, sinceMs }));
  const moving = readMovingTemplates(store.read)
    .filter(({ wabaId }) => operators.has(wabaId))
    .map(({ name, language, category, movesAtMs, toldMs }) => ({
      template: `${name} (${language})`,
      category,
      movesAtMs,
      sinceMs: toldMs,
    }));
  const unread = readUnreadAccounts(store.read).flatMap(({ wabaId, readMs, error }): UnreadTemplates[] => {
    const operator = operators.get(wabaId);
    return operator === undefined ? [] : [{ operator, readMs, error }];
  });
  const texts = readStoppedTexts(store.read)
    .filter(({ operator }) => Object.hasOwn(numbers, toWhatsAppNumber(operator) ?? ""))
    .map(({ pricedAs, ...text }) => ({ ...text, category: pricedAs }));
  return { templates, texts, moving, unread };
}

/** Since when the oldest message of each class waits, without suspended accounts. */
function createOldestReader({ store }: ObserverDeps): () => ReadonlyMap<string, number> {
  const readOldest = oldestWaiting(store.read);
  return () => readOldest((accountId) => accountById(store.read, accountId)?.status === "SUSPENDED");
}

function readRest({ settings, store, clock }: ObserverDeps, startedMs: number) {
  const { read } = store;
  const config = settings.now();
  const nowMs = clock.nowMs();
  const check = lastCheck(read);
  const drill = lastDrill(read);
  const least = config.alerts.rules.delivered_share.messages;
  return {
    shares: deriveDeliveryRates(deliveryHours(read), nowMs, least),
    books: {
      standing: deriveCheckStanding(check, startedMs, nowMs),
      checkedAtMs: check?.checkedAtMs ?? null,
    },
    backupAtMs: newestBackup(read)?.madeAtMs ?? readCreatedAtMs(read),
    drill: drill && { atMs: drill.drilledAtMs ?? drill.madeAtMs, failure: drill.failure },
    certificates: certificateEnds(config, settings.pem),
    endpoints: listFailing(read, MAX_ENDPOINTS),
    smppReceipts: readSmppReceipts(read),
    wallets: readLowWallets(read),
  };
}

function readDisk({ settings, store, machine }: ObserverDeps): Observation["disk"] {
  const reserveBytes = settings.now().storage.reserve_megabytes * 1024 * 1024;
  try {
    return { freeBytes: machine.spaceOf(store.directory).freeBytes, reserveBytes };
  } catch {
    return null;
  }
}

/** Stores delivery counts now and then; nothing where nothing ended. */
function createHourRecorder({ store, clock }: ObserverDeps): () => Promise<void> {
  let dueMs = clock.steadyMs() + HOURS_MS;
  return async () => {
    if (clock.steadyMs() < dueMs) return;
    dueMs = clock.steadyMs() + HOURS_MS;
    const counted = countOutcomes(store.tally);
    const hours = hoursSinceStored(store.tally, clock.nowMs());
    if (hours.length === 0) return;
    await store.write((tx) => {
      addDeliveryHours(tx, hours);
      purgeDeliveryHours(tx, clock.nowMs());
    }, "with the next");
    markStored(store.tally, counted);
  };
}

/** Caches what `read` returns for `maxAgeMs`. */
function memoizeFor<T>(clock: Clock, maxAgeMs: number, read: () => T): () => T {
  let cached: { readonly value: T; readonly untilMs: number } | null = null;
  return () => {
    if (cached === null || clock.steadyMs() >= cached.untilMs)
      cached = { value: read(), untilMs: clock.steadyMs() + maxAgeMs };
    return cached.value;
  };
}
