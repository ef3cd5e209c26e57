import { getOwn } from "../core/own-value.ts";
import { phrase, said } from "../i18n/phrase.ts";
import { type Fault, keyText, type Step } from "./fault.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that a key asks for and that is not set. */
export type UnsetVariable = { readonly key: string; readonly variable: string };

/** What stands in for a variable that is not set, under a key; null when nothing may. */
export type Placeholder = (steps: readonly Step[]) => { readonly value: unknown } | null;

export type Expanded = {
  /** A copy of the document, its variables filled in. */
  readonly document: unknown;
  readonly faults: readonly Fault[];
  /** The keys whose text came from a variable, with the variable's name. Their values count as secret. */
  readonly origins: ReadonlyMap<string, string>;
  /** Those that something stands in for. */
  readonly unset: readonly UnsetVariable[];
};

/**
 * Fills in every text that is "${NAME}" as a whole (docs/administration.md#values-from-the-environment). What a
 * variable holds is taken as it is and not looked at again, so that a password may contain "${".
 */
export function expandEnvironment(
  document: unknown,
  env: Environment,
  standIn: Placeholder = () => null,
): Expanded {
  const unset: UnsetVariable[] = [];
  const faults: Fault[] = [];
  const origins = new Map<string, string>();

  const expandText = (text: string, steps: readonly Step[]): unknown => {
    if (!text.includes("${")) return text;
    const key = keyText(steps);
    const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(text)?.[1];
    if (name === undefined) {
      const expected = phrase("config.expects.whole_variable");
      faults.push({ key, found: phrase("config.found.within_text"), expected });
      return text;
    }
    origins.set(key, name);
    const value = getOwn(env, name);
    if (value === undefined) {
      const instead = standIn(steps);
      if (instead) {
        unset.push({ key, variable: name });
        return instead.value;
      }
      const expected = phrase("config.expects.variable_set", { variable: name });
      faults.push({ key, found: said(`"\${${name}}"`), expected });
      return text;
    }
    return value;
  };

  const expand = (value: unknown, steps: readonly Step[]): unknown => {
    if (typeof value === "string") return expandText(value, steps);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...steps, index]));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, expand(item, [...steps, key])]),
      );
    }
    return value;
  };

  return { document: expand(document, []), faults, origins, unset };
}
