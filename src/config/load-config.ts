/**
 * Loads the configuration file and reports all its faults, each with its line; also finds the data directory of a faulty
 * one.
 */

import { access, constants, lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isTable } from "../core/own-value.ts";
import { openSealed, SEAL_KEY_OCTETS } from "../core/sealed.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { listLeaves, type Whole } from "./changes.ts";
import {
  besideHand,
  CONSOLE_FILE,
  CONSOLE_KEY_FILE,
  type ConsoleDocument,
  foreignFaults,
  isOf,
  mergeDocuments,
  type OpenSecret,
  openSecrets,
  placeShadowed,
  type Shadowed,
} from "./console-file.ts";
import { type Environment, expandEnvironment, type UnsetVariable } from "./environment.ts";
import { type Fault, faultLine, keyText } from "./faults.ts";
import { readNamedFiles, resolvePaths, systemCode } from "./files.ts";
import { parseConfig, type UnsetPolicy } from "./parse-config.ts";
import { DEFAULT_DIRECTORY } from "./schema.ts";
import {
  explainTomlError,
  findLine,
  isSecretLine,
  type KeyLines,
  keyLines,
  parseToml,
  tomlPosition,
} from "./toml.ts";
import { encodingMistake } from "./toml-mistakes.ts";

/** What a configuration file says. */
export type ConfigFile = Whole & {
  readonly path: string;
  /** There is no file at the path, and what holds is the default of every key; absent where one was read. */
  readonly isMissing?: true;
  /** What the console keeps beside it; absent where nothing was read. */
  readonly console?: ConsoleOverview;
};

/** What the console keeps of the configuration, and how it stands beside the file by hand. */
export type ConsoleOverview = {
  readonly path: string;
  /** Null where there is no such file. */
  readonly text: string | null;
  /** As it stands there, passwords sealed. */
  readonly document: ConsoleDocument;
  readonly lines: KeyLines;
  /** The lines of the file by hand. */
  readonly byHand: KeyLines;
  /** What the file by hand said; empty where there is none. */
  readonly handText: string;
  readonly shadowed: readonly Shadowed[];
  /** Where passwords stand that do not open with the key file, which stops a start; empty where that was a fault already. */
  readonly unopened: readonly string[];
  /** The data directory may not be looked into, so that nobody knows what the console keeps. */
  readonly isUnseen?: true;
};

/** Passwords that do not open, as texts name them. */
export function unopenedIn({ path, unopened }: ConsoleOverview) {
  return { path, file: CONSOLE_KEY_FILE, keys: unopened.join(", ") };
}

export type LoadedConfig =
  | ({ readonly ok: true; readonly unset: readonly UnsetVariable[] } & ConfigFile)
  /** What is wrong, for a person: a phrase a fault, under the file's name as it was given. */
  | { readonly ok: false; readonly faults: readonly Phrase[]; readonly isMissing?: true };

/** What is read as if it stood there, to learn whether it may. */
export type Proposal = {
  /** At the end of the file by hand. */
  readonly more?: string;
  /** In place of what the console keeps; its passwords may be plain (`plainSecret`). */
  readonly console?: ConsoleDocument;
};

/**
 * Reads the configuration file at `path`, and what the console keeps in the data directory that it names. Relative paths in it are
 * resolved against its directory, and the files it names are checked (docs/administration.md#files-in-a-configuration). `missing`:
 * whether there may be no file, which then counts as an empty one (docs/administration.md#which-configuration).
 */
export async function loadConfig(
  path: string,
  env: Environment,
  unsetMeans: UnsetPolicy = "a fault",
  { more = "", console: proposed }: Proposal = {},
  missing: "a fault" | "an empty file" = "a fault",
): Promise<LoadedConfig> {
  const isMissing = missing === "an empty file" && !(await isThere(path));
  const own = isMissing ? "" : await readText(path);
  if (typeof own !== "string") return { ok: false, faults: [own.problem], ...own.missing };
  const text = own + more;
  const toml = parseToml(text);
  if (!toml.ok) {
    const place = await tomlPosition(resolve(path), text);
    return { ok: false, faults: [explainTomlError(path, text, toml.problem, place)] };
  }
  const directory = directoryIn(toml.document, path, env);
  const kept = await readConsoleFile(directory, proposed);
  if ("faults" in kept) return { ok: false, faults: kept.faults };
  const { counts, shadowed } = besideHand(toml.document, kept.document);
  const open = await secretOpener(directory, counts);
  const opened = openSecrets(counts, open, unsetMeans, proposed === undefined);
  const byHand = keyLines(text);
  const place = (faults: readonly Fault[]): Phrase[] => {
    const isKept = ({ key }: Fault) => isOf(counts, key);
    return [
      ...faultLines(
        path,
        byHand,
        faults.filter((fault) => !isKept(fault)),
      ),
      ...faultLines(kept.path, kept.lines, faults.filter(isKept)),
    ];
  };
  if (opened.faults.length > 0) return { ok: false, faults: place(opened.faults) };
  const parsed = parseConfig(toml.document, env, unsetMeans, (expanded) =>
    mergeDocuments(expanded, opened.document),
  );
  if (!parsed.ok) return { ok: false, faults: place(parsed.faults) };
  const config = resolvePaths(parsed.config, dirname(resolve(path)));
  const { faults, pems } = await readNamedFiles(config);
  if (faults.length > 0) return { ok: false, faults: place(faults) };
  const ofConsole = leafKeys(counts);
  const read = {
    ok: true,
    path,
    config,
    pems,
    given: leafKeys(toml.document).union(ofConsole),
    ofConsole,
    unset: parsed.unset,
    console: {
      ...kept,
      byHand,
      handText: own,
      shadowed: placeShadowed(shadowed, byHand, kept.lines),
      unopened: opened.unopened,
    },
  } as const;
  return isMissing ? { ...read, isMissing } : read;
}

