import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { brokenToml } from "./broken-toml.ts";
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
  if (!toml.ok) {
    const place = await tomlPosition(resolve(path), text);
    return { ok: false, lines: [brokenToml(path, text, toml.problem, place)] };
  }
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
