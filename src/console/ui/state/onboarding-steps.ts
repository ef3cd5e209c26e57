/** How far the set-up of a new appliance is. Pure. */
import type { Answer } from "../api/contract.ts";

export type OnboardingState = {
  /** Names of operators that were reached, of those that are down now, and of those that were never reached. */
  readonly reached: readonly string[];
  readonly away: readonly string[];
  readonly unreached: readonly string[];
  /** The code of an operator to test, best of one that was reached. */
  readonly code: string | null;
  readonly accounts: number;
  readonly hasSent: boolean;
};

type Operators = Pick<Answer<"GET /operators">, "operators" | "connections">;

/**
 * Derives the steps from what there is. An operator that is down was reached before where it was bound since the start; where none was,
 * sent texts prove it: an outage is no set-up. Pure.
 */
export function listOnboardingSteps(
  { operators, connections }: Operators,
  accounts: number,
  hasSent: boolean,
): OnboardingState {
  const linksOf = (code: string) => connections.filter(({ operator }) => operator === code);
  const isBound = (code: string) => linksOf(code).some(({ state }) => state === "BOUND");
  const isKnown = (code: string) => isBound(code) || linksOf(code).some(({ was_bound }) => was_bound);
  const nameOf = ({ code, name }: Operators["operators"][number]) => name || code;
  const known = operators.filter(({ code }) => isKnown(code));
  const reached = known.length === 0 && hasSent ? operators : known;
  return {
    reached: reached.map(nameOf),
    away: reached.filter(({ code }) => !isBound(code)).map(nameOf),
    unreached: operators.filter((one) => !reached.includes(one)).map(nameOf),
    code: (reached[0] ?? operators[0])?.code ?? null,
    accounts,
    hasSent,
  };
}

/** Whether nothing is left to be done. */
export function isSetUp({ reached, accounts, hasSent }: OnboardingState): boolean {
  return reached.length > 0 && accounts > 0 && hasSent;
}
