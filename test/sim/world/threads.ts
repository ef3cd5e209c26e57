/** Threads of a simulated process: their work is done in the one there is, some time later. */

import { readPacked } from "../../../src/api/packed-submission.ts";
import type { Chance } from "../../../src/base/chance.ts";
import type { StartThread } from "../../../src/base/thread.ts";
import { recountBooks } from "../../../src/reports/books.ts";
import type { OpenDatabase } from "../../../src/store/open-database.ts";
import { readMoments } from "../../../src/store/snapshot.ts";
import type { Scheduler } from "./scheduler.ts";

type Work = (question: unknown) => unknown;

const WORK_MS: readonly [number, number] = [1, 60];

/** How the process starts threads, until `isAlive` says no. */
export function simulatedThreads(
  time: Scheduler,
  chance: Chance,
  openDatabase: OpenDatabase,
  isAlive: () => boolean,
): StartThread {
  const works: Readonly<Record<string, Work>> = {
    "api/submission-thread.ts": (bytes) => readPacked(bytes as Uint8Array),
    "reports/books-thread.ts": (directory) => readMoments(directory as string, recountBooks, openDatabase),
  };
  return (path) => {
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
