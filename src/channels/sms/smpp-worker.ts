/**
 * The SMS channel: one worker for each operator of the configuration, everything between its queue and its SMPP connections.
 *
 * Sending: a worker takes messages in fair order (dispatch/batch-scheduler.ts), claims them, and writes their `submit_sm`
 * (`submit-sm.ts`) by its sessions (`operator-session.ts`). `submit-results.ts` has the in-flight submits and
 * writes down what came of each: a response or none. The outcome of a submit without a response is unknown (`sent-segments.ts`).
 * Receiving: `operator-session.ts` separates receipts from texts. `delivery-receipts.ts` finds the segment that a receipt is about;
 * one that fits none waits in `unmatched-receipts.ts` until it does. A text goes to domain/inbound.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again only once its
 * response is durable, so a crash leaves at most one window a connection of unknown outcome. The room may write its own tables
 * and hand facts to messages. It changes no money and no status itself.
 */
import {
  bringsReceipts,
  type ConnectionConfig,
  canSubmit,
  connectionNames,
  type OperatorConfig,
  type ResponseAction,
  responseTables,
  smscAccount,
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
import type { Candidate, IsWanted, RouteLimits } from "../../dispatch/batch-scheduler.ts";
import {
  type Claim,
  type Claimed,
  claimer,
  createFastPath,
  type FastPathDeps,
  type NoteClaim,
  type ReservedSlot,
} from "../../dispatch/claim.ts";
import { type OperatorQueue, operatorQueue } from "../../dispatch/operator-queue.ts";
import { allPauses, findPause, type Pause } from "../../dispatch/pauses.ts";
import { type PaceMember, type SharedPace, SharedPaces } from "../../dispatch/shared-pace.ts";
import {
  type OpenWorkers,
  type OperatorWorker,
  type TaskTracker,
  taskTracker,
  type WorkerTools,
} from "../../dispatch/worker.ts";
import { isUrgent, type MessageClass } from "../../domain/accounts/message-class.ts";
import type { InboundRules } from "../../domain/inbound/inbound.ts";
import { readHops } from "../../domain/messages/batch-hops.ts";
import {
  acceptedParts,
  type QueuedBatch,
  type QueuedMessage,
  type TakeFastPathSlot,
} from "../../domain/messages/queue.ts";
import { readMessageUlid } from "../../domain/messages/trace.ts";
import type { Marks } from "../../domain/routing/marks.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import type { Dial } from "../../smpp/dial.ts";
import type { OnAccepted } from "./attempt-result.ts";
import { OperatorRoutes, type RouteStatus } from "./operator-routes.ts";
import {
  type OpenSessionDeps,
  type OperatorSession,
  openSmppSession,
  type PendingSubmit,
  type SessionStatus,
} from "./operator-session.ts";
import type { PartnerPost } from "./partner-api.ts";
import { claimPost, hasAnswered } from "./partner-posts.ts";
import { openPartnerSession } from "./partner-session.ts";
import { inboundRules } from "./read-deliver-sm.ts";
import { type ReceiptCache, receiptCache } from "./receipt-detection.ts";
import { RouteCosts } from "./route-costs.ts";
import { Rerouting } from "./route-marks.ts";
import { followOutcomes, readUsualShare, toEpochHour } from "./route-outcomes.ts";
import { SecondSmsSender } from "./second-sms.ts";
import { findAcceptingRoute } from "./sent-segments.ts";
import { InFlightSubmits, SubmitResults, toSubmitEvents } from "./submit-results.ts";
import {
  allocateReference,
  buildPost,
  buildSubmits,
  isCarried,
  isSentWhole,
  mayBeUncounted,
  readReference,
  recordPayloadClaim,
  type Submit,
  toOutgoing,
  uncountedReference,
} from "./submit-sm.ts";
import { TestSender } from "./test-sender.ts";

/** Seconds from a submit to its response in time, by operator. */
export const SUBMIT_SECONDS = "bendre_submit_seconds";

/** Segments that a route accepted, by operator, route and class. */
export const ROUTE_SEGMENTS = "bendre_route_segments_total";

type SmsDeps = {
  readonly dial: Dial;
  readonly https: HttpsNetwork;
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Turns a number as an operator spells it into E.164 with "+"; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  readonly onInboundKept: InboundRules["onKept"];
  /** The PEM text of a file that a connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
};

type SmppWorkerDeps = WorkerTools &
  SmsDeps & {
    readonly code: string;
    /** Its configuration at this moment. */
    readonly operator: () => OperatorConfig;
    readonly inbound: InboundRules;
    readonly receiptCache: ReceiptCache;
    readonly paces: SharedPaces;
    /** Why nothing may leave by a connection of a name, which is of a route where there are any; null where it may. */
    readonly findPause: (connection: string, route: string) => Pause | null;
  };

/** The worker of one operator: its queue, its sessions, and what is on the way between them. It tells the status of its sessions too. */
class SmppWorker implements OperatorWorker<SessionStatus> {
  /** Sends test messages of an administrator. */
  readonly testSender: TestSender;
  readonly takeFastPathSlot: TakeFastPathSlot;
  private isHalted = false;
  /** In the order of the configuration. */
  private readonly sessions: OperatorSession[] = [];
  private readonly clock: Clock;
  private readonly faults: RateLimitedLog;
  private readonly work: TaskTracker;
  private readonly loop: SendLoop;
  private readonly routes: OperatorRoutes;
  private readonly queue: OperatorQueue;
  private readonly sendQueues: SendQueues;
  private readonly claims: SessionClaims;
  private readonly connections: WorkerConnections;
  private readonly sharing: PaceSharing;
  private readonly seconds: SecondSmsSender<SendPlan>;
  private readonly unfollow: () => void;
  private readonly unfollowOutcomes: () => void;

  constructor(deps: SmppWorkerDeps) {
    const { code, operator, recorder, leases, clock, receiptCache, store, settings, onOver } = deps;
    const { sessions } = this;
    const { unmatched } = receiptCache;
    const log = deps.log.with({ operator: code });
    const isStopping = (): boolean => this.isHalted;
    const isHeld = (): boolean => isStartDoubted(clock) || !deps.mayClaim();
    const faults = rateLimitedLog(log, clock);
    const work = workOf(faults);
    const { own } = work;
    this.clock = clock;
    this.faults = faults;
    this.work = work;
    const routeSegments = store.tally.counters(ROUTE_SEGMENTS);
    const routes = new OperatorRoutes({
      operator,
      sessions,
      onCarried: (route, messageClass, segments) => {
        routeSegments.of(code, route, messageClass).value += segments;
      },
      usualShare: usualShares(store.read, code, clock),
    });
    this.routes = routes;
    this.unfollowOutcomes = followOutcomes(store.tally, code, ({ route, atMs, isDelivered }) => {
      const agoMs = Math.max(0, clock.nowMs() - atMs);
      routes.ended(route, { isDelivered, atMs: clock.steadyMs() - agoMs });
    });
    const rerouting = new Rerouting({
      code,
      operator,
      isAnotherAble: (messageClass, marks) => routes.isAnotherAble(messageClass, marks),
    });
    const marksOf = (limits: RouteLimits): Marks => rerouting.marksOf(store.read, limits);
    const timezone = (): string => settings.now().defaults.timezone;
    const costs = new RouteCosts({ operator, timezone, clock });
    this.loop = new SendLoop({
      clock,
      sessions,
      isHeld,
      routes,
      marked: () => queue.limits().map(marksOf),
      look: (session, nowMs) => {
        this.testSender.drain(session, nowMs);
        this.sendQueues.drain(session, nowMs);
        return session.shared ? session.shared.distribute(nowMs) : this.claims.claimFor(session, nowMs);
      },
    });
    const { ask } = this.loop;
    const queue = operatorQueue({
      settings,
      store,
      clock,
      log,
      own,
      findSenderRoutes: (batch) => rerouting.findSenderRoutes(store.read, batch),
      hasRoutes: () => routes.areUsed(),
      onReady: ask,
      onOver,
    });
    this.queue = queue;
    const inFlight = new InFlightSubmits(clock, unmatched, ask);
    const tables = deriveCached(operator, responseTables);
    const table = (route: string): ReadonlyMap<number, ResponseAction> => tables().get(route) ?? NO_ACTIONS;
    this.testSender = new TestSender({
      code,
      operator,
      table,
      sessions,
      costs,
      read: store.read,
      recorder,
      work,
      clock,
      faults,
      isHeld,
      isStopping,
      ask,
    });
    const onAccepted: OnAccepted = (...accepted) => this.seconds.accepted(...accepted);
    const results = new SubmitResults({
      code,
      operator,
      table,
      policy: () => settings.now().delivery.unanswered,
      read: store.read,
      recorder,
      work,
      inFlight,
      unmatched,
      routes,
      costs,
      clock,
      submitSeconds: store.tally.histograms(SUBMIT_SECONDS, SHORT_SECONDS).of(code),
      isStopping,
      onEnded: ({ candidate, taken, isSecond }) => {
        if (taken && !isSecond) leases.releaseTaken(candidate.message.id);
        else leases.release(candidate.message.id);
        if (isSecond) this.seconds.start();
      },
      onRequeued: queue.requeued,
      rerouting,
      onAccepted,
    });
    const { read } = store;
    this.sendQueues = new SendQueues({
      operator,
      sessions,
      routes,
      inFlight,
      results,
      clock,
      isStopping,
      own,
      faults,
      read,
      rerouting,
    });
    const unmatchedBefore = () => unmatched.last;
    this.claims = new SessionClaims({
      queue,
      claim: claimer({
        queue,
        recorder,
        leases,
        clock,
        isStopping,
        unmatchedBefore,
        acceptedBefore: this.sendQueues.acceptedBefore,
        waitsUntil: this.sendQueues.waitsUntil,
      }),
      sendQueues: this.sendQueues,
      sessions,
      routes,
      rerouting,
      read,
      isFirst: (session, messageClass) => this.sharing.isFirst(session, messageClass),
      clock,
      isHeld,
      work,
      ask,
      steps: log.steps,
    });
    this.sharing = new PaceSharing({ sessions, claims: this.claims, routes, queue, ask });
    const { reserveSlots } = this.claims;
    this.takeFastPathSlot = createFastPath({
      queue,
      leases,
      isHeld,
      isStopping,
      unmatchedBefore,
      reserveSlots,
    });
    const { handBack } = this.sendQueues;
    this.connections = new WorkerConnections(
      {
        ...deps,
        log,
        read,
        rules: () => results.rules(),
        onAccepted,
        submitEvents: toSubmitEvents(this.testSender.resultsBeside(results), work),
        costs,
        work,
        onRoom: ask,
        onLost: handBack,
        handBack,
      },
      sessions,
    );
    this.sharing.follow();
    let configured = operator().routes;
    this.unfollow = settings.onChange(() => {
      this.connections.follow();
      this.sharing.follow();
      const { routes: now } = operator();
      if (now !== configured) queue.routesChanged();
      configured = now;
      this.seconds.start();
    });
    this.seconds = new SecondSmsSender<SendPlan>({
      code,
      operator,
      read,
      recorder,
      leases,
      clock,
      isHeld,
      isStopping,
      findSession: (route, candidate) => this.claims.findForSecond(route, candidate),
      begin: (session, { message }) => this.claims.begin(session, message),
      free: (session, { message }, isBegun) => {
        this.claims.end(session, message);
        if (!isBegun) routes.claimed(session, -message.segments);
      },
      decide: (tx, session, candidate) => this.sendQueues.decide(tx, session, candidate, NONE),
      send: (plan, candidate) => this.sendQueues.send(plan, candidate, NONE, true),
    });
    this.seconds.start();
  }

  open(batch: QueuedBatch, all?: readonly QueuedMessage[]): void {
    if (!this.isHalted) this.queue.open(batch, all);
  }

  knows(batchId: number): boolean {
    return this.queue.knows(batchId);
  }

  accountChanged(accountId: number): void {
    this.queue.changed(accountId);
  }

  /** Reads again which connections are paused. */
  pausesChanged(): void {
    this.connections.pausesChanged();
  }

  /** Rebinds some of the connections, by their names, once the responses that are due have come. */
  reconnect(connections: readonly string[]): void {
    this.connections.reconnect(connections);
  }

  status(): readonly SessionStatus[] {
    const nowMs = this.clock.steadyMs();
    return this.sessions.map((session) => session.status(nowMs));
  }

  /** Its routes, in the order of the configuration; none where it has none. */
  routeStatus(): readonly RouteStatus[] {
    return this.routes.status(this.clock.steadyMs());
  }

  halt(): void {
    if (this.isHalted) return;
    this.isHalted = true;
    this.unfollow();
    this.unfollowOutcomes();
    this.loop.stop();
    this.seconds.stop();
    this.queue.clear();
    this.testSender.halt();
    for (const session of this.sessions) this.sendQueues.handBack(session);
    this.sharing.leave();
  }

  stop(graceMs: number, longestMs?: number): Promise<void> {
    return this.endWith(() => this.connections.stop(graceMs, longestMs));
  }

  leave(): Promise<void> {
    return this.endWith(() => this.connections.leave());
  }

  private async endWith(endSessions: () => Promise<void>): Promise<void> {
    this.halt();
    await endSessions();
    await this.work.idle();
    this.faults.close();
  }
}

/** What is usual of an operator's routes, read once an hour. */
function usualShares(read: Reader, code: string, clock: Clock): (route: string) => number | null {
  const known = new Map<string, number | null>();
  let hour = 0;
  return (route) => {
    const nowMs = clock.nowMs();
    if (hour !== toEpochHour(nowMs)) known.clear();
    hour = toEpochHour(nowMs);
    if (!known.has(route)) known.set(route, readUsualShare(read, code, route, nowMs));
    return known.get(route) ?? null;
  };
}

/** Of a route that left the configuration. */
const NO_ACTIONS: ReadonlyMap<number, ResponseAction> = new Map();

function workOf(faults: RateLimitedLog): TaskTracker {
  return taskTracker((error) => {
    const words = "what happened on an operator's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
}

type WorkerConnectionsDeps = OpenSessionDeps & {
  readonly operator: () => OperatorConfig;
  /** Returns to the queue what was claimed for a session and not written. */
  readonly handBack: (session: OperatorSession) => void;
  readonly findPause: (name: string, route: string) => Pause | null;
};

/** What an unbind may take beside the responses that are waited for. */
const UNBINDING_MS = 5000;

/**
 * Keeps the sessions of one operator as its configuration has them while that changes: new ones are opened, removed ones leave in
 * order, and the others follow their settings. A connection is known by its name, not by its place.
 */
class WorkerConnections {
  private readonly leaving = new Set<OperatorSession>();

  /** Opens the configured sessions into `sessions`, which has them in the order of the configuration from then on. */
  constructor(
    private readonly deps: WorkerConnectionsDeps,
    private readonly sessions: OperatorSession[],
  ) {
    this.follow();
  }

  /** Applies the configuration as it is now. */
  readonly follow = (): void => {
    const { deps, sessions } = this;
    const { connections } = deps.operator();
    const known = new Map(sessions.map((session) => [session.name, session]));
    const next = connectionNames(connections).map((name, index): OperatorSession => {
      const config = connections[index] as ConnectionConfig;
      const session = known.get(name);
      if (!session) {
        const open = config.kind === "bendre" ? openPartnerSession : openSmppSession;
        return open(deps, config, { name, number: index + 1 });
      }
      known.delete(name);
      session.number = index + 1;
      this.reconfigure(session, config);
      return session;
    });
    sessions.splice(0, sessions.length, ...next);
    for (const session of known.values()) this.leaveSession(session);
    this.pausesChanged();
  };

  /** Reads again which of them are paused: what was claimed for a paused one goes back to the queue. */
  pausesChanged(): void {
    const { deps, sessions } = this;
    for (const session of sessions) {
      session.pause = deps.findPause(session.name, session.config.route);
      if (session.pause !== null) deps.handBack(session);
    }
    deps.onRoom();
  }

  /** Rebinds some, by their names, once the responses that are due have come. */
  reconnect(names: readonly string[]): void {
    for (const session of this.sessions) {
      if (names.includes(session.name)) session.connection.rebind();
    }
  }

  /** Ends all sessions, also those that are leaving; after `longestMs` without waiting any more. */
  async stop(graceMs: number, longestMs?: number): Promise<void> {
    const all = this.all();
    await Promise.all(all.map(({ connection }) => connection.stop(graceMs, longestMs)));
    for (const { rateLimited } of all) rateLimited.close();
  }

  /** Ends all sessions once the responses that are due have come, each within its own time limit. */
  async leave(): Promise<void> {
    await Promise.all(this.all().map(endSession));
  }

  private all(): OperatorSession[] {
    return [...this.sessions, ...this.leaving];
  }

  private leaveSession(session: OperatorSession): void {
    const { leaving, deps } = this;
    session.isLeaving = true;
    leaving.add(session);
    deps.handBack(session);
    deps.work.own(
      endSession(session).then(() => {
        leaving.delete(session);
      }),
    );
  }

  /** Applies a connection's new settings. Those that only a bind can apply make it rebind, once its responses have come. */
  private reconfigure(session: OperatorSession, config: ConnectionConfig): void {
    const { handBack, paces, clock } = this.deps;
    session.config = config;
    session.followPace(paces.of(config.shared_pace, config.throughput), clock.steadyMs());
    if (session.connection.follow(config)) return;
    handBack(session);
    session.connection.rebind();
  }
}

/** Waits for the responses that are due, and unbinds. */
async function endSession({ config, connection, rateLimited }: OperatorSession): Promise<void> {
  const graceMs = config.response_timeout_seconds * 1000;
  await connection.stop(graceMs, graceMs + UNBINDING_MS);
  rateLimited.close();
}

type SessionClaimsDeps = {
  readonly queue: OperatorQueue;
  readonly claim: Claim;
  readonly sendQueues: SendQueues;
  readonly sessions: readonly OperatorSession[];
  readonly routes: OperatorRoutes;
  readonly rerouting: Rerouting;
  readonly read: Reader;
  /** Whether nothing waits that goes before a new message of a class by the pace that a session shares. */
  readonly isFirst: (session: OperatorSession, messageClass: MessageClass) => boolean;
  readonly clock: Clock;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  readonly work: TaskTracker;
  readonly ask: () => void;
  readonly steps: Log["steps"];
};

/** Claims messages of an operator for sessions with room: those that wait in the queue, and those that are being accepted. */
class SessionClaims {
  private readonly reserved = new ReservedWindowSlots();

  constructor(private readonly deps: SessionClaimsDeps) {}

  /**
   * Claims as many messages of the queue as a session has room for, and as its route may carry, or one of the classes that `isOneOf` names;
   * whether there were any.
   */
  claimFor(
    session: OperatorSession,
    nowMs: number,
    isOneOf: ((messageClass: MessageClass) => boolean) | null = null,
  ): boolean {
    const { reserved } = this;
    const { queue, isHeld, claim, sendQueues, routes, rerouting, read } = this.deps;
    if (!canSubmit(session.config) || isHeld()) return false;
    let room = session.countFreeSlots(nowMs);
    let forAll = room > 0 ? session.countFreeSlots(nowMs, reserved.count(session, nowMs)) : 0;
    let hasClaimed = false;
    const isCarried: IsWanted | undefined = routes.areUsed()
      ? (messageClass, limits) =>
          routes.mayCarry(session, messageClass, nowMs, rerouting.marksOf(read, limits))
      : undefined;
    const isWanted: IsWanted | undefined = isOneOf
      ? (messageClass, limits) => isOneOf(messageClass) && (isCarried?.(messageClass, limits) ?? true)
      : isCarried;
    const isUrgentAndWanted: IsWanted = isWanted
      ? (messageClass, limits) => isUrgent(messageClass) && isWanted(messageClass, limits)
      : isUrgent;
    while (room > 0 && !(isOneOf && hasClaimed)) {
      const candidate = queue.take(forAll > 0 ? isWanted : isUrgentAndWanted);
      if (!candidate) break;
      hasClaimed = true;
      reserved.note(candidate.batch.messageClass, nowMs);
      room -= candidate.message.segments;
      forAll -= candidate.message.segments;
      if (isCarried) {
        const { batch } = candidate;
        routes.takesOver(session, batch.messageClass, rerouting.marksOf(read, batch), nowMs);
      }
      this.begin(session, candidate.message);
      let plan: SendPlan = { session, config: session.config, reference: NO_REFERENCE };
      const note: NoteClaim = (tx, accepted) => {
        plan = sendQueues.decide(tx, session, candidate, accepted);
      };
      const onSettled = (accepted: Claimed): void => this.settle(session, plan, candidate, accepted);
      claim(candidate, onSettled, isNoted(session, candidate) ? note : undefined);
    }
    return hasClaimed;
  }

  /**
   * Reserves slots on sessions for messages that are being accepted, filling each session before the next. A text that leaves whole is
   * noted with its claim (submit-sm.ts), so it goes through the queue. The reference of one that leaves in parts is written with its rows.
   */
  readonly reserveSlots: FastPathDeps["reserveSlots"] = (tx, batch, messages) => {
    const { reserved } = this;
    const { messageClass, body, sender } = batch;
    const { routes, rerouting } = this.deps;
    const nowMs = this.deps.clock.steadyMs();
    const slots: ReservedSlot[] = [];
    const hasRoutes = routes.areUsed();
    if (hasRoutes) routes.refresh(nowMs);
    const senderRoutes = rerouting.findSenderRoutes(tx, batch);
    const marks = rerouting.marksOf(tx, { senderRoutes });
    for (const session of this.deps.sessions) {
      if (!canSubmit(session.config) || !this.deps.isFirst(session, messageClass)) continue;
      // A post is noted with its claim: it goes through the queue.
      if (session.config.kind === "bendre") continue;
      let room = session.countFreeSlots(nowMs, isUrgent(messageClass) ? 0 : reserved.count(session, nowMs));
      for (const message of messages.slice(slots.length)) {
        if (room <= 0 || (message.segments > 1 && isSentWhole(message.text ?? body, session.config, NONE)))
          break;
        if (hasRoutes && !routes.mayCarry(session, messageClass, nowMs, marks)) break;
        room -= message.segments;
        if (hasRoutes) routes.takesOver(session, messageClass, marks, nowMs);
        this.begin(session, message);
        const reference =
          message.segments > 1 ? claimReference(tx, { batch: { sender }, message }, NONE) : NO_REFERENCE;
        const plan = { session, config: session.config, reference };
        slots.push({
          message,
          leave: (candidate) => this.settle(session, plan, candidate, NONE),
          free: () => {
            routes.claimed(session, -message.segments);
            this.end(session, message);
          },
        });
      }
    }
    if (slots.length > 0) reserved.note(messageClass, nowMs);
    return slots;
  };

  /**
   * A session with room that may carry an OTP by another route than the one that accepted it, none of those that refused it before; null
   * where none may now. Another appliance that has had it is not asked for it again, by whatever route.
   */
  findForSecond(route: string, { batch, message }: Candidate): OperatorSession | null {
    const { sessions, routes, clock, rerouting, read } = this.deps;
    const nowMs = clock.steadyMs();
    routes.refresh(nowMs);
    const senderRoutes = rerouting.findSenderRoutes(read, batch);
    const { refused } = rerouting.marksOf(read, { ...batch, senderRoutes });
    const marks: Marks = { refused: [...refused, route], later: [], senderRoutes };
    // The marks would not count where each route that may carry it has one.
    if (!routes.isAnotherAble("OTP", marks)) return null;
    const mayCarry = (session: OperatorSession): boolean =>
      canSubmit(session.config) &&
      session.countFreeSlots(nowMs) > 0 &&
      routes.mayCarry(session, "OTP", nowMs, marks) &&
      (session.config.kind === "smpp" || !hasAnswered(read, message.id, session.config.url));
    return sessions.find(mayCarry) ?? null;
  }

  /** From here to its `end` a message takes room of a session: it is being claimed. */
  begin(session: OperatorSession, { segments }: QueuedMessage): void {
    session.claiming += segments;
    this.deps.routes.claimed(session, segments);
    this.deps.work.begun();
  }

  end(session: OperatorSession, { segments }: QueuedMessage): void {
    this.deps.work.ended();
    session.claiming -= segments;
    this.deps.ask();
  }

  private settle(session: OperatorSession, plan: SendPlan, candidate: Candidate, accepted: Claimed): void {
    // In the same turn as its submits enter the send queue, or the room would be claimed twice over.
    this.end(session, candidate.message);
    const { steps, sendQueues, routes } = this.deps;
    if (accepted === null) routes.claimed(session, -candidate.message.segments);
    const { id: message, attempts } = candidate.message;
    const step = accepted ? "claimed" : "not claimed";
    steps?.tell("sms", step, { message, connection: session.number, attempt: attempts + 1 });
    if (accepted) sendQueues.send(plan, candidate, accepted);
  }
}

type PaceSharingDeps = Pick<SessionClaimsDeps, "sessions" | "routes" | "queue" | "ask"> & {
  readonly claims: SessionClaims;
};

/** The paces that sessions of one operator share with others: the operator takes its turn in each. */
class PaceSharing {
  private readonly members = new Map<SharedPace, PaceMember>();

  constructor(private readonly deps: PaceSharingDeps) {}

  /** Takes part in the paces that the sessions have at this moment, and in no other. */
  follow(): void {
    const used = new Set(this.deps.sessions.flatMap(({ shared }) => (shared ? [shared] : [])));
    for (const shared of used) {
      if (this.members.has(shared)) continue;
      const member = this.openMember(shared);
      this.members.set(shared, member);
      shared.join(member);
    }
    for (const shared of [...this.members.keys()].filter((one) => !used.has(one))) this.leaveOne(shared);
  }

  leave(): void {
    for (const shared of [...this.members.keys()]) this.leaveOne(shared);
  }

  /** Whether nothing that waits for others goes before a new message of a class by a session. */
  isFirst({ shared }: OperatorSession, messageClass: MessageClass): boolean {
    const member = shared && this.members.get(shared);
    return !member || !shared || shared.isNext(member, messageClass);
  }

  private leaveOne(shared: SharedPace): void {
    const member = this.members.get(shared);
    this.members.delete(shared);
    if (member) shared.leave(member);
  }

  private openMember(shared: SharedPace): PaceMember {
    const { sessions, claims, routes, queue, ask } = this.deps;
    const own = () => sessions.filter((session) => session.shared === shared);
    return {
      claimOne: (isWanted, nowMs) => {
        if (routes.areUsed()) routes.refresh(nowMs);
        return own().some((session) => claims.claimFor(session, nowMs, isWanted));
      },
      countPending: () => own().reduce((sum, session) => sum + session.countLeaving(), 0),
      isNext: queue.isNext,
      ask,
    };
  }
}

/** Whether something is noted with a claim: how a text of several segments leaves, the key of a post, or that another route sends again. */
function isNoted({ config }: OperatorSession, { message }: Candidate): boolean {
  const mayChangeRoute = config.route !== "" && message.resends > 0;
  return message.segments > 1 || config.kind === "bendre" || mayChangeRoute;
}

/** No segments were accepted before. */
const NONE: ReadonlySet<number> = new Set();

/** One slot of this many, so that it costs a campaign little even where the operator answers slowly. */
const ONE_OF = 20;
/** For how long slots are reserved after an urgent message. */
const RESERVED_MS = 60_000;

/** Window slots that campaigns leave free on a worker, so that urgent messages need not wait for a response. */
class ReservedWindowSlots {
  private untilMs = Number.NEGATIVE_INFINITY;

  /** A message of this class was claimed, on the steady clock. */
  note(messageClass: MessageClass, nowMs: number): void {
    if (isUrgent(messageClass)) this.untilMs = nowMs + RESERVED_MS;
  }

  /** How many slots of a session campaigns are not to fill at this moment. */
  count({ connection, config }: OperatorSession, nowMs: number): number {
    // An idle session would not look again when the time is over, and few slots are open while it is degraded.
    if (nowMs >= this.untilMs || connection.status().inFlight === 0) return 0;
    return Math.floor(config.window / ONE_OF);
  }
}

/** How often a worker that may claim nothing yet looks again. */
const HELD_LOOK_MS = 1000;

type SendLoopDeps = {
  readonly clock: Clock;
  readonly sessions: readonly OperatorSession[];
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  readonly routes: OperatorRoutes;
  /** The marks of re-routed messages that wait. */
  readonly marked: () => readonly Marks[];
  /** Called for each session in turn, with the steady clock's time; whether anything was claimed for it. */
  readonly look: (session: OperatorSession, nowMs: number) => boolean;
};

/** When a worker looks what its sessions may send: as soon as something has changed, and when their pace or routes allow more. */
class SendLoop {
  private isAsked = false;
  private isStopped = false;
  private cancelTimer: Cancel = () => {};

  constructor(private readonly deps: SendLoopDeps) {}

  /** Something has changed: looks once at the end of this turn, however often it is asked. */
  readonly ask = (): void => {
    if (this.isAsked || this.isStopped) return;
    this.isAsked = true;
    queueMicrotask(this.runAsked);
  };

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
  }

  private readonly runAsked = (): void => {
    this.isAsked = false;
    this.run();
  };

  /** One reading of the clock decides what may leave and when to look again, or a moment in between would be missed. */
  private readonly run = (): void => {
    if (this.isStopped) return;
    const { clock, sessions, routes, isHeld, marked } = this.deps;
    const nowMs = clock.steadyMs();
    const hasRoutes = routes.areUsed();
    if (hasRoutes) routes.refresh(nowMs);
    let hasClaimed = this.lookAtAll(nowMs);
    // What one of them took may let a sibling take its share.
    while (hasClaimed && hasRoutes && routes.areShared()) hasClaimed = this.lookAtAll(nowMs);
    if (hasRoutes) routes.settle(nowMs);
    this.cancelTimer();
    const times = [
      nextLookMs(sessions, nowMs, isHeld()),
      hasRoutes ? routes.nextLookMs(nowMs, marked()) : null,
    ];
    const nextMs = earliest(times);
    if (nextMs !== null) this.cancelTimer = clock.after(Math.max(1, nextMs - nowMs), this.run);
  };

  private lookAtAll(nowMs: number): boolean {
    let hasClaimed = false;
    for (const session of this.deps.sessions) hasClaimed = this.deps.look(session, nowMs) || hasClaimed;
    return hasClaimed;
  }
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * When a worker is to look again what its sessions may submit, on the steady clock: in a second while nothing may be claimed, else when
 * the first of the bound sessions that have used up their pace may go on; null when there is none.
 */
function nextLookMs(sessions: readonly OperatorSession[], nowMs: number, isHeld: boolean): number | null {
  if (isHeld) return nowMs + HELD_LOOK_MS;
  const waiting = sessions.filter(({ isBound, pace }) => isBound && pace.available(nowMs) < 1);
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ pace }) => pace.nextAtMs(nowMs)));
}

