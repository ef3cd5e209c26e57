/**
 * A restore: a backup replaces the content of a data directory, or fills an empty one. It is built and verified in a directory of its
 * own first; a refusal leaves nothing behind, and a crash leaves the old or the new (`db/data-directory.ts`).
 */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { readLastUnmatchedId } from "../../channels/sms/unmatched-receipts.ts";
import type { Config } from "../../config/config.ts";
import { CONSOLE_KEY_FILE, countUnreadable } from "../../config/console-file.ts";
import { type Clock, isoUtc } from "../../core/clock.ts";
import { PhrasedError, toReason } from "../../core/phrased-error.ts";
import { refused } from "../../core/refusals.ts";
import { saveClockMark } from "../../db/clock-marks.ts";
import { readInSnapshots } from "../../db/connections.ts";
import {
  commitRestore,
  finishRestore,
  isData,
  isRestorePending,
  LOCK_FILE,
  lockDirectory,
  prepareDirectory,
  REPLACES_FILE,
  RESTORING,
} from "../../db/data-directory.ts";
import { openerWith } from "../../db/data-keys.ts";
import { syncOnDisk } from "../../db/disk.ts";
import { StoreError } from "../../db/errors.ts";
import { inspectDatabase } from "../../db/inspect.ts";
import { openStore, type Store } from "../../db/store.ts";
import { type RecoverClaim, recoverLeases } from "../../dispatch/leases.ts";
import { listAccounts } from "../../domain/accounts/accounts.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { endAllSessions } from "../../domain/accounts/sessions.ts";
import { holdAllMessages, holdInFlight } from "../../domain/messages/restore-holds.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { recoverRestored } from "../../ingress/smpp/follows.ts";
import { KEY_FILE } from "../../webhooks/signing.ts";
import { backupName, copyFile } from "./backup-file.ts";
import {
  type BackupFacts,
  buildData,
  type CopyTo,
  findDatabaseFaults,
  isFailure,
  type KeyFiles,
  keptConsoleIn,
  MAX_TOLD,
  readBackupFacts,
  readKeyFiles,
  readSealedKeys,
} from "./backup-work.ts";
import { checkBackupSpace } from "./backups.ts";

export type RestoreRequest = {
  readonly file: string;
  /** Existing data is moved aside. */
  readonly replace: boolean;
  /** A key file of the old server, used instead of the backup's keys; null: none. */
  readonly keys: string | null;
};

export type RestoreDeps = {
  readonly config: Config;
  readonly clock: Clock;
  readonly actor: string;
  readonly machine: { readonly spaceOf: (directory: string) => { readonly freeBytes: number } };
  /** The channel's rule for messages that were with an operator. */
  readonly recoverClaim: RecoverClaim;
};

/** Restores a backup into the data directory of the configuration. */
export async function backupRestore(deps: RestoreDeps, asked: RestoreRequest) {
  const { directory } = deps.config.storage;
  const facts = readBackupFacts(asked.file);
  if (isFailure(facts)) return unsound(asked.file, facts);
  const keys = keysFor(deps.config, asked);
  if (isFailure(keys)) return unsound(asked.file, phrase("backup.keys.name_a_file", { why: keys }));
  const full = checkBackupSpace(deps, directory, facts.bytes);
  if (full !== null) return refused("DISK_RESERVE", full);
  const present = existsSync(directory) ? dataIn(directory) : [];
  const isHolding = present.length > 0 || isRestorePending(directory);
  if (isHolding && !asked.replace && !isEmptyDatabase(directory, present)) {
    return refuse("DATA_PRESENT", { directory });
  }
  const isNew = !existsSync(directory);
  const aside = isHolding ? `${directory}.replaced-${stampOf(deps.clock.nowMs())}` : null;
  return inPlace(deps, { asked, facts, keys, directory, isNew, aside });
}

type Work = {
  readonly asked: RestoreRequest;
  readonly facts: BackupFacts;
  /** Null: the backup has none, and none were named. */
  readonly keys: KeyFiles | null;
  readonly directory: string;
  /** The directory is created for the restore. */
  readonly isNew: boolean;
  /** Where existing data goes; null where there is none. */
  readonly aside: string | null;
};

