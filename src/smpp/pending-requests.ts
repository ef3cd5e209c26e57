import { assert } from "../core/assert.ts";

const LAST_SEQUENCE = 0x7fff_ffff;
/** How many timed-out requests are remembered, so that a late response still finds its request. */
const REMEMBERED = 10_000;

/**
 * The requests of one session that wait for their response, by sequence number: a client's submit_sm, an SMSC's deliver_sm. They
 * all wait equally long, so the order of sending is the order in which they time out.
 *
 * One that timed out keeps its slot on the wire for as long again, unless a late response comes: to the other side, if it is only
 * slow, it is still unanswered.
 */
export type PendingRequests = {
  readonly count: () => number;
  /** Slots that timed-out requests still hold. */
  readonly held: () => number;
  /** `ref` is the caller's name for it. */
  readonly add: (sequence: number, ref: number, sentAtMs: number) => void;
  readonly has: (sequence: number) => boolean;
  /** Removes the request that a response answers. `late` when it had timed out before; null when there is none. */
  readonly settle: (sequence: number) => { readonly ref: number; readonly late: boolean } | null;
  /** Removes what was sent by then, remembers it for a late response, and holds its slot until `heldUntilMs`. */
  readonly expire: (sentByMs: number, heldUntilMs: number) => number[];
  /** Releases the slots that were held long enough; how many. */
  readonly letGo: (nowMs: number) => number;
  /** When the oldest one was sent; Infinity when nothing waits. */
  readonly oldestSentMs: () => number;
  /** When the next held slot is released; Infinity when none is held. */
  readonly heldUntilMs: () => number;
  /** Removes those with these refs. */
  readonly withdraw: (refs: readonly number[]) => void;
  /** Removes everything, oldest first. */
  readonly drain: () => number[];
};

export function pendingRequests(): PendingRequests {
  const waiting = new Map<number, { readonly ref: number; readonly sentAtMs: number }>();
  const timedOut = new Map<number, number>();
  const heldUntil = new Map<number, number>();

  return {
    count: () => waiting.size,
    held: () => heldUntil.size,
    add: (sequence, ref, sentAtMs) => {
      assert(!waiting.has(sequence), "a sequence number is in use");
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      waiting.set(sequence, { ref, sentAtMs });
    },
    has: (sequence) => waiting.has(sequence),
    settle: (sequence) => {
      const request = waiting.get(sequence);
      if (request !== undefined) {
        waiting.delete(sequence);
        return { ref: request.ref, late: false };
      }
      const ref = timedOut.get(sequence);
      if (ref === undefined) return null;
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      return { ref, late: true };
    },
    expire: (sentByMs, heldUntilMs) => {
      const refs: number[] = [];
      for (const [sequence, { ref, sentAtMs }] of waiting) {
        if (sentAtMs > sentByMs) break;
        waiting.delete(sequence);
        timedOut.set(sequence, ref);
        heldUntil.set(sequence, heldUntilMs);
        refs.push(ref);
      }
      for (const sequence of timedOut.keys()) {
        if (timedOut.size <= REMEMBERED) break;
        timedOut.delete(sequence);
      }
      return refs;
    },
    letGo: (nowMs) => {
      const before = heldUntil.size;
      for (const [sequence, untilMs] of heldUntil) {
        if (untilMs > nowMs) break;
        heldUntil.delete(sequence);
      }
      return before - heldUntil.size;
    },
    heldUntilMs: () => heldUntil.values().next().value ?? Number.POSITIVE_INFINITY,
    oldestSentMs: () => waiting.values().next().value?.sentAtMs ?? Number.POSITIVE_INFINITY,
    withdraw: (refs) => {
      const gone = new Set(refs);
      for (const [sequence, { ref }] of waiting) if (gone.has(ref)) waiting.delete(sequence);
    },
    drain: () => {
      const refs = [...waiting.values()].map(({ ref }) => ref);
      waiting.clear();
      return refs;
    },
  };
}

/** The next free number of a session whose last one was `last`. */
export function freeSequence(last: number, requests: PendingRequests): number {
  let sequence = sequenceAfter(last);
  while (requests.has(sequence)) sequence = sequenceAfter(sequence);
  return sequence;
}

/** The number after `sequence`, from 1 to 0x7FFFFFFF and round again (SMPP 3.4 section 5.1.4). */
export function sequenceAfter(sequence: number): number {
  return sequence >= LAST_SEQUENCE ? 1 : sequence + 1;
}
