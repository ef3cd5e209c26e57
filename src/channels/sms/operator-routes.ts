/**
 * The routes of one operator as they stand: which is able, since when one is away, what each carried. Whether a session may carry the
 * next message is decided by domain/routing/routing.ts; here is what it goes by. An operator without routes has none of this: each of
 * its sessions carries what comes.
 *
 * A route is away while none of its submitting sessions is bound, and while it accepts nothing although submits are in flight or its
 * sessions rest after "later"; since the first moment of that. It is able again once it is bound and has accepted something, or has
 * nothing in flight. An ill one is away too. Waits begin with the process, so that a restart does not send everything by the second route;
 * so do the outcomes that illness is judged by, but what is usual of a route is stored (route-outcomes.ts).
 */
import { canSubmit, type OperatorConfig } from "../../config/config.ts";
import { deriveCached } from "../../config/live-config.ts";
import { MAX_ILL_MESSAGES } from "../../config/route-schema.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { ALL_ROUTES, type SenderRoutes } from "../../domain/accounts/senders.ts";
import {
  findIllness,
  ILLNESS_MS,
  type Illness,
  MAX_TAKE_OVERS,
  type RouteOutcome,
} from "../../domain/routing/illness.ts";
import { isSenderOn, type Marks, NO_MARKS } from "../../domain/routing/marks.ts";
import {
  awaySince,
  countIllness,
  findCandidates,
  isAble,
  mayCarry,
  nextTakeOverMs,
  type Route,
  RouteShares,
  type RouteWithState,
} from "../../domain/routing/routing.ts";
import type { OperatorSession } from "./operator-session.ts";

/** Why no route of an operator carries a message. */
export type RouteHold =
  /** A better route is away, for less long than a worse one yields to it. */
  | "route_wait"
  | "no_route_for_class"
  /** None that its sender is registered for is able. */
  | "no_route_for_sender"
  | "routes_paused"
  /** None is bound, or answers. */
  | "routes_down";

/** Why no route carries a class for a sender; null where one does. Marks of re-routed messages apart. */
export function findRouteHold(
  routes: readonly RouteStatus[],
  messageClass: MessageClass,
  senderRoutes: SenderRoutes,
): RouteHold | null {
  const carrying = routes.map(toStanding).filter(({ classes }) => classes.includes(messageClass));
  if (carrying.length === 0) return "no_route_for_class";
  const candidates = findCandidates(carrying, messageClass, { ...NO_MARKS, senderRoutes });
  // An ill one goes on until another has taken over.
  const ready = candidates.filter(({ isPaused, awaySinceMs }) => !isPaused && awaySinceMs === null);
  if (ready.some((route) => mayCarry(route, candidates, messageClass, 0))) return null;
  if (candidates.some(isAble)) return "route_wait";
  if (candidates.length < carrying.length) return "no_route_for_sender";
  return carrying.every(({ isPaused }) => isPaused) ? "routes_paused" : "routes_down";
}

/** A route at the moment of its status, which is 0. */
function toStanding({ route, why, awayMs, ...status }: RouteStatus): RouteWithState {
  return {
    ...status,
    name: route,
    isPaused: why === "paused",
    awaySinceMs: awayMs === null || why === "ill" ? null : -awayMs,
    illSinceMs: awayMs === null || why !== "ill" ? null : -awayMs,
  };
}

/** Why a route does not carry; null while it is able. */
type RouteObstacle = "paused" | "down" | "silent" | "resting" | "ill" | null;

/** A route as it stands, with what it carried. */
export type RouteStatus = {
  readonly route: string;
  readonly order: number;
  readonly share: number;
  readonly classes: readonly MessageClass[];
  readonly yieldMs: Route["yieldMs"];
  readonly why: RouteObstacle;
  /** For how long it has been away; null while it is able, or paused. */
  readonly awayMs: number | null;
  /** Why it is ill, since when and for how long yet; null while it is well. Where every route is ill, it carries all the same. */
  readonly ill: { readonly cause: Illness; readonly forMs: number; readonly leftMs: number } | null;
  /** The classes that it may carry at this moment: of a worse route those for which it has taken over. */
  readonly carries: readonly MessageClass[];
  /** `submit_sm` that left by it in the last second. */
  readonly lastSecond: number;
  /** Segments that it accepted in the last hour, or since the start. */
  readonly segmentsLastHour: number;
};