type SendQueuesDeps = {
  readonly operator: () => OperatorConfig;
  readonly sessions: readonly OperatorSession[];
  readonly routes: OperatorRoutes;
  readonly inFlight: InFlightSubmits;
  readonly results: SubmitResults;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
  readonly own: TaskTracker["own"];
  readonly faults: RateLimitedLog;
  readonly read: Reader;
  readonly rerouting: Rerouting;
};

/**
 * The session by which a claimed message leaves, and its configuration when this was decided; with the concatenation reference, where
 * it leaves in parts.
 */
type SendPlan = {
  readonly session: OperatorSession;
  readonly config: ConnectionConfig;
  readonly reference: number;
  /** The key of the post to another Bendre, and how many appliances the message has passed then. */
  readonly post?: Pick<PartnerPost, "key" | "hops">;
};

/** For a message without parts. */
const NO_REFERENCE = 0;
/** Where it is only asked whether a message can be carried. */
const NO_POST: Pick<PartnerPost, "key" | "hops"> = { key: "", hops: 1 };

/** Between two looks at the rest of a text whose route cannot carry it. */
const ROUTE_RETRY_MS = 10_000;

/** Sends what was claimed for the sessions of one operator, by their send queues. */
class SendQueues {
  constructor(private readonly deps: SendQueuesDeps) {}

