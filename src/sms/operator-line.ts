/**
 * Everything between the queue and one operator's connections: takes messages in fair order, claims them, submits
 * their segments within window and pace, and writes down what came of each.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again
 * only once its answer is durable, so a crash leaves at most one window a connection in doubt.
 */
import { assert } from "../base/assert.ts";
import { type Cancel, isStartDoubted } from "../base/clock.ts";
import { gatheredLog } from "../base/gathered-log.ts";
import { errorFields } from "../base/log.ts";
import { canSubmit, type OperatorConfig, responseActions } from "../config/config.ts";
import type { InboundRules } from "../inbound/inbound.ts";
import { calledOff } from "../messages/cancel.ts";
import { acceptedParts } from "../messages/queue.ts";
import { type Attempt, beginAttempt } from "../outbound/attempt.ts";
import { backlog } from "../outbound/backlog.ts";
import { mayClaim } from "../outbound/claim.ts";
import { gateOf } from "../outbound/gate.ts";
import { giveUpQueued } from "../outbound/give-up.ts";
import type { Candidate } from "../outbound/lanes.ts";
import type { Line, LineTools } from "../outbound/line.ts";
import { ownedWork } from "../outbound/owned-work.ts";
import { openConnection } from "../smpp/connection.ts";
import { createPace } from "../smpp/pace.ts";
import { flights, WRITE_AGAIN_MS } from "./flights.ts";
import { incomingFrom } from "./incoming.ts";
import type { SmsDeps } from "./lines.ts";
import { connectionProfile, dropFromOutbox, type Link, type LinkStatus, roomOf, statusOf } from "./link.ts";
import { countReceipt, newTally } from "./link-tally.ts";
import { nextTurnMs } from "./next-turn.ts";
import { isCarried, outgoingOf } from "./outgoing.ts";
import type { ReceiptMemory } from "./receipt-memory.ts";
import { type Submission, submissionsOf } from "./submissions.ts";

/** A line whose connections tell more of themselves. */
export type OperatorLine = Line<LinkStatus>;

export type OperatorLineDeps = LineTools &
  SmsDeps & {
    readonly code: string;
    readonly operator: OperatorConfig;
    readonly inbound: InboundRules;
    readonly memory: ReceiptMemory;
  };

