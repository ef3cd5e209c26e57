/**
 * Of a number that stands twice in a list, the first row counts: the other is a double, whatever became of the first
 * (docs/behaviour.md#reasons-of-rejection). Where the first gets the text, nobody misses anything. Where it is refused, the double was
 * the person's other chance, and is told with those who get nothing.
 */
export const DUPLICATE_ROW = "DUPLICATE_IN_BATCH";

/** Why a double gets nothing whose number gets nothing either. */
export const DUPLICATE_OF_REJECTED = "DUPLICATE_OF_REFUSED";

type Rejected = { readonly msisdn: string | null; readonly reason_code: string };

/** Reads rejections in the order of submission, all of them from the first on: the reason that people are told of each. */
export function createReasonReader(): (rejection: Rejected) => string {
  const refused = new Set<string>();
  return ({ msisdn, reason_code: reason }) => {
    if (reason === DUPLICATE_ROW) return msisdn !== null && refused.has(msisdn) ? DUPLICATE_OF_REJECTED : DUPLICATE_ROW;
    if (msisdn !== null) refused.add(msisdn);
    return reason;
  };
}
