/**
 * How long or costly work shares the one event loop. `createYielder` lets others in between the steps of a long computation,
 * `runInBatches` repeats a step until nothing is left, `fairScheduler` gives each caller a turn of the loop, `createMutex` runs one at a
 * time, `concurrencyLimiter` runs few at a time and is fair to parties, and `cacheExpensive` makes a value once for all who ask
 * meanwhile.
 */
import type { Clock } from "./clock.ts";

/** How long one stretch of work may hold the event loop before all others get a turn. */
const SLICE_MS = 4;

/**
 * Called between items of a long computation: undefined while the stretch is short, otherwise a promise that resolves after a
 * turn of the event loop.
 */
export function createYielder(clock: Clock): () => Promise<void> | undefined {
  let began = clock.steadyMs();
  return () => {
    if (clock.steadyMs() - began < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      clock.soon(() => {
        began = clock.steadyMs();
        resolve();
      });
    });
  };
}

/**
 * Does work in steps of up to `most`, one after the other so that others get their turn in between, until a step does less.
 * Returns how much was done.
 */
export async function runInBatches(most: number, step: () => Promise<number>): Promise<number> {
  for (let done = 0; ; ) {
    const now = await step();
    done += now;
    if (now < most) return done;
  }
}

/** With more waiting than this, each has a millisecond instead of a turn: what they make is garbage that must be collected meanwhile. */
const MAX_AT_FULL_SPEED = 20;

/**
 * Lets one caller through in every turn of the event loop, in the order they came: however many long jobs there are, a turn holds
 * one piece of one of them.
 */
export function fairScheduler(clock: Clock): () => Promise<void> {
  let last = Promise.resolve();
  let waiting = 0;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting > MAX_AT_FULL_SPEED) clock.after(1, resolve);
      else clock.soon(resolve);
    });
  return async () => {
    waiting += 1;
    last = last.then(next);
    await last;
    waiting -= 1;
  };
}

/** Runs what it is given one after the other, in the order of the calls; a failure keeps no other from its turn. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = Promise.allSettled([mine]);
    return mine;
  };
}

// A bounded queue in front of expensive work, fair to parties: a party with much work waits behind those with little, and what does not
// fit is refused to those with the most.

/** At most `maxConcurrent` are worked on, and `maxWaiting` wait beside them. */
type ConcurrencyLimits = { readonly maxConcurrent: number; readonly maxWaiting: number };

/** On whose behalf work is done. `isPreferred`: before all who are not, however many they are. */
export type Party = { readonly name: string; readonly isPreferred: boolean };

type ConcurrencyLimiter = {
  /** Does the work when its turn comes; null where there was no room for it. */
  readonly enter: <T>(party: Party, work: () => Promise<T>) => Promise<T | null>;
};

type Waiting = Party & { readonly admit: (isAdmitted: boolean) => void };

/** Parties take turns: next comes who has least in work, then who was served longest ago, then who came first. */
export function concurrencyLimiter({ maxConcurrent, maxWaiting }: ConcurrencyLimits): ConcurrencyLimiter {
  /** In the order they came. */
  const waiting: Waiting[] = [];
  /** Count by party that waits or is worked on. */
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

/** The last one of the party that has most waiting, among those not preferred where there are any. */
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

/** Making takes no more than a fiftieth of the time, however long it is. */
const KEPT_TIMES = 50;

/**
 * Caches what `make` made for `keptMs`, or for so long that making it costs others little; callers meanwhile wait for the same.
 * Making is taken to last as long as the shorter of the last two times: a machine that stood still once has not counted long. A
 * failure is not cached.
 */
export function cacheExpensive<Value>(
  clock: Clock,
  keptMs: number,
  make: () => Promise<Value>,
): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  let goodUntilMs = 0;
  let lastTookMs = 0;
  const anew = async (): Promise<Value> => {
    const beganMs = clock.steadyMs();
    goodUntilMs = Number.POSITIVE_INFINITY;
    try {
      const value = await make();
      const nowMs = clock.steadyMs();
      const tookMs = nowMs - beganMs;
      goodUntilMs = nowMs + Math.max(keptMs, KEPT_TIMES * Math.min(tookMs, lastTookMs));
      lastTookMs = tookMs;
      return value;
    } catch (error) {
      made = null;
      throw error;
    }
  };
  return () => {
    if (made === null || clock.steadyMs() >= goodUntilMs) made = anew();
    return made;
  };
}
