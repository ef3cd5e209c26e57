/**
 * Recipients that were left out of batches, by their number. No index leads from a number to them, for it would cost each batch of
 * 100,000: they are gone through from the newest batch down, a few thousand rows of the primary key in one go.
 */
import type { Reader } from "../../db/read.ts";
import type { RejectionPlace } from "./about-number.ts";

/** A recipient that got no message. */
export type EarlierRejection = RejectionPlace & {
  readonly reason: string;
  readonly clientReference: string | null;
};

export type LeftOutStep = {
  readonly found: readonly EarlierRejection[];
  /** Where to go on; null when nothing is left. */
  readonly next: RejectionPlace | null;
};

/** Rows looked at in one go: some milliseconds. */
export const LEFT_OUT_STEP = 5000;

/** Those to a number among the next rows before a place, of batches from a row id on; the newest batch first. */
export function findRejectionsBefore(
  read: Reader,
  msisdn: string,
  before: RejectionPlace,
  fromBatch: number,
): LeftOutStep {
  const edge = read.get<RejectionPlace>(
    `SELECT batch_id AS batchId, position FROM rejections
     WHERE (batch_id, position) < (?, ?) AND batch_id >= ? ORDER BY batch_id DESC, position DESC LIMIT 1 OFFSET ?`,
    before.batchId,
    before.position,
    fromBatch,
    LEFT_OUT_STEP - 1,
  );
  const from = edge ?? { batchId: fromBatch, position: -1 };
  const found = read.all<EarlierRejection>(
    `SELECT batch_id AS batchId, position, reason, client_reference AS clientReference FROM rejections
     WHERE (batch_id, position) < (?, ?) AND (batch_id, position) >= (?, ?) AND msisdn = ?
     ORDER BY batch_id DESC, position DESC`,
    before.batchId,
    before.position,
    from.batchId,
    from.position,
    msisdn,
  );
  return { found, next: edge };
}

/** The lowest row id from which on batches were accepted at `atMs` or later, as far as ids tell time: they do but for a clock set back. */
export function batchIdAt(read: Reader, atMs: number): number {
  const newest = read.get<{ id: number | null }>("SELECT max(id) AS id FROM batches");
  let low = 0;
  let high = (newest?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = read.get<{ id: number; createdAtMs: number }>(
      "SELECT id, created_at AS createdAtMs FROM batches WHERE id >= ? ORDER BY id LIMIT 1",
      middle,
    );
    if (next === null || next.createdAtMs >= atMs) high = middle;
    else low = next.id + 1;
  }
  return low;
}
