/** A claim on memory for a body: it waits its turn until it is granted, and is given up or back with `release`. */
export type BodyPermit = {
  readonly granted: Promise<void>;
  /** Harmless to call twice. */
  readonly release: () => void;
};

/** Memory for the large bodies of all requests under way. */
export type BodyBudget = {
  /** Asks for `bytes`, at most the largest body there may be. */
  readonly ask: (accountId: number, bytes: number) => BodyPermit;
};

type Asking = { readonly accountId: number; readonly bytes: number; readonly grant: () => void };

/**
 * A budget of two bodies of the largest size, of which one account may hold one, so that nobody keeps the others
 * waiting with bodies of his own. Who asked first is served first; an account that has its share is passed over.
 */
export function bodyBudget(mostBytes: number): BodyBudget {
  let held = 0;
  const heldBy = new Map<number, number>();
  let waiting: Asking[] = [];

  const hold = (accountId: number, bytes: number): void => {
    held += bytes;
    const own = (heldBy.get(accountId) ?? 0) + bytes;
    if (own === 0) heldBy.delete(accountId);
    else heldBy.set(accountId, own);
  };
  const serve = (): void => {
    let isFull = false;
    waiting = waiting.filter(({ accountId, bytes, grant }) => {
      if (isFull || (heldBy.get(accountId) ?? 0) + bytes > mostBytes) return true;
      isFull = held + bytes > 2 * mostBytes;
      if (isFull) return true;
      hold(accountId, bytes);
      grant();
      return false;
    });
  };
  return {
    ask: (accountId, bytes) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let isGranted = false;
      let isReleased = false;
      const asking: Asking = {
        accountId,
        bytes,
        grant: () => {
          isGranted = true;
          resolve();
        },
      };
      waiting.push(asking);
      serve();
      return {
        granted: promise,
        release: () => {
          if (isReleased) return;
          isReleased = true;
          if (isGranted) hold(accountId, -bytes);
          else waiting = waiting.filter((other) => other !== asking);
          serve();
        },
      };
    },
  };
}
