/**
 * Which operator codes a receipt may belong to. Receipts are an SMSC account's (host, port, system_id): they come by
 * any of its sessions, whatever operator code the session or the message goes by (docs/behaviour.md#whose-receipts).
 * Operators that are or were bound to one account are a family, and so are those that share a member with it: a
 * receipt, and whatever waits for one, is looked up under all codes of the family.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** What an operator's connections bind to, as `smscAccount` writes it. */
type Membership = { readonly operator: string; readonly account: string };

/** The families among memberships: for each operator that is not alone its own code, then the others in order. Pure. */
export function deriveOperatorFamilies(
  memberships: readonly Membership[],
): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, Set<string>>();
  const byAccount = new Map<string, Set<string>>();
  for (const { operator, account } of memberships) {
    const own = families.get(operator) ?? new Set([operator]);
    const others = byAccount.get(account) ?? new Set<string>();
    const all = new Set([...own, ...others]);
    for (const code of all) families.set(code, all);
    for (const [known, codes] of byAccount) {
      if ([...codes].some((code) => all.has(code))) byAccount.set(known, all);
    }
    byAccount.set(account, all);
  }
  return new Map(
    [...families]
      .filter(([, codes]) => codes.size > 1)
      .map(([code, codes]) => [code, [code, ...[...codes].filter((other) => other !== code).sort()]]),
  );
}

const known = new WeakMap<Tx, ReadonlyMap<string, readonly string[]>>();

/** Every code that a receipt of this operator's sessions may belong to, its own first. */
export function operatorFamily(tx: Tx, operator: string): readonly string[] {
  let families = known.get(tx);
  if (!families) {
    const read = readFamilies(tx);
    tx.afterCommit(() => known.set(tx, read));
    families = read;
  }
  return families.get(operator) ?? [operator];
}

/**
 * One code that stands for all of a family: what a subscriber sends comes by any of its sessions too, so its parts are put
 * together, and its repetitions known, under this one.
 */
export function familyCode(tx: Tx, operator: string): string {
  const [code = operator] = [...operatorFamily(tx, operator)].sort();
  return code;
}

/** The families as they are in the database, an operator's earlier codes among them: for a single look. */
export function readFamilies(read: Reader): ReadonlyMap<string, readonly string[]> {
  return deriveOperatorFamilies(
    read.all<Membership>(
      `SELECT operator, account FROM operator_accounts
       UNION ALL SELECT old_code, 'renamed ' || new_code FROM operator_renames
       UNION ALL SELECT new_code, 'renamed ' || new_code FROM operator_renames`,
    ),
  );
}

/** How long receipts of what was sent before are expected of an account that an operator has left. */
const REMEMBERED_MS = 31 * 86_400_000;

/** Writes down what the configuration binds operators to, and since when it does not any more. */
export function rememberAccounts(tx: Tx, configured: readonly Membership[], nowMs: number): void {
  const wanted = JSON.stringify(configured);
  tx.run(
    `UPDATE operator_accounts SET left_at = ? WHERE left_at IS NULL AND NOT EXISTS
       (SELECT 1 FROM json_each(?) AS c WHERE c.value ->> 'operator' = operator AND c.value ->> 'account' = account)`,
    nowMs,
    wanted,
  );
  tx.run(
    `INSERT INTO operator_accounts (operator, account)
     SELECT DISTINCT value ->> 'operator', value ->> 'account' FROM json_each(?) WHERE true
     ON CONFLICT (operator, account) DO UPDATE SET left_at = NULL WHERE left_at IS NOT NULL`,
    wanted,
  );
  tx.run("DELETE FROM operator_accounts WHERE left_at < ?", nowMs - REMEMBERED_MS);
  forgetFamilies(tx);
}

/** The codes that the last configuration in force bound to accounts. */
export function configuredOperators(read: Reader): string[] {
  return read
    .all<{ operator: string }>("SELECT DISTINCT operator FROM operator_accounts WHERE left_at IS NULL")
    .map(({ operator }) => operator);
}

/** Whether unmatched receipts may belong to a code that they were not looked up under. */
export function hasUnswept(read: Reader): boolean {
  return read.get("SELECT 1 FROM operator_accounts WHERE is_swept = 0 LIMIT 1") !== null;
}

/** Notes that the unmatched receipts have been tried again with the families as they are. */
export function noteSwept(tx: Tx): void {
  tx.run("UPDATE operator_accounts SET is_swept = 1 WHERE is_swept = 0");
}

/** To be called when an operator is given another code: it has its earlier one's receipts, the unmatched ones too. */
function familiesChanged(tx: Tx): void {
  tx.run("UPDATE operator_accounts SET is_swept = 0");
  forgetFamilies(tx);
}

function forgetFamilies(tx: Tx): void {
  known.delete(tx);
  tx.afterCommit(() => known.delete(tx));
}

// Operators that were given another code. What waits is handed over by `operator rename`; records of the past keep the code that they were
// written under, so searches by operator ask for all codes of its family.

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

/** Forgets that codes were renamed or retired which are configured again: they are operators of their own. How many. */
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

/** Whether an operator is known by a segment that it accepted, or by what became of its code. */
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
