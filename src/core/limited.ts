import type { MetricsRegistry } from "./count-book.ts";

/** Requests that a limit refused, by which. Limits of API keys are not among them: their requests are counted by the status 429. */
export const LIMITED = "bendre_limited_total";

/** What there was too much of. */
export const LIMITS = [
  "sign-ins of a network",
  "sign-ins of a login",
  "second factors of a user",
  "passwords at once",
  "console requests of a user",
  "console requests of an account",
  "console transfers of a user",
  "console transfers of an account",
  "console files at once",
  "webhook tests",
  "people asked for",
  "rejected recipients",
  "wrong passwords at a door",
] as const;
export type Limit = (typeof LIMITS)[number];

/** Counts a request that a limit refused. */
export function countLimited(tally: Pick<MetricsRegistry, "counters">, limit: Limit): void {
  tally.counters(LIMITED).of(limit).value += 1;
}
