import { phrase } from "../i18n/phrase.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import { textTooLong, type Violation, validityViolation } from "./strict.ts";

/** An address fills a field of 21 octets with its NUL (SMPP 3.4 section 5.2.8). */
const LONGEST_ADDRESS = 20;

/**
 * Why an ordinary centre cannot take a message at all; null when it can. It has its own tables for addresses, so it
 * believes no type of number and no numbering plan, gives a message without a sender its own, and sends a text on as it
 * came, well cut or not.
 */
export function unusable(message: ShortMessage): Violation | null {
  const { sourceAddr, destinationAddr, validityPeriod } = message;
  if (!/^\+?\d{1,20}$/.test(destinationAddr)) {
    return { status: STATUS.RINVDSTADR, what: phrase("simulator.rule.destination.no_number") };
  }
  if (sourceAddr.length > LONGEST_ADDRESS) {
    return { status: STATUS.RINVSRCADR, what: phrase("simulator.rule.source.long") };
  }
  return validityViolation(validityPeriod) ?? textTooLong(message);
}
