/**
 * The shapes of requests. A field is defined once: its schema is what the OpenAPI document shows and gives the type of its
 * values, and its check says in words what is wrong with one.
 */
import {
  type SchemaOptions,
  type Static,
  type StringOptions,
  type TObject,
  type TSchema,
  Type as t,
} from "@sinclair/typebox";
import { type Code, type ParamsOf, type Phrase, phrase, written } from "../i18n/phrase.ts";
import { type FaultList, textFault } from "./refusals.ts";

/** Reports a fault of a field, or of an item of it. */
type TellFault = (message: Phrase, ...item: readonly number[]) => void;

export type Field<Schema extends TSchema = TSchema> = {
  readonly schema: Schema;
  /** Reports the faults of a value. `undefined` stands for one that was left out. */
  readonly check: (value: unknown, tell: TellFault) => void;
};

type Fields = Readonly<Record<string, Field>>;
type SchemasOf<Named extends Fields> = { [Name in keyof Named]: Named[Name]["schema"] };

export type RequestShape<Named extends Fields = Fields> = {
  readonly schema: TObject<SchemasOf<Named>>;
  readonly fields: Named;
};

/** What a request of a shape holds. */
export type ShapeValue<Of extends RequestShape> = Static<Of["schema"]>;

/** A shape with these fields, in the order in which their faults are reported. */
export function defineShape<Named extends Fields>(
  fields: Named,
  options: SchemaOptions = {},
): RequestShape<Named> {
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return { schema: t.Object(schemas as SchemasOf<Named>, options), fields };
}

/** Reports each field of an object that its shape does not have. */
export function refuseOthers(
  { fields }: RequestShape,
  value: Readonly<Record<string, unknown>>,
  faults: FaultList,
  messageOf: (name: string) => Phrase,
): void {
  for (const name of Object.keys(value)) {
    if (faults.isFull()) return;
    if (!Object.hasOwn(fields, name)) faults.at([name], messageOf(name));
  }
}

/** Whether an object has a shape; the faults of its fields are added to `faults`. Other fields are ignored. */
export function hasShape<Of extends RequestShape>(
  shape: Of,
  value: Readonly<Record<string, unknown>>,
  faults: FaultList,
): value is ShapeValue<Of> {
  let fits = true;
  for (const [name, { check }] of Object.entries(shape.fields)) {
    check(value[name], (message, ...item) => {
      fits = false;
      faults.at([name, ...item], message);
    });
  }
  return fits;
}

/**
 * A text of at most `most` Unicode code points, as maxLength of JSON Schema counts them; `faultOf` says what else may be
 * wrong with it.
 */
export function text(
  most: number,
  options: StringOptions = {},
  faultOf: (value: string) => Phrase | null = () => null,
) {
  const check = (value: unknown, tell: TellFault): void => {
    const fault =
      typeof value === "string"
        ? (textFault(value, most) ?? faultOf(value))
        : notThis(value, phrase("fault.string"));
    if (fault !== null) tell(fault);
  };
  return { schema: t.String({ maxLength: most, ...options }), check };
}

/** One word of a closed list. */
export function word<const Word extends string>(
  words: readonly Word[],
  message: Phrase,
  options: SchemaOptions = {},
) {
  const check = (value: unknown, tell: TellFault): void => {
    if (!words.some((known) => known === value)) tell(notThis(value, message));
  };
  return { schema: oneOf(words, options), check };
}

export function flag() {
  const check = (value: unknown, tell: TellFault): void => {
    if (typeof value !== "boolean") tell(notThis(value, phrase("fault.boolean")));
  };
  return { schema: t.Boolean(), check };
}

/** A field that may be left out, or be null, which is the same. */
export function optional<Schema extends TSchema>(
  { schema, check }: Field<Schema>,
  options: SchemaOptions = {},
) {
  return {
    schema: t.Optional(t.Union([schema, t.Null()], options)),
    check: (value: unknown, tell: TellFault): void => {
      if (value !== undefined && value !== null) check(value, tell);
    },
  };
}

/** A closed list as `enum`: generators of clients make more of it than of a union of constants. */
export const oneOf = <Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  t.Unsafe<Word>({ type: "string", enum: words, ...options });

/** The message for a value of another kind, or for none. */
function notThis(value: unknown, message: Phrase): Phrase {
  return value === undefined ? phrase("fault.required") : message;
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Descriptions of fields and operations in the API's reference: a code in the schemas, and a text once the document is made for a
// language.

/** The codes of descriptions. */
export type Description = Extract<Code, `reference.${string}`>;

/** A description as a schema holds it: a phrase as a string, for which the document has its text. */
export function describe<C extends Description>(code: C, ...params: ParamsOf<C>): string {
  return written(phrase(code, ...params));
}
