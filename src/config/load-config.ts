import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Whole } from "./changes.ts";
import type { Environment, UnsetVariable } from "./environment.ts";
import { type Fault, faultLine, keyText } from "./fault.ts";
import { readNamedFiles, resolvePaths, systemCode } from "./files.ts";
import { keyLines, lineOf } from "./key-lines.ts";
import { leavesOf } from "./leaves.ts";
import { parseConfig, type UnsetMeans } from "./parse-config.ts";
import { parseToml, tomlPosition } from "./toml.ts";

/** What a configuration file says. */
export type ConfigFile = Whole & { readonly path: string };

export type LoadedConfig =
  | ({ readonly ok: true; readonly unset: readonly UnsetVariable[] } & ConfigFile)
  /** What is wrong, for a person: one line a fault, under the file's name as it was given. */
  | { readonly ok: false; readonly lines: readonly string[] };

/**
 * Reads the configuration file at `path`. Relative paths in it are resolved against its directory, and the
 * files it names are looked at (docs/administration.md#files-in-a-configuration). `more` is read as if it stood at the file's end.
 */
export async function loadConfig(
  path: string,
  env: Environment,
  unsetMeans: UnsetMeans = "a fault",
  more = "",
): Promise<LoadedConfig> {
  const own = await readText(path);
  if (typeof own !== "string") return { ok: false, lines: [own.problem] };
  const text = own + more;
  const toml = parseToml(text);
  if (!toml.ok) return { ok: false, lines: [await brokenToml(path, text, toml.problem)] };
  const parsed = parseConfig(toml.document, env, unsetMeans);
  if (!parsed.ok) return { ok: false, lines: faultLines(path, text, parsed.faults) };
  const config = resolvePaths(parsed.config, dirname(resolve(path)));
  const { faults, pems } = await readNamedFiles(config);
  if (faults.length > 0) return { ok: false, lines: faultLines(path, text, faults) };
  const given = new Set(leavesOf(toml.document).map(({ steps }) => keyText(steps)));
  return { ok: true, path, config, pems, given, unset: parsed.unset };
}

/** Faults in the order of the file, each with its line; those of the whole file first. */
function faultLines(path: string, text: string, faults: readonly Fault[]): string[] {
  const lines = keyLines(text);
  return faults
    .map((fault) => ({ fault, line: lineOf(lines, fault.key) }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ fault, line }) => faultLine(path, fault, line));
}

async function readText(path: string): Promise<string | { readonly problem: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = systemCode(error);
    const why = code === "ENOENT" ? "no such file" : `a file that cannot be read (${code})`;
    return { problem: faultLine(path, { key: "", found: why, expected: "a configuration in TOML" }) };
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return {
      problem: faultLine(path, { key: "", found: "bytes that are not UTF-8", expected: "TOML in UTF-8" }),
    };
  }
}

/** A line that names one of these may hold a secret, and so may what the parser quotes of it. */
const SECRET_LINE = /password|passphrase|secret|token/i;

async function brokenToml(path: string, text: string, problem: string): Promise<string> {
  const position = await tomlPosition(resolve(path), text);
  if (position === null) {
    const safe = SECRET_LINE.test(text) ? problem.replace(/["'`].*$/s, "(hidden)") : problem;
    return `${path}: not valid TOML: ${safe}`;
  }
  const { line, column, lineText } = position;
  const secret = SECRET_LINE.test(lineText) || isBelowOpenSecret(text, line);
  const what = secret ? "its value cannot be read" : problem;
  const shown = secret ? lineText.replace(/^([\w\s".-]*=)?.*$/, "$1 (hidden)") : lineText;
  return `${path}:${line}:${column}: not valid TOML: ${what}\n    ${shown.trim()}`;
}

/** Whether a line, counted from 1, may go on with what a line above it began: a secret without its value, or with one that is open. */
function isBelowOpenSecret(text: string, line: number): boolean {
  const above = text.split(/\r?\n/).slice(0, line - 1);
  const begun = above.findLastIndex((each) => SECRET_LINE.test(each) && !each.trim().startsWith("#"));
  if (begun < 0) return false;
  const since = above.slice(begun).join("\n");
  return !/=\s*\S/.test(since) || (since.match(/"""|'''/g)?.length ?? 0) % 2 === 1;
}
