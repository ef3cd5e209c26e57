/**
 * Writes PDUs to a socket in order, several in one write; knows which submits have left no octet yet and can be withdrawn.
 */
import { appendOctets, appendPdu, type Pdu, pduBuffer } from "./pdu.ts";

/** What PDUs are written to: it may take a part of what it is given, or less than nothing when it is gone. */
export type WritableSocket = { readonly write: (octets: Uint8Array) => number };

/** Writes PDUs to a socket in their order. */
export type SocketWriter = {
  readonly queue: WriteQueue;
  /** Queues a PDU, as the queue's `add` does; it leaves in this turn, together with all that is queued in it. */
  readonly write: WriteQueue["add"];
  /** Writes what the socket takes now. To be called whenever it has room again. */
  readonly flush: () => void;
  /** Writes nothing any more. */
  readonly stop: () => void;
};

const WRITE_OCTETS = 65_536;

/** `emptied` is called whenever everything is written. */
export function socketWriter(socket: WritableSocket, emptied: () => void = () => {}): SocketWriter {
  const queue = writeQueue();
  let isAsked = false;
  let isStopped = false;

  const flush = (): void => {
    while (!isStopped && queue.octets() > 0) {
      const octets = queue.peek(WRITE_OCTETS);
      const count = socket.write(octets);
      if (count > 0) queue.took(count);
      if (count < octets.length) return;
      if (queue.octets() === 0) emptied();
    }
  };

  return {
    queue,
    flush,
    write: (pdu, ref) => {
      queue.add(pdu, ref);
      if (isAsked) return;
      isAsked = true;
      // Now rather than in the next turn: a submit that leaves later than its pace was counted at would make the next second too full.
      queueMicrotask(() => {
        isAsked = false;
        flush();
      });
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * PDUs on their way into a socket, in order, written one after the other into memory that is reused once all of them have left.
 * Several leave in one write, and a socket may take half of one.
 */
type WriteQueue = {
  /**
   * Adds a PDU, or the octets of one. `ref` names the submit that it is, null for any other. Throws, with nothing added, what
   * `encodePdu` throws.
   */
  readonly add: (pdu: Pdu | Uint8Array, ref: number | null) => void;
  /** The octets of what was added last. Valid until anything else happens here. */
  readonly newest: () => Uint8Array;
  /** What waits, up to `most` octets, as one piece; empty when nothing waits. Valid until anything is added or taken. */
  readonly peek: (most: number) => Uint8Array;
  /** The socket took so many octets of what `peek` gave. */
  readonly took: (count: number) => void;
  readonly octets: () => number;
  /** PDUs that wait. */
  readonly length: () => number;
  /** The submits of which the last octet has not been taken: the operator cannot have any of them whole. */
  readonly unsent: () => number[];
  /** Removes the submits of which no octet was taken, and returns which they were. Other PDUs keep their place. */
  readonly withdraw: () => number[];
};

/** Where a PDU stands in the memory. */
type Waiting = { readonly begin: number; readonly end: number; readonly ref: number | null };

export function writeQueue(): WriteQueue {
  let buffer = pduBuffer();
  let waiting: Waiting[] = [];
  /** How many of `waiting` have left, and how many octets of the memory. */
  let left = 0;
  let taken = 0;

  const rest = (): Waiting[] => waiting.slice(left);
  const view = (begin: number, end: number): Uint8Array =>
    new Uint8Array(buffer.octets.buffer, buffer.octets.byteOffset + begin, end - begin);

  /** Rewrites the memory from its beginning, with only these in it. */
  const keep = (kept: readonly Waiting[]): void => {
    const old = buffer;
    const skipped = taken;
    buffer = pduBuffer();
    waiting = [];
    left = 0;
    taken = 0;
    for (const { begin, end, ref } of kept) {
      const from = Math.max(begin, skipped);
      appendOctets(buffer, old.octets.subarray(from, end));
      // One that has begun to leave is placed where its first octet would be.
      waiting.push({ begin: buffer.length - (end - begin), end: buffer.length, ref });
    }
  };

  return {
    add: (pdu, ref) => {
      if (taken > MAX_GAP) keep(rest());
      const begin = buffer.length;
      if (pdu instanceof Uint8Array) appendOctets(buffer, pdu);
      else appendPdu(buffer, pdu);
      waiting.push({ begin, end: buffer.length, ref });
    },
    newest: () => view(waiting.at(-1)?.begin ?? 0, buffer.length),
    peek: (most) => view(taken, Math.min(buffer.length, taken + most)),
    took: (count) => {
      taken += count;
      while (left < waiting.length && (waiting[left]?.end ?? 0) <= taken) left++;
      if (taken < buffer.length) return;
      waiting = [];
      left = 0;
      taken = 0;
      if (buffer.octets.length > MAX_GAP) buffer = pduBuffer();
      else buffer.length = 0;
    },
    octets: () => buffer.length - taken,
    length: () => waiting.length - left,
    unsent: () => refsOf(rest()),
    withdraw: () => {
      const isWithdrawn = ({ begin, ref }: Waiting): boolean => ref !== null && begin >= taken;
      const all = rest();
      const withdrawn = refsOf(all.filter(isWithdrawn));
      if (withdrawn.length > 0) keep(all.filter((one) => !isWithdrawn(one)));
      return withdrawn;
    },
  };
}

/** Octets that have left and are still held before what waits is moved to the front. */
const MAX_GAP = 262_144;

function refsOf(waiting: readonly Waiting[]): number[] {
  return waiting.flatMap(({ ref }) => (ref === null ? [] : [ref]));
}
