/** What is written of a large batch before it is open, and how it is taken back. */
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { dropStaged, insertBatch, type NewBatch, removeBatch, stagedBatches } from "../messages/insert.ts";
import type { Stage, Stages } from "../messages/stages.ts";
import { batchesWithStalePieces, dropSubmitted } from "../messages/submitted.ts";
import { MESSAGES_A_RUN } from "./plan.ts";
import type { IntakeOutcome } from "./refusals.ts";

type StagingDeps = { readonly store: Store; readonly stages: Stages; readonly log: Log };

/**
 * Writes the row of a batch and has `work` stage the rest of it, and answer for it. Where that is a refusal or an
 * error, nothing of the batch counts any more, and its rows are dropped: now, or by `dropAbandonedStaging` when the disk has
 * no room even for that, or the process is stopping.
 */
export async function runStaging<T>(
  { store, stages, log, isStopping }: StagingDeps & { readonly isStopping: () => boolean },
  batch: NewBatch,
  firstMessageId: number,
  work: (batchId: number, stage: Stage) => Promise<IntakeOutcome<T>>,
): Promise<IntakeOutcome<T>> {
  const stage = stages.begin(batch);
  let isAnswered = false;
  let id: number | null = null;
  try {
    id = await store.write((tx) => {
      const inserted = insertBatch(tx, batch, firstMessageId);
      stage.isOf(inserted);
      return inserted;
    });
    const outcome = await work(id, stage);
    isAnswered = outcome.ok;
    return outcome;
  } finally {
    stage.isVoid();
    if (id !== null && !isAnswered && !isStopping()) await tryToDrop(store, log, id);
    stage.end();
  }
}

async function tryToDrop(store: Store, log: Log, batchId: number): Promise<void> {
  try {
    await dropBatch(store, batchId);
  } catch (error) {
    log.warn("what was staged of a refused batch is dropped later", { ...errorFields(error) });
  }
}

const never = () => false;

/** Takes back what was staged of a batch; false when it was stopped before its end. */
export function dropStagedRows(store: Store, batchId: number, isStopping = never): Promise<boolean> {
  return untilEmpty(
    () => store.write((tx) => dropStaged(tx, batchId, MESSAGES_A_RUN), "with the next"),
    isStopping,
  );
}

/** Pieces dropped in one transaction; each holds the recipients of a step. */
const PIECES_A_STEP = 20;

/** Forgets the recipients of a batch as they were submitted; false when it was stopped before its end. */
export function dropSubmittedPieces(store: Store, batchId: number, isStopping = never): Promise<boolean> {
  return untilEmpty(() => store.write((tx) => dropSubmitted(tx, batchId, PIECES_A_STEP)), isStopping);
}

/** Drops until a step finds nothing: one after the other, so that other writers get their turn in between. */
async function untilEmpty(drop: () => Promise<number>, isStopping: () => boolean): Promise<boolean> {
  while ((await drop()) > 0) if (isStopping()) return false;
  return true;
}

/** Removes a batch that nobody was answered for, with everything of it; false when it was stopped before its end. */
async function dropBatch(store: Store, batchId: number, isStopping?: () => boolean): Promise<boolean> {
  if (!(await dropStagedRows(store, batchId, isStopping))) return false;
  if (!(await dropSubmittedPieces(store, batchId, isStopping))) return false;
  await store.write((tx) => removeBatch(tx, batchId));
  return true;
}

/**
 * Removes what nobody works on any more: batches that an earlier process was staging when it ended, or that failed on a
 * disk without the room to take them back, and recipients as submitted that were done with. True when there was any.
 */
export async function dropAbandonedStaging(
  { store, stages }: Omit<StagingDeps, "log">,
  isStopping = never,
): Promise<boolean> {
  const left = stagedBatches(store.read).filter((id) => !stages.hasStage(id));
  for (const id of left) if (!(await dropBatch(store, id, isStopping))) return false;
  const stale = batchesWithStalePieces(store.read);
  for (const id of stale) if (!(await dropSubmittedPieces(store, id, isStopping))) return false;
  return left.length + stale.length > 0;
}
