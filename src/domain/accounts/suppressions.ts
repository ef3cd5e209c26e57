/**
 * Suppressions: numbers that are sent no message of a class, on the list of one account, of its sandbox, or of the whole appliance
 * (`EVERYWHERE`) (docs/behaviour.md#suppression). `isSuppressed` and `findBar` answer the submission; administrators, opt-outs and Meta
 * add and remove entries.
 *
 * A number whose data was erased stays suppressed by a hash under a key that lies beside the database
 * (docs/administration.md#one-persons-data): it is recognised, and can be read from nothing.
 */
import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { isSandbox, toLiveId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { WrittenEntry } from "./audit.ts";
import { MESSAGE_CLASSES, type MessageClass } from "./message-class.ts";

/** The list that counts for every account, in place of an account's row id. */
export const EVERYWHERE = 0;

/**
 * How a number came on a list: an administrator by hand, a file, a word like STOP that the recipient sent, or what the recipient said in
 * WhatsApp itself, which Meta tells and takes back.
 */
export type SuppressionSource = "ADMIN" | "IMPORT" | "KEYWORD" | "META";

export const SUPPRESSION_SOURCES: readonly SuppressionSource[] = ["ADMIN", "IMPORT", "KEYWORD", "META"];

/** One number that is sent nothing of one class. */
export type Suppression = {
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  readonly source: SuppressionSource;
  readonly createdAtMs: number;
  readonly note: string | null;
};

/**
 * Whether a number is on the account's list for the class, or on the appliance-wide one (docs/behaviour.md#suppression). A sandbox has a
 * list of its own, and none else counts there (docs/behaviour.md#test-keys).
 */
export function isSuppressed(
  read: Reader,
  accountId: number,
  msisdn: string,
  messageClass: MessageClass,
): boolean {
  const listed = isSandbox(accountId) ? isOnListOf("?1") : IS_SUPPRESSED;
  const row = read.get<{ found: number }>(`SELECT ${listed} AS found`, accountId, msisdn, messageClass);
  return row?.found === 1 || isSuppressedByName(read, listsFor(accountId), msisdn, messageClass);
}

/** The lists that count for an account, or for a sandbox. */
function listsFor(accountId: number): readonly [number, number] {
  return [isSandbox(accountId) ? accountId : EVERYWHERE, accountId];
}

/**
 * Whether a number, `?2`, is on the list of the account `?1` or on that for everybody, for the class `?3`. A list of the two accounts
 * would be a table that SQLite builds at each run.
 */
const IS_SUPPRESSED = `(${isOnListOf(String(EVERYWHERE))} OR ${isOnListOf("?1")})`;

function isOnListOf(account: string): string {
  return `EXISTS (SELECT 1 FROM suppressions WHERE account_id = ${account} AND msisdn = ?2 AND message_class = ?3)`;
}

/** Why nothing may leave for a number by an account: the account is suspended, or the number on a list. */
type Bar = "SUSPENDED" | "SUPPRESSED";

/** What bars a message of the account to the number at this moment; null for nothing. */
export function findBar(
  read: Reader,
  accountId: number,
  msisdn: string,
  messageClass: MessageClass,
): Bar | null {
  if (isSandbox(accountId)) {
    if (!isActive(read, toLiveId(accountId))) return "SUSPENDED";
    return isSuppressed(read, accountId, msisdn, messageClass) ? "SUPPRESSED" : null;
  }
  const bar = barByNumber(read, accountId, msisdn, messageClass);
  if (bar !== null) return bar;
  return isSuppressedByName(read, listsFor(accountId), msisdn, messageClass) ? "SUPPRESSED" : null;
}

function isActive(read: Reader, accountId: number): boolean {
  return read.known("SELECT 1 FROM accounts WHERE id = ? AND status = 'ACTIVE'", accountId) !== null;
}

function barByNumber(
  read: Reader,
  accountId: number,
  msisdn: string,
  messageClass: MessageClass,
): Bar | null {
  const row = read.get<{ isActive: number; isSuppressed: number }>(
    `SELECT status = 'ACTIVE' AS isActive, ${IS_SUPPRESSED} AS isSuppressed FROM accounts WHERE id = ?1`,
    accountId,
    msisdn,
    messageClass,
  );
  if (row?.isActive !== 1) return "SUSPENDED";
  return row.isSuppressed === 1 ? "SUPPRESSED" : null;
}

/** Numbers to put on a list. `messageClass` null: every class. */
type NewSuppression = {
  /** An account's row id, or EVERYWHERE. */
  readonly accountId: number;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly messageClass: MessageClass | null;
  readonly source: SuppressionSource;
  readonly note: string | null;
};

/**
 * Puts a number on a list; how many classes are new. The recipient's own word, what Meta told and what an administrator said stand
 * apart; what stands there already keeps its date and note, and an administrator adds nothing to the recipient's own word.
 */
export function addSuppression(tx: Tx, suppression: NewSuppression, nowMs: number): number {
  let added = 0;
  for (const messageClass of classesOf(suppression.messageClass)) {
    added += tx.run(
      `INSERT INTO suppressions (account_id, msisdn, message_class, source, created_at, note)
       SELECT $accountId, $msisdn, $messageClass, $source, $nowMs, $note
       WHERE $source = 'META' OR $source = 'KEYWORD' OR NOT EXISTS (SELECT 1 FROM suppressions
         WHERE account_id = $accountId AND msisdn = $msisdn AND message_class = $messageClass AND source <> 'META')
       ON CONFLICT DO NOTHING`,
      { ...suppression, messageClass, nowMs },
    );
  }
  return added;
}

/**
 * Takes a number off a list, for one class or, with null, for all; how many classes it was on it for. `source`: only what came so; null:
 * all of it.
 */
export function removeSuppression(
  tx: Tx,
  accountId: number,
  msisdn: string,
  messageClass: MessageClass | null,
  source: SuppressionSource | null,
): number {
  let removed = 0;
  for (const one of classesOf(messageClass)) {
    const rows = tx.run(
      `DELETE FROM suppressions WHERE account_id = $accountId AND msisdn = $msisdn AND message_class = $one
         AND ($source IS NULL OR source = $source)`,
      { accountId, msisdn, one, source },
    );
    const isNamed = removeByName(tx, { accountId, msisdn, messageClass: one, source });
    if (rows > 0 || isNamed) removed += 1;
  }
  return removed;
}

/** For which classes a number is on exactly this list, the most urgent first. */
export function suppressedClasses(read: Reader, accountId: number, msisdn: string): MessageClass[] {
  const rows = read.all<{ name: MessageClass }>(
    "SELECT message_class AS name FROM suppressions WHERE account_id = ? AND msisdn = ?",
    accountId,
    msisdn,
  );
  const names = new Set([...rows.map(({ name }) => name), ...classesByName(read, accountId, msisdn)]);
  return MESSAGE_CLASSES.filter((known) => names.has(known));
}

/**
 * The next `limit` numbers of one list after `afterMsisdn`, in the order of the text of the number; "" begins. A
 * number comes with all its classes and sources, so that the last one of a page is where the next page begins.
 */
export function readSuppressions(
  read: Reader,
  accountId: number,
  afterMsisdn: string,
  limit: number,
): Suppression[] {
  const rows = read.all<Suppression>(
    `SELECT msisdn, message_class AS messageClass, source, created_at AS createdAtMs, note FROM suppressions
     WHERE account_id = ? AND msisdn > ? ORDER BY msisdn, message_class, source LIMIT ?`,
    accountId,
    afterMsisdn,
    limit * MESSAGE_CLASSES.length * SUPPRESSION_SOURCES.length,
  );
  return wholeNumbers(rows, limit, ({ msisdn }) => msisdn);
}

/** An entry with the list that it is of: an account's row id, or EVERYWHERE. */
type ListedSuppression = Suppression & { readonly accountId: number };

/** The same over the appliance-wide list and those of all accounts, one list after the other; not those of sandboxes. */
export function readAllSuppressions(
  read: Reader,
  after: Pick<ListedSuppression, "accountId" | "msisdn">,
  limit: number,
): ListedSuppression[] {
  const rows = read.all<ListedSuppression>(
    `SELECT account_id AS accountId, msisdn, message_class AS messageClass, source, created_at AS createdAtMs, note
     FROM suppressions WHERE (account_id, msisdn) > (?, ?)
     ORDER BY account_id, msisdn, message_class, source LIMIT ?`,
    after.accountId,
    after.msisdn,
    limit * MESSAGE_CLASSES.length * SUPPRESSION_SOURCES.length,
  );
  return wholeNumbers(rows, limit, ({ accountId, msisdn }) => `${accountId} ${msisdn}`);
}

/** The rows of the first `limit` numbers; those of a number stand together. */
function wholeNumbers<Row>(rows: Row[], limit: number, numberOf: (row: Row) => string): Row[] {
  let numbers = 0;
  let last = "";
  const end = rows.findIndex((row) => {
    const number = numberOf(row);
    if (number !== last) numbers += 1;
    last = number;
    return numbers > limit;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** What every list says of a number: that for everybody, and those of these accounts. */
export function suppressionsAbout(
  read: Reader,
  msisdn: string,
  accountIds: readonly number[],
): (Suppression & { readonly accountId: number })[] {
  return [EVERYWHERE, ...accountIds].flatMap((accountId) =>
    read.all<Suppression & { accountId: number }>(
      `SELECT account_id AS accountId, msisdn, message_class AS messageClass, source, created_at AS createdAtMs, note
       FROM suppressions WHERE account_id = ? AND msisdn = ?`,
      accountId,
      msisdn,
    ),
  );
}

function classesOf(messageClass: MessageClass | null): readonly MessageClass[] {
  return messageClass === null ? MESSAGE_CLASSES : [messageClass];
}

// Numbers that were erased: what stands in their place, and what they are still not sent.

/** Shown where the key is missing. */
export const ERASURE_KEY_MISSING =
  "the key of erased numbers is missing: those that are suppressed are not recognised, and are sent to again";

/** Whether there are suppressions of erased numbers while the key that recognises them is missing. */
export function isErasureKeyMissing(read: Reader, hasKey: boolean): boolean {
  return !hasKey && areSomeErased(read);
}

/** Whether any suppression is of an erased number: most appliances have none, and nothing is hashed then. */
function areSomeErased(read: Reader): boolean {
  const row = read.known<{ some: number }>("SELECT EXISTS (SELECT 1 FROM erased_suppressions) AS some");
  return row?.some === 1;
}

/** Whether an erased number is on one of two lists for a class. */
function isSuppressedByName(
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
function classesByName(read: Reader, accountId: number, msisdn: string): MessageClass[] {
  const name = areSomeErased(read) ? read.nameOf(msisdn) : null;
  if (name === null) return [];
  const sql =
    "SELECT message_class AS name FROM erased_suppressions WHERE account_id = ? AND number_name = ?";
  return read.all<{ name: MessageClass }>(sql, accountId, name).map((row) => row.name);
}

type ListedByName = {
  readonly accountId: number;
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  /** Null: whatever brought it there. */
  readonly source: string | null;
};

/** Takes a number off a list for a class by its name; whether it was on it. */
function removeByName(tx: Tx, { accountId, msisdn, messageClass, source }: ListedByName): boolean {
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

/** The same over the appliance-wide list and those of all accounts. */
export function countAllErased(read: Reader): number {
  const sql = "SELECT count(*) AS n FROM erased_suppressions WHERE account_id >= ?";
  return read.get<{ n: number }>(sql, EVERYWHERE)?.n ?? 0;
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

/** Removes a number from entries of the audit list; how many. A note beside it goes: it tells of a person. */
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
