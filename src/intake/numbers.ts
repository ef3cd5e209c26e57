import { type CountryCode, getCountryCallingCode, isSupportedCountry, parsePhoneNumber } from "libphonenumber-js/max";
import { assert } from "../base/assert.ts";

/** What a recipient's number comes to. `msisdn` is E.164 with "+". */
export type NormalisedNumber =
  | { readonly kind: "routable"; readonly msisdn: string; readonly operator: string }
  /** A real number that no configured operator sends to: a fixed line, or nobody's prefix. */
  | { readonly kind: "unroutable"; readonly msisdn: string }
  /** `msisdn` is null unless the library calls the number possible. */
  | { readonly kind: "invalid"; readonly msisdn: string | null };

/** The operator that owns a number given as E.164 digits without "+", or null. */
export type OwnerOf = (digits: string) => string | null;

const INVALID: NormalisedNumber = { kind: "invalid", msisdn: null };

/**
 * Brings a number in local or international form to E.164 and finds its operator (decisions.md section 4, Numbers).
 * A foreign number written without "+" is not guessed at, and a number with an extension is none. A number that the
 * library does not know as valid is accepted when a configured prefix owns it: ranges open faster than libraries
 * learn of them.
 */
export function normaliseNumber(input: string, region: string, ownerOf: OwnerOf): NormalisedNumber {
  assert(isSupportedCountry(region), `region ${region} is known`);
  return shortcut(input, region, ownerOf) ?? parsed(input, region, ownerOf);
}

function parsed(input: string, region: CountryCode, ownerOf: OwnerOf): NormalisedNumber {
  let number: ReturnType<typeof parsePhoneNumber>;
  try {
    number = parsePhoneNumber(input, { defaultCountry: region, extract: false });
  } catch {
    return INVALID;
  }
  if (number.ext !== undefined || !number.isPossible()) return INVALID;
  const digits = number.number.slice(1);
  if (number.isValid()) {
    const isMobile = number.getType() !== "FIXED_LINE";
    const operator = isMobile ? ownerOf(digits) : null;
    return operator === null
      ? { kind: "unroutable", msisdn: number.number }
      : { kind: "routable", msisdn: number.number, operator };
  }
  const operator = ownerOf(digits);
  return operator === null
    ? { kind: "invalid", msisdn: number.number }
    : { kind: "routable", msisdn: number.number, operator };
}

/** Plans with one length and no national prefix, whose mobile blocks are whole to this many national digits. */
const UNIFORM: Readonly<Record<string, { readonly length: number; readonly block: number }>> = {
  BF: { length: 8, block: 2 },
};

/** Per region and block: the verdict of the library on a number of the block, which is the same for all of it. */
const mobileBlocks = new Map<string, boolean>();

/**
 * The usual spellings of a national mobile number, without the library's 10 µs each. It only answers for blocks
 * that the library was asked about and called mobile, where every number of the block is.
 */
function shortcut(input: string, region: string, ownerOf: OwnerOf): NormalisedNumber | null {
  const plan = UNIFORM[region];
  if (!plan) return null;
  const national = nationalDigits(input, region, plan.length);
  if (national === null || !isMobileBlock(region, national.slice(0, plan.block), plan.length)) return null;
  const digits = callingCode(region) + national;
  const operator = ownerOf(digits);
  const msisdn = `+${digits}`;
  return operator === null ? { kind: "unroutable", msisdn } : { kind: "routable", msisdn, operator };
}

function nationalDigits(input: string, region: string, length: number): string | null {
  let from = 0;
  if (input.length !== length) {
    const code = callingCode(region);
    for (const lead of ["+", "00"]) {
      if (input.length === lead.length + code.length + length && input.startsWith(lead + code)) {
        from = lead.length + code.length;
      }
    }
    if (from === 0) return null;
  }
  for (let index = from; index < input.length; index++) {
    const unit = input.charCodeAt(index);
    if (unit < 48 || unit > 57) return null;
  }
  return input.slice(from);
}

function isMobileBlock(region: string, block: string, length: number): boolean {
  const key = region + block;
  let isMobile = mobileBlocks.get(key);
  if (isMobile === undefined) {
    isMobile = ["0", "9"].every((digit) => {
      const probe = parsePhoneNumber(`+${callingCode(region)}${block.padEnd(length, digit)}`);
      return probe.isValid() && probe.getType() === "MOBILE";
    });
    mobileBlocks.set(key, isMobile);
  }
  return isMobile;
}

const callingCodes = new Map<string, string>();

function callingCode(region: string): string {
  let code = callingCodes.get(region);
  if (code === undefined) {
    code = isSupportedCountry(region) ? String(getCountryCallingCode(region)) : "";
    callingCodes.set(region, code);
  }
  return code;
}
