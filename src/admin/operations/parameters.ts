/** The kinds of parameters that operations take: how each is typed and what JSON sends. */
import { Type as t } from "typebox";
import { readIsoTime, toInstant } from "../../core/calendar.ts";
import { isXof, parseXof, type Xof } from "../../core/money.ts";
import { refused } from "../../core/refusals.ts";
import { KEY_MODES, type KeyMode } from "../../domain/accounts/api-keys.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { CommandLineForm, Named, Parameter, TypedAlone } from "./operation.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";

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

/** One of some words. `unknown`: the refusal of another word; the command line rejects it before it runs the operation. */
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
    helpValues: { classes: MESSAGE_CLASSES.join(", ") },
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
export const REASON: Parameter<string, false> = {
  ...text("TEXT", 500),
  check: (reason) => checkWords(reason, "INVALID_REASON", "reason", 500),
};

/** Why a text is read, for the audit. Null for users who may read texts of their own account without a reason. */
export const REASON_TO_READ: Parameter<string | null, true> = {
  schema: t.Optional(REASON.schema),
  typed: REASON.typed,
  isToRead: true,
};

/** The start of a period: a date, a time, or how long ago. */
export const FROM = optional(text("T", 40));

/** The end of the period. */
export const TO = optional(text("T", 40));

/** Which side of an account is meant; what is live unless given. */
export const MODE = otherwise<KeyMode>(
  "live",
  oneOf("MODE", KEY_MODES, (text) => refuse("INVALID_MODE", { text })),
);

