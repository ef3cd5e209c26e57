import { type Shape, valueShape } from "./faults.ts";
import { ConfigSchema } from "./schema.ts";

/** One key that takes a value: its table, and what the schema says about it. */
export type Setting = {
  /** The tables above it. CODE stands for an operator's code and `[]` for each table of a list. */
  readonly table: string;
  readonly key: string;
  readonly shape: Shape;
};

/** Every setting there is, in the order of the schema. */
export const SETTINGS: readonly Setting[] = settingsOf(ConfigSchema, "");

function settingsOf(shape: Shape, table: string): Setting[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, inner]) => {
    const path = table === "" ? key : `${table}.${key}`;
    const each = valueShape(inner);
    if (inner.properties) return settingsOf(inner, path);
    if (each?.properties) return settingsOf(each, `${path}.CODE`);
    // A list whose tables have words of their own is written in one line.
    if (inner.items?.properties && !inner.items.expects) return settingsOf(inner.items, `${path}[]`);
    return [{ table, key, shape: inner }];
  });
}