  /**
   * Decides, in the transaction of a claim, how the rest of a text of several segments leaves, and notes that it leaves whole, or the
   * reference of its parts. Takes another session than the one it is claimed for where only that can carry the rest in parts. Notes also
   * that a message leaves by another route than before.
   */
  decide(tx: Tx, session: OperatorSession, candidate: Candidate, accepted: ReadonlySet<number>): SendPlan {
    const by = accepted.size === 0 ? session : this.sessionForRest(tx, session, candidate, accepted);
    const { rerouting, clock } = this.deps;
    rerouting.noteUnanswered(tx, candidate, by.config.route, accepted.size > 0, clock.nowMs());
    if (by.config.kind === "bendre") {
      const post = this.claimPost(tx, by, candidate);
      return { session: by, config: by.config, reference: NO_REFERENCE, post };
    }
    if (candidate.message.segments === 1) return { session, config: session.config, reference: NO_REFERENCE };
    if (isWholeBy(by, candidate, accepted)) {
      recordPayloadClaim(tx, { messageId: candidate.message.id, attempt: candidate.message.attempts + 1 });
      return { session: by, config: by.config, reference: NO_REFERENCE };
    }
    return { session: by, config: by.config, reference: claimReference(tx, candidate, accepted) };
  }

  private claimPost(tx: Tx, { config, number }: OperatorSession, { batch, message }: Candidate) {
    const key = claimPost(tx, {
      messageId: message.id,
      feed: config.url,
      attempt: message.attempts + 1,
      connection: number,
      postedAt: this.deps.clock.nowMs(),
      account: smscAccount(config),
      route: config.route,
    });
    return { key, hops: readHops(tx, batch.batchId) + 1 };
  }