/** Locks the directory, builds and verifies the data, and swaps it in. */
async function inPlace(deps: RestoreDeps, work: Work) {
  const { directory, aside, isNew } = work;
  const undo: (() => void)[] = [];
  const lock = join(directory, LOCK_FILE);
  if (!existsSync(lock)) undo.push(() => rmSync(lock, { force: true }));
  let unlock = (): void => {};
  try {
    if (aside !== null) {
      undo.push(() => asRoot(() => rmdirSync(aside)));
      makeAside(directory, aside);
    }
    if (isNew) undo.push(() => rmSync(directory, { recursive: true, force: true }));
    prepareDirectory(directory);
    unlock = lockDirectory(directory);
    finishRestore(directory);
    undo.push(() => rmSync(join(directory, RESTORING), { recursive: true, force: true }));
    const faults = await build(deps, work);
    if (faults.length > 0) {
      unlock();
      undoAll(undo);
      return unsound(work.asked.file, phrase("backup.first_faults", { faults: faults.slice(0, MAX_TOLD) }));
    }
    commitRestore(directory);
    undo.length = 0;
    finishRestore(directory);
    return done(viewOf(deps, work));
  } catch (error) {
    unlock();
    undoAll(undo);
    return whyNot(error, directory);
  } finally {
    unlock();
  }
}

function undoAll(undo: readonly (() => void)[]): void {
  for (const step of undo.toReversed()) {
    try {
      step();
    } catch {
      // What could not be taken back is empty.
    }
  }
}

function whyNot(error: unknown, directory: string): AdminOutcome<never> {
  if (error instanceof StoreError && error.kind === "locked") {
    return refuse("SERVER_RUNNING", { directory });
  }
  return refuse("RESTORE_FAILED", { why: toReason(error) });
}

/** Builds the data, holds back what may have left, and verifies it; returns the faults. */
async function build(deps: RestoreDeps, { asked, facts, keys, directory, aside }: Work) {
  const { clock, actor, recoverClaim } = deps;
  const scratch = join(directory, RESTORING);
  const restoredAtMs = clock.nowMs();
  buildData(asked.file, scratch, keys ?? new Map(), restoredAtMs, readAsRoot);
  const faults = readInSnapshots(scratch, (inSnapshot) => findDatabaseFaults(inSnapshot, keys));
  if (faults.length > 0) return faults;
  const store = openStore(scratch, clock);
  try {
    await holdRestoredMessages(store, recoverClaim, {
      restoredAtMs,
      file: asked.file,
      madeAtMs: facts.madeAtMs,
      actor,
    });
  } finally {
    await store.close();
  }
  clear(scratch);
  if (aside !== null) writeFileSync(join(scratch, REPLACES_FILE), aside, { mode: 0o600, flush: true });
  syncOnDisk(scratch);
  return [];
}

/** Leaves the database and the keys: the lock is released, and the write-ahead log is checkpointed. */
function clear(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const path = join(scratch, name);
    const isLog = name.endsWith("-wal");
    if (isLog && statSync(path).size > 0) throw new PhrasedError(phrase("backup.log_left", { path }));
    if (isLog || name.endsWith("-shm") || !isData(name)) rmSync(path);
  }
}

function dataIn(directory: string): string[] {
  return readdirSync(directory).filter(isData);
}

/** Whether the database was created by a command and never used. */
function isEmptyDatabase(directory: string, present: readonly string[]): boolean {
  if (present.some((name) => name.endsWith(".key"))) return false;
  const found = inspectDatabase(directory);
  if (found.kind !== "current") return false;
  const isEmpty = listAccounts(found.read).length === 0;
  found.close();
  return isEmpty;
}

/** Creates the directory for the old data, private to its owner, on the same disk so that a rename suffices. */
function makeAside(directory: string, aside: string): void {
  const { uid, gid, dev } = statSync(directory);
  mkdirSync(aside, { mode: 0o700 });
  if (process.geteuid?.() === 0) chownSync(aside, uid, gid);
  if (statSync(aside).dev !== dev) {
    throw new PhrasedError(phrase("backup.own_disk", { directory }));
  }
}

