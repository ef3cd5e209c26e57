import type { Config } from "../../src/config/config.ts";
import { faultLine } from "../../src/config/fault.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { english } from "../../src/i18n/text.ts";

type Table = Record<string, unknown>;

/** The least a connection needs, with `changes` over it. */
export function connection(changes: Table = {}): Table {
  return { host: "smsc.example.net", system_id: "bendre", password: "hunter2", ...changes };
}

/** The least an operator needs, with `changes` over it. */
export function operator(changes: Table = {}): Table {
  return { prefixes: ["22605"], connections: [connection()], ...changes };
}

/** A document with one operator, orange, no metrics, and `changes` over it. */
export function document(changes: Table = {}): Table {
  return { operators: { orange: operator() }, metrics: { listen: "" }, ...changes };
}

/** The configuration of a document that must be right. */
export function configOf(input: unknown, env: Record<string, string> = {}): Config {
  const parsed = parseConfig(input, env);
  if (!parsed.ok) throw new Error(parsed.faults.map((fault) => english(faultLine("test", fault))).join("\n"));
  return parsed.config;
}

/** The faults of a document, each as it is told in English, "key: found …, expected …"; none when it is right. */
export function faultsOf(input: unknown, env: Record<string, string> = {}): string[] {
  const parsed = parseConfig(input, env);
  if (parsed.ok) return [];
  return parsed.faults.map((fault) => english(faultLine("", fault)).replace(/^: /, ""));
}
