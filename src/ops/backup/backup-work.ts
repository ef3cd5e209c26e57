/**
 * What is done about backups in a thread: making one, and looking whether one is sound. Reading and writing a whole database holds
 * nobody up there.
 */
import { rmSync, statSync } from "node:fs";
import { verifyLedger } from "../../admin/reports/books.ts";
import { toReason } from "../../core/told-error.ts";
import { copyDatabase, checkIntegrity, labelCopy, openCopy } from "../../db/copy.ts";
import { PSEUDONYM_KEY_FILE } from "../../db/keyed-names.ts";
import { LATEST_SCHEMA } from "../../db/migrate.ts";
import type { OpenDatabase } from "../../db/open-database.ts";
import type { Reader } from "../../db/read.ts";
import { openerWith } from "../../db/seal.ts";
import { type InSnapshot, readInSnapshots } from "../../db/snapshot.ts";
import { isErasureKeyMissing } from "../../domain/accounts/erased-numbers.ts";
import { countUnreadableFactors, FACTORS_KEY_FILE } from "../../domain/accounts/factor-seal.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { KEY_FILE } from "../../webhooks/sealing.ts";
import { countSecrets } from "../../webhooks/secrets.ts";
import { copyFile, FileExists, makeFile } from "./backup-file.ts";
import { buildData } from "./build-data.ts";
import { type KeyFiles, readKeyFiles, sealKeys, unsealKeys } from "./sealed-keys.ts";

/** What the thread is asked. */
export type BackupWork =
  | {
      readonly kind: "create";
      /** The data directory. */
      readonly directory: string;
      readonly file: string;
      readonly madeAtMs: number;
      readonly version: string;
      /** What the keys are sealed with; null: they are left out. */
      readonly passphrase: string | null;
      readonly seed: Uint8Array;
    }
  /** The same file in another place. */
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  | {
      readonly kind: "verify";
      readonly file: string;
      /** A directory that may be made and is removed again. */
      readonly scratch: string;
      /** Restores it there, whatever its schema; else only one of an older schema. */
      readonly isDrill: boolean;
      readonly passphrase: string | null;
      readonly nowMs: number;
    };

/** "left out": there was no passphrase. */
export type CopiedKeys = "none" | "sealed" | "left out";

export type BackupFacts = {
  readonly madeAtMs: number;
  readonly bytes: number;
  readonly schema: number;
  readonly version: string;
  readonly keys: CopiedKeys;
};

/** What came of it, and why where it failed. */
export type BackupResult =
  | { readonly kind: "done"; readonly facts: BackupFacts }
  | { readonly kind: "exists" }
  | { readonly kind: "failed"; readonly why: Phrase };

/** Does what is asked; never throws. */
export function runBackupWork(work: BackupWork, openDatabase?: OpenDatabase): BackupResult {
  try {
    switch (work.kind) {
      case "create":
        makeFile(work.file, (draft) => fillCopy(work, draft, openDatabase));
        return madeOf(work.file);
      case "copy":
        makeFile(work.to, (draft) => copyFile(work.from, draft));
        return madeOf(work.to);
      case "verify":
        return verify(work);
    }
  } catch (error) {
    return error instanceof FileExists ? { kind: "exists" } : { kind: "failed", why: toReason(error) };
  }
}

function fillCopy(
  { directory, madeAtMs, version, passphrase, seed }: Extract<BackupWork, { kind: "create" }>,
  draft: string,
  openDatabase?: OpenDatabase,
): void {
  // The keys first: whatever the copy holds sealed was sealed with a key that was there before.
  const keys = readKeyFiles(directory);
  copyDatabase(directory, draft, openDatabase);
  const after = readKeyFiles(directory);
  const all = after.size > keys.size ? after : keys;
  const sealed = all.size > 0 && passphrase !== null ? sealKeys(all, passphrase, seed) : null;
  labelCopy(draft, { madeAtMs, version, keys: sealed, keyFiles: all.size });
}

