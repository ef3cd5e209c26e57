/** Over which operators an alarm goes to a number. Pure. */

/** What is known of an operator at this moment. */
export type OperatorNow = {
  readonly code: string;
  /** The number is one of its own. */
  readonly isOwner: boolean;
  /** A connection that sends is up and may send. */
  readonly works: boolean;
  /** An alarm of its own lasts, or this is one. */
  readonly isAlarmed: boolean;
  /** It was given this alarm before, and did not take it. */
  readonly hasFailed: boolean;
};

/**
 * Those that work: the owner of the number first, since not every operator carries texts to others; those that something is wrong
 * with, or that did not take it before, last.
 */
export function rankOperators(operators: readonly OperatorNow[]): string[] {
  const rank = ({ isOwner, isAlarmed, hasFailed }: OperatorNow) =>
    (hasFailed ? 4 : 0) + (isAlarmed ? 2 : 0) + (isOwner ? 0 : 1);
  return operators
    .filter(({ works }) => works)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ code }) => code);
}
