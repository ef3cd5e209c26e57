import type { Chance } from "../../src/core/chance.ts";
import type { RequestFate } from "../sim/actors.ts";
import { between, forked, happens, oneOf } from "../sim/chance.ts";
import { POOR, PREFIXES, RICH, SENDER } from "./cast.ts";
import type { Unnumbered } from "./torture-plan.ts";

type Submit = Extract<Unnumbered, { readonly kind: "submit" }>;

/** Every so many lives somebody submits a batch that is staged in steps, and one that is validated after its answer. */
const LARGE_EVERY = 8;
const HUGE_EVERY = 60;

/** Submissions of each life, together of at least so many messages. */
export function submissionsOf(seed: number, lives: number, messages: number): Submit[][] {
  const all = Array.from({ length: lives }, (_, life) =>
    largeOf(forked(seed, "large", life), life, messages),
  );
  const small = messages * 1.03 - all.flat().reduce((sum, one) => sum + one.request.recipients.length, 0);
  const each = Math.max(1, Math.ceil(small / lives));
  return all.map((large, life) => {
    const drawn = [...large];
    for (let left = each, index = 1; left > 0; index += 1) {
      const chance = forked(seed, "submission", life, index);
      const count = Math.min(left, sizeOf(chance));
      drawn.push(submission(chance, `l${life}-${index}`, count, between(chance, [0, 900])));
      left -= count;
    }
    return drawn;
  });
}

function largeOf(chance: Chance, life: number, messages: number): Submit[] {
  const isHuge = life % HUGE_EVERY === HUGE_EVERY - 1 && messages > 100_000;
  if (life % LARGE_EVERY !== LARGE_EVERY - 1) return [];
  const count = isHuge ? between(chance, [10_001, 12_000]) : between(chance, [500, 3000]);
  // Once its process is ready, as a rule.
  return [submission(chance, `l${life}-0`, Math.min(count, messages), between(chance, [250, 500]))];
}

function sizeOf(chance: Chance): number {
  const drawn = chance.fraction();
  if (drawn < 0.5) return between(chance, [1, 12]);
  if (drawn < 0.9) return between(chance, [13, 150]);
  return between(chance, [251, 400]);
}

const TEXTS = [
  "Bonjour {nom}, lot {lot} : votre colis est la.",
  "Code {lot}",
  "Ça y est, {nom} ! Le lot n° {lot} œuvre pour vous.",
  `Lot {lot}. ${"Un texte assez long pour deux ou trois parties. ".repeat(5)}{nom} {lot}`,
] as const;

function submission(chance: Chance, idempotencyKey: string, count: number, atMs: number): Submit {
  const fate = oneOf<RequestFate>(chance, [
    "well",
    "well",
    "well",
    "well",
    "well",
    "answer lost",
    "cut",
    "slow",
    "lost",
  ]);
  return {
    kind: "submit",
    atMs,
    account: (happens(chance, 0.03) ? POOR : oneOf(chance, RICH)).name,
    idempotencyKey,
    request: {
      sender: SENDER,
      body: oneOf(chance, TEXTS).replaceAll("{lot}", idempotencyKey),
      message_class: oneOf(chance, ["OTP", "TRANSACTIONAL", "TRANSACTIONAL", "MARKETING"]),
      ...(happens(chance, 0.05) && { scheduledInMs: between(chance, [1500, 5000]) }),
      recipients: Array.from({ length: count }, () => recipient(chance)),
    },
    fates: [fate],
    // Until it knows, over all deaths.
    tries: 10_000,
    afterwards: oneOf(chance, ["nothing", "nothing", "nothing", "nothing", "repeat", "another body"]),
  };
}

function recipient(chance: Chance) {
  const digits = String(between(chance, [0, 999_999])).padStart(6, "0");
  return { msisdn: `+${oneOf(chance, PREFIXES)}${digits}`, attributes: { nom: `N${digits}` } };
}
