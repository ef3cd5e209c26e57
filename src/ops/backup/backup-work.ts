/**
 * What is done about backups in a thread: making one, and looking whether one is sound. Reading and writing a whole database holds
 * nobody up there.
 */

import { scryptSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { verifyLedger } from "../../admin/reports/ledger-verification.ts";
import {
  CONSOLE_FILE,
  CONSOLE_KEY_FILE,
  type ConsoleDocument,
  countUnreadable,
} from "../../config/console-file.ts";
import { parseToml } from "../../config/toml.ts";
import { isTable } from "../../core/own-value.ts";
import { toReason } from "../../core/phrased-error.ts";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../../core/sealed.ts";
import { DATABASE_FILE, type InSnapshot, openWriter, readInSnapshots } from "../../db/connections.ts";
import { checkIntegrity, copyDatabase, labelCopy, openCopy, unlabelCopy } from "../../db/copy.ts";
import { openerWith } from "../../db/data-keys.ts";
import { type OpenDatabase, syncOnDisk } from "../../db/disk.ts";
import { LATEST_SCHEMA } from "../../db/migrate.ts";
import { PSEUDONYM_KEY_FILE } from "../../db/pseudonyms.ts";
import type { Reader } from "../../db/reader.ts";
import { countUnreadableFactors, FACTORS_KEY_FILE } from "../../domain/accounts/second-factor.ts";
import { isErasureKeyMissing } from "../../domain/accounts/suppressions.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { countSecrets, KEY_FILE } from "../../webhooks/signing.ts";
import { copyFile, FileExists, makeFile } from "./backup-file.ts";

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
type CopiedKeys = "none" | "sealed" | "left out";

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
  const console = readConsoleText(directory);
  labelCopy(draft, { madeAtMs, version, keys: sealed, keyFiles: all.size, console });
}

/** What the console keeps of the configuration; null where that is nothing. */
function readConsoleText(directory: string): string | null {
  const path = join(directory, CONSOLE_FILE);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
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
      return verdictOn(faultsToTell(copy.inSnapshot, keys, copy.label.console), facts);
    } finally {
      copy.close();
    }
  }
  try {
    rmSync(scratch, { recursive: true, force: true });
    buildData(file, scratch, keys ?? new Map(), nowMs);
    return verdictOn(
      readInSnapshots(scratch, (inSnapshot) => faultsToTell(inSnapshot, keys, consoleTextIn(file))),
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
function faultsToTell(inSnapshot: InSnapshot, keys: KeyFiles | null, kept: string | null): readonly Phrase[] {
  const faults = findDatabaseFaults(inSnapshot, keys);
  if (faults.length > 0 || keys === null) return faults;
  const opener = openerWith(keys.get(FACTORS_KEY_FILE) ?? null);
  const unreadable = inSnapshot((read) => countUnreadableFactors(read, opener));
  return [
    ...(unreadable === 0 ? [] : [phrase("backup.factors_unreadable", { number: unreadable })]),
    ...consoleFaults(kept, keys),
  ];
}

/** Passwords that the console sealed with another key than the backup has. */
function consoleFaults(kept: string | null, keys: KeyFiles): readonly Phrase[] {
  const toml = parseToml(kept ?? "");
  if (!toml.ok || !isTable(toml.document)) return [phrase("backup.console_unreadable")];
  const { open } = openerWith(keys.get(CONSOLE_KEY_FILE) ?? null);
  const unreadable = countUnreadable(toml.document, open);
  return unreadable === 0 ? [] : [phrase("backup.passwords_unreadable", { number: unreadable })];
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

/** The same as a document; empty where there is none, or none that can be read. */
export function keptConsoleIn(file: string): ConsoleDocument {
  const toml = parseToml(consoleTextIn(file) ?? "");
  return toml.ok && isTable(toml.document) ? toml.document : {};
}

/** What the console kept of the configuration when a copy was made; null where that was nothing. */
function consoleTextIn(file: string): string | null {
  const copy = openCopy(file);
  if ("why" in copy) return null;
  copy.close();
  return copy.label.console;
}

/** Copies one file into another. */
export type CopyTo = (from: string, to: string) => void;

/**
 * Makes of a backup what a data directory holds, in a directory that is made: the database, migrated to the newest schema, and the keys.
 * All of it is on the disk when it returns.
 * @throws what the system and SQLite say; what was made stays.
 */
export function buildData(
  file: string,
  into: string,
  keys: KeyFiles,
  nowMs: number,
  copy: CopyTo = copyFile,
): void {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const path = join(into, DATABASE_FILE);
  copy(file, path);
  chmodSync(path, 0o600);
  const kept = consoleTextIn(path);
  if (kept !== null) writeFileSync(join(into, CONSOLE_FILE), kept, { mode: 0o600, flag: "wx", flush: true });
  unlabelCopy(path);
  openWriter(into, nowMs).close();
  for (const [name, octets] of keys) writeFileSync(join(into, name), octets, { mode: 0o600, flag: "wx" });
  for (const name of [DATABASE_FILE, ...keys.keys()]) syncOnDisk(join(into, name));
  syncOnDisk(into);
}

// The key files of a data directory, sealed with a passphrase: without them nobody reads the signing secrets that a copy holds, and
// with them in the clear a copy would be worth stealing.

/** Key files by their names. */
export type KeyFiles = ReadonlyMap<string, Uint8Array>;

/** Octets that `sealKeys` must be given, drawn at random. */
export const SEAL_SEED_OCTETS = 16 + SEAL_NONCE_OCTETS;
const SALT_OCTETS = 16;

/** 32 MiB and about a tenth of a second for each guess (RFC 7914; the figures OWASP recommends). */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const LABEL = "bendre backup keys 1";

/** The key files that lie in a directory. */
export function readKeyFiles(directory: string): KeyFiles {
  const names = readdirSync(directory).filter((name) => name.endsWith(".key"));
  return new Map(names.sort().map((name) => [name, readFileSync(join(directory, name))]));
}

/** Seals key files; `seed` is used for nothing else. */
function sealKeys(keys: KeyFiles, passphrase: string, seed: Uint8Array): Buffer {
  const salt = seed.subarray(0, SALT_OCTETS);
  const named = [...keys].map(([name, octets]) => [name, Buffer.from(octets).toString("base64")]);
  const plain = Buffer.from(JSON.stringify(Object.fromEntries(named)));
  return Buffer.concat([salt, sealText(keyOf(passphrase, salt), seed.subarray(SALT_OCTETS), plain, LABEL)]);
}

/** The key files that were sealed; null under another passphrase, or when they were altered. */
function unsealKeys(sealed: Uint8Array, passphrase: string): KeyFiles | null {
  const key = keyOf(passphrase, sealed.subarray(0, SALT_OCTETS));
  const plain = openSealed(key, sealed.subarray(SALT_OCTETS), LABEL);
  if (!plain) return null;
  const named: unknown = JSON.parse(plain.toString());
  if (typeof named !== "object" || named === null) return null;
  return new Map(Object.entries(named).map(([name, text]) => [name, Buffer.from(String(text), "base64")]));
}

function keyOf(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize("NFC"), salt, SEAL_KEY_OCTETS, SCRYPT);
}
