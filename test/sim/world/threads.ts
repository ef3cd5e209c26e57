/** Threads of a simulated process: their work is done in the one there is, some time later. */

import type { LedgerCheckWork } from "../../../src/admin/reports/books-thread.ts";
import { verifyLedger } from "../../../src/admin/reports/ledger-verification.ts";
import type { Chance } from "../../../src/core/chance.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { StartThread } from "../../../src/core/thread.ts";
import { readInSnapshots } from "../../../src/db/connections.ts";
import type { OpenDatabase } from "../../../src/db/disk.ts";
import type { HttpsNetwork } from "../../../src/https/address-guard.ts";
import { createFeedRenderer, type ToFeedRenderer } from "../../../src/ingress/api/feed-page.ts";
import { parsePackedSubmission } from "../../../src/ingress/api/submission-reader.ts";
import { type BackupWork, runBackupWork } from "../../../src/ops/backup/backup-work.ts";
import { runDeliveryWorker } from "../../../src/webhooks/delivery-worker.ts";
import type { ToThread } from "../../../src/webhooks/worker-protocol.ts";
import type { Scheduler } from "./scheduler.ts";

type Work = (question: unknown) => unknown;

const WORK_MS: readonly [number, number] = [1, 60];
/** A word to a thread that talks, or from it. */
const WORD_MS: readonly [number, number] = [0.02, 3];

/** A thread that hears and says many things: what it says it says to `say`, and what it is told goes to what is returned. */
type Talk = (say: (said: unknown) => void) => (told: unknown) => void;

export type ThreadEdges = {
  readonly time: Scheduler;
  readonly chance: Chance;
  /** Of the process, as it is without any doubt. */
  readonly clock: Clock;
  readonly https: HttpsNetwork;
  readonly openDatabase: OpenDatabase;
  readonly isAlive: () => boolean;
};

/** How the process starts threads, until `isAlive` says no. */
export function simulatedThreads(edges: ThreadEdges): StartThread {
  const { time, chance, openDatabase, isAlive } = edges;
  const works: Readonly<Record<string, Work>> = {
    "ingress/api/submission-thread.ts": (bytes) => parsePackedSubmission(bytes as Uint8Array),
    "ops/backup/backup-thread.ts": (work) => runBackupWork(work as BackupWork, openDatabase),
    "admin/reports/books-thread.ts": (work) =>
      readInSnapshots((work as LedgerCheckWork).directory, verifyLedger, openDatabase),
  };
  const talks: Readonly<Record<string, Talk>> = {
    "ingress/api/page-thread.ts": (say) => {
      const make = createFeedRenderer(openDatabase, say);
      return (told) => make(told as ToFeedRenderer);
    },
    "webhooks/delivery-thread.ts": (say) => {
      const { clock, https } = edges;
      const tell = runDeliveryWorker({ clock, chance, machine: { https, openDatabase } }, say);
      return (told) => tell(told as ToThread);
    },
  };
  return (path) => {
    const talk = talks[path];
    if (talk) return talkingThread(edges, talk);
    const work = works[path];
    if (!work) throw new Error(`no such thread: ${path}`);
    let isEnded = false;
    const thread = {
      onmessage: null as ((event: { data: unknown }) => void) | null,
      onerror: null as ((event: { message: string }) => void) | null,
      addEventListener: () => {},
      terminate: () => {
        isEnded = true;
      },
      postMessage: (question: unknown) => {
        time.after(WORK_MS[0] + chance.fraction() * (WORK_MS[1] - WORK_MS[0]), () => {
          if (isEnded || !isAlive()) return;
          try {
            const data = work(question);
            thread.onmessage?.({ data });
          } catch (error) {
            thread.onerror?.({ message: String(error) });
          }
        });
      },
    };
    return thread as unknown as Worker;
  };
}

/** Words arrive in the order in which they were said, each some time later, and are copied on the way. */
function talkingThread({ time, chance, isAlive }: ThreadEdges, talk: Talk): Worker {
  let isEnded = false;
  const way = (arrive: (word: unknown) => void): ((word: unknown) => void) => {
    let lastAtMs = 0;
    return (word) => {
      const copy = structuredClone(word);
      lastAtMs = Math.max(
        lastAtMs,
        time.nowMs() + WORD_MS[0] + chance.fraction() * (WORD_MS[1] - WORD_MS[0]),
      );
      time.after(lastAtMs - time.nowMs(), () => {
        if (!isEnded && isAlive()) arrive(copy);
      });
    };
  };
  const thread = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null,
    addEventListener: () => {},
    terminate: () => {
      isEnded = true;
    },
    postMessage: way((word) => tell(word)),
  };
  const tell = talk(way((data) => thread.onmessage?.({ data })));
  return thread as unknown as Worker;
}
