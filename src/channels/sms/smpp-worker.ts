/**
 * The SMS channel: one worker for each operator of the configuration, everything between its queue and its SMPP connections.
 *
 * Sending: a worker takes messages in fair order (dispatch/batch-scheduler.ts), claims them, and writes their `submit_sm`
 * (`submit-sm.ts`) by its sessions (`open-session.ts`, `operator-session.ts`). `submit-results.ts` has the in-flight submits and
 * writes down what came of each: a response or none. The outcome of a submit without a response is unknown (`sent-segments.ts`).
 * Receiving: `open-session.ts` separates receipts from texts. `delivery-receipts.ts` finds the segment that a receipt is about;
 * one that fits none waits in `unmatched-receipts.ts` until it does. A text goes to domain/inbound.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again only once its
 * response is durable, so a crash leaves at most one window a connection of unknown outcome. The room may write its own tables
 * and hand facts to messages. It changes no money and no status itself.
 */
import {
  type ConnectionConfig,
  canSubmit,
  connectionNames,
  type OperatorConfig,
  responseActions,
} from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Chance } from "../../core/chance.ts";
import { type Cancel, type Clock, isStartDoubted } from "../../core/clock.ts";
import { errorFields, type Log, type RateLimitedLog, rateLimitedLog } from "../../core/log.ts";
import { SHORT_SECONDS } from "../../core/metrics-registry.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type Attempt, beginAttempt } from "../../dispatch/attempt.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import {
  type Claim,
  type Claimed,
  claimer,
  createFastPath,
  type FastPathDeps,
  type NoteClaim,
  type ReservedSlot,
} from "../../dispatch/claim.ts";
import { type BatchQueue, operatorQueue } from "../../dispatch/operator-queue.ts";
import { allPauses, findPause, type Pause } from "../../dispatch/pauses.ts";
import { type TaskTracker, taskTracker } from "../../dispatch/task-tracker.ts";
import type { OpenWorkers, OperatorWorker, WorkerTools } from "../../dispatch/worker.ts";
import { isUrgent, type MessageClass } from "../../domain/accounts/message-class.ts";
import type { InboundRules } from "../../domain/inbound/inbound.ts";
import type { QueuedMessage } from "../../domain/messages/queue.ts";
import { messageIdOf } from "../../domain/messages/trace.ts";
import { canApplyLive } from "../../smpp/connection.ts";
import type { Dial } from "../../smpp/dial.ts";
import { connectionProfile, type OpenSessionDeps, openSession } from "./open-session.ts";
import {
  canSendOn,
  countFreeSlots,
  dropFromSendQueue,
  type OperatorSession,
  type PendingSubmit,
  type SessionStatus,
  statusOf,
} from "./operator-session.ts";
import { inboundRules } from "./read-deliver-sm.ts";
import { type ReceiptCache, receiptCache } from "./receipt-detection.ts";
import { flights, type InFlightSubmits, type SubmitResults, submitResults } from "./submit-results.ts";
import {
  allocateReference,
  buildSubmits,
  departing,
  isCarried,
  isSentWhole,
  mayBeUncounted,
  readReference,
  recordPayloadClaim,
  type SubmitSm,
  uncountedReference,
} from "./submit-sm.ts";
import { type TestSender, trials } from "./test-sender.ts";

/** A worker that also tells the status of its sessions. */
type SmppWorker = OperatorWorker<SessionStatus> & {
  /** Reads again which connections are paused. */
  readonly pausesChanged: () => void;
  /** Rebinds the connection of a name, or all, once the responses that are due have come. */
  readonly reconnect: (connection: string | null) => void;
  /** Sends test messages of an administrator. */
  readonly trials: Pick<TestSender, "obstacle" | "offer">;
};

/** Seconds from a submit to its response in time, by operator. */
export const SUBMIT_SECONDS = "bendre_submit_seconds";

