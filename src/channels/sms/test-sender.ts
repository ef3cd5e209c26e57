/**
 * Sends test messages on one operator's worker, from when they are durable until their results are. They take slots of the window and
 * of the pace like any other submit, go before those that wait, and are never tried again.
 */

import { bringsReceipts, canSubmit, type OperatorConfig, type ResponseAction } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type RateLimitedLog } from "../../core/log.ts";
import type { Reader } from "../../db/reader.ts";
import { enterUntilDurable, type Recorder, recordWith } from "../../dispatch/recorder.ts";
import type { TaskTracker } from "../../dispatch/worker.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { SubmitResponse } from "../../smpp/connection.ts";
import { classifyResponse } from "./attempt-result.ts";
import { applyUnmatchedReceipts } from "./delivery-receipts.ts";
import type { OperatorSession } from "./operator-session.ts";
import { bookCost, NO_ACCOUNT, type RouteCosts } from "./route-costs.ts";
import type { InFlightResults } from "./submit-results.ts";
import { buildPost, buildSubmits, uncountedReference } from "./submit-sm.ts";
import {
  readTestMessage,
  recordTestResponse,
  recordTestSubmit,
  recordTestUnaccepted,
} from "./test-messages.ts";

/** A test message whose row is durable. */
type TestText = {
  readonly id: number;
  readonly sender: string;
  /** E.164 with "+". */
  readonly msisdn: string;
  /** One segment. */
  readonly text: string;
  /** The route that it is to leave by; null for any session. */
  readonly route: string | null;
};

/** Why no test message may leave at this moment. */
export type TestObstacle =
  | { readonly kind: "held" }
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "down"; readonly lastError: Phrase | null };

type TestSenderDeps = {
  readonly code: string;
  readonly operator: () => OperatorConfig;
  /** What the operator's own table sets, by route. */
  readonly table: (route: string) => ReadonlyMap<number, ResponseAction>;
  readonly sessions: readonly OperatorSession[];
  readonly costs: RouteCosts;
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly work: TaskTracker;
  readonly clock: Clock;
  readonly faults: RateLimitedLog;
  readonly isHeld: () => boolean;
  readonly isStopping: () => boolean;
  /** A place in a window is free, or something waits. */
  readonly ask: () => void;
};

/** `route`: the one that it left by; "" of an operator without routes. */
type TestInFlight = { readonly test: TestText; readonly session: OperatorSession; readonly route: string };

/** How long it is worth delivering: whoever tests waits for it. */
const VALID_MS = 600_000;
/** The class that it is sent as. */
const MESSAGE_CLASS = "TRANSACTIONAL" as const;
const NONE: ReadonlySet<number> = new Set();

/** The test messages of one operator that wait or are in flight. */
export class TestSender {
  /** Writes whatever the disk does: see `enterUntilDurable`. */
  private readonly record: Recorder["record"];
  private readonly waiting: TestText[] = [];
  /** By the number of its place in the window. */
  private readonly inFlight = new Map<number, TestInFlight>();
  /** Those whose response did not come in time. */
  private readonly late = new Map<number, TestInFlight>();

  constructor(private readonly deps: TestSenderDeps) {
    const { recorder, clock, isStopping } = deps;
    this.record = recordWith(enterUntilDurable(recorder, clock, isStopping));
  }

  /** Why none may leave by a route, or by any session, at this moment; null where one may. */
  readonly obstacle = (route: string | null): TestObstacle | null => {
    const { sessions, isHeld, isStopping } = this.deps;
    if (isHeld() || isStopping()) return { kind: "held" };
    const sending = sessions.filter(
      ({ config }) => canSubmit(config) && (route === null || config.route === route),
    );
    if (sending.some((session) => session.canSend())) return null;
    const pause = sending.find((session) => session.pause !== null)?.pause;
    if (pause) return { kind: "paused", reason: pause.reason };
    const errors = sending.map(({ connection }) => connection.status().lastError);
    return { kind: "down", lastError: errors.find((one) => one !== null) ?? null };
  };

  /** Sends it as soon as a session has room. The returned function cancels it where it has not left, and resolves once that is durable. */
  readonly offer = (test: TestText): (() => Promise<void>) => {
    const { waiting } = this;
    waiting.push(test);
    this.deps.ask();
    return async () => {
      const at = waiting.indexOf(test);
      if (at < 0) return;
      waiting.splice(at, 1);
      await this.recordNotSent(test);
    };
  };

  /** Writes what waits, as far as window and pace of a session allow. */
  drain(session: OperatorSession, nowMs: number): void {
    const { waiting } = this;
    const { isHeld, isStopping } = this.deps;
    if (waiting.length === 0 || isHeld() || isStopping() || !canSubmit(session.config)) return;
    while (session.canWrite(nowMs)) {
      const at = waiting.findIndex(({ route }) => route === null || route === session.config.route);
      const test = waiting[at];
      if (!test || !this.write(test, session, nowMs)) return;
      waiting.splice(at, 1);
    }
  }

