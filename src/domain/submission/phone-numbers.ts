/**
 * Normalises phone numbers to E.164 with libphonenumber, with a fast path for the countries of the XOF, and finds their
 * operator by prefix.
 */
import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { assert, unreachable } from "../../core/assert.ts";
import type { DigitCount } from "../../core/import-row.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** What a recipient's number comes to. `msisdn` is E.164 with "+". */
export type NormalisedNumber =
  | { readonly kind: "routable"; readonly msisdn: string; readonly operator: string }
  /** A real number that no configured operator sends to: a fixed line, or nobody's prefix. */
  | { readonly kind: "unroutable"; readonly msisdn: string }
  /** `msisdn` is null unless the library calls the number possible. */
  | { readonly kind: "invalid"; readonly msisdn: string | null };

/** In place of an operator: it is a number, and no operator here sends to it. */
export const NOBODY: unique symbol = Symbol("nobody");

/**
 * The operator that owns a number given as E.164 digits without "+"; null where nothing here says whose it is. `isKnown`: the library
 * calls it valid; what is not known is owned only by whoever knows better.
 */
export type OwnerOf = (digits: string, isKnown: boolean) => string | typeof NOBODY | null;

/**
 * Brings a number in local or international form to E.164 and finds its operator (docs/behaviour.md#numbers).
 * `region` is the ISO 3166 code of the country that local forms belong to, and has to be one the library knows.
 * A foreign number written without "+" is not guessed at, and a number with an extension is none. A number that the
 * library does not know as valid is accepted when a configured prefix owns it: ranges open faster than libraries
 * learn of them. A fixed line is unroutable whoever owns its prefix.
 */
export function normaliseNumber(input: string, region: string, ownerOf: OwnerOf): NormalisedNumber {
  return findOwner(parseNumber(input, region), ownerOf);
}

/** The second half of `normaliseNumber`: what a number that was parsed comes to. */
export function findOwner(number: NumberReading, ownerOf: OwnerOf): NormalisedNumber {
  switch (number.standing) {
    case "impossible":
      return { kind: "invalid", msisdn: null };
    case "extended":
      return { kind: "invalid", msisdn: `+${number.digits}` };
    case "fixed line":
      return { kind: "unroutable", msisdn: `+${number.digits}` };
    case "valid":
    case "possible": {
      const msisdn = `+${number.digits}`;
      const operator = ownerOf(number.digits, number.standing === "valid");
      if (operator === NOBODY) return { kind: "unroutable", msisdn };
      if (operator !== null) return { kind: "routable", msisdn, operator };
      return { kind: number.standing === "valid" ? "unroutable" : "invalid", msisdn };
    }
    default:
      return unreachable(number, "standing of a number");
  }
}

/** What the library said of each block is the same for the life of the process. */
const blockReaders = new Map<string, BlockReader>();

/** The first half of `normaliseNumber`: what the library makes of an input, whoever owns it. */
export function parseNumber(input: string, region: string): NumberReading {
  assert(isSupportedCountry(region), `region ${region} is known`);
  let readInBlocks = blockReaders.get(region);
  if (readInBlocks === undefined) {
    readInBlocks = blockReader(region);
    blockReaders.set(region, readInBlocks);
  }
  return readInBlocks(input) ?? readNumber(input, region);
}

/** What libphonenumber makes of a number. `digits` is E.164 without "+". */
export type NumberReading =
  | { readonly standing: "valid" | "fixed line" | "possible" | "extended"; readonly digits: string }
  /** No number at all, or none of a length that its country has. */
  | { readonly standing: "impossible" };

const IMPOSSIBLE: NumberReading = { standing: "impossible" };

/** Marks that spreadsheets and address books leave around numbers: soft hyphen, text direction, zero width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** The library knows only some of the spaces; French grouping is U+202F. */
const SPACE = /[\p{Zs}\t]/gu;
const BRACKETED_CODE = /^[(\uff08]\s*([+\uff0b]\p{Nd}+)\s*[)\uff09]/u;

/**
 * Reads a number as a person writes it, in local or international form, with the library's full (`max`) metadata. The
 * whole input has to be the number: nothing is picked out of a sentence, and letters are not digits. About 10 µs.
 */
export function readNumber(input: string, region: CountryCode): NumberReading {
  const text = plain(input);
  const number = parsed(text, region) ?? (text.includes(PHONE_CONTEXT) ? parsed(text, region) : undefined);
  if (number === undefined || !number.isPossible()) return IMPOSSIBLE;
  const digits = number.number.slice(1);
  if (number.ext !== undefined) return { standing: "extended", digits };
  if (!number.isValid()) return { standing: "possible", digits };
  return { standing: number.getType() === "FIXED_LINE" ? "fixed line" : "valid", digits };
}

/**
 * The library's patterns for a phone-context go on from where they matched last, so that each match makes them miss the
 * next one: what was missed is read a second time.
 */
const PHONE_CONTEXT = ";phone-context=";

function parsed(text: string, region: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
}

/** The input without what `extract: false` makes the library stumble over, though any reader would pass it over. */
function plain(input: string): string {
  const text = input.replace(INVISIBLE, "").replace(SPACE, " ").trim().replace(BRACKETED_CODE, "$1 ");
  // RFC 3966: with a phone-context the library reads the whole URI itself.
  return /^tel:/i.test(text) && !text.includes(PHONE_CONTEXT) ? text.slice("tel:".length) : text;
}

/**
 * How many leading national digits decide what a number is, in the countries of the franc that wallets are kept in. They
 * have a calling code each, numbers of one length and no national prefix, and dial 00 before a foreign calling code.
 * A test asks the library about every block of each; the numbers of other countries are read by the library one by one.
 */
