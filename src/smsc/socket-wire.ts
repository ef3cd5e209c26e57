import type { Wire } from "./session.ts";

/**
 * Writes to a socket that may take only part of what it is given: the rest waits for `drain`, which the socket's
 * handler of that name has to call.
 */
export function socketWire(socket: Bun.Socket<undefined>): {
  readonly wire: Wire;
  readonly drain: () => void;
} {
  let waiting: Uint8Array[] = [];
  let isEnding = false;

  const drain = (): void => {
    while (waiting.length > 0) {
      const octets = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
      if (octets === undefined) return;
      const taken = socket.write(octets);
      if (taken < 0) {
        waiting = [];
        return;
      }
      waiting = taken < octets.length ? [octets.subarray(taken)] : [];
      if (waiting.length > 0) return;
    }
    if (isEnding) socket.end();
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
    },
  };
}
