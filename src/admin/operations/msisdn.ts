/** Reads telephone numbers that administrators type, as those of a batch are read. */
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { toSpellings } from "../../channels/sms/receipt-keys.ts";
import { deriveCached } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import { type DigitCount, digitPhrase } from "../../core/import-row.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import {
  digitCount,
  normaliseNumber,
  prefixTable,
  unroutedCause,
} from "../../domain/submission/phone-numbers.ts";
import { NumberOwners } from "../../domain/submission/ported-numbers.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What of a configuration says how numbers are read. */
export type NumberRules = {
  readonly defaults: { readonly region: string };
  readonly operators: Readonly<Record<string, { readonly prefixes: readonly string[] }>>;
};

/**
 * Reads numbers exactly as those of a batch are read, so that a list holds what a batch will be compared with: E.164
 * with "+", also of a number that no operator owns; null for what is no number.
 */
export function createMsisdnReader(config: NumberRules): (text: string) => string | null {
  const ownerOf = prefixTable(config.operators);
  return (text) => {
    const number = normaliseNumber(text, config.defaults.region, ownerOf);
    return number.kind === "invalid" ? null : number.msisdn;
  };
}

/** The number that a text means, or why it is none. */
export function readMsisdn(config: NumberRules, text: string): AdminOutcome<string> {
  const msisdn = createMsisdnReader(config)(text);
  return msisdn === null ? refused("INVALID_MSISDN", describeInvalidNumber(config, text)) : done(msisdn);
}

/**
 * As `createMsisdnReader`, also of what only may be a number: a recipient whose number no operator knows is written down with it, and is found by it.
 * Null for what cannot be one.
 */
function anyMsisdnReader(config: NumberRules): (text: string) => string | null {
  const ownerOf = prefixTable(config.operators);
  return (text) => normaliseNumber(text, config.defaults.region, ownerOf).msisdn;
}

/** The number that people look for a row by whose number is written so: one that lost the zero before it is looked for with it. */
export function createSearchReader(config: NumberRules): (written: string) => string | null {
  const read = anyMsisdnReader(config);
  return (written) => read(written) ?? read(`0${written.trim()}`);
}

/**
 * Reads the number of who sends something in, however the operator spells it and whatever type of number it gives it. A reading
 * that an operator here owns comes before one that is a number of another country.
 */
export function createSenderReader(config: NumberRules): (written: string) => string | null {
  const ownerOf = prefixTable(config.operators);
  return (written) => {
    let known: string | null = null;
    for (const spelling of toSpellings(written)) {
      const number = normaliseNumber(spelling, config.defaults.region, ownerOf);
      if (number.kind === "routable") return number.msisdn;
      if (number.kind === "unroutable") known ??= number.msisdn;
    }
    return known;
  };
}

/** The same by the configuration in force, which may change. */
export function createLiveSenderReader(now: () => NumberRules): (written: string) => string | null {
  const reader = deriveCached(now, createSenderReader);
  return (written) => reader()(written);
}

/** Spaces and signs between digits, and the sign before them. */
const BESIDE_DIGITS = /^\+|[ .-]/g;

/**
 * Reads a prefix as a file of ported numbers has it, with the code of its country and a "*" behind: its digits; null for what is none.
 * One of a country that nobody here sends to would never count, and is most often a local form: it is none.
 */
export function createPrefixReader({
  defaults: { region },
  operators,
}: NumberRules): (text: string) => string | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const starts = [
    getCountryCallingCode(region),
    ...Object.values(operators).flatMap(({ prefixes }) => prefixes),
  ];
  return (text) => {
    const digits = text.trim().slice(0, -1).replace(BESIDE_DIGITS, "");
    if (!text.trim().endsWith("*") || !/^[1-9]\d{0,14}$/.test(digits)) return null;
    return starts.some((start) => digits.startsWith(start) || start.startsWith(digits)) ? digits : null;
  };
}

/** As spreadsheets write long numbers: 7,6E+07. */
export const SHORTENED = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;

/** How many digits a text has that is none, beside those of a number; null where something else is wrong with it. */
export function createDigitCounter({
  defaults: { region },
}: NumberRules): (text: string) => DigitCount | null {
  return (text) => digitCount(text, region);
}

/** Why a text is no phone number. */
export function describeInvalidNumber(rules: NumberRules, text: string): Phrase {
  if (SHORTENED.test(text.trim())) return phrase("row.no_number.shortened", { written: text });
  const count = createDigitCounter(rules)(text);
  const written = phrase("row.written", { text });
  return count === null ? phrase("row.cause.NOT_A_NUMBER", { written }) : digitPhrase(written, count);
}

/** Why no operator here sends to a number; null: nobody has its prefix. `msisdn`: E.164 with "+". */
export function describeUnrouted({ defaults: { region } }: NumberRules, msisdn: string): Phrase | null {
  return unroutedCause(msisdn, region);
}

type Named = Readonly<Record<string, { readonly name: string; readonly prefixes: readonly string[] }>>;

/** Refuses a number that is not of an operator; null where it is. A channel without prefixes takes any. */
export function checkNumberOwner(
  { operators }: { readonly operators: Named },
  code: string,
  { msisdn, typed }: { readonly msisdn: string; readonly typed: string },
  read: Reader,
) {
  const wanted = operators[code];
  if (wanted === undefined) return null;
  const owners = new NumberOwners(() => operators, read);
  const digits = msisdn.slice(1);
  const owner = owners.operatorOf(digits);
  if (owner === code) return null;
  const number = typed.trim();
  const name = owner === null ? null : (operators[owner]?.name ?? owner);
  const isPorted = owners.rowOf(digits) !== null;
  const operator = wanted.name;
  if (name === null) {
    return isPorted
      ? refuse("NUMBER_OF_ANOTHER.ported_nobody", { number, operator })
      : refuse("NUMBER_OF_ANOTHER.nobody", { number, operator });
  }
  return isPorted
    ? refuse("NUMBER_OF_ANOTHER.ported", { number, owner: name, operator })
    : refuse("NUMBER_OF_ANOTHER", { number, owner: name, operator });
}
