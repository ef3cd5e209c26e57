/**
 * The time of a simulated world: what is due next, whoever waits for it. It jumps from one event to the next, so an hour in
 * which nothing happens costs nothing. Everything runs in one thread and one order, which is that of the times and, where
 * they are equal, that of asking: the same world does the same things.
 */
import { drainMicrotasks } from "bun:jsc";
import type { Cancel } from "../../../src/core/clock.ts";

export type Scheduler = {
  /** True time since the world began, milliseconds, with fractions. Never steps backwards. */
  readonly nowMs: () => number;
  /** Calls back once, `delayMs` from now. */
  readonly after: (delayMs: number, callback: () => void) => Cancel;
  /** Calls back on the next turn of the event loop: after what is due now, before time passes. */
  readonly soon: (callback: () => void) => void;
  /** Time that work takes: it passes at once, and what becomes due meanwhile is late. */
  readonly spend: (ms: number) => void;
  /** Does what comes next, and lets every promise settle. False when nothing will ever come. */
  readonly step: () => boolean;
  /** When the next thing comes; Infinity for nothing. */
  readonly nextMs: () => number;
  /** Lets every promise settle. */
  readonly settle: () => void;
};

type Entry = { readonly dueMs: number; readonly order: number; callback: (() => void) | null };

/** A turn of the event loop takes a moment, so that work that asks for turns without end lets time pass. */
const TURN_MS = 0.01;

export function scheduler(): Scheduler {
  const heap: Entry[] = [];
  let turn: (() => void)[] = [];
  let nowMs = 0;
  let order = 0;
  /** Before the turn that waits comes what was asked for before it, and was due by the time that it could have begun. */
  let askedFor = 0;
  let dueByMs: number | null = null;

  const drop = (): void => {
    while (heap[0]?.callback === null) removeFirst(heap);
  };
  const nextMs = (): number => {
    if (turn.length > 0) return nowMs;
    drop();
    return heap[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  };
  /** Whether the turn is next. Whoever asks for one in each turn keeps nobody else from having theirs. */
  const isTurn = (): boolean => {
    if (turn.length === 0) return false;
    dueByMs ??= nowMs;
    drop();
    const [first] = heap;
    return !first || first.dueMs > dueByMs || first.order >= askedFor;
  };
  const call = (callback: () => void): void => {
    callback();
    drainMicrotasks();
  };
  return {
    nowMs: () => nowMs,
    after: (delayMs, callback) => {
      const entry: Entry = { dueMs: nowMs + Math.max(0, delayMs), order: order++, callback };
      add(heap, entry);
      return () => {
        entry.callback = null;
      };
    },
    soon: (callback) => {
      if (turn.length === 0) askedFor = order;
      turn.push(callback);
    },
    spend: (ms) => {
      nowMs += ms;
    },
    settle: drainMicrotasks,
    nextMs,
    step: () => {
      if (isTurn()) {
        const now = turn;
        turn = [];
        dueByMs = null;
        nowMs += TURN_MS;
        for (const callback of now) call(callback);
        return true;
      }
      drop();
      const [first] = heap;
      if (!first) return false;
      removeFirst(heap);
      nowMs = Math.max(nowMs, first.dueMs);
      const { callback } = first;
      first.callback = null;
      if (callback) call(callback);
      return true;
    },
  };
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}

function add(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = heap[parentAt];
    if (!parent || !isBefore(entry, parent)) break;
    heap[at] = parent;
    at = parentAt;
  }
  heap[at] = entry;
}

function removeFirst(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let childAt = 2 * at + 1;
    const [left, right] = [heap[childAt], heap[childAt + 1]];
    if (!left) break;
    if (right && isBefore(right, left)) childAt += 1;
    const child = heap[childAt];
    if (!child || !isBefore(child, last)) break;
    heap[at] = child;
    at = childAt;
  }
  heap[at] = last;
}
