/**
 * Everything between the queue and one operator's connections: takes messages in fair order, claims them, submits
 * their segments within window and pace, and writes down what came of each.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again
 * only once its answer is durable, so a crash leaves at most one window a connection in doubt.
 */
import { isSuppressed } from "../accounts/suppressions.ts";
import { assert } from "../base/assert.ts";
import type { Chance } from "../base/chance.ts";
import { type Cancel, type Clock, wait } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { type Config, canSubmit, type OperatorConfig, responseActions } from "../config/config.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import { waitsForAnswer } from "../messages/overdue.ts";
import { acceptedParts, type QueuedBatch } from "../messages/queue.ts";
import { type ConnectionStatus, openConnection, type SubmitResponse } from "../smpp/connection.ts";
import { createPace } from "../smpp/pace.ts";
import { statusCode } from "../smpp/status.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { meaningOf } from "./answer.ts";
import { type Attempt, type AttemptEnd, beginAttempt, endSubmission, type SubmissionEnd } from "./attempt.ts";
import { backlog } from "./backlog.ts";
import { gateOf } from "./gate.ts";
import { giveUpQueued } from "./give-up.ts";
import { incomingFrom } from "./incoming.ts";
import type { Candidate } from "./lanes.ts";
import { connectionProfile, type Link, type Outgoing, roomOf } from "./link.ts";
import { recordAccepted, recordEnd } from "./outcome.ts";
import { mayPass, type Recorder } from "./recorder.ts";
import { submissionsOf } from "./submissions.ts";

