/** The database and what it remembers: pages, backups, books, codes that are not configured. */
import { ERASURE_KEY_MISSING } from "../../accounts/erased-numbers.ts";
import { isoUtc } from "../../base/clock.ts";
import type { Inspected } from "../../store/inspect.ts";
import type { Reader } from "../../store/read.ts";
import { type BooksCheck, standingOfCheck } from "../../wallet/checks.ts";
import type { BackupRow } from "../backup/backup-rows.ts";
import { megabytes } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** Above this the pages are not read here: a backup's look at them is as good, and disturbs nobody. */
const QUICKLY_READ_BYTES = 512 * 1024 * 1024;

/** What is wrong with the pages of a database; nothing where they are sound, null where they were not read. */
export function faultsOfPages(read: Reader, bytes: number): readonly string[] | null {
  if (bytes > QUICKLY_READ_BYTES) return null;
  const rows = read.all<{ quick_check: string }>("PRAGMA quick_check(3)");
  return rows.map(({ quick_check: said }) => said).filter((said) => said !== "ok");
}

export type DatabaseFacts = {
  readonly inspected: Pick<Inspected, "kind"> & { readonly detail?: string; readonly schema?: number };
  readonly bytes: number;
  /** As `faultsOfPages` found them. */
  readonly faults: readonly string[] | null;
};

const RESTORE =
  'stop the server, keep a copy of the directory, and say "backup restore" of the newest backup';

export function databaseCheck(directory: string, { inspected, bytes, faults }: DatabaseFacts): DoctorCheck {
  const name = "database";
  const schema = inspected.schema ?? 0;
  switch (inspected.kind) {
    case "absent":
      return sound(name, `${directory} has no database yet: the first start makes it`);
    case "unreadable":
      return fails(
        name,
        `the database cannot be read: ${inspected.detail ?? ""}`,
        "say this as the owner of the data",
      );
    case "damaged":
      return fails(name, `the database is damaged: ${inspected.detail ?? ""}`, RESTORE);
    case "foreign":
      return fails(
        name,
        `${directory} holds the database of another program`,
        "name another storage.directory",
      );
    case "newer":
      return fails(
        name,
        `the database was written by a newer bendre (schema ${schema})`,
        "start the newer executable, or restore a backup of before the upgrade",
      );
    case "older":
      return warns(name, `the database has schema ${schema}: the next start upgrades it`, "start the server");
    case "current":
      if (faults !== null && faults.length > 0)
        return fails(name, `the database is damaged: ${faults.join("; ")}`, RESTORE);
      return sound(
        name,
        faults === null
          ? `${megabytes(bytes)} MB of schema ${schema}; its pages are read by each backup's drill`
          : `${megabytes(bytes)} MB of schema ${schema}, its pages are sound`,
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
  const name = "backup";
  const action = 'say "backup create": what it answers says what is in the way';
  if (newest === null) return warns(name, "no backup was made yet", action);
  const made = `the newest backup is of ${isoUtc(newest.madeAtMs)}`;
  if (!isThere) return fails(name, `${made}, and its file ${newest.file} is gone`, action);
  if (nowMs - newest.madeAtMs > OLDEST_BACKUP_MS)
    return warns(name, `${made}: one of last night is missing`, action);
  return sound(name, `${made}: ${newest.file}`);
}

/** Whether the last one that was restored for a trial was sound. */
export function drillCheck(drill: BackupRow | null): DoctorCheck {
  const name = "backup drill";
  if (drill === null) return sound(name, "no backup was restored for a trial yet");
  const at = isoUtc(drill.drilledAtMs ?? drill.madeAtMs);
  if (drill.failure !== null)
    return fails(
      name,
      `the trial of a backup ${at} failed: ${drill.failure}`,
      'say "backup create", then "backup drill"; keep older backups until one is sound',
    );
  return sound(name, `one was restored for a trial ${at} and is sound`);
}

/** Signing secrets of endpoints are sealed with keys beside the database: a copy without them loses the secrets. */
export function backupKeysCheck(isSealed: boolean): DoctorCheck {
  const name = "backup keys";
  return isSealed
    ? sound(name, "the keys go into each backup, sealed with the passphrase")
    : warns(
        name,
        "the keys are left out of backups: a restore loses the signing secrets of endpoints and second factors of users",
        "set [backup] passphrase, or keep the .key files of the data directory elsewhere",
      );
}

/** `isMissing`: numbers that were erased stay suppressed by a hash, and the key of it is not beside the database. */
export function erasedNumbersCheck(isMissing: boolean): DoctorCheck {
  const name = "erased numbers";
  return isMissing
    ? fails(
        name,
        ERASURE_KEY_MISSING,
        "put erased-numbers.key back into the data directory, with the server stopped: backups hold it, sealed",
      )
    : sound(name, "those that are suppressed are recognised");
}

/** `isRunning`: nights without a server have no check. */
export function booksCheck(check: BooksCheck | null, isRunning: boolean, nowMs: number): DoctorCheck {
  const name = "books";
  const at = isoUtc(check?.checkedAtMs ?? 0);
  switch (standingOfCheck(check, isRunning && check !== null ? 0 : nowMs, nowMs)) {
    case "not checked yet":
      return sound(name, "the books were not checked yet: they are every night");
    case "agrees":
      return sound(name, `the books agreed ${at}`);
    case "differs":
      return fails(
        name,
        `the books of ${at} have ${check?.differences ?? 0} difference(s)`,
        '"ledger check" names them',
      );
    case "failed":
      return warns(
        name,
        `the check of the books of ${at} failed: ${check?.failure ?? ""}`,
        'say "ledger check"',
      );
    case "overdue":
      return warns(
        name,
        `the books were checked last ${at}: last night's check is missing`,
        'say "ledger check"',
      );
  }
}

/** `warnings`: what waits, is registered or priced for codes that are not configured, each in words. */
export function waitingCheck(warnings: readonly string[]): DoctorCheck {
  const name = "waiting";
  if (warnings.length === 0) return sound(name, "every code that something waits for is configured");
  return warns(
    name,
    warnings.join("; "),
    'configure the operator again, or say "operator rename" or "operator retire"',
  );
}