/** Copies a backup that only root may read, and gives the copy to the owner of its directory. */
const readAsRoot: CopyTo = (from, to) => {
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
  asRoot(() => {
    copyFile(from, to);
    if (process.geteuid?.() === 0) chownSync(to, uid, gid);
  });
};

/** Runs `work` as root again: by now root acts as the directory's owner, who may not remove what stands beside it. */
function asRoot(work: () => void): void {
  const isRoot = process.getuid?.() === 0;
  const us = process.geteuid?.() ?? 0;
  if (isRoot) process.seteuid?.(0);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(us);
  }
}

function keysFor({ backup }: Config, { file, keys }: RestoreRequest): KeyFiles | null | Phrase {
  if (keys === null) return readSealedKeys(file, backup.passphrase === "" ? null : backup.passphrase);
  try {
    if (statSync(keys).isDirectory()) return readKeyFiles(keys);
    const name = basename(keys).endsWith(".key") ? basename(keys) : KEY_FILE;
    return new Map([[name, readFileSync(keys)]]);
  } catch (error) {
    return toReason(error);
  }
}

function unsound(file: string, why: Phrase): AdminOutcome<never> {
  return refuse("BACKUP_UNSOUND.restore", { file, why });
}

/** A time as used in file names. */
function stampOf(atMs: number): string {
  return backupName(atMs).replace(/^bendre-|\.db$/g, "");
}

function viewOf({ clock }: RestoreDeps, { asked, facts, keys, directory, aside }: Work) {
  return {
    file: asked.file,
    made_at: isoUtc(facts.madeAtMs),
    bytes: facts.bytes,
    schema: facts.schema,
    verified_at: isoUtc(clock.nowMs()),
    directory,
    /** Where the old data was moved; null where there was none. */
    replaced: aside,
    keys: keys !== null ? "restored" : facts.keys === "none" ? "none" : "missing",
    next: nextPhrase(asked.file, keys),
    // What was revoked after the copy is valid again.
    /** What the copy cannot know, and an administrator must redo. */
    note: phrase("backup.restored.valid_again"),
  };
}

/** What comes next: a start, and before it the passwords of the console that do not open with the keys. */
function nextPhrase(file: string, keys: KeyFiles | null): Phrase {
  const next = phrase("backup.restored.next");
  const { open } = openerWith(keys?.get(CONSOLE_KEY_FILE) ?? null);
  const number = countUnreadable(keptConsoleIn(file), open);
  return number === 0 ? next : phrase("backup.restored.next.passwords", { number, next });
}

export type RestoreView = Readonly<ReturnType<typeof viewOf>>;

// Marks a restored database: what it holds as waiting may have left since.

type RestoreFacts = {
  readonly restoredAtMs: number;
  readonly file: string;
  readonly madeAtMs: number;
  readonly actor: string;
};

/**
 * Holds back everything that is not final, lets what was with an operator wait for its receipt by its channel's `recoverClaim`, and
 * stores the time of the restore as the last trusted one. Receipts unmatched before it concern nothing that left after the
 * copy was made.
 */
export async function holdRestoredMessages(
  store: Store,
  recoverClaim: RecoverClaim,
  facts: RestoreFacts,
): Promise<void> {
  const { restoredAtMs, file, madeAtMs, actor } = facts;
  const unmatchedBefore = readLastUnmatchedId(store.read);
  await store.write((tx) => {
    holdAllMessages(tx, { restoredAtMs, file, madeAtMs, unmatchedBefore });
    recoverRestored(tx, restoredAtMs);
    saveClockMark(tx, restoredAtMs);
    endAllSessions(tx);
    const detail = { made_at: isoUtc(madeAtMs) };
    recordAudit(tx, { atMs: restoredAtMs, actor, action: "backup restore", subject: file, detail });
  });
  await recoverLeases(
    {
      store,
      recoverClaim: (tx, session, message, nowMs) => {
        holdInFlight(tx, message.messageId);
        recoverClaim(tx, session, { ...message, isTaken: true }, nowMs);
      },
    },
    restoredAtMs,
  );
}
