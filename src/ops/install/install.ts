/**
 * Installs the appliance under systemd: executable, unit, user, configuration, data directory.
 *
 * What a person may have changed is never overwritten; run again, it updates the executable and an unedited unit
 * (docs/administration.md#installing). `layout.ts` has the paths, `system.ts` what is asked of the system; the unit stands below.
 */

import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { PhrasedError, toReason } from "../../core/phrased-error.ts";
import { syncOnDisk } from "../../db/disk.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Layout, layoutBelow } from "./layout.ts";
import type { InstallSystem } from "./system.ts";

export type InstallOptions = {
  /** Null: this machine. With another root no user is made and nothing is started. */
  readonly root: string | null;
  readonly user: string;
  /** The executable to install. */
  readonly executable: string;
  /** The example that a new configuration starts from. */
  readonly config: string;
};

export type InstallView = {
  readonly files: readonly Placed[];
  /** The commands to run next, in order. */
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

/** Stops the service and removes what `install` placed, except configuration, data and their user. */
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

/** The user's ids; creates a missing user. @throws when it cannot be created. */
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

/** The example configuration, with the data directory where the unit may write. */
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

// Places files and directories, and reports what was done with each.

/** `kept`: it existed and was left as it is. */
type Placed = { readonly path: string; readonly done: "created" | "updated" | "unchanged" | "kept" };

type Owner = { readonly uid: number; readonly gid: number };

/** Creates a directory with mode and owner (null: the current user); an existing one is left as it is. */
function placeDirectory(path: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  makeAbove(path);
  mkdirSync(path);
  settle(path, mode, owner);
  return { path, done: "created" };
}

/** Creates a file that a person may edit; an existing one is left as it is. */
function placeOnce(path: string, text: string, mode: number, owner: Owner | null = null): Placed {
  if (existsSync(path)) return { path, done: "kept" };
  put(path, mode, owner, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: "created" };
}

/** Creates or updates a file, unless `isOurs` says that the existing text was edited. */
function placeText(path: string, text: string, isOurs: (present: string) => boolean): Placed {
  const present = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (present === text) return { path, done: "unchanged" };
  if (present !== null && !isOurs(present)) return { path, done: "kept" };
  put(path, 0o644, null, (to) => writeFileSync(to, text, { mode: 0o600, flag: "wx" }));
  return { path, done: present === null ? "created" : "updated" };
}

/** Copies an executable; a running process keeps the old one. */
function placeExecutable(path: string, from: string): Placed {
  const isThere = existsSync(path);
  if (isThere && readFileSync(path).equals(readFileSync(from))) return { path, done: "unchanged" };
  put(path, 0o755, null, (to) => copyFileSync(from, to));
  return { path, done: isThere ? "updated" : "created" };
}

/** Writes a draft beside the path and renames it, so that the file is never partial. */
function put(path: string, mode: number, owner: Owner | null, write: (to: string) => void): void {
  makeAbove(path);
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  try {
    write(beside);
    settle(beside, mode, owner);
    syncOnDisk(beside);
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
  syncOnDisk(dirname(path));
}

/** Sets owner, then mode: a change of owner clears bits of the mode. */
function settle(path: string, mode: number, owner: Owner | null): void {
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
  chmodSync(path, mode);
}

/** Creates the parent directories with the system's usual mode, whatever the umask is. */
function makeAbove(path: string): void {
  const above = dirname(path);
  if (existsSync(above)) return;
  makeAbove(above);
  mkdirSync(above);
  chmodSync(above, 0o755);
}

// The systemd unit, and whether one that is there was edited.

/** The first line of a unit: a digest of everything below it. */
const SEAL = /^# bendre install: ([0-9a-f]{64})\n/;

/** The unit for an executable at `executable` that runs as `user`, sealed with a digest of itself. */
export function unitText(executable: string, user: string): string {
  const body = unitBody(executable, user);
  return `# bendre install: ${digestOf(body)}\n${body}`;
}

/** Whether a unit is unedited since some version wrote it. */
function isUnedited(unit: string): boolean {
  const digest = SEAL.exec(unit)?.[1];
  return digest !== undefined && digest === digestOf(unit.replace(SEAL, ""));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The sysusers.d(5) entry of the user. */
export function sysusersText(user: string): string {
  return `u ${user} - "Bendre, bulk SMS appliance" /var/lib/bendre /usr/sbin/nologin\n`;
}

function unitBody(executable: string, user: string): string {
  return `# Settings of your own belong into a file beside it: systemctl edit bendre. They stay when this file is brought up to date.
# Examples: ReadWritePaths=/mnt/backup for backup.copy_to, AmbientCapabilities=CAP_NET_BIND_SERVICE together with
# CapabilityBoundingSet=CAP_NET_BIND_SERVICE and PrivateUsers=no for a port below 1024.
[Unit]
Description=Bendre, bulk SMS appliance
Wants=network-online.target
After=network-online.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=notify
User=${user}
Group=${user}
Environment=BENDRE_CONFIG=/etc/bendre/config.toml
EnvironmentFile=-/etc/bendre/environment
UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
ExecStart=${executable} serve --config /etc/bendre/config.toml
ExecReload=${executable} config reload --config /etc/bendre/config.toml
StandardOutput=null
StandardError=journal
Restart=on-failure
RestartSec=5
# A newer executable has had the data: starting again does not help.
RestartPreventExitStatus=3
# The first start of a new version copies the data before it changes them, however long that takes.
TimeoutStartSec=infinity
TimeoutStopSec=15
WatchdogSec=60
LimitNOFILE=65536
# A dump of memory would hold passwords, keys and texts.
LimitCORE=0
UMask=0077
StateDirectory=bendre
StateDirectoryMode=0700
WorkingDirectory=/var/lib/bendre

# No MemoryDenyWriteExecute: it compiles as it runs.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
