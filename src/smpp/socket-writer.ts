import { type WriteQueue, writeQueue } from "./write-queue.ts";

/** What PDUs are written to: it may take a part of what it is given, or less than nothing when it is gone. */
export type WritableSocket = { readonly write: (octets: Uint8Array) => number };

/** Writes PDUs to a socket in their order. */
export type SocketWriter = {
  readonly queue: WriteQueue;
  /** Queues a PDU, as the queue's `add` does; it leaves in this turn with everything else that the turn has to say. */
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
      // Now rather than in the next turn: a submit that leaves later than its pace was counted at would make the next
      // second too full.
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
