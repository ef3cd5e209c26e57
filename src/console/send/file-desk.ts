import type { Clock } from "../../base/clock.ts";
import type { Outcome } from "../../base/failures.ts";
import { askThread, type StartThread } from "../../base/thread.ts";
import { type AdminOutcome, refuse } from "../../operations/refusal.ts";
import { type FileShelf, fileShelf } from "./file-shelf.ts";
import type { FileAnswers, FileQuestion } from "./file-work.ts";

/** Where files of recipients are kept and read. One for a process. */
export type FileDesk = FileShelf & {
  /** Reads a file for a user in a thread; one after the other, so that what it takes of memory is bounded. */
  readonly read: <Kind extends keyof FileAnswers>(
    user: number,
    start: StartThread,
    question: Extract<FileQuestion, { readonly kind: Kind }>,
  ) => Promise<AdminOutcome<FileAnswers[Kind]>>;
};

/** Files that are read or wait for their turn, of all and of one user. */
const MOST_WAITING = 8;
const MOST_OF_A_USER = 2;
/** 100,000 rows take a few seconds. */
const LONGEST_MS = 30_000;

export function fileDesk(clock: Clock): FileDesk {
  let last: Promise<void> = Promise.resolve();
  /** Whose. */
  const waiting: number[] = [];
  const ask = async (start: StartThread, question: FileQuestion): Promise<unknown> => {
    const broken = new AbortController();
    const cancel = clock.after(LONGEST_MS, () => broken.abort());
    try {
      return await askThread(start, "console/send/file-thread.ts", question, broken.signal);
    } catch (error) {
      if (!broken.signal.aborted) throw error;
      return refuse(
        "INVALID_FILE",
        "the file takes too long to read: save it as CSV, with the columns that are needed",
      );
    } finally {
      cancel();
    }
  };
  return {
    ...fileShelf(clock),
    read: async <Kind extends keyof FileAnswers>(
      user: number,
      start: StartThread,
      question: Extract<FileQuestion, { readonly kind: Kind }>,
    ) => {
      const ofUser = waiting.filter((one) => one === user).length;
      if (waiting.length >= MOST_WAITING || ofUser >= MOST_OF_A_USER) {
        return refuse("RATE_LIMITED", "many files are being read just now: try again");
      }
      waiting.push(user);
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      try {
        return (await ask(start, question)) as Outcome<FileAnswers[Kind], "INVALID_FILE">;
      } finally {
        resolve();
        waiting.splice(waiting.indexOf(user), 1);
      }
    },
  };
}
