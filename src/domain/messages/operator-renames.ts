/**
 * Operators that were given another code. What waits is handed over by `operator rename`; what tells of the past
 * keeps the code that it was written under, so whoever looks for it by operator asks for all codes of its family.
 */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { familiesChanged } from "./operator-family.ts";

/** Notes that the operator `oldCode` goes by `newCode` from this commit on. Chains are kept flat: each old code leads to the last. */
export function recordOperatorRename(tx: Tx, oldCode: string, newCode: string, nowMs: number): void {
  tx.run("DELETE FROM operator_renames WHERE old_code = ?", newCode);
  tx.run("DELETE FROM operators_retired WHERE code IN (?, ?)", oldCode, newCode);
  tx.run("UPDATE operator_renames SET new_code = ? WHERE new_code = ?", newCode, oldCode);
  tx.run(
    `INSERT INTO operator_renames (old_code, new_code, renamed_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (old_code) DO UPDATE SET new_code = ?2, renamed_at = ?3`,
    oldCode,
    newCode,
    nowMs,
  );
  familiesChanged(tx);
}

/** Forgets that codes were renamed or retired which are configured again: they stand for themselves. How many. */
export function unretireCodes(tx: Tx, configured: readonly string[]): number {
  let revived = 0;
  for (const code of configured) {
    revived += tx.run("DELETE FROM operator_renames WHERE old_code = ?", code);
    revived += tx.run("DELETE FROM operators_retired WHERE code = ?", code);
  }
  if (revived > 0) familiesChanged(tx);
  return revived;
}

/** Notes that an operator is not coming back: from this commit on whatever waits for it is to be given up. */
export function recordOperatorRetired(tx: Tx, code: string, nowMs: number): void {
  tx.run(
    "INSERT INTO operators_retired (code, retired_at) VALUES (?, ?) ON CONFLICT (code) DO NOTHING",
    code,
    nowMs,
  );
}

export function isRetired(read: Reader, code: string): boolean {
  return read.get("SELECT 1 FROM operators_retired WHERE code = ?", code) !== null;
}

/** The code that an operator goes by today: `code` itself where it was never renamed. */
export function resolveOperatorCode(read: Reader, code: string): string {
  const renamed = read.get<{ code: string }>(
    "SELECT new_code AS code FROM operator_renames WHERE old_code = ?",
    code,
  );
  return renamed?.code ?? code;
}

/** The codes that an operator had before. */
export function formerCodes(read: Reader, code: string): string[] {
  return read
    .all<{ code: string }>("SELECT old_code AS code FROM operator_renames WHERE new_code = ?", code)
    .map((row) => row.code);
}

/** Whether a segment that it accepted tells of an operator, or what became of its code. */
export function isOperatorKnown(read: Reader, code: string): boolean {
  return (
    read.get(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM operator_renames WHERE old_code = ?1)
         OR EXISTS (SELECT 1 FROM operators_retired WHERE code = ?1)
         OR EXISTS (SELECT 1 FROM parts WHERE operator = ?1)`,
      code,
    ) !== null
  );
}
