import type { Clock } from "../base/clock.ts";

/** The way to the other side. Writing to one that is gone does nothing. */
export type Wire = {
  readonly write: (octets: Uint8Array) => void;
  /** Closes once everything is written. */
  readonly end: () => void;
  /** Closes at once, as a lost link does. */
  readonly cut: () => void;
  /** Stops reading, and goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
};

/**
 * Writes to a socket that may take only part of what it is given: the rest waits for `drain`, which the socket's
 * handler of that name has to call. In single octets each is a write of its own, in a turn of its own.
 */
export function socketWire(
  socket: Bun.Socket<undefined>,
  clock: Clock,
  inOctets: () => boolean,
): { readonly wire: Wire; readonly drain: () => void } {
  let waiting: Uint8Array[] = [];
  let isEnding = false;
  let isDribbling = false;

  const dribble = (): void => {
    isDribbling = true;
    clock.soon(() => {
      isDribbling = false;
      drain();
    });
  };

  const drain = (): void => {
    while (waiting.length > 0 && !isDribbling) {
      const whole = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
      if (whole === undefined) return;
      const octets = inOctets() ? whole.subarray(0, 1) : whole;
      const taken = socket.write(octets);
      if (taken < 0) {
        waiting = [];
        return;
      }
      waiting = taken < whole.length ? [whole.subarray(taken)] : [];
      if (taken < octets.length) return;
      if (waiting.length > 0 && inOctets()) dribble();
    }
    if (isEnding && waiting.length === 0) socket.end();
  };

  return {
    drain,
    wire: {
      write: (octets) => {
        waiting.push(octets);
        if (waiting.length === 1) drain();
      },
      end: () => {
        isEnding = true;
        if (waiting.length === 0) socket.end();
      },
      cut: () => {
        waiting = [];
        socket.terminate();
      },
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    },
  };
}
