/** Rounds of one goal as medians with their spread. */
import type { Figures, Goal } from "./goal.ts";

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

export type Summary = {
  readonly letter: string;
  readonly what: string;
  readonly size: number;
  readonly rounds: number;
  readonly figures: Readonly<Record<string, Spread>>;
};

export function summaryOf({ letter, what }: Goal, size: number, runs: readonly Figures[]): Summary {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run)))];
  const figures = names.flatMap((name) => {
    const values = runs.flatMap((run) => run[name] ?? []);
    return values.length === 0 ? [] : [[name, spreadOf(values)] as const];
  });
  return { letter, what, size, rounds: runs.length, figures: Object.fromEntries(figures) };
}

/** Of at least one value; the median of an even number of them lies between two. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  const half = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
  return { median, least: at(0), most: at(sorted.length - 1) };
}

export function linesOf({ letter, what, size, rounds, figures }: Summary): readonly string[] {
  const lines = Object.entries(figures).map(([name, { median, least, most }]) => {
    const spread = rounds > 1 ? `  ${told(least)} to ${told(most)}` : "";
    return `   ${name.padEnd(24)}${told(median).padStart(10)}${spread}`;
  });
  return [`${letter}  ${what}; ${told(size)}, ${rounds} ${rounds === 1 ? "round" : "rounds"}`, ...lines];
}

const told = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toFixed(2)));
