import { userInfo } from "node:os";
import type { Io } from "./io.ts";

/** Who types, for the audit list: the person behind sudo if there is one, else the system's user. */
export function actorOf(env: Io["env"]): string {
  const behind = env.SUDO_USER;
  if (behind !== undefined && behind !== "") return behind;
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in many containers.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
