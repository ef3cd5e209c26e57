/** What was found among some rows, and where to go on; null after the last. */
export type Page<Found, Place> = { readonly found: readonly Found[]; readonly next: Place | null };

/** Everything that is found page by page; `pause` is called between pages. */
export async function collectPages<Found, Place>(
  pageAfter: (after: Place | null) => Page<Found, Place>,
  pause: () => Promise<void> | undefined,
): Promise<Found[]> {
  const all: Found[] = [];
  for (let after: Place | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const { found, next } = pageAfter(after);
    all.push(...found);
    after = next;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return all;
}

/** The page of the rows that were read, with those that `isWanted` selects; `most` rows were asked for. */
export function toPage<Row, Place>(
  rows: readonly Row[],
  most: number,
  placeOf: (row: Row) => Place,
  isWanted: (row: Row) => boolean,
): Page<Row, Place> {
  const last = rows.at(-1);
  return { found: rows.filter(isWanted), next: last && rows.length === most ? placeOf(last) : null };
}
