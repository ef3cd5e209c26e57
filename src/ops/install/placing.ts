/** Puts single files and directories in their places; says what became of each. */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { syncOnDisk } from "../../db/sync-directory.ts";

/** `kept`: it was there, and is left as it is. */
export type Placed = { readonly path: string; readonly done: "created" | "updated" | "unchanged" | "kept" };

export type Owner = { readonly uid: number; readonly gid: number };

/** A directory of a mode and an owner, null for whoever runs this. One that is there is left as it is. */
export function placeDirectory(path: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  makeAbove(path);
  mkdirSync(path);
  settle(path, mode, owner);
  return { path, done: "created" };
}

/** A file that is a person's to change: one that is there is left as it is. */
export function placeOnce(path: string, text: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  put(path, mode, owner, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: "created" };
}

/** A file that is ours to bring up to date, but where `isOurs` says of what is there that it is not. */
export function placeText(path: string, text: string, isOurs: (present: string) => boolean): Placed {
  const present = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (present === text) return { path, done: "unchanged" };
  if (present !== null && !isOurs(present)) return { path, done: "kept" };
  put(path, 0o644, null, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: present === null ? "created" : "updated" };
}

/** A copy of an executable. One that runs there goes on with what it had. */
export function placeExecutable(path: string, from: string): Placed {
  const isThere = existsSync(path);
  if (isThere && readFileSync(path).equals(readFileSync(from))) return { path, done: "unchanged" };
  put(path, 0o755, null, (to) => copyFileSync(from, to));
  return { path, done: isThere ? "updated" : "created" };
}

/** Writes beside the place and moves there: at no time is half a file in it. */
function put(path: string, mode: number, owner: Owner | null, write: (to: string) => void): void {
  makeAbove(path);
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  try {
    write(beside);
    settle(beside, mode, owner);
    sync(beside);
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
  syncOnDisk(dirname(path));
}

/** The owner first: a change of owner takes bits of the mode away. */
function settle(path: string, mode: number, owner: Owner | null): void {
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
  chmodSync(path, mode);
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The directories above, as the system has them, whatever the umask is. */
function makeAbove(path: string): void {
  const above = dirname(path);
  if (existsSync(above)) return;
  makeAbove(above);
  mkdirSync(above);
  chmodSync(above, 0o755);
}
