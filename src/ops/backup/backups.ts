/**
 * Backups: makes them while sending goes on, lists, verifies, and restores them as a drill. Long work runs in a thread
 * (`backup-work.ts`); the real restore is in `restore.ts`.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BackgroundTask, WorkView } from "../../admin/operations/background-work.ts";
import { change } from "../../admin/operations/change.ts";
import type { AdminContext } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { optional, text, typedAs, word } from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "../../admin/operations/refusal.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { refused } from "../../core/refusals.ts";
import { askThread } from "../../core/thread.ts";
import { version } from "../../core/version.ts";
import { copyBytes } from "../../db/copy.ts";
import { LATEST_SCHEMA } from "../../db/migrate.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { backupDirectory, backupName } from "./backup-file.ts";
import {
  allBackups,
  lastDrill,
  recordBackup,
  recordVerification,
  type Verification,
} from "./backup-records.ts";
import {
  type BackupFacts,
  type BackupResult,
  type BackupWork,
  isFailure,
  readBackupFacts,
  SEAL_SEED_OCTETS,
} from "./backup-work.ts";

export type BackupContext = Pick<
  AdminContext,
  "store" | "config" | "clock" | "chance" | "actor" | "server" | "machine" | "breakOff"
>;

function viewOf(file: string, facts: BackupFacts, verifiedAtMs: number | null) {
  return {
    file,
    made_at: isoUtc(facts.madeAtMs),
    bytes: facts.bytes,
    schema: facts.schema,
    /** Of the executable that made it. */
    version: facts.version,
    keys: facts.keys,
    /** When it was last found sound; null where it was not verified. */
    verified_at: isoOrNull(verifiedAtMs),
    warnings: facts.keys === "left out" ? [phrase("backup.keys.left_out")] : [],
  };
}

export type BackupView = Readonly<ReturnType<typeof viewOf>>;

/** The passphrase that seals the keys; null: keys are left out. */
export function readPassphrase({ backup }: AdminContext["config"]): string | null {
  return backup.include_keys && backup.passphrase !== "" ? backup.passphrase : null;
}

/** Runs work in the thread; rejects when the command was aborted. */
export async function runInBackupThread(context: BackupContext, work: BackupWork): Promise<BackupResult> {
  const { machine, breakOff } = context;
  return (await askThread(
    machine.startThread,
    "ops/backup/backup-thread.ts",
    work,
    breakOff,
  )) as BackupResult;
}

const MEGABYTE = 1024 * 1024;

/** Why a directory, which need not exist yet, has no room for so many octets; null where it has. */
export function checkBackupSpace(
  context: {
    readonly config: AdminContext["config"];
    readonly machine: Pick<AdminContext["machine"], "spaceOf">;
  },
  directory: string,
  bytes: number,
): Phrase | null {
  const existing = nearestDirectory(directory);
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

/** The directory, or its nearest existing parent. */
export function nearestDirectory(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : nearestDirectory(above);
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

/** Verifies a backup: pages, ledger, keys. The result is recorded if it is a backup of this database. */
export function backupVerify(context: BackupContext, file: string): Promise<AdminOutcome<BackupView>> {
  return lookAt(context, file, false);
}

/** Restores the newest backup into a scratch directory and verifies it there (docs/administration.md#proving-a-backup). */
export async function backupDrill(context: BackupContext): Promise<AdminOutcome<BackupView>> {
  const newest = newestIn(context, backupDirectory(context.config));
  if (newest === null) return refuse("BACKUP_NOT_FOUND.none");
  return lookAt(context, newest, true);
}

/** The newest by our records or by the file's own facts: one too damaged to have any must not be skipped. */
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
    await store.write((tx) =>
      recordVerification(tx, file, { atMs, isDrill, failure } satisfies Verification),
    );
  };
  const failed = async (why: Phrase) => {
    await note(why, clock.nowMs());
    return refuse(isDrill ? "BACKUP_UNSOUND.drill" : "BACKUP_UNSOUND", { file, why });
  };
  const facts = readBackupFacts(file);
  if (isFailure(facts)) return failed(facts);
  const scratch = join(backupDirectory(config), isDrill ? "drill" : "verify");
  const full =
    isDrill || facts.schema < LATEST_SCHEMA ? checkBackupSpace(context, scratch, facts.bytes) : null;
  if (full !== null) {
    // This says nothing about the backup, but that the drill failed must be recorded.
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

/** Lists the backups in the backup directory, newest first, and recorded ones elsewhere that still exist. */
export function backupList({ store, config }: BackupContext) {
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

/** Every readable backup in a directory, newest first. */
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

// The console's overview of backups: what exists and where, what was verified, what is under way; and the work it can begin.

/** Every existing backup, newest first, with its verification. */
export function backupOverview(context: AdminContext) {
  const { store, config, server } = context;
  const listed = backupList(context);
  const known = new Map(allBackups(store.read).map((row) => [row.file, row]));
  const copies = copiesOf(config.backup.copy_to);
  const { at, keep, drill, include_keys: isWithKeys, passphrase } = config.backup;
  const tried = lastDrill(store.read);
  return done({
    directory: listed.value.directory,
    /** The other directory; null where there is none. */
    copies: copies && {
      directory: config.backup.copy_to,
      files: copies.size,
      newest_at: isoOrNull(copies.size === 0 ? null : Math.max(...copies.values())),
    },
    /** When one is made each night, how many are kept, and how often one is tried. */
    plan: { at, keep, drill, timezone: config.defaults.timezone },
    /** Whether keys are sealed into backups. */
    has_keys: isWithKeys && passphrase !== "",
    backups: listed.value.backups.map(({ warnings: _, ...backup }) => ({
      ...backup,
      /** When it was last restored as a drill. */
      drilled_at: isoOrNull(known.get(backup.file)?.drilledAtMs ?? null),
      /** Why the last verification failed. */
      failure: known.get(backup.file)?.failure ?? null,
      /** Whether the same file stands in the other directory. */
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

/** Begins to verify a listed backup; no other file is opened. */
export function startVerification(context: AdminContext, file: string): AdminOutcome<WorkView> {
  const listed = backupList(context);
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

/** Begins to restore the newest backup into a scratch directory and verify it there. */
export function startDrill(context: AdminContext): AdminOutcome<WorkView> {
  const listed = backupList(context);
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

/** Records in the audit log who had a backup verified, whatever the result. */
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

/** For the console alone, which begins the work and asks for progress later. A command waits for the end. */
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
