/** PDUs on their way into a socket, in order. Several leave in one write, and a socket may take half of one. */
export type WriteQueue = {
  /** `ref` names the submit that the octets are, null for any other PDU. */
  readonly add: (octets: Uint8Array, ref: number | null) => void;
  /** Everything that waits, up to about `most` octets, as one piece; empty when nothing waits. */
  readonly peek: (most: number) => Uint8Array;
  /** The socket took so many octets of what `peek` gave. */
  readonly took: (count: number) => void;
  readonly octets: () => number;
  /** PDUs that wait. */
  readonly length: () => number;
  /** The submits of which the last octet has not been taken: the operator cannot have any of them whole. */
  readonly unsent: () => number[];
  /** Takes out the submits of which no octet was taken, and tells which they were. Other PDUs keep their place. */
  readonly withdraw: () => number[];
};

type Waiting = { readonly octets: Uint8Array; readonly ref: number | null };

export function writeQueue(): WriteQueue {
  let waiting: Waiting[] = [];
  /** Octets of the first one that were taken already. */
  let begun = 0;
  let total = 0;

  return {
    add: (octets, ref) => {
      waiting.push({ octets, ref });
      total += octets.length;
    },
    peek: (most) => {
      const pieces: Uint8Array[] = [];
      let length = 0;
      for (const { octets } of waiting) {
        const piece = pieces.length === 0 ? octets.subarray(begun) : octets;
        pieces.push(piece);
        length += piece.length;
        if (length >= most) break;
      }
      const [only] = pieces;
      return pieces.length === 1 && only ? only : Buffer.concat(pieces, length);
    },
    took: (count) => {
      total -= count;
      let left = begun + count;
      let whole = 0;
      for (const { octets } of waiting) {
        if (octets.length > left) break;
        left -= octets.length;
        whole++;
      }
      waiting = waiting.slice(whole);
      begun = left;
    },
    octets: () => total,
    length: () => waiting.length,
    unsent: () => refsOf(waiting),
    withdraw: () => {
      const isWithdrawn = ({ ref }: Waiting, index: number): boolean =>
        ref !== null && (index > 0 || begun === 0);
      const withdrawn = waiting.filter(isWithdrawn);
      waiting = waiting.filter((one, index) => !isWithdrawn(one, index));
      for (const { octets } of withdrawn) total -= octets.length;
      return refsOf(withdrawn);
    },
  };
}

function refsOf(waiting: readonly Waiting[]): number[] {
  return waiting.flatMap(({ ref }) => (ref === null ? [] : [ref]));
}
