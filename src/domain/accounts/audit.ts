/**
 * The list of recorded changes: who changed what, when and from where (docs/administration.md#recorded-changes). Entries are only added.
 */
import type { NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** What was asked for, in plain values. Never a secret. */
export type AuditDetail = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | undefined>
>;

/** One change an administrator made: who, when and what (docs/administration.md#recorded-changes). */
export type AuditEntry = {
  readonly atMs: number;
  /** Who did it: the name of the system's user, or of the console's. */
  readonly actor: string;
  /** The command, as in `sender approve`. */
  readonly action: string;
  /** What it was done to: an account's ULID, a key id, ... */
  readonly subject: string;
  readonly detail: AuditDetail;
};

/** Records a change, in the transaction that makes it. */
export function recordAudit(tx: Tx, entry: AuditEntry): void {
  tx.insert(
    "INSERT INTO audit_entries (at, actor, action, subject, detail) VALUES ($atMs, $actor, $action, $subject, $detail)",
    { ...entry, detail: JSON.stringify(entry.detail) },
  );
}

/** Forgets up to `limit` entries from before an instant, the oldest first; how many. */
export function purgeAudit(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM audit_entries WHERE id IN
       (SELECT id FROM (SELECT id, at FROM audit_entries ORDER BY id LIMIT ?2) WHERE at < ?1)`,
    beforeMs,
    limit,
  );
}

/** An entry with its place in the order of writing. */
export type StoredAuditEntry = AuditEntry & { readonly id: number };

/** The newest `limit` entries that were written before the one with the id `before`, newest first. */
export function auditBefore(read: Reader, before: number, limit: number): StoredAuditEntry[] {
  return read
    .all<{ id: number; at: number; actor: string; action: string; subject: string; detail: string }>(
      "SELECT id, at, actor, action, subject, detail FROM audit_entries WHERE id < ? ORDER BY id DESC LIMIT ?",
      before,
      limit,
    )
    .map(({ at, detail, ...names }) => ({ atMs: at, ...names, detail: JSON.parse(detail) }));
}

/** What the newest entry of some actions says; null where there is none. Looks through all that was written since. */
export function newestAudit(read: Reader, actions: readonly string[]): AuditDetail | null {
  const found = read.get<{ detail: string }>(
    "SELECT detail FROM audit_entries WHERE action IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1",
    JSON.stringify(actions),
  );
  return found ? JSON.parse(found.detail) : null;
}

/** An entry as it is kept: `detail` is JSON. */
export type WrittenEntry = Omit<StoredAuditEntry, "detail"> & { readonly detail: string };

const PAGE = 500;

/** Entries that name a number, among the next ones that were written. */
export function entriesPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<WrittenEntry, number> {
  const rows = read.all<WrittenEntry>(
    "SELECT id, at AS atMs, actor, action, subject, detail FROM audit_entries WHERE id > ? ORDER BY id LIMIT ?",
    after ?? -1,
    PAGE,
  );
  const isAbout = ({ subject, detail }: WrittenEntry) => number.occursIn(subject) || number.occursIn(detail);
  return toPage(rows, PAGE, ({ id }) => id, isAbout);
}
