import type { Config } from "../../src/config/config.ts";
import { faultLine } from "../../src/config/faults.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { type Param, type Phrase, paramsIn } from "../../src/i18n/phrase.ts";
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

/** The faults of a document, each as `key: found, expected` by codes with their parameters; none when it is right. */
export function faultsOf(input: unknown, env: Record<string, string> = {}): string[] {
  const parsed = parseConfig(input, env);
  if (parsed.ok) return [];
  return parsed.faults.map(({ key, found, expected }) => `${key}: ${codeOf(found)}, ${codeOf(expected)}`);
}

/** `code(parameters)`, without the area; what the file says, as it stands there. */
function codeOf(told: Phrase): string {
  const quoted = paramsIn(told, "said");
  if (quoted !== null) return String(quoted.text);
  const code = told.code.replace(/^config\.(found\.|expects\.)?/, "");
  const values = Object.values(told.params ?? {}).map((value) => (isPhrase(value) ? codeOf(value) : value));
  return values.length === 0 ? code : `${code}(${values.join(", ")})`;
}

function isPhrase(value: Param): value is Phrase {
  return typeof value === "object" && "code" in value;
}