/** What a backup tells of itself, or why it tells nothing. */
export function readBackupFacts(file: string): BackupFacts | Phrase {
  const copy = openCopy(file);
  if ("why" in copy) return copy.why;
  const { label, schema } = copy;
  copy.close();
  const keys = label.keyFiles === 0 ? "none" : label.keys === null ? "left out" : "sealed";
  // Rotation may have removed it meanwhile.
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) return phrase("backup.absent");
  return {
    madeAtMs: label.madeAtMs,
    bytes,
    schema,
    version: label.version,
    keys,
  };
}

function madeOf(file: string): BackupResult {
  const facts = readBackupFacts(file);
  return isFailure(facts) ? { kind: "failed", why: facts } : { kind: "done", facts };
}

function verify(work: Extract<BackupWork, { kind: "verify" }>): BackupResult {
  const { file, scratch, passphrase, nowMs } = work;
  const facts = readBackupFacts(file);
  if (isFailure(facts)) return { kind: "failed", why: facts };
  const keys = readSealedKeys(file, passphrase);
  if (isFailure(keys)) return { kind: "failed", why: keys };
  if (!work.isDrill && facts.schema === LATEST_SCHEMA) {
    const copy = openCopy(file);
    if ("why" in copy) return { kind: "failed", why: copy.why };
    try {
      return verdictOn(faultsToTell(copy.inSnapshot, keys), facts);
    } finally {
      copy.close();
    }
  }
  try {
    rmSync(scratch, { recursive: true, force: true });
    buildData(file, scratch, keys ?? new Map(), nowMs);
    return verdictOn(
      readInSnapshots(scratch, (inSnapshot) => faultsToTell(inSnapshot, keys)),
      facts,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function verdictOn(faults: readonly Phrase[], facts: BackupFacts): BackupResult {
  return faults.length === 0
    ? { kind: "done", facts }
    : {
        kind: "failed",
        why: phrase("backup.faults", { number: faults.length, first: faults.slice(0, MAX_TOLD) }),
      };
}

/** The keys that a backup holds; null where it holds none; or why they cannot be read. */
export function readSealedKeys(file: string, passphrase: string | null): KeyFiles | null | Phrase {
  const copy = openCopy(file);
  if ("why" in copy) return copy.why;
  const sealed = copy.label.keys;
  copy.close();
  if (sealed === null) return null;
  if (passphrase === null) return phrase("backup.keys.no_passphrase");
  return unsealKeys(sealed, passphrase) ?? phrase("backup.keys.other_passphrase");
}

/** Whether it is why there is nothing. */
export function isFailure(found: object | null): found is Phrase {
  return found !== null && "code" in found;
}

/** More faults tell nobody more. */
export const MAX_TOLD = 5;

/** What is wrong with a backup. No restore is refused for second factors: recovery codes and `user reset` need none. */
function faultsToTell(inSnapshot: InSnapshot, keys: KeyFiles | null): readonly Phrase[] {
  const faults = findDatabaseFaults(inSnapshot, keys);
  if (faults.length > 0 || keys === null) return faults;
  const opener = openerWith(keys.get(FACTORS_KEY_FILE) ?? null);
  const unreadable = inSnapshot((read) => countUnreadableFactors(read, opener));
  return unreadable === 0 ? [] : [phrase("backup.factors_unreadable", { number: unreadable })];
}

/** What is wrong with pages, books and keys. */
export function findDatabaseFaults(inSnapshot: InSnapshot, keys: KeyFiles | null): readonly Phrase[] {
  const inPages = inSnapshot(checkIntegrity);
  if (inPages.length > 0) return inPages;
  const { differences } = verifyLedger(inSnapshot);
  return [...differences, ...(keys === null ? [] : inSnapshot((read) => faultsInKeys(read, keys)))];
}

function faultsInKeys(read: Reader, keys: KeyFiles): readonly Phrase[] {
  const { unreadable } = countSecrets(read, openerWith(keys.get(KEY_FILE) ?? null));
  const faults = isErasureKeyMissing(read, keys.has(PSEUDONYM_KEY_FILE))
    ? [phrase("doctor.erased_numbers.key_missing")]
    : [];
  return unreadable === 0 ? faults : [...faults, phrase("backup.secrets_unreadable", { number: unreadable })];
}
