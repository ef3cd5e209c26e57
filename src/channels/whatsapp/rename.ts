/** Numbers that were given another operator code. */
import { numberOfOperator, operatorOfNumber } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { todaysCode } from "../../domain/messages/operator-renames.ts";
import { moveDirectPrices } from "./direct-prices.ts";
import { moveStop } from "./stops.ts";

/** Takes along what stopped a number, or some of its text; whether a number had stopped. Nothing where the codes are of another channel. */
export function moveNumber(tx: Tx, from: string, to: string): boolean {
  const numbers = [numberOfOperator(from), numberOfOperator(to)] as const;
  if (numbers[0] === null || numbers[1] === null) return false;
  moveDirectPrices(tx, from, to);
  return moveStop(tx, numbers[0], numbers[1]);
}

/** The code of a number today, by one that it had; each is looked up once. */
export function todaysNumbers(read: Reader): (number: string) => string {
  const known = new Map<string, string>();
  return (number) => {
    const today = known.get(number) ?? numberOfOperator(todaysCode(read, operatorOfNumber(number))) ?? number;
    known.set(number, today);
    return today;
  };
}
