/** Backups as somebody sees them who looks after them: what there is and where, what was proved, what goes on; and what they can begin. */
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { change } from "../../admin/operations/change.ts";
import type { AdminContext } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { text } from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "../../admin/operations/refusal.ts";
import type { BackgroundTask, WorkView } from "../../admin/operations/work-desk.ts";
import { isoOrNull } from "../../core/clock.ts";
import { copyBytes } from "../../db/copy.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { backupDirectory, backupName } from "./backup-file.ts";
import { allBackups, lastDrill } from "./backup-rows.ts";
import {
  type BackupView,
  backupCreate,
  backupDrill,
  backupList,
  listBackupFiles,
  backupVerify,
} from "./backups.ts";

export type BackupStatus = Omit<BackupView, "warnings"> & {
  /** When it was last restored for a trial. */
  readonly drilled_at: string | null;
  /** Why the last look at it failed. */
  readonly failure: Phrase | null;
  /** Whether the same file stands in the other directory. */
  readonly is_copied: boolean;
};

export type BackupOverview = {
  readonly directory: string;
  /** The other directory; null where there is none. */
  readonly copies: {
    readonly directory: string;
    readonly files: number;
    readonly newest_at: string | null;
  } | null;
  /** When one is made each night, how many are kept, and how often one is tried. */
  readonly plan: {
    readonly at: string;
    readonly keep: number;
    readonly drill: string;
    readonly timezone: string;
  };
  /** Whether keys are sealed into backups. */
  readonly has_keys: boolean;
  readonly backups: readonly BackupStatus[];
  readonly last_drill: {
    readonly at: string | null;
    readonly file: string;
    readonly failure: Phrase | null;
  } | null;
  readonly work: WorkView | null;
};

/** Every backup that there is, newest first, with what was proved of it. */
export function backupOverview(context: AdminContext): AdminOutcome<BackupOverview> {
  const { store, config, server } = context;
  const listed = backupList(context);
  if (!listed.ok) return listed;
  const known = new Map(allBackups(store.read).map((row) => [row.file, row]));
  const copies = copiesOf(config.backup.copy_to);
  const { at, keep, drill, include_keys: isWithKeys, passphrase } = config.backup;
  const tried = lastDrill(store.read);
  return done({
    directory: listed.value.directory,
    copies: copies && {
      directory: config.backup.copy_to,
      files: copies.size,
      newest_at: isoOrNull(copies.size === 0 ? null : Math.max(...copies.values())),
    },
    plan: { at, keep, drill, timezone: config.defaults.timezone },
    has_keys: isWithKeys && passphrase !== "",
    backups: listed.value.backups.map(({ warnings: _, ...backup }) => ({
      ...backup,
      drilled_at: isoOrNull(known.get(backup.file)?.drilledAtMs ?? null),
      failure: known.get(backup.file)?.failure ?? null,
      is_copied: copies?.has(basename(backup.file)) ?? false,
    })),
    last_drill: tried && {
      at: isoOrNull(tried.drilledAtMs),
      file: tried.file,
      failure: tried.failure,
    },
    work: server?.works?.standing() ?? null,
  });
}

/** Names and times of the files in the other directory; null where there is none. */
function copiesOf(directory: string): ReadonlyMap<string, number> | null {
  if (directory === "") return null;
  return new Map(listBackupFiles(directory).map(({ file, facts }) => [basename(file), facts.madeAtMs]));
}

/** Begins to make a backup under a name of its time. */
function beginBackup(context: AdminContext): AdminOutcome<WorkView> {
  const { store, config, clock } = context;
  const path = join(backupDirectory(config), backupName(clock.nowMs()));
  return begin(context, {
    kind: "backup create",
    subject: path,
    totalBytes: copyBytes(store.read),
    bytes: () => statSync(`${path}.draft`, { throwIfNoEntry: false })?.size ?? 0,
    run: (breakOff) => backupCreate({ ...context, breakOff }, path),
  });
}

/** Begins to prove one of the backups that are listed: no other file is opened. */
export function startVerification(context: AdminContext, file: string): AdminOutcome<WorkView> {
  const listed = backupList(context);
  if (!listed.ok) return listed;
  if (!listed.value.backups.some((backup) => backup.file === file)) {
    return refuse("BACKUP_NOT_FOUND", { file });
  }
  return begin(context, {
    kind: "backup verify",
    subject: file,
    totalBytes: null,
    bytes: () => null,
    run: (breakOff) =>
      noted(context, "backup verify", file, () => backupVerify({ ...context, breakOff }, file)),
  });
}

/** Begins to restore the newest backup into a scratch directory and to prove it there. */
export function startDrill(context: AdminContext): AdminOutcome<WorkView> {
  const listed = backupList(context);
  if (!listed.ok) return listed;
  const [newest] = listed.value.backups;
  if (!newest) return refuse("BACKUP_NOT_FOUND.none");
  return begin(context, {
    kind: "backup drill",
    subject: newest.file,
    totalBytes: null,
    bytes: () => null,
    run: (breakOff) =>
      noted(context, "backup drill", newest.file, () => backupDrill({ ...context, breakOff })),
  });
}

/** Writes down who had a backup looked at, whatever comes of it. */
async function noted<T>(
  context: AdminContext,
  action: string,
  subject: string,
  work: () => Promise<AdminOutcome<T>>,
): Promise<AdminOutcome<T>> {
  await change(context, () => done({ value: null, audit: { action, subject, detail: {} } }));
  return work();
}

function begin({ server, store }: AdminContext, work: BackgroundTask): AdminOutcome<WorkView> {
  return server?.works ? server.works.begin(work) : serverNotRunning(store.directory);
}

/** Of the console alone, which begins them and asks later how far they are. A command waits until they are done. */
export const BACKUP_WORKS = {
  "begin backup": operation({
    may: "backups.change",
    needsServer: true,
    params: {},
    run: beginBackup,
  }),
  "begin verifying": operation({
    may: "backups.change",
    needsServer: true,
    params: { file: text("FILE", 1000) },
    run: (context, { file }) => startVerification(context, file),
  }),
  "begin drill": operation({
    may: "backups.change",
    needsServer: true,
    params: {},
    run: startDrill,
  }),
};
