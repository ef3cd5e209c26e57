/** Counts octets in a file, to prove that erased data is gone from it. */
import { readSync } from "node:fs";

/** Read in one go. */
const CHUNK = 1024 * 1024;

/** How often octets occur in an open file, wherever: also in what the database has left free. Reads all of it, in a thread. */
export function countOccurrences(file: number, sought: Uint8Array): number {
  const chunk = Buffer.alloc(CHUNK);
  let places = 0;
  let at = 0;
  // The end of the piece before: an occurrence may lie across both.
  let carried = 0;
  for (;;) {
    const read = readSync(file, chunk, carried, CHUNK - carried, at);
    if (read === 0) return places;
    at += read;
    const piece = chunk.subarray(0, carried + read);
    for (let found = piece.indexOf(sought); found >= 0; found = piece.indexOf(sought, found + 1)) places += 1;
    carried = Math.min(sought.length - 1, piece.length);
    piece.copyWithin(0, piece.length - carried);
  }
}
