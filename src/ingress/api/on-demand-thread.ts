import type { Cancel, Clock } from "../../core/clock.ts";

/** An idle thread is ended after this. */
const IDLE_MS = 10_000;

/** A thread that exists while it has something to do, and a little longer. */
export type OnDemandThread = {
  /** Asks it, and starts it first where there is none. What is in `handedOver` is not copied, and is gone here. */
  readonly ask: (question: unknown, handedOver?: ArrayBuffer[]) => void;
  /** It has nothing to do now. */
  readonly rest: () => void;
  /** Ends it at once: only so is the memory given back that it took. */
  readonly end: () => void;
};

export type OnDemandThreadDeps = {
  readonly begin: () => Worker;
  readonly clock: Clock;
  /** Told what it answers. */
  readonly heard: (answer: unknown) => void;
  /** Told why it is not there any more, where nobody ended it. */
  readonly failed: (why: string) => void;
  /** The last word to a thread that ends by itself; without it a thread is broken off. */
  readonly farewell?: unknown;
};

export function createOnDemandThread({
  begin,
  clock,
  heard,
  failed,
  farewell,
}: OnDemandThreadDeps): OnDemandThread {
  let thread: Worker | null = null;
  let endIdle: Cancel = () => {};

  const start = (): Worker => {
    const started = begin();
    const fail = (why: string): void => {
      if (thread !== started) return;
      thread = null;
      started.terminate();
      failed(why);
    };
    started.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (thread === started) heard(data);
    };
    started.onerror = ({ message }) => fail(message);
    started.addEventListener("close", () => fail("it ended"));
    return started;
  };
  const end = (): void => {
    endIdle();
    const ended = thread;
    thread = null;
    if (farewell === undefined) ended?.terminate();
    else ended?.postMessage(farewell);
  };
  return {
    ask: (question, handedOver = []) => {
      endIdle();
      thread ??= start();
      thread.postMessage(question, handedOver);
    },
    rest: () => {
      endIdle();
      endIdle = clock.after(IDLE_MS, end);
    },
    end,
  };
}
