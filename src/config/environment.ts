/**
 * Fills in `${NAME}` in configuration values from the environment, and parses environment files as systemd does
 * (systemd.exec(5)).
 */
import { getOwn } from "../core/own-value.ts";
import { phrase, said } from "../i18n/phrase.ts";
import { type Fault, keyText, type Step } from "./faults.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that a key asks for and that is not set. */
export type UnsetVariable = { readonly key: string; readonly variable: string };

/** The value in place of a variable that is not set, under a key; null when there may be none. */
export type Placeholder = (steps: readonly Step[]) => { readonly value: unknown } | null;

type Expanded = {
  /** A copy of the document, its variables filled in. */
  readonly document: unknown;
  readonly faults: readonly Fault[];
  /** The keys whose text came from a variable, with the variable's name. Their values count as secret. */
  readonly origins: ReadonlyMap<string, string>;
  /** The variables that a placeholder was used for. */
  readonly unset: readonly UnsetVariable[];
};

/**
 * Fills in every text that is "${NAME}" as a whole (docs/administration.md#values-from-the-environment). The value of a variable
 * is taken as it is and not expanded again, so that a password may contain "${".
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

// Parses a text as systemd parses what `EnvironmentFile=` names (systemd.exec(5)): a secret is the same there and here.

/** Where a reader stands between two characters. */
type Where =
  | "before a name"
  | "name"
  | "before a value"
  | "value"
  | "single quotes"
  | "double quotes"
  | "comment";

/** What loses its special meaning behind a backslash in double quotes; any other character keeps its backslash. */
const ESCAPED_IN_QUOTES = '"\\`$';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The variables of a text of lines `NAME=value`: the last of a name counts. A value may stand in quotes, and quotes may hold line
 * ends; a backslash takes the meaning of what follows it, and joins lines. Lines that begin with `#` or `;`, and those that are
 * no assignment, are left out.
 */
export function parseVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  let where: Where = "before a name";
  let name = "";
  let value = "";
  /** The length of the value without the spaces at its end. */
  let kept = 0;
  const keep = (character: string): void => {
    value += character;
    kept = value.length;
  };
  const end = (): void => {
    const isAssignment = where !== "before a name" && where !== "name" && where !== "comment";
    if (isAssignment && NAME.test(name.trimEnd())) variables.set(name.trimEnd(), value.slice(0, kept));
    [where, name, value, kept] = ["before a name", "", "", 0];
  };
  const characters = [...text.replaceAll("\r\n", "\n")];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const isEnd = character === "\n";
    const isSpace = character === " " || character === "\t";
    const isEscape =
      character === "\\" && where !== "single quotes" && where !== "name" && where !== "before a name";
    if (isEscape) {
      at += 1;
      const next = characters[at] ?? "";
      if (where === "before a value") where = "value";
      const staysEscaped = where === "double quotes" && !ESCAPED_IN_QUOTES.includes(next);
      if (where !== "comment" && next !== "\n") keep(staysEscaped ? `\\${next}` : next);
      continue;
    }
    switch (where) {
      case "before a name":
        if (character === "#" || character === ";") where = "comment";
        else if (!isEnd && !isSpace) [where, name] = ["name", character];
        break;
      case "comment":
      case "name":
        if (isEnd) end();
        else if (where === "name" && character === "=") where = "before a value";
        else name += character;
        break;
      case "before a value":
      case "value":
        if (isEnd) end();
        else if (character === "'") where = "single quotes";
        else if (character === '"') where = "double quotes";
        else if (isSpace && where === "value") value += character;
        else if (!isSpace) {
          where = "value";
          keep(character);
        }
        break;
      case "single quotes":
      case "double quotes":
        if (character === (where === "single quotes" ? "'" : '"')) where = "value";
        else keep(character);
        break;
    }
  }
  end();
  return variables;
}
