/**
 * Makes the callbacks that clients asked for (docs/behaviour.md#callbacks). Callbacks derived from the feed are written as rows, with
 * the feed's cursor, before any is sent, so that a crash loses none: one that was delivered but not yet noted is made again.
 * While no message is followed nothing is read.
 */

import { deriveCached, type Settings } from "../../config/live-config.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type Loop, startLoop } from "../../core/loop.ts";
import { ignoreProxies } from "../../core/proxies.ts";
import { settleWithin } from "../../core/shutdown-plan.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { changesAfter, type MessageChange, readRemoteIds } from "../../domain/messages/batch-messages.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { type Ask, asker } from "../../https/post.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { isWanted, listCallbackEvents, readCallbackUrl } from "./callback-request.ts";
import {
  addCallback,
  completeCallback,
  cursors,
  dueCallbacks,
  endCallback,
  expandSubscriptions,
  findSubscription,
  hasPendingSubscriptions,
  hostsFrom,
  isAnythingLeft,
  moveCursor,
  noteSent,
  postponeCallback,
  toCallback,
  unfollow,
  type WaitingCallback,
} from "./callback-subscriptions.ts";

type CallbackDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly https: HttpsNetwork;
};

export type Callbacks = {
  /** Notes that a message is followed or a callback waits from now on. */
  readonly wake: () => void;
  /** Starts no more callbacks; those in flight have `graceMs` to be answered, else they are made again after the next start. */
  readonly stop: (graceMs: number) => Promise<void>;
};

const EVERY_MS = 500;
/** Between two looks while there is nothing to do. */
const AT_REST_MS = 3_600_000;
/** Changes of an account that are read in one transaction. */
const CHANGES = 200;
/** Servers, and callbacks to each, that are read at a time; callbacks in flight in all, and to one server. */
const HOSTS = 200;
const DUE = 32;
const MAX_UNDER_WAY = 64;
const MAX_TO_A_HOST = 8;
/** Delays after each failed attempt; after the last one the callback is given up. */
const RETRY_MS = [10_000, 30_000, 300_000, 1_800_000];
/** The answer of a Jasmin client that has taken a callback. */
const JASMIN_TOOK_IT = /^\s*ACK\/Jasmin/i;

export function startCallbacks(deps: CallbackDeps): Callbacks {
  const { store, clock, log } = deps;
  let isAwake = isAnythingLeft(store.read);
  const attempts = new AbortController();
  const { start, hasRoom, isFull, isIdle, ended } = attemptsOf(deps, attempts.signal, () => loop.wake());

  /** The server served last: servers take turns, so that none waits for another that does not answer. */
  let last = "";
  const startDue = (): void => {
    for (const host of hostsFrom(store.read, last, HOSTS)) {
      if (isFull()) return;
      last = host;
      if (!hasRoom(host)) continue;
      for (const callback of dueCallbacks(store.read, host, clock.nowMs(), DUE)) start(callback);
    }
  };

  let cancel: Cancel = () => {};
  const soon = (): void => {
    cancel();
    if (isAwake) cancel = clock.after(EVERY_MS, loop.wake);
  };
  const loop: Loop = startLoop({
    name: "tell callbacks of Kannel and Jasmin",
    everyMs: AT_REST_MS,
    clock,
    log,
    runOnce: async () => {
      if (!isAwake) return false;
      const hasMore = await look(deps);
      startDue();
      if (!hasMore && isIdle()) isAwake = isAnythingLeft(store.read);
      soon();
      return hasMore;
    },
  });
  return {
    wake: () => {
      isAwake = true;
      loop.wake();
    },
    stop: async (graceMs) => {
      isAwake = false;
      cancel();
      await loop.stop();
      await settleWithin(clock, graceMs, ended());
      attempts.abort();
      await ended();
    },
  };
}

/** Runs attempts: limited in all and for each server, those of one message one after the other. */
function attemptsOf(deps: CallbackDeps, stop: AbortSignal, onEnd: () => void) {
  const way = deriveCached(
    () => wayRules(deps.settings),
    (rules) => askerFor(deps, rules),
  );
  const underWay = new Map<string, { readonly host: string; readonly done: Promise<void> }>();
  const isFull = (): boolean => underWay.size >= MAX_UNDER_WAY;
  const hasRoom = (host: string): boolean =>
    !isFull() && [...underWay.values()].filter((other) => other.host === host).length < MAX_TO_A_HOST;
  const start = (callback: WaitingCallback): void => {
    const { messageUlid, host } = callback;
    if (underWay.has(messageUlid) || !hasRoom(host)) return;
    const target = readCallbackUrl(callback.url, deps.settings.now().compat.callback_http);
    const done = made(way(), target, callback, stop)
      .then((error) => noted(deps, callback, error, stop.aborted))
      .catch((error: unknown) => deps.log.warn("a callback could not be noted", { error: String(error) }))
      .finally(() => {
        underWay.delete(messageUlid);
        onEnd();
      });
    underWay.set(messageUlid, { host, done });
  };
  const ended = async (): Promise<void> => {
    await Promise.all([...underWay.values()].map(({ done }) => done));
  };
  return { start, hasRoom, isFull, isIdle: (): boolean => underWay.size === 0, ended };
}

