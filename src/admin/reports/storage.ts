/** The size and growth of the database, and its compaction. */

import { isoUtc } from "../../core/clock.ts";
import { askThread } from "../../core/thread.ts";
import { type DatabaseSizes, databaseSize, readSizesSince } from "../../db/sizes.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { done, refuse } from "../operations/refusal.ts";
import type { StorageWork } from "./storage-thread.ts";

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 * 1024;
/** Growth is told from so many days. */
const LOOK_BACK_DAYS = 7;

const SHOWN_DAYS = 90;

/** Size, growth and forecast, at once whatever the database holds. */
export function forecastStorage(context: AdminContext) {
  const { store, clock, config, machine } = context;
  const { bytes, freeBytes } = databaseSize(store.read);
  const today = Math.floor(clock.nowMs() / DAY_MS);
  return {
    ...deriveOutlook(context, bytes, freeBytes),
    /** Of the write-ahead log. */
    log_bytes: store.logBytes(),
    /** Of the whole disk; null where it does not say. */
    disk_bytes: machine.spaceOf(store.directory).totalBytes ?? null,
    /** Kept free on the disk. */
    reserve_bytes: config.storage.reserve_megabytes * MEGABYTE,
    /** What was in use on each of the last days, the oldest first. */
    sizes: readSizesSince(store.read, today - SHOWN_DAYS).map(({ day, bytes: used }) => ({
      day: isoUtc(day * DAY_MS).slice(0, 10),
      bytes: used,
    })),
  };
}

/** What is known of the disk without measuring a table, and how the database grew. */
function deriveOutlook({ store, clock, config, machine }: AdminContext, bytes: number, freeBytes: number) {
  const nowMs = clock.nowMs();
  const disk = machine.spaceOf(store.directory).freeBytes;
  const [oldest] = readSizesSince(store.read, Math.floor(nowMs / DAY_MS) - LOOK_BACK_DAYS);
  const days = oldest ? nowMs / DAY_MS - oldest.day : 0;
  const rate = oldest && days >= 1 ? Math.round((bytes - freeBytes - oldest.bytes) / days) : null;
  const left = disk + freeBytes - config.storage.reserve_megabytes * MEGABYTE;
  return {
    bytes,
    /** Of it, what is used again before the file grows. */
    free_bytes: freeBytes,
    disk_free_bytes: disk,
    /** Null while it is not known: sizes are noted once a day. */
    bytes_a_day: rate,
    /** When the reserve of the disk is reached at that rate; null where it never is. */
    full_at: rate !== null && rate > 0 ? isoUtc(nowMs + Math.floor(Math.max(0, left) / rate) * DAY_MS) : null,
  };
}

async function measured(
  { store, machine, breakOff }: AdminContext,
  what: StorageWork["what"],
): Promise<DatabaseSizes> {
  const { directory, isReadOnly } = store;
  const work: StorageWork = { what, directory, isReadOnly };
  return (await askThread(
    machine.startThread,
    "admin/reports/storage-thread.ts",
    work,
    breakOff,
  )) as DatabaseSizes;
}

export const STORAGE_OPERATIONS = {
  /** Measures every table with its indexes; the largest come first. Reads the whole database, in a thread of its own. */
  "storage show": operation({
    may: "appliance.read",
    does: "reads",
    params: {},
    run: async (context) => {
      const { tables, bytes, freeBytes } = await measured(context, "measure");
      return done({ tables, ...deriveOutlook(context, bytes, freeBytes) });
    },
  }),
  /**
   * Compacts the database, returning free space to the disk. Sessions stay up and reads go on meanwhile; writes wait until it is done:
   * some seconds for each gigabyte.
   */
  "storage compact": operation({
    params: {},
    run: async (context) => {
      const { store, clock, config, machine } = context;
      const before = await measured(context, "measure");
      const needed = 2 * (before.bytes - before.freeBytes) + config.storage.reserve_megabytes * MEGABYTE;
      const { freeBytes } = machine.spaceOf(store.directory);
      if (freeBytes < needed) {
        return refuse("NO_ROOM.compacting", { needed, free: freeBytes });
      }
      const beganMs = clock.steadyMs();
      const { bytes } = await store.pauseWrites(() => measured(context, "compact"));
      const view = {
        bytes_before: before.bytes,
        bytes,
        /** For so long everything that is written waited. */
        writes_waited_ms: Math.round(clock.steadyMs() - beganMs),
      };
      await store.write((tx) =>
        recordAudit(tx, {
          atMs: clock.nowMs(),
          actor: context.actor,
          action: "storage compact",
          subject: "",
          detail: view,
        }),
      );
      return done(view);
    },
  }),
};
