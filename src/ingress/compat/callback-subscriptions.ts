/** The rows of messages that are followed for callbacks, and of the callbacks that wait. */

import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type BatchMessage, messagesOfBatch, readFirstStamp } from "../../domain/messages/batch-messages.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import { RECIPIENTS_A_STEP } from "../../domain/submission/recipients.ts";
import {
  type CallbackContent,
  readCallbackUrl,
  renderJasminForm,
  renderKannelUrl,
} from "./callback-request.ts";

type Protocol = "kannel" | "jasmin";

/** The callbacks that a client wants, and where. */
export type Callback = {
  readonly protocol: Protocol;
  readonly url: string;
  /** Kannel's mask; Jasmin's level. */
  readonly mask: number;
  readonly method: "GET" | "POST";
};

type CallbackSubscription = Callback & {
  readonly messageId: number;
  readonly messageUlid: string;
  readonly accountId: number;
  readonly user: string;
  readonly sender: string;
  readonly receiver: string;
  readonly msisdn: string;
  readonly isSent: number;
};

/** The subscription to the messages of a batch. */
type Follower = {
  readonly callback: Callback;
  readonly accountId: number;
  readonly user: string;
  readonly sender: string;
  /** As the client wrote them, by their place in the batch. */
  readonly receivers: readonly string[];
};

/** Follows messages of a batch; those already followed stay as they are. */
function subscribeMessages(tx: Tx, follower: Follower, messages: readonly BatchMessage[]): void {
  const { accountId, callback, user, sender, receivers } = follower;
  for (const { id: messageId, ulid, position, msisdn } of messages) {
    tx.run(
      `INSERT INTO compat_follows (message_id, message_ulid, account_id, protocol, url, mask, method, user_name, sender,
         receiver, msisdn)
       VALUES ($messageId, $ulid, $accountId, $protocol, $url, $mask, $method, $user, $sender, $receiver, $msisdn)
       ON CONFLICT DO NOTHING`,
      {
        ...callback,
        messageId,
        ulid,
        accountId,
        user,
        sender,
        msisdn,
        receiver: receivers[position] ?? msisdn,
      },
    );
  }
}

/** Sets the cursor of an account's feed to before a stamp, unless it stands earlier. */
function lookFrom(tx: Tx, accountId: number, stampUs: number): void {
  tx.run(
    "INSERT INTO compat_cursors (account_id, stamp_us) VALUES (?, ?) ON CONFLICT DO NOTHING",
    accountId,
    stampUs - 1,
  );
}

/** The subscriptions of a batch that wait to be expanded after its acceptance, as JSON. */
type PendingSubscriptions = { readonly batchId: number; readonly follower: string };

function savePendingSubscriptions(
  tx: Tx,
  accountId: number,
  { batchId, follower }: PendingSubscriptions,
): void {
  tx.run(
    "INSERT INTO compat_follows_to_write (batch_id, account_id, follower) VALUES (?, ?, ?)",
    batchId,
    accountId,
    follower,
  );
}

function readPendingSubscriptions(read: Reader): PendingSubscriptions | null {
  return read.get(
    "SELECT batch_id AS batchId, follower FROM compat_follows_to_write ORDER BY batch_id LIMIT 1",
  );
}

function deletePendingSubscriptions(tx: Tx, batchId: number): void {
  tx.run("DELETE FROM compat_follows_to_write WHERE batch_id = ?", batchId);
}

/** Whether subscriptions of an account are still to be expanded. */
export function hasPendingSubscriptions(read: Reader, accountId: number): boolean {
  return read.get("SELECT 1 FROM compat_follows_to_write WHERE account_id = ? LIMIT 1", accountId) !== null;
}

/** Whether a callback of a message waits. */
function hasCallback(read: Reader, messageUlid: string): boolean {
  return read.get("SELECT 1 FROM compat_callbacks WHERE message_ulid = ? LIMIT 1", messageUlid) !== null;
}

export function findSubscription(read: Reader, messageId: number): CallbackSubscription | null {
  return read.get<CallbackSubscription>(
    `SELECT message_id AS messageId, message_ulid AS messageUlid, account_id AS accountId, protocol, url, mask, method,
       user_name AS user, sender, receiver, msisdn, is_sent AS isSent
     FROM compat_follows WHERE message_id = ?`,
    messageId,
  );
}

export function noteSent(tx: Tx, messageId: number): void {
  tx.run("UPDATE compat_follows SET is_sent = 1 WHERE message_id = ?", messageId);
}

export function unfollow(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM compat_follows WHERE message_id = ?", messageId);
}

/** How far the feed of an account was read. */
type Cursor = { readonly accountId: number; readonly stampUs: number };

export function cursors(read: Reader): Cursor[] {
  return read.all<Cursor>(
    "SELECT account_id AS accountId, stamp_us AS stampUs FROM compat_cursors ORDER BY account_id",
  );
}

