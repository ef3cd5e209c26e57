/**
 * Everything between the queue and one operator's connections: takes messages in fair order (outbound), claims them, puts
 * their submits into the `sendQueues` of its links, and has `flight-ends` write down what came of each.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again
 * only once its answer is durable, so a crash leaves at most one window a connection in doubt.
 */
import {
  type ConnectionConfig,
  canSubmit,
  type OperatorConfig,
  responseActions,
} from "../../config/config.ts";
import { connectionNames } from "../../config/connection-names.ts";
import { deriveCached, type Settings } from "../../config/in-force.ts";
import type { Chance } from "../../core/chance.ts";
import { type Cancel, type Clock, isStartDoubted } from "../../core/clock.ts";
import { SHORT_SECONDS } from "../../core/count-book.ts";
import { type RateLimitedLog, rateLimitedLog } from "../../core/gathered-log.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { BatchQueue } from "../../dispatch/backlog.ts";
import { type Claim, type Claimed, claimer, type NoteClaim } from "../../dispatch/claim.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { OperatorWorker, WorkerTools } from "../../dispatch/line.ts";
import { operatorQueue } from "../../dispatch/line-queue.ts";
import { type TaskTracker, taskTracker } from "../../dispatch/owned-work.ts";
import { type FastPathDeps, createFastPath, type ReservedSlot } from "../../dispatch/passage.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import { isUrgent, type MessageClass } from "../../domain/accounts/classes.ts";
import type { InboundRules } from "../../domain/inbound/inbound.ts";
import type { QueuedMessage } from "../../domain/messages/queue.ts";
import { canApplyLive } from "../../smpp/connection-profile.ts";
import type { Dial } from "../../smpp/dial.ts";
import { submitResults } from "./flight-ends.ts";
import { flights } from "./flights.ts";
import { type OperatorSession, type SessionStatus, countFreeSlots, statusOf } from "./link.ts";
import { connectionProfile, type OpenSessionDeps, openSession } from "./open-link.ts";
import { claimReference, type SendPlan, NO_REFERENCE, type SendQueues, sendQueues } from "./outboxes.ts";
import type { ReceiptCache } from "./receipt-habit.ts";
import { isSentWhole } from "./submit-sm.ts";
import { type TestSender, trials } from "./trials.ts";

/** A line whose connections tell more of themselves. */
export type SmppWorker = OperatorWorker<SessionStatus> & {
  /** Asks anew what of it is paused. */
  readonly pausesChanged: () => void;
  /** Has the connection of a name, or all, bind anew once the answers that are due have come. */
  readonly reconnect: (connection: string | null) => void;
  /** Test texts of an administrator. */
  readonly trials: Pick<TestSender, "hindrance" | "offer">;
};

/** From a submit to its answer in time, by operator. */
export const SUBMIT_SECONDS = "bendre_submit_seconds";

export type SmsDeps = {
  readonly dial: Dial;
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A number as an operator spells it as E.164 with "+"; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  /** The PEM text of a file that a connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
};

type SmppWorkerDeps = WorkerTools &
  SmsDeps & {
    readonly code: string;
    /** As it stands at this moment. */
    readonly operator: () => OperatorConfig;
    readonly inbound: InboundRules;
    readonly memory: ReceiptCache;
    /** Why nothing may leave by a connection of a name; null where it may. */
    readonly findPause: (connection: string) => Pause | null;
  };

