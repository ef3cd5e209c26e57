/** How far an appliance is that was started for the first time. Pure. */
import type { Contract } from "../api/contract.ts";

export type OnboardingState = {
  /** What operators are called that were reached, those of them that are not at this moment, and those that never were. */
  readonly reached: readonly string[];
  readonly away: readonly string[];
  readonly unreached: readonly string[];
  /** The code of an operator to try, best of one that was reached. */
  readonly code: string | null;
  readonly accounts: number;
  readonly hasSent: boolean;
};

type Operators = Pick<Contract["GET /operators"]["answer"], "operators" | "connections">;

/**
 * How far it is, from what there is. An operator that is out of reach was reached before where it was bound since the start; where none was,
 * that texts were sent at all tells it: an outage is no set-up. Pure.
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
