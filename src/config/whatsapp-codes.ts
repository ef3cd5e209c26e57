import { toChannel, WHATSAPP_CODES } from "../core/channels.ts";

/** The operator code of a number: `whatsapp:main` is that of `[whatsapp.numbers.main]`. */
export function toWhatsAppOperator(code: string): string {
  return `${WHATSAPP_CODES}${code}`;
}

/** The code of the number that an operator's code names; null where it is an operator of another channel. */
export function toWhatsAppNumber(operator: string): string | null {
  return toChannel(operator) === "WHATSAPP" ? operator.slice(WHATSAPP_CODES.length) : null;
}