export function smppWorker(deps: SmppWorkerDeps): SmppWorker {
  const { code, operator, recorder, holds, clock, memory } = deps;
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
  const underWay = flights(clock, memory.parked, line.ask);
  const table = deriveCached(operator, responseActions);
  const shared = { code, operator, table, recorder, work, clock, isStopping };
  const tests = trials({ ...shared, links, faults, isHeld, ask: line.ask });
  const ends = submitResults({
    ...shared,
    ...alongside,
    flights: underWay,
    parked: memory.parked,
    submitSeconds: deps.store.tally.histograms(SUBMIT_SECONDS, SHORT_SECONDS).of(code),
    policy: () => deps.settings.now().delivery.unanswered,
    onEnded: ({ candidate, taken }) => (taken ? holds.abandon : holds.release)(candidate.message.id),
    onRequeued: queue.requeued,
  });
  const out = sendQueues({ ...shared, links, flights: underWay, ends, faults, ...alongside });
  const deciding = { queue, holds, clock, isHeld, isStopping, parkedBefore: () => memory.parked.last };
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
    passage: createFastPath({ ...deciding, seat: reserveSlotsOn(claiming, links) }),
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

// The connections of one operator as its configuration has them, also where that changes: new ones are opened, those that went
// leave in order, and those that stay go by what is said of them now. A connection is known by its name, not by its place.

type WorkerSessions = {
  /** Takes over what the configuration says now. */
  readonly follow: () => void;
  /** Asks anew which of them are paused: what was claimed for one that is goes back. */
  readonly pausesChanged: () => void;
  /** Has the one of a name, or all, bind anew once the answers that are due have come. */
  readonly reconnect: (name: string | null) => void;
  /** Ends all sessions, those that leave already among them: after `longestMs` as they are. */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
  /** Ends all sessions once the answers that are due have come, as long as each may take. */
  readonly leave: () => Promise<void>;
};

type WorkerSessionsDeps = Omit<OpenSessionDeps, "work"> & {
  readonly operator: () => OperatorConfig;
  readonly work: TaskTracker;
  /** What was claimed for a link and not written goes back to the queue. */
  readonly handBack: (link: OperatorSession) => void;
  readonly findPause: (name: string) => Pause | null;
};

/** What an unbind may take beside the responses that are waited for. */
const UNBINDING_MS = 5000;

/** Opens what the configuration has into `links`, which holds them in its order from then on. */
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

/** Waits for the answers that are due, and unbinds. */
async function ended({ config, connection, rateLimited }: OperatorSession): Promise<void> {
  const graceMs = config.response_timeout_seconds * 1000;
  await connection.stop(graceMs, graceMs + UNBINDING_MS);
  rateLimited.close();
}

/** Takes over what is said of a connection now. What only a bind can say makes it bind anew, once its answers have come. */
function change({ readPem, handBack }: WorkerSessionsDeps, link: OperatorSession, config: ConnectionConfig): void {
  const before = connectionProfile(link.config, readPem);
  link.config = config;
  link.pace.allow(config.throughput);
  const profile = connectionProfile(config, readPem);
  link.connection.follow(profile);
  if (canApplyLive(before, profile)) return;
  handBack(link);
  link.connection.rebind();
}

// How messages of an operator get room on its links: those that wait in the queue, and those that are being accepted.

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

/** Claims as many messages of the queue as a link has room for. */
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
 * Seats messages that are being accepted on links, each filled before the next. A text that leaves whole is noted with its claim
 * (whole-claims.ts), so it takes the way through the queue. The reference of one that leaves in parts is written with its rows.
 */
function reserveSlotsOn(claiming: Claiming, links: readonly OperatorSession[]): FastPathDeps["seat"] {
  const { kept, clock } = claiming;
  return (tx, { messageClass, body, sender }, messages) => {
    const nowMs = clock.steadyMs();
    const seats: ReservedSlot[] = [];
    for (const link of links) {
      if (!canSubmit(link.config)) continue;
      let room = countFreeSlots(link, nowMs, isUrgent(messageClass) ? 0 : kept.of(link, nowMs));
      for (const message of messages.slice(seats.length)) {
        if (room <= 0 || (message.segments > 1 && isSentWhole(message.text ?? body, link.config, NONE)))
          break;
        room -= message.segments;
        begin(claiming, link, message);
        const reference =
          message.segments > 1 ? claimReference(tx, { batch: { sender }, message }, NONE) : NO_REFERENCE;
        const way = { link, config: link.config, reference };
        seats.push({
          message,
          leave: (candidate) => claimed(claiming, link, way, candidate, NONE),
          free: () => end(claiming, link, message),
        });
      }
    }
    if (seats.length > 0) kept.seen(messageClass, nowMs);
    return seats;
  };
}

/** Nothing of it was accepted before. */
const NONE: ReadonlySet<number> = new Set();

/** From here to its `end` a message takes room of a link: it is being claimed. */
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
  // In the same turn as what is sent enters the outbox, or the room would be claimed twice over.
  end(claiming, link, candidate.message);
  const { id: message, attempts } = candidate.message;
  const step = accepted ? "claimed" : "not claimed";
  claiming.steps?.tell("sms", step, { message, connection: link.number, attempt: attempts + 1 });
  if (accepted) claiming.out.send(way, candidate, accepted);
}

/** What campaigns leave free in the windows of a line, so that what is urgent need not wait for an answer. */
type ReservedWindowSlots = {
  /** A message of this class was claimed, on the steady clock. */
  readonly seen: (messageClass: MessageClass, nowMs: number) => void;
  /** How many places of a link campaigns are not to fill at this moment. */
  readonly of: (link: OperatorSession, nowMs: number) => number;
};

/** One place of so many, which costs a campaign no more where the operator's answers are slow. */
const ONE_OF = 20;
/** For how long places are kept after an urgent message. */
const KEPT_MS = 60_000;

function reservedWindowSlots(): ReservedWindowSlots {
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    seen: (messageClass, nowMs) => {
      if (isUrgent(messageClass)) untilMs = nowMs + KEPT_MS;
    },
    of: (link, nowMs) => {
      // A link with nothing under way asks for no more when time passes, and few places are open while it is in doubt.
      if (nowMs >= untilMs || link.connection.status().inFlight === 0) return 0;
      return Math.floor(link.config.window / ONE_OF);
    },
  };
}

/** When a line looks what its links may take: as soon as something has changed, and when their pace allows more. */
type SendLoop = {
  /** Something has changed: looks once at the end of this turn, however often it is asked. */
  readonly ask: () => void;
  readonly stop: () => void;
};

/** How often a line that may claim nothing yet asks again. */
const HELD_LOOK_MS = 1000;

/** `look` is asked for each link in turn, with the steady clock's time; `isHeld`: nothing may be claimed for now. */
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
 * When a line is to look again what its links may submit, on the steady clock: while it is held in a second, else when the
 * first of the bound links that have used up their pace may go on; null when there is none.
 */
function nextLookMs(links: readonly OperatorSession[], nowMs: number, isHeld: boolean): number | null {
  if (isHeld) return nowMs + HELD_LOOK_MS;
  const waiting = links.filter((link) => link.isBound && link.pace.available(nowMs) < 1);
  return waiting.length === 0 ? null : Math.min(...waiting.map((link) => link.pace.nextAtMs(nowMs)));
}
