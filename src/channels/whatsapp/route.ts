import type { Config } from "../../config/config.ts";
import { toWhatsAppOperator } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import { isRegistered } from "../../domain/accounts/senders.ts";
import type { NumberConfig } from "./cloud-client.ts";

/** The number that a batch goes by. */
export type NumberRoute = {
  readonly operator: string;
  readonly number: NumberConfig;
  /** False: no number knows the sender, and this one is where its messages fail. */
  readonly isRegistered: boolean;
};

/**
 * The first number of the configuration that a sender is registered with, else the first of all; null where there is none
 * (docs/behaviour.md#routes-of-whatsapp).
 */
export function routeOf(
  read: Reader,
  { whatsapp }: Pick<Config, "whatsapp">,
  accountId: number,
  sender: string,
): NumberRoute | null {
  let first: NumberRoute | null = null;
  for (const [code, number] of Object.entries(whatsapp.numbers)) {
    const operator = toWhatsAppOperator(code);
    if (isRegistered(read, accountId, sender, operator)) return { operator, number, isRegistered: true };
    first ??= { operator, number, isRegistered: false };
  }
  return first;
}

/** Whether a number, as E.164 digits, is in a country that is written to. None named: that of the region alone. */
export function isServed(digits: string, { countries }: NumberConfig, ownCode: string): boolean {
  const codes = countries.length === 0 ? [ownCode] : countries;
  return codes.some((code) => digits.startsWith(code));
}
