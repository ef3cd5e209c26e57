/** What this project reads of a schema: JSON Schema's words, and those that src/config/setting.ts adds. */
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
  readonly description?: string;
  readonly unit?: string;
  readonly expects?: string;
  readonly secret?: boolean;
  readonly isFile?: boolean;
};

/** The shape that the values of a table with free keys share, or null for a table with known keys. */
export function valueShape(shape: Shape): Shape | null {
  return Object.values(shape.patternProperties ?? {})[0] ?? null;
}

/** What a setting takes, in the words that errors and the manual share: "a whole number from 1 to 1000". */
export function expectation(shape: Shape): string {
  if (shape.expects !== undefined) return shape.expects;
  if (shape.enum) return alternatives(shape.enum.map((value) => JSON.stringify(value)));
  switch (shape.type) {
    case "integer":
      return `a whole number from ${shape.minimum} to ${shape.maximum}${shape.unit ? ` (${shape.unit})` : ""}`;
    case "boolean":
      return "true or false";
    case "string":
      return "a text";
    case "array":
      return `a list of ${shape.minItems} to ${shape.maxItems}${shape.items ? `, each ${expectation(shape.items)}` : ""}`;
    default:
      return "a table";
  }
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const LONGEST_SHOWN = 60;

/** What stands where something else should, in words. A value is shown only where one value was asked for. */
export function found(value: unknown, shape: Shape): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return Object.keys(value).length === 0 ? "an empty table" : "a table";
  const asksForMany = shape.type === "object" || shape.type === "array";
  if (shape.secret || asksForMany) {
    const kind = typeof value === "string" ? "a text" : `a ${typeof value}`;
    return shape.secret ? `${kind} (hidden)` : kind;
  }
  if (typeof value !== "string") return String(value);
  const shown = JSON.stringify(value.slice(0, LONGEST_SHOWN));
  return value.length > LONGEST_SHOWN ? `${shown}…` : shown;
}