  /** The rest of a text that was accepted in part leaves by its own route, and would arrive as a text of its own if it left whole. */
  private sessionForRest(
    tx: Tx,
    session: OperatorSession,
    candidate: Candidate,
    accepted: ReadonlySet<number>,
  ): OperatorSession {
    const own = this.sessionsFor(tx, candidate, accepted);
    const isOwn = own === null || own.includes(session);
    if (isOwn && !isWholeBy(session, candidate, accepted)) return session;
    const joining = (own ?? this.deps.sessions).find((one) => this.joinsBy(one, candidate, accepted));
    return joining ?? (isOwn ? session : own.find(isSending)) ?? session;
  }

  /**
   * Until when the rest of a text that was accepted in part waits, epoch milliseconds, because its route cannot carry it now: no other
   * route ever completes a text. Null where it may leave.
   */
  readonly waitsUntil = (tx: Tx, candidate: Candidate, accepted: ReadonlySet<number>): number | null => {
    const own = this.sessionsFor(tx, candidate, accepted);
    if (own === null || own.some(isSending)) return null;
    return this.deps.clock.nowMs() + ROUTE_RETRY_MS;
  };

  /** The segments of a text that need not leave again: those that the route accepted which is to complete it. */
  readonly acceptedBefore = (tx: Tx, { message }: Candidate): ReadonlySet<number> =>
    this.deps.routes.areUsed()
      ? (findAcceptingRoute(tx, message.id)?.parts ?? NONE)
      : acceptedParts(tx, message.id);

