import { formatApiKey, parseApiKey } from "../../src/domain/accounts/api-keys.ts";
import type { Appliance } from "./appliance.ts";

const ROUNDS = 3000;

/** Keys of the right shape and checksum: one that no account has, and one with another secret than its own. */
function forged(apiKey: string): { readonly unknown: string; readonly wrong: string } {
  const parts = parseApiKey(apiKey);
  if (!parts) throw new Error("the appliance made a key that it cannot read");
  const secret = [...parts.secret].reverse().join("");
  return {
    unknown: formatApiKey({ mode: "live", keyId: "000000000000", secret }),
    wrong: formatApiKey({ ...parts, secret }),
  };
}

/** Median and 99th percentile, in microseconds, of the 401 for each kind of key, asked in turn on one connection. */
export async function unauthorizedTimes({ port, apiKey, keys }: Appliance): Promise<string[]> {
  const { unknown, wrong } = forged(apiKey);
  const kinds: Record<string, Record<string, string>> = {
    "no key": {},
    malformed: { "x-api-key": "nonsense" },
    "mistyped (checksum wrong)": { "x-api-key": `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}` },
    unknown: { "x-api-key": unknown },
    "wrong secret": { "x-api-key": wrong },
    revoked: { "x-api-key": keys.revoked },
    expired: { "x-api-key": keys.expired },
    "account suspended": { "x-api-key": keys.suspended },
  };
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  const bodies = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, headers] of Object.entries(kinds)) {
      const began = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/public/v1/account/balance`, { headers });
      const body = await answer.text();
      times.get(kind)?.push((performance.now() - began) * 1000);
      bodies.add(`${answer.status} ${body.replace(/"request_id":"\w+"/, "")}`);
    }
  }
  if (bodies.size !== 1) throw new Error(`the 401s differ: ${[...bodies].join(" | ")}`);
  return [...times].map(([kind, list]) => {
    list.sort((a, b) => a - b);
    const at = (share: number) => Math.round(list[Math.floor(list.length * share)] ?? 0);
    return `${kind.padEnd(28)} median ${at(0.5)} µs, 99th percentile ${at(0.99)} µs`;
  });
}