/** What is kept of a route beside its configuration. Times are on the steady clock. */
type RouteWatch = {
  /** Since when it has been away, illness apart; null while it is not. */
  awaySinceMs: number | null;
  /** Since when it has been asked without accepting anything: its first submit, or its last acceptance. Null while it is not asked. */
  askedSinceMs: number | null;
  why: RouteObstacle;
  readonly hour: LastHour;
  /** Others carried in its place since it is away: once counted, it does not count again before it was able. */
  isTakenOver: boolean;
  health: RouteHealth;
};

/** What a route's illness is judged by. */
type RouteHealth = {
  ill: { readonly cause: Illness; readonly sinceMs: number } | null;
  /** How the last messages ended, and when others took over; the oldest first. */
  outcomes: RouteOutcome[];
  takeOversMs: number[];
  /** Nothing has come in since it was judged. */
  isJudged: boolean;
};

/** So long an answer may take before a route counts as silent. It is away since the first moment then. */
const MIN_SILENCE_MS = 1000;

type OperatorRoutesDeps = {
  readonly operator: () => OperatorConfig;
  readonly sessions: readonly OperatorSession[];
  /** A route accepted segments. */
  readonly onCarried: (route: string, messageClass: MessageClass, segments: number) => void;
  /** The delivered share that is usual of a route at this moment, in percent; null where it is not known. */
  readonly usualShare: (route: string) => number | null;
};

/** The routes of one operator. */
export class OperatorRoutes {
  private readonly configured: () => readonly Route[];
  private readonly watches = new Map<string, RouteWatch>();
  private readonly shares = new RouteShares();
  private standing: readonly RouteWithState[] = [];

  constructor(private readonly deps: OperatorRoutesDeps) {
    this.configured = deriveCached(deps.operator, routesOf);
  }

  /** Whether the operator has routes at all. */
  areUsed(): boolean {
    return this.configured().length > 0;
  }

  /** Whether routes of one order share: each look may let another of them go on. */
  areShared(): boolean {
    const orders = this.configured().map(({ order }) => order);
    return new Set(orders).size < orders.length;
  }

  /** Looks how each route stands. To be called before it is asked what may carry. */
  refresh(nowMs: number): void {
    const standing = this.configured().map((route) => {
      const { isPaused, awaySinceMs } = this.lookAt(route.name, nowMs);
      return { ...route, isPaused, awaySinceMs, illSinceMs: this.judge(route.name, nowMs)?.sinceMs ?? null };
    });
    this.standing = countIllness(standing);
    this.shares.follow(this.standing);
  }

  /** Whether a session may carry the next message of a class, for which some routes are marked; window and pace apart. */
  mayCarry(
    { config }: OperatorSession,
    messageClass: MessageClass,
    nowMs: number,
    marks = NO_MARKS,
  ): boolean {
    const candidates = findCandidates(this.standing, messageClass, marks);
    // The gate ends what no route is registered for.
    if (candidates.length === 0) return marks.senderRoutes !== ALL_ROUTES;
    const route = candidates.find(({ name }) => name === config.route);
    return (
      route !== undefined &&
      mayCarry(route, candidates, messageClass, nowMs) &&
      !this.shares.isAhead(route, candidates, messageClass)
    );
  }

  /** Whether a route is able that could carry a message of a class and is not marked for it. */
  isAnotherAble(messageClass: MessageClass, marks: Marks): boolean {
    return this.standing.some(
      (route) =>
        isAble(route) &&
        route.classes.includes(messageClass) &&
        isSenderOn(marks, route.name) &&
        !marks.refused.includes(route.name) &&
        !marks.later.includes(route.name),
    );
  }

  /** Counts segments as claimed for a session; below 0, as not claimed after all. */
  claimed({ config }: OperatorSession, segments: number): void {
    if (config.route !== "") this.shares.count(config.route, segments);
  }