/** Moves a cursor on, or removes it where no message of its account is followed any more. */
export function moveCursor(tx: Tx, { accountId, stampUs }: Cursor): void {
  const isLeft = tx.get("SELECT 1 FROM compat_follows WHERE account_id = ? LIMIT ?", accountId, 1);
  if (isLeft) tx.run("UPDATE compat_cursors SET stamp_us = ? WHERE account_id = ?", stampUs, accountId);
  else tx.run("DELETE FROM compat_cursors WHERE account_id = ?", accountId);
}

/** A callback that is to be made. */
type NewCallback = {
  readonly messageUlid: string;
  readonly msisdn: string | null;
  readonly protocol: Protocol;
  /** The server that it goes to. */
  readonly host: string;
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body: string;
};

export type WaitingCallback = NewCallback & {
  readonly id: number;
  /** Attempts that failed. */
  readonly attempts: number;
  readonly dueAt: number;
};

/** A callback waits for earlier ones of the same message until these have failed this often. */
const PATIENT_ATTEMPTS = 3;

/** Adds a callback, due together with those that it waits for, so that reads of due ones skip few that wait. */
export function addCallback(tx: Tx, callback: NewCallback, nowMs: number): void {
  tx.insert(
    `INSERT INTO compat_callbacks (message_ulid, msisdn, protocol, host, url, method, body, attempts, due_at)
     VALUES ($messageUlid, $msisdn, $protocol, $host, $url, $method, $body, 0, max($nowMs, ifnull(
       (SELECT max(due_at) FROM compat_callbacks WHERE message_ulid = $messageUlid AND attempts < $patient), 0)))`,
    { ...callback, nowMs, patient: PATIENT_ATTEMPTS },
  );
}

const CALLBACK = `id, message_ulid AS messageUlid, msisdn, protocol, host, url, method, body, attempts, due_at AS dueAt`;

/** Servers with waiting callbacks, from the one after `last` on, wrapping around to it. */
export function hostsFrom(read: Reader, last: string, most: number): string[] {
  const hosts: string[] = [];
  let at = last;
  let isRound = false;
  while (hosts.length < most) {
    const next = read.get<{ host: string }>(
      "SELECT host FROM compat_callbacks WHERE host > ? ORDER BY host LIMIT ?",
      at,
      1,
    );
    if (next && isRound && next.host > last) break;
    if (next) hosts.push(next.host);
    else if (isRound) break;
    else isRound = true;
    at = next?.host ?? "";
  }
  return hosts;
}

/** Due callbacks to a server, the longest due first; of a message one after the other. */
export function dueCallbacks(read: Reader, host: string, nowMs: number, most: number): WaitingCallback[] {
  return read.all<WaitingCallback>(
    `SELECT ${CALLBACK} FROM compat_callbacks AS c WHERE host = ? AND due_at <= ? AND NOT EXISTS
       (SELECT 1 FROM compat_callbacks AS e WHERE e.message_ulid = c.message_ulid AND e.id < c.id AND e.attempts < ?)
     ORDER BY due_at, id LIMIT ?`,
    host,
    nowMs,
    PATIENT_ATTEMPTS,
    most,
  );
}

/** Whether any callback waits or any feed is to be read. */
export function isAnythingLeft(read: Reader): boolean {
  return (
    read.get("SELECT 1 FROM compat_cursors LIMIT ?", 1) !== null ||
    read.get("SELECT 1 FROM compat_callbacks LIMIT ?", 1) !== null
  );
}

export function endCallback(tx: Tx, id: number): void {
  tx.run("DELETE FROM compat_callbacks WHERE id = ?", id);
}

/** Ends a callback that was taken, and removes older ones of its message, which the client would take for newer. */
export function completeCallback(
  tx: Tx,
  { id, messageUlid }: Pick<WaitingCallback, "id" | "messageUlid">,
): void {
  tx.run("DELETE FROM compat_callbacks WHERE message_ulid = ? AND id <= ?", messageUlid, id);
}

/** Postpones a callback to `dueAt`, and with it those that wait for it. */
export function postponeCallback(
  tx: Tx,
  { id, messageUlid, attempts }: Pick<WaitingCallback, "id" | "messageUlid" | "attempts">,
  dueAt: number,
): void {
  tx.run("UPDATE compat_callbacks SET attempts = attempts + 1, due_at = ? WHERE id = ?", dueAt, id);
  if (attempts + 1 >= PATIENT_ATTEMPTS) return;
  tx.run("UPDATE compat_callbacks SET due_at = ? WHERE message_ulid = ? AND id > ?", dueAt, messageUlid, id);
}

/** Waiting callbacks about a number. */
export function callbacksAbout(read: Reader, msisdn: string): WaitingCallback[] {
  return read.all<WaitingCallback>(
    `SELECT ${CALLBACK} FROM compat_callbacks WHERE msisdn = ? ORDER BY id`,
    msisdn,
  );
}

/** Removes waiting callbacks about a number: they are not made. */
export function eraseCallbacks(tx: Tx, callbacks: readonly WaitingCallback[]): number {
  for (const { id } of callbacks) endCallback(tx, id);
  return callbacks.length;
}

