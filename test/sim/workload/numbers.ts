/** Telephone numbers of a run. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import { pick, weighted } from "./draw.ts";

/** The networks of Burkina Faso by the first two digits of their numbers. */
export const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  orange: [
    "04",
    "05",
    "06",
    "07",
    "44",
    "45",
    "54",
    "55",
    "56",
    "57",
    "64",
    "65",
    "66",
    "67",
    "74",
    "75",
    "76",
    "77",
  ],
  moov: ["01", "02", "03", "50", "51", "52", "53", "60", "61", "62", "63", "70", "71", "72", "73"],
  telecel: ["58", "68", "69", "78", "79"],
};

/** People who are written to again and again: so many at most, and in some runs a few. */
const POOLS = [4, 15, 60] as const;

/** A number that some prefix of the run owns, as E.164, for a batch of this size: one of the run's regulars, or any. */
export function drawNumber(chance: Chance, seed: number, prefixes: readonly string[], size: number): string {
  // A batch of hundreds would be nothing but the same few.
  return happens(chance, Math.min(0.35, 15 / size))
    ? drawRegular(chance, seed, prefixes)
    : anyOf(chance, prefixes);
}

/** One of the run's regulars. */
export function drawRegular(chance: Chance, seed: number, prefixes: readonly string[]): string {
  const place = between(chance, [0, oneOf(forked(seed, "regulars"), POOLS) - 1]);
  return anyOf(forked(seed, "regular", place), prefixes);
}

/** Any number of these prefixes. */
export function anyOf(chance: Chance, prefixes: readonly string[]): string {
  const prefix = pick(chance, prefixes);
  return `+${prefix}${String(between(chance, [0, 10 ** (11 - prefix.length) - 1])).padStart(11 - prefix.length, "0")}`;
}

/** A number as people write it. */
export function written(chance: Chance, number: string): string {
  const national = number.slice(4);
  return weighted(chance, [
    [6, number],
    [3, national],
    [1, national.replace(/(..)(?=.)/g, "$1 ")],
    [1, `+226 ${national.replace(/(..)(?=.)/g, "$1-")}`],
    [1, `00226${national}`],
  ]);
}

/** What cannot be read as a number, or is none. */
export function badNumber(chance: Chance): string {
  return pick(chance, [
    ...[
      "",
      " ",
      "abc",
      "12",
      "+",
      "7012",
      "+226",
      "+2267012",
      "+22670123456789",
      "70 12 34 56 x12",
      "++22670123456",
    ],
    ...["33612345678", "+226٧٠١٢٣٤٥٦", "null", "0", "+99970123456"],
  ]);
}

/** A good number that no operator of any run owns: fixed lines, and another country. */
export function unroutable(chance: Chance): string {
  const rest = String(between(chance, [0, 9999])).padStart(4, "0");
  return pick(chance, [`+2262549${rest}`, `+2262030${rest}`, `+3361234${rest}`, `+2252722${rest}55`]);
}
