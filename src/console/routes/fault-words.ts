/** What is wrong with a value, in words: those of the library that checks it are for programmers. */
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";

/** One value that is not as it must be; `path` as in JSON Pointer. */
export type Unfit = { readonly path: string; readonly message: string };

const MOST_FAULTS = 20;

/** The first fault of each field, as far as a person reads; nothing where the value is as its schema has it. */
export function faultsOf(schema: TSchema, value: unknown): Unfit[] {
  const byPath = new Map<string, Unfit>();
  for (const error of Value.Errors(schema, value)) {
    if (!byPath.has(error.path)) byPath.set(error.path, { path: error.path, message: wordsFor(error) });
    if (byPath.size === MOST_FAULTS) break;
  }
  return [...byPath.values()];
}

function wordsFor({ type, schema, value, path }: ValueError): string {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is missing";
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1
        ? "must not be empty"
        : `must have at least ${String(schema.minLength)} characters`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${String(schema.maxLength)} characters`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${String(schema.maxItems)} entries`;
    case ValueErrorType.ArrayMinItems:
      return "must not be empty";
    case ValueErrorType.Union:
      return wordsForUnion(schema.anyOf as readonly TSchema[], value);
    case ValueErrorType.StringPattern:
      return "is not written as it must be";
    case ValueErrorType.Object:
      return path === "" ? "brings nothing" : kindOf(schema);
    default:
      return kindOf(schema);
  }
}

/** Of something or null, what is wrong with the something; of several words, which they are. */
function wordsForUnion(choices: readonly TSchema[], value: unknown): string {
  const literals = choices.flatMap((choice) => (choice.const === undefined ? [] : [String(choice.const)]));
  if (literals.length > 0) return `must be one of ${literals.join(", ")}`;
  const [first] = choices;
  const error = first && Value.Errors(first, value).First();
  return error ? wordsFor(error) : "is not written as it must be";
}

function kindOf(schema: TSchema): string {
  switch (schema.type) {
    case "integer":
    case "number":
      return boundsOf(schema);
    case "string":
      return "must be a text";
    case "boolean":
      return "must be true or false";
    case "array":
      return "must be a list";
    case "Uint8Array":
      return "must be a file";
    default:
      return schema.const === undefined
        ? "must be as it is asked for"
        : `must be one of ${String(schema.const)}`;
  }
}

function boundsOf({ minimum, maximum }: TSchema): string {
  return minimum === undefined || maximum === undefined
    ? "must be a whole number"
    : `must be a whole number from ${String(minimum)} to ${String(maximum)}`;
}