  /** Notes that a session carries a message of a class, in the place of better routes that are away. */
  takesOver({ config }: OperatorSession, messageClass: MessageClass, marks: Marks, nowMs: number): void {
    const candidates = findCandidates(this.standing, messageClass, marks);
    const own = candidates.find(({ name }) => name === config.route);
    if (own === undefined) return;
    for (const { name, order, isPaused, awaySinceMs } of candidates) {
      if (order >= own.order || isPaused || awaySinceMs === null) continue;
      const watch = this.watchOf(name);
      if (watch.isTakenOver) continue;
      watch.isTakenOver = true;
      const { health } = watch;
      health.takeOversMs = [...health.takeOversMs, nowMs].slice(-MAX_TAKE_OVERS);
      health.isJudged = false;
    }
  }

  /** A receipt ended a message that a route had carried. */
  ended(route: string, outcome: RouteOutcome): void {
    const { health } = this.watchOf(route);
    health.outcomes.push(outcome);
    if (health.outcomes.length >= 2 * MAX_ILL_MESSAGES) health.outcomes.splice(0, MAX_ILL_MESSAGES);
    health.isJudged = false;
  }

  /** A submit left. */
  submitted({ config }: OperatorSession, nowMs: number): void {
    if (config.route === "") return;
    this.watchOf(config.route).askedSinceMs ??= nowMs;
  }

  /** A submit was accepted, in time or late. */
  accepted({ config }: OperatorSession, messageClass: MessageClass, segments: number, nowMs: number): void {
    const { route } = config;
    if (route === "") return;
    const watch = this.watchOf(route);
    watch.askedSinceMs = nowMs;
    watch.hour.count(nowMs, segments);
    this.deps.onCarried(route, messageClass, segments);
  }

  /** The sessions have had their chance to claim: one that took nothing, and waits for nothing, is not asked any more. */
  settle(nowMs: number): void {
    for (const { name } of this.standing) {
      const watch = this.watchOf(name);
      if (!this.sendingBy(name).some((session) => isAsked(session, nowMs))) watch.askedSinceMs = null;
    }
  }

