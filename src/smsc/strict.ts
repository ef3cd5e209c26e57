import { ESM_UDHI, type ShortMessage } from "../smpp/short-message.ts";
import { STATUS, type SubmitStatus } from "./states.ts";

/** What a strict operator finds wrong with a submit_sm, and answers with. */
export type Violation = { readonly status: SubmitStatus; readonly what: string };

const ALPHANUMERIC = 5;
/** Septets, or octets of any other alphabet, that one short message carries (3GPP TS 23.040 section 9.2.3.24). */
const SEPTETS = 160;
const OCTETS = 140;

/** The first rule of SMPP 3.4 sections 4.4.1 and 5.2 that a submit_sm breaks; null when it is in order. */
export function violationOf(message: ShortMessage): Violation | null {
  const { sourceAddr, sourceAddrTon, destinationAddr, esmClass, shortMessage, tlvs, validityPeriod } =
    message;
  if (!/^\d{3,15}$/.test(destinationAddr)) {
    return { status: STATUS.RINVDSTADR, what: "destination_addr is not a number of 3 to 15 digits" };
  }
  if (sourceAddr === "") return { status: STATUS.RINVSRCADR, what: "source_addr is empty" };
  if (sourceAddrTon === ALPHANUMERIC ? sourceAddr.length > 11 : !/^\d{1,20}$/.test(sourceAddr)) {
    return { status: STATUS.RINVSRCADR, what: "source_addr does not fit its type of number" };
  }
  const isHeaded = (esmClass & ESM_UDHI) !== 0;
  if (isHeaded && tlvs.sarMsgRefNum !== undefined) {
    return { status: STATUS.RINVESMCLASS, what: "a user data header and sar parameters at once" };
  }
  if (shortMessage.length > 0 && tlvs.messagePayload !== undefined) {
    return { status: STATUS.RINVMSGLEN, what: "short_message and message_payload at once" };
  }
  if (shortMessage.length > longest(message, isHeaded)) {
    return { status: STATUS.RINVMSGLEN, what: "short_message is longer than one short message" };
  }
  if (validityPeriod !== "" && !/^\d{15}[R+-]$/.test(validityPeriod)) {
    return { status: STATUS.RINVEXPIRY, what: "validity_period is no time" };
  }
  return null;
}

/** A header takes whole octets of the 140, and in septets what is left after it is rounded up to septets. */
function longest({ dataCoding, shortMessage }: ShortMessage, isHeaded: boolean): number {
  const isOctets = dataCoding === 0x08 || dataCoding === 0x04 || dataCoding === 0x02;
  if (isOctets) return OCTETS;
  if (!isHeaded) return SEPTETS;
  const header = (shortMessage[0] ?? 0) + 1;
  return header + SEPTETS - Math.ceil((header * 8) / 7);
}
