/**
 * Whether `console.toml` is what the audit list says: each change of it is recorded with a digest of what it left. What it is otherwise was
 * written by hand, or its record was lost with the machine.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_FILE } from "../../config/console-file.ts";
import { systemErrorCode } from "../../core/log.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { newestAudit, recordAudit } from "../../domain/accounts/audit.ts";

/** The file as it was before the last change. */
export const PREVIOUS_FILE = `${CONSOLE_FILE}.previous`;

/** What is recorded of a change of the file: the actions that have a digest. */
export const CONSOLE_ACTIONS = {
  change: "settings change",
  undo: "settings undo",
  found: "settings found",
} as const;

/** Who records what nobody is known to have done. */
const NOBODY = "bendre";

/** By which a state of the file is known. */
export function consoleDigest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** The digest of the file, where the newest record has another; undefined where it has that one. Null: there is no file. */
export function unrecordedDigest(read: Reader, directory: string): string | null | undefined {
  const path = join(directory, CONSOLE_FILE);
  // Where nothing was ever written nothing is looked up.
  if (!existsSync(path) && !existsSync(join(directory, PREVIOUS_FILE))) return undefined;
  const present = digestAt(path);
  const recorded = newestAudit(read, Object.values(CONSOLE_ACTIONS))?.digest ?? null;
  return present === recorded ? undefined : present;
}

/** Records a state of the file that no entry tells of. */
export function noteConsoleFile(tx: Tx, directory: string, nowMs: number): void {
  const digest = unrecordedDigest(tx, directory);
  if (digest === undefined) return;
  const subject = join(directory, CONSOLE_FILE);
  recordAudit(tx, { atMs: nowMs, actor: NOBODY, action: CONSOLE_ACTIONS.found, subject, detail: { digest } });
}

/** Undefined where it cannot be read: then nobody knows. */
function digestAt(path: string): string | null | undefined {
  try {
    return consoleDigest(readFileSync(path));
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? null : undefined;
  }
}
