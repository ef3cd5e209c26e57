import { type ConnectionConfig, canSubmit, type OperatorConfig } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { RateLimitedLog } from "../../core/gathered-log.ts";
import { errorFields } from "../../core/log.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { type Attempt, beginAttempt } from "../../dispatch/attempt.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { TaskTracker } from "../../dispatch/owned-work.ts";
import { messageIdOf } from "../../domain/messages/trace.ts";
import { mayBeUncounted, allocateReference, readReference, uncountedReference } from "./concatenations.ts";
import type { SubmitResults } from "./flight-ends.ts";
import type { InFlightSubmits } from "./flights.ts";
import { dropFromSendQueue, type OperatorSession, canSendOn, type PendingSubmit } from "./link.ts";
import { departing, isCarried, isSentWhole, type SubmitSm, buildSubmits } from "./submit-sm.ts";
import { recordPayloadClaim } from "./whole-claims.ts";

export type SendQueuesDeps = {
  readonly operator: () => OperatorConfig;
  readonly links: readonly OperatorSession[];
  readonly flights: InFlightSubmits;
  readonly ends: SubmitResults;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
  readonly own: TaskTracker["own"];
  readonly faults: RateLimitedLog;
  readonly read: Reader;
};

/**
 * By which link a claimed message leaves, and how that was configured when this was decided; with its concatenation reference, where
 * it leaves in parts.
 */
export type SendPlan = { readonly link: OperatorSession; readonly config: ConnectionConfig; readonly reference: number };

/** What has no parts needs none. */
export const NO_REFERENCE = 0;

/** What was claimed for the links of one operator, on its way out. */
export type SendQueues = {
  /**
   * Decides, in the transaction that claims a text of several segments, how what is left of it leaves, and notes it: that it leaves
   * whole, or the reference of its parts. By another link than it is claimed for where that alone can carry the rest in parts.
   */
  readonly decide: (tx: Tx, link: OperatorSession, candidate: Candidate, accepted: ReadonlySet<number>) => SendPlan;
  /** Puts the submits of a claimed message into a link's outbox, but for segments that were accepted, and writes what may leave. */
  readonly send: (way: SendPlan, candidate: Candidate, accepted: ReadonlySet<number>) => void;
  /** Writes what is in the outbox, as far as window and pace allow. */
  readonly drain: (link: OperatorSession, nowMs: number) => void;
  /** What was claimed for a link and not written goes back to the queue. */
  readonly handBack: (link: OperatorSession) => void;
};

export function sendQueues(deps: SendQueuesDeps): SendQueues {
  return {
    decide: (tx, link, candidate, accepted) => decide(deps, tx, link, candidate, accepted),
    send: (way, candidate, accepted) => send(deps, way, candidate, accepted),
    drain: (link, nowMs) => drain(deps, link, nowMs),
    handBack: (link) => handBack(deps, link),
  };
}

function decide(
  deps: SendQueuesDeps,
  tx: Tx,
  link: OperatorSession,
  candidate: Candidate,
  accepted: ReadonlySet<number>,
): SendPlan {
  // What is left of a text that was accepted in part would be a text of its own.
  const other =
    accepted.size > 0 && isWholeBy(link, candidate, accepted)
      ? deps.links.find((one) => joinsBy(deps, one, candidate, accepted))
      : undefined;
  const by = other ?? link;
  if (other === undefined && isWholeBy(link, candidate, accepted)) {
    recordPayloadClaim(tx, { messageId: candidate.message.id, attempt: candidate.message.attempts + 1 });
    return { link, config: link.config, reference: NO_REFERENCE };
  }
  return { link: by, config: by.config, reference: claimReference(tx, candidate, accepted) };
}

/**
 * The reference of the parts of a text that is claimed: what it had when it left before, or a new one. That may have left by a machine of
 * which this database is an older copy: under which reference nobody knows, so that it has another than any that is known.
 */
export function claimReference(
  tx: Tx,
  { batch, message }: Pick<Candidate, "message"> & { readonly batch: Pick<Candidate["batch"], "sender"> },
  accepted: ReadonlySet<number>,
): number {
  const { id: messageId, msisdn, attempts, resends } = message;
  const before = attempts > 0 ? readReference(tx, messageId) : null;
  if (before !== null) return before;
  const mayHaveLeft = accepted.size > 0 || resends > 0;
  if (mayHaveLeft && mayBeUncounted(tx, messageId)) return uncountedReference(messageId);
  return allocateReference(tx, { messageId, sender: batch.sender, msisdn });
}

