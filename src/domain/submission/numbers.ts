import { isSupportedCountry } from "libphonenumber-js/max";
import { assert, unreachable } from "../../core/assert.ts";
import { type BlockReader, blockReader } from "./number-blocks.ts";
import { type NumberReading, readNumber } from "./number-reading.ts";

/** What a recipient's number comes to. `msisdn` is E.164 with "+". */
export type NormalisedNumber =
  | { readonly kind: "routable"; readonly msisdn: string; readonly operator: string }
  /** A real number that no configured operator sends to: a fixed line, or nobody's prefix. */
  | { readonly kind: "unroutable"; readonly msisdn: string }
  /** `msisdn` is null unless the library calls the number possible. */
  | { readonly kind: "invalid"; readonly msisdn: string | null };

/**
 * The operator that owns a number given as E.164 digits without "+", or null. `isKnown`: the library calls it valid; what is not known
 * is owned only by whoever knows better.
 */
export type OwnerOf = (digits: string, isKnown: boolean) => string | null;

/**
 * Brings a number in local or international form to E.164 and finds its operator (docs/behaviour.md#numbers).
 * `region` is the ISO 3166 code of the country that local forms belong to, and has to be one the library knows.
 * A foreign number written without "+" is not guessed at, and a number with an extension is none. A number that the
 * library does not know as valid is accepted when a configured prefix owns it: ranges open faster than libraries
 * learn of them. A fixed line is unroutable whoever owns its prefix.
 */
export function normaliseNumber(input: string, region: string, ownerOf: OwnerOf): NormalisedNumber {
  return judge(read(input, region), ownerOf);
}

function judge(number: NumberReading, ownerOf: OwnerOf): NormalisedNumber {
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
      if (operator !== null) return { kind: "routable", msisdn, operator };
      return { kind: number.standing === "valid" ? "unroutable" : "invalid", msisdn };
    }
    default:
      return unreachable(number, "standing of a number");
  }
}

/** What the library said of each block is the same for the life of the process. */
const blockReaders = new Map<string, BlockReader>();

function read(input: string, region: string): NumberReading {
  assert(isSupportedCountry(region), `region ${region} is known`);
  let readInBlocks = blockReaders.get(region);
  if (readInBlocks === undefined) {
    readInBlocks = blockReader(region);
    blockReaders.set(region, readInBlocks);
  }
  return readInBlocks(input) ?? readNumber(input, region);
}
