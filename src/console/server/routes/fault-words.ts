/** What is wrong with a value, for people: the words of the library that checks it are for programmers. */
import type { TSchema } from "typebox";
import { getOwn } from "../../../core/own-value.ts";
import { type SchemaError, schemaErrors } from "../../../core/schema-errors.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";

/** One value that is not as it must be; `path` as in JSON Pointer. */
export type InvalidField = { readonly path: string; readonly message: Phrase };

const MAX_WORDED_FAULTS = 20;

/** What of a schema says what is wrong with a value (JSON Schema). */
type Shape = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
};

/** The first fault of each field, as far as a person reads; nothing where the value is as its schema has it. */
export function faultsOf(schema: TSchema, value: unknown): InvalidField[] {
  const errors = schemaErrors(schema, value);
  const unions = errors.flatMap(({ keyword, instancePath }) => (keyword === "anyOf" ? [instancePath] : []));
  const byPath = new Map<string, InvalidField>();
  const add = (path: string, message: Phrase): void => {
    if (!byPath.has(path) && byPath.size < MAX_WORDED_FAULTS) byPath.set(path, { path, message });
  };
  for (const error of errors) {
    const { keyword, instancePath: path } = error;
    // Of several shapes none fits: what each of them lacks is told as one.
    if (keyword !== "anyOf" && unions.some((union) => path === union || path.startsWith(`${union}/`)))
      continue;
    if (keyword === "required") {
      for (const name of error.params.requiredProperties) add(`${path}/${name}`, phrase("fault.missing"));
      continue;
    }
    const spot = follow(schema, value, path);
    add(path, faultFor(error, spot.shape, spot.value));
  }
  return [...byPath.values()];
}

function faultFor({ keyword, instancePath: path }: SchemaError, shape: Shape, value: unknown): Phrase {
  switch (keyword) {
    case "minLength":
      return shape.minLength === 1
        ? phrase("fault.empty")
        : phrase("fault.too_short", { least: String(shape.minLength) });
    case "maxLength":
      return phrase("fault.too_long", { most: String(shape.maxLength) });
    case "maxItems":
      return phrase("fault.too_many", { most: String(shape.maxItems) });
    case "uniqueItems":
      return phrase("fault.repeated");
    case "minItems":
      return phrase("fault.empty");
    case "enum":
      return phrase("fault.one_of", { words: (shape.enum ?? []).join(", ") });
    case "anyOf":
      return faultForUnion(shape.anyOf ?? [], value);
    case "pattern":
      return phrase("fault.written_otherwise");
    case "type":
      return shape.type === "object" && path === "" ? phrase("fault.nothing") : kindOf(shape);
    default:
      return kindOf(shape);
  }
}

/** Of something or null, what is wrong with the something; of several words, which they are. */
function faultForUnion(choices: readonly TSchema[], value: unknown): Phrase {
  const words = choices.flatMap(wordsOf);
  if (words.length > 0) return phrase("fault.one_of", { words: words.join(", ") });
  const [first] = choices;
  const fault = first && faultsOf(first, value)[0];
  return fault ? fault.message : phrase("fault.written_otherwise");
}

function wordsOf(choice: TSchema): string[] {
  const { const: word, enum: words = [] }: Shape = choice;
  return word === undefined ? words.map(String) : [String(word)];
}

function kindOf(shape: Shape): Phrase {
  switch (shape.type) {
    case "integer":
    case "number":
      return boundsOf(shape);
    case "string":
      return shape.const === undefined
        ? phrase("fault.text")
        : phrase("fault.one_of", { words: String(shape.const) });
    case "boolean":
      return phrase("fault.boolean");
    case "array":
      return phrase("fault.list");
    default:
      return phrase("fault.as_asked");
  }
}

function boundsOf({ minimum, maximum }: Shape): Phrase {
  return minimum === undefined || maximum === undefined
    ? phrase("fault.whole")
    : phrase("fault.whole_in", { least: String(minimum), most: String(maximum) });
}

/** What stands at a place and what its schema says of it (JSON Pointer, RFC 6901). */
function follow(
  schema: TSchema,
  value: unknown,
  pointer: string,
): { readonly shape: Shape; readonly value: unknown } {
  let shape: Shape = schema;
  let at = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    shape = (Array.isArray(at) ? shape.items : getOwn(shape.properties, name)) ?? {};
    at = typeof at === "object" && at !== null ? getOwn({ ...at }, name) : undefined;
  }
  return { shape, value: at };
}
