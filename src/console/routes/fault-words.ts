/** What is wrong with a value, for people: the words of the library that checks it are for programmers. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** One value that is not as it must be; `path` as in JSON Pointer. */
export type Unfit = { readonly path: string; readonly message: Phrase };

const MOST_FAULTS = 20;

/** The first fault of each field, as far as a person reads; nothing where the value is as its schema has it. */
export function faultsOf(schema: TSchema, value: unknown): Unfit[] {
  const byPath = new Map<string, Unfit>();
  for (const error of Value.Errors(schema, value)) {
    if (!byPath.has(error.path)) byPath.set(error.path, { path: error.path, message: faultFor(error) });
    if (byPath.size === MOST_FAULTS) break;
  }
  return [...byPath.values()];
}

function faultFor({ type, schema, value, path }: ValueError): Phrase {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return phrase("fault.missing");
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1
        ? phrase("fault.empty")
        : phrase("fault.too_short", { least: String(schema.minLength) });
    case ValueErrorType.StringMaxLength:
      return phrase("fault.too_long", { most: String(schema.maxLength) });
    case ValueErrorType.ArrayMaxItems:
      return phrase("fault.too_many", { most: String(schema.maxItems) });
    case ValueErrorType.ArrayMinItems:
      return phrase("fault.empty");
    case ValueErrorType.Union:
      return faultForUnion(schema.anyOf as readonly TSchema[], value);
    case ValueErrorType.StringPattern:
      return phrase("fault.written_otherwise");
    case ValueErrorType.Object:
      return path === "" ? phrase("fault.nothing") : kindOf(schema);
    default:
      return kindOf(schema);
  }
}

/** Of something or null, what is wrong with the something; of several words, which they are. */
function faultForUnion(choices: readonly TSchema[], value: unknown): Phrase {
  const literals = choices.flatMap((choice) => (choice.const === undefined ? [] : [String(choice.const)]));
  if (literals.length > 0) return phrase("fault.one_of", { words: literals.join(", ") });
  const [first] = choices;
  const error = first && Value.Errors(first, value).First();
  return error ? faultFor(error) : phrase("fault.written_otherwise");
}

function kindOf(schema: TSchema): Phrase {
  switch (schema.type) {
    case "integer":
    case "number":
      return boundsOf(schema);
    case "string":
      return phrase("fault.text");
    case "boolean":
      return phrase("fault.boolean");
    case "array":
      return phrase("fault.list");
    case "Uint8Array":
      return phrase("fault.file");
    default:
      return schema.const === undefined
        ? phrase("fault.as_asked")
        : phrase("fault.one_of", { words: String(schema.const) });
  }
}

function boundsOf({ minimum, maximum }: TSchema): Phrase {
  return minimum === undefined || maximum === undefined
    ? phrase("fault.whole")
    : phrase("fault.whole_in", { least: String(minimum), most: String(maximum) });
}
