/**
 * A second factor on its way into an authenticator: drawn, shown, and kept nowhere until it comes back with a code of its own. What brings it
 * back is sealed, so that nobody proposes one of their making, and nobody learns it again from where it was asked for.
 */
import type { Chance } from "../../core/chance.ts";
import type { FactorSeal } from "./factor-seal.ts";
import type { LinkView } from "./link-view.ts";
import { base32, totpUri } from "./totp.ts";

const FACTOR_OCTETS = 20;

/** A second factor to be put into an authenticator; `proposal` brings it back. */
export type ProposedFactor = { readonly proposal: string; readonly totp: LinkView["totp"] };

export type ProposedFor = {
  /** Only what was proposed under a label opens under it. */
  readonly label: string;
  /** What an authenticator shows beside the codes. */
  readonly name: string;
  readonly untilMs: number;
};

/** Draws a second factor. Changes nothing. @throws the runtime's error where the key file cannot be made. */
export function generateFactor(
  { chance, factors }: { readonly chance: Chance; readonly factors: FactorSeal },
  { label, name, untilMs }: ProposedFor,
): ProposedFactor {
  const secretBase32 = base32(chance.bytes(FACTOR_OCTETS));
  return {
    proposal: factors.close(`${untilMs} ${secretBase32}`, label),
    totp: { uri: totpUri(secretBase32, name), secretBase32 },
  };
}

/** The second factor that a proposal brings back; null where it was proposed for something else, or too long ago. */
export function factorIn(
  factors: Pick<FactorSeal, "open">,
  proposal: string,
  label: string,
  nowMs: number,
): string | null {
  const [untilMs, secret] = (factors.open(proposal, label) ?? "").split(" ");
  return secret === undefined || Number(untilMs) <= nowMs ? null : secret;
}
