/** What every end of a submit has in common: it is written down for sure, and its message may be queued again. */
import type { Clock } from "../base/clock.ts";
import type { Config, OperatorConfig, ResponseAction } from "../config/config.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { QueuedBatch } from "../messages/queue.ts";
import { type Attempt, endSubmit, type SubmitEnd } from "../outbound/attempt.ts";
import { type Recorder, recordForSure } from "../outbound/recorder.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { recordEnd } from "./attempt-end.ts";
import { departed, type Flight, type Flights } from "./flights.ts";
import { type LateAcceptances, lateAcceptances } from "./late-acceptances.ts";
import { recordUnanswered } from "./outcome.ts";
import type { ParkedMark } from "./parked-receipts.ts";

export type EndingDeps = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "receipts">;
  readonly table: () => ReadonlyMap<number, ResponseAction>;
  readonly policy: () => Config["delivery"]["unanswered"];
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly flights: Flights;
  readonly parked: Readonly<ParkedMark>;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
  /** What came of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
};

export type Ending = EndingDeps & {
  readonly record: Recorder["record"];
  readonly acceptances: LateAcceptances;
};

export function endingOf(deps: EndingDeps): Ending {
  const { recorder, clock, isStopping, read } = deps;
  return {
    ...deps,
    record: recordForSure(recorder, clock, isStopping),
    acceptances: lateAcceptances(read),
  };
}

/** Notes the end of one submit, with what is to be written before, and writes down the attempt's if it was the last. */
export async function endAttempt(
  ending: Ending,
  attempt: Attempt,
  submitEnd: SubmitEnd,
  before: ((tx: Tx, session: FactSession) => void) | null = null,
): Promise<void> {
  const { policy, clock } = ending;
  const attemptEnd = endSubmit(attempt, submitEnd);
  if (attemptEnd === null && before === null) return;
  try {
    const dueMs = await ending.record((tx, session) => {
      before?.(tx, session);
      return attemptEnd ? recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs()) : null;
    });
    requeue(ending, attempt, dueMs);
  } finally {
    if (attemptEnd) ending.onEnded(attempt);
  }
}

/** Has the batch looked at again when its message is due, if that is queued. */
export function requeue({ isStopping, onRequeued }: Ending, attempt: Attempt, dueMs: number | null): void {
  if (dueMs !== null && !isStopping()) onRequeued(attempt.candidate.batch, dueMs);
}

/** Nobody answered a submit, or what was answered is lost: the operator may have it. */
export function recordDoubt({ code, clock }: Ending, tx: Tx, session: FactSession, flight: Flight): void {
  recordUnanswered(tx, session, departed(flight, code), flight.writtenAtMs, clock.nowMs());
}
