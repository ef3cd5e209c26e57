import { userInfo } from "node:os";
import type { Io } from "./io.ts";

/** Who types, for the audit list: the person behind sudo if there is one, else the system's user. */
export function actorOf(env: Io["env"]): string {
  const behind = env.SUDO_USER;
  if (behind !== undefined && behind !== "") return behind;
  // The runtime says "unknown" for a user without a name, as in many containers.
  const { username, uid } = userInfo();
  return username === "" || username === "unknown" ? `uid ${uid}` : username;
}
