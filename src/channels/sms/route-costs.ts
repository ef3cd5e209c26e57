/**
 * The book of what routes cost us: by day, operator, route, account and class, how many segments were accepted, and their cost in
 * thousandths of XOF. It is no part of the ledger, and nobody is charged by it (docs/administration.md#what-routes-cost).
 *
 * Entries are collected by fact session and written at its end, one row a key, in the transaction that records the acceptances: so the
 * book is exact after any crash. An operator without routes has no entries.
 */
import type { OperatorConfig } from "../../config/config.ts";
import { deriveCached } from "../../config/live-config.ts";
import { parseCostMilli } from "../../config/route-schema.ts";
import { toLocalDate } from "../../core/calendar.ts";
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import { readBatchProgress } from "../../domain/messages/batch-totals.ts";
import {
  changeBookedKey,
  listUnansweredByRoute,
  noteBooked,
  type UnansweredByRoute,
  type UnknownOutcome,
} from "./sent-segments.ts";

/** What a segment costs that a route accepts. */
export type SegmentCost = {
  /** The route's name; "" where it is not known, as after a crash. */
  readonly route: string;
  /** The day of the acceptance in the appliance's timezone, as in 2026-03-01. */
  readonly day: string;
  /** Thousandths of XOF a segment; null where it is not known. */
  readonly costMilli: number | null;
};

type RouteCostsDeps = {
  readonly operator: () => Pick<OperatorConfig, "routes">;
  /** That of the appliance. */
  readonly timezone: () => string;
  readonly clock: Pick<Clock, "nowMs">;
};

const MINUTE_MS = 60_000;

/** What the routes of one operator cost at this moment. */
export class RouteCosts {
  private readonly costs: () => ReadonlyMap<string, number | null>;
  private today = { timezone: "", minute: -1, day: "" };

  constructor(private readonly deps: RouteCostsDeps) {
    // A route that left the configuration keeps its last cost: submits that left by it may still be answered.
    const known = new Map<string, number | null>();
    this.costs = deriveCached(
      () => deps.operator().routes,
      (routes) => {
        for (const [name, { cost }] of Object.entries(routes))
          known.set(name, cost === undefined ? null : parseCostMilli(cost));
        return known;
      },
    );
  }

  /** What a segment costs that a route accepts now; null where the operator has no routes (""). */
  now(route: string): SegmentCost | null {
    return route === "" ? null : { route, day: this.day(), costMilli: this.costs().get(route) ?? null };
  }

  private day(): string {
    const { timezone: zoneNow, clock } = this.deps;
    const timezone = zoneNow();
    const minute = Math.floor(clock.nowMs() / MINUTE_MS);
    const { today } = this;
    if (minute !== today.minute || timezone !== today.timezone)
      this.today = { timezone, minute, day: toLocalDate(minute * MINUTE_MS, timezone) };
    return this.today.day;
  }
}

/** Stands in place of an account: `operator test` and alerts by SMS are nobody's. */
export const NO_ACCOUNT = 0;

/** Accepted segments of one message, or, below 0, segments that were not accepted after all. */
type CostEntry = SegmentCost & {
  readonly operator: string;
  readonly accountId: number;
  readonly messageClass: string;
  readonly segments: number;
};

type CostKey = Omit<CostEntry, "segments" | "costMilli">;

/** A row of the book. */
export type RouteCostRow = CostKey & {
  readonly segments: number;
  /** Of the segments whose cost is known. */
  readonly costMilli: number;
  /** How many of the segments have no known cost. */
  readonly unknownCostSegments: number;
};

const collected = new WeakMap<FactSession, Map<string, RouteCostRow>>();

