/** Numbers that Meta has stopped: nothing leaves by them until a person, another token or a reading of the templates lets them go on. */
import { createHash } from "node:crypto";
import { toWhatsAppNumber } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

export type NumberStop = {
  readonly number: string;
  /** Meta's code. */
  readonly code: number;
  readonly tokenDigest: string;
  readonly atMs: number;
};

/** Tells one token from another, and nothing of either. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function readNumberStops(read: Reader): NumberStop[] {
  return read.all(
    "SELECT number, code, token_digest AS tokenDigest, stopped_at AS atMs FROM whatsapp_stops ORDER BY number",
  );
}

/** Notes a stop; the first one counts. True when there was none. */
export function saveNumberStop(tx: Tx, { number, code, tokenDigest, atMs }: NumberStop): boolean {
  return (
    tx.run(
      `INSERT INTO whatsapp_stops (number, code, token_digest, stopped_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (number) DO NOTHING`,
      number,
      code,
      tokenDigest,
      atMs,
    ) > 0
  );
}

/** Lets a number go on; whether it was stopped. */
export function deleteNumberStop(tx: Tx, number: string): boolean {
  return tx.run("DELETE FROM whatsapp_stops WHERE number = ?", number) > 0;
}

/** A number has another code: what Meta stopped stays stopped there, by the first reason. Whether it was. */
export function renameNumberStop(tx: Tx, from: string, to: string): boolean {
  const moved = tx.run("UPDATE OR IGNORE whatsapp_stops SET number = ? WHERE number = ?", to, from) > 0;
  return deleteNumberStop(tx, from) || moved;
}

/** The same by an operator's code; null where that is of another channel. */
export function endOperatorStop(tx: Tx, operator: string): boolean | null {
  const number = toWhatsAppNumber(operator);
  return number === null ? null : deleteNumberStop(tx, number);
}
