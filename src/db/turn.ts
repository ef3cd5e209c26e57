/**
 * The order in which the writer takes its jobs: as they were asked for, but for those that somebody waits for by the millisecond.
 * They go ahead of the others, in their own order.
 *
 * Who asks to go ahead says with it that nothing that still waits in turn can be about what the job writes, so that it rests on
 * what is committed and on nothing else. The acceptance of a small batch that is urgent is such a job, and the first claim of a
 * message of one: no answer and no receipt can be about a message that was never sent. What came over a link is written in
 * turn, and so is a second claim, which a receipt that waits may forbid.
 */

/** Whether a job waits for those that were asked for before it. */
export type WritePriority = "in turn" | "ahead";

/** How long jobs may gather in one transaction before it is committed and the event loop gets its turn. */
const TRANSACTION_MS = 4;

/** How long they may where one goes ahead, whose commit is waited for. */
const AHEAD_MS = 2;

/**
 * Says which job is next in a transaction that has lasted so many milliseconds; null when that is enough, or none is left. However
 * long those ahead took, one in turn has its turn, so that nobody waits for ever.
 */
export function createNextJob<Job>(ahead: readonly Job[], inTurn: readonly Job[]): (lastedMs: number) => Job | null {
  let taken = 0;
  let takenAhead = 0;
  return (lastedMs) => {
    const isTurnDue = takenAhead > 0 && taken === 0 && inTurn.length > 0;
    const isLong = lastedMs >= (takenAhead > 0 ? AHEAD_MS : TRANSACTION_MS);
    if (isLong && taken + takenAhead > 0 && !isTurnDue) return null;
    const first = isLong ? undefined : ahead[takenAhead];
    if (first !== undefined) {
      takenAhead += 1;
      return first;
    }
    taken += 1;
    return inTurn[taken - 1] ?? null;
  };
}
