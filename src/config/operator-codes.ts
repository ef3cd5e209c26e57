import { toRecord } from "../core/own-value.ts";
import type { Config } from "./config.ts";
import { toWhatsAppOperator } from "./whatsapp-codes.ts";

/** What operators are called, by their codes. */
export function operatorNames({ operators }: Pick<Config, "operators">): Readonly<Record<string, string>> {
  return toRecord(Object.entries(operators).map(([code, { name }]) => [code, name || code]));
}

/** The codes under which messages leave: of the operators, then of WhatsApp's numbers, in the order of the configuration. */
export function operatorCodes({ operators, whatsapp }: Pick<Config, "operators" | "whatsapp">): string[] {
  return [...Object.keys(operators), ...Object.keys(whatsapp.numbers).map(toWhatsAppOperator)];
}
