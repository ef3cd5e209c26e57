import type { Exchange } from "../exchanges.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number } from "../json.ts";
import { once } from "../once.ts";

const found = finder(
  "rate-headers",
  "X-RateLimit-Limit, -Remaining and -Reset are on every answer to a request with a valid key; 429 is for an empty bucket.",
);

/** What a client is told of its key's bucket fits itself, and a full bucket refuses nothing. */
export const rateHeaders: Rule = (history) =>
  history.exchanges.flatMap((exchange) => {
    const { answer, apiKey, path, id } = exchange;
    const isAnswered = answer !== null && answer.status < 500 && answer.status !== 401;
    if (!isAnswered || !path.startsWith("/public/v1/") || !keysOf(history).has(apiKey ?? "")) return [];
    const why = whyWrong(history, exchange, answer.headers);
    if (why === null) return [];
    const what = `request ${id} (${path}) got ${answer.status}: ${why}`;
    const findings: readonly Finding[] = [found(answer.atMs, what, `request ${id}`)];
    return findings;
  });

const keysOf = once(
  ({ accounts }) => new Set([...accounts.values()].flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey))),
);

const bursts = once(({ settings }: History): number =>
  Math.max(...settings.map(({ document }) => number(document, "api", "burst") ?? Infinity)),
);

function whyWrong(
  history: History,
  { answer }: Exchange,
  headers: Readonly<Record<string, string>>,
): string | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => {
    const value = headers[`x-ratelimit-${name}`] ?? "";
    return /^\d+$/.test(value) ? Number(value) : null;
  });
  if (limit == null || remaining == null || reset == null) return "a header of its limit is missing";
  if (remaining > limit) return `${remaining} of ${limit} remain`;
  if (remaining > bursts(history)) return `${remaining} remain, of ${bursts(history)} at once`;
  if (answer?.status === 429 && remaining > 0) return `${remaining} of ${limit} remain`;
  return null;
}
