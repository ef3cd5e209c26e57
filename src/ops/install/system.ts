/** What an installation asks of the system besides its files: who runs it, the users, the service manager. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { parseWhole } from "../../core/parse-number.ts";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";

export type InstallSystem = {
  readonly isRoot: () => boolean;
  /** The ids of a user; null where there is none. */
  readonly idsOf: (user: string) => { readonly uid: number; readonly gid: number } | null;
  /** Whether systemd runs this machine. */
  readonly hasSystemd: () => boolean;
  /** Runs a program to its end: what it said when it failed or is not there, null when it was done. */
  readonly run: (program: string, ...words: readonly string[]) => Phrase | null;
};

export const installSystem: InstallSystem = {
  isRoot: () => process.getuid?.() === 0,
  idsOf: (user) => {
    for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
      const [name, , ...ids] = line.split(":");
      const [uid, gid] = ids.slice(0, 2).map((id) => parseWhole(id));
      // An empty id is not root's.
      if (name === user) return uid == null || gid == null ? null : { uid, gid };
    }
    return null;
  },
  hasSystemd: () => existsSync("/run/systemd/system"),
  run: (program, ...words) => {
    const { status, stderr, error } = spawnSync(program, words, { encoding: "utf8" });
    if (error) return said(error.message);
    if (status === 0) return null;
    const told = stderr.trim();
    return told === "" ? phrase("fault.install.ended", { program, status: String(status) }) : said(told);
  },
};