export function operatorLine(deps: OperatorLineDeps): OperatorLine {
  const { code, operator, config, store, recorder, clock } = deps;
  const log = deps.log.with({ operator: code });
  const faults = gatheredLog(log, clock);
  const { own: track, idle } = ownedWork((error) => {
    const words = "what happened on an operator's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
  let stopping = false;
  let pumpAsked = false;
  let paceTimer: Cancel = () => {};

  const gateDeps = { read: store.read, policy: config.policy };
  const queue = backlog({
    read: store.read,
    clock,
    gate: (batch) => gateOf(gateDeps, batch, clock),
    onGivenUp: (batch, { error }) => track(giveUpQueued({ store, clock, log }, batch, error)),
    isCalledOff: (batchId) => calledOff(store.read, batchId) !== null,
    onOver: ({ batchId }) => deps.onOver(batchId),
    onReady: () => askPump(),
  });
  const flight = flights({
    operator: code,
    receipts: operator.receipts,
    table: responseActions(operator),
    policy: config.delivery.unanswered,
    read: store.read,
    recorder,
    parked: deps.memory.parked,
    clock,
    isStopping: () => stopping,
    onEnded: ({ candidate }) => deps.holds.release(candidate.message.id),
    onRequeued: queue.requeued,
    onFreed: () => askPump(),
  });

  /**
   * A message that was claimed could not be put on the wire, by an error of our own. Nothing of the submission left: it
   * is given up where no connection of the operator could ever carry it, and is tried again later else.
   */
  function fault(link: Link, attempt: Attempt, error: unknown): void {
    const never = links.every(
      (one) => !canSubmit(one.config) || !isCarried(() => submitsBy(one, attempt.candidate)),
    );
    link.tally.faults += 1;
    faults.note("error", "wire", "a message could not be put on the wire", {
      connection: link.number,
      message_id: attempt.candidate.message.id,
      becomes: never ? "FAILED" : "QUEUED",
      ...errorFields(error),
    });
    if (never) dropFromOutbox(link, attempt);
    track(flight.faulted(attempt, never));
  }

  const submitsBy = (link: Link, candidate: Candidate): Submission[] =>
    submissionsOf(outgoingOf(candidate, operator.receipts, clock), link.config);

  function askPump(): void {
    if (pumpAsked || stopping) return;
    pumpAsked = true;
    queueMicrotask(() => {
      pumpAsked = false;
      pump();
    });
  }

  /** One reading of the clock decides what may leave and when to look again, or a moment in between would be missed. */
  function pump(): void {
    if (stopping) return;
    const nowMs = clock.steadyMs();
    for (const link of links) {
      drain(link, nowMs);
      claim(link, nowMs);
    }
    paceTimer();
    const nextMs = nextTurnMs(links, nowMs, isStartDoubted(clock));
    if (nextMs !== null) paceTimer = clock.after(Math.max(1, nextMs - nowMs), pump);
  }

  /** Writes what was claimed, as far as window and pace allow. */
  function drain(link: Link, nowMs: number): void {
    while (link.isBound && link.connection.freeSlots() > 0 && link.pace.available(nowMs) >= 1) {
      const outgoing = link.outbox.shift();
      if (!outgoing) return;
      if (flight.isAccepted(outgoing)) {
        track(flight.skipped(outgoing.attempt));
        continue;
      }
      const ref = flight.begin(outgoing, link);
      link.pace.take(nowMs, 1);
      let sequence: number | null;
      try {
        sequence = link.connection.submit(ref, outgoing.submission.message);
      } catch (error) {
        flight.takeBack(ref);
        fault(link, outgoing.attempt, error);
        continue;
      }
      if (sequence === null) {
        flight.takeBack(ref);
        link.outbox.unshift(outgoing);
        return;
      }
      flight.left(ref, sequence);
    }
  }

  function claim(link: Link, nowMs: number): void {
    if (!canSubmit(link.config) || isStartDoubted(clock)) return;
    let room = roomOf(link, nowMs);
    while (room > 0) {
      const candidate = queue.take();
      if (!candidate) return;
      room -= candidate.message.segments;
      link.claiming += candidate.message.segments;
      track(claimOne(link, candidate));
    }
  }

  async function claimOne(link: Link, candidate: Candidate): Promise<void> {
    const { batch, message } = candidate;
    let claimed: ReadonlySet<number> | null = null;
    deps.holds.hold(message.id);
    try {
      claimed = await recorder.record((tx, session) => {
        if (stopping || !mayClaim(tx, session, candidate, deps.memory.parked.last)) return null;
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
    else deps.holds.release(message.id);
  }

  function send(link: Link, candidate: Candidate, accepted: ReadonlySet<number>): void {
    let submissions: Submission[];
    try {
      submissions = submitsBy(link, candidate).filter(
        ({ parts }) => !parts.every((part) => accepted.has(part)),
      );
      assert(submissions.length > 0, "a queued message has a segment that was not accepted");
    } catch (error) {
      fault(link, beginAttempt(candidate, 1), error);
      return;
    }
    const attempt = beginAttempt(candidate, submissions.length);
    for (const submission of submissions) link.outbox.push({ attempt, submission });
    if (stopping || !link.isBound) handBack(link);
    else drain(link, clock.steadyMs());
  }

  /** What was claimed for a link and not written goes back to the queue. */
  function handBack(link: Link): void {
    for (const { attempt } of link.outbox.splice(0)) track(flight.notWritten(attempt));
  }

  const links: Link[] = operator.connections.map((connectionConfig, index) => {
    const tally = newTally();
    const linkLog = log.with({ connection: index + 1 });
    const gathered = gatheredLog(linkLog, clock);
    const incoming = incomingFrom({
      operator: code,
      connection: index + 1,
      inbound: deps.inbound,
      memory: deps.memory,
      smsc: connectionConfig,
      recorder,
      clock,
      gathered,
      count: (outcome) => countReceipt(tally, outcome),
    });
    const link: Link = {
      number: index + 1,
      config: connectionConfig,
      pace: createPace(connectionConfig.throughput),
      outbox: [],
      claiming: 0,
      isBound: false,
      putOff: new Set(),
      tally,
      gathered,
      connection: openConnection({
        profile: connectionProfile(connectionConfig, deps.readPem),
        clock,
        chance: deps.chance,
        log: linkLog,
        on: {
          bound: () => {
            link.isBound = true;
            askPump();
          },
          resumed: () => askPump(),
          unbound: () => {
            link.isBound = false;
            handBack(link);
          },
          response: (response) => track(flight.answered(response)),
          lateResponse: (response) => track(flight.answeredLate(response)),
          unanswered: (refs) => {
            for (const ref of refs) track(flight.unanswered(ref));
          },
          unsent: (refs) => {
            for (const ref of refs) track(flight.unsent(ref));
          },
          deliver: (message, answer, sequence) => track(incoming(message, answer, sequence)),
        },
      }),
    };
    return link;
  });

  function halt(): void {
    if (stopping) return;
    stopping = true;
    paceTimer();
    queue.clear();
    for (const link of links) handBack(link);
  }

  return {
    open: (batch) => {
      if (!stopping) queue.open(batch);
    },
    knows: queue.knows,
    accountChanged: queue.changed,
    status: () => links.map((link) => statusOf(link, clock.steadyMs())),
    halt,
    stop: async (graceMs, longestMs) => {
      halt();
      await Promise.all(links.map(({ connection }) => connection.stop(graceMs, longestMs)));
      await idle();
      for (const { gathered } of links) gathered.close();
      faults.close();
    },
  };
}

const NONE: ReadonlySet<number> = new Set();
