/** How many octets all tries may have together. */
const MAX_OCTETS = 4_000_000;

/**
 * The input without all that it does not need to be `still` what it is: pieces are taken out, the largest first (delta
 * debugging, Zeller and Hildebrandt 2002), `mostTries` times at most.
 */
export async function minimised(
  input: Uint8Array,
  still: (smaller: Uint8Array) => boolean | Promise<boolean>,
  mostTries: number,
): Promise<Uint8Array> {
  let smallest = input;
  let tries = 0;
  let octets = 0;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length; ) {
      octets += smallest.length;
      if (++tries > mostTries || octets > MAX_OCTETS) return smallest;
      const smaller = new Uint8Array(Math.max(0, smallest.length - Math.min(size, smallest.length - at)));
      smaller.set(smallest.subarray(0, at));
      smaller.set(smallest.subarray(at + size), at);
      if (await still(smaller)) smallest = smaller;
      else at += size;
    }
  }
  return smallest;
}
