/** Countries whose users a number may not write to, as Meta says with each message to them (130497). Known since the start. */
import type { Clock } from "../../core/clock.ts";

export type BlockedCountry = {
  /** Its calling code. */
  readonly country: string;
  /** Since when Meta says so, epoch milliseconds. */
  readonly sinceMs: number;
};

export type CountryBlocks = {
  /** Meta refused a message of a number to a country; whether that is news. */
  readonly note: (number: string, country: string) => boolean;
  /** Those of which Meta said so within the last 15 minutes. */
  readonly of: (number: string) => readonly BlockedCountry[];
};

/** Whoever is written to now and then is not asked about more often. */
const HOLDS_MS = 900_000;

type Refusal = BlockedCountry & { readonly lastMs: number };

export function createCountryBlocks(clock: Clock): CountryBlocks {
  const byNumber = new Map<string, Map<string, Refusal>>();
  const isLasting = ({ lastMs }: Refusal): boolean => clock.steadyMs() - lastMs < HOLDS_MS;
  return {
    note: (number, country) => {
      const known = byNumber.get(number) ?? new Map<string, Refusal>();
      byNumber.set(number, known);
      const before = known.get(country);
      const lasts = before !== undefined && isLasting(before);
      known.set(country, {
        country,
        sinceMs: lasts ? before.sinceMs : clock.nowMs(),
        lastMs: clock.steadyMs(),
      });
      return !lasts;
    },
    of: (number) =>
      [...(byNumber.get(number)?.values() ?? [])]
        .filter(isLasting)
        .map(({ country, sinceMs }) => ({ country, sinceMs })),
  };
}
