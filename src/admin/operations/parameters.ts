/** The kinds of parameters that operations take, each with how it is typed and what JSON brings. */
import { Type as t } from "typebox";
import type { Xof } from "../../core/money.ts";
import { KEY_MODES, type KeyMode } from "../../domain/accounts/api-key.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Named, Parameter, CommandLineForm, TypedAlone } from "./operation.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { MAX_AMOUNT, readAmount, readWhole } from "./typed-values.ts";

/** How many rows the console asks for at once. */
const MAX_ROWS = 200;

/** A text of at most `most` characters. */
export function text(value: string, most: number): Parameter<string, false> {
  return { schema: t.String({ minLength: 1, maxLength: most }), typed: { value, read: done } };
}

/** A whole number. */
export function whole(
  value: string,
  bounds: { readonly minimum: number; readonly maximum: number },
): Parameter<number, false> {
  return { schema: t.Integer(bounds), typed: { value, read: readWhole } };
}

/** Whole XOF with a sign or not. */
export function amount(minimum = -MAX_AMOUNT, maximum = MAX_AMOUNT): Parameter<Xof, false> {
  return { schema: t.Integer({ minimum, maximum }), typed: { value: "XOF", read: readAmount } };
}

/** One of some words. `unknown`: the refusal of another, which the command line takes for wrong before it asks. */
export function oneOf<const Word extends string>(
  value: string,
  words: readonly Word[],
  unknown: (typed: string) => AdminOutcome<never> = () => notOneOf(value, words),
): Parameter<Word, false> {
  const read = (typed: string): AdminOutcome<Word> => {
    const found = words.find((known) => known === typed);
    return found === undefined ? unknown(typed) : done(found);
  };
  return { schema: t.Enum([...words]), typed: { value, choices: words, read } };
}

/** Several of some words, separated by commas; "all" is every one. `unknown`: the refusal of another word. */
export function severalOf<const Word extends string>(
  words: readonly Word[],
  unknown: (word: string) => AdminOutcome<never>,
): Parameter<readonly Word[], false> {
  const schema = t.Array(t.Enum([...words]), { minItems: 1, maxItems: words.length, uniqueItems: true });
  const read = (typed: string): AdminOutcome<readonly Word[]> => {
    if (typed.trim().toLowerCase() === "all") return done(words);
    const given = typed.split(",").map((word) => word.trim());
    const stranger = given.find((word) => !words.some((known) => known === word.toUpperCase()));
    if (stranger !== undefined) return unknown(stranger);
    return done(words.filter((word) => given.some((one) => one.toUpperCase() === word)));
  };
  return { schema, typed: { value: "A,B", read } };
}

/** Whether something is wanted: a flag without a value. */
export const YES: Parameter<boolean, true> = {
  schema: t.Optional(t.Boolean()),
  typed: { value: null, read: () => done(true) },
  otherwise: { value: false },
};

/** A class of messages, in capital or small letters. */
export const CLASS: Parameter<MessageClass, false> = {
  schema: t.Enum([...MESSAGE_CLASSES]),
  typed: {
    value: "CLASS",
    told: { classes: MESSAGE_CLASSES.join(", ") },
    read: (typed) => {
      const name = typed.toUpperCase();
      return isMessageClass(name)
        ? done(name)
        : refuse("INVALID_CLASS", { text: typed, known: MESSAGE_CLASSES.join(", ") });
    },
  },
};

/** An account by its id, its short name, its name, or an ending of its id. */
export const ACCOUNT = word("ACCOUNT", naming("account", text("ACCOUNT", 200)));

/** The same as a flag, where any account may be meant, or none. */
export const OF_ACCOUNT = optional(naming("account", text("ACCOUNT", 200)));

/** An operator, or a number of WhatsApp, by its code. */
export const OPERATOR = text("CODE", 100);

/** A batch by its id. */
export const BATCH = naming("batch", text("BATCH", 40));

/** A message by its id. */
export const MESSAGE = naming("message", text("MESSAGE", 40));

/** A phone number, as people write it. */
export const MSISDN = word("MSISDN", text("MSISDN", 100));

