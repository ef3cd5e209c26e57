/** Operators and connections that an administrator paused: receipts still come by them, and nothing leaves. */
import type { Reader } from "../db/reader.ts";
import type { Tx } from "../db/writer.ts";

export type Pause = {
  readonly operator: string;
  /** The connection's name; null for all of the operator. */
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

/** Ends the pause of a connection, or all pauses of an operator; how many there were. */
export function endPauses(tx: Tx, operator: string, connection: string | null): number {
  return connection === null
    ? tx.run("DELETE FROM operator_pauses WHERE operator = ?", operator)
    : tx.run("DELETE FROM operator_pauses WHERE operator = ? AND connection = ?", operator, connection);
}

/**
 * Moves the pauses of one operator to another; how many. One that the other has already stays as it is. The pause of a connection
 * counts where the other has a connection of that name.
 */
export function movePauses(tx: Tx, fromCode: string, toCode: string): number {
  tx.run(
    `INSERT INTO operator_pauses (operator, connection, reason, actor, paused_at)
     SELECT ?2, connection, reason, actor, paused_at FROM operator_pauses WHERE operator = ?1
     ON CONFLICT (operator, connection) DO NOTHING`,
    fromCode,
    toCode,
  );
  return tx.run("DELETE FROM operator_pauses WHERE operator = ?", fromCode);
}

/** The pause that applies to a connection: the operator's own before the connection's. */
export function findPause(pauses: readonly Pause[], operator: string, connection: string): Pause | null {
  const own = pauses.filter((pause) => pause.operator === operator);
  return (
    own.find((pause) => pause.connection === null) ??
    own.find((pause) => pause.connection === connection) ??
    null
  );
}
