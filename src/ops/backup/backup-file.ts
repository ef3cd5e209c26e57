/** Files of backups: what they are called, and how one appears whole or not at all. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isoUtc } from "../../core/clock.ts";
import { systemErrorCode } from "../../core/log.ts";
import { syncOnDisk } from "../../db/disk.ts";

/** What a backup is called that is given no name: by when it was made, UTC. */
export function backupName(madeAtMs: number): string {
  return `bendre-${isoUtc(madeAtMs).replace(/[-:]/g, "").replace(/\.\d+/, "")}.db`;
}

const BY_TIME = /^bendre-\d{8}T\d{6}Z\.db$/;

/** Whether a file is called as a backup that was given no name. */
export function hasTimestampName(name: string): boolean {
  return BY_TIME.test(name);
}

/** What SQLite may keep beside a draft that it writes (sqlite.org/tempfiles.html). */
const BESIDE = ["", "-journal", "-wal", "-shm"];

/** Whether a file is a draft of one, or stands beside a draft. */
export function isDraftFile(name: string): boolean {
  return BESIDE.some((suffix) => name.endsWith(`.draft${suffix}`));
}

/** Where backups go: the directory of the configuration, or the one in the data directory. */
export function backupDirectory(config: {
  readonly storage: { readonly directory: string };
  readonly backup: { readonly directory: string };
}): string {
  return config.backup.directory === "" ? join(config.storage.directory, "backups") : config.backup.directory;
}

/** The file is there already. */
export class FileExists extends Error {
  override name = "FileExists";
}

/**
 * Makes a file by `fill`, which writes into an empty draft beside it that is its owner's alone. It has its name once it is whole and on
 * the disk; one that is there already is left as it is. What is left behind by a crash is a draft, which the next one replaces.
 * @throws FileExists, or what `fill` and the system say; then no draft is left.
 */
export function makeFile(path: string, fill: (draft: string) => void): void {
  if (existsSync(path)) throw new FileExists(path);
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  try {
    closeSync(openSync(draft, "wx", 0o600));
    fill(draft);
    chmodSync(draft, 0o600);
    syncOnDisk(draft);
    publish(draft, path);
    syncOnDisk(directory);
  } finally {
    for (const suffix of BESIDE) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** Copies a file into another that is its owner's alone; shares the blocks where the file system can. */
export function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

/** Of file systems without hard links, such as those of Windows. */
const NO_LINKS = /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EINVAL)$/;

/** Gives a file its name, unless another has it. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST" || existsSync(path)) throw new FileExists(path);
    if (!NO_LINKS.test(code)) throw error;
    renameSync(draft, path);
  }
}
