import { nearest } from "../core/nearest.ts";
import { getOwn } from "../core/own-value.ts";
import { schemaErrors } from "../core/schema-errors.ts";
import { phrase } from "../i18n/phrase.ts";
import { describeExpected, found, type Shape, valueShape } from "./expectation.ts";
import { type Fault, keyText, NOTHING, type Step } from "./fault.ts";
import { ConfigSchema } from "./schema.ts";
import { SETTINGS } from "./settings.ts";

/** Unknown keys, missing keys, wrong types and values out of bounds, each key once. */
export function shapeFaults(document: unknown, origins: ReadonlyMap<string, string>): Fault[] {
  const errors = schemaErrors(ConfigSchema, document);
  /** What unknown keys were probably meant to be: told once, not as missing beside. */
  const misspelt = new Set<string>();
  for (const error of errors) {
    if (error.keyword !== "additionalProperties") continue;
    const spot = follow(document, error.instancePath);
    for (const key of error.params.additionalProperties) {
      const meant = nearest(key, Object.keys(spot.shape.properties ?? {}));
      if (meant !== null) misspelt.add(keyText([...spot.steps, meant]));
    }
  }
  return errors.flatMap((error) => {
    const spot = follow(document, error.instancePath);
    switch (error.keyword) {
      case "boolean":
        return []; // Each unknown key comes again, by name, as "additionalProperties".
      case "additionalProperties":
        return error.params.additionalProperties.map((key) => unknownKey(spot, key));
      case "required":
        return error.params.requiredProperties
          .filter((key) => !misspelt.has(keyText([...spot.steps, key])))
          .map((key) => missingKey(spot, key));
      default:
        return [wrongValue(spot, origins)];
    }
  });
}

/** What the schema says about a place; nothing about one that it does not know. */
export function shapeAt(steps: readonly Step[]): Shape {
  return steps.reduce<Shape>(stepInto, ConfigSchema);
}

function stepInto(shape: Shape, step: Step): Shape {
  return (
    (typeof step === "number" ? shape.items : (getOwn(shape.properties, step) ?? valueShape(shape))) ?? {}
  );
}

/** A place in the document: the way there, what stands there and what the schema says about it. */
type Spot = { readonly steps: readonly Step[]; readonly value: unknown; readonly shape: Shape };

/** Walks a JSON Pointer (RFC 6901) through the document and its schema at once. */
function follow(document: unknown, pointer: string): Spot {
  let value: unknown = document;
  let shape: Shape = ConfigSchema;
  const steps: Step[] = [];
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const inList = Array.isArray(value);
    steps.push(inList ? Number(name) : name);
    value =
      typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
    shape = stepInto(shape, inList ? Number(name) : name);
  }
  return { steps, value, shape };
}

function wrongValue(spot: Spot, origins: ReadonlyMap<string, string>): Fault {
  const key = keyText(spot.steps);
  const variable = origins.get(key);
  return {
    key,
    found:
      variable === undefined
        ? found(spot.value, spot.shape)
        : phrase("config.found.hidden", { what: phrase("config.found.variable", { variable }) }),
    expected: describeExpected(spot.shape),
  };
}

function missingKey(spot: Spot, key: string): Fault {
  const expected = describeExpected(getOwn(spot.shape.properties, key) ?? {});
  return { key: keyText([...spot.steps, key]), found: NOTHING, expected };
}

function unknownKey(spot: Spot, key: string): Fault {
  const known = Object.keys(spot.shape.properties ?? {});
  const meant = nearest(key, known);
  const elsewhere = SETTINGS.find((setting) => setting.key === key)?.table;
  let expected = phrase("config.expects.known_key", { keys: known.join(", ") });
  if (elsewhere !== undefined) expected = phrase("config.expects.known_key.elsewhere", { table: elsewhere });
  if (meant !== null) expected = phrase("config.expects.known_key.meant", { key: meant });
  return { key: keyText([...spot.steps, key]), found: phrase("config.found.unknown_key"), expected };
}
