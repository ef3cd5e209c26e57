/** Stores the numbers that Meta has stopped: nothing leaves by them until a person, another token or a read of the templates ends it. */
import { createHash } from "node:crypto";
import { type Config, toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { resolveOperatorCode } from "../../domain/messages/operator-codes.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
import { moveDirectPrices } from "./category-prices.ts";
import { isWaitingForTemplate } from "./compose-post.ts";

export type NumberStop = {
  readonly number: string;
  /** Meta's code. */
  readonly code: number;
  readonly tokenDigest: string;
  readonly atMs: number;
};

/** A digest that tells one token from another, and reveals neither. */
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

/** Ends a number's stop; returns whether it was stopped. */
export function deleteNumberStop(tx: Tx, number: string): boolean {
  return tx.run("DELETE FROM whatsapp_stops WHERE number = ?", number) > 0;
}

/** Moves a stop to a number's new code, with the first reason. Returns whether there was one. */
function renameNumberStop(tx: Tx, from: string, to: string): boolean {
  const moved = tx.run("UPDATE OR IGNORE whatsapp_stops SET number = ? WHERE number = ?", to, from) > 0;
  return deleteNumberStop(tx, from) || moved;
}

/** Ends the stop by an operator's code; null where that is of another channel. */
export function endOperatorStop(tx: Tx, operator: string): boolean | null {
  const number = toWhatsAppNumber(operator);
  return number === null ? null : deleteNumberStop(tx, number);
}

/** Why messages wait that nothing else keeps back. */
export type MetaHold =
  /** Meta has stopped the number. */
  | "number_stopped"
  /** The template is paused, or waits for Meta or for a person. */
  | "template_held";

/** Why none of a batch may leave by its number, or null; for another channel null. */
export function findMetaHold(read: Reader, { whatsapp }: Pick<Config, "whatsapp">) {
  const stopped = new Set(readNumberStops(read).map(({ number }) => number));
  return ({ operator, batchId }: Pick<QueuedBatch, "operator" | "batchId">): MetaHold | null => {
    const code = toWhatsAppNumber(operator);
    const number = code === null ? undefined : whatsapp.numbers[code];
    if (code === null || number === undefined) return null;
    if (stopped.has(code)) return "number_stopped";
    return isWaitingForTemplate(read, { batchId, operator }, number.waba_id) ? "template_held" : null;
  };
}

// Numbers that were given another operator code.

/** Moves the stops of a number and of its text; returns whether the number had stopped. Nothing where the codes are of another channel. */
export function renameNumber(tx: Tx, from: string, to: string): boolean {
  const numbers = [toWhatsAppNumber(from), toWhatsAppNumber(to)] as const;
  if (numbers[0] === null || numbers[1] === null) return false;
  moveDirectPrices(tx, from, to);
  return renameNumberStop(tx, numbers[0], numbers[1]);
}

/** The code of a number today, by one that it had; each is looked up once. */
export function readCurrentNumbers(read: Reader): (number: string) => string {
  const known = new Map<string, string>();
  return (number) => {
    const today =
      known.get(number) ?? toWhatsAppNumber(resolveOperatorCode(read, toWhatsAppOperator(number))) ?? number;
    known.set(number, today);
    return today;
  };
}
