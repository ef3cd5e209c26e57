/**
 * Report of the work queue by operator and message class: messages that could leave now, those held and why, and the
 * expected end of the queue.
 */
import { findRouteHold, type RouteHold, type RouteStatus } from "../../channels/sms/operator-routes.ts";
import { findMetaHold, type MetaHold } from "../../channels/whatsapp/number-stops.ts";
import { isoOrNull } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { allPauses } from "../../dispatch/pauses.ts";
import { checkGate, validUntil } from "../../dispatch/sending-gate.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { readSenderRoutes } from "../../domain/accounts/senders.ts";
import { type CountedPlace, countQueue } from "../../domain/messages/queue.ts";
import { isHeldBack } from "../../domain/messages/restore-holds.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { done } from "../operations/refusal.ts";

/** Why queued messages do not leave. */
type HoldReason =
  /** They may have left before a restore, and nobody has decided yet. */
  | "restored"
  /** Their batch is scheduled for later. */
  | "scheduled"
  | "account_suspended"
  /** An administrator paused the operator. */
  | "operator_paused"
  | RouteHold
  | MetaHold
  /** MARKETING outside the account's permitted hours. */
  | "marketing_hours"
  /** The operator postponed them. */
  | "postponed"
  /** Validity may be over, and the clock is untrusted. */
  | "clock_doubted"
  /** Their validity is over, or their sender is not registered any more: they are FAILED within a minute. */
  | "given_up";

const URGENCY = ["OTP", "TRANSACTIONAL", "MARKETING"];

type Queue = {
  messages: number;
  oldestMs: number | null;
  sinceMs: number | null;
  worthUntilMs: number | null;
  readonly held: Partial<Record<HoldReason, number>>;
};

const newQueue = (): Queue => ({
  messages: 0,
  oldestMs: null,
  sinceMs: null,
  worthUntilMs: null,
  held: {},
});

/** What the report is made of. */
type QueueContext = Pick<AdminContext, "store" | "config" | "clock"> & {
  readonly server: Pick<NonNullable<AdminContext["server"]>, "routeStatus"> | null;
};

/** What waits, by operator and class (docs/administration.md#the-queue). */
export async function queueShow(context: AdminContext) {
  const { store, clock } = context;
  const queues = new Map<string, Map<string, Queue>>();
  const holdOf = holds(context);
  await countQueue(store.read, createYielder(clock), clock.nowMs(), (place) => {
    const classes = queues.get(place.operator) ?? new Map<string, Queue>();
    queues.set(place.operator, classes);
    const queue = classes.get(place.messageClass) ?? newQueue();
    classes.set(place.messageClass, queue);
    addPlace(queue, place, holdOf(place));
    if (place.isDue) {
      queue.sinceMs = Math.min(place.sinceMs, queue.sinceMs ?? place.sinceMs);
      const endMs = validUntil(clock, place);
      queue.worthUntilMs = Math.min(endMs, queue.worthUntilMs ?? endMs);
    }
  });
  const rates = ratesOf(context);
  const routes = routesOf(context);
  const nowMs = clock.nowMs();
  const views = [...queues].sort(byKey).flatMap(([operator, classes]) => {
    const rate = rates === null ? null : (rates.get(operator) ?? 0);
    let ahead = 0;
    return URGENCY.flatMap((messageClass) => {
      const queue = classes.get(messageClass);
      if (!queue) return [];
      ahead += queue.messages;
      const isLeaving = rate !== null && rate > 0 && queue.messages > 0;
      return [
        {
          operator,
          message_class: messageClass,
          /** Messages that could leave now. */
          messages: queue.messages,
          /** Held messages by reason; reasons without any are absent. */
          held: queue.held,
          /** Since when the oldest message that could leave waits; null where none could. */
          oldest_at: isoOrNull(queue.oldestMs),
          /** Since when the oldest due message waits, held or not; null where none is due. */
          waiting_since: isoOrNull(queue.sinceMs),
          /** The earliest end of validity among those; null where none waits. */
          worth_until: isoOrNull(queue.worthUntilMs),
          /** `submit_sm` to the operator in the last second, of every class; null without a server. */
          rate,
          /** The routes of the operator, where it has some: whether each is able, or why not, and its `submit_sm` in the last second. */
          ...(routes.has(operator) && { routes: routes.get(operator)?.map(toRouteView) }),
          /** When the last of them leaves at that rate, behind the more urgent ones; null where unknown. */
          empty_at: isoOrNull(isLeaving ? nowMs + Math.ceil((ahead / rate) * 1000) : null),
        },
      ];
    });
  });
  return done({ queues: views });
}

