import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Environment, expandEnvironment } from "./environment.ts";
import { systemCode } from "./files.ts";
import { DEFAULT_DIRECTORY } from "./schema.ts";
import { parseToml } from "./toml.ts";

/**
 * The data directory of a configuration that is not right in other places, so that the server which runs on it can be asked. Where the
 * file is no TOML, its table `[storage]` counts alone. Where there is no file it is where a server without one has it. Null when nothing tells it.
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
