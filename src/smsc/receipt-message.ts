import { ESM_RECEIPT, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import { ERROR_CODE, MESSAGE_STATE, type Stat } from "./states.ts";

export type ReceiptFacts = {
  /** The message the receipt is about, as it was submitted. */
  readonly about: ShortMessage;
  /** As this operator writes it in receipts. */
  readonly id: string;
  readonly stat: Stat;
  readonly submittedAtMs: number;
  readonly doneAtMs: number;
  /** The message's beginning, of which the first 20 characters are repeated. */
  readonly text: string;
  readonly hasTlvs: boolean;
};

/** network_error_code: the error is one of a GSM network (SMPP 3.4 section 5.3.2.31). */
const GSM_NETWORK = 3;
const LONGEST_TEXT = 20;

/** The deliver_sm of a receipt: the text of SMPP 3.4 appendix B, and the three optional parameters that say the same. */
export function receiptMessage(facts: ReceiptFacts): ShortMessage {
  const { about, id, stat, hasTlvs } = facts;
  const error = ERROR_CODE[stat];
  const text = [
    `id:${id} sub:001 dlvrd:${stat === "DELIVRD" ? "001" : "000"}`,
    `submit date:${date(facts.submittedAtMs)} done date:${date(facts.doneAtMs)}`,
    `stat:${stat} err:${String(error).padStart(3, "0")} text:${ascii(facts.text)}`,
  ].join(" ");
  return shortMessage({
    sourceAddrTon: about.destAddrTon,
    sourceAddrNpi: about.destAddrNpi,
    sourceAddr: about.destinationAddr,
    destAddrTon: about.sourceAddrTon,
    destAddrNpi: about.sourceAddrNpi,
    destinationAddr: about.sourceAddr,
    esmClass: ESM_RECEIPT,
    shortMessage: Buffer.from(text, "latin1"),
    tlvs: hasTlvs
      ? {
          receiptedMessageId: id,
          messageState: MESSAGE_STATE[stat],
          networkErrorCode: Uint8Array.of(GSM_NETWORK, error >> 8, error & 0xff),
        }
      : {},
  });
}

/** YYMMDDhhmm in the operator's local time, which is UTC in Burkina Faso. */
function date(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\D/g, "").slice(2, 12);
}

/** What of a text stands in an octet whatever the alphabet. */
function ascii(text: string): string {
  return [...text]
    .slice(0, LONGEST_TEXT)
    .map((character) => (/[ -~]/.test(character) ? character : "?"))
    .join("");
}
