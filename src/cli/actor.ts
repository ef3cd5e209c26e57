/** Who types a command, for the list of recorded changes. */
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { parseWhole } from "../core/parse-number.ts";
import type { Io } from "./terminal.ts";

/** What the system knows of this process's user. */
export type SystemUser = {
  readonly uid: number;
  /** The user who logged in, whatever was done since (proc(5), loginuid); null where nobody did. */
  readonly loginUid: number | null;
  /** The name of a user; null where the system's list has none. */
  readonly nameOf: (uid: number) => string | null;
};

/**
 * Who types, for the audit list: the person behind sudo or su where there is one, else the user. It is a claim: whoever
 * may run commands on the data directory, which the files' modes alone decide, may claim any name.
 */
export function deriveActor(env: Io["env"], user: SystemUser = systemUser()): string {
  if (env.SUDO_USER) return env.SUDO_USER;
  const sudoUid = /^\d+$/.test(env.SUDO_UID ?? "") ? Number(env.SUDO_UID) : null;
  const uid = sudoUid ?? (user.loginUid === 0 ? null : user.loginUid) ?? user.uid;
  return user.nameOf(uid) ?? `uid ${uid}`;
}

/** What loginuid says where nobody logged in. */
const NOBODY = 4_294_967_295;

function systemUser(): SystemUser {
  const loginUid = parseWhole(textOf("/proc/self/loginuid")?.trim());
  return {
    uid: userInfo().uid,
    loginUid: loginUid === NOBODY ? null : loginUid,
    nameOf: (uid) => findUserName(textOf("/etc/passwd") ?? "", uid),
  };
}

/** The name of a user in the text of passwd(5). */
export function findUserName(passwd: string, uid: number): string | null {
  for (const line of passwd.split("\n")) {
    const [name, , id] = line.split(":");
    if (name && id === String(uid)) return name;
  }
  return null;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
