import { Value } from "typebox/value";
import { assert } from "../core/assert.ts";
import { recordOf } from "../core/own-value.ts";
import type { Config } from "./config.ts";
import { crossFaults } from "./cross-faults.ts";
import { type Environment, expandEnvironment, type StandIn, type UnsetVariable } from "./environment.ts";
import type { Fault } from "./fault.ts";
import { ConfigSchema } from "./schema.ts";
import { shapeAt, shapeFaults } from "./shape-faults.ts";

/** As many as a person can mend before the next try. */
const MOST_FAULTS = 20;

/**
 * What a variable that is not set means: a fault; no fault where it holds a secret, for commands that use none of them
 * (docs/administration.md#values-from-the-environment); or nothing but a warning, for a look at the file away from its
 * server.
 */
export type UnsetMeans = "a fault" | "a fault but for secrets" | "a warning";

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config; readonly unset: readonly UnsetVariable[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Makes a Config of a decoded document: fills in variables and defaults, and checks every key. Relative paths
 * stay as they are written. Faults are told all at once, up to 20, one a key.
 */
export function parseConfig(
  document: unknown,
  env: Environment,
  unsetMeans: UnsetMeans = "a fault",
): ParsedConfig {
  const expanded = expandEnvironment(document, env, standInFor(unsetMeans));
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
  return { ok: true, config: withNames(filled), unset: expanded.unset };
}

/** A key's default, or a word where it has none: nobody connects with it. */
function standInFor(unsetMeans: UnsetMeans): StandIn {
  return (steps) => {
    const { secret = false, default: usual = "unset" } = shapeAt(steps);
    const mayBeUnset = unsetMeans === "a warning" || (unsetMeans === "a fault but for secrets" && secret);
    return mayBeUnset ? { value: usual } : null;
  };
}

/** An operator that has no name of its own goes by its code. Codes are anybody's words: a table of them has nothing else. */
function withNames(config: Config): Config {
  const named = Object.entries(config.operators).map(([code, operator]) => {
    return [code, { ...operator, name: operator.name === "" ? code : operator.name }] as const;
  });
  const numbers = recordOf(Object.entries(config.whatsapp.numbers));
  return { ...config, operators: recordOf(named), whatsapp: { ...config.whatsapp, numbers } };
}