  /**
   * When it is to be looked again, on the steady clock: a route falls silent, or another takes over; `marked`: the marks of messages that
   * were re-routed and wait. Null: when something changes.
   */
  nextLookMs(nowMs: number, marked: readonly Marks[]): number | null {
    const silent = [...this.watches.values()].flatMap(({ askedSinceMs }) =>
      askedSinceMs !== null && askedSinceMs + MIN_SILENCE_MS > nowMs ? [askedSinceMs + MIN_SILENCE_MS] : [],
    );
    const takeOvers = [NO_MARKS, ...marked].flatMap((marks) => {
      const atMs = nextTakeOverMs(this.standing, nowMs, marks);
      return atMs === null ? [] : [atMs];
    });
    const well = [...this.watches.values()].flatMap(({ health: { ill } }) =>
      ill !== null && ill.sinceMs + ILLNESS_MS > nowMs ? [ill.sinceMs + ILLNESS_MS] : [],
    );
    const times = [...silent, ...takeOvers, ...well];
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The routes in the order of their configuration. */
  status(nowMs: number): RouteStatus[] {
    this.refresh(nowMs);
    return this.standing.map((route) => {
      const watch = this.watchOf(route.name);
      const { ill } = watch.health;
      const sinceMs = awaySince(route);
      return {
        route: route.name,
        order: route.order,
        share: route.share,
        classes: route.classes,
        yieldMs: route.yieldMs,
        why: watch.why ?? (route.illSinceMs === null ? null : "ill"),
        awayMs: sinceMs === null || route.isPaused ? null : nowMs - sinceMs,
        ill: ill && {
          cause: ill.cause,
          forMs: nowMs - ill.sinceMs,
          leftMs: ill.sinceMs + ILLNESS_MS - nowMs,
        },
        // An ill one goes on until another has taken over.
        carries:
          watch.why === null
            ? route.classes.filter((messageClass) =>
                mayCarry(route, findCandidates(this.standing, messageClass), messageClass, nowMs),
              )
            : [],
        lastSecond: this.sendingBy(route.name).reduce((sum, { pace }) => sum + pace.lastSecond(nowMs), 0),
        segmentsLastHour: watch.hour.total(nowMs),
      };
    });
  }

  private sendingBy(route: string): OperatorSession[] {
    return this.deps.sessions.filter(
      ({ config, isLeaving }) => config.route === route && canSubmit(config) && !isLeaving,
    );
  }

  private lookAt(route: string, nowMs: number): Pick<RouteWithState, "isPaused" | "awaySinceMs"> {
    const watch = this.watchOf(route);
    const sending = this.sendingBy(route).filter(({ pause }) => pause === null);
    const isPaused = sending.length === 0;
    const wasDown = watch.why === "down";
    watch.why = isPaused ? "paused" : obstacleOf(watch, sending, nowMs);
    if (wasDown && watch.why === "silent") {
      // What it had not answered before it was lost says nothing about the new session.
      watch.askedSinceMs = null;
      watch.why = null;
    }
    if (watch.why === null) watch.isTakenOver = false;
    if (watch.why === null || isPaused) watch.awaySinceMs = null;
    else watch.awaySinceMs ??= watch.why === "down" ? nowMs : watch.askedSinceMs;
    return { isPaused, awaySinceMs: watch.awaySinceMs };
  }

  /** The illness of a route at this moment; null while it is well. */
  private judge(route: string, nowMs: number): RouteHealth["ill"] {
    const watch = this.watchOf(route);
    if (watch.health.ill !== null && nowMs - watch.health.ill.sinceMs >= ILLNESS_MS)
      watch.health = newHealth();
    const { health } = watch;
    if (health.ill !== null || health.isJudged) return health.ill;
    health.isJudged = true;
    const limits = this.deps.operator().routes[route]?.ill_below ?? { points: 0, messages: 0 };
    const usual = limits.points === 0 ? null : this.deps.usualShare(route);
    const cause = findIllness({ ...health, usual }, limits, nowMs);
    if (cause !== null) health.ill = { cause, sinceMs: nowMs };
    return health.ill;
  }

  private watchOf(route: string): RouteWatch {
    const known = this.watches.get(route);
    if (known) return known;
    const watch: RouteWatch = {
      awaySinceMs: null,
      askedSinceMs: null,
      why: null,
      hour: new LastHour(),
      isTakenOver: false,
      health: newHealth(),
    };
    this.watches.set(route, watch);
    return watch;
  }
}

function newHealth(): RouteHealth {
  return { ill: null, outcomes: [], takeOversMs: [], isJudged: true };
}

function obstacleOf(
  { askedSinceMs }: RouteWatch,
  sending: readonly OperatorSession[],
  nowMs: number,
): RouteObstacle {
  if (!sending.some(({ isBound }) => isBound)) return "down";
  if (askedSinceMs === null || nowMs - askedSinceMs < MIN_SILENCE_MS) return null;
  if (sending.some(({ connection }) => connection.status().inFlight > 0)) return "silent";
  return sending.some(({ pace }) => pace.isResting(nowMs)) ? "resting" : null;
}

/** Whether a session waits for answers, is about to submit, or rests. */
function isAsked({ connection, sendQueue, claiming, pace }: OperatorSession, nowMs: number): boolean {
  return connection.status().inFlight + sendQueue.length + claiming > 0 || pace.isResting(nowMs);
}

/** The routes of an operator as its configuration has them; none where it has no routes. */
function routesOf({ routes }: Pick<OperatorConfig, "routes">): readonly Route[] {
  return Object.entries(routes).map(([name, { order, classes, share, yield_seconds: seconds }]) => ({
    name,
    order,
    classes,
    share,
    yieldMs: {
      OTP: seconds.OTP * 1000,
      TRANSACTIONAL: seconds.TRANSACTIONAL * 1000,
      MARKETING: seconds.MARKETING * 1000,
    },
  }));
}

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Segments of the last hour, by minutes of the steady clock. */
class LastHour {
  private readonly counts = new Map<number, number>();

  count(nowMs: number, segments: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    this.counts.set(minute, (this.counts.get(minute) ?? 0) + segments);
    for (const old of this.counts.keys()) if (old <= minute - MINUTES) this.counts.delete(old);
  }

  total(nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    let total = 0;
    for (const [counted, segments] of this.counts) if (counted > minute - MINUTES) total += segments;
    return total;
  }
}
