/**
 * Re-routing: a message that a route refused, or put off too often, is marked for that route and goes back to the queue, for another to
 * carry it (`Rerouting`). Never while an outcome of it is unknown, and never once a part of it was accepted.
 */
import type { OperatorConfig, RouteConfig } from "../../config/config.ts";
import { deriveCached } from "../../config/live-config.ts";
import { getOwn } from "../../core/own-value.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Attempt, backoffMs } from "../../dispatch/attempt.ts";
import type { Candidate, RouteLimits } from "../../dispatch/batch-scheduler.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { ALL_ROUTES, readSenderRoutes, type SenderRoutes } from "../../domain/accounts/senders.ts";
import type { Fact } from "../../domain/messages/facts.ts";
import { acceptedParts, type PendingBatch } from "../../domain/messages/queue.ts";
import {
  noteRouted,
  readRouteBits,
  takeBackUnanswered,
  takeRouteBit,
} from "../../domain/messages/rerouting.ts";
import { addMark, isSenderOn, type Marks, readMarks } from "../../domain/routing/marks.ts";
import { parseAnswerCode } from "./partner-reasons.ts";
import { countPostponed, findLastRoute, firstRefusal, hasUnknownOutcome } from "./sent-segments.ts";

/** How a message goes on: in the queue, with these routes marked for it. */
export type Rerouted = Extract<Fact, { readonly kind: "rerouted" }>;

const NO_BITS: ReadonlyMap<string, number> = new Map();

/** Messages that left a route for another, by operator, route and why, as `REROUTE_WHYS` names it. */
export const REROUTES = "bendre_reroutes_total";

/** How the metric names why a message left a route. */
export const REROUTE_WHYS = { REFUSED: "refused", LATER: "later" } as const;

/** An attempt that has ended, as far as it decides by which route its message goes on. */
export type RoutedAttempt = {
  readonly messageId: number;
  readonly number: number;
  readonly route: string;
  readonly messageClass: MessageClass;
  readonly accountId: number;
  readonly sender: string;
  /** The routes that were marked for the message before. */
  readonly routesTried: number;
};

export function toRoutedAttempt({ candidate: { message, batch }, number, route }: Attempt): RoutedAttempt {
  const { messageClass, accountId, sender, routesTried = 0 } = batch;
  return { messageId: message.id, number, route, messageClass, accountId, sender, routesTried };
}

type ReroutingDeps = {
  readonly code: string;
  readonly operator: () => OperatorConfig;
  /** Whether a route is able that could carry a message of a class, none of the marked ones. */
  readonly isAnotherAble: (messageClass: MessageClass, marks: Marks) => boolean;
};

/** The re-routing of one operator's messages. */
export class Rerouting {
  private readonly codes: () => ReadonlyMap<string, ReadonlySet<number>>;

  constructor(private readonly deps: ReroutingDeps) {
    this.codes = deriveCached(deps.operator, reroutingCodes);
  }

  /** The routes that are marked by a set of bits, beside those that the sender is registered for. */
  marksOf(read: Reader, { routesTried = 0, senderRoutes = ALL_ROUTES }: RouteLimits): Marks {
    const bits = routesTried === 0 ? NO_BITS : readRouteBits(read, this.deps.code);
    return readMarks(routesTried, bits, senderRoutes);
  }

  /** By which routes the sender of a batch may go: all of them, unread, where there are none to be told apart. */
  findSenderRoutes(
    read: Reader,
    { accountId, sender }: Pick<PendingBatch, "accountId" | "sender">,
  ): SenderRoutes {
    const { code, operator } = this.deps;
    if (Object.keys(operator().routes).length === 0) return ALL_ROUTES;
    return readSenderRoutes(read, accountId, sender, code);
  }

  /** The marks of a message that was claimed, and what its sender is registered for now. */
  private marksFor(read: Reader, attempt: RoutedAttempt, routesTried: number): Marks {
    return this.marksOf(read, { routesTried, senderRoutes: this.findSenderRoutes(read, attempt) });
  }

  /** Whether a refusal by a route speaks of the route, not of the number. */
  isOfRoute(route: string, operatorCode: string | null): boolean {
    return operatorCode !== null && (this.codes().get(route)?.has(parseAnswerCode(operatorCode)) ?? false);
  }