/** How many rows of a list; `usual` unless asked otherwise, and at most `most`. */
export function limit(usual: number, most: number): Parameter<number, true> {
  return otherwise(usual, {
    ...whole("N", { minimum: 1, maximum: MAX_ROWS }),
    check: (limit) => checkLimit(limit, most),
  });
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

/** A parameter that is undefined where left out, such as one of several settings to change. JSON omits it and never sends null. */
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

/** A parameter that is null where the word is typed; a form sends null. */
export function orNull<Value>(
  word: string,
  parameter: Parameter<Value, false>,
): Parameter<Value | null, false> {
  const { schema, typed } = parameter;
  const { choices, read } = typed;
  return {
    ...parameter,
    schema: t.Union([schema, t.Null()]),
    typed: {
      ...typed,
      ...(choices && { choices: [...choices, word] }),
      read: (text) => (text === word ? done(null) : read(text)),
    },
  };
}

/** A parameter that has a value where it is left out; help tells which. */
export function otherwise<Value>(value: Value, parameter: Parameter<Value, boolean>): Parameter<Value, true> {
  const { typed } = parameter;
  return {
    ...parameter,
    schema: t.Optional(t.Union([parameter.schema, t.Null()])),
    typed: { ...typed, helpValues: { ...typed.helpValues, usual: String(value) } },
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

/** A parameter that a console form must send; null on a command line. */
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

// What people type for amounts, numbers, times and words, and what is refused of it.

const DAY_MS = 86_400_000;

/** The largest single amount, XOF: far from 2^53, so that no sum of the books ever loses a franc. */
export const MAX_AMOUNT: Xof = 1_000_000_000_000;

/** Reads an amount as typed: whole francs, with a sign or not. */
function readAmount(text: string): AdminOutcome<Xof> {
  const amount = parseXof(text);
  return amount === null ? refuse("INVALID_AMOUNT", { text, most: MAX_AMOUNT }) : done(amount);
}

/** Checked amounts, as refusals name them. */
type NamedAmount = "top_up" | "adjustment" | "credit_limit" | "low_balance";

/** Checks that an amount lies between `least` and MAX_AMOUNT. */
export function checkAmount(amount: Xof, what: NamedAmount, least: number): AdminOutcome<Xof> {
  if (!isXof(amount) || amount < least || amount > MAX_AMOUNT) {
    const named = phrase(`fault.what.${what}`);
    return refuse("INVALID_AMOUNT.bounds", { what: named, least, most: MAX_AMOUNT });
  }
  return done(amount);
}

/** Reads a whole number as typed: digits only. */
function readWhole(text: string): AdminOutcome<number> {
  return /^\d{1,15}$/.test(text) ? done(Number(text)) : refuse("INVALID_NUMBER", { text });
}

/** Checks how many rows an answer may hold. */
export function checkLimit(limit: number, most: number): AdminOutcome<number> {
  return Number.isInteger(limit) && limit >= 1 && limit <= most
    ? done(limit)
    : refuse("INVALID_NUMBER.limit", { most });
}

/** Checked texts, as refusals name them. */
type NamedText = "name" | "reason" | "note" | "reference" | "text" | "idempotency_key";

/** Checks a text that a person gave: trimmed, not blank, at most `longest` characters, no control characters. */
export function checkWords(
  text: string,
  code: AdminCode,
  named: NamedText,
  longest: number,
): AdminOutcome<string> {
  const trimmed = text.trim();
  const what = phrase(`fault.what.${named}`);
  if (trimmed === "") return refused(code, phrase("fault.words.blank", { what }));
  if (trimmed.length > longest) return refused(code, phrase("fault.words.too_long", { what, most: longest }));
  if (/\p{Cc}/u.test(trimmed)) return refused(code, phrase("fault.words.controls", { what }));
  return done(trimmed);
}

/**
 * Reads an ISO 8601 date or date-time, or one with the day first; without an offset it is UTC, as all times of the commands are
 * (docs/behaviour.md#times). Refused is anything else, and a day that no calendar has.
 */
export function readTime(text: string) {
  const time = readIsoTime(toIsoDate(text));
  if (!time) return refuse("INVALID_TIME.not_a_time", { text });
  const beginMs = time.wallMs - (time.offsetMs ?? 0) + Math.floor(time.micros / 1000);
  return done({ beginMs, endMs: beginMs + (time.isDate ? DAY_MS : 1), isDay: time.isDate });
}

// Instants as administrators type them for searches and reports (docs/administration.md#instants).

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, j: 86_400_000 };

/**
 * Reads an instant: ISO 8601 with an offset; a date or a date-time without one, or with the day first as people here write it, as clocks of
 * `timezone` show it; or `30m`, `2h`, `3d` (in French `3j`), which is so long before `nowMs`. Epoch milliseconds.
 */
export function readInstant(text: string, timezone: string, nowMs: number): AdminOutcome<number> {
  const ago = /^(\d{1,5})([mhdj])$/.exec(text.trim());
  if (ago) return done(nowMs - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0));
  const time = readIsoTime(toIsoDate(text));
  if (!time) return refuse("INVALID_TIME", { text });
  const { wallMs, offsetMs, micros } = time;
  if (offsetMs !== null) return done(wallMs - offsetMs + Math.floor(micros / 1000));
  const local = toInstant(wallMs, timezone);
  return local === null
    ? refuse("INVALID_TIME.never_shown", { timezone, text })
    : done(local + Math.floor(micros / 1000));
}

/** The same for future instants: `2h` is two hours from `nowMs`. */
export function readFutureInstant(text: string, timezone: string, nowMs: number): AdminOutcome<number> {
  const told = readInstant(text, timezone, nowMs);
  return told.ok && /^\d+[mhdj]$/.test(text.trim()) ? done(2 * nowMs - told.value) : told;
}

/** A period; the end is excluded. Epoch milliseconds. */
export type InstantRange = { readonly fromMs: number; readonly toMs: number };

/** Reads `--from` and `--to`; without `--from` it is `usualMs` before the end, without `--to` it ends now. */
export function readInstantRange(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  timezone: string,
  nowMs: number,
  usualMs: number,
): AdminOutcome<InstantRange> {
  // Includes what is accepted in this very millisecond.
  const end = to === null ? done(nowMs + 1) : readInstant(to, timezone, nowMs);
  if (!end.ok) return end;
  const begin = from === null ? done(end.value - usualMs) : readInstant(from, timezone, nowMs);
  if (!begin.ok) return begin;
  if (begin.value <= end.value) return done({ fromMs: begin.value, toMs: end.value });
  return to === null
    ? refuse("INVALID_TIME.after_now", { from: from ?? "" })
    : refuse("INVALID_TIME.backwards", { from: from ?? "", to });
}

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(?:à\s+)?(\d{1,2})(?::|\s?h\s?)(\d\d)?)?$/u;

/**
 * Converts a date with the day first (`22/11/2026`, `22/11/2026 9:30`, `22/11/2026 à 9 h`) to ISO 8601; other text is unchanged.
 * The caller checks that such a day exists.
 */
export function toIsoDate(text: string): string {
  const found = DAY_FIRST.exec(text.trim());
  if (!found) return text;
  const [, day = "", month = "", year = "", hour, minute = "00"] = found;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return hour === undefined ? date : `${date}T${hour.padStart(2, "0")}:${minute}`;
}
