import { type StartThread, startThread } from "../../src/base/thread.ts";
import { type TellerEdges, teller } from "../../src/webhooks/teller.ts";
import type { ToThread } from "../../src/webhooks/telling-words.ts";

/**
 * Starts threads, but for the one that tells endpoints: its work is done in this one, so that it goes by the clock of the test.
 * Words reach it and come from it on a turn of their own.
 */
export function threadsHere(edges: TellerEdges): StartThread {
  return (path) => (path === "webhooks/telling-thread.ts" ? tellerHere(edges) : startThread(path));
}

function tellerHere(edges: TellerEdges): Worker {
  const { clock } = edges;
  let isEnded = false;
  const soon = (arrive: () => void): void =>
    clock.soon(() => {
      if (!isEnded) arrive();
    });
  const tell = teller(edges, (data) => soon(() => thread.onmessage?.({ data: structuredClone(data) })));
  const thread = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null,
    addEventListener: () => {},
    terminate: () => {
      isEnded = true;
    },
    postMessage: (told: ToThread) => soon(() => tell(structuredClone(told))),
  };
  return thread as unknown as Worker;
}
