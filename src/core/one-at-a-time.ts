/** Runs what it is given one after the other, in the order it was asked; what fails keeps nobody from its turn. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = Promise.allSettled([mine]);
    return mine;
  };
}