export const DECIDING_DIGITS: { readonly [region in CountryCode]?: number } = {
  BF: 4,
  BJ: 4,
  CI: 5,
  ML: 4,
  NE: 4,
  SN: 3,
  TG: 3,
};

const DIAL_OUT_PREFIX = "00";

type BlockPlan = {
  readonly callingCode: string;
  readonly nationalLength: number;
  /** All numbers that share this many leading national digits have the same standing. */
  readonly blockLength: number;
};

/** Reads the usual spellings of a region's own numbers; null leaves the input to `readNumber`. */
type BlockReader = (input: string) => NumberReading | null;

/**
 * A reader of a region's own numbers that gives what `readNumber` gives, some 50 times as fast: the library is asked
 * once a block.
 */
export function blockReader(region: CountryCode): BlockReader {
  const plan = blockPlan(region);
  if (plan === null) return () => null;
  const readings = new Map<string, NumberReading["standing"]>();
  return (input) => {
    const national = nationalDigits(input, plan);
    if (national === null) return null;
    const digits = plan.callingCode + national;
    const block = national.slice(0, plan.blockLength);
    let standing = readings.get(block);
    if (standing === undefined) {
      standing = readNumber(`+${digits}`, region).standing;
      readings.set(block, standing);
    }
    return standing === "impossible" ? { standing } : { standing, digits };
  };
}

/** Digits in groups, as `70 12 34 56`, `70.12.34.56`, `+226 70-12-34-56`. */
const GROUPED_DIGITS = /^\+?\d[\d .-]*$/;

/** Null when the input is anything but a number of the plan, or may be read as something else. */
function nationalDigits(input: string, plan: BlockPlan): string | null {
  if (!GROUPED_DIGITS.test(input)) return null;
  const compact = input.replace(/[ .-]/g, "");
  const { callingCode } = plan;
  const codeLength = compact.length - plan.nationalLength;
  if (codeLength < 0) return null;
  if (codeLength === 0) {
    const isAmbiguous = ["+", DIAL_OUT_PREFIX, callingCode].some((start) => compact.startsWith(start));
    return isAmbiguous ? null : compact;
  }
  const code = compact.slice(0, codeLength);
  const isOwnCode =
    code === `+${callingCode}` || code === DIAL_OUT_PREFIX + callingCode || code === callingCode;
  return isOwnCode ? compact.slice(codeLength) : null;
}

function blockPlan(region: CountryCode): BlockPlan | null {
  const blockLength = DECIDING_DIGITS[region];
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  const [nationalLength] = metadata.numberingPlan?.possibleLengths() ?? [];
  if (blockLength === undefined || nationalLength === undefined) return null;
  return { callingCode: getCountryCallingCode(region), nationalLength, blockLength };
}

/** What people write between digits. */
const BETWEEN = /[ ().-]/g;
const DIAL_OUT = /^00(?=[1-9])/;

/**
 * The digits of a text that somebody meant as a phone number, beside those that a number of its country has; null where other things than
 * digits stand in it, or a code that no country has. It does not say that it is none: `normaliseNumber` does.
 */
export function digitCount(input: string, region: string): DigitCount | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const text = plain(input).replaceAll(BETWEEN, "").replace(DIAL_OUT, "+");
  if (!/^\+?\d+$/.test(text)) return null;
  const home = lengthsOf(region);
  const code = getCountryCallingCode(region);
  if (!text.startsWith("+")) {
    const isWithCode = text.length > home.most && text.startsWith(code);
    return isWithCode
      ? { digits: text.length - code.length, ...home, code }
      : { digits: text.length, ...home, code: null };
  }
  const typing = new AsYouType();
  typing.input(text);
  const abroad = typing.getCallingCode();
  if (abroad === undefined) return null;
  const country = abroad === code ? region : typing.getCountry();
  if (country === undefined) return null;
  return { digits: text.length - 1 - abroad.length, ...lengthsOf(country), code: `+${abroad}` };
}

function lengthsOf(country: CountryCode): Pick<DigitCount, "least" | "most"> {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const lengths = metadata.numberingPlan?.possibleLengths() ?? [];
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}

/** Why no operator here sends to a number; null: it is a mobile of this country, whose prefix nobody has. `msisdn`: E.164 with "+". */
export function unroutedCause(msisdn: string, region: string): Phrase | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const typing = new AsYouType();
  typing.input(msisdn);
  const code = typing.getCallingCode();
  if (code !== undefined && code !== getCountryCallingCode(region)) {
    return phrase("row.unserved.country", { code });
  }
  const isFixed = readNumber(msisdn, region).standing === "fixed line";
  return isFixed ? phrase("row.unserved.fixed_line") : null;
}

/**
 * Which operator owns a number, by the longest of the configured prefixes that it begins with
 * (docs/behaviour.md#which-operator). Numbers and prefixes are E.164 digits without "+". Null when nobody owns it.
 */
export function prefixTable(
  operators: Readonly<Record<string, { readonly prefixes: readonly string[] }>>,
): (digits: string) => string | null {
  const owners = new Map<string, string>();
  for (const [code, { prefixes }] of Object.entries(operators)) {
    for (const prefix of prefixes) owners.set(prefix, code);
  }
  return longestPrefix(owners);
}

/** What stands under the longest of some prefixes that a number begins with; null under none. */
export function longestPrefix<Owner>(owners: ReadonlyMap<string, Owner>): (digits: string) => Owner | null {
  const lengths = [...new Set([...owners.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  return (digits) => {
    for (const length of lengths) {
      const owner = owners.get(digits.slice(0, length));
      if (owner !== undefined && digits.length >= length) return owner;
    }
    return null;
  };
}
