import { type CaseOf, type Phrase, phrase, said } from "../i18n/phrase.ts";

/** One fault of a configuration: the key, what was found, what was expected. Never a secret's value. */
export type Fault = { readonly key: string; readonly found: Phrase; readonly expected: Phrase };

/** What is found where something is missing. */
export const NOTHING = phrase("config.found.nothing");

/** A step into a document: a key of a table or a position in a list. */
export type Step = string | number;

/** A key's full path as a person would write it: operators.orange.connections[0].window. */
export function keyText(steps: readonly Step[]): string {
  let key = "";
  for (const step of steps) {
    if (typeof step === "number") {
      key += `[${step}]`;
      continue;
    }
    const bare = /^[A-Za-z0-9_-]+$/.test(step) ? step : JSON.stringify(step);
    key += key === "" ? bare : `.${bare}`;
  }
  return key;
}

/** A fault as one line, with the file's name, and the line number where it is known. */
export function faultLine(file: string, { key, found, expected }: Fault, line: number | null = null): Phrase {
  const place = line === null ? file : `${file}:${line}`;
  return key === ""
    ? phrase("config.fault", { place, found, expected })
    : phrase("config.fault.of_key", { place, key, found, expected });
}

/** The words of a schema that are read here: JSON Schema's, and those that src/config/setting.ts adds. */
export type Shape = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  /** Of a setting, its meaning. */
  readonly means?: Phrase;
  readonly unit?: CaseOf<"config.unit">;
  readonly expects?: Phrase;
  readonly secret?: boolean;
  readonly isFile?: boolean;
};

/** The shape that the values of a table with free keys share, or null for a table with known keys. */
export function valueShape(shape: Shape): Shape | null {
  return Object.values(shape.patternProperties ?? {})[0] ?? null;
}

/** What a setting takes, in the words that errors and the manual share: "a whole number from 1 to 1000". */
export function describeExpected(shape: Shape): Phrase {
  if (shape.expects !== undefined) return shape.expects;
  if (shape.enum) return oneOf(shape.enum);
  const { minimum: min = 0, maximum: max = 0, minItems = 0, maxItems = 0 } = shape;
  switch (shape.type) {
    case "integer":
      return shape.unit
        ? phrase("config.expects.whole.of", { min, max, unit: phrase(`config.unit.${shape.unit}`) })
        : phrase("config.expects.whole", { min, max });
    case "boolean":
      return phrase("config.expects.true_or_false");
    case "string":
      return phrase("config.expects.text");
    case "array":
      return shape.items
        ? phrase("config.expects.list.each", {
            min: minItems,
            max: maxItems,
            each: describeExpected(shape.items),
          })
        : phrase("config.expects.list", { min: minItems, max: maxItems });
    default:
      return phrase("config.expects.table");
  }
}

/** One of some values, each as the file writes it. */
export function oneOf(values: readonly unknown[]): Phrase {
  const words = values.map((value) => JSON.stringify(value));
  const last = words.pop() ?? "";
  return words.length === 0 ? said(last) : phrase("config.expects.one_of", { words: words.join(", "), last });
}

const MAX_SHOWN_LENGTH = 60;

/** What was found in place of the expected, in words. A value is shown only where a single value was expected. */
export function found(value: unknown, shape: Shape): Phrase {
  if (value === undefined || value === null) return NOTHING;
  if (Array.isArray(value))
    return phrase(value.length === 0 ? "config.found.empty_list" : "config.found.list");
  if (typeof value === "object")
    return phrase(Object.keys(value).length === 0 ? "config.found.empty_table" : "config.found.table");
  const asksForMany = shape.type === "object" || shape.type === "array";
  if (shape.secret || asksForMany) {
    const what = phrase(kindOf(value));
    return shape.secret ? phrase("config.found.hidden", { what }) : what;
  }
  if (typeof value !== "string") {
    const isText = shape.type === "string" && typeof value === "number";
    return isText ? phrase("config.found.unquoted", { value: String(value) }) : said(String(value));
  }
  const shown = JSON.stringify(value.slice(0, MAX_SHOWN_LENGTH));
  return said(value.length > MAX_SHOWN_LENGTH ? `${shown}…` : shown);
}

function kindOf(value: unknown) {
  if (typeof value === "string") return "config.found.text";
  return typeof value === "boolean" ? "config.found.boolean" : "config.found.number";
}
