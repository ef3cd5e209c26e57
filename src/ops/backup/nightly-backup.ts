/**
 * Schedule of the nightly backup: makes it, copies it to another disk, removes old ones and proves the newest by restoring
 * it.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { AdminContext } from "../../admin/operations/context.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { toReason } from "../../core/phrased-error.ts";
import { readCreatedAtMs } from "../../db/clock-marks.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { nights } from "../nightly-schedule.ts";
import { backupDirectory, hasTimestampName, isDraftFile } from "./backup-file.ts";
import { forgetBackup, lastDrill, newestBackup } from "./backup-records.ts";
import {
  type BackupContext,
  type BackupView,
  backupCreate,
  backupDrill,
  checkBackupSpace,
  listBackupFiles,
  runInBackupThread,
} from "./backups.ts";

/** How the last night went, as `GET /health` tells it. */
export type NightlyBackupStatus = {
  /** Why the last night's backup, or its copy, could not be made; null where it could. */
  readonly failure: Phrase | null;
};

type NightlyBackupDeps = Omit<BackupContext, "config" | "actor" | "server"> & {
  readonly settings: { readonly now: () => AdminContext["config"] };
  readonly log: Log;
};

export type NightlyBackup = {
  readonly standing: () => NightlyBackupStatus;
  /** One look; what it waits for ends with the signal. */
  readonly runOnce: (isStopping?: () => boolean, stopping?: AbortSignal) => Promise<boolean>;
};

const DAY_MS = 86_400_000;
/** A little less than its name says, so that it stays with the same night. */
const DRILL_EVERY_MS = { daily: 0.5 * DAY_MS, weekly: 6.5 * DAY_MS, never: Number.POSITIVE_INFINITY };
/** Drafts that were not finished by then were cut off. */
const OLD_DRAFT_MS = DAY_MS;

/** Who the audit list names. */
const ACTOR = "bendre";

/**
 * Asked every minute or so, makes a backup once a night, copies it to the other disk, removes the oldest, and restores the newest
 * into a scratch directory as often as is set. A night that the appliance was off is made up for; one that failed is tried again in
 * an hour.
 */
export function nightlyBackup(deps: NightlyBackupDeps): NightlyBackup {
  const { settings, clock, log, store } = deps;
  const due = nights(
    {
      pattern: () => patternOf(settings.now().backup.at),
      timezone: () => settings.now().defaults.timezone,
      clock,
    },
    { atMs: newestBackup(store.read)?.madeAtMs ?? readCreatedAtMs(store.read), hasFailed: false },
  );
  let failure: Phrase | null = null;
  return {
    standing: () => ({ failure }),
    runOnce: async (_isStopping, stopping) => {
      if (!due.isDue()) return false;
      due.begun();
      const context: BackupContext = {
        ...deps,
        config: settings.now(),
        actor: ACTOR,
        server: null,
        ...(stopping ? { breakOff: stopping } : {}),
      };
      try {
        failure = await oneNight(context, log);
        if (failure === null) due.done();
        else log.error("the nightly backup failed", { reason: english(failure) });
      } catch (error) {
        if (stopping?.aborted) return false;
        failure = toReason(error);
        log.error("the nightly backup failed", { ...errorFields(error) });
      }
      return false;
    },
  };
}

/** "02:30" as a pattern of cron. */
function patternOf(at: string): string {
  const [hour = "2", minute = "30"] = at.split(":");
  return `${Number(minute)} ${Number(hour)} * * *`;
}

/** Why it failed; null where all of it was done. A drill that fails is told by itself. */
async function oneNight(context: BackupContext, log: Log): Promise<Phrase | null> {
  const made = await backupCreate(context, null);
  if (!made.ok) return made.refusal.detail;
  const { file, bytes, warnings } = made.value;
  log.info("a backup was made", { file, bytes });
  for (const warning of warnings) {
    log.warn("a backup is not whole", { file, warning: english(warning) });
  }
  await removeOld(context, backupDirectory(context.config));
  const copied = await copyElsewhere(context, made.value);
  await drillIfDue(context, log);
  return copied;
}

/** Copies a backup to the other disk; why that failed, or null. */
async function copyElsewhere(context: BackupContext, { file, bytes }: BackupView): Promise<Phrase | null> {
  const { copy_to: directory } = context.config.backup;
  if (directory === "") return null;
  const full = checkBackupSpace(context, directory, bytes);
  if (full !== null) return phrase("backup.not_copied", { directory, why: full });
  const copied = await runInBackupThread(context, {
    kind: "copy",
    from: file,
    to: join(directory, basename(file)),
  });
  if (copied.kind === "failed") {
    return phrase("backup.not_copied", { directory, why: copied.why });
  }
  await removeOld(context, directory);
  return null;
}

/** Removes the oldest of those that are named by their time, and drafts that were cut off long ago with what SQLite keeps beside one. */
async function removeOld({ store, clock, config }: BackupContext, directory: string): Promise<void> {
  const named = listBackupFiles(directory).filter(({ file }) => hasTimestampName(basename(file)));
  for (const { file } of named.slice(config.backup.keep)) {
    rmSync(file, { force: true });
    await store.write((tx) => forgetBackup(tx, file));
  }
  for (const name of readdirSync(directory).filter(isDraftFile)) {
    const path = join(directory, name);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.nowMs();
    if (clock.nowMs() - changedMs > OLD_DRAFT_MS) rmSync(path, { force: true });
  }
}

async function drillIfDue(context: BackupContext, log: Log): Promise<void> {
  const { store, clock, config } = context;
  const sinceMs = clock.nowMs() - (lastDrill(store.read)?.drilledAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < DRILL_EVERY_MS[config.backup.drill] || config.backup.drill === "never") return;
  const drilled = await backupDrill(context);
  if (drilled.ok) log.info("a backup was restored for a trial, and is sound", { file: drilled.value.file });
  else log.error("a backup could not be restored for a trial", { reason: english(drilled.refusal.detail) });
}
