/**
 * Long computations in a thread of their own, so that they never hold the event loop. A module that a thread starts with is an
 * entry point of the build as well (build.ts).
 */

import { setPriority } from "node:os";

const MARK = "core/thread.ts";

/** The address of a module by its path in the source folder: the executable keeps its modules under the same paths. */
function moduleUrl(path: string): string {
  const own = import.meta.url;
  return new URL(own.endsWith(MARK) ? `../${path}` : path, own).href;
}

/** Starts a thread with the module at `path`, from the source folder. */
export type StartThread = (path: string) => Worker;

/** A thread of this process. Its heap is collected early: a thread lives long, and would keep the memory of its largest task. */
export const startThread: StartThread = (path) => new Worker(moduleUrl(path), { smol: true });

const NICE = 5;

/**
 * Sending comes first: where it and the calling thread both want a core, the calling thread gets a third of the
 * other's share (setpriority(2), of one thread).
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(0, NICE);
  } catch {
    // A system that forbids it has it work like the others.
  }
}

/**
 * Starts a thread with the module at `path` (from the source folder), gives it `question` and resolves with the first
 * message it posts back; then the thread is ended. Rejects when the thread fails or ends without an answer, and at once
 * when `stop` is aborted: the thread is ended then as soon as it can be. Buffers in `transfer` move to the thread without a copy;
 * whoever asks has them no more.
 */
export function askThread(
  start: StartThread,
  path: string,
  question: unknown,
  stop?: AbortSignal,
  transfer: ArrayBuffer[] = [],
): Promise<unknown> {
  if (stop?.aborted) return Promise.reject(new Error(`the thread ${path} was broken off`));
  const worker = start(path);
  const answered = new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<unknown>) => {
      resolve(event.data);
    };
    worker.onerror = (event) => {
      reject(new Error(`the thread ${path} failed: ${event.message}`));
    };
    worker.addEventListener("close", () => reject(new Error(`the thread ${path} ended without an answer`)));
    worker.postMessage(question, transfer);
  });
  const brokenOff = Promise.withResolvers<never>();
  const breakOff = (): void => brokenOff.reject(new Error(`the thread ${path} was broken off`));
  stop?.addEventListener("abort", breakOff);
  return Promise.race([answered, brokenOff.promise]).finally(() => {
    stop?.removeEventListener("abort", breakOff);
    worker.terminate();
  });
}
