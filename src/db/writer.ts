/**
 * The one writer of a database: a queue with group commit. Jobs that wait together share one transaction and one fsync.
 *
 * Jobs keep the order in which they were asked for, but for those that go ahead (`turn.ts`).
 *
 * One that throws must not undo the others. So what shared a transaction with it is run again, each on its own: first
 * in one transaction still, of which only what the guilty one wrote is undone, and where not even that can be
 * committed (the disk is full) each in a transaction of its own. As long as nothing throws, nothing of this costs anything.
 */
import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import type { CountBook } from "../core/count-book.ts";
import type { LogKeeper } from "./checkpoint.ts";
import type { KeyedNames } from "./keyed-names.ts";
import type { KnownRows } from "./known-rows.ts";
import type { StoreSteps } from "./slow-statements.ts";
import { isDiskFailure, isSyncFailure } from "./sqlite-error.ts";
import { nextOf, type Turn } from "./turn.ts";
import { type Durable, type Job, type Transactions, type Tx, transactionsOn } from "./write.ts";

export type Writer = {
  /**
   * Runs a job in a transaction and resolves with its result once that is durable, or committed at least where the
   * caller leaves it to the next. A job that throws rejects alone and leaves nothing behind.
   */
  readonly write: <T>(job: Job<T>, durable?: Durable, turn?: Turn) => Promise<T>;
  /**
   * One job for many items, which share what it writes only once. `work` gives a result for each item that it is given:
   * all of them, or one, when each is tried on its own because one threw. Resolves with what came of each.
   */
  readonly writeEach: <Item, T>(
    items: readonly Item[],
    work: (tx: Tx, items: readonly Item[]) => readonly T[],
    durable?: Durable,
    turn?: Turn,
  ) => Promise<PromiseSettledResult<T>[]>;
  /** Runs work during which nothing is written: what is asked for meanwhile waits. */
  readonly pause: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing waits. */
  readonly idle: () => Promise<void>;
};

/** What the writer tells of its disk. */
export type WriterWatch = {
  /** Looks after the log. */
  readonly keeper?: LogKeeper;
  /**
   * The disk failed to sync, told once. Nothing is committed any more after that, since nobody knows what a later commit
   * would stand on: everything that waits is refused.
   */
  readonly onSyncFailure?: (error: unknown) => void;
  /** The disk did not take a job. */
  readonly onDiskFailure?: () => void;
  /** Who looks at steps. */
  readonly look?: StoreSteps | null;
  /** What is remembered of this database. */
  readonly known?: KnownRows;
  /** Where it counts. */
  readonly tally?: CountBook;
  /** Names of what was erased. */
  readonly nameOf?: KeyedNames["of"];
};

/** What a job shares with its neighbours: all, a transaction of which its part can be undone, or nothing. */
type Company = "together" | "undoable" | "alone";

type Outcome = PromiseSettledResult<unknown>;

type Waiting = {
  readonly items: readonly unknown[];
  readonly work: (tx: Tx, items: readonly unknown[]) => readonly unknown[];
  readonly durable: Durable;
  readonly company: Company;
  /** Told what came of each item. */
  readonly tell: (outcomes: readonly Outcome[]) => void;
};

type Desk = {
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly watch: WriterWatch;
  /** What is tried again comes first in it. */
  queue: Waiting[];
  ahead: Waiting[];
  isScheduled: boolean;
  /** Pauses under way. */
  pauses: number;
  /** The log is to be copied, on a turn of its own: nobody whose commit it was waits for that. */
  isLogLong: boolean;
  idleWaiters: (() => void)[];
  /** Set once the disk failed to sync. */
  lost: { readonly error: unknown } | null;
};

/** Opens the writer on a connection that nobody else writes with. */
export function writerOn(db: Database, clock: Clock, watch: WriterWatch = {}): Writer {
  const desk: Desk = {
    transactions: transactionsOn(db, clock, watch.look, watch.known, watch.tally, watch.nameOf),
    clock,
    watch,
    queue: [],
    ahead: [],
    isScheduled: false,
    pauses: 0,
    isLogLong: false,
    idleWaiters: [],
    lost: null,
  };
  const ask = (
    items: readonly unknown[],
    work: Waiting["work"],
    durable: Durable,
    turn: Turn,
    tell: Waiting["tell"],
  ): void => {
    const waiting: Waiting = { items, work, durable, company: "together", tell };
    (turn === "ahead" ? desk.ahead : desk.queue).push(waiting);
    if (desk.lost === null) schedule(desk);
    else isLost(desk, desk.lost.error);
  };
  return {
    write: <T>(job: Job<T>, durable: Durable = "at once", turn: Turn = "in turn") =>
      new Promise<T>((resolve, reject) => {
        const tell = ([outcome]: readonly Outcome[]): void => {
          if (outcome?.status === "fulfilled") resolve(outcome.value as T);
          else reject(outcome?.reason);
        };
        ask([null], (tx) => [job(tx)], durable, turn, tell);
      }),
    writeEach: (items, work, durable = "at once", turn = "in turn") =>
      new Promise((resolve) => {
        if (items.length === 0) resolve([]);
        else ask(items, work as Waiting["work"], durable, turn, resolve as Waiting["tell"]);
      }),
    pause: async (work) => {
      desk.pauses += 1;
      try {
        return await work();
      } finally {
        desk.pauses -= 1;
        schedule(desk);
      }
    },
    idle: () =>
      !isBusy(desk) && !desk.isScheduled
        ? Promise.resolve()
        : new Promise((resolve) => {
            desk.idleWaiters.push(resolve);
          }),
  };
}