/** Why something is done, for the audit. */
export const REASON = text("TEXT", 500);

/** Why a text is read, for the audit. Whoever reads texts of their own account as they like leaves it out: null. */
export const REASON_TO_READ: Parameter<string | null, true> = {
  schema: t.Optional(REASON.schema),
  typed: REASON.typed,
  isToRead: true,
};

/** When a stretch of time begins: a date, a time, or how long ago. */
export const FROM = optional(text("T", 40));

/** When it ends. */
export const TO = optional(text("T", 40));

/** Which side of an account is meant; what is live unless given. */
export const MODE = otherwise<KeyMode>(
  "live",
  oneOf("MODE", KEY_MODES, (text) => refuse("INVALID_MODE", { text })),
);

/** How many rows of a list; `usual` unless asked otherwise. */
export function limit(usual: number): Parameter<number, true> {
  return otherwise(usual, whole("N", { minimum: 1, maximum: MAX_ROWS }));
}

/** A parameter that may be left out, and is null then. */
export function optional<Value>({
  schema,
  typed,
  ...parameter
}: Parameter<Value, boolean>): Parameter<Value | null, true> {
  return {
    ...parameter,
    schema: t.Optional(t.Union([schema, t.Null()])),
    typed,
    otherwise: { value: null },
    isOptional: true,
  };
}

/** A parameter that only the command line takes. */
export function typedAlone<Value>(parameter: Parameter<Value, true>): TypedAlone<Value> {
  return { ...parameter, isTypedAlone: true };
}

/** A parameter that is undefined where it is left out, such as one of several settings to change. JSON leaves it out and never says null. */
export function ifGiven<Value>(parameter: Parameter<Value, boolean>): Parameter<Value | undefined, true> {
  const { schema, typed } = parameter;
  return {
    ...parameter,
    schema: t.Optional(schema),
    typed,
    otherwise: { value: undefined },
    isOptional: true,
  };
}

/** A parameter that has a value where it is left out; help tells which. */
export function otherwise<Value>(value: Value, parameter: Parameter<Value, boolean>): Parameter<Value, true> {
  const { typed } = parameter;
  return {
    ...parameter,
    schema: t.Optional(t.Union([parameter.schema, t.Null()])),
    typed: { ...typed, told: { ...typed.told, usual: String(value) } },
    otherwise: { value },
    isOptional: true,
  };
}

/** A parameter that is typed as a word by its place. */
export function word<Value, IsOptional extends boolean>(
  name: string,
  parameter: Parameter<Value, IsOptional>,
): Parameter<Value, IsOptional> {
  return typedAs({ word: name }, parameter);
}

/** A parameter that has a value where it is not typed; JSON must bring it. */
export function otherwiseTyped<Value>(
  value: Value,
  parameter: Parameter<Value, boolean>,
): Parameter<Value, false> {
  return { ...parameter, otherwise: { value }, isOptional: false };
}

/** A parameter that a form of the console must bring; nobody types it, and on a command line it is null. */
export function ofForms<Value>(parameter: Parameter<Value, false>): Parameter<Value | null, false> {
  const { typed } = parameter;
  return otherwiseTyped<Value | null>(null, { ...parameter, typed: { ...typed, isUnlisted: true } });
}

/** A parameter that is typed otherwise than its kind. */
export function typedAs<Value, IsOptional extends boolean>(
  typed: Partial<CommandLineForm<Value>>,
  parameter: Parameter<Value, IsOptional>,
): Parameter<Value, IsOptional> {
  return { ...parameter, typed: { ...parameter.typed, ...typed } };
}

/** A parameter that names something of an account. */
export function naming<Value, IsOptional extends boolean>(
  names: Named,
  parameter: Parameter<Value, IsOptional>,
): Parameter<Value, IsOptional> {
  return { ...parameter, names };
}

function notOneOf(path: string, words: readonly string[]) {
  const fault = phrase("fault.one_of", { words: words.join(", ") });
  return refuse("VALIDATION_FAILED.field", { path, fault });
}
