/**
 * Who owns the data directory and who may read it: texts and numbers of other people lie in it, so it is its owner's alone.
 * Looser permissions are tightened, what is not ours to write is refused before anything is touched, and root acts as the owner,
 * so that a command typed by root leaves nothing behind that the server can't write.
 */

import type { Database } from "bun:sqlite";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorText, systemErrorCode } from "../core/log.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { DATABASE_FILE } from "./connections.ts";
import { type OpenDatabase, openOnDisk, type SyncPath, syncOnDisk } from "./disk.ts";
import { StoreError } from "./errors.ts";

/** Who owns a file and what may be done with it, as `stat` reports. */
type FileOwnership = { readonly uid: number; readonly gid: number; readonly mode: number };

/** The user and groups of this process. */
type Identity = { readonly uid: number; readonly groups: readonly number[] };

const OWN_NAME = /^(bendre\b.*|console\.toml.*|control\.sock|.*\.key|backups|restor(ing|ed))$/;
const FOR_OTHERS = 0o077;
const STICKY = 0o1000;

/** Whether the permission bits let somebody read and write (and, for a directory, enter). */
export function canWrite(file: FileOwnership, { uid, groups }: Identity, isDirectory: boolean): boolean {
  if (uid === 0) return true;
  const needed = isDirectory ? 0o7 : 0o6;
  const shift = file.uid === uid ? 6 : groups.includes(file.gid) ? 3 : 0;
  return ((file.mode >> shift) & needed) === needed;
}

/**
 * Makes the directory ready to be locked: acts as its owner where root runs, creates it if need be, refuses what cannot be
 * written, and tightens permissions. Returns the names of files whose permissions were too loose.
 * @throws StoreError when the directory cannot be used; nothing was changed then.
 */
export function prepareDirectory(directory: string, syncPath: SyncPath = syncOnDisk): readonly string[] {
  assumeOwner(directory);
  try {
    const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
    syncNames(resolve(directory), first === undefined ? null : resolve(first), syncPath);
  } catch (error) {
    throw new StoreError("unusable", phrase("store.not_creatable", { directory, error: errorText(error) }));
  }
  const standing = statSync(directory);
  if ((standing.mode & STICKY) !== 0) {
    throw new StoreError("unusable", phrase("store.everybodys", { directory }));
  }
  const us = identity();
  // A directory that may not be entered can't be looked into either.
  requireOwnership(directory, [[directory, standing]], us);
  requireOwnership(directory, ownFiles(directory), us);
  try {
    // What the system itself says of the directory: the disk may be mounted read-only, for root too.
    accessSync(directory, constants.W_OK);
    return restrictPermissions(directory);
  } catch (error) {
    throw new StoreError("unusable", phrase("store.read_only", { directory, error: errorText(error) }));
  }
}

/**
 * Acts as the owner where root runs, and changes nothing. A directory that is not there is no fault.
 * @throws StoreError when it, or the database in it, may not be read.
 */
export function requireReadable(directory: string): void {
  assumeOwner(directory);
  const us = identity();
  try {
    for (const path of [directory, join(directory, DATABASE_FILE)]) {
      const file = statSync(path, { throwIfNoEntry: false });
      if (file) accessSync(path, constants.R_OK);
    }
  } catch (error) {
    const barred = { directory, user: nameOf(us.uid), error: errorText(error) };
    throw new StoreError("unusable", phrase("store.not_readable", barred));
  }
}

/** Errors of a directory above ours: it may not be read, or its file system syncs none. Then there is nothing to be done. */
const NOT_OURS_TO_SYNC = /^(EACCES|EPERM|EINVAL|ENOTSUP|EOPNOTSUPP)$/;

/**
 * Syncs the name of the directory, and of each above it from `first` on that was made, before anything is promised. As long as it
 * holds no database, the process that made it may have died before this.
 */
function syncNames(directory: string, first: string | null, syncPath: SyncPath): void {
  if (first === null && existsSync(join(directory, DATABASE_FILE))) return;
  const top = dirname(first ?? directory);
  for (let above = dirname(directory); ; above = dirname(above)) {
    try {
      syncPath(above);
    } catch (error) {
      if (!NOT_OURS_TO_SYNC.test(systemErrorCode(error))) throw error;
    }
    if (above === top) return;
  }
}

function requireOwnership(
  directory: string,
  files: readonly (readonly [path: string, file: FileOwnership])[],
  us: Identity,
): void {
  for (const [path, file] of files) {
    if (canWrite(file, us, path === directory)) continue;
    const theirs = { path, owner: nameOf(file.uid), user: nameOf(us.uid), directory };
    throw new StoreError("unusable", phrase("store.not_ours", theirs));
  }
}

/** Lets nobody but the owner read what lies in the directory; returns the names of files that were too loose. */
export function restrictPermissions(directory: string): readonly string[] {
  const us = identity();
  const isOnlyOurs = readdirSync(directory).every((name) => OWN_NAME.test(name));
  const all = [...(isOnlyOurs ? [[directory, statSync(directory)] as const] : []), ...ownFiles(directory)];
  const loose = all.filter(
    ([, { uid, mode }]) => (mode & FOR_OTHERS) !== 0 && (uid === us.uid || us.uid === 0),
  );
  for (const [path, { mode }] of loose) chmodSync(path, mode & 0o700);
  return loose.map(([path]) => path);
}