  /** The sessions of the route that accepted a part of a text; null where any may carry it. */
  private sessionsFor(
    tx: Tx,
    { message }: Candidate,
    accepted: ReadonlySet<number>,
  ): readonly OperatorSession[] | null {
    if (accepted.size === 0 || !this.deps.routes.areUsed()) return null;
    const route = findAcceptingRoute(tx, message.id)?.route ?? "";
    if (route === "") return null;
    return this.deps.sessions.filter(({ config }) => config.route === route && config.kind === "smpp");
  }

  /** Puts the submits of a claimed message into a session's send queue, but for segments that were accepted, and writes what may leave. */
  send(
    { session, config, reference, post }: SendPlan,
    candidate: Candidate,
    accepted: ReadonlySet<number>,
    isSecond = false,
  ): void {
    let submits: Submit[];
    try {
      submits = this.submitsBy(config, candidate, accepted, reference, post);
      assert(submits.length > 0, "a queued message has a segment that was not accepted");
    } catch (error) {
      this.fault(session, beginAttempt(candidate, 1, config.route, isSecond), error);
      return;
    }
    const attempt = beginAttempt(candidate, submits.length, config.route, isSecond);
    for (const submit of submits) session.sendQueue.push({ attempt, submit });
    if (this.deps.isStopping() || !session.canSend()) this.handBack(session);
    else this.drain(session, this.deps.clock.steadyMs());
  }

