/**
 * Backups: made while sending goes on, listed, looked at, and restored for a trial. What takes long is done in a thread
 * (`backup-work.ts`); a restore in earnest is in `restore.ts`.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { change } from "../../admin/operations/change.ts";
import type { AdminContext } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { optional, text, typedAs, word } from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { isoUtc } from "../../core/clock.ts";
import { refused } from "../../core/failures.ts";
import { askThread } from "../../core/thread.ts";
import { version } from "../../core/version.ts";
import { copyBytes } from "../../db/copy.ts";
import { LATEST_SCHEMA } from "../../db/migrate.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { backupDirectory, backupName } from "./backup-file.ts";
import { allBackups, type Verification, recordBackup, recordVerification } from "./backup-rows.ts";
import {
  type BackupResult,
  type BackupFacts,
  type BackupWork,
  readBackupFacts,
  isFailure,
  type CopiedKeys,
} from "./backup-work.ts";
import { SEAL_SEED_OCTETS } from "./sealed-keys.ts";

export type BackupView = {
  readonly file: string;
  readonly made_at: string;
  readonly bytes: number;
  readonly schema: number;
  /** Of the executable that made it. */
  readonly version: string;
  readonly keys: CopiedKeys;
  /** When it was last found sound; null where it was not looked at. */
  readonly verified_at: string | null;
  readonly warnings: readonly Phrase[];
};

export type BackupContext = Pick<
  AdminContext,
  "store" | "config" | "clock" | "chance" | "actor" | "server" | "machine" | "breakOff"
>;

function viewOf(file: string, facts: BackupFacts, verifiedAtMs: number | null): BackupView {
  return {
    file,
    made_at: isoUtc(facts.madeAtMs),
    bytes: facts.bytes,
    schema: facts.schema,
    version: facts.version,
    keys: facts.keys,
    verified_at: verifiedAtMs === null ? null : isoUtc(verifiedAtMs),
    warnings: facts.keys === "left out" ? [phrase("backup.keys.left_out")] : [],
  };
}

/** What keys are sealed with; null: they are left out. */
export function readPassphrase({ backup }: AdminContext["config"]): string | null {
  return backup.include_keys && backup.passphrase !== "" ? backup.passphrase : null;
}

/** Has the thread do something; rejects when the command was broken off. */
export async function runInBackupThread(context: BackupContext, work: BackupWork): Promise<BackupResult> {
  const { machine, breakOff } = context;
  return (await askThread(machine.startThread, "ops/backup/backup-thread.ts", work, breakOff)) as BackupResult;
}

const MEGABYTE = 1024 * 1024;

/** Why there is no room for so many octets in a directory that may not be there yet; null where there is. */
export function checkBackupSpace(
  context: {
    readonly config: AdminContext["config"];
    readonly machine: Pick<AdminContext["machine"], "spaceOf">;
  },
  directory: string,
  bytes: number,
): Phrase | null {
  const existing = nearest(directory);
  const { freeBytes } = context.machine.spaceOf(existing);
  const reserve = reserveBytes(context.config);
  if (freeBytes - bytes >= reserve) return null;
  return phrase("refusal.DISK_RESERVE", {
    directory: existing,
    free: freeBytes,
    needed: bytes,
    kept: reserve,
  });
}

/** What is kept free on the disk. */
function reserveBytes({ storage }: AdminContext["config"]): number {
  return storage.reserve_megabytes * MEGABYTE;
}

function nearest(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearest(dirname(directory));
}

/**
 * Makes a backup while sending goes on: at `file`, or in the directory of backups under a name of its time. An existing file is never
 * overwritten, and a disk is never filled below its reserve.
 */
export async function backupCreate(
  context: BackupContext,
  file: string | null,
): Promise<AdminOutcome<BackupView>> {
  const { store, config, clock, chance } = context;
  const madeAtMs = clock.nowMs();
  const path = file ?? join(backupDirectory(config), backupName(madeAtMs));
  const full = checkBackupSpace(context, dirname(path), copyBytes(store.read));
  if (full !== null) return refused("DISK_RESERVE", full);
  const made = await runInBackupThread(context, {
    kind: "create",
    directory: store.directory,
    file: path,
    madeAtMs,
    version: version(),
    passphrase: readPassphrase(config),
    seed: chance.bytes(SEAL_SEED_OCTETS),
  });
  switch (made.kind) {
    case "exists":
      return refuse("FILE_UNWRITABLE.present", { path });
    case "failed":
      return refuse("BACKUP_FAILED", { file: path, why: made.why });
    case "done": {
      const { facts } = made;
      return change(context, (tx) => {
        recordBackup(tx, { file: path, madeAtMs, bytes: facts.bytes, schema: facts.schema });
        const detail = { bytes: facts.bytes, schema: facts.schema, keys: facts.keys };
        return done({
          value: viewOf(path, facts, null),
          audit: { action: "backup create", subject: path, detail },
        });
      });
    }
  }
}

