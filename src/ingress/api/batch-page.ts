import type { Clock } from "../../core/clock.ts";
import { accepted, type Outcome } from "../../core/failures.ts";
import { isSandbox } from "../../core/sandbox.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { findBatches } from "../../domain/messages/batch-list.ts";
import { batchObject, batchRecord, findBatch } from "../../domain/messages/batches.ts";
import { type BatchQuery, toNextCursor, NO_CURSOR } from "./batch-query.ts";

/** The body of a page of `GET /batches`, made in slices: 500 batches are some 400 KB. */
export async function renderBatchPage(
  read: Reader,
  clock: Clock,
  accountId: number,
  { filter, limit, after }: BatchQuery,
): Promise<Outcome<string, "VALIDATION_FAILED">> {
  const behind = after === null ? null : batchRecord(read, after);
  if (after !== null && behind?.accountId !== accountId) return NO_CURSOR;
  const pause = createYielder(clock);
  const found = await findBatches(read, accountId, filter, behind, limit, pause);
  const texts: string[] = [];
  for (const { ulid } of found.batches) {
    const row = findBatch(read, accountId, ulid);
    if (row) texts.push(JSON.stringify(batchObject(row)));
    await pause();
  }
  const next = found.after === null ? null : toNextCursor(found.after, accountId, filter);
  return accepted(
    `{"data":{"batches":[${texts.join(",")}],"next_cursor":${JSON.stringify(next)},"is_sandbox":${isSandbox(accountId)}}}`,
  );
}
