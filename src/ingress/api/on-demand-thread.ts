/** A thread that exists while there is work for it, and ends after a rest: its heap costs nothing in between. */
import type { Cancel, Clock } from "../../core/clock.ts";

/** How long a thread may be idle before it is ended. */
const IDLE_MS = 10_000;

/** A thread that exists while it has work, and a little longer. */
type OnDemandThread = {
  /** Sends it a question, starting it first where there is none. Buffers in `handedOver` are transferred, not copied. */
  readonly ask: (question: unknown, handedOver?: ArrayBuffer[]) => void;
  /** Notes that it has no work now. */
  readonly rest: () => void;
  /** Ends it at once: only so is its memory given back. */
  readonly end: () => void;
};

type OnDemandThreadDeps = {
  readonly begin: () => Worker;
  readonly clock: Clock;
  /** Called with each answer. */
  readonly onAnswer: (answer: unknown) => void;
  /** Called with the reason when it dies without having been ended. */
  readonly failed: (why: string) => void;
  /** The last message to a thread that then ends by itself; without it the thread is terminated. */
  readonly farewell?: unknown;
};

export function createOnDemandThread({
  begin,
  clock,
  onAnswer: heard,
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
