/** Numbers that were erased: what stands in their place, and what they are still sent nothing of. */
import type { ErasedNumber, NumberMatcher } from "../../core/sought-number.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { WrittenEntry } from "./audit.ts";
import type { MessageClass } from "./classes.ts";

/** Said where it is. */
export const ERASURE_KEY_MISSING =
  "the key of erased numbers is missing: those that are suppressed are not recognised, and are sent to again";

/** Whether suppressions are of numbers that were erased, and the key that tells them is not there. */
export function isErasureKeyMissing(read: Reader, hasKey: boolean): boolean {
  return !hasKey && areSomeErased(read);
}

/** Whether any suppression is of a number that was erased: of most appliances none is, and nothing is hashed. */
function areSomeErased(read: Reader): boolean {
  const row = read.known<{ some: number }>("SELECT EXISTS (SELECT 1 FROM erased_suppressions) AS some");
  return row?.some === 1;
}

/** Whether a number that was erased is on one of two lists for a class. */
export function isSuppressedByName(
  read: Reader,
  lists: readonly [number, number],
  msisdn: string,
  messageClass: MessageClass,
): boolean {
  if (!areSomeErased(read)) return false;
  const name = read.nameOf(msisdn);
  if (name === null) return false;
  const sql = `SELECT 1 FROM erased_suppressions
    WHERE (account_id = ? OR account_id = ?) AND number_name = ? AND message_class = ?`;
  return read.get(sql, ...lists, name, messageClass) !== null;
}

/** For which classes a number is on a list by its name. */
export function classesByName(read: Reader, accountId: number, msisdn: string): MessageClass[] {
  const name = areSomeErased(read) ? read.nameOf(msisdn) : null;
  if (name === null) return [];
  const sql =
    "SELECT message_class AS name FROM erased_suppressions WHERE account_id = ? AND number_name = ?";
  return read.all<{ name: MessageClass }>(sql, accountId, name).map((row) => row.name);
}

export type ListedByName = {
  readonly accountId: number;
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  /** Null: whatever brought it there. */
  readonly source: string | null;
};

/** Takes a number off a list for a class by its name; whether it was on it. */
export function removeByName(tx: Tx, { accountId, msisdn, messageClass, source }: ListedByName): boolean {
  const name = areSomeErased(tx) ? tx.nameOf(msisdn) : null;
  if (name === null) return false;
  const sql = `DELETE FROM erased_suppressions WHERE account_id = $accountId AND number_name = $name
    AND message_class = $messageClass AND ($source IS NULL OR source = $source)`;
  return tx.run(sql, { accountId, name, messageClass, source }) > 0;
}

/** How many suppressions of a list are of numbers that were erased. */
export function countErased(read: Reader, accountId: number): number {
  const sql = "SELECT count(*) AS n FROM erased_suppressions WHERE account_id = ?";
  return read.get<{ n: number }>(sql, accountId)?.n ?? 0;
}

/** Puts the name in place of the number on some lists; how many suppressions. Their notes go: they tell of a person. */
export function eraseSuppressions(
  tx: Tx,
  { msisdn, name }: ErasedNumber,
  accountIds: readonly number[],
): number {
  let erased = 0;
  for (const accountId of accountIds) {
    tx.run(
      `INSERT INTO erased_suppressions (account_id, number_name, message_class, source, created_at)
       SELECT account_id, $name, message_class, source, created_at FROM suppressions
       WHERE account_id = $accountId AND msisdn = $msisdn ON CONFLICT DO NOTHING`,
      { accountId, msisdn, name },
    );
    erased += tx.run("DELETE FROM suppressions WHERE account_id = ? AND msisdn = ?", accountId, msisdn);
  }
  return erased;
}

/** Takes a number out of entries of the audit list; how many. A note beside it goes: it tells of a person. */
export function eraseEntries(
  tx: Tx,
  number: NumberMatcher,
  { name }: ErasedNumber,
  entries: readonly WrittenEntry[],
): number {
  let erased = 0;
  for (const { id, subject, detail } of entries)
    erased += tx.run(
      `UPDATE audit_entries SET subject = ?1, detail = json_remove(?2, '$.note') WHERE id = ?3`,
      number.replaceIn(subject, name),
      number.replaceIn(detail, name),
      id,
    );
  return erased;
}