  /** Writes what is in the send queue, as far as window and pace allow. */
  drain(session: OperatorSession, nowMs: number): void {
    const { results, own } = this.deps;
    while (session.canWrite(nowMs)) {
      const outgoing = session.sendQueue.shift();
      if (!outgoing) return;
      if (results.covers(outgoing)) own(results.skipped(outgoing.attempt));
      else if (!this.write(session, outgoing, nowMs)) return;
    }
  }

  /** Returns to the queue what was claimed for a session and not written. */
  readonly handBack = (session: OperatorSession): void => {
    const { results, own } = this.deps;
    for (const { attempt } of session.sendQueue.splice(0)) own(results.notWritten(attempt));
  };

  /** Writes one submit; false when the session takes none now, and it stays first in the send queue. */
  private write(session: OperatorSession, outgoing: PendingSubmit, nowMs: number): boolean {
    const { inFlight } = this.deps;
    const ref = inFlight.begin(outgoing, session);
    session.pace.take(nowMs, 1);
    let sequence: number | null;
    try {
      session.trace?.leaving(outgoing.attempt.candidate.message.id);
      sequence = session.connection.submit(ref, outgoing.submit);
    } catch (error) {
      inFlight.takeBack(ref);
      this.fault(session, outgoing.attempt, error);
      return true;
    }
    if (sequence === null) {
      inFlight.takeBack(ref);
      session.sendQueue.unshift(outgoing);
      return false;
    }
    inFlight.left(ref, sequence);
    this.deps.routes.submitted(session, nowMs);
    return true;
  }

