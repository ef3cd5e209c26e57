import type { Target } from "../../test/fuzz/target.ts";

/** Room for the input under way: the number of octets, the number of inputs so far, then the octets. */
const ROOM = 131_072;
const HEAD = 8;

/**
 * Watches from a thread of its own for an input that never ends: it is kept as a failure, and the process killed, since
 * nothing else could end it.
 */
export function watched(target: Target): {
  readonly onInput: (input: Uint8Array) => void;
  readonly stop: () => void;
} {
  const shared = new SharedArrayBuffer(HEAD + ROOM);
  const head = new Int32Array(shared, 0, 2);
  const room = new Uint8Array(shared, HEAD);
  const thread = new Worker(new URL("./watcher.ts", import.meta.url).href);
  thread.postMessage({ name: target.name, form: target.form, shared });
  thread.unref();
  return {
    onInput: (input) => {
      room.set(input.subarray(0, ROOM));
      head[0] = Math.min(input.length, ROOM);
      head[1] = ((head[1] ?? 0) + 1) | 0;
    },
    stop: () => {
      thread.terminate();
    },
  };
}
