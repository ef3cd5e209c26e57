/**
 * Writes what workers report about messages as facts, in transactions that many share, so that one fsync serves all of them. What
 * the disk refuses for a while is tried again (`enterUntilDurable`).
 */
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log, rateLimitedLog } from "../core/log.ts";
import { isTransient } from "../db/errors.ts";
import type { Store } from "../db/store.ts";
import type { Tx, WritePriority } from "../db/writer.ts";
import { type FactSession, openFacts } from "../domain/messages/apply-facts.ts";

/** Something to write about messages: applies its facts, and may read in the same transaction. */
type Entry = {
  readonly priority: WritePriority;
  readonly apply: (tx: Tx, session: FactSession) => unknown;
  readonly onWritten: (outcome: PromiseSettledResult<unknown>) => void;
};

/**
 * Writes what happens on the sessions. What comes in during one turn of the event loop shares one job of the writer, and with it
 * the batch figures, the wallet rows and the fsync.
 */
export type Recorder = {
  /** Resolves with what `apply` returned once it is durable; rejects when it alone could not be written. */
  readonly record: <T>(apply: (tx: Tx, session: FactSession) => T) => Promise<T>;
  /**
   * `record` without a promise, for what happens with every message: `onWritten` is called with the result, one after the other with
   * all that shared its job. What it throws is reported, and does not affect the others.
   */
  readonly enter: <T>(
    apply: (tx: Tx, session: FactSession) => T,
    onWritten: (outcome: PromiseSettledResult<T>) => void,
    priority?: WritePriority,
  ) => void;
  /** Reports what was not reported yet of what could not be written. */
  readonly close: () => void;
};

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.name;
}

/**
 * Facts in one job: enough to share the cost, few enough not to hold the event loop, since the writer ends a transaction between
 * jobs and not within one.
 */
const MAX_IN_A_JOB = 32;

const PRIORITIES: readonly WritePriority[] = ["ahead", "in turn"];

/**
 * `onQueued` is called with batches of which a message went back to the queue by a fact whose caller does not check, such as a
 * receipt.
 */
export function recorder(
  store: Store,
  clock: Clock,
  log: Log,
  onQueued: (batchId: number) => void = () => {},
): Recorder {
  const rateLimited = rateLimitedLog(log, clock);
  let waiting: Entry[] = [];
  let scheduled = false;

  const work = (tx: Tx, some: readonly Entry[]): unknown[] => {
    const session = openFacts(tx, clock.nowMs());
    const values = some.map((entry) => entry.apply(tx, session));
    session.close();
    for (const batchId of session.queuedAgain) tx.afterCommit(() => onQueued(batchId));
    return values;
  };
  const write = async (entries: readonly Entry[], priority: WritePriority): Promise<void> => {
    const outcomes = await store.writeEach(entries, work, "at once", priority);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "rejected") noteUnwritten(outcome.reason);
      try {
        entries[index]?.onWritten(outcome);
      } catch (error) {
        rateLimited.note("error", "told", "what was written could not be followed", {
          ...errorFields(error),
        });
      }
    }
  };

  /** For an entry that is too early, what it waits for has been reported. */
  const noteUnwritten = (error: unknown): void => {
    if (!(error instanceof TooEarly))
      rateLimited.note("error", kindOf(error), "a fact could not be written", { ...errorFields(error) });
  };

  const flush = (): void => {
    scheduled = false;
    const entries = waiting;
    waiting = [];
    for (const priority of PRIORITIES) {
      const some = entries.filter((entry) => entry.priority === priority);
      for (let at = 0; at < some.length; at += MAX_IN_A_JOB)
        void write(some.slice(at, at + MAX_IN_A_JOB), priority);
    }
  };

  const enter: Recorder["enter"] = (apply, onWritten, priority = "in turn") => {
    waiting.push({ apply, priority, onWritten: onWritten as Entry["onWritten"] });
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(flush);
  };

  return {
    enter,
    record: recordWith(enter),
    close: rateLimited.close,
  };
}

/** `record` by way of `enter`. */
export function recordWith(enter: Recorder["enter"]): Recorder["record"] {
  return (apply) =>
    new Promise((resolve, reject) => {
      enter(apply, (outcome) => {
        if (outcome.status === "fulfilled") resolve(outcome.value);
        else reject(outcome.reason);
      });
    });
}

/** What is to be written depends on something not written yet; it is tried again like what the disk did not take. */
export class TooEarly extends Error {
  override name = "TooEarly";
}

/** What could not be written is tried again after this. */
export const WRITE_RETRY_MS = 1000;

/**
 * `enter`, however long the database refuses: for what the operator may have done. Until it is durable its slot in the window is
 * taken, so that a full disk stops the sending and loses nothing. A failure is reported when it will not pass, or at a stop.
 */
export function enterUntilDurable(
  { enter }: Pick<Recorder, "enter">,
  clock: Clock,
  isStopping: () => boolean,
): Recorder["enter"] {
  const again: Recorder["enter"] = (apply, onWritten, priority) =>
    enter(
      apply,
      (outcome) => {
        if (outcome.status === "fulfilled" || isStopping() || !isTriedAgain(outcome.reason))
          onWritten(outcome);
        else clock.after(WRITE_RETRY_MS, () => again(apply, onWritten, priority));
      },
      priority,
    );
  return again;
}

function isTriedAgain(error: unknown): boolean {
  return isTransient(error) || error instanceof TooEarly;
}