/** Books segments at the end of the fact session. */
export function bookCost(tx: Tx, facts: FactSession, entry: CostEntry): void {
  const rows = collectedBy(tx, facts);
  const { segments, costMilli, ...key } = entry;
  const name = JSON.stringify([key.day, key.operator, key.route, key.accountId, key.messageClass]);
  const row = rows.get(name);
  rows.set(name, {
    ...key,
    segments: (row?.segments ?? 0) + segments,
    costMilli: (row?.costMilli ?? 0) + segments * (costMilli ?? 0),
    unknownCostSegments: (row?.unknownCostSegments ?? 0) + (costMilli === null ? segments : 0),
  });
}

function collectedBy(tx: Tx, facts: FactSession): Map<string, RouteCostRow> {
  const known = collected.get(facts);
  if (known) return known;
  const rows = new Map<string, RouteCostRow>();
  collected.set(facts, rows);
  facts.beforeClose(() => {
    collected.delete(facts);
    for (const row of rows.values()) writeRow(tx, row);
  });
  return rows;
}

function writeRow(tx: Tx, row: RouteCostRow): void {
  tx.run(
    `INSERT INTO route_costs (day, operator, route, account, class, segments, cost_milli, unknown_cost_segments)
     VALUES ($day, $operator, $route, $accountId, $messageClass, $segments, $costMilli, $unknownCostSegments)
     ON CONFLICT (day, operator, route, account, class) DO UPDATE SET
       segments = segments + excluded.segments,
       cost_milli = cost_milli + excluded.cost_milli,
       unknown_cost_segments = unknown_cost_segments + excluded.unknown_cost_segments`,
    row,
  );
}

/** An acceptance that a response brought. */
type AnsweredSubmit = {
  readonly messageId: number;
  readonly operator: string;
  readonly parts: readonly number[];
  /** The form in which its id is looked up. */
  readonly remoteKey: string;
  readonly attempt: number;
  readonly accountId: number;
  readonly messageClass: string;
  readonly cost: SegmentCost;
  /** Another submit of the message was unanswered, or this one was: a receipt may have shown an acceptance before. */
  readonly mayBeBooked: boolean;
};

/**
 * Books what a response accepted. A receipt that came before it may have been booked as the acceptance of this submit, which counts
 * once: where it had another id, it was about another submit of the message. Or, under the id that this response brings, as that of
 * another submit, which was not accepted by it after all.
 */
export function bookResponse(tx: Tx, facts: FactSession, submit: AnsweredSubmit): void {
  const { messageId, operator, parts, remoteKey, attempt, accountId, messageClass, cost } = submit;
  const of = { accountId, messageClass };
  const unanswered = submit.mayBeBooked ? listUnansweredByRoute(tx, messageId) : [];
  const own = unanswered.find((one) => one.attempt === attempt && one.firstPart === parts[0]);
  const others = unanswered.filter((one) => one !== own);
  const ownKey = own?.bookedKey ?? null;
  const bookOther = (other: UnansweredByRoute, sign: 1 | -1): void => {
    const { route, costDay: day, costMilli, firstPart, lastPart } = other;
    const segments = sign * (lastPart - firstPart + 1);
    bookCost(tx, facts, { ...of, operator: other.operator, route, day, costMilli, segments });
  };
  if (own && ownKey !== null) changeBookedKey(tx, own, null);
  else bookCost(tx, facts, { ...of, ...cost, operator, segments: parts.length });
  const hasId = others.find(({ bookedKey }) => remoteKey !== "" && bookedKey === remoteKey);
  if (hasId) {
    changeBookedKey(tx, hasId, ownKey);
    if (ownKey === null) bookOther(hasId, -1);
    return;
  }
  if (ownKey === null || ownKey === remoteKey) return;
  const shown = others.find(isUnshown);
  if (!shown) return;
  changeBookedKey(tx, shown, ownKey);
  bookOther(shown, 1);
}

/** Whether nothing has shown yet that a submit was accepted. */
function isUnshown({ isInDoubt, bookedKey }: UnansweredByRoute): boolean {
  return isInDoubt === 1 && bookedKey === null;
}