/** Reads a page further in the feeds of accounts with followed messages; whether there is more. */
async function look({ store, clock }: CallbackDeps): Promise<boolean> {
  await expandSubscriptions(store, clock);
  let hasMore = false;
  for (const { accountId, stampUs } of cursors(store.read)) {
    const changes = changesAfter(store.read, accountId, stampUs, CHANGES);
    const last = changes.at(-1);
    if (!last) continue;
    hasMore ||= changes.length === CHANGES;
    await store.write((tx) => {
      // The subscriptions of a batch just accepted are not expanded yet: its changes are read once they are.
      if (hasPendingSubscriptions(tx, accountId)) return;
      for (const change of changes) tell(tx, change, clock.nowMs());
      moveCursor(tx, { accountId, stampUs: last.stampUs });
    });
    hasMore ||= hasPendingSubscriptions(store.read, accountId);
  }
  return hasMore;
}

/** Writes the callbacks that follow from a change of a message. */
function tell(tx: Tx, change: MessageChange, nowMs: number): void {
  const follow = findSubscription(tx, change.id);
  if (!follow) return;
  const remoteIds = readRemoteIds(tx, change.id);
  const isFinal = change.isFinal === 1;
  const standing = { status: change.status, isFinal, isTaken: remoteIds.length > 0 };
  const tellings = listCallbackEvents(standing, follow.isSent === 1);
  for (const telling of tellings) {
    if (!isWanted(follow.protocol, follow.mask, telling)) continue;
    const { errorCode, operatorCode, operator } = change;
    const known = { errorCode, operatorCode, operator, atMs: Math.floor(change.stampUs / 1000) };
    addCallback(
      tx,
      toCallback(follow, { ...follow, ...known, event: telling, remoteId: remoteIds[0] ?? "" }),
      nowMs,
    );
  }
  if (isFinal) unfollow(tx, change.id);
  else if (tellings.includes(8)) noteSent(tx, change.id);
}

/** Makes one attempt; why it failed, or null. */
async function made(
  ask: Ask,
  target: ReturnType<typeof readCallbackUrl>,
  { protocol, method, body }: WaitingCallback,
  stop: AbortSignal,
): Promise<Phrase | null> {
  if (!target) return phrase("network.callback.address");
  const headers: Record<string, string> = { "user-agent": "Bendre" };
  if (method === "POST") headers["content-type"] = "application/x-www-form-urlencoded";
  const end = await ask(
    target,
    { method, headers, body: method === "POST" ? body : null, keepsAnswer: true },
    stop,
  );
  if (end.error !== null) return end.error;
  return protocol === "kannel" || JASMIN_TOOK_IT.test(end.answer ?? "")
    ? null
    : phrase("network.callback.no_ack");
}

/** Writes the outcome of an attempt. One broken off by our own stop is made again after the next start. */
async function noted(
  { store, clock, log }: CallbackDeps,
  callback: WaitingCallback,
  error: Phrase | null,
  isStopping: boolean,
): Promise<void> {
  if (error !== null && isStopping) return;
  const { id, attempts, messageUlid, protocol } = callback;
  const delayMs = error === null ? undefined : RETRY_MS[attempts];
  await store.write((tx) => {
    if (error === null) completeCallback(tx, callback);
    else if (delayMs === undefined) endCallback(tx, id);
    else postponeCallback(tx, callback, clock.nowMs() + delayMs);
  });
  if (error !== null && delayMs === undefined)
    log.warn("a callback was given up", { protocol, message_id: messageUlid, reason: english(error) });
}

/** The rules for callback addresses, which are those of webhook endpoints. */
function wayRules({ now, pem }: Settings) {
  const { allow_private_targets, ca_file, timeout_seconds } = now().webhooks;
  return { allow_private_targets, timeout_seconds, ca: pem(ca_file) };
}

function askerFor({ clock, https }: CallbackDeps, rules: ReturnType<typeof wayRules>): Ask {
  ignoreProxies();
  const { resolve, ownAddresses: own, request } = https;
  return asker({
    clock,
    resolve,
    own,
    request,
    ca: rules.ca,
    timeoutMs: rules.timeout_seconds * 1000,
    allowPrivate: () => rules.allow_private_targets,
  });
}