function isBusy({ queue, ahead }: Desk): boolean {
  return queue.length + ahead.length > 0;
}

function schedule(desk: Desk): void {
  if (desk.isScheduled) return;
  desk.isScheduled = true;
  desk.clock.soon(() => {
    desk.isScheduled = false;
    if (desk.pauses > 0) return;
    if (desk.isLogLong) copyTheLog(desk);
    else if (isBusy(desk)) commitSome(desk);
    if (isBusy(desk) || desk.isLogLong) schedule(desk);
    else for (const waiter of desk.idleWaiters.splice(0)) waiter();
  });
}

/** Takes what waits into one transaction, those that go ahead first, until that has lasted long enough. */
function commitSome(desk: Desk): void {
  const { transactions, clock } = desk;
  const mates = matesOf(desk.queue);
  // What is tried again shares a transaction with nobody else.
  const ahead = mates[0] && mates[0].company !== "together" ? [] : desk.ahead;
  const isPatient = (waiting: Waiting): boolean => waiting.durable === "with the next";
  const durable = mates.every(isPatient) && ahead.every(isPatient) ? "with the next" : "at once";
  const begun: Waiting[] = [];
  const outcomes: (readonly Outcome[])[] = [];
  const next = nextOf(ahead, mates);
  try {
    transactions.transact(durable, () => {
      const beganMs = clock.steadyMs();
      for (let job = next(0); job; job = next(clock.steadyMs() - beganMs)) {
        begun.push(job);
        outcomes.push(outcomesOf(transactions, job));
      }
    });
  } catch (error) {
    if (isLost(desk, error)) return;
    // Where not even a transaction could begin, the first is told, so that the queue moves on.
    const first = begun.length > 0 ? null : next(0);
    const failed = first ? [first] : begun;
    leave(desk, failed);
    desk.queue = [...triedAgain(desk, failed, error), ...desk.queue];
    return;
  }
  leave(desk, begun);
  for (const [index, told] of outcomes.entries()) begun[index]?.tell(told);
  lookAfterTheLog(desk);
}

/** Takes jobs off: those that were begun are the first of the two that they waited in. */
function leave(desk: Desk, begun: readonly Waiting[]): void {
  const gone = new Set(begun);
  desk.queue = desk.queue.filter((waiting) => !gone.has(waiting));
  desk.ahead = desk.ahead.filter((waiting) => !gone.has(waiting));
}

/** Those at the head of the queue that may share a transaction. What is tried again waits for the disk only if it asked to. */
function matesOf(queue: readonly Waiting[]): readonly Waiting[] {
  const [first] = queue;
  if (!first) return [];
  const { company, durable } = first;
  const end = queue.findIndex(
    (other, index) =>
      other.company !== company ||
      (company === "undoable" && other.durable !== durable) ||
      (company === "alone" && index > 0),
  );
  return end < 0 ? queue.slice() : queue.slice(0, end);
}

/** Runs a job within a transaction. Throws what ends the whole transaction. */
function outcomesOf({ tx, undoable, isOpen }: Transactions, waiting: Waiting): readonly Outcome[] {
  const { company, items } = waiting;
  const work = () => waiting.work(tx, items).map((value): Outcome => ({ status: "fulfilled", value }));
  if (company !== "undoable") return work();
  try {
    return undoable(work);
  } catch (reason) {
    if (isDiskFailure(reason) || !isOpen()) throw reason;
    return items.map(() => ({ status: "rejected", reason }));
  }
}

/** What of a transaction that failed is to be run again, item by item; an item that had it to itself is refused. */
function triedAgain(desk: Desk, failed: readonly Waiting[], error: unknown): readonly Waiting[] {
  const [only] = failed;
  if (only && failed.length === 1 && only.items.length <= 1) {
    if (isDiskFailure(error)) desk.watch.onDiskFailure?.();
    refuse(only, error);
    return [];
  }
  const isFirstTime = only?.company === "together" && !isDiskFailure(error);
  return failed.flatMap((waiting) => apart(waiting, isFirstTime ? "undoable" : "alone"));
}

/** A job of its own for each item; whoever waits is told once all of them have come to an end. */
function apart(waiting: Waiting, company: Company): readonly Waiting[] {
  const outcomes: Outcome[] = [];
  let missing = waiting.items.length;
  return waiting.items.map((item, index) => ({
    ...waiting,
    items: [item],
    company,
    tell: ([outcome]) => {
      if (outcome) outcomes[index] = outcome;
      missing -= 1;
      if (missing === 0) waiting.tell(outcomes);
    },
  }));
}

function refuse({ items, tell }: Waiting, reason: unknown): void {
  tell(items.map(() => ({ status: "rejected", reason })));
}

/** True when the disk failed to sync, now or before: everything that waits is refused. */
function isLost(desk: Desk, error: unknown): boolean {
  if (desk.lost === null && isSyncFailure(error)) {
    desk.lost = { error };
    desk.watch.onSyncFailure?.(error);
  }
  if (desk.lost === null) return false;
  for (const waiting of [...desk.ahead.splice(0), ...desk.queue.splice(0)]) refuse(waiting, desk.lost.error);
  return true;
}

function lookAfterTheLog(desk: Desk): void {
  const { keeper } = desk.watch;
  if (keeper) minding(desk, () => (desk.isLogLong = keeper.isLong(desk.transactions.written())));
}

function copyTheLog(desk: Desk): void {
  desk.isLogLong = false;
  minding(desk, () => desk.watch.keeper?.copy());
}

/** An error of the log other than of its sync leaves it as it is: a later commit asks again. */
function minding(desk: Desk, work: () => void): void {
  try {
    work();
  } catch (error) {
    isLost(desk, error);
  }
}