/** A receipt that shows that an unanswered submit was accepted. */
type ShownAcceptance = {
  readonly batchId: number;
  /** The form in which its id is looked up. */
  readonly remoteKey: string;
  /** What the route of the session costs that brought it; null where it has none, or that is not known. */
  readonly via: SegmentCost | null;
};

/**
 * Books the acceptance of a submit of unknown outcome at what its route cost when it was not answered; where its route is not known,
 * since the process that sent it is gone, by the route that brought the receipt.
 */
export function bookReceipt(
  tx: Tx,
  facts: FactSession,
  shown: UnknownOutcome,
  { batchId, remoteKey, via }: ShownAcceptance,
): void {
  // What another receipt has been booked for already leaves this one to the next submit of the message.
  const outcome =
    shown.bookedKey === null ? shown : listUnansweredByRoute(tx, shown.messageId).find(isUnshown);
  if (!outcome) return;
  const { id, firstPart, lastPart, operator, costDay: day } = outcome;
  if (outcome.route === null || day === null) return;
  const known = outcome.route === "" ? via : outcome;
  const route = known?.route ?? "";
  const costMilli = known?.costMilli ?? null;
  noteBooked(tx, id, { route, costMilli, remoteKey });
  const { accountId, messageClass } = readBatchProgress(tx, batchId);
  const segments = lastPart - firstPart + 1;
  bookCost(tx, facts, { day, operator, route, costMilli, accountId, messageClass, segments });
}

/** A route of an operator that has another name now. */
export type RenamedRoute = { readonly operator: string; readonly from: string; readonly to: string };

/**
 * Hands what the book has of a renamed route to its new name, of the first day after one ("" is before all): that day, and how many rows;
 * null where no day is left.
 */
export function moveRouteCosts(
  tx: Tx,
  renamed: RenamedRoute,
  afterDay: string,
): { readonly day: string; readonly rows: number } | null {
  const next = tx.get<{ day: string }>(
    "SELECT day FROM route_costs WHERE day > ? ORDER BY day LIMIT 1",
    afterDay,
  );
  if (!next) return null;
  const { day } = next;
  const { operator, from, to } = renamed;
  tx.run(
    `INSERT INTO route_costs (day, operator, route, account, class, segments, cost_milli, unknown_cost_segments)
     SELECT day, operator, $to, account, class, segments, cost_milli, unknown_cost_segments FROM route_costs
     WHERE day = $day AND operator = $operator AND route = $from
     ON CONFLICT (day, operator, route, account, class) DO UPDATE SET
       segments = segments + excluded.segments,
       cost_milli = cost_milli + excluded.cost_milli,
       unknown_cost_segments = unknown_cost_segments + excluded.unknown_cost_segments`,
    { day, operator, from, to },
  );
  const rows = tx.run("DELETE FROM route_costs WHERE day = $day AND operator = $operator AND route = $from", {
    day,
    operator,
    from,
  });
  return { day, rows };
}

/** The place in the book at which a page ends. */
type CostPlace = CostKey;

/** A page of the book of a range of days, both included, after a place; null: from its beginning. */
export function listRouteCosts(
  read: Reader,
  { fromDay, toDay }: { readonly fromDay: string; readonly toDay: string },
  after: CostPlace | null,
  limit: number,
): RouteCostRow[] {
  const begin = after ?? { day: fromDay, operator: "", route: "", accountId: -1, messageClass: "" };
  return read.all<RouteCostRow>(
    `SELECT day, operator, route, account AS accountId, class AS messageClass, segments, cost_milli AS costMilli,
       unknown_cost_segments AS unknownCostSegments
     FROM route_costs
     WHERE (day, operator, route, account, class) > ($day, $operator, $route, $accountId, $messageClass) AND day <= $toDay
     ORDER BY day, operator, route, account, class LIMIT $limit`,
    {
      day: begin.day,
      operator: begin.operator,
      route: begin.route,
      accountId: begin.accountId,
      messageClass: begin.messageClass,
      toDay,
      limit,
    },
  );
}