type SmsDeps = {
  readonly dial: Dial;
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Turns a number as an operator spells it into E.164 with "+"; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  /** The PEM text of a file that a connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
};

type SmppWorkerDeps = WorkerTools &
  SmsDeps & {
    readonly code: string;
    /** Its configuration at this moment. */
    readonly operator: () => OperatorConfig;
    readonly inbound: InboundRules;
    readonly memory: ReceiptCache;
    /** Why nothing may leave by a connection of a name; null where it may. */
    readonly findPause: (connection: string) => Pause | null;
  };

function smppWorker(deps: SmppWorkerDeps): SmppWorker {
  const { code, operator, recorder, leases, clock, memory } = deps;
  const log = deps.log.with({ operator: code });
  const faults = rateLimitedLog(log, clock);
  const work = workOf(faults);
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const isHeld = (): boolean => isStartDoubted(clock) || !deps.mayClaim();

  const links: OperatorSession[] = [];
  const line = sendLoop(clock, links, isHeld, (link, nowMs) => {
    tests.drain(link, nowMs);
    out.drain(link, nowMs);
    claimFor(claiming, link, nowMs);
  });
  const alongside = { own: work.own, read: deps.store.read };
  const queue = operatorQueue({ ...deps, log, ...alongside, onReady: line.ask });
  const underWay = flights(clock, memory.unmatched, line.ask);
  const table = deriveCached(operator, responseActions);
  const shared = { code, operator, table, recorder, work, clock, isStopping };
  const tests = trials({ ...shared, links, faults, isHeld, ask: line.ask });
  const ends = submitResults({
    ...shared,
    ...alongside,
    flights: underWay,
    unmatched: memory.unmatched,
    submitSeconds: deps.store.tally.histograms(SUBMIT_SECONDS, SHORT_SECONDS).of(code),
    policy: () => deps.settings.now().delivery.unanswered,
    onEnded: ({ candidate, taken }) =>
      taken ? leases.releaseTaken(candidate.message.id) : leases.release(candidate.message.id),
    onRequeued: queue.requeued,
  });
  const out = sendQueues({ ...shared, links, flights: underWay, ends, faults, ...alongside });
  const deciding = { queue, leases, clock, isHeld, isStopping, unmatchedBefore: () => memory.unmatched.last };
  const claim = claimer({ ...deciding, recorder });
  const claiming: Claiming = {
    queue,
    claim,
    out,
    kept: reservedWindowSlots(),
    clock,
    isHeld,
    work,
    ask: line.ask,
    steps: log.steps,
  };
  const { handBack } = out;
  const lent = { ...deps, log, ends: tests.beside(ends), work, onRoom: line.ask, onLost: handBack, handBack };
  const connections = workerSessions(lent, links);

  const unfollow = deps.settings.onChange(connections.follow);
  const halt = (): void => {
    if (isHalted) return;
    isHalted = true;
    unfollow();
    line.stop();
    queue.clear();
    tests.halt();
    for (const link of links) handBack(link);
  };
  const ended = (end: () => Promise<void>): Promise<void> => {
    halt();
    return end().then(work.idle).then(faults.close);
  };
  return {
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    takeFastPathSlot: createFastPath({ ...deciding, reserveSlots: reserveSlotsOn(claiming, links) }),
    knows: queue.knows,
    accountChanged: queue.changed,
    pausesChanged: connections.pausesChanged,
    reconnect: connections.reconnect,
    trials: tests,
    status: () => links.map((link) => statusOf(link, clock.steadyMs())),
    halt,
    stop: (graceMs, longestMs) => ended(() => connections.stop(graceMs, longestMs)),
    leave: () => ended(connections.leave),
  };
}

