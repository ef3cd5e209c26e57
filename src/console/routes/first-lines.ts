/** Where a row of a corrected file stood first: in the file that the client has, and not in the list of who got nothing. */
import { type FamilyBatch, linesOf } from "../../messages/corrections.ts";
import type { Reader } from "../../store/read.ts";

/** A line of a batch's file, by the place of the batch in its family. */
export type FileLine = { readonly batch: number; readonly line: number };

/** Follows a line to the first file of the family in which its row stood, as far as corrected files told which row was which. */
export function firstLines(read: Reader, batches: readonly FamilyBatch[]): (at: FileLine) => FileLine {
  const places = new Map(batches.map(({ id }, place) => [id, place]));
  const before = batches.map(({ id }, place) => {
    const found = new Map<number, FileLine>();
    for (const [of, line, here] of linesOf(read, id)) {
      const batch = places.get(of);
      // Batches stand in the order in which they were sent: the first that had the row counts.
      if (batch !== undefined && batch < place && !found.has(here)) found.set(here, { batch, line });
    }
    return found;
  });
  return (at) => {
    let first = at;
    for (let next = before[at.batch]?.get(at.line); next; next = before[next.batch]?.get(next.line))
      first = next;
    return first;
  };
}
