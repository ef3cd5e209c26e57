import { readFileSync, statSync } from "node:fs";
import { parseVariables } from "../config/environment-file.ts";
import { layoutBelow } from "../ops/install/layout.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the service is given by its unit. */
const SERVICES_FILE = layoutBelow("/").environment;

/** For whom it is read, and where it lies; a test names others. */
export type Reading = { readonly uid: number; readonly path: string };

/**
 * The environment of a command. Root's has the variables that the service is given too, so that a command finds the passwords that the
 * configuration asks for; what is set already stays. A file that others than root may write says nothing.
 */
export function withServices(
  env: Env,
  { uid, path }: Reading = { uid: process.getuid?.() ?? -1, path: SERVICES_FILE },
): Env {
  if (uid !== 0) return env;
  try {
    const file = statSync(path);
    if (file.uid !== process.getuid?.() || (file.mode & 0o022) !== 0) return env;
    return { ...Object.fromEntries(parseVariables(readFileSync(path, "utf8"))), ...env };
  } catch {
    return env;
  }
}
