import type { Appliance } from "./appliance.ts";

/** Something a hostile or clumsy client does. */
export type Attack = {
  readonly name: string;
  /** What came back, in words; throws when it is not what must come back. */
  readonly run: (appliance: Appliance) => Promise<string>;
};

/** "3 × 422, 2 × 429". */
export function tally(verdicts: readonly string[]): string {
  const groups = Map.groupBy(verdicts, (verdict) => verdict);
  return [...groups].map(([verdict, { length }]) => `${length} × ${verdict}`).join(", ");
}

/** Fails unless every verdict is one of those that `allowed` matches. */
export function expectAll(verdicts: readonly string[], allowed: RegExp): string {
  const wrong = verdicts.filter((verdict) => !allowed.test(verdict));
  if (wrong.length > 0) throw new Error(`${tally(verdicts)}; expected ${allowed.source}`);
  return tally(verdicts);
}
