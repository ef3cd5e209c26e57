/**
 * Who is told of the messages of a batch: kept with it or not at all. Of a large batch it is kept in one piece, and written out for each
 * message afterwards, a step at a time, before anybody looks what there is to tell.
 */
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/write.ts";
import { firstStampOf, messagesOfBatch } from "../../domain/messages/batch-messages.ts";
import type { AcceptedBatch } from "../../domain/submission/open.ts";
import { RECIPIENTS_A_STEP } from "../../domain/submission/recipient-list.ts";
import { renderJasminForm, renderKannelUrl, type ToldCallback } from "./callback-text.ts";
import { readCallbackUrl } from "./callback-url.ts";
import {
  addCallback,
  type CallbackSubscription,
  type Follower,
  subscribeMessages,
  deletePendingSubscriptions,
  isCallbackKept,
  savePendingSubscriptions,
  lookFrom,
  readPendingSubscriptions,
} from "./follows.ts";

/** A receiver that no message goes to: told of at once, where its client wants that. */
type Refused = Pick<AcceptedBatch["rejections"][number], "position" | "msisdn" | "reason">;

type Following = {
  readonly batchUlid: string;
  readonly follower: Follower;
  readonly refused: readonly Refused[];
};

/** Stands for the server of an address that is none. */
const NO_HOST = "-";

/** Follows a batch in the transaction that accepts it. `isRefusalTold`: receivers who were rejected are told of. */
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
  lookFrom(tx, follower.accountId, firstStampOf(tx, id));
  if (sums.accepted + refused.length <= RECIPIENTS_A_STEP) {
    subscribeMessages(tx, follower, messagesOfBatch(tx, id));
    tellRefused(tx, following, refused, nowMs);
    return;
  }
  savePendingSubscriptions(tx, follower.accountId, { batchId: id, follower: JSON.stringify(following) });
}

/** Writes out for each message who is told of it, of batches of which it was not yet. Broken off, the next call goes on. */
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
    // It has no message: what tells it from the others is its place.
    const messageUlid = `${batchUlid}-${position}`;
    if (isCallbackKept(tx, messageUlid)) continue;
    const told: ToldCallback = {
      messageUlid,
      receiver: receivers[position] ?? "",
      sender,
      user,
      operator: "",
      remoteId: "",
      errorCode: reason,
      operatorCode: null,
      atMs: nowMs,
      telling: 16,
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
  told: ToldCallback,
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
