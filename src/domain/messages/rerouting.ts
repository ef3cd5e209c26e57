/**
 * What is stored of re-routing: the bit of each route, by which messages that wait are marked for it (domain/routing/marks.ts), and why a
 * message left a route for another.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { RouteChange } from "./route-changes.ts";

/** Bits that routes of one operator may have: of each mark that a message may bear, a number holds one kind low and one high. */
export const MAX_ROUTE_BITS = 15;

/** Whether any route ever got a bit: before that no message is marked. Remembered. */
export function isAnyMarked(read: Reader): boolean {
  return read.known("SELECT 1 FROM route_bits LIMIT 1") !== null;
}

/** The bits of an operator's routes, also of those that left the configuration. */
export function readRouteBits(read: Reader, operator: string): Map<string, number> {
  return new Map(
    read
      .all<{ route: string; bit: number }>("SELECT route, bit FROM route_bits WHERE operator = ?", operator)
      .map(({ route, bit }) => [route, bit]),
  );
}

/**
 * The bit of a route, given it where it has none: the lowest that is free, or that of a route which is not among the `configured` and for
 * which no message is marked that is not over. Null where there is none: more routes left the configuration than there are bits to spare,
 * and messages wait that are marked for each of them.
 */
export function takeRouteBit(
  tx: Tx,
  operator: string,
  route: string,
  configured: readonly string[],
): number | null {
  const bits = readRouteBits(tx, operator);
  const known = bits.get(route);
  if (known !== undefined) return known;
  if (bits.size >= MAX_ROUTE_BITS) {
    const sets = listMarkSets(tx, operator);
    for (const [name, bit] of bits) {
      const mask = (1 << bit) | (1 << (bit + MAX_ROUTE_BITS));
      if (configured.includes(name) || sets.some((set) => (set & mask) !== 0)) continue;
      tx.run("DELETE FROM route_bits WHERE operator = ? AND route = ?", operator, name);
      bits.delete(name);
    }
  }
  const taken = new Set(bits.values());
  const bit = Array.from({ length: MAX_ROUTE_BITS }, (_, place) => place).find((one) => !taken.has(one));
  if (bit === undefined) return null;
  tx.run("INSERT INTO route_bits (operator, route, bit) VALUES ($operator, $route, $bit)", {
    operator,
    route,
    bit,
  });
  return bit;
}

/**
 * The sets of marks that messages of an operator have which are not over: they wait, are under way, or have an unknown outcome and may
 * wait again. Each has an index of its own, which is as long as what it is about.
 */
function listMarkSets(read: Reader, operator: string): number[] {
  return read
    .all<{ routesTried: number }>(
      `SELECT routes_tried AS routesTried FROM messages
       WHERE status = 'QUEUED' AND routes_tried <> 0 AND operator = $operator
       UNION SELECT routes_tried FROM messages
       WHERE status = 'SUBMITTED' AND unanswered_until IS NULL AND routes_tried <> 0 AND operator = $operator
       UNION SELECT routes_tried FROM messages
       WHERE unanswered_until IS NOT NULL AND routes_tried <> 0 AND operator = $operator`,
      { operator },
    )
    .map(({ routesTried }) => routesTried);
}

/**
 * Hands the bit of a route to the name that it has now; true where there was one. A name that has a bit already keeps that: then messages
 * that are marked for the old name may be tried by the route once more.
 */
export function renameRouteBit(tx: Tx, operator: string, from: string, to: string): boolean {
  return (
    tx.run("UPDATE OR IGNORE route_bits SET route = $to WHERE operator = $operator AND route = $from", {
      operator,
      from,
      to,
    }) > 0
  );
}

/** A message left a route for another. */
export type RoutedNote = RouteChange & {
  readonly messageId: number;
  /** It refused, said "later" too often, did not answer, or accepted it and nothing was heard since. */
  readonly why: "REFUSED" | "LATER" | "UNANSWERED" | "SILENT";
  readonly atMs: number;
};

/** Notes for the timeline why a message left a route, and for the judgement of its receipts that it did. */
export function noteRouted(tx: Tx, note: RoutedNote): void {
  tx.run(
    `INSERT INTO routed (message_id, attempt, route, why, routed_at, next_route)
     VALUES ($messageId, $attempt, $route, $why, $atMs, $next)
     ON CONFLICT (message_id, attempt) DO UPDATE SET route = excluded.route, why = excluded.why, next_route = excluded.next_route`,
    note,
  );
}

/** Takes back that a message left a route after an attempt for want of an answer: not an octet left by another. */
export function takeBackUnanswered(tx: Tx, messageId: number, attempt: number): void {
  if (readRouteChanges(tx, messageId).length === 0) return;
  tx.run(
    "DELETE FROM routed WHERE message_id = ? AND attempt = ? AND why = 'UNANSWERED'",
    messageId,
    attempt,
  );
}

/** The times at which a message left a route, in order. */
export function readRouted(read: Reader, messageId: number): RoutedNote[] {
  return read.all<RoutedNote>(
    `SELECT message_id AS messageId, attempt, route, why, routed_at AS atMs, next_route AS next FROM routed
     WHERE message_id = ? ORDER BY attempt`,
    messageId,
  );
}

/** By which routes the attempts of a message left; none of one that kept to one. Asked of no message while none ever left a route. */
export function readRouteChanges(read: Reader, messageId: number): readonly RouteChange[] {
  return read.known("SELECT 1 FROM routed LIMIT 1") === null ? NO_CHANGES : readRouted(read, messageId);
}

const NO_CHANGES: readonly RouteChange[] = [];

/** Forgets why some messages were re-routed, by their ids as a JSON list. */
export function deleteRouted(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM routed WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
