/** All errors of a value against its TypeBox schema. */
import type { TSchema } from "typebox";
import { Settings } from "typebox/system";
import { Value } from "typebox/value";

/** Far above what is shown: one wrong value counts more than once, and the library stops at eight unless told otherwise. */
const MAX_ERRORS = 500;

export type SchemaError = ReturnType<typeof Value.Errors>[number];

/** The errors of a value against its schema, in the library's words. */
export function schemaErrors(schema: TSchema, value: unknown): SchemaError[] {
  // Looking for errors takes three times as long, and each command reads the configuration.
  if (Value.Check(schema, value)) return [];
  const usual = Settings.Get().maxErrors;
  Settings.Set({ maxErrors: MAX_ERRORS });
  try {
    return Value.Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors: usual });
  }
}
