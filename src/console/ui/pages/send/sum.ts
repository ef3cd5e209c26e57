/** What became of every row that was brought. Pure. */
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

/** Reasons by how many, with rows whose number had its turn in an earlier batch: another reason than that of a row that repeats one of its own file. */
export function withRepeats(reasons: Readonly<Record<string, number>>, back: number) {
  if (back === 0) return reasons;
  return { ...reasons, TURN_BEFORE: back };
}