function workOf(faults: RateLimitedLog): TaskTracker {
  return taskTracker((error) => {
    const words = "what happened on an operator's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
}

// Keeps the sessions of one operator as its configuration has them while that changes: new ones are opened, removed ones
// leave in order, and the others follow their settings. A connection is known by its name, not by its place.

type WorkerSessions = {
  /** Applies the configuration as it is now. */
  readonly follow: () => void;
  /** Reads again which of them are paused: what was claimed for a paused one goes back to the queue. */
  readonly pausesChanged: () => void;
  /** Rebinds the one of a name, or all, once the responses that are due have come. */
  readonly reconnect: (name: string | null) => void;
  /** Ends all sessions, also those that are leaving; after `longestMs` without waiting any more. */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
  /** Ends all sessions once the responses that are due have come, each within its own time limit. */
  readonly leave: () => Promise<void>;
};

type WorkerSessionsDeps = Omit<OpenSessionDeps, "work"> & {
  readonly operator: () => OperatorConfig;
  readonly work: TaskTracker;
  /** Returns to the queue what was claimed for a session and not written. */
  readonly handBack: (link: OperatorSession) => void;
  readonly findPause: (name: string) => Pause | null;
};

/** What an unbind may take beside the responses that are waited for. */
const UNBINDING_MS = 5000;

/** Opens the configured sessions into `links`, which has them in the order of the configuration from then on. */
function workerSessions(deps: WorkerSessionsDeps, links: OperatorSession[]): WorkerSessions {
  const leaving = new Set<OperatorSession>();

  const leave = (link: OperatorSession): void => {
    link.isLeaving = true;
    leaving.add(link);
    deps.handBack(link);
    deps.work.own(
      ended(link).then(() => {
        leaving.delete(link);
      }),
    );
  };
  const pausesChanged = (): void => {
    for (const link of links) {
      link.pause = deps.findPause(link.name);
      if (link.pause !== null) deps.handBack(link);
    }
    deps.onRoom();
  };
  const follow = (): void => {
    const { connections } = deps.operator();
    const known = new Map(links.map((link) => [link.name, link]));
    const next = connectionNames(connections).map((name, index): OperatorSession => {
      const config = connections[index] as ConnectionConfig;
      const link = known.get(name);
      if (!link) return openSession(deps, config, { name, number: index + 1 });
      known.delete(name);
      link.number = index + 1;
      change(deps, link, config);
      return link;
    });
    links.splice(0, links.length, ...next);
    for (const link of known.values()) leave(link);
    pausesChanged();
  };
  follow();
  return {
    follow,
    pausesChanged,
    reconnect: (name) => {
      for (const link of links) if (name === null || link.name === name) link.connection.rebind();
    },
    stop: async (graceMs, longestMs) => {
      const all = [...links, ...leaving];
      await Promise.all(all.map(({ connection }) => connection.stop(graceMs, longestMs)));
      for (const { rateLimited } of all) rateLimited.close();
    },
    leave: async () => {
      await Promise.all([...links, ...leaving].map(ended));
    },
  };
}

/** Waits for the responses that are due, and unbinds. */
async function ended({ config, connection, rateLimited }: OperatorSession): Promise<void> {
  const graceMs = config.response_timeout_seconds * 1000;
  await connection.stop(graceMs, graceMs + UNBINDING_MS);
  rateLimited.close();
}

/** Applies a connection's new settings. Those that only a bind can apply make it rebind, once its responses have come. */
function change(
  { readPem, handBack }: WorkerSessionsDeps,
  link: OperatorSession,
  config: ConnectionConfig,
): void {
  const before = connectionProfile(link.config, readPem);
  link.config = config;
  link.pace.allow(config.throughput);
  const profile = connectionProfile(config, readPem);
  link.connection.follow(profile);
  if (canApplyLive(before, profile)) return;
  handBack(link);
  link.connection.rebind();
}

// Gives messages of an operator room on its sessions: those that wait in the queue, and those that are being accepted.

type Claiming = Pick<SendLoop, "ask"> & {
  readonly work: TaskTracker;
  readonly queue: BatchQueue;
  readonly claim: Claim;
  readonly out: SendQueues;
  readonly kept: ReservedWindowSlots;
  readonly clock: Clock;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  readonly steps: Log["steps"];
};

/** Claims as many messages of the queue as a session has room for. */
function claimFor(claiming: Claiming, link: OperatorSession, nowMs: number): void {
  const { queue, isHeld, claim, kept } = claiming;
  if (!canSubmit(link.config) || isHeld()) return;
  let room = countFreeSlots(link, nowMs);
  let forAll = room > 0 ? countFreeSlots(link, nowMs, kept.of(link, nowMs)) : 0;
  while (room > 0) {
    const candidate = forAll > 0 ? queue.take() : queue.take(isUrgent);
    if (!candidate) return;
    kept.seen(candidate.batch.messageClass, nowMs);
    room -= candidate.message.segments;
    forAll -= candidate.message.segments;
    begin(claiming, link, candidate.message);
    let way: SendPlan = { link, config: link.config, reference: NO_REFERENCE };
    const note: NoteClaim = (tx, accepted) => {
      way = claiming.out.decide(tx, link, candidate, accepted);
    };
    const told = (accepted: Claimed): void => claimed(claiming, link, way, candidate, accepted);
    claim(candidate, told, candidate.message.segments > 1 ? note : undefined);
  }
}

/**
 * Reserves slots on sessions for messages that are being accepted, filling each session before the next. A text that leaves whole is noted
 * with its claim (submit-sm.ts), so it goes through the queue. The reference of one that leaves in parts is written with its rows.
 */
function reserveSlotsOn(claiming: Claiming, links: readonly OperatorSession[]): FastPathDeps["reserveSlots"] {
  const { kept, clock } = claiming;
  return (tx, { messageClass, body, sender }, messages) => {
    const nowMs = clock.steadyMs();
    const slots: ReservedSlot[] = [];
    for (const link of links) {
      if (!canSubmit(link.config)) continue;
      let room = countFreeSlots(link, nowMs, isUrgent(messageClass) ? 0 : kept.of(link, nowMs));
      for (const message of messages.slice(slots.length)) {
        if (room <= 0 || (message.segments > 1 && isSentWhole(message.text ?? body, link.config, NONE)))
          break;
        room -= message.segments;
        begin(claiming, link, message);
        const reference =
          message.segments > 1 ? claimReference(tx, { batch: { sender }, message }, NONE) : NO_REFERENCE;
        const way = { link, config: link.config, reference };
        slots.push({
          message,
          leave: (candidate) => claimed(claiming, link, way, candidate, NONE),
          free: () => end(claiming, link, message),
        });
      }
    }
    if (slots.length > 0) kept.seen(messageClass, nowMs);
    return slots;
  };
}

/** No segments were accepted before. */
const NONE: ReadonlySet<number> = new Set();

/** From here to its `end` a message takes room of a session: it is being claimed. */
function begin({ work }: Claiming, link: OperatorSession, { segments }: QueuedMessage): void {
  link.claiming += segments;
  work.begun();
}

function end({ work, ask }: Claiming, link: OperatorSession, { segments }: QueuedMessage): void {
  work.ended();
  link.claiming -= segments;
  ask();
}

function claimed(
  claiming: Claiming,
  link: OperatorSession,
  way: SendPlan,
  candidate: Candidate,
  accepted: Claimed,
): void {
  // In the same turn as its submits enter the send queue, or the room would be claimed twice over.
  end(claiming, link, candidate.message);
  const { id: message, attempts } = candidate.message;
  const step = accepted ? "claimed" : "not claimed";
  claiming.steps?.tell("sms", step, { message, connection: link.number, attempt: attempts + 1 });
  if (accepted) claiming.out.send(way, candidate, accepted);
}

/** Window slots that campaigns leave free on a worker, so that urgent messages need not wait for a response. */
type ReservedWindowSlots = {
  /** A message of this class was claimed, on the steady clock. */
  readonly seen: (messageClass: MessageClass, nowMs: number) => void;
  /** How many slots of a session campaigns are not to fill at this moment. */
  readonly of: (link: OperatorSession, nowMs: number) => number;
};

/** One slot of this many, so that it costs a campaign little even where the operator answers slowly. */
const ONE_OF = 20;
/** For how long slots are reserved after an urgent message. */
const KEPT_MS = 60_000;

function reservedWindowSlots(): ReservedWindowSlots {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    seen: (messageClass, nowMs) => {
      if (isUrgent(messageClass)) untilMs = nowMs + KEPT_MS;
    },
    of: (link, nowMs) => {
      // An idle session would not look again when the time is over, and few slots are open while it is degraded.
      if (nowMs >= untilMs || link.connection.status().inFlight === 0) return 0;
      return Math.floor(link.config.window / ONE_OF);
    },
  };
}

/** When a worker looks what its sessions may send: as soon as something has changed, and when their pace allows more. */
type SendLoop = {
  /** Something has changed: looks once at the end of this turn, however often it is asked. */
  readonly ask: () => void;
  readonly stop: () => void;
};

/** How often a worker that may claim nothing yet looks again. */
const HELD_LOOK_MS = 1000;

/** `look` is called for each session in turn, with the steady clock's time; `isHeld`: nothing may be claimed for now. */
function sendLoop(
  clock: Clock,
  links: readonly OperatorSession[],
  isHeld: () => boolean,
  look: (link: OperatorSession, nowMs: number) => void,
): SendLoop {
  let isAsked = false;
  let isStopped = false;
  let cancelTimer: Cancel = () => {};

  /** One reading of the clock decides what may leave and when to look again, or a moment in between would be missed. */
  const run = (): void => {
    if (isStopped) return;
    const nowMs = clock.steadyMs();
    for (const link of links) look(link, nowMs);
    cancelTimer();
    const nextMs = nextLookMs(links, nowMs, isHeld());
    if (nextMs !== null) cancelTimer = clock.after(Math.max(1, nextMs - nowMs), run);
  };

  return {
    ask: () => {
      if (isAsked || isStopped) return;
      isAsked = true;
      queueMicrotask(() => {
        isAsked = false;
        run();
      });
    },
    stop: () => {
      isStopped = true;
      cancelTimer();
    },
  };
}

/**
 * When a worker is to look again what its sessions may submit, on the steady clock: in a second while nothing may be claimed, else when
 * the first of the bound sessions that have used up their pace may go on; null when there is none.
 */
function nextLookMs(links: readonly OperatorSession[], nowMs: number, isHeld: boolean): number | null {
  if (isHeld) return nowMs + HELD_LOOK_MS;
  const waiting = links.filter((link) => link.isBound && link.pace.available(nowMs) < 1);
  return waiting.length === 0 ? null : Math.min(...waiting.map((link) => link.pace.nextAtMs(nowMs)));
}

type SendQueuesDeps = {
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
 * The session by which a claimed message leaves, and its configuration when this was decided; with the concatenation reference, where
 * it leaves in parts.
 */
type SendPlan = {
  readonly link: OperatorSession;
  readonly config: ConnectionConfig;
  readonly reference: number;
};

/** For a message without parts. */
const NO_REFERENCE = 0;

/** Sends what was claimed for the sessions of one operator. */
type SendQueues = {
  /**
   * Decides, in the transaction that claims a text of several segments, how the rest of it leaves, and notes that it leaves whole, or the
   * reference of its parts. Takes another session than the one it is claimed for where only that can carry the rest in parts.
   */
  readonly decide: (
    tx: Tx,
    link: OperatorSession,
    candidate: Candidate,
    accepted: ReadonlySet<number>,
  ) => SendPlan;
  /** Puts the submits of a claimed message into a session's send queue, but for segments that were accepted, and writes what may leave. */
  readonly send: (way: SendPlan, candidate: Candidate, accepted: ReadonlySet<number>) => void;
  /** Writes what is in the send queue, as far as window and pace allow. */
  readonly drain: (link: OperatorSession, nowMs: number) => void;
  /** Returns to the queue what was claimed for a session and not written. */
  readonly handBack: (link: OperatorSession) => void;
};

function sendQueues(deps: SendQueuesDeps): SendQueues {
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
  // The rest of a text that was accepted in part would arrive as a text of its own if it left whole.
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
 * The reference of the parts of a claimed text: the one it left under before, or a new one. An appliance of which this database is an
 * older copy may have sent it: under which reference is not known, so it gets one that differs from all that are known.
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

/** Whether the rest of a text leaves whole by a session. One that the session cannot carry fails later, when it is to leave. */
function isWholeBy(
  { config }: OperatorSession,
  { batch, message }: Candidate,
  accepted: ReadonlySet<number>,
): boolean {
  try {
    return isSentWhole(message.text ?? batch.body, config, accepted);
  } catch {
    return false;
  }
}

/** Whether a session can carry the rest as parts that join the accepted ones. */
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

/** Writes one submit; false when the session takes none now, and it stays first in the send queue. */
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
 * Ends an attempt whose message could not be put on the wire, by an error of our own. Nothing of the submit left: the message
 * fails where no connection of the operator could ever carry it, and is tried again later else.
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

/** The message's id for an entry of the log, which is written whether or not the database can be read. */
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

/** The sessions of an operator, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly SessionStatus[] };

export type SmppWorkers = {
  readonly open: OpenWorkers;
  readonly status: () => OperatorStatus[];
  /** Reads again what is paused. */
  readonly pausesChanged: () => void;
  /** Rebinds the connection of a name, or all of an operator. */
  readonly reconnect: (operator: string, connection: string | null) => void;
  /** Sends test messages over an operator; null where it has no worker. */
  readonly trials: (operator: string) => SmppWorker["trials"] | null;
  /** From now on no worker is opened or closed, whatever becomes of the configuration. */
  readonly halt: () => void;
};

export function smppWorkers(deps: SmsDeps): SmppWorkers {
  const { settings, readNumber } = deps;
  const lines = new Map<string, SmppWorker>();
  let unfollow = (): void => {};
  let pauses = allPauses(deps.store.read);
  return {
    open: (tools) => {
      const inbound = inboundRules({ config: settings.now, readNumber });
      const cap = (): number => settings.now().storage.unmatched_receipts;
      const memory = receiptCache(deps.store.read, deps.clock, cap);
      const shared = { ...deps, ...tools, inbound, memory };
      const open = (code: string, config: OperatorConfig): SmppWorker => {
        let latest = config;
        const operator = (): OperatorConfig => {
          latest = settings.now().operators[code] ?? latest;
          return latest;
        };
        const line = smppWorker({
          ...shared,
          code,
          operator,
          findPause: (name) => findPause(pauses, code, name),
        });
        lines.set(code, line);
        return line;
      };
      unfollow = settings.onChange(() => {
        const { operators } = settings.now();
        for (const [code, line] of lines) {
          if (Object.hasOwn(operators, code)) continue;
          lines.delete(code);
          tools.closed(code, line);
        }
        for (const [code, config] of Object.entries(operators)) {
          if (!lines.has(code)) tools.opened(code, open(code, config));
        }
      });
      for (const [code, config] of Object.entries(settings.now().operators)) open(code, config);
      return new Map(lines);
    },
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
    pausesChanged: () => {
      pauses = allPauses(deps.store.read);
      for (const line of lines.values()) line.pausesChanged();
    },
    reconnect: (operator, connection) => lines.get(operator)?.reconnect(connection),
    trials: (operator) => lines.get(operator)?.trials ?? null,
    halt: () => unfollow(),
  };
}
