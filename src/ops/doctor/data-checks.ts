/** The database and what it remembers: pages, backups, books, codes that are not configured. */

import type { Inspected } from "../../db/inspect.ts";
import type { Reader } from "../../db/read.ts";
import { type BooksCheck, deriveCheckStanding } from "../../domain/ledger/checks.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { BackupRow } from "../backup/backup-rows.ts";
import { megabytes } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** Above this the pages are not read here: a backup's look at them is as good, and disturbs nobody. */
const QUICKLY_READ_BYTES = 512 * 1024 * 1024;

/** What is wrong with the pages of a database; nothing where they are sound, null where they were not read. */
export function checkPages(read: Reader, bytes: number): readonly string[] | null {
  if (bytes > QUICKLY_READ_BYTES) return null;
  const rows = read.all<{ quick_check: string }>("PRAGMA quick_check(3)");
  return rows.map(({ quick_check: said }) => said).filter((said) => said !== "ok");
}

export type DatabaseFacts = {
  readonly inspected: Pick<Inspected, "kind"> & { readonly detail?: string; readonly schema?: number };
  readonly bytes: number;
  /** As `checkPages` found them. */
  readonly faults: readonly string[] | null;
};

const RESTORE = phrase("doctor.database.damaged.action");

export function databaseCheck(directory: string, { inspected, bytes, faults }: DatabaseFacts): DoctorCheck {
  const name = phrase("doctor.part.database");
  const schema = inspected.schema ?? 0;
  switch (inspected.kind) {
    case "absent":
      return sound(name, phrase("doctor.database.absent", { directory }));
    case "restored":
      return warns(
        name,
        phrase("doctor.database.restored", { directory }),
        phrase("doctor.database.restored.action"),
      );
    case "unreadable":
      return fails(
        name,
        phrase("doctor.database.unreadable", { error: inspected.detail ?? "" }),
        phrase("doctor.database.unreadable.action"),
      );
    case "damaged":
      return fails(name, phrase("doctor.database.damaged", { error: inspected.detail ?? "" }), RESTORE);
    case "foreign":
      return fails(
        name,
        phrase("doctor.database.foreign", { directory }),
        phrase("doctor.database.foreign.action"),
      );
    case "newer":
      return fails(name, phrase("doctor.database.newer", { schema }), phrase("doctor.database.newer.action"));
    case "older":
      return warns(name, phrase("doctor.database.older", { schema }), phrase("doctor.database.older.action"));
    case "current":
      if (faults !== null && faults.length > 0)
        return fails(name, phrase("doctor.database.damaged", { error: faults.join("; ") }), RESTORE);
      return sound(
        name,
        faults === null
          ? phrase("doctor.database.unchecked", { megabytes: megabytes(bytes), schema })
          : phrase("doctor.database", { megabytes: megabytes(bytes), schema }),
      );
  }
}

/** A backup is made every night, and takes its time. */
const OLDEST_BACKUP_MS = 26 * 3_600_000;

export type NewestBackup = {
  readonly newest: BackupRow | null;
  readonly isThere: boolean;
  readonly nowMs: number;
};

export function backupCheck({ newest, isThere, nowMs }: NewestBackup): DoctorCheck {
  const name = phrase("doctor.part.backup");
  const action = phrase("doctor.backup.action");
  if (newest === null) return warns(name, phrase("doctor.backup.none"), action);
  const made = newest.madeAtMs;
  if (!isThere) return fails(name, phrase("doctor.backup.gone", { made, file: newest.file }), action);
  if (nowMs - newest.madeAtMs > OLDEST_BACKUP_MS)
    return warns(name, phrase("doctor.backup.old", { made }), action);
  return sound(name, phrase("doctor.backup", { made, file: newest.file }));
}

/** Whether the last one that was restored for a trial was sound. */
export function drillCheck(drill: BackupRow | null): DoctorCheck {
  const name = phrase("doctor.part.backup_drill");
  if (drill === null) return sound(name, phrase("doctor.drill.none"));
  const at = drill.drilledAtMs ?? drill.madeAtMs;
  if (drill.failure !== null)
    return fails(
      name,
      phrase("doctor.drill.failed", { at, failure: drill.failure }),
      phrase("doctor.drill.failed.action"),
    );
  return sound(name, phrase("doctor.drill", { at }));
}

/** Signing secrets of endpoints are sealed with keys beside the database: a copy without them loses the secrets. */
export function backupKeysCheck(isSealed: boolean): DoctorCheck {
  const name = phrase("doctor.part.backup_keys");
  return isSealed
    ? sound(name, phrase("doctor.backup_keys"))
    : warns(name, phrase("doctor.backup_keys.left_out"), phrase("doctor.backup_keys.left_out.action"));
}

/** `isMissing`: numbers that were erased stay suppressed by a hash, and the key of it is not beside the database. */
export function erasedNumbersCheck(isMissing: boolean): DoctorCheck {
  const name = phrase("doctor.part.erased_numbers");
  return isMissing
    ? fails(
        name,
        phrase("doctor.erased_numbers.key_missing"),
        phrase("doctor.erased_numbers.key_missing.action"),
      )
    : sound(name, phrase("doctor.erased_numbers"));
}

/** `isRunning`: nights without a server have no check. */
export function booksCheck(check: BooksCheck | null, isRunning: boolean, nowMs: number): DoctorCheck {
  const name = phrase("doctor.part.books");
  const at = check?.checkedAtMs ?? 0;
  switch (deriveCheckStanding(check, isRunning && check !== null ? 0 : nowMs, nowMs)) {
    case "not checked yet":
      return sound(name, phrase("doctor.books.not_yet"));
    case "agrees":
      return sound(name, phrase("doctor.books", { at }));
    case "differs":
      return fails(
        name,
        phrase("doctor.books.differ", { at, differences: check?.differences ?? 0 }),
        phrase("doctor.books.differ.action"),
      );
    case "failed":
      return warns(
        name,
        phrase("doctor.books.failed", { at, failure: check?.failure ?? "" }),
        phrase("doctor.books.action"),
      );
    case "overdue":
      return warns(name, phrase("doctor.books.overdue", { at }), phrase("doctor.books.action"));
  }
}

/** `warnings`: what waits, is registered or priced for codes that are not configured, each in words. */
export function waitingCheck(warnings: readonly Phrase[]): DoctorCheck {
  const name = phrase("doctor.part.waiting");
  if (warnings.length === 0) return sound(name, phrase("doctor.waiting"));
  return warns(name, phrase("parts", { parts: warnings }), phrase("doctor.waiting.action"));
}