  /**
   * Ends an attempt whose message could not be put on the wire, by an error of our own. Nothing of the submit left: the message
   * fails where no connection of the operator could ever carry it, and is tried again later else.
   */
  private fault(session: OperatorSession, attempt: Attempt, error: unknown): void {
    const { sessions, faults, read, own, results } = this.deps;
    const never = sessions.every(
      ({ config }) => !canSubmit(config) || !isCarried(() => this.submitsBy(config, attempt.candidate, NONE)),
    );
    session.tally.faults += 1;
    faults.note("error", "wire", "a message could not be put on the wire", {
      connection: session.number,
      message_id: nameOf(read, attempt),
      becomes: never ? "FAILED" : "QUEUED",
      ...errorFields(error),
    });
    if (never) session.dropFromSendQueue(attempt);
    own(results.faulted(attempt, never));
  }

  private submitsBy(
    config: ConnectionConfig,
    candidate: Candidate,
    accepted: ReadonlySet<number>,
    reference = NO_REFERENCE,
    post = NO_POST,
  ): Submit[] {
    const { operator, clock } = this.deps;
    const wantsReceipt = bringsReceipts(operator(), config.route);
    const outgoing = toOutgoing(candidate, reference, wantsReceipt, clock);
    if (config.kind === "bendre") return [buildPost(outgoing, post)];
    return buildSubmits(outgoing, config, accepted);
  }

