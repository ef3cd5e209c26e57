/** Numbers that were given another operator code. */
import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { resolveOperatorCode } from "../../domain/messages/operator-renames.ts";
import { moveDirectPrices } from "./direct-prices.ts";
import { renameNumberStop } from "./stops.ts";

/** Takes along what stopped a number, or some of its text; whether a number had stopped. Nothing where the codes are of another channel. */
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
    const today = known.get(number) ?? toWhatsAppNumber(resolveOperatorCode(read, toWhatsAppOperator(number))) ?? number;
    known.set(number, today);
    return today;
  };
}
