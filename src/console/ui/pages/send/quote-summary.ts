/** Sums up what is done with every uploaded row. Pure. */
type Quoted = {
  readonly accepted: number;
  readonly rejected: number;
  /** Rows that are no recipients. */
  readonly bad: number;
  readonly rejections_by_reason: Readonly<Record<string, number>>;
  /** Accepted texts that fail because their operator does not know the sender. */
  readonly lost?: number;
};

/** `rows` = `sent` + `notSent`, and `notSent` = `unreadable` + `doubled` + `unregistered` + `other`. */
export function summarizeQuote({ accepted, rejected, bad, rejections_by_reason: reasons, lost = 0 }: Quoted) {
  const doubled = reasons.DUPLICATE_IN_BATCH ?? 0;
  return {
    rows: accepted + rejected + bad,
    sent: accepted - lost,
    notSent: rejected + bad + lost,
    unregistered: lost,
    other: rejected - doubled,
    unreadable: bad,
    doubled,
  };
}

/** Reasons with counts, rows handled in an earlier batch included: another reason than that of a row that repeats one of its own file. */
export function withRepeats(reasons: Readonly<Record<string, number>>, back: number) {
  if (back === 0) return reasons;
  return { ...reasons, TURN_BEFORE: back };
}

/** What of a quote arrives: texts whose operator does not know the sender fail, and are refunded. Pure. */
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

/** `sent`, `segments` and `amount` of those who can be reached; `lost` texts of the others, for whom `held` is reserved until they fail. */
export function summarizeReach({
  accepted,
  total_segments: segments,
  amount,
  by_operator: operators,
}: ReachInput) {
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

/** Tags that must be confirmed to stay empty. Pure. */
type Gap = { readonly tag: string; readonly rows: number };

type BlankInput = { readonly gaps: readonly Gap[]; readonly accepted: number; readonly rejected: number };

/**
 * Tags that nothing fills in for anybody: no column has the name, or all of it is empty. In rows that are sent again, those of any
 * row: the batch's file had no values to give. None where people without a value get nothing.
 */
export function blankTags(quote: BlankInput, rule: string, isCorrected: boolean): readonly string[] {
  if (rule !== "empty") return [];
  const all = quote.accepted + quote.rejected;
  return quote.gaps.filter(({ rows }) => isCorrected || rows === all).map(({ tag }) => tag);
}
