/**
 * Files that are written whole before they are downloaded, because their source is large: written one after the other and kept
 * compressed, so that a slow reader holds a small part of that, and many readers a bounded one.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import { createMutex, createYielder } from "../../core/concurrency.ts";
import { countLimited, type MetricsRegistry } from "../../core/metrics-registry.ts";
import { TRANSFER_RETRY_SECONDS } from "./rate-limits.ts";

/** Makes the pieces of a file. */
type MakePieces = () => Promise<AdminOutcome<Iterable<string> | AsyncIterable<string>>>;

export type Spool = {
  /** Writes a file for a user within the current limits; refused where they, or all users, have too many. The result is read once. */
  readonly write: (whose: Whose, make: MakePieces) => Promise<AdminOutcome<Iterable<string>>>;
  /** Runs work that takes as much memory as writing a file, one after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Whom a file is written for, and where the limit of files is read. */
type Whose = {
  readonly user: number;
  readonly context: {
    readonly config: {
      readonly console: Pick<Config["console"], "prepared_files" | "all_prepared_files">;
    };
    readonly store: { readonly tally: Pick<MetricsRegistry, "counters"> };
  };
};

/** Files waiting to be written. */
const MAX_WAITING = 8;
/** Compressed bytes of all files together: one of 100,000 people has some 3 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** An idle connection is closed earlier (ingress/http/listener.ts). */
const IDLE_MS = 120_000;
/** The fastest compression: similar lines shrink to a tenth all the same. */
const LEVEL = 1;

const { refusal } = refuse("RATE_LIMITED.files_made");
const BUSY = { ok: false, refusal: { ...refusal, retrySeconds: TRANSFER_RETRY_SECONDS } } as const;

function busy({ context }: Whose): typeof BUSY {
  countLimited(context.store.tally, "console files at once");
  return BUSY;
}

type Kept = {
  readonly user: number;
  readonly pieces: Buffer[];
  bytes: number;
  isWritten: boolean;
  usedMs: number;
};

export function spool(clock: Clock, maxBytes = MAX_BYTES): Spool {
  const kept = new Set<Kept>();
  const writing = createMutex();
  const inTurn = createMutex();
  let waiting = 0;
  const bytes = (): number => [...kept].reduce((sum, file) => sum + file.bytes, 0);
  /** Drops files that nobody reads any more: a request can end without notice. */
  const sweep = (): void => {
    const nowMs = clock.steadyMs();
    for (const file of kept) {
      if (!file.isWritten || nowMs - file.usedMs < IDLE_MS) continue;
      kept.delete(file);
      file.pieces.length = 0;
    }
  };
  const fill = async (
    whose: Whose,
    file: Kept,
    make: MakePieces,
  ): Promise<AdminOutcome<Iterable<string>>> => {
    const made = await make();
    if (!made.ok) return made;
    const pause = createYielder(clock);
    for await (const piece of made.value) {
      const packed = deflateRawSync(piece, { level: LEVEL });
      file.bytes += packed.byteLength;
      file.pieces.push(packed);
      if (bytes() > maxBytes) return busy(whose);
      await pause();
    }
    file.isWritten = true;
    file.usedMs = clock.steadyMs();
    return done(taken(file));
  };
  /** Yields the pieces of a file, dropping each as it is handed out. */
  const taken = (file: Kept): Iterable<string> => {
    let isEnded = false;
    const end = (): IteratorResult<string> => {
      isEnded = true;
      kept.delete(file);
      file.pieces.length = 0;
      return { done: true, value: undefined };
    };
    const next = (): IteratorResult<string> => {
      if (isEnded) return end();
      // Half of a file must not end as if it were whole.
      if (!kept.has(file)) throw new Error("the file was not taken for too long");
      const piece = file.pieces.shift();
      if (piece === undefined) return end();
      file.usedMs = clock.steadyMs();
      file.bytes -= piece.byteLength;
      return { done: false, value: inflateRawSync(piece).toString("utf8") };
    };
    return { [Symbol.iterator]: () => ({ next, return: end }) };
  };
  return {
    write: async (whose, make) => {
      sweep();
      const { user, context } = whose;
      const { prepared_files: mostOfUser, all_prepared_files: most } = context.config.console;
      const ofUser = [...kept].filter((file) => file.user === user).length;
      if (kept.size >= most || ofUser >= mostOfUser || waiting >= MAX_WAITING) return busy(whose);
      const file: Kept = { user, pieces: [], bytes: 0, isWritten: false, usedMs: clock.steadyMs() };
      kept.add(file);
      waiting += 1;
      const answer = await writing(() => {
        waiting -= 1;
        return fill(whose, file, make);
      }).finally(() => {
        if (!file.isWritten) kept.delete(file);
      });
      return answer;
    },
    inTurn,
  };
}
