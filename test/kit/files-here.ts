import { type FileJob, runFileJob } from "../../src/console/server/send/file-jobs.ts";
import { type StartThread, startThread } from "../../src/core/thread.ts";

/**
 * Starts threads, but for the one that reads files of recipients: its work is done in this one, for starting a thread takes longer than all
 * that it reads in a test. What goes to it and comes from it is copied as between threads.
 */
export const filesHere: StartThread = (path) =>
  path === "console/server/send/file-thread.ts" ? readingHere() : startThread(path);

function readingHere(): Worker {
  let isEnded = false;
  const answer = (question: FileJob): void => {
    if (!isEnded) thread.onmessage?.({ data: structuredClone(runFileJob(question)) });
  };
  const thread = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null,
    addEventListener: () => {},
    terminate: () => {
      isEnded = true;
    },
    postMessage: (question: FileJob) => {
      const copied = structuredClone(question);
      setImmediate(() => answer(copied));
    },
  };
  return thread as unknown as Worker;
}
