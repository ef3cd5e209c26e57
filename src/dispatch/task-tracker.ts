/**
 * Keeps account of work that nobody awaits, such as the writing of an answer: a stop waits until all of it is done, and the failure
 * of a promise is reported instead of lost.
 */

/** Work under way that has an owner. */
export type TaskTracker = {
  readonly own: (work: Promise<unknown>) => void;
  /** Work that is no promise begins; `ended` is called at its end. */
  readonly begun: () => void;
  readonly ended: () => void;
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>;
};

export function taskTracker(onFailed: (error: unknown) => void): TaskTracker {
  const underWay = new Set<Promise<unknown>>();
  let open = 0;
  let waiters: (() => void)[] = [];
  const allEnded = (): Promise<void> => new Promise((resolve) => waiters.push(resolve));
  return {
    own: (work) => {
      underWay.add(work);
      work.then(
        () => underWay.delete(work),
        (error: unknown) => {
          underWay.delete(work);
          onFailed(error);
        },
      );
    },
    begun: () => {
      open += 1;
    },
    ended: () => {
      open -= 1;
      if (open > 0 || waiters.length === 0) return;
      const waiting = waiters;
      waiters = [];
      for (const waiter of waiting) waiter();
    },
    idle: async () => {
      while (underWay.size > 0 || open > 0) {
        await Promise.allSettled(open > 0 ? [...underWay, allEnded()] : [...underWay]);
      }
    },
  };
}
