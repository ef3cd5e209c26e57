/** Promises with an owner: a stop waits for them, and their failures are reported. */
export type OwnedWork = {
  readonly own: (work: Promise<unknown>) => void;
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>;
};

export function ownedWork(onFailed: (error: unknown) => void): OwnedWork {
  const underWay = new Set<Promise<unknown>>();
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
    idle: async () => {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
  };
}
