import { Value } from "typebox/value";
import { assert } from "../base/assert.ts";
import type { Config } from "./config.ts";
import { crossFaults } from "./cross-faults.ts";
import { type Environment, expandEnvironment } from "./environment.ts";
import type { Fault } from "./fault.ts";
import { ConfigSchema } from "./schema.ts";
import { shapeFaults } from "./shape-faults.ts";

/** As many as a person can act upon before trying again. */
const MOST_FAULTS = 20;

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Makes a Config of a decoded document: fills in variables and defaults, and checks every key. Relative paths
 * stay as they are written. Faults are told all at once, up to 20, one a key.
 */
export function parseConfig(document: unknown, env: Environment): ParsedConfig {
  const expanded = expandEnvironment(document, env);
  const filled = Value.Default(ConfigSchema, expanded.document);
  const faults = new Map<string, Fault>();
  for (const fault of [
    ...expanded.faults,
    ...shapeFaults(filled, expanded.origins),
    ...crossFaults(filled),
  ]) {
    if (!faults.has(fault.key)) faults.set(fault.key, fault);
  }
  if (faults.size > 0) return { ok: false, faults: [...faults.values()].slice(0, MOST_FAULTS) };
  assert(Value.Check(ConfigSchema, filled), "a configuration without faults fits its schema");
  return { ok: true, config: withNames(filled) };
}

/** An operator that has no name of its own goes by its code. */
function withNames(config: Config): Config {
  const named = Object.entries(config.operators).map(([code, operator]) => {
    return [code, { ...operator, name: operator.name === "" ? code : operator.name }] as const;
  });
  return { ...config, operators: Object.fromEntries(named) };
}
