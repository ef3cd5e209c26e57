import { type StartThread, startThread } from "../../src/core/thread.ts";
import { createFeedRenderer, type ToFeedRenderer } from "../../src/ingress/api/feed-page.ts";
import { type DeliveryWorkerPorts, runDeliveryWorker } from "../../src/webhooks/delivery-worker.ts";
import type { ToThread } from "../../src/webhooks/worker-protocol.ts";

/** A thread's work: what it says it says to `say`, and what it is told goes to what is returned. */
type Talk = (edges: DeliveryWorkerPorts, say: (said: unknown) => void) => (told: unknown) => void;

const TALKS: Readonly<Record<string, Talk>> = {
  "webhooks/delivery-thread.ts": (edges, say) => {
    const tell = runDeliveryWorker(edges, say);
    return (told) => tell(told as ToThread);
  },
  "ingress/api/page-thread.ts": ({ machine }, say) => {
    const make = createFeedRenderer(machine.openDatabase, say);
    return (told) => make(told as ToFeedRenderer);
  },
};

export type ThreadsHere = {
  readonly start: StartThread;
  /** How many threads have not ended that go by no clock of a test. */
  readonly working: () => number;
};

/**
 * Starts threads, but for those that talk: their work is done in this one, so that it goes by the clock of the test and over databases
 * that the test opens. Words reach it and come from it on a turn of their own.
 */
export function threadsHere(edges: DeliveryWorkerPorts): ThreadsHere {
  let working = 0;
  const startReal = (path: string): Worker => {
    const thread = startThread(path);
    working += 1;
    thread.addEventListener("close", () => {
      working -= 1;
    });
    return thread;
  };
  return {
    start: (path) => {
      const talk = TALKS[path];
      return talk ? talkingHere(edges, talk) : startReal(path);
    },
    working: () => working,
  };
}

function talkingHere(edges: DeliveryWorkerPorts, talk: Talk): Worker {
  const { clock } = edges;
  let isEnded = false;
  const soon = (arrive: () => void): void =>
    clock.soon(() => {
      if (!isEnded) arrive();
    });
  const tell = talk(edges, (data) => soon(() => thread.onmessage?.({ data: structuredClone(data) })));
  const thread = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null,
    addEventListener: () => {},
    terminate: () => {
      isEnded = true;
    },
    postMessage: (told: unknown) => soon(() => tell(structuredClone(told))),
  };
  return thread as unknown as Worker;
}
