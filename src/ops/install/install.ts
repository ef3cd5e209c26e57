/**
 * An installation under systemd: executable, unit, user, configuration, data directory.
 *
 * Begin here. What a person may have changed is never overwritten; said again, it brings the executable and an unedited unit up to date
 * (docs/administration.md#installing). Where things go is in `layout`, what the unit says in `unit`.
 */
import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { ToldError, whyOf } from "../../core/told-error.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Layout, layoutBelow } from "./layout.ts";
import { type Owner, type Placed, placeDirectory, placeExecutable, placeOnce, placeText } from "./placing.ts";
import type { InstallSystem } from "./system.ts";
import { isUnedited, sysusersText, unitText } from "./unit.ts";

export type InstallAsked = {
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
export function install(asked: InstallAsked, system: InstallSystem): AdminOutcome<InstallView> {
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
    return refuse("NOT_INSTALLED", { why: whyOf(error) });
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
    return refuse("NOT_INSTALLED.kept", { why: whyOf(error) });
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
  if (made === null) throw new ToldError(phrase("fault.install.no_user", { user }));
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
  if (failure !== null) throw new ToldError(failure);
}
