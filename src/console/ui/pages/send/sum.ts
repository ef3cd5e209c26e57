/** What became of every row that was brought. Pure. */
type Quoted = {
  readonly accepted: number;
  readonly rejected: number;
  /** Rows without a number that can be read. */
  readonly bad: number;
  readonly rejections_by_reason: Readonly<Record<string, number>>;
};

/** `rows` = `sent` + `notSent`, and `notSent` = `unreadable` + `doubled` + `other`. */
export function sumOf({ accepted, rejected, bad, rejections_by_reason: reasons }: Quoted) {
  const doubled = reasons.DUPLICATE_IN_BATCH ?? 0;
  return {
    rows: accepted + rejected + bad,
    sent: accepted,
    notSent: rejected + bad,
    other: rejected - doubled,
    unreadable: bad,
    doubled,
  };
}
