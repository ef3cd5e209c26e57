/** The records of backups made of this database. */

import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, readPhrase, written } from "../../i18n/phrase.ts";

/** Times are epoch milliseconds. */
export type BackupRow = {
  readonly file: string;
  readonly madeAtMs: number;
  readonly bytes: number;
  readonly schema: number;
  /** When it was last found sound. */
  readonly verifiedAtMs: number | null;
  /** When it was last restored as a drill. */
  readonly drilledAtMs: number | null;
  /** Why the last verification failed. */
  readonly failure: Phrase | null;
};

/** The age above which the nightly backup is overdue: 24 hours, 25 where clocks go back, and the time it takes. */
export const MAX_BACKUP_AGE_MS = 26 * 3_600_000;

type Stored = Omit<BackupRow, "failure"> & { readonly failure: string | null };

const SELECT = `SELECT file, made_at AS madeAtMs, bytes, schema, verified_at AS verifiedAtMs, drilled_at AS drilledAtMs, failure
  FROM backups`;

/** The last that was made; null before the first. */
export function newestBackup(read: Reader): BackupRow | null {
  return rowOrNull(read.get<Stored>(`${SELECT} ORDER BY made_at DESC LIMIT 1`));
}

/** The last that was restored as a drill; null before the first. */
export function lastDrill(read: Reader): BackupRow | null {
  return rowOrNull(
    read.get<Stored>(`${SELECT} WHERE drilled_at IS NOT NULL ORDER BY drilled_at DESC LIMIT 1`),
  );
}

export function allBackups(read: Reader): BackupRow[] {
  return read.all<Stored>(`${SELECT} ORDER BY made_at DESC`).map(rowOf);
}

function rowOf(stored: Stored): BackupRow {
  return { ...stored, failure: stored.failure === null ? null : readPhrase(stored.failure) };
}

function rowOrNull(stored: Stored | null): BackupRow | null {
  return stored && rowOf(stored);
}

export function recordBackup(tx: Tx, made: Pick<BackupRow, "file" | "madeAtMs" | "bytes" | "schema">): void {
  tx.run(
    `INSERT OR REPLACE INTO backups (file, made_at, bytes, schema) VALUES ($file, $madeAtMs, $bytes, $schema)`,
    made,
  );
}

export type Verification = {
  readonly atMs: number;
  readonly isDrill: boolean;
  readonly failure: Phrase | null;
};

/** Records a verification, if the backup is of this database. */
export function recordVerification(tx: Tx, file: string, { atMs, isDrill, failure }: Verification): void {
  tx.run(
    `UPDATE backups SET verified_at = iif($failure IS NULL, $atMs, verified_at),
       drilled_at = iif($isDrill, $atMs, drilled_at), failure = $failure WHERE file = $file`,
    { file, atMs, isDrill, failure: failure === null ? null : written(failure) },
  );
}

export function forgetBackup(tx: Tx, file: string): void {
  tx.run("DELETE FROM backups WHERE file = ?", file);
}
