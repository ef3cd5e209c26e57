import { assert } from "../base/assert.ts";

const LAST_SEQUENCE = 0x7fff_ffff;
/** How many timed-out submits are remembered, so that a late response still finds its message. */
const REMEMBERED = 10_000;

/**
 * The submits of one session that wait for their response, by sequence number. They all wait equally long, so the
 * order of sending is the order of their deadlines.
 *
 * One that timed out keeps its place on the wire for as long again, unless a late response comes: to an operator that
 * is only slow it is still unanswered, and must not see more of them than the window holds.
 */
export type PendingSubmits = {
  readonly count: () => number;
  /** Places that timed-out submits still hold. */
  readonly held: () => number;
  readonly add: (sequence: number, ref: number, deadlineMs: number) => void;
  readonly has: (sequence: number) => boolean;
  /** Takes out the submit that a response answers. `late` when its time was over before; null when there is none. */
  readonly settle: (sequence: number) => { readonly ref: number; readonly late: boolean } | null;
  /** Takes out what has waited too long, and remembers it for a late response; its place is held until `heldUntilMs`. */
  readonly expire: (nowMs: number, heldUntilMs: number) => number[];
  /** Lets go of the places that were held long enough; how many. */
  readonly letGo: (nowMs: number) => number;
  /** The earliest deadline; Infinity when nothing waits. */
  readonly deadlineMs: () => number;
  /** When the next held place is let go; Infinity when none is held. */
  readonly heldUntilMs: () => number;
  /** Takes out those with these refs. */
  readonly withdraw: (refs: readonly number[]) => void;
  /** Takes out everything, oldest first. */
  readonly drain: () => number[];
};

export function pendingSubmits(): PendingSubmits {
  const waiting = new Map<number, { readonly ref: number; readonly deadlineMs: number }>();
  const timedOut = new Map<number, number>();
  const heldUntil = new Map<number, number>();

  return {
    count: () => waiting.size,
    held: () => heldUntil.size,
    add: (sequence, ref, deadlineMs) => {
      assert(!waiting.has(sequence), "a sequence number is in use");
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      waiting.set(sequence, { ref, deadlineMs });
    },
    has: (sequence) => waiting.has(sequence),
    settle: (sequence) => {
      const submit = waiting.get(sequence);
      if (submit !== undefined) {
        waiting.delete(sequence);
        return { ref: submit.ref, late: false };
      }
      const ref = timedOut.get(sequence);
      if (ref === undefined) return null;
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      return { ref, late: true };
    },
    expire: (nowMs, heldUntilMs) => {
      const refs: number[] = [];
      for (const [sequence, { ref, deadlineMs }] of waiting) {
        if (deadlineMs > nowMs) break;
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
    heldUntilMs: () => {
      for (const untilMs of heldUntil.values()) return untilMs;
      return Number.POSITIVE_INFINITY;
    },
    deadlineMs: () => {
      for (const { deadlineMs } of waiting.values()) return deadlineMs;
      return Number.POSITIVE_INFINITY;
    },
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

/** The number after `sequence`, from 1 to 0x7FFFFFFF and round again (SMPP 3.4 section 5.1.4). */
export function sequenceAfter(sequence: number): number {
  return sequence >= LAST_SEQUENCE ? 1 : sequence + 1;
}
