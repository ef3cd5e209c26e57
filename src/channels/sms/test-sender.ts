/**
 * Sends test messages on one operator's worker, from when they are durable until their results are. They take slots of the window and
 * of the pace like any other submit, go before those that wait, and are never tried again.
 */

import { canSubmit, type OperatorConfig, type ResponseAction } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type RateLimitedLog } from "../../core/log.ts";
import { enterUntilDurable, type Recorder, recordWith } from "../../dispatch/recorder.ts";
import type { TaskTracker } from "../../dispatch/task-tracker.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { SubmitResponse } from "../../smpp/connection.ts";
import { classifyResponse } from "./attempt-result.ts";
import { applyUnmatchedReceipts } from "./delivery-receipts.ts";
import { canSendOn, type OperatorSession } from "./operator-session.ts";
import type { SubmitResults } from "./submit-results.ts";
import { buildSubmits, uncountedReference } from "./submit-sm.ts";
import { recordTestResponse, recordTestSubmit, recordTestUnaccepted } from "./test-messages.ts";

/** A test message whose row is durable. */
type TestText = {
  readonly id: number;
  readonly sender: string;
  /** E.164 with "+". */
  readonly msisdn: string;
  /** One segment. */
  readonly text: string;
};

/** Why no test message may leave at this moment. */
export type TestObstacle =
  | { readonly kind: "held" }
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "down"; readonly lastError: Phrase | null };

export type TestSender = {
  /** Null where one may leave. */
  readonly obstacle: () => TestObstacle | null;
  /** Sends it as soon as a session has room. The returned function cancels it where it has not left, and resolves once that is durable. */
  readonly offer: (trial: TestText) => () => Promise<void>;
  /** Writes what waits, as far as window and pace of a session allow. */
  readonly drain: (link: OperatorSession, nowMs: number) => void;
  /** Nothing leaves any more. */
  readonly halt: () => void;
  /** Wraps the handlers of submit results so that those of test messages are handled here. */
  readonly beside: (ends: SubmitResults) => SubmitResults;
};

type TestSenderDeps = {
  readonly code: string;
  readonly operator: () => OperatorConfig;
  readonly table: () => ReadonlyMap<number, ResponseAction>;
  readonly links: readonly OperatorSession[];
  readonly recorder: Recorder;
  readonly work: TaskTracker;
  readonly clock: Clock;
  readonly faults: RateLimitedLog;
  readonly isHeld: () => boolean;
  readonly isStopping: () => boolean;
  /** A place in a window is free, or something waits. */
  readonly ask: () => void;
};

type TestInFlight = { readonly trial: TestText; readonly link: OperatorSession };

/** The state of a test sender: what is in flight, and how it is written down whatever the disk does. */
type Desk = TestSenderDeps & {
  readonly record: Recorder["record"];
  readonly waiting: TestText[];
  /** By the number of its place in the window. */
  readonly flying: Map<number, TestInFlight>;
  /** Those whose response did not come in time. */
  readonly late: Map<number, TestInFlight>;
};

export function trials(deps: TestSenderDeps): TestSender {
  const { recorder, clock, isStopping, work } = deps;
  const record = recordWith(enterUntilDurable(recorder, clock, isStopping));
  const desk: Desk = { ...deps, record, waiting: [], flying: new Map(), late: new Map() };
  const { waiting } = desk;
  return {
    obstacle: () => findObstacle(desk),
    offer: (trial) => {
      waiting.push(trial);
      deps.ask();
      return async () => {
        const at = waiting.indexOf(trial);
        if (at < 0) return;
        waiting.splice(at, 1);
        await notSent(desk, trial);
      };
    },
    drain: (link, nowMs) => drain(desk, link, nowMs),
    halt: () => {
      for (const trial of waiting.splice(0)) work.own(notSent(desk, trial));
    },
    beside: (ends) => beside(desk, ends),
  };
}

function notSent({ record }: Desk, { id }: TestText): Promise<void> {
  return record((tx) => recordTestUnaccepted(tx, id, "not_sent"));
}

function drain(desk: Desk, link: OperatorSession, nowMs: number): void {
  const { waiting, isHeld, isStopping } = desk;
  if (waiting.length === 0 || isHeld() || isStopping() || !canSubmit(link.config)) return;
  while (canSendOn(link) && link.connection.freeSlots() > 0 && link.pace.available(nowMs) >= 1) {
    const trial = waiting.shift();
    if (!trial) return;
    if (write(desk, trial, link, nowMs)) continue;
    waiting.unshift(trial);
    return;
  }
}

