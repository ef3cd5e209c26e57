/**
 * Uploaded files of recipients, one instance for a process: `UploadStore` holds them, parsed, for as long as their user works on them, in
 * memory and never on a disk. The browser has the file too: one that was dropped is uploaded again, so that making room costs nobody their
 * work. `Uploads` also reads files, each in a thread (`file-jobs.ts`), and spools what is downloaded (`prepared-files.ts`). What is made of
 * a file is in docs/administration.md#sending-a-file.
 */
import { type AdminOutcome, refuse } from "../../../admin/operations/refusal.ts";
import type { Clock } from "../../../core/clock.ts";
import { concurrencyLimiter } from "../../../core/concurrency.ts";
import type { Outcome } from "../../../core/refusals.ts";
import { askThread, type StartThread } from "../../../core/thread.ts";
import { Spool } from "../prepared-files.ts";
import {
  type FileJob,
  type FileJobResults,
  jobTransfers,
  MAX_FILE_BYTES,
  type UploadSheets,
} from "./file-jobs.ts";

export type StoredUpload = {
  readonly id: string;
  /** Its rows, or the file itself where these would take too much. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isParsed: boolean;
  readonly sheets: UploadSheets;
  /** The batch, by its public id, whose unsent rows it has; null of any other. */
  ofBatch: string | null;
  /** Recipients that its last quote rejected. */
  rejected: readonly { readonly line: number; readonly reason: string }[];
  /** Recipients whose text would fail because their operator does not know the sender, by the same quote. */
  unreached: readonly { readonly line: number; readonly operator: string }[];
};

/** Bytes of all files together. */
const MAX_BYTES = 4 * MAX_FILE_BYTES;
/** Files of one user, over all sessions: another session makes no room. */
const MAX_OF_USER = 2;
/** As long as a session lasts without a request. */
const LIFETIME_MS = 30 * 60_000;
const ONE_SHEET: UploadSheets = { names: [], chosen: 0 };

type Entry = { readonly user: number; readonly file: StoredUpload; usedMs: number };

/** The files that users work on. Each has few; what is too much makes room, and what nobody used for a while is dropped. */
export class UploadStore {
  /** Longest unused first. */
  private readonly entries = new Map<string, Entry>();
  private isSweepPlanned = false;

  constructor(private readonly clock: Clock) {}

  /** Stores a file of a user under a new id. */
  put(
    user: number,
    id: string,
    bytes: Uint8Array<ArrayBuffer>,
    isParsed: boolean,
    sheets: UploadSheets = ONE_SHEET,
  ): StoredUpload {
    this.dropOldest(
      (entry) => entry.user === user,
      () => this.countOf(user) >= MAX_OF_USER,
    );
    this.dropOldest(
      () => true,
      () => this.bytes() + bytes.byteLength > MAX_BYTES,
    );
    const file: StoredUpload = { id, bytes, isParsed, sheets, ofBatch: null, rejected: [], unreached: [] };
    this.entries.set(id, { user, file, usedMs: this.clock.steadyMs() });
    this.planSweep();
    return file;
  }

  /** A file of that user, whose lifetime it extends; null when it is gone, or was never theirs. */
  get(user: number, id: string): StoredUpload | null {
    const entry = this.entries.get(id);
    if (entry?.user !== user || this.clock.steadyMs() - entry.usedMs >= LIFETIME_MS) return null;
    this.entries.delete(id);
    this.entries.set(id, { ...entry, usedMs: this.clock.steadyMs() });
    return entry.file;
  }

  drop(user: number, id: string): void {
    if (this.entries.get(id)?.user === user) this.entries.delete(id);
  }

  /** Drops those that fit, the longest unused first, for as long as there is too much. */
  private dropOldest(fits: (entry: Entry) => boolean, isTooMuch: () => boolean): void {
    for (const [id, entry] of this.entries) {
      if (!isTooMuch()) return;
      if (fits(entry)) this.entries.delete(id);
    }
  }

  private planSweep(): void {
    if (this.isSweepPlanned || this.entries.size === 0) return;
    this.isSweepPlanned = true;
    this.clock.after(LIFETIME_MS, () => this.sweep());
  }

  private sweep(): void {
    this.isSweepPlanned = false;
    const nowMs = this.clock.steadyMs();
    for (const [id, { usedMs }] of this.entries) if (nowMs - usedMs >= LIFETIME_MS) this.entries.delete(id);
    this.planSweep();
  }

  private bytes(): number {
    return [...this.entries.values()].reduce((sum, { file }) => sum + file.bytes.byteLength, 0);
  }

  private countOf(user: number): number {
    return [...this.entries.values()].filter((entry) => entry.user === user).length;
  }
}

export type Uploads = {
  readonly store: UploadStore;
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
const MAX_READ_OF_USER = 2;
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
    store: new UploadStore(clock),
    spool: new Spool(clock),
    read: async <Kind extends keyof FileJobResults>(
      { user, account }: Whose,
      start: StartThread,
      question: Extract<FileJob, { readonly kind: Kind }>,
    ) => {
      const ofUser = open.get(user) ?? 0;
      if (ofUser >= MAX_READ_OF_USER) return BUSY;
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
