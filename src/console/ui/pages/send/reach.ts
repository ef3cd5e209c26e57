/** What of a quote arrives: texts whose operator does not know the sender fail, and are paid back. Pure. */
type ReachInput = {
  readonly accepted: number;
  readonly total_segments: number;
  readonly amount: number;
  readonly by_operator: readonly {
    readonly is_registered: boolean;
    readonly messages: number;
    readonly segments: number;
    readonly amount: number;
  }[];
};

/** `sent`, `segments` and `amount` of those who can be reached; `lost` texts of the others, for whom `held` is set aside until they fail. */
export function summarizeReach({ accepted, total_segments: segments, amount, by_operator: operators }: ReachInput) {
  const others = operators.filter((one) => !one.is_registered);
  const sum = (of: (one: ReachInput["by_operator"][number]) => number) =>
    others.reduce((all, one) => all + of(one), 0);
  const lost = sum(({ messages }) => messages);
  const held = sum((one) => one.amount);
  return {
    sent: accepted - lost,
    segments: segments - sum((one) => one.segments),
    amount: amount - held,
    lost,
    held,
  };
}