/** What bendre keeps in its directory. */
function ownFiles(directory: string): (readonly [path: string, file: FileOwnership])[] {
  return readdirSync(directory)
    .filter((name) => OWN_NAME.test(name))
    .flatMap((name) => {
      const path = join(directory, name);
      const file = statSync(path, { throwIfNoEntry: false });
      return file ? [[path, file] as const] : [];
    });
}

/** Root becomes the owner of the directory, or of what it will be created in. */
function assumeOwner(directory: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = nearest(resolve(directory));
  if (uid === 0) return;
  try {
    process.setgroups?.([gid]);
    process.setegid?.(gid);
    process.seteuid?.(uid);
  } catch (error) {
    const theirs = { directory, owner: nameOf(uid), error: errorText(error) };
    throw new StoreError("unusable", phrase("store.not_as_owner", theirs));
  }
}

/** The directory, or the nearest one above it that exists. */
function nearest(directory: string): FileOwnership {
  const above = dirname(directory);
  try {
    return statSync(directory);
  } catch (error) {
    if (above === directory) throw error;
    return nearest(above);
  }
}

function identity(): Identity {
  return {
    uid: process.geteuid?.() ?? 0,
    groups: [process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])],
  };
}

function nameOf(uid: number): Phrase {
  return uid === 0 ? said("root") : phrase("store.user", { uid });
}

export const LOCK_FILE = "bendre.lock";

/**
 * Locks the data directory for as long as something is read, so that nobody writes meanwhile, and makes no file: where there is
 * none to lock, no process has the directory. On a file that cannot be written the lock is a shared one, which excludes a
 * writer's.
 */
export function lockToRead(directory: string): () => void {
  return existsSync(join(directory, LOCK_FILE)) ? lockDirectory(directory) : () => {};
}

/**
 * Locks the data directory for this process, or reports that another one has it. The lock is the operating system's, held on a
 * file of its own, so it is gone with the process however that ends. Nobody else may open the file: whoever can read one can lock
 * it.
 */
export function lockDirectory(directory: string, openDatabase: OpenDatabase = openOnDisk): () => void {
  const path = join(directory, LOCK_FILE);
  let lock: Database | null = null;
  try {
    lock = openDatabase(path, { create: true, readwrite: true });
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(errorText(error))) {
      throw new StoreError("locked", phrase("store.locked", { directory }));
    }
    throw new StoreError("unusable", phrase("store.not_lockable", { directory, error: errorText(error) }));
  }
}

// How a restored database replaces the old one: whole or not at all, whenever the machine dies. It is made in a directory of its own, and
// from the moment that this is called `restored` it is the data; what is left to do then is done by whoever opens the directory next.

/** The directory it is made in: worth nothing until it is renamed. */
export const RESTORING = "restoring";
const RESTORED = "restored";
/** Names the directory that the replaced data are moved to; gone once that is done. */
export const REPLACES_FILE = "replaces";

/** Whether a file of a data directory is data: the database with its log, the keys, and what the console keeps of the configuration. */
export function isData(name: string): boolean {
  return (
    name === DATABASE_FILE ||
    name.startsWith(`${DATABASE_FILE}-`) ||
    name.startsWith("console.toml") ||
    name.endsWith(".key")
  );
}

/** Makes the restored data the data from here on. Everything in it must be on the disk. */
export function commitRestore(directory: string, syncPath: SyncPath = syncOnDisk): void {
  renameSync(join(directory, RESTORING), join(directory, RESTORED));
  syncPath(directory);
}

/** Whether a restore was interrupted, so that what it made must take its place before anything is read. */
export function isRestorePending(directory: string): boolean {
  return existsSync(join(directory, RESTORED));
}

/** Finishes an interrupted restore: completes it, or deletes what was not whole. Under the lock of the directory. */
export function finishRestore(directory: string, syncPath: SyncPath = syncOnDisk): void {
  const draft = join(directory, RESTORING);
  if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
  const from = join(directory, RESTORED);
  if (!existsSync(from)) return;
  const marker = join(from, REPLACES_FILE);
  if (existsSync(marker)) {
    const aside = readFileSync(marker, "utf8");
    moveData(directory, aside, syncPath);
    rmSync(marker);
    syncPath(from);
  }
  moveData(from, directory, syncPath);
  rmSync(from, { recursive: true });
  syncPath(directory);
}

/** Moves data from one directory to another; the database last, so that it is never there without its keys. */
function moveData(from: string, to: string, syncPath: SyncPath): void {
  const names = readdirSync(from).filter(isData);
  for (const name of names.filter((each) => each !== DATABASE_FILE)) {
    renameSync(join(from, name), join(to, name));
  }
  syncPath(to);
  if (names.includes(DATABASE_FILE)) renameSync(join(from, DATABASE_FILE), join(to, DATABASE_FILE));
  syncPath(to);
  syncPath(from);
}