  /** Whether a session can carry the rest as parts that join the accepted ones. */
  private joinsBy(session: OperatorSession, candidate: Candidate, accepted: ReadonlySet<number>): boolean {
    if (!isSending(session) || session.config.kind === "bendre") return false;
    return (
      isCarried(() => this.submitsBy(session.config, candidate, accepted)) &&
      !isWholeBy(session, candidate, accepted)
    );
  }
}

function isSending(session: OperatorSession): boolean {
  return session.canSend() && canSubmit(session.config);
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

/** The message's id for an entry of the log, which is written whether or not the database can be read. */
function nameOf(read: Reader, { candidate }: Attempt): string | null {
  try {
    return readMessageUlid(read, candidate.message.id);
  } catch {
    return null;
  }
}

/** The sessions of an operator, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly SessionStatus[] };

/** The routes of an operator, in the order of the configuration. */
export type OperatorRouteStatus = { readonly operator: string; readonly routes: readonly RouteStatus[] };

export type SmppWorkers = {
  readonly open: OpenWorkers;
  readonly status: () => OperatorStatus[];
  /** Reads again what is paused. */
  readonly pausesChanged: () => void;
  /** The routes of each operator that has some. */
  readonly routeStatus: () => OperatorRouteStatus[];
  /** Rebinds some of an operator's connections, by their names. */
  readonly reconnect: (operator: string, connections: readonly string[]) => void;
  /** Sends test messages over an operator; null where it has no worker. */
  readonly testSender: (operator: string) => Pick<TestSender, "obstacle" | "offer"> | null;
  /** From now on no worker is opened or closed, whatever becomes of the configuration. */
  readonly halt: () => void;
};

export function smppWorkers(deps: SmsDeps): SmppWorkers {
  const { settings, readNumber, onInboundKept } = deps;
  const workers = new Map<string, SmppWorker>();
  let unfollow = (): void => {};
  let pauses = allPauses(deps.store.read);
  return {
    open: (tools) => {
      const inbound = inboundRules({ config: settings.now, readNumber, onInboundKept });
      const cap = (): number => settings.now().storage.unmatched_receipts;
      const shared = {
        ...deps,
        ...tools,
        inbound,
        receiptCache: receiptCache(deps.store.read, deps.clock, cap),
        paces: new SharedPaces(),
      };
      const open = (code: string, config: OperatorConfig): SmppWorker => {
        let latest = config;
        const operator = (): OperatorConfig => {
          latest = settings.now().operators[code] ?? latest;
          return latest;
        };
        const worker = new SmppWorker({
          ...shared,
          code,
          operator,
          findPause: (name, route) => findPause(pauses, code, { connection: name, route }),
        });
        workers.set(code, worker);
        return worker;
      };
      unfollow = settings.onChange(() => {
        const { operators } = settings.now();
        for (const [code, worker] of workers) {
          if (Object.hasOwn(operators, code)) continue;
          workers.delete(code);
          tools.closed(code, worker);
        }
        for (const [code, config] of Object.entries(operators)) {
          if (!workers.has(code)) tools.opened(code, open(code, config));
        }
      });
      for (const [code, config] of Object.entries(settings.now().operators)) open(code, config);
      return new Map(workers);
    },
    status: () => [...workers].map(([operator, worker]) => ({ operator, connections: worker.status() })),
    pausesChanged: () => {
      pauses = allPauses(deps.store.read);
      for (const worker of workers.values()) worker.pausesChanged();
    },
    routeStatus: () =>
      [...workers].flatMap(([operator, worker]) => {
        const routes = worker.routeStatus();
        return routes.length === 0 ? [] : [{ operator, routes }];
      }),
    reconnect: (operator, connections) => workers.get(operator)?.reconnect(connections),
    testSender: (operator) => workers.get(operator)?.testSender ?? null,
    halt: () => unfollow(),
  };
}
