/**
 * A bounded queue in front of dear work, fair to parties: whoever brings much waits behind whoever brings little, and what does not fit is
 * refused to those who brought most.
 */

/** `maxConcurrent` are worked on, `mostWaiting` wait beside them. */
export type ConcurrencyLimits = { readonly maxConcurrent: number; readonly maxWaiting: number };

/** On whose behalf something is done. `isPreferred`: before all who are not, however many they are. */
export type Party = { readonly name: string; readonly isPreferred: boolean };

export type ConcurrencyLimiter = {
  /** Does the work when its turn comes; null where there was no room for it. */
  readonly enter: <T>(party: Party, work: () => Promise<T>) => Promise<T | null>;
};

type Waiting = Party & { readonly admit: (isAdmitted: boolean) => void };

/** Parties take turns: next comes who has least in work, then who was served longest ago, then who came first. */
export function concurrencyLimiter({ maxConcurrent, maxWaiting }: ConcurrencyLimits): ConcurrencyLimiter {
  /** In the order they came. */
  const waiting: Waiting[] = [];
  /** Of parties that wait or are worked on. */
  const inWork = new Map<string, number>();
  const servedAt = new Map<string, number>();
  let running = 0;
  let turns = 0;

  const next = (): Waiting | undefined => {
    const preferred = waiting.filter(({ isPreferred }) => isPreferred);
    const [first] = (preferred.length > 0 ? preferred : waiting).toSorted(
      (a, b) =>
        (inWork.get(a.name) ?? 0) - (inWork.get(b.name) ?? 0) ||
        (servedAt.get(a.name) ?? 0) - (servedAt.get(b.name) ?? 0),
    );
    return first;
  };
  const begin = (name: string): void => {
    running += 1;
    turns += 1;
    inWork.set(name, (inWork.get(name) ?? 0) + 1);
    servedAt.set(name, turns);
  };
  const end = (name: string): void => {
    running -= 1;
    const left = (inWork.get(name) ?? 1) - 1;
    if (left > 0) inWork.set(name, left);
    else inWork.delete(name);
    const one = next();
    if (one) {
      waiting.splice(waiting.indexOf(one), 1);
      begin(one.name);
      one.admit(true);
    }
    if (!inWork.has(name) && !waiting.some((other) => other.name === name)) servedAt.delete(name);
  };
  const join = (party: Party): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push({ ...party, admit: resolve });
      if (waiting.length <= maxWaiting) return;
      const refused = leastDeserving(waiting);
      waiting.splice(waiting.indexOf(refused), 1);
      refused.admit(false);
    });
  return {
    enter: async (party, work) => {
      if (running < maxConcurrent) begin(party.name);
      else if (!(await join(party))) return null;
      try {
        return await work();
      } finally {
        end(party.name);
      }
    },
  };
}

/** The last one of the party that has most waiting, of those who are not preferred where there are any. */
function leastDeserving(waiting: readonly Waiting[]): Waiting {
  const others = waiting.filter(({ isPreferred }) => !isPreferred);
  const among = others.length > 0 ? others : waiting;
  const counts = new Map<string, number>();
  for (const { name } of among) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const found = among.findLast(({ name }) => counts.get(name) === most);
  if (!found) throw new Error("a queue that is too long is not empty");
  return found;
}
