/**
 * What this process is staging at this moment. The rows of a batch that is not open are written in steps, and count for
 * the guards of other submissions only while their stage goes on: the stages are kept in memory, so what a failure, a
 * full disk or a crash leaves on the disk counts for nothing from that moment on, whether it can be deleted or not
 * (docs/behaviour.md#nothing-half-accepted).
 */
import type { Reader } from "../../db/reader.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";

/** Recipients of an account that are spoken for by a batch submitted at `createdAt`, epoch milliseconds. */
export type StagedRecipients = { readonly createdAt: number; readonly recipients: number };

export type Stage = {
  /** Names the batch, in the transaction that writes its row; again when that is tried again. */
  readonly isOf: (batchId: number) => void;
  /** How many recipients have been staged in all. Said inside a transaction, so it is a sum: it may be said twice. */
  readonly holds: (recipients: number) => void;
  /** From here on what was staged counts for nothing. */
  readonly isVoid: () => void;
  /** Nobody works on the batch any more: it is open, or what is left of it may be dropped by whoever finds it. */
  readonly end: () => void;
};

export type Stages = {
  readonly begin: (batch: { readonly accountId: number; readonly createdAt: number }) => Stage;
  /** The ids of the batches whose staged rows count, as a JSON array. */
  readonly counting: () => string;
  /** Whether somebody in this process works on a batch that is not open. */
  readonly hasStage: (batchId: number) => boolean;
  /** What an account's batches have staged and no count includes yet, apart from the stage `own`. */
  readonly recipientsOf: (read: Reader, accountId: number, own: Stage | null) => StagedRecipients[];
};

type Standing = {
  readonly accountId: number;
  readonly createdAt: number;
  batchId: number | null;
  recipients: number;
  isVoid: boolean;
};

export function stages(): Stages {
  const standing = new Map<Stage, Standing>();
  let counting = "[]";
  const tell = (): void => {
    const ids = [...standing.values()].flatMap(({ batchId, isVoid }) => (isVoid ? [] : (batchId ?? [])));
    counting = JSON.stringify(ids);
  };
  return {
    begin: ({ accountId, createdAt }) => {
      const now: Standing = { accountId, createdAt, batchId: null, recipients: 0, isVoid: false };
      const stage: Stage = {
        isOf: (batchId) => {
          now.batchId = batchId;
          tell();
        },
        holds: (recipients) => {
          now.recipients = recipients;
        },
        isVoid: () => {
          now.isVoid = true;
          tell();
        },
        end: () => {
          standing.delete(stage);
          tell();
        },
      };
      standing.set(stage, now);
      return stage;
    },
    counting: () => counting,
    hasStage: (batchId) => [...standing.values()].some((one) => one.batchId === batchId),
    recipientsOf: (read, accountId, own) =>
      [...standing]
        .filter(([stage, one]) => stage !== own && one.accountId === accountId && isCounted(read, one))
        .map(([, { createdAt, recipients }]) => ({ createdAt, recipients })),
  };
}

/** A batch that was opened earlier in the transaction `read` is counted already. */
function isCounted(read: Reader, { batchId, recipients, isVoid }: Standing): boolean {
  if (isVoid || recipients === 0 || batchId === null) return false;
  return read.get(`SELECT 1 FROM batches WHERE id = ? AND ${IS_NOT_OPEN}`, batchId) !== null;
}
