/**
 * Which of the routes to one operator may carry the next message: who carries its class, who is able, and who takes over from whom
 * (`mayCarry`). A route that is better (of a smaller order) carries while it is able; a worse one takes over once every better one has
 * been away for as long as the worse one yields to it. Pure: states of routes and the time, on the steady clock, are arguments.
 *
 * Routes of one order share what they carry (`RouteShares`).
 */
import type { MessageClass } from "../accounts/message-class.ts";
import { isSenderOn, type Marks, NO_MARKS } from "./marks.ts";

/** A route as the configuration has it. */
export type Route = {
  readonly name: string;
  /** The smallest that is able carries. */
  readonly order: number;
  readonly classes: readonly MessageClass[];
  /** Its part of what its order carries. */
  readonly share: number;
  /** How long every better route must have been away before it takes over. */
  readonly yieldMs: Readonly<Record<MessageClass, number>>;
};

/** How a route stands. */
type RouteState = {
  /** An administrator paused it, or each of its sessions: it is away at once. */
  readonly isPaused: boolean;
  /** Since when it has been away without being paused, illness apart, on the steady clock; null while it is not. */
  readonly awaySinceMs: number | null;
  /** Since when it has been ill, on the steady clock; null while it is well. An ill route is away. */
  readonly illSinceMs: number | null;
};

export type RouteWithState = Route & RouteState;

/** Whether a route takes messages at this moment, window and pace apart. */
export function isAble(route: RouteState): boolean {
  return !route.isPaused && awaySince(route) === null;
}

/** Since when a route has been away without being paused; null while it is able. */
export function awaySince({ awaySinceMs, illSinceMs }: RouteState): number | null {
  if (awaySinceMs === null || illSinceMs === null) return awaySinceMs ?? illSinceMs;
  return Math.min(awaySinceMs, illSinceMs);
}

/** Routes as they stand where illness counts: if every one of them is ill, it does not. */
export function countIllness<One extends RouteState>(routes: readonly One[]): readonly One[] {
  if (routes.some(({ illSinceMs }) => illSinceMs === null)) return routes;
  return routes.map((route) => ({ ...route, illSinceMs: null }));
}

/**
 * The routes that could carry a message of a class: those that carry the class, are registered for its sender, and are not marked for it.
 * Marks of "later" do not count while no route without one is able; none counts where every route is marked. Nor does illness, where all
 * of them are ill.
 */
export function findCandidates<One extends RouteWithState>(
  routes: readonly One[],
  messageClass: MessageClass,
  marks: Marks = NO_MARKS,
): readonly One[] {
  const carrying = routes.filter(
    ({ name, classes }) => classes.includes(messageClass) && isSenderOn(marks, name),
  );
  if (marks.refused.length === 0 && marks.later.length === 0) return countIllness(carrying);
  const unrefused = carrying.filter(({ name }) => !marks.refused.includes(name));
  const left = unrefused.length === 0 ? carrying : unrefused;
  const unmarked = countIllness(left.filter(({ name }) => !marks.later.includes(name)));
  return unmarked.some(isAble) ? unmarked : countIllness(left);
}

/**
 * Whether a route may carry a message, where `candidates` are the routes that could (`findCandidates`): it is one of them, every better
 * one has been away for long enough, and nobody has taken over from it while it was silent. Shares apart.
 */
export function mayCarry(
  route: Route,
  candidates: readonly RouteWithState[],
  messageClass: MessageClass,
  nowMs: number,
): boolean {
  const own = candidates.find(({ name }) => name === route.name);
  if (own === undefined || own.isPaused) return false;
  const hasYielded = betterThan(own, candidates).every((better) =>
    hasYieldedTo(better, own, messageClass, nowMs),
  );
  return hasYielded && !isTakenOver(own, candidates, messageClass, nowMs);
}

/**
 * The earliest time after `nowMs` at which a route takes over that may not yet, on the steady clock; null where none will, unless
 * something changes.
 */
export function nextTakeOverMs(
  routes: readonly RouteWithState[],
  nowMs: number,
  marks: Marks = NO_MARKS,
): number | null {
  let next: number | null = null;
  for (const { name, classes, yieldMs } of routes) {
    for (const messageClass of classes) {
      const candidates = findCandidates(routes, messageClass, marks);
      const route = candidates.find((one) => one.name === name);
      if (route === undefined || !isAble(route)) continue;
      const better = betterThan(route, candidates);
      if (better.length === 0 || better.some(isAble)) continue;
      const times = better.flatMap((one) => {
        const sinceMs = awaySince(one);
        return one.isPaused || sinceMs === null ? [] : [sinceMs + yieldMs[messageClass]];
      });
      const atMs = Math.max(Number.NEGATIVE_INFINITY, ...times);
      if (atMs > nowMs) next = Math.min(atMs, next ?? atMs);
    }
  }
  return next;
}

function betterThan({ order }: Route, candidates: readonly RouteWithState[]): readonly RouteWithState[] {
  return candidates.filter((other) => other.order < order);
}

function hasYieldedTo(better: RouteState, by: Route, messageClass: MessageClass, nowMs: number): boolean {
  const sinceMs = awaySince(better);
  return better.isPaused || (sinceMs !== null && nowMs - sinceMs >= by.yieldMs[messageClass]);
}

/** Whether a worse route that is able carries in its place: what a silent one still claimed would wait, what an ill one did would fail. */
function isTakenOver(
  route: RouteWithState,
  candidates: readonly RouteWithState[],
  messageClass: MessageClass,
  nowMs: number,
): boolean {
  if (isAble(route)) return false;
  return candidates.some(
    (other) =>
      other.order > route.order &&
      isAble(other) &&
      betterThan(other, candidates).every((better) => hasYieldedTo(better, other, messageClass, nowMs)),
  );
}

/**
 * What the routes of one order carried, in segments, since the set of those that are able last changed. A route that is ahead of its
 * share waits for its siblings that are able; OTP never waits, but counts.
 */
export class RouteShares {
  private readonly carried = new Map<string, number>();
  /** The able routes, by which it is seen that they changed. */
  private able = "";

  /** Begins anew where the routes that are able, or their shares, are others than before. */
  follow(routes: readonly RouteWithState[]): void {
    const able = routes
      .filter(isAble)
      .map(({ name, order, share }) => `${order} ${name} ${share}`)
      .join(",");
    if (able === this.able) return;
    this.able = able;
    this.carried.clear();
  }

  /** Whether a route is ahead of its share: a sibling that is able, and could carry the message too, has carried less of its own. */
  isAhead(route: Route, candidates: readonly RouteWithState[], messageClass: MessageClass): boolean {
    if (messageClass === "OTP") return false;
    return candidates.some(
      (other) =>
        other.name !== route.name &&
        other.order === route.order &&
        other.share > 0 &&
        isAble(other) &&
        (route.share === 0 || this.of(route) * other.share > this.of(other) * route.share),
    );
  }

  /** Counts segments that a route carries, or, below 0, that it does not after all. */
  count(route: string, segments: number): void {
    this.carried.set(route, (this.carried.get(route) ?? 0) + segments);
  }

  private of({ name }: Route): number {
    return this.carried.get(name) ?? 0;
  }
}
