/**
 * An installation under systemd: executable, unit, user, configuration, data directory.
 *
 * Begin here. What a person may have changed is never overwritten; said again, it brings the executable and an unedited unit up to date
 * (docs/administration.md#installing). Where things go is in `layout`, what the unit says in `unit`.
 */
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
import { dirname, resolve } from "node:path";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { PhrasedError, toReason } from "../../core/told-error.ts";
import { syncOnDisk } from "../../db/sync-directory.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Layout, layoutBelow } from "./layout.ts";
import type { InstallSystem } from "./system.ts";
import { isUnedited, sysusersText, unitText } from "./unit.ts";

export type InstallOptions = {
  /** Null: this machine. Elsewhere no user is made and nothing is started. */
  readonly root: string | null;
  readonly user: string;
  /** The executable to install. */
  readonly executable: string;
  /** What a new configuration begins as: the example. */
  readonly config: string;
};

export type InstallView = {
  readonly files: readonly Placed[];
  /** The next commands, in their order. */
  readonly next: readonly string[];
};

export type UninstallView = {
  readonly removed: readonly string[];
  /** What is left for a person to keep or remove. */
  readonly kept: readonly string[];
};

/** Names that useradd(8) takes too. */
const USER = /^[a-z_][a-z0-9_-]{0,31}$/;

const ENVIRONMENT = `# Passwords that /etc/bendre/config.toml asks for as "\${NAME}", a line each: NAME=value
# systemd reads this file at each start.
`;

/** Installs. */
export function install(asked: InstallOptions, system: InstallSystem): AdminOutcome<InstallView> {
  const { root, user } = asked;
  if (!USER.test(user)) {
    return refuse("INVALID_NAME.system_user", { user });
  }
  const layout = layoutBelow(root === null ? "/" : resolve(root));
  const barred = reasonAgainst(layout, root, system);
  if (barred !== null) return barred;
  try {
    const files = [
      placeExecutable(layout.executable, asked.executable),
      placeText(layout.unit, unitText(layoutBelow("/").executable, user), isUnedited),
      placeText(layout.sysusers, sysusersText(user), (present) => /^u \S+ - "Bendre,.*\n$/.test(present)),
    ];
    const owner = root === null ? userFor(user, layout, system) : null;
    const group: Owner | null = owner && { uid: 0, gid: owner.gid };
    files.push(
      placeDirectory(layout.configDirectory, 0o755),
      placeOnce(layout.config, configFrom(asked.config), 0o640, group),
      placeOnce(layout.environment, ENVIRONMENT, 0o600),
      placeDirectory(layout.data, 0o700, owner),
    );
    if (root === null && system.hasSystemd()) must(system.run("systemctl", "daemon-reload"));
    return done({ files, next: nextCommands() });
  } catch (error) {
    return refuse("NOT_INSTALLED", { why: toReason(error) });
  }
}

/** Takes back what `install` brought, but for configuration, data and the user they belong to. The service is stopped first. */
export function uninstall(root: string | null, system: InstallSystem): AdminOutcome<UninstallView> {
  const layout = layoutBelow(root === null ? "/" : resolve(root));
  const barred = reasonAgainst(layout, root, system);
  if (barred !== null) return barred;
  const isHere = root === null && system.hasSystemd();
  try {
    if (isHere && existsSync(layout.unit))
      must(system.run("systemctl", "disable", "--now", "bendre.service"));
    const removed = [layout.unit, layout.sysusers, layout.executable].filter((path) => existsSync(path));
    for (const path of removed) rmSync(path);
    if (isHere) must(system.run("systemctl", "daemon-reload"));
    const kept = [layout.configDirectory, layout.data].filter((path) => existsSync(path));
    return done({ removed, kept });
  } catch (error) {
    return refuse("NOT_INSTALLED.kept", { why: toReason(error) });
  }
}

function reasonAgainst(layout: Layout, root: string | null, system: InstallSystem) {
  if (root === null && !system.isRoot()) return refuse("NOT_INSTALLED.not_root");
  return existsSync(layout.packagedUnit)
    ? refuse("NOT_INSTALLED.package", { unit: layout.packagedUnit })
    : null;
}

/** The user's ids; it is made where it is not there. @throws when it cannot be. */
function userFor(user: string, layout: Layout, system: InstallSystem): Owner {
  const present = system.idsOf(user);
  if (present !== null) return present;
  if (system.run("systemd-sysusers", layout.sysusers) !== null) {
    const words = [
      "--system",
      "--user-group",
      "--home-dir",
      layout.data,
      "--shell",
      "/usr/sbin/nologin",
      user,
    ];
    must(system.run("useradd", ...words));
  }
  const made = system.idsOf(user);
  if (made === null) throw new PhrasedError(phrase("fault.install.no_user", { user }));
  return made;
}

/** The example, with the data where the unit may write. */
function configFrom(example: string): string {
  return example.replace(/^directory = "\.\/data"$/m, `directory = "${layoutBelow("/").data}"`);
}

function nextCommands(): readonly string[] {
  const { config, environment } = layoutBelow("/");
  return [
    `sudo nano ${config} ${environment}`,
    `sudo bendre config check --no-secrets --config ${config}`,
    "sudo systemctl enable --now bendre",
  ];
}

function must(failure: Phrase | null): void {
  if (failure !== null) throw new PhrasedError(failure);
}

// Puts single files and directories in their places; says what became of each.

/** `kept`: it was there, and is left as it is. */
type Placed = { readonly path: string; readonly done: "created" | "updated" | "unchanged" | "kept" };

type Owner = { readonly uid: number; readonly gid: number };

/** A directory of a mode and an owner, null for whoever runs this. One that is there is left as it is. */
function placeDirectory(path: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  makeAbove(path);
  mkdirSync(path);
  settle(path, mode, owner);
  return { path, done: "created" };
}

/** A file that is a person's to change: one that is there is left as it is. */
function placeOnce(path: string, text: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  put(path, mode, owner, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: "created" };
}

/** A file that is ours to bring up to date, but where `isOurs` says of what is there that it is not. */
function placeText(path: string, text: string, isOurs: (present: string) => boolean): Placed {
  const present = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (present === text) return { path, done: "unchanged" };
  if (present !== null && !isOurs(present)) return { path, done: "kept" };
  put(path, 0o644, null, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: present === null ? "created" : "updated" };
}

/** A copy of an executable. One that runs there goes on with what it had. */
function placeExecutable(path: string, from: string): Placed {
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
