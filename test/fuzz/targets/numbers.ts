import { deepStrictEqual, match, ok, strictEqual } from "node:assert";
import type { CountryCode } from "libphonenumber-js/max";
import {
  type NormalisedNumber,
  normaliseNumber,
  prefixTable,
  readNumber,
} from "../../../src/domain/submission/phone-numbers.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { textTarget } from "../target.ts";

const REGIONS: readonly CountryCode[] = ["BF", "CI", "FR"];
const ownerOf = prefixTable(
  configOf(
    document({
      operators: {
        orange: operator({ prefixes: ["22605", "226057", "22670"] }),
        moov: operator({ prefixes: ["22501", "22901", "2267099999"] }),
      },
    }),
  ).operators,
);

export const numbers = textTarget({
  name: "numbers",
  promise: "a number is E.164 or none, the same however it is read, and itself when read again",
  words: [
    ...["+", "00", "+226", "00226", "226", "70123456", "70 12 34 56", "70-12-34-56", "70.12.34.56", "(+226)"],
    ...[
      "+225 01 23 45 67 89",
      "+221771234567",
      "+33612345678",
      "+1 202 555 0143",
      "tel:",
      ";ext=5",
      " ext. 5",
    ],
    ...[
      ";phone-context=+226",
      "\u00a0",
      "\u202f",
      "\u200e",
      "\uff0b",
      "\uff10",
      "\u0660",
      "x12",
      "#",
      "*",
      "0",
    ],
  ],
  draw: ({ below, pick }) => {
    const digits = `${below(1e9)}`.padStart(8, "0").slice(0, 8 + below(3));
    const grouped = pick([digits, digits.replace(/(..)(?=.)/g, pick(["$1 ", "$1-", "$1."]))]);
    return `${pick(["", "+226", "+226 ", "00226", "226", "0", "+225", "(+226) ", "tel:+226"])}${grouped}`;
  },
  longest: 512,
  run: (text) => REGIONS.map((region) => shapeOf(checked(text, region), region)).join(" "),
});

function checked(text: string, region: CountryCode): NormalisedNumber {
  const number = normaliseNumber(text, region, ownerOf);
  const { standing, ...reading } = readNumber(text, region);
  const digits = "digits" in reading ? reading.digits : null;
  strictEqual(number.msisdn, digits === null ? null : `+${digits}`, `as the library reads it for ${region}`);
  if (standing === "fixed line") strictEqual(number.kind, "unroutable");
  if (standing === "extended" || standing === "impossible") strictEqual(number.kind, "invalid");
  if (number.msisdn !== null) {
    match(number.msisdn, /^\+[1-9]\d{3,19}$/);
    if (number.kind !== "invalid") deepStrictEqual(normaliseNumber(number.msisdn, region, ownerOf), number);
  }
  if (number.kind === "routable")
    ok(longestOwner(number.msisdn) === number.operator, "the longest prefix owns it");
  return number;
}

/** Whose a number is, asked prefix by prefix. */
function longestOwner(msisdn: string): string | null {
  const owned = {
    "22605": "orange",
    "226057": "orange",
    "22670": "orange",
    "22501": "moov",
    "22901": "moov",
  };
  let owner: string | null = null;
  let length = 0;
  for (const [prefix, code] of Object.entries({ ...owned, "2267099999": "moov" })) {
    if (msisdn.startsWith(`+${prefix}`) && prefix.length > length) [owner, length] = [code, prefix.length];
  }
  return owner;
}

function shapeOf({ kind, msisdn }: NormalisedNumber, region: CountryCode): string {
  return `${region} ${kind}${msisdn === null ? "" : ` ${msisdn.startsWith("+226") ? "home" : "abroad"}`}`;
}
