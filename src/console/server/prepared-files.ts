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

type PreparedFile = {
  readonly user: number;
  /** Compressed, those that were not read yet. */
  readonly pieces: Buffer[];
  bytes: number;
  isWritten: boolean;
  usedMs: number;
};

/** Writes files one after the other, and holds each until it was read once, or nobody has read on for a while. */
export class Spool {
  private readonly files = new Set<PreparedFile>();
  private readonly writeExclusive = createMutex();
  private waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Runs work that takes as much memory as writing a file, one after the other. */
  readonly runExclusive = createMutex();

  /** Writes a file for a user within the current limits; refused where they, or all users, have too many. The result is read once. */
  readonly write = async (whose: Whose, make: MakePieces): Promise<AdminOutcome<Iterable<string>>> => {
    this.dropIdle();
    const { user, context } = whose;
    const { prepared_files: mostOfUser, all_prepared_files: most } = context.config.console;
    const ofUser = [...this.files].filter((file) => file.user === user).length;
    if (this.files.size >= most || ofUser >= mostOfUser || this.waiting >= MAX_WAITING) return busy(whose);
    const file: PreparedFile = {
      user,
      pieces: [],
      bytes: 0,
      isWritten: false,
      usedMs: this.clock.steadyMs(),
    };
    this.files.add(file);
    this.waiting += 1;
    const answer = await this.writeExclusive(() => {
      this.waiting -= 1;
      return this.compress(whose, file, make);
    }).finally(() => {
      if (!file.isWritten) this.files.delete(file);
    });
    return answer;
  };

  private async compress(
    whose: Whose,
    file: PreparedFile,
    make: MakePieces,
  ): Promise<AdminOutcome<Iterable<string>>> {
    const made = await make();
    if (!made.ok) return made;
    const pause = createYielder(this.clock);
    for await (const piece of made.value) {
      const packed = deflateRawSync(piece, { level: LEVEL });
      file.bytes += packed.byteLength;
      file.pieces.push(packed);
      if (this.bytes() > this.maxBytes) return busy(whose);
      await pause();
    }
    file.isWritten = true;
    file.usedMs = this.clock.steadyMs();
    return done(this.read(file));
  }

  /** Yields the pieces of a file, dropping each as it is handed out. */
  private read(file: PreparedFile): Iterable<string> {
    let isEnded = false;
    const end = (): IteratorResult<string> => {
      isEnded = true;
      this.drop(file);
      return { done: true, value: undefined };
    };
    const next = (): IteratorResult<string> => {
      if (isEnded) return end();
      // Half of a file must not end as if it were whole.
      if (!this.files.has(file)) throw new Error("the file was not taken for too long");
      const piece = file.pieces.shift();
      if (piece === undefined) return end();
      file.usedMs = this.clock.steadyMs();
      file.bytes -= piece.byteLength;
      return { done: false, value: inflateRawSync(piece).toString("utf8") };
    };
    return { [Symbol.iterator]: () => ({ next, return: end }) };
  }

  private bytes(): number {
    return [...this.files].reduce((sum, file) => sum + file.bytes, 0);
  }

  /** Drops files that nobody reads any more: a request can end without notice. */
  private dropIdle(): void {
    const nowMs = this.clock.steadyMs();
    for (const file of this.files) if (file.isWritten && nowMs - file.usedMs >= IDLE_MS) this.drop(file);
  }

  private drop(file: PreparedFile): void {
    this.files.delete(file);
    file.pieces.length = 0;
  }
}