/** Whether a backup is sound: its pages, its books, its keys. What was found is noted, if it is a backup of this database. */
export function backupVerify(context: BackupContext, file: string): Promise<AdminOutcome<BackupView>> {
  return lookAt(context, file, false);
}

/** Restores the newest backup into a scratch directory and looks whether it is sound there (docs/administration.md#proving-a-backup). */
export async function backupDrill(context: BackupContext): Promise<AdminOutcome<BackupView>> {
  const newest = newestIn(context, backupDirectory(context.config));
  if (newest === null) return refuse("BACKUP_NOT_FOUND.none");
  return lookAt(context, newest, true);
}

/** The newest by what we noted or by what a file tells of itself: one so damaged that it tells nothing must not be passed over. */
function newestIn({ store }: BackupContext, directory: string): string | null {
  const told = listBackupFiles(directory)[0];
  const noted = allBackups(store.read).find(({ file }) => dirname(file) === directory && existsSync(file));
  if (noted && noted.madeAtMs > (told?.facts.madeAtMs ?? 0)) return noted.file;
  return told?.file ?? null;
}

async function lookAt(
  context: BackupContext,
  file: string,
  isDrill: boolean,
): Promise<AdminOutcome<BackupView>> {
  const { config, clock, store } = context;
  const note = async (failure: Phrase | null, atMs: number): Promise<void> => {
    if (store.isReadOnly) return;
    await store.write((tx) => recordVerification(tx, file, { atMs, isDrill, failure } satisfies Verification));
  };
  const failed = async (why: Phrase) => {
    await note(why, clock.nowMs());
    return refuse(isDrill ? "BACKUP_UNSOUND.drill" : "BACKUP_UNSOUND", { file, why });
  };
  const facts = readBackupFacts(file);
  if (isFailure(facts)) return failed(facts);
  const scratch = join(backupDirectory(config), isDrill ? "drill" : "verify");
  const full = isDrill || facts.schema < LATEST_SCHEMA ? checkBackupSpace(context, scratch, facts.bytes) : null;
  if (full !== null) {
    // It tells nothing of the backup. That a drill cannot be made must be known all the same.
    if (isDrill) await note(full, clock.nowMs());
    return refused("DISK_RESERVE", full);
  }
  const looked = await runInBackupThread(context, {
    kind: "verify",
    file,
    scratch,
    isDrill,
    nowMs: clock.nowMs(),
    passphrase: readPassphrase(config),
  });
  if (looked.kind !== "done")
    return failed(looked.kind === "failed" ? looked.why : phrase("backup.in_the_way"));
  const atMs = clock.nowMs();
  await note(null, atMs);
  return done(viewOf(file, looked.facts, atMs));
}

export type BackupListView = { readonly directory: string; readonly backups: readonly BackupView[] };

/** The backups in the directory of backups, newest first, and those that were made elsewhere and are still there. */
export function backupList({ store, config }: BackupContext): AdminOutcome<BackupListView> {
  const directory = backupDirectory(config);
  const known = new Map(allBackups(store.read).map((row) => [row.file, row]));
  const here = listBackupFiles(directory);
  const elsewhere = [...known.keys()]
    .filter((file) => dirname(file) !== directory)
    .flatMap((file) => withFacts(file));
  const backups = [...here, ...elsewhere]
    .sort((one, other) => other.facts.madeAtMs - one.facts.madeAtMs)
    .map(({ file, facts }) => viewOf(file, facts, known.get(file)?.verifiedAtMs ?? null));
  return done({ directory, backups });
}

type Found = { readonly file: string; readonly facts: BackupFacts };

/** Every backup in a directory that tells what it is, the newest first. */
export function listBackupFiles(directory: string): Found[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".db"))
    .flatMap((name) => withFacts(join(directory, name)))
    .sort((one, other) => other.facts.madeAtMs - one.facts.madeAtMs);
}

function withFacts(file: string): Found[] {
  const facts = readBackupFacts(file);
  return isFailure(facts) ? [] : [{ file, facts }];
}

const FILE = typedAs({ isPath: true }, word("FILE", text("FILE", 1000)));

export const BACKUP_OPERATIONS = {
  "backup create": operation({
    params: { file: optional(FILE) },
    run: (context, { file }) => backupCreate(context, file),
  }),
  "backup verify": operation({
    does: "notes",
    params: { file: FILE },
    run: (context, { file }) => backupVerify(context, file),
  }),
  "backup list": operation({
    does: "reads",
    params: {},
    run: backupList,
  }),
  "backup drill": operation({
    params: {},
    run: backupDrill,
  }),
};
