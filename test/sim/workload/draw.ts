/** Small draws that every part of a plan is made of. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens, oneOf } from "../chance.ts";

/** A value of a list with weights. */
export function weighted<T>(chance: Chance, choices: readonly (readonly [weight: number, value: T])[]): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = chance.fraction() * total;
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = choices.at(-1);
  if (!last) throw new Error("there is nothing to choose from");
  return last[1];
}

/** One of a list that is not empty. */
export function pick<T>(chance: Chance, choices: readonly T[]): T {
  const [first, ...rest] = choices;
  if (first === undefined) throw new Error("there is nothing to choose from");
  return oneOf(chance, [first, ...rest]);
}

/** All of a list in an order of its own. */
export function shuffled<T>(chance: Chance, all: readonly T[]): readonly T[] {
  const keyed = all.map((value) => [chance.fraction(), value] as const);
  return keyed.sort(([one], [other]) => one - other).map(([, value]) => value);
}

/** The member under its name, or none: for what is left out more often than not. */
export function sometimes<Name extends string, T>(
  chance: Chance,
  probability: number,
  name: Name,
  draw: () => T,
): { readonly [Key in Name]?: T } {
  return happens(chance, probability) ? ({ [name]: draw() } as { readonly [Key in Name]: T }) : {};
}

/** A probability below `most`, or 0 as often. */
export function rarely(chance: Chance, most: number): number {
  return happens(chance, 0.5) ? Math.round(chance.fraction() * most * 1000) / 1000 : 0;
}

/** Two ends of a range: the first drawn from `least`, the second above it. */
export function rangeFrom(
  chance: Chance,
  least: readonly [number, number],
  wide: readonly [number, number],
): readonly [number, number] {
  const from = between(chance, least);
  return [from, from + between(chance, wide)];
}
