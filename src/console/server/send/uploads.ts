import { type AdminOutcome, refuse } from "../../../admin/operations/refusal.ts";
import type { Clock } from "../../../core/clock.ts";
import { concurrencyLimiter } from "../../../core/concurrency.ts";
import type { Outcome } from "../../../core/refusals.ts";
import { askThread, type StartThread } from "../../../core/thread.ts";
import { Spool } from "../prepared-files.ts";
import { type FileJob, type FileJobResults, jobTransfers } from "./file-jobs.ts";
import { createUploadStore, type UploadStore } from "./upload-store.ts";

/** Stores and reads files of recipients. One for a process. */
export type Uploads = UploadStore & {
  /** Where downloads are written. */
  readonly spool: Spool;
  /**
   * Reads a file for a user in a thread; one after the other, so that its memory is bounded. Accounts take turns, and so do
   * staff users.
   */
  readonly read: <Kind extends keyof FileJobResults>(
    whose: Whose,
    start: StartThread,
    question: Extract<FileJob, { readonly kind: Kind }>,
  ) => Promise<AdminOutcome<FileJobResults[Kind]>>;
};

/** For whom a file is read; `account` null: for staff. */
type Whose = { readonly user: number; readonly account: string | null };

/** Files waiting behind the one that is read. */
const MAX_WAITING = 7;
/** Files of one user that are read or wait. */
const MAX_OF_A_USER = 2;
const BUSY = refuse("RATE_LIMITED.files_read");
/** 100,000 rows take a few seconds. */
const MAX_MS = 30_000;

export function createUploads(clock: Clock): Uploads {
  const queue = concurrencyLimiter({ maxConcurrent: 1, maxWaiting: MAX_WAITING });
  /** Files of each user that are read or wait. */
  const open = new Map<number, number>();
  const ask = async (start: StartThread, question: FileJob): Promise<unknown> => {
    const broken = new AbortController();
    const cancel = clock.after(MAX_MS, () => broken.abort());
    try {
      const path = "console/server/send/file-thread.ts";
      return await askThread(start, path, question, broken.signal, jobTransfers(question));
    } catch (error) {
      if (!broken.signal.aborted) throw error;
      return refuse("INVALID_FILE.slow");
    } finally {
      cancel();
    }
  };
  return {
    ...createUploadStore(clock),
    spool: new Spool(clock),
    read: async <Kind extends keyof FileJobResults>(
      { user, account }: Whose,
      start: StartThread,
      question: Extract<FileJob, { readonly kind: Kind }>,
    ) => {
      const ofUser = open.get(user) ?? 0;
      if (ofUser >= MAX_OF_A_USER) return BUSY;
      open.set(user, ofUser + 1);
      try {
        const party = { name: account ?? `user ${user}`, isPreferred: false };
        const read = await queue.enter(party, () => ask(start, question));
        return read === null ? BUSY : (read as Outcome<FileJobResults[Kind], "INVALID_FILE">);
      } finally {
        const left = (open.get(user) ?? 1) - 1;
        if (left > 0) open.set(user, left);
        else open.delete(user);
      }
    },
  };
}
