/** What waits for an operator, whatever the batch: found by the queue's own index, and counted only where it is asked for. */
import { isSandboxLane } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { renameHeldOperator, mayBeHeld } from "./held.ts";
import { recordOffFeedChange } from "./quiet-moves.ts";

/** The messages of one batch that wait for one operator. */
export type WaitingPlace = { readonly batchId: number; readonly operator: string };

/** The next batch and operator that messages wait for, after a place (null: the first); null after the last. */
function nextPlace(read: Reader, after: WaitingPlace | null): WaitingPlace | null {
  return read.get<WaitingPlace>(
    `SELECT batch_id AS batchId, operator FROM messages
     WHERE status = 'QUEUED' AND (batch_id, operator) > (?, ?) ORDER BY batch_id, operator LIMIT 1`,
    after?.batchId ?? 0,
    after?.operator ?? "",
  );
}

/** What of a batch waits for one operator, due or not, and until when it is worth sending. */
export type Waiting = {
  readonly messages: number;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** Null where the batch was not accepted, is over, or is being called off. */
export function waitingAt(read: Reader, { batchId, operator }: WaitingPlace): Waiting | null {
  return read.get<Waiting>(
    `SELECT created_at AS createdAt, expires_at AS expiresAt,
       (SELECT count(*) FROM messages WHERE status = 'QUEUED' AND batch_id = ?1 AND operator = ?2) AS messages
     FROM batches WHERE id = ?1 AND status IN ('SCHEDULED', 'QUEUED', 'SENDING') AND cancel_reason IS NULL`,
    batchId,
    operator,
  );
}

/**
 * Every place where live messages wait for an operator that `isMeant` names. As long as there are batches with waiting messages:
 * `pause` is asked between two of them.
 */
export async function placesOf(
  read: Reader,
  pause: () => Promise<void> | undefined,
  isMeant: (operator: string) => boolean,
): Promise<WaitingPlace[]> {
  const places: WaitingPlace[] = [];
  let place: WaitingPlace | null = null;
  for (;;) {
    place = nextPlace(read, place);
    if (place === null) return places;
    if (!isSandboxLane(place.operator) && isMeant(place.operator)) places.push(place);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** A batch that has not left whole, and how many of its messages still wait. */
export type BatchInQueue = { readonly batchId: number; readonly messages: number };

/**
 * The batches of an account that are being validated, or of which messages wait to be sent. As long as there are batches with
 * waiting messages, whosever they are: `pause` is asked between two of them.
 */
export async function waitingOfAccount(
  read: Reader,
  pause: () => Promise<void> | undefined,
  accountId: number,
): Promise<BatchInQueue[]> {
  const found = new Map<number, number>();
  for (const { id } of read.all<{ id: number }>(
    "SELECT id FROM batches WHERE account_id = ? AND status = 'VALIDATING' AND cancel_reason IS NULL",
    accountId,
  ))
    found.set(id, 0);
  for (let place = nextPlace(read, null); place !== null; place = nextPlace(read, place)) {
    if (isOf(read, place.batchId, accountId)) {
      const messages = waitingAt(read, place)?.messages ?? 0;
      if (messages > 0) found.set(place.batchId, (found.get(place.batchId) ?? 0) + messages);
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return [...found].map(([batchId, messages]) => ({ batchId, messages }));
}

/** The row of the batch that was accepted last of an account's; null before the first. */
export function lastBatchOf(read: Reader, accountId: number): number | null {
  return (
    read.get<{ id: number }>(
      `SELECT id FROM batches WHERE account_id = ? AND status <> 'STAGING' ORDER BY created_at DESC, id DESC LIMIT 1`,
      accountId,
    )?.id ?? null
  );
}

function isOf(read: Reader, batchId: number, accountId: number): boolean {
  return read.get("SELECT 1 FROM batches WHERE id = ? AND account_id = ?", batchId, accountId) !== null;
}

/** How many messages wait at some places, by operator. */
export async function countWaiting(
  read: Reader,
  pause: () => Promise<void> | undefined,
  places: readonly WaitingPlace[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const place of places) {
    const messages = waitingAt(read, place)?.messages ?? 0;
    if (messages > 0) counts.set(place.operator, (counts.get(place.operator) ?? 0) + messages);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return counts;
}

/**
 * Hands up to `limit` waiting messages of a place over to another operator; how many. Their price and their feed stamp
 * stay.
 */
export function handOver(tx: Tx, { batchId, operator }: WaitingPlace, toCode: string, limit: number): number {
  const ids = tx
    .all<{ id: number }>(
      "SELECT id FROM messages WHERE status = 'QUEUED' AND batch_id = ? AND operator = ? LIMIT ?",
      batchId,
      operator,
      limit,
    )
    .map(({ id }) => id);
  const messageIds = JSON.stringify(ids);
  if (mayBeHeld(tx, batchId)) renameHeldOperator(tx, messageIds, { batchId, operator }, toCode);
  const noted = new Set<number>();
  for (const id of ids) recordOffFeedChange(tx, id, noted);
  return tx.run(
    "UPDATE messages SET operator = ? WHERE id IN (SELECT value FROM json_each(?))",
    toCode,
    messageIds,
  );
}
