/** What an operator answered to a submit, in time or late. */
import { assert } from "../base/assert.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import { endSubmit } from "../outbound/attempt.ts";
import type { SubmitResponse } from "../smpp/link-events.ts";
import type { Tx } from "../store/write.ts";
import { type AnswerMeaning, endOf, meaningOf } from "./answer.ts";
import { recordEnd, settleDoubt } from "./attempt-end.ts";
import { type Ending, firstPart, recordDoubt, requeue, untilWritten } from "./ending.ts";
import { departed, type Flight } from "./flights.ts";
import { dropFromOutbox, logAnswer, noteAnswer } from "./link.ts";
import { recordAccepted, recordRefused } from "./outcome.ts";
import { applyParkedReceipts } from "./receipts.ts";

/** An answer in time. */
export async function answered(ending: Ending, response: SubmitResponse): Promise<void> {
  const { policy, clock } = ending;
  const { ref, status } = response;
  const flight = ending.flights.get(ref);
  assert(flight, `submit ${ref} is in flight`);
  const { link, attempt, sentAtMs } = flight;
  const means = meaning(ending, flight, status);
  const { id: messageId } = attempt.candidate.message;
  noteAnswer(link, means, { messageId, sentAtMs, status }, clock.steadyMs());
  if (means.kind === "refused") dropFromOutbox(link, attempt);
  const attemptEnd = endSubmit(attempt, endOf(means, status));
  const write = (): Promise<number | null> =>
    ending.record((tx, session) => {
      writeAnswer(ending, tx, session, flight, { means, response, isLate: false });
      if (!attemptEnd) return null;
      const againMs = recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs());
      tryParked(ending, tx, session, flight, means);
      return againMs;
    });
  const isTaken = means.kind === "accepted";
  try {
    const dueMs = await untilWritten(ending, attempt, firstPart(flight), () =>
      write().catch((error) => {
        if (ending.isStopping()) throw error;
        return doubtAnswer(ending, flight, { isTaken, isEnd: attemptEnd !== null });
      }),
    );
    requeue(ending, attempt, dueMs);
  } finally {
    ending.flights.end(ref);
  }
}

/**
 * An answer that could not be written down: the operator may have the submit, so it is in doubt like an unanswered one. What
 * is known to be taken is not sent again for that.
 */
async function doubtAnswer(
  ending: Ending,
  flight: Flight,
  { isTaken, isEnd }: { readonly isTaken: boolean; readonly isEnd: boolean },
): Promise<number | null> {
  const { policy, clock } = ending;
  const { attempt, link } = flight;
  link.tally.faults += 1;
  attempt.unanswered = true;
  attempt.taken ||= isTaken;
  return ending.record((tx, session) => {
    recordDoubt(ending, tx, session, flight);
    return isEnd ? recordEnd(tx, session, attempt, { kind: "unanswered" }, policy(), clock.nowMs()) : null;
  });
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