  /**
   * What a refusal of an attempt leads to where it speaks of the route, not of the number: the next route, or, where every route that
   * carries the class has refused, the end by the first refusal. Null: the refusal is about the message.
   */
  afterRefusal(
    tx: Tx,
    attempt: RoutedAttempt,
    commandStatus: number,
    nowMs: number,
  ): Rerouted | { readonly kind: "exhausted"; readonly commandStatus: number } | null {
    const { route, messageId, messageClass } = attempt;
    if (!this.codes().get(route)?.has(commandStatus)) return null;
    if (acceptedParts(tx, messageId).size > 0 || hasUnknownOutcome(tx, messageId)) return null;
    const routesTried = this.mark(tx, attempt.routesTried, route, "refused");
    if (routesTried === null) return null;
    const marks = this.marksFor(tx, attempt, routesTried);
    const isLeft = Object.entries(this.deps.operator().routes).some(
      ([name, { classes }]) =>
        classes.includes(messageClass) && isSenderOn(marks, name) && !marks.refused.includes(name),
    );
    if (!isLeft) return { kind: "exhausted", commandStatus: firstRefusal(tx, messageId) ?? commandStatus };
    this.note(tx, attempt, "REFUSED", nowMs);
    return { kind: "rerouted", messageId, routesTried, notBeforeMs: 0, operatorCode: null };
  }

  /** What "later" leads to once a route has said it as often as its `reroute_later`; null where the usual back-off runs. */
  afterLater(tx: Tx, attempt: RoutedAttempt, operatorCode: string | null, nowMs: number): Rerouted | null {
    const { route, messageId, messageClass, number, routesTried: before } = attempt;
    const most = this.routeOf(route)?.reroute_later[messageClass] ?? 0;
    if (most === 0 || countPostponed(tx, messageId, route) < most) return null;
    if (acceptedParts(tx, messageId).size > 0 || hasUnknownOutcome(tx, messageId)) return null;
    const routesTried = this.mark(tx, before, route, "later");
    if (routesTried === null) return null;
    const marks = this.marksFor(tx, attempt, routesTried);
    const isAble = this.deps.isAnotherAble(messageClass, marks);
    // Marks of "later" do not count while nobody else is able: then the usual back-off runs.
    if (!isAble && routesTried === before) return null;
    if (routesTried !== before) this.note(tx, attempt, "LATER", nowMs);
    const notBeforeMs = isAble ? 0 : nowMs + backoffMs(number);
    return { kind: "rerouted", messageId, routesTried, notBeforeMs, operatorCode };
  }

  private routeOf(name: string): RouteConfig | undefined {
    return getOwn(this.deps.operator().routes, name);
  }

  /** Null where the route can have no bit now: then its answer decides, as where there is no other route. */
  private mark(tx: Tx, routesTried: number, route: string, kind: "refused" | "later"): number | null {
    const bit = takeRouteBit(tx, this.deps.code, route, Object.keys(this.deps.operator().routes));
    return bit === null ? null : addMark(routesTried, bit, kind);
  }

  /**
   * Notes, in the transaction of a claim, that a message of which a submit was not answered goes on by another route than it left by:
   * what each of them accepts is a text of its own. `completes`: the claim carries the rest of a text.
   */
  noteUnanswered(
    tx: Tx,
    { message }: Pick<Candidate, "message">,
    route: string,
    completes: boolean,
    nowMs: number,
  ): void {
    if (route === "" || message.resends === 0) return;
    const last = findLastRoute(tx, message.id);
    if (last === null) return;
    const isSame = last.route === route || (completes && last.route === "");
    if (isSame) {
      takeBackUnanswered(tx, message.id, last.attempt);
      return;
    }
    const note = { messageId: message.id, attempt: last.attempt, route: last.route, next: route };
    noteRouted(tx, { ...note, why: "UNANSWERED", atMs: nowMs });
  }

  private note(
    tx: Tx,
    { messageId, number, route }: RoutedAttempt,
    why: "REFUSED" | "LATER",
    nowMs: number,
  ): void {
    noteRouted(tx, { messageId, attempt: number, route, why, atMs: nowMs, next: null });
    const counter = tx.tally.counters(REROUTES).of(this.deps.code, route, REROUTE_WHYS[why]);
    tx.afterCommit(() => {
      counter.value += 1;
    });
  }
}

/** The codes of each route that speak of the route, not of the number. */
function reroutingCodes({
  routes,
}: Pick<OperatorConfig, "routes">): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    Object.entries(routes).map(([name, { reroute_on }]) => [name, new Set(reroute_on.map(parseAnswerCode))]),
  );
}
