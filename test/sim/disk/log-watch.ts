/**
 * What of the write-ahead log is synced, and what stood in its place before. It goes on over the deaths of processes: what
 * one wrote without a sync is no safer in the hands of the next.
 */
import { existsSync, readFileSync } from "node:fs";
import type { CrashedLog } from "./after-crash.ts";
import { LOG_HEADER, logOctets, pageSizeOf } from "./log-file.ts";
import { type LogPosition, logReader } from "./log-position.ts";

export type LogWatch = {
  /** Before a transaction. */
  readonly begun: () => void;
  readonly committed: (isSynced: boolean) => void;
  /** A commit was written, and its sync failed: the system forgets what it has not written back, and says so only once. */
  readonly syncFailed: () => void;
  readonly checkpointing: (mode: string) => void;
  readonly checkpointed: () => void;
  readonly position: () => LogPosition | null;
  readonly letGo: () => void;
  /** The log as a crash finds it, null where there is none; `inside`: its last commit was under way. */
  readonly found: (how: "process" | "power", inside: boolean) => CrashedLog | null;
  /** Frames that a failed sync left: octets from, to. */
  readonly gap: () => readonly [from: number, to: number] | null;
  /** A log that was cut to nothing, which the disk may not know yet. */
  readonly emptied: () => Uint8Array | null;
  /** The files are as a crash left them; after a power cut all of them is on the disk. */
  readonly settled: (how: "process" | "power") => void;
};

type Gap = { readonly salt: string; readonly from: number; readonly to: number };

const NOTHING = new Uint8Array();

/** Watches the log of the database at `path`. */
export function logWatch(path: string): LogWatch {
  const log = logReader(path);
  let last: LogPosition | null = null;
  /** What the crash before found: the next process reads as much of it as is whole. */
  let left: LogPosition | null = null;
  let synced: LogPosition | null = null;
  let before: Uint8Array = NOTHING;
  let emptied: Uint8Array | null = null;
  let imaged: Uint8Array | null = null;
  let gap: Gap | null = null;
  const image = (): Uint8Array => (existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : NOTHING);
  const syncedFrames = (salt: string): number => (synced?.salt === salt ? synced.frames : 0);
  const move = (): boolean => {
    const now = log.position();
    const isLonger = now !== null && (now.salt !== last?.salt || now.frames !== last.frames);
    last = now ?? last;
    return isLonger;
  };
  return {
    begun: () => {
      if (last) return;
      last = log.position();
      if (last && synced?.salt === last.salt && synced.frames > last.frames) synced = last;
    },
    committed: (isSynced) => {
      // A transaction that changed nothing writes nothing, and syncs nothing.
      if (!move()) return;
      emptied = null;
      if (isSynced) synced = last;
    },
    syncFailed: () => {
      move();
      if (last) gap = { salt: last.salt, from: syncedFrames(last.salt), to: last.frames };
    },
    checkpointing: (mode) => {
      imaged = mode === "TRUNCATE" ? image() : null;
    },
    checkpointed: () => {
      move();
      synced = last;
      const octets = image();
      if (octets.length === 0 && imaged && imaged.length > 0 && gap === null) emptied = imaged;
      if (octets.length === 0) before = NOTHING;
      else if (last && last.copied === last.frames) before = octets;
      imaged = null;
    },
    position: log.position,
    letGo: log.close,
    found: (how, inside) => {
      const octets = image();
      const pageSize = pageSizeOf(octets);
      const now = log.position() ?? last ?? left;
      left = now;
      if (pageSize === null || now === null) return null;
      const to = Math.min(octets.length, logOctets(now.frames, pageSize));
      const heard = last?.salt === now.salt ? last.frames : 0;
      const isNew = inside && last?.salt !== now.salt;
      const safe =
        how === "process" ? (inside ? heard : now.frames) : Math.min(syncedFrames(now.salt), now.frames);
      // A header is synced before the first frame is written.
      const from = safe > 0 ? logOctets(safe, pageSize) : isNew ? 0 : LOG_HEADER;
      return { octets, before, from: Math.min(from, to), to };
    },
    gap: () => {
      const pageSize = pageSizeOf(image());
      const now = log.position() ?? last ?? left;
      if (gap === null || pageSize === null || gap.salt !== now?.salt) return null;
      return [Math.max(LOG_HEADER, logOctets(gap.from, pageSize)), logOctets(gap.to, pageSize)];
    },
    emptied: () => (image().length === 0 ? emptied : null),
    settled: (how) => {
      last = null;
      if (how === "process") return;
      gap = null;
      emptied = null;
      before = NOTHING;
      synced = left;
    },
  };
}
