/**
 * Operators, routes and connections that an administrator paused: receipts still come by them, and nothing leaves. A route is paused by
 * its code, "orange/agg", where an operator is by its own.
 */
import { routeCode } from "../config/config.ts";
import type { Reader } from "../db/reader.ts";
import type { Tx } from "../db/writer.ts";

export type Pause = {
  /** The code of an operator, or of a route. */
  readonly operator: string;
  /** The connection's name; null for all of the operator, or of the route. */
  readonly connection: string | null;
  readonly reason: string;
  /** Who paused it, and when. */
  readonly actor: string;
  readonly atMs: number;
};

/** Everything that is paused. */
export function allPauses(read: Reader): Pause[] {
  return read
    .all<Pause & { connection: string }>(
      `SELECT operator, connection, reason, actor, paused_at AS atMs FROM operator_pauses
       ORDER BY operator, connection`,
    )
    .map((pause) => ({ ...pause, connection: pause.connection === "" ? null : pause.connection }));
}

/** Writes a pause; an existing one is kept. True when there was none. */
export function insertPause(tx: Tx, { operator, connection, reason, actor, atMs }: Pause): boolean {
  return (
    tx.run(
      `INSERT INTO operator_pauses (operator, connection, reason, actor, paused_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (operator, connection) DO NOTHING`,
      operator,
      connection ?? "",
      reason,
      actor,
      atMs,
    ) > 0
  );
}

/** Whether a pause is of an operator, of one of its routes or connections. */
export function isPauseOf(pause: Pause, operator: string): boolean {
  return pause.operator === operator || pause.operator.startsWith(routeCode(operator, ""));
}

/** An operator's code, and what the codes of its routes begin with. */
const OF_OPERATOR = "(operator = $operator OR substr(operator, 1, length($operator) + 1) = $operator || '/')";

/** Ends the pause of a connection, or all pauses of an operator or of a route; how many there were. */
export function endPauses(tx: Tx, operator: string, connection: string | null): number {
  return connection === null
    ? tx.run(`DELETE FROM operator_pauses WHERE ${OF_OPERATOR}`, { operator })
    : tx.run("DELETE FROM operator_pauses WHERE operator = ? AND connection = ?", operator, connection);
}

/**
 * Moves the pauses of one operator, and of its routes, to another, or those of one route; how many. One that the other has already stays as it is. The pause of a connection
 * counts where the other has a connection of that name.
 */
export function movePauses(tx: Tx, fromCode: string, toCode: string): number {
  tx.run(
    `INSERT INTO operator_pauses (operator, connection, reason, actor, paused_at)
     SELECT $toCode || substr(operator, length($operator) + 1), connection, reason, actor, paused_at
     FROM operator_pauses WHERE ${OF_OPERATOR}
     ON CONFLICT (operator, connection) DO NOTHING`,
    { operator: fromCode, toCode },
  );
  return tx.run(`DELETE FROM operator_pauses WHERE ${OF_OPERATOR}`, { operator: fromCode });
}

/** The pause that applies to a connection: the operator's own before the route's, and that before the connection's. */
export function findPause(
  pauses: readonly Pause[],
  operator: string,
  { connection, route = "" }: { readonly connection: string; readonly route?: string },
): Pause | null {
  const own = pauses.filter((pause) => pause.operator === operator);
  const ofRoute = routeCode(operator, route);
  return (
    own.find((pause) => pause.connection === null) ??
    (route === "" ? undefined : pauses.find((pause) => pause.operator === ofRoute)) ??
    own.find((pause) => pause.connection === connection) ??
    null
  );
}
