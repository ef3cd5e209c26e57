/** What every end of a submit has in common: it is written down for sure, and its message may be queued again. */

import type { Config, OperatorConfig, ResponseAction } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Histogram } from "../../core/count-book.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { type Attempt, CLAIM_END, endSubmit, type SubmitEnd } from "../../dispatch/attempt.ts";
import type { OwnedWork } from "../../dispatch/owned-work.ts";
import { enterForSure, promisedBy, type Recorder } from "../../dispatch/recorder.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
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
  readonly work: OwnedWork;
  readonly flights: Flights;
  readonly parked: Readonly<ParkedMark>;
  readonly clock: Clock;
  /** From a submit to its answer. */
  readonly submitSeconds: Histogram;
  readonly isStopping: () => boolean;
  /** What came of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
};

export type Ending = EndingDeps & {
  /** Whatever the disk does: see `enterForSure`. */
  readonly enter: Recorder["enter"];
  readonly record: Recorder["record"];
  readonly acceptances: LateAcceptances;
};

export function endingOf(deps: EndingDeps): Ending {
  const { recorder, clock, isStopping, read } = deps;
  const enter = enterForSure(recorder, clock, isStopping);
  return {
    ...deps,
    enter,
    record: promisedBy(enter),
    acceptances: lateAcceptances(read),
  };
}

/** Notes the end of one submit, writes down that it is in doubt, if it is, and the attempt's end if it was the last. */
export async function endAttempt(
  ending: Ending,
  attempt: Attempt,
  submitEnd: SubmitEnd,
  doubt: Flight | null = null,
): Promise<void> {
  const { policy, clock } = ending;
  const attemptEnd = endSubmit(attempt, submitEnd);
  if (attemptEnd === null && doubt === null) return;
  const dueMs = await untilWritten(ending, attempt, doubt ? firstPart(doubt) : CLAIM_END, () =>
    ending.record((tx, session) => {
      if (doubt) recordDoubt(ending, tx, session, doubt);
      return attemptEnd ? recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs()) : null;
    }),
  );
  requeue(ending, attempt, dueMs);
}

/**
 * What `write` does to write down the end of the submit with this first segment. The message is held until all that is to be
 * written of its claim is, or cannot be: then nobody looks after it (docs/behaviour.md#nobody-holds-it).
 */
export async function untilWritten<T>(
  ending: Ending,
  attempt: Attempt,
  part: number,
  write: () => Promise<T>,
): Promise<T> {
  attempt.unwritten.add(part);
  try {
    return await write();
  } catch (error) {
    attempt.lost = true;
    throw error;
  } finally {
    written(ending, attempt, part);
  }
}

/** The end of the submit with this first segment, which was among the `unwritten`, is written, or cannot be. */
export function written({ onEnded }: Ending, attempt: Attempt, part: number): void {
  attempt.unwritten.delete(part);
  if (attempt.open === 0 && attempt.unwritten.size === 0) onEnded(attempt);
}

/** Has the batch looked at again when its message is due, if that is queued. */
export function requeue({ isStopping, onRequeued }: Ending, attempt: Attempt, dueMs: number | null): void {
  if (dueMs !== null && !isStopping()) onRequeued(attempt.candidate.batch, dueMs);
}

/** Nobody answered a submit, or what was answered is lost: the operator may have it. */
export function recordDoubt({ code, clock }: Ending, tx: Tx, session: FactSession, flight: Flight): void {
  recordUnanswered(tx, session, departed(flight, code), flight.writtenAtMs, clock.nowMs());
}

/** The first segment that left in a flight. */
export function firstPart({ submit }: Flight): number {
  return submit.parts[0] ?? 1;
}