/** Whether what is left of a text leaves whole by a link. One that the link cannot carry is found out where it is to leave. */
function isWholeBy({ config }: OperatorSession, { batch, message }: Candidate, accepted: ReadonlySet<number>): boolean {
  try {
    return isSentWhole(message.text ?? batch.body, config, accepted);
  } catch {
    return false;
  }
}

/** Whether a link can carry the rest as parts that join those which were accepted. */
function joinsBy(
  deps: SendQueuesDeps,
  link: OperatorSession,
  candidate: Candidate,
  accepted: ReadonlySet<number>,
): boolean {
  if (!canSendOn(link) || !canSubmit(link.config)) return false;
  return (
    isCarried(() => submitsBy(deps, link.config, candidate, accepted)) &&
    !isWholeBy(link, candidate, accepted)
  );
}

function send(
  deps: SendQueuesDeps,
  { link, config, reference }: SendPlan,
  candidate: Candidate,
  accepted: ReadonlySet<number>,
): void {
  let submits: SubmitSm[];
  try {
    submits = submitsBy(deps, config, candidate, accepted, reference);
    assert(submits.length > 0, "a queued message has a segment that was not accepted");
  } catch (error) {
    fault(deps, link, beginAttempt(candidate, 1), error);
    return;
  }
  const attempt = beginAttempt(candidate, submits.length);
  for (const submit of submits) link.sendQueue.push({ attempt, submit });
  if (deps.isStopping() || !canSendOn(link)) handBack(deps, link);
  else drain(deps, link, deps.clock.steadyMs());
}

function submitsBy(
  { operator, clock }: SendQueuesDeps,
  config: ConnectionConfig,
  candidate: Candidate,
  accepted: ReadonlySet<number>,
  reference = NO_REFERENCE,
): SubmitSm[] {
  return buildSubmits(departing(candidate, reference, operator().receipts, clock), config, accepted);
}

function drain(deps: SendQueuesDeps, link: OperatorSession, nowMs: number): void {
  while (canSendOn(link) && link.connection.freeSlots() > 0 && link.pace.available(nowMs) >= 1) {
    const outgoing = link.sendQueue.shift();
    if (!outgoing) return;
    if (deps.ends.covers(outgoing)) deps.own(deps.ends.skipped(outgoing.attempt));
    else if (!write(deps, link, outgoing, nowMs)) return;
  }
}

/** Writes one submit; false when the link takes none now, and it stays first in the outbox. */
function write(deps: SendQueuesDeps, link: OperatorSession, outgoing: PendingSubmit, nowMs: number): boolean {
  const { flights } = deps;
  const ref = flights.begin(outgoing, link);
  link.pace.take(nowMs, 1);
  let sequence: number | null;
  try {
    link.steps?.leaving(outgoing.attempt.candidate.message.id);
    sequence = link.connection.submit(ref, outgoing.submit.message);
  } catch (error) {
    flights.takeBack(ref);
    fault(deps, link, outgoing.attempt, error);
    return true;
  }
  if (sequence === null) {
    flights.takeBack(ref);
    link.sendQueue.unshift(outgoing);
    return false;
  }
  flights.left(ref, sequence);
  return true;
}

/**
 * A message that was claimed could not be put on the wire, by an error of our own. Nothing of the submit left: it
 * is given up where no connection of the operator could ever carry it, and is tried again later else.
 */
function fault(deps: SendQueuesDeps, link: OperatorSession, attempt: Attempt, error: unknown): void {
  const never = deps.links.every(
    (one) => !canSubmit(one.config) || !isCarried(() => submitsBy(deps, one.config, attempt.candidate, NONE)),
  );
  link.tally.faults += 1;
  deps.faults.note("error", "wire", "a message could not be put on the wire", {
    connection: link.number,
    message_id: nameOf(deps.read, attempt),
    becomes: never ? "FAILED" : "QUEUED",
    ...errorFields(error),
  });
  if (never) dropFromSendQueue(link, attempt);
  deps.own(deps.ends.faulted(attempt, never));
}

/** Whatever was accepted: a message that no link could carry whole can be carried by none. */
const NONE: ReadonlySet<number> = new Set();

/** For a line of the log, which is written whether or not the database can be read. */
function nameOf(read: Reader, { candidate }: Attempt): string | null {
  try {
    return messageIdOf(read, candidate.message.id);
  } catch {
    return null;
  }
}

function handBack({ ends, own }: SendQueuesDeps, link: OperatorSession): void {
  for (const { attempt } of link.sendQueue.splice(0)) own(ends.notWritten(attempt));
}
