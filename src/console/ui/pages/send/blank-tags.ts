/** Tags of which it must be said that the text goes without them. Pure. */
type Gap = { readonly tag: string; readonly rows: number };

type BlankInput = { readonly gaps: readonly Gap[]; readonly accepted: number; readonly rejected: number };

/**
 * Tags that nothing fills in for anybody: no column is called so, or all of it is empty. In rows of a batch that are sent again, those of any
 * row: its file had no values to give. Nobody is asked where people without a value get nothing.
 */
export function blankTags(quote: BlankInput, rule: string, isCorrected: boolean): readonly string[] {
  if (rule !== "empty") return [];
  const all = quote.accepted + quote.rejected;
  return quote.gaps.filter(({ rows }) => isCorrected || rows === all).map(({ tag }) => tag);
}
