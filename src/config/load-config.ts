/**
 * Loads the configuration file and reports all its faults, each with its line; also finds the data directory of a faulty
 * one.
 */
import { lstat, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { listLeaves, type Whole } from "./changes.ts";
import { type Environment, expandEnvironment, type UnsetVariable } from "./environment.ts";
import { type Fault, faultLine, keyText } from "./faults.ts";
import { readNamedFiles, resolvePaths, systemCode } from "./files.ts";
import { parseConfig, type UnsetPolicy } from "./parse-config.ts";
import { DEFAULT_DIRECTORY } from "./schema.ts";
import { explainTomlError, findLine, isSecretLine, keyLines, parseToml, tomlPosition } from "./toml.ts";
import { encodingMistake } from "./toml-mistakes.ts";

/** What a configuration file says. */
export type ConfigFile = Whole & {
  readonly path: string;
  /** There is no file at the path, and what holds is the default of every key; absent where one was read. */
  readonly isMissing?: true;
};

export type LoadedConfig =
  | ({ readonly ok: true; readonly unset: readonly UnsetVariable[] } & ConfigFile)
  /** What is wrong, for a person: a phrase a fault, under the file's name as it was given. */
  | { readonly ok: false; readonly faults: readonly Phrase[]; readonly isMissing?: true };

/**
 * Reads the configuration file at `path`. Relative paths in it are resolved against its directory, and the files it names are
 * checked (docs/administration.md#files-in-a-configuration). `more` is read as if it stood at the file's end. `missing`: whether
 * there may be no file, which then counts as an empty one (docs/administration.md#which-configuration).
 */
export async function loadConfig(
  path: string,
  env: Environment,
  unsetMeans: UnsetPolicy = "a fault",
  more = "",
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
  const parsed = parseConfig(toml.document, env, unsetMeans);
  if (!parsed.ok) return { ok: false, faults: faultLines(path, text, parsed.faults) };
  const config = resolvePaths(parsed.config, dirname(resolve(path)));
  const { faults, pems } = await readNamedFiles(config);
  if (faults.length > 0) return { ok: false, faults: faultLines(path, text, faults) };
  const given = new Set(listLeaves(toml.document).map(({ steps }) => keyText(steps)));
  const read = { ok: true, path, config, pems, given, unset: parsed.unset } as const;
  return isMissing ? { ...read, isMissing } : read;
}

/** Faults in the order of the file, each with its line; those of the whole file first. */
function faultLines(path: string, text: string, faults: readonly Fault[]): Phrase[] {
  const lines = keyLines(text);
  return faults
    .map((fault) => ({ fault, line: findLine(lines, fault.key) }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ fault, line }) => faultLine(path, fault, line));
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
  if (!read.ok || !isTable(read.document)) return null;
  const { storage = {} } = read.document;
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

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
