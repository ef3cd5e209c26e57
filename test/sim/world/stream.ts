/** One direction of a connection: octets arrive in order, in pieces, later, or not at all. */
import type { Chance } from "../../../src/core/chance.ts";
import { between } from "../chance.ts";
import type { Scheduler } from "./scheduler.ts";

export type Stream = {
  /** How many octets were taken: what the buffers of both ends hold has a limit. */
  readonly write: (octets: Uint8Array) => number;
  /** The reader is told of the end after all that was written. */
  readonly end: (told: () => void) => void;
  /** While held, nothing arrives; what was written waits. */
  readonly hold: (isHeld: boolean) => void;
  /** Nothing arrives any more. */
  readonly cut: () => void;
  /** Cuts after so many octets more have arrived. */
  readonly cutAfter: (octets: number, told: () => void) => void;
};

export type StreamOptions = {
  readonly time: Scheduler;
  readonly chance: Chance;
  readonly latencyMs: () => readonly [number, number];
  readonly arrived: (octets: Uint8Array) => void;
  /** There is room again. */
  readonly drained: () => void;
};

/** What the socket buffers of both ends hold together. */
const MAX_WAITING = 65_536;
const MAX_PIECE = 1460;

type Piece = { readonly octets: Uint8Array } | { readonly told: () => void };

export function stream({ time, chance, latencyMs, arrived, drained }: StreamOptions): Stream {
  const waiting: Piece[] = [];
  let octetsWaiting = 0;
  let isHeld = false;
  let isCut = false;
  let isUnderWay = false;
  let isFull = false;
  let left = Number.POSITIVE_INFINITY;
  let onCut = (): void => {};

  const deliver = (): void => {
    isUnderWay = false;
    if (isCut || isHeld) return;
    const piece = waiting.shift();
    if (!piece) return;
    if ("told" in piece) piece.told();
    else arrive(piece.octets);
    next();
  };
  const arrive = (octets: Uint8Array): void => {
    octetsWaiting -= octets.length;
    const some = octets.length > left ? octets.subarray(0, left) : octets;
    left -= some.length;
    if (some.length > 0) arrived(some);
    if (left <= 0 && !isCut) {
      isCut = true;
      onCut();
      return;
    }
    if (isFull && octetsWaiting < MAX_WAITING / 2) {
      isFull = false;
      drained();
    }
  };
  const next = (): void => {
    if (isUnderWay || isHeld || isCut || waiting.length === 0) return;
    isUnderWay = true;
    const [least, most] = latencyMs();
    time.after(least + chance.fraction() * (most - least), deliver);
  };
  return {
    write: (octets) => {
      const room = MAX_WAITING - octetsWaiting;
      const taken = octets.subarray(0, room);
      isFull ||= taken.length < octets.length;
      for (let at = 0; at < taken.length; ) {
        const size = chance.fraction() < 0.1 ? between(chance, [1, 40]) : MAX_PIECE;
        // Whoever writes uses its memory again.
        waiting.push({ octets: new Uint8Array(taken.subarray(at, at + size)) });
        at += size;
      }
      octetsWaiting += taken.length;
      next();
      return taken.length;
    },
    end: (told) => {
      waiting.push({ told });
      next();
    },
    hold: (held) => {
      isHeld = held;
      if (!held) next();
    },
    cut: () => {
      isCut = true;
    },
    cutAfter: (octets, told) => {
      left = octets;
      onCut = told;
    },
  };
}
