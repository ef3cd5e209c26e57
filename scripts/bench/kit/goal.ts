/** A goal of speed as a measurement. Which goals there are: docs/speed.md. */
import type { Product } from "./appliance.ts";
import { openRig, type Rig, type RigOptions } from "./rig.ts";

/** A figure by its name, such as `messages_per_second`; null where this product does not tell it. */
export type Figures = Readonly<Record<string, number | null>>;

export type Goal = {
  readonly letter: string;
  /** One line. */
  readonly what: string;
  /** How many messages or requests unless told otherwise; and in a quick look. */
  readonly size: number;
  readonly quick: number;
  /** What differs from the usual rig. */
  readonly rig?: RigOptions;
  /** The figures that are worth following from commit to commit. */
  readonly run: (rig: Rig, size: number) => Promise<Figures>;
};

/** Measures a goal once, on a rig of its own. */
export async function runOnce({ rig: options, run }: Goal, product: Product, size: number): Promise<Figures> {
  const rig = await openRig(product, options);
  try {
    return await run(rig, size);
  } finally {
    await rig.close();
  }
}

/** The value below which that share of the values lies; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));