function leafKeys(document: unknown): ReadonlySet<string> {
  return new Set(listLeaves(document).map(({ steps }) => keyText(steps)));
}

/** Faults in the order of the file, each with its line; those of the whole file first. */
function faultLines(path: string, lines: KeyLines, faults: readonly Fault[]): Phrase[] {
  return faults
    .map((fault) => ({ fault, line: findLine(lines, fault.key) }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ fault, line }) => faultLine(path, fault, line));
}

type Kept = Pick<ConsoleOverview, "path" | "text" | "document" | "lines" | "isUnseen">;

/** Reads what the console keeps in a data directory; null where nobody knows which that is. What is proposed stands in its place. */
async function readConsoleFile(
  directory: string | null,
  proposed: ConsoleDocument | undefined,
): Promise<Kept | { readonly faults: readonly Phrase[] }> {
  const path = directory === null ? CONSOLE_FILE : join(directory, CONSOLE_FILE);
  const none: Kept = { path, text: null, document: proposed ?? {}, lines: new Map() };
  if (directory === null) return none;
  const text = await readText(path);
  if (proposed !== undefined) {
    return { ...none, text: typeof text === "string" ? text : ((await textOf(path)) ?? null) };
  }
  if (typeof text !== "string") {
    if (text.missing) return none;
    return (await mayEnter(directory)) ? { faults: [text.problem] } : { ...none, isUnseen: true };
  }
  const toml = parseToml(text);
  if (!toml.ok) {
    const place = await tomlPosition(resolve(path), text);
    return { faults: [explainTomlError(path, text, toml.problem, place)] };
  }
  const document = isTable(toml.document) ? toml.document : {};
  const lines = keyLines(text);
  const foreign = foreignFaults(document);
  if (foreign.length > 0) return { faults: faultLines(path, lines, foreign) };
  return { path, text, document, lines };
}

/** Whether what lies in a directory may be looked at. Without it there is nothing, as in one that does not exist. */
async function mayEnter(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Opens passwords with the key file of the directory, which is read only where there are any. */
async function secretOpener(directory: string | null, counts: ConsoleDocument): Promise<OpenSecret> {
  if (directory === null || Object.keys(counts).length === 0) return () => null;
  try {
    const key = await readFile(join(directory, CONSOLE_KEY_FILE));
    if (key.length !== SEAL_KEY_OCTETS) return () => null;
    return (sealed, label) => openSealed(key, sealed, label);
  } catch {
    return () => null;
  }
}

/** Whether anything has that name: a symbolic link that leads nowhere is no missing file but a broken one. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return systemCode(error) !== "ENOENT";
  }
}

async function readText(
  path: string,
): Promise<string | { readonly problem: Phrase; readonly missing?: { readonly isMissing: true } }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = systemCode(error);
    const found =
      code === "ENOENT"
        ? phrase("config.found.no_file")
        : phrase("config.found.unreadable_file", { error: code });
    const problem = faultLine(path, { key: "", found, expected: phrase("config.expects.toml") });
    return code === "ENOENT" ? { problem, missing: { isMissing: true } } : { problem };
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const { line, found } = encodingMistake(bytes, isSecretLine);
    const fault = { key: "", found, expected: phrase("config.expects.toml_in_utf8") };
    return { problem: faultLine(path, fault, line) };
  }
}

/**
 * The data directory of a configuration that has faults in other places, so that the server which runs on it can be asked. Where
 * the file is no TOML, its table `[storage]` is read alone. Where there is no file it is the default directory. Null when nothing
 * tells it.
 */
export async function readDataDirectory(path: string, env: Environment): Promise<string | null> {
  const text = await textOf(path);
  if (text === undefined) return resolve(dirname(resolve(path)), DEFAULT_DIRECTORY);
  if (text === null) return null;
  const whole = parseToml(text);
  const read = whole.ok ? whole : parseToml(tableAlone(text, "storage"));
  return read.ok ? directoryIn(read.document, path, env) : null;
}

/** The data directory that a document names; null where that cannot be told. */
function directoryIn(read: unknown, path: string, env: Environment): string | null {
  if (!isTable(read)) return null;
  const { storage = {} } = read;
  if (!isTable(storage)) return null;
  const { document, faults } = expandEnvironment({ directory: storage.directory ?? DEFAULT_DIRECTORY }, env);
  if (faults.length > 0 || !isTable(document)) return null;
  const { directory } = document;
  return typeof directory === "string" && directory !== ""
    ? resolve(dirname(resolve(path)), directory)
    : null;
}

/** Null where it cannot be read, undefined where there is none. */
async function textOf(path: string): Promise<string | null | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return systemCode(error) === "ENOENT" ? undefined : null;
  }
}

/** The lines from the head of a table to the next head. */
function tableAlone(text: string, name: string): string {
  const lines = text.split(/\r?\n/);
  const head = new RegExp(`^\\s*\\[\\s*${name}\\s*\\]`);
  const from = lines.findIndex((line) => head.test(line));
  if (from < 0) return "";
  const length = lines.slice(from + 1).findIndex((line) => /^\s*\[/.test(line));
  return lines.slice(from, length < 0 ? lines.length : from + 1 + length).join("\n");
}