  /** Nothing leaves any more. */
  halt(): void {
    for (const test of this.waiting.splice(0)) this.deps.work.own(this.recordNotSent(test));
  }

  /** The results of messages, with those of test messages handled here: the numbers of these are negative. */
  resultsBeside(results: InFlightResults): InFlightResults {
    return {
      answered: (response) => {
        if (response.ref >= 0) results.answered(response);
        else this.answeredInTime(response);
      },
      answeredLate: (response) =>
        response.ref >= 0 ? results.answeredLate(response) : this.answeredLate(response),
      unanswered: (ref) => (ref >= 0 ? results.unanswered(ref) : this.unaccepted(ref, "unanswered")),
      unsent: (ref) => (ref >= 0 ? results.unsent(ref) : this.unaccepted(ref, "not_sent")),
    };
  }

  private recordNotSent({ id }: TestText): Promise<void> {
    return this.record((tx) => recordTestUnaccepted(tx, id, "not_sent"));
  }

  /** Writes one; false when the session takes none now. One that cannot be put on the wire has ended. */
  private write(test: TestText, session: OperatorSession, nowMs: number): boolean {
    const { clock, work, faults, operator, read } = this.deps;
    const ref = refOf(test);
    try {
      const outgoing = toOutgoing(test, bringsReceipts(operator(), session.config.route));
      const [submit] =
        session.config.kind === "bendre"
          ? [buildPost(outgoing, { key: `${readTestMessage(read, test.id)?.ulid ?? test.id}-1`, hops: 1 })]
          : buildSubmits(outgoing, session.config, NONE);
      assert(submit, "a text has a segment");
      if (session.connection.submit(ref, submit) === null) return false;
    } catch (error) {
      faults.note("error", "trial", "a test text could not be put on the wire", errorFields(error));
      work.own(this.recordNotSent(test));
      return true;
    }
    session.pace.take(nowMs, 1);
    this.inFlight.set(ref, { test, session, route: session.config.route });
    const atMs = clock.nowMs();
    work.own(this.record((tx) => recordTestSubmit(tx, test.id, session.number, atMs)));
    return true;
  }

  private answeredInTime(response: SubmitResponse): void {
    const submitted = this.inFlight.get(response.ref);
    if (submitted) this.deps.work.own(this.answered(submitted, response, false));
  }

  private async answeredLate(response: SubmitResponse): Promise<void> {
    const submitted = this.late.get(response.ref);
    this.late.delete(response.ref);
    if (submitted) await this.answered(submitted, response, true);
  }

  private async answered(
    { test, session, route }: TestInFlight,
    { ref, status, messageId }: SubmitResponse,
    isLate: boolean,
  ): Promise<void> {
    const { clock, code, table, costs } = this.deps;
    const means = classifyResponse(status, null, table(session.config.route));
    if (means.kind === "taken") {
      // What becomes of it comes by the feed.
      session.tally.accepted += 1;
      await this.freeSlotAfter(ref, Promise.resolve());
      return;
    }
    if (isLate) session.tally.answeredLate += 1;
    else session.tally[means.kind === "retry" ? "postponed" : means.kind] += 1;
    const isAccepted = means.kind === "accepted";
    const answer = {
      outcome: isAccepted ? ("accepted" as const) : ("refused" as const),
      atMs: clock.nowMs(),
      commandStatus: status,
      remoteId: isAccepted ? messageId : null,
    };
    const written = this.record((tx, facts) => {
      recordTestResponse(tx, test.id, answer);
      const cost = isAccepted ? costs.now(route) : null;
      if (cost !== null) {
        const one = { operator: code, accountId: NO_ACCOUNT, messageClass: MESSAGE_CLASS, segments: 1 };
        bookCost(tx, facts, { ...cost, ...one });
      }
      applyUnmatchedReceipts(tx, facts, code, { id: answer.remoteId ?? "", msisdn: test.msisdn });
    });
    await this.freeSlotAfter(ref, written);
  }

  private async unaccepted(ref: number, outcome: "unanswered" | "not_sent"): Promise<void> {
    const submitted = this.inFlight.get(ref);
    if (!submitted) return;
    if (outcome === "unanswered") {
      submitted.session.tally.unanswered += 1;
      this.late.set(ref, submitted);
    }
    const written = this.record((tx) => recordTestUnaccepted(tx, submitted.test.id, outcome));
    await this.freeSlotAfter(ref, written);
  }

  /** The place in the window is free again once the result is written, or cannot be. */
  private freeSlotAfter(ref: number, written: Promise<void>): Promise<void> {
    const { inFlight, deps } = this;
    return written.finally(() => {
      inFlight.get(ref)?.session.connection.release(ref);
      inFlight.delete(ref);
      deps.ask();
    });
  }
}

function toOutgoing({ id, sender, msisdn, text }: TestText, wantsReceipt: boolean) {
  const kind = { messageClass: MESSAGE_CLASS, validityMs: VALID_MS, wantsReceipt };
  return { sender, msisdn, text, ...kind, reference: uncountedReference(id) };
}

/** Negative, since the refs of messages count up from 1. */
function refOf({ id }: TestText): number {
  return -id;
}
