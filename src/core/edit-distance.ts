/**
 * Which of the `candidates` somebody probably meant by `word`, or null when none is near: at most one slip for
 * every three letters, a slip being a letter added, lost, changed or swapped with its neighbour.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = plain(word);
  let best: string | null = null;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const slips = distance(wanted, plain(candidate));
    if (slips < fewest) {
      fewest = slips;
      best = candidate;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Optimal string alignment distance: Levenshtein with swaps of neighbours counted once. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