function toRouteView({ route, why, lastSecond }: RouteStatus) {
  return { route, state: why === null ? ("able" as const) : ("away" as const), why, rate: lastSecond };
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function addPlace(queue: Queue, place: CountedPlace, reason: HoldReason | null): void {
  const hold = (why: HoldReason, messages: number): void => {
    if (messages > 0) queue.held[why] = (queue.held[why] ?? 0) + messages;
  };
  // Held messages are not given up either.
  hold("restored", place.held);
  const free = place.messages - place.held;
  if (reason !== null) {
    hold(reason, free);
    return;
  }
  hold("postponed", place.postponed);
  const leaving = free - place.postponed;
  if (leaving === 0) return;
  queue.messages += leaving;
  queue.oldestMs = Math.min(place.sinceMs, queue.oldestMs ?? place.sinceMs);
}

/** Says why none of a batch may leave, or null; cached per batch. */
function holds(context: QueueContext): (place: CountedPlace) => HoldReason | null {
  const { store, config, clock } = context;
  const deps = { read: store.read, policy: config.policy, operators: config.operators };
  const routes = routesOf(context);
  const paused = new Set(
    allPauses(store.read).flatMap(({ operator, connection }) => (connection === null ? [operator] : [])),
  );
  const heldByChannel = findMetaHold(store.read, config);
  let last: {
    readonly batchId: number;
    readonly operator: string;
    readonly reason: HoldReason | null;
  } | null = null;
  const reasonOf = (place: CountedPlace): HoldReason | null => {
    if (isHeldBack(store.read, place)) return "restored";
    if (!place.isDue) return "scheduled";
    const gate = checkGate(deps, { ...place, body: "" }, clock);
    switch (gate.kind) {
      case "open":
        if (paused.has(place.operator)) return "operator_paused";
        return holdOfRoutes(store.read, routes, place) ?? heldByChannel(place);
      case "over":
        return null;
      case "given_up":
        return "given_up";
      case "held":
        if (accountById(store.read, place.accountId)?.status !== "ACTIVE") return "account_suspended";
        return place.messageClass === "MARKETING" && clock.doubt() === null
          ? "marketing_hours"
          : "clock_doubted";
    }
  };
  return (place) => {
    if (last?.batchId !== place.batchId || last.operator !== place.operator) {
      last = { batchId: place.batchId, operator: place.operator, reason: reasonOf(place) };
    }
    return last.reason;
  };
}

/** Why no route of its operator carries a message; null where one does, or the operator has none. */
function holdOfRoutes(
  read: Reader,
  routes: RoutesByOperator,
  {
    accountId,
    sender,
    operator,
    messageClass,
  }: Pick<CountedPlace, "accountId" | "sender" | "operator" | "messageClass">,
): RouteHold | null {
  const known = routes.get(operator);
  if (known === undefined) return null;
  return findRouteHold(known, messageClass, readSenderRoutes(read, accountId, sender, operator));
}

/** Why a message waits for a route: null where it does not wait, or for something else. */
export function deriveRouteHold(
  context: QueueContext,
  message: Parameters<typeof holdOfRoutes>[2] & { readonly status: string },
): RouteHold | null {
  if (message.status !== "QUEUED") return null;
  return holdOfRoutes(context.store.read, routesOf(context), message);
}

type RoutesByOperator = ReadonlyMap<string, readonly RouteStatus[]>;

/** The routes of the operators that have some; none without a server. */
function routesOf({ server }: Pick<QueueContext, "server">): RoutesByOperator {
  return new Map(server?.routeStatus().map(({ operator, routes }) => [operator, routes]));
}

/** Messages of a class that wait because no route that may carry them is able. */
export type RouteWait = {
  readonly operator: string;
  readonly messageClass: MessageClass;
  /** Where others of the class may leave: the sender whose messages wait; else null. */
  readonly sender: string | null;
  readonly why: Exclude<RouteHold, "route_wait">;
};

/** What waits for routes of operators, each once. Nothing is counted while every route is able. */
export async function listRouteWaits(context: QueueContext): Promise<readonly RouteWait[]> {
  const { store, clock } = context;
  const routes = routesOf(context);
  if ([...routes.values()].every((own) => own.every(({ why }) => why === null))) return [];
  const waits = new Map<string, RouteWait>();
  const holdOf = holds(context);
  await countQueue(store.read, createYielder(clock), clock.nowMs(), (place) => {
    const { operator, messageClass } = place;
    if (!routes.has(operator) || place.messages === place.held) return;
    const why = holdOf(place);
    if (!isWithoutRoute(why)) return;
    const sender = why === "no_route_for_sender" ? place.sender : null;
    waits.set(`${operator} ${messageClass} ${sender}`, { operator, messageClass, sender, why });
  });
  return [...waits.values()];
}

function isWithoutRoute(why: HoldReason | null): why is RouteWait["why"] {
  return (
    why === "no_route_for_class" ||
    why === "no_route_for_sender" ||
    why === "routes_paused" ||
    why === "routes_down"
  );
}

/** Messages sent to each operator in the last second; null without a server. */
function ratesOf({ server }: AdminContext): ReadonlyMap<string, number> | null {
  if (!server) return null;
  const ofOperators = server
    .operatorStatus()
    .map(
      ({ operator, connections }) =>
        [operator, connections.reduce((sum, { lastSecond }) => sum + lastSecond, 0)] as const,
    );
  return new Map([
    ...ofOperators,
    ...server.numberStatus().map(({ operator, lastSecond }) => [operator, lastSecond] as const),
  ]);
}

export const QUEUE_OPERATIONS = {
  "queue show": operation({
    does: "reads",
    params: {},
    run: queueShow,
  }),
};