/** Writes one; false when the session takes none now. One that cannot be put on the wire has ended. */
function write(desk: Desk, trial: TestText, link: OperatorSession, nowMs: number): boolean {
  const { clock, work, record, flying } = desk;
  const ref = refOf(trial);
  try {
    const [submit] = buildSubmits(departing(trial, desk.operator()), link.config, NONE);
    assert(submit, "a text has a segment");
    if (link.connection.submit(ref, submit.message) === null) return false;
  } catch (error) {
    desk.faults.note("error", "trial", "a test text could not be put on the wire", errorFields(error));
    work.own(notSent(desk, trial));
    return true;
  }
  link.pace.take(nowMs, 1);
  flying.set(ref, { trial, link });
  const atMs = clock.nowMs();
  work.own(record((tx) => recordTestSubmit(tx, trial.id, link.number, atMs)));
  return true;
}

/** How long it is worth delivering: whoever tests waits for it. */
const VALID_MS = 600_000;
const NONE: ReadonlySet<number> = new Set();

function departing({ id, sender, msisdn, text }: TestText, { receipts }: OperatorConfig) {
  const messageClass = "TRANSACTIONAL" as const;
  const kind = { messageClass, validityMs: VALID_MS, wantsReceipt: receipts };
  return { sender, msisdn, text, ...kind, reference: uncountedReference(id) };
}

/** Negative, since the refs of messages count up from 1. */
function refOf({ id }: TestText): number {
  return -id;
}

function beside(desk: Desk, ends: SubmitResults): SubmitResults {
  const { flying, late, work } = desk;
  return {
    ...ends,
    answered: (response) => {
      if (response.ref >= 0) {
        ends.answered(response);
        return;
      }
      const flight = flying.get(response.ref);
      if (flight) work.own(answered(desk, flight, response, false));
    },
    answeredLate: (response) => {
      if (response.ref >= 0) return ends.answeredLate(response);
      const flight = late.get(response.ref);
      late.delete(response.ref);
      return flight ? answered(desk, flight, response, true) : Promise.resolve();
    },
    unanswered: (ref) => (ref >= 0 ? ends.unanswered(ref) : unaccepted(desk, ref, "unanswered")),
    unsent: (ref) => (ref >= 0 ? ends.unsent(ref) : unaccepted(desk, ref, "not_sent")),
  };
}

async function unaccepted(desk: Desk, ref: number, outcome: "unanswered" | "not_sent"): Promise<void> {
  const flight = desk.flying.get(ref);
  if (!flight) return;
  if (outcome === "unanswered") {
    flight.link.tally.unanswered += 1;
    desk.late.set(ref, flight);
  }
  await durably(
    desk,
    ref,
    desk.record((tx) => recordTestUnaccepted(tx, flight.trial.id, outcome)),
  );
}

async function answered(
  desk: Desk,
  { trial, link }: TestInFlight,
  { ref, status, messageId }: SubmitResponse,
  isLate: boolean,
): Promise<void> {
  const means = classifyResponse(status, null, desk.table());
  if (isLate) link.tally.answeredLate += 1;
  else link.tally[means.kind === "retry" ? "postponed" : means.kind] += 1;
  const isAccepted = means.kind === "accepted";
  const answer = {
    outcome: isAccepted ? ("accepted" as const) : ("refused" as const),
    atMs: desk.clock.nowMs(),
    commandStatus: status,
    remoteId: isAccepted ? messageId : null,
  };
  const written = desk.record((tx, session) => {
    recordTestResponse(tx, trial.id, answer);
    applyUnmatchedReceipts(tx, session, desk.code, { id: answer.remoteId ?? "", msisdn: trial.msisdn });
  });
  await durably(desk, ref, written);
}

/** The place in the window is free again once the result is written, or cannot be. */
function durably({ flying, ask }: Desk, ref: number, written: Promise<void>): Promise<void> {
  return written.finally(() => {
    flying.get(ref)?.link.connection.release(ref);
    flying.delete(ref);
    ask();
  });
}

function findObstacle({ links, isHeld, isStopping }: Desk): TestObstacle | null {
  if (isHeld() || isStopping()) return { kind: "held" };
  const sending = links.filter(({ config }) => canSubmit(config));
  if (sending.some(canSendOn)) return null;
  const pause = sending.find((link) => link.pause !== null)?.pause;
  if (pause) return { kind: "paused", reason: pause.reason };
  const errors = sending.map(({ connection }) => connection.status().lastError);
  return { kind: "down", lastError: errors.find((one) => one !== null) ?? null };
}