export type OperatorLine = {
  readonly code: string;
  /** Lets a batch with messages for this operator take part. */
  readonly open: (batch: QueuedBatch) => void;
  /** Forgets what it knew of the queue, because accounts or senders changed; the caller opens the batches anew. */
  readonly forget: () => void;
  readonly status: () => LineStatus[];
  /** Stops claiming, hands back what was not written, waits for answers for `graceMs`, unbinds. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** A connection as it stands, with the pace it is allowed and the pace it is granted, in `submit_sm` a second. */
export type LineStatus = ConnectionStatus & { readonly throughput: number; readonly granted: number };

export type LineDeps = {
  readonly code: string;
  readonly operator: OperatorConfig;
  readonly config: Config;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** The PEM text of a connection's own certificate authorities, or null. */
  readonly readCa: (file: string) => string | null;
};

/** Late answers are told apart for this many submits after they timed out. */
const REMEMBERED_LATE = 10_000;
/** What could not be written is tried again after this. */
const WRITE_AGAIN_MS = 1000;

export function operatorLine(deps: LineDeps): OperatorLine {
  const { code, operator, config, store, recorder, clock } = deps;
  const log = deps.log.with({ operator: code });
  const table = responseActions(operator);
  const inFlight = new Map<number, Outgoing & { readonly link: Link }>();
  const late = new Map<number, Outgoing>();
  const writing = new Set<Promise<unknown>>();
  let nextRef = 1;
  let stopping = false;
  let pumpAsked = false;
  let paceTimer: Cancel = () => {};

  const gateDeps = {
    read: store.read,
    isConfigured: (other: string) => other === code,
    policy: config.policy,
  };
  const queue = backlog({
    read: store.read,
    clock,
    gate: (batch) => gateOf(gateDeps, batch, clock.nowMs()),
    onGivenUp: (batch, { error }) => track(giveUpQueued({ store, clock, log }, batch, error)),
    onReady: () => askPump(),
  });

  function track<T>(work: Promise<T>): Promise<T> {
    writing.add(work);
    const done = () => {
      writing.delete(work);
    };
    work.then(done, done);
    return work;
  }

  function askPump(): void {
    if (pumpAsked || stopping) return;
    pumpAsked = true;
    queueMicrotask(() => {
      pumpAsked = false;
      pump();
    });
  }

  function pump(): void {
    if (stopping) return;
    for (const link of links) {
      drain(link);
      claim(link);
    }
    paceTimer();
    const nowMs = clock.nowMs();
    const waiting = links.filter((link) => link.isBound && link.pace.available(nowMs) < 1);
    if (waiting.length === 0) return;
    const nextMs = Math.min(...waiting.map((link) => link.pace.nextAtMs(nowMs)));
    paceTimer = clock.after(Math.max(1, nextMs - nowMs), pump);
  }

  /** Writes what was claimed, as far as window and pace allow. */
  function drain(link: Link): void {
    const nowMs = clock.nowMs();
    while (link.isBound && link.connection.freeSlots() > 0 && link.pace.available(nowMs) >= 1) {
      const outgoing = link.outbox.shift();
      if (!outgoing) return;
      const ref = nextRef++;
      inFlight.set(ref, { ...outgoing, link });
      link.pace.take(nowMs, 1);
      if (!link.connection.submit(ref, outgoing.submission.message)) {
        inFlight.delete(ref);
        link.outbox.unshift(outgoing);
        return;
      }
    }
  }

  function claim(link: Link): void {
    if (!canSubmit(link.config)) return;
    let room = roomOf(link, clock.nowMs());
    while (room > 0) {
      const candidate = queue.take();
      if (!candidate) return;
      room -= candidate.message.segments;
      link.claiming += candidate.message.segments;
      void track(claimOne(link, candidate));
    }
  }

  async function claimOne(link: Link, candidate: Candidate): Promise<void> {
    const { batch, message } = candidate;
    let claimed: ReadonlySet<number> | null = null;
    try {
      claimed = await recorder.record((tx, session) => {
        if (!mayClaim(tx, session, candidate)) return null;
        return message.segments > 1 && message.attempts > 0 ? acceptedParts(tx, message.id) : NONE;
      });
    } catch {
      // It is still queued; the recorder has said why it could not be claimed.
      if (!stopping) queue.requeued(batch, clock.nowMs() + WRITE_AGAIN_MS);
    } finally {
      link.claiming -= message.segments;
      queue.settled(message.id);
      askPump();
    }
    if (claimed) send(link, candidate, claimed);
  }

  function send(link: Link, candidate: Candidate, accepted: ReadonlySet<number>): void {
    const { batch, message } = candidate;
    const submissions = submissionsOf(
      {
        messageId: message.id,
        sender: batch.sender,
        msisdn: message.msisdn,
        messageClass: batch.messageClass,
        text: message.text ?? batch.body,
        validityMs: batch.expiresAt - clock.nowMs(),
        wantsReceipt: operator.receipts,
      },
      link.config,
    ).filter(({ parts }) => !parts.every((part) => accepted.has(part)));
    assert(submissions.length > 0, "a queued message has a segment that was not accepted");
    const attempt = beginAttempt(candidate, submissions);
    for (const submission of submissions) link.outbox.push({ attempt, submission });
    if (stopping || !link.isBound) handBack(link);
    else drain(link);
  }

  /** What was claimed for a link and not written goes back to the queue. */
  function handBack(link: Link): void {
    for (const { attempt } of link.outbox.splice(0)) void finish(attempt, { kind: "not_written" });
  }

  /**
   * Writes down what the operator may have done, however long the database refuses: until then the place in the window
   * is taken, so that a full disk stops the sending and loses nothing.
   */
  async function recordForSure<T>(apply: (tx: Tx, session: FactSession) => T): Promise<T> {
    for (;;) {
      try {
        return await recorder.record(apply);
      } catch (error) {
        if (stopping || !mayPass(error)) throw error;
        await wait(clock, WRITE_AGAIN_MS);
      }
    }
  }

  /** Notes the end of a submission without an answer; resolves once that is durable. */
  function finish(attempt: Attempt, end: SubmissionEnd): Promise<void> {
    const attemptEnd = endSubmission(attempt, end);
    return attemptEnd ? track(writeEnd(attempt, attemptEnd)) : Promise.resolve();
  }

  async function writeEnd(attempt: Attempt, end: AttemptEnd): Promise<void> {
    const dueMs = await recordForSure((_, session) =>
      recordEnd(session, attempt, end, config.delivery.unanswered, clock.nowMs()),
    );
    if (dueMs !== null && !stopping) queue.requeued(attempt.candidate.batch, dueMs);
  }

  async function answered({ ref, status, messageId }: SubmitResponse): Promise<void> {
    const flight = inFlight.get(ref);
    assert(flight, `submit ${ref} is in flight`);
    const { link, attempt, submission } = flight;
    const meaning = meaningOf(status, attempt.candidate.message.operatorCode, table);
    if (meaning.kind === "retry" && meaning.slowLink) link.pace.throttled(clock.nowMs());
    if (meaning.kind === "refused") dropRest(link, attempt);
    const attemptEnd = endSubmission(attempt, endOf(meaning, status));
    try {
      const dueMs = await recordForSure((tx, session) => {
        if (meaning.kind === "accepted") {
          recordAccepted(tx, session, {
            messageId: attempt.candidate.message.id,
            parts: submission.parts,
            operator: code,
            smscId: messageId ?? "",
            receipts: operator.receipts,
          });
        }
        return attemptEnd
          ? recordEnd(session, attempt, attemptEnd, config.delivery.unanswered, clock.nowMs())
          : null;
      });
      if (dueMs !== null && !stopping) queue.requeued(attempt.candidate.batch, dueMs);
    } finally {
      inFlight.delete(ref);
      link.connection.release(ref);
      askPump();
    }
  }

  /** A refused message's other segments are not sent any more. */
  function dropRest(link: Link, refused: Attempt): void {
    const rest = link.outbox.filter(({ attempt }) => attempt === refused);
    if (rest.length === 0) return;
    link.outbox.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...link.outbox.filter(({ attempt }) => attempt !== refused),
    );
    for (const { attempt } of rest) endSubmission(attempt, { kind: "not_written" });
  }

  async function unanswered(ref: number): Promise<void> {
    const flight = inFlight.get(ref);
    if (!flight) return;
    late.set(ref, { attempt: flight.attempt, submission: flight.submission });
    for (const oldest of late.keys()) {
      if (late.size <= REMEMBERED_LATE) break;
      late.delete(oldest);
    }
    await endFlight(ref, { kind: "unanswered" });
  }

  /** Ends a submit that was not answered; its place in the window is free once that is durable. */
  async function endFlight(ref: number, end: SubmissionEnd): Promise<void> {
    const flight = inFlight.get(ref);
    if (!flight) return;
    try {
      await finish(flight.attempt, end);
    } finally {
      inFlight.delete(ref);
      flight.link.connection.release(ref);
      askPump();
    }
  }

  /**
   * An answer after its time. An acceptance settles the message. Another answer counts only while the message still
   * waits for it, since a resend may be under way; one that asks for later is enough to send the message again only
   * when it speaks for all of it.
   */
  async function answeredLate({ ref, status, messageId: smscId }: SubmitResponse): Promise<void> {
    const known = late.get(ref);
    if (!known) return;
    late.delete(ref);
    const { attempt, submission } = known;
    const { parts } = submission;
    const { batch, message } = attempt.candidate;
    const meaning = meaningOf(status, message.operatorCode, table);
    const dueMs = await recordForSure((tx, session) => {
      if (meaning.kind === "accepted") {
        recordAccepted(tx, session, {
          messageId: message.id,
          parts,
          operator: code,
          smscId: smscId ?? "",
          receipts: operator.receipts,
        });
        return null;
      }
      if (!waitsForAnswer(tx, message.id)) return null;
      if (meaning.kind === "retry" && parts.length < message.segments) return null;
      const end: AttemptEnd =
        meaning.kind === "retry" ? { ...meaning, operatorCode: statusCode(status) } : meaning;
      return recordEnd(session, attempt, end, config.delivery.unanswered, clock.nowMs());
    });
    if (dueMs !== null && !stopping) queue.requeued(batch, dueMs);
  }

  const incoming = incomingFrom({ operator: code, recorder, clock, log });

  const links: Link[] = operator.connections.map((connectionConfig, index) => {
    const link: Link = {
      config: connectionConfig,
      pace: createPace(connectionConfig.throughput),
      outbox: [],
      claiming: 0,
      isBound: false,
      connection: openConnection({
        profile: connectionProfile(connectionConfig, deps.readCa),
        clock,
        chance: deps.chance,
        log: log.with({ connection: index }),
        on: {
          bound: () => {
            link.isBound = true;
            askPump();
          },
          unbound: () => {
            link.isBound = false;
            handBack(link);
          },
          response: (response) => void track(answered(response)),
          lateResponse: (response) => void track(answeredLate(response)),
          unanswered: (refs) => {
            for (const ref of refs) void track(unanswered(ref));
          },
          unsent: (refs) => {
            for (const ref of refs) void track(endFlight(ref, { kind: "not_written" }));
          },
          deliver: (message, answer) => void track(incoming(message, answer)),
        },
      }),
    };
    return link;
  });

  return {
    code,
    open: queue.open,
    forget: queue.clear,
    status: () =>
      links.map((link) => ({
        ...link.connection.status(),
        throughput: link.config.throughput,
        granted: link.pace.grantedPerSecond(clock.nowMs()),
      })),
    stop: async (graceMs) => {
      stopping = true;
      paceTimer();
      queue.clear();
      for (const link of links) handBack(link);
      await Promise.all(links.map(({ connection }) => connection.stop(graceMs)));
      while (writing.size > 0) await Promise.allSettled([...writing]);
    },
  };
}

/**
 * Claims a message, if it is still queued. An opt-out that came since it was accepted wins:
 * then it is cancelled and released instead.
 */
function mayClaim(tx: Tx, session: FactSession, { batch, message }: Candidate): boolean {
  const messageId = message.id;
  if (isSuppressed(tx, batch.accountId, message.msisdn, batch.messageClass)) {
    session.apply({ kind: "cancelled", messageId, error: { code: "SUPPRESSED", operatorCode: null } });
    return false;
  }
  const { from, to } = session.apply({ kind: "claimed", messageId });
  return from === "QUEUED" && to === "SUBMITTED";
}

const NONE: ReadonlySet<number> = new Set();

function endOf(meaning: ReturnType<typeof meaningOf>, status: number): SubmissionEnd {
  return meaning.kind === "retry" ? { ...meaning, operatorCode: statusCode(status) } : meaning;
}
