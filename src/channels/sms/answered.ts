/** What an operator answered to a submit, in time or late. */
import { assert } from "../../core/assert.ts";
import type { Tx } from "../../db/write.ts";
import { endSubmit } from "../../dispatch/attempt.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { SubmitResponse } from "../../smpp/link-events.ts";
import { type AnswerMeaning, endOf, meaningOf } from "./answer.ts";
import { recordEnd, settleDoubt } from "./attempt-end.ts";
import { type Ending, firstPart, recordDoubt, requeue, untilWritten, written } from "./ending.ts";
import { departed, type Flight } from "./flights.ts";
import { dropFromOutbox, logAnswer, noteAnswer } from "./link.ts";
import { recordAccepted, recordRefused } from "./outcome.ts";
import { applyParkedReceipts } from "./receipts.ts";

/** An answer in time. Its flight ends once what it says is durable. */
export function answered(ending: Ending, response: SubmitResponse): void {
  const { policy, clock, flights, work, submitSeconds } = ending;
  const { ref, status } = response;
  const flight = flights.get(ref);
  assert(flight, `submit ${ref} is in flight`);
  const { link, attempt, sentAtMs } = flight;
  const means = meaning(ending, flight, status);
  const { id: messageId } = attempt.candidate.message;
  const nowMs = clock.steadyMs();
  submitSeconds.observe((nowMs - sentAtMs) / 1000);
  noteAnswer(link, means, { messageId, sentAtMs, status }, nowMs, clock.nowMs());
  if (means.kind === "refused") dropFromOutbox(link, attempt);
  const attemptEnd = endSubmit(attempt, endOf(means, status));
  const part = firstPart(flight);
  const apply = (tx: Tx, session: FactSession): number | null => {
    writeAnswer(ending, tx, session, flight, { means, response, isLate: false });
    if (!attemptEnd) return null;
    const againMs = recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs());
    tryParked(ending, tx, session, flight, means);
    return againMs;
  };
  attempt.unwritten.add(part);
  work.begun();
  ending.enter(apply, (outcome) => {
    work.ended();
    if (outcome.status === "rejected") {
      const lost = { isTaken: means.kind === "accepted", isEnd: attemptEnd !== null, error: outcome.reason };
      work.own(doubtAnswer(ending, flight, lost).finally(() => flights.end(ref)));
      return;
    }
    try {
      written(ending, attempt, part);
      requeue(ending, attempt, outcome.value);
    } finally {
      flights.end(ref);
    }
  });
}

/**
 * An answer that could not be written down: the operator may have the submit, so it is in doubt like an unanswered one. What
 * is known to be taken is not sent again for that. At a stop it is left as it is.
 */
async function doubtAnswer(
  ending: Ending,
  flight: Flight,
  lost: { readonly isTaken: boolean; readonly isEnd: boolean; readonly error: unknown },
): Promise<void> {
  const { policy, clock, isStopping } = ending;
  const { attempt, link } = flight;
  const dueMs = await untilWritten(ending, attempt, firstPart(flight), () => {
    if (isStopping()) return Promise.reject(lost.error);
    link.tally.faults += 1;
    attempt.unanswered = true;
    attempt.taken ||= lost.isTaken;
    return ending.record((tx, session) => {
      recordDoubt(ending, tx, session, flight);
      return lost.isEnd
        ? recordEnd(tx, session, attempt, { kind: "unanswered" }, policy(), clock.nowMs())
        : null;
    });
  });
  requeue(ending, attempt, dueMs);
}

/** An answer after its time. An acceptance settles the message; another answer ends its own submit only. */
export async function answeredLate(ending: Ending, response: SubmitResponse): Promise<void> {
  const { ref, status } = response;
  const flight = ending.flights.takeLate(ref);
  if (!flight) return;
  flight.link.tally.answeredLate += 1;
  const { attempt, submit, link } = flight;
  const { id: messageId } = attempt.candidate.message;
  const means = meaning(ending, flight, status);
  logAnswer(link, means, status);
  const isAccepted = means.kind === "accepted";
  const isKnown = isAccepted ? ending.acceptances.note(messageId, submit.parts) : () => {};
  const said = endOf(means, status);
  const dueMs = await ending
    .record((tx, session) => {
      writeAnswer(ending, tx, session, flight, { means, response, isLate: true });
      const word = said.kind === "accepted" ? null : said;
      const againMs = settleDoubt(tx, session, messageId, word, ending.clock.nowMs());
      tryParked(ending, tx, session, flight, means);
      return againMs;
    })
    .finally(isKnown);
  requeue(ending, attempt, dueMs);
}

function meaning({ table }: Ending, { attempt }: Flight, status: number): AnswerMeaning {
  return meaningOf(status, attempt.candidate.message.operatorCode, table());
}

type Answer = {
  readonly means: AnswerMeaning;
  readonly response: SubmitResponse;
  readonly isLate: boolean;
};

/** What the operator said, for the message and its timeline; how the attempt ends is written beside it. */
function writeAnswer(
  { code, operator, clock }: Ending,
  tx: Tx,
  session: FactSession,
  flight: Flight,
  { means, response, isLate }: Answer,
): void {
  const { status, messageId: remoteId } = response;
  const { receipts } = operator();
  const left = departed(flight, code);
  if (means.kind === "accepted") {
    recordAccepted(tx, session, { ...left, remoteId: remoteId ?? "", receipts, isLate });
    return;
  }
  const kind = means.kind === "refused" ? "refused" : "put_off";
  recordRefused(tx, left, { kind, commandStatus: status, isLate }, clock.nowMs());
}

/**
 * When the operator did not take a submit, a receipt that came meanwhile can't be about it. So parked receipts are
 * tried again. To be called once its message has gone on.
 */
function tryParked(
  { parked, code }: Ending,
  tx: Tx,
  session: FactSession,
  flight: Flight,
  means: AnswerMeaning,
): void {
  if (means.kind === "accepted" || parked.last <= flight.parkedBefore) return;
  const { msisdn } = flight.attempt.candidate.message;
  applyParkedReceipts(tx, session, code, { id: "", msisdn });
}