/** Removes the subscriptions of erased messages: no callbacks are made for them any more. */
export function eraseSubscriptions(tx: Tx, messageIds: readonly number[]): void {
  for (const id of messageIds) unfollow(tx, id);
  tx.run(
    `DELETE FROM compat_cursors WHERE NOT EXISTS
       (SELECT 1 FROM compat_follows AS f WHERE f.account_id = compat_cursors.account_id)
       AND NOT EXISTS (SELECT 1 FROM compat_follows_to_write AS w WHERE w.account_id = compat_cursors.account_id)`,
  );
}

/** Which of these messages are followed, and for whom. */
export function readSubscriptions(read: Reader, messageIds: readonly number[]): CallbackSubscription[] {
  return messageIds.flatMap((id) => findSubscription(read, id) ?? []);
}

// Subscriptions to the messages of a batch: stored in its transaction or not at all. That of a large batch is stored in one piece and
// expanded to each message afterwards, a step at a time, before its changes are read for callbacks.

/** A rejected receiver: its callback is due at once, where its client wants that. */
type Refused = Pick<AcceptedBatch["rejections"][number], "position" | "msisdn" | "reason">;

type Following = {
  readonly batchUlid: string;
  readonly follower: Follower;
  readonly refused: readonly Refused[];
};

/** Stands for the server of an invalid address. */
const NO_HOST = "-";

/** Follows a batch in the transaction that accepts it. `isRefusalTold`: callbacks about rejected receivers are made too. */
export function subscribeBatch(
  tx: Tx,
  { id, ulid, sums, rejections }: AcceptedBatch,
  follower: Follower,
  isRefusalTold: boolean,
  nowMs: number,
): void {
  if (sums.accepted === 0) return;
  const refused = isRefusalTold
    ? rejections.map(({ position, msisdn, reason }) => ({ position, msisdn, reason }))
    : [];
  const following: Following = { batchUlid: ulid, follower, refused };
  lookFrom(tx, follower.accountId, readFirstStamp(tx, id));
  if (sums.accepted + refused.length <= RECIPIENTS_A_STEP) {
    subscribeMessages(tx, follower, messagesOfBatch(tx, id));
    tellRefused(tx, following, refused, nowMs);
    return;
  }
  savePendingSubscriptions(tx, follower.accountId, { batchId: id, follower: JSON.stringify(following) });
}

/** Expands the pending subscriptions of batches to each message. If interrupted, the next call goes on. */
export async function expandSubscriptions(
  { read, write }: Pick<Store, "read" | "write">,
  clock: Clock,
): Promise<void> {
  for (let next = readPendingSubscriptions(read); next !== null; next = readPendingSubscriptions(read)) {
    const { batchId } = next;
    const following: Following = JSON.parse(next.follower);
    const messages = messagesOfBatch(read, batchId);
    for (const step of stepsOf(messages))
      await write((tx) => subscribeMessages(tx, following.follower, step), "with the next");
    for (const step of stepsOf(following.refused))
      await write((tx) => tellRefused(tx, following, step, clock.nowMs()), "with the next");
    await write((tx) => deletePendingSubscriptions(tx, batchId), "with the next");
  }
}

function stepsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const steps: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += RECIPIENTS_A_STEP)
    steps.push(items.slice(at, at + RECIPIENTS_A_STEP));
  return steps;
}

function tellRefused(
  tx: Tx,
  { batchUlid, follower }: Following,
  refused: readonly Refused[],
  nowMs: number,
): void {
  const { callback, receivers, sender, user } = follower;
  for (const { position, msisdn, reason } of refused) {
    // A rejected receiver has no message: its position identifies it.
    const messageUlid = `${batchUlid}-${position}`;
    if (hasCallback(tx, messageUlid)) continue;
    const told: CallbackContent = {
      messageUlid,
      receiver: receivers[position] ?? "",
      sender,
      user,
      operator: "",
      remoteId: "",
      errorCode: reason,
      operatorCode: null,
      atMs: nowMs,
      event: 16,
    };
    addCallback(tx, toCallback({ ...callback, msisdn }, told), nowMs);
  }
}

/** A callback as it will be made. */
export function toCallback(
  {
    protocol,
    url,
    mask,
    method,
    msisdn,
  }: Pick<CallbackSubscription, "protocol" | "url" | "mask" | "method"> & {
    readonly msisdn: string | null;
  },
  told: CallbackContent,
) {
  const { messageUlid } = told;
  const to = (filled: string, body: string) => {
    const host = readCallbackUrl(filled, true)?.authority ?? NO_HOST;
    return { messageUlid, msisdn, protocol, method, host, url: filled, body };
  };
  if (protocol === "kannel") return to(renderKannelUrl(url, told), "");
  const form = renderJasminForm(told, mask);
  return method === "GET" ? to(`${url}${url.includes("?") ? "&" : "?"}${form}`, "") : to(url, form);
}
