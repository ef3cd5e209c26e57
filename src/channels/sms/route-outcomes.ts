/**
 * What came of messages by the receipts that ended them, by the route that carried each: kept by the hour, for what is usual of a route
 * (`readUsualShare`), and told to the worker of its operator (`followOutcomes`), which judges whether the route is ill. Of an operator
 * without routes nothing is counted.
 */
import type { MetricsRegistry } from "../../core/metrics-registry.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Applied, FactSession } from "../../domain/messages/apply-facts.ts";
import { type HourlyOutcomes, usualShare } from "../../domain/routing/illness.ts";

const HOUR_MS = 3_600_000;
/** What is usual is read from the hours of seven days before this one. */
const USUAL_HOURS = 168;

/** The route that carried a segment, and when the receipt for it came, epoch milliseconds. */
type Receipted = { readonly operator: string; readonly route: string; readonly atMs: number };

/** A message that its receipt ended. */
type Outcome = Receipted & { readonly isDelivered: boolean };

type HourRow = HourlyOutcomes & { readonly operator: string; readonly route: string; readonly hour: number };

/** What is known once the transaction is durable, and what is written at the end of its fact session. */
type Collected = { readonly rows: Map<string, HourRow>; readonly outcomes: Outcome[] };

const collected = new WeakMap<FactSession, Collected>();

/** Counts a receipt for the route that carried its segment, where it ended the message. */
export function countOutcome(
  tx: Tx,
  facts: FactSession,
  { from, to }: Applied,
  { operator, route, atMs }: Receipted,
): void {
  if (route === "" || from === to || (to !== "DELIVERED" && to !== "FAILED")) return;
  const { rows, outcomes } = collectedBy(tx, facts);
  const hour = toEpochHour(atMs);
  const key = JSON.stringify([hour, operator, route]);
  const { delivered, failed } = rows.get(key) ?? { delivered: 0, failed: 0 };
  const isDelivered = to === "DELIVERED";
  rows.set(key, {
    operator,
    route,
    hour,
    delivered: delivered + (isDelivered ? 1 : 0),
    failed: failed + (isDelivered ? 0 : 1),
  });
  outcomes.push({ operator, route, atMs, isDelivered });
}

function collectedBy(tx: Tx, facts: FactSession): Collected {
  const known = collected.get(facts);
  if (known) return known;
  const fresh: Collected = { rows: new Map(), outcomes: [] };
  collected.set(facts, fresh);
  facts.beforeClose(() => {
    collected.delete(facts);
    for (const row of fresh.rows.values()) writeRow(tx, row);
    const followers = followersOf(tx.tally);
    tx.afterCommit(() => {
      for (const outcome of fresh.outcomes) followers.get(outcome.operator)?.(outcome);
    });
  });
  return fresh;
}

function writeRow(tx: Tx, row: HourRow): void {
  tx.run("DELETE FROM route_hours WHERE hour < ?", row.hour - USUAL_HOURS);
  tx.run(
    `INSERT INTO route_hours (hour, operator, route, delivered, failed) VALUES ($hour, $operator, $route, $delivered, $failed)
     ON CONFLICT (hour, operator, route) DO UPDATE SET
       delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
    row,
  );
}

/** The hour of a time, numbered since the epoch. */
export function toEpochHour(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}

/** The delivered share that is usual of a route, in percent, by the hours of seven days before this one; null where it is not known. */
export function readUsualShare(read: Reader, operator: string, route: string, nowMs: number): number | null {
  const hour = toEpochHour(nowMs);
  const hours = read.all<HourlyOutcomes>(
    `SELECT delivered, failed FROM route_hours
     WHERE hour BETWEEN $first AND $last AND operator = $operator AND route = $route`,
    { first: hour - USUAL_HOURS, last: hour - 1, operator, route },
  );
  return usualShare(hours);
}

/** Hands what is known of a renamed route to its new name. */
export function moveRouteHours(
  tx: Tx,
  renamed: { readonly operator: string; readonly from: string; readonly to: string },
): void {
  tx.run(
    `INSERT INTO route_hours (hour, operator, route, delivered, failed)
     SELECT hour, operator, $to, delivered, failed FROM route_hours WHERE hour >= 0 AND operator = $operator AND route = $from
     ON CONFLICT (hour, operator, route) DO UPDATE SET
       delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
    renamed,
  );
  tx.run("DELETE FROM route_hours WHERE hour >= 0 AND operator = $operator AND route = $from", {
    operator: renamed.operator,
    from: renamed.from,
  });
}

/** Hands what is known of the routes of a renamed operator to those that its new code has by the same names. */
export function moveOperatorHours(tx: Tx, from: string, to: string): void {
  tx.run(
    `INSERT INTO route_hours (hour, operator, route, delivered, failed)
     SELECT hour, $to, route, delivered, failed FROM route_hours WHERE hour >= 0 AND operator = $from
     ON CONFLICT (hour, operator, route) DO UPDATE SET
       delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
    { from, to },
  );
  tx.run("DELETE FROM route_hours WHERE hour >= 0 AND operator = ?", from);
}

type Follower = (outcome: Outcome) => void;

/** Who is told of an operator's outcomes, by what counts for the same database. */
const followers = new WeakMap<MetricsRegistry, Map<string, Follower>>();

function followersOf(tally: MetricsRegistry): Map<string, Follower> {
  const known = followers.get(tally) ?? new Map<string, Follower>();
  followers.set(tally, known);
  return known;
}

/** Has the worker of an operator told of each outcome once it is durable, until the function is called that is returned. */
export function followOutcomes(tally: MetricsRegistry, operator: string, follower: Follower): () => void {
  const all = followersOf(tally);
  all.set(operator, follower);
  return () => {
    if (all.get(operator) === follower) all.delete(operator);
  };
}
