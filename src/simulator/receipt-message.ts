import { ESM_INTERMEDIATE, ESM_RECEIPT, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import type { Quirks } from "./quirks.ts";
import { ERROR_CODE, MESSAGE_STATE, type ReceiptStat } from "./states.ts";

export type ReceiptFacts = {
  /** The message the receipt is about, as it was submitted. */
  readonly about: ShortMessage;
  /** As this operator writes it in receipts. */
  readonly id: string;
  readonly stat: ReceiptStat;
  readonly submittedAtMs: number;
  readonly doneAtMs: number;
  /** The message's beginning, of which the first 20 characters are repeated. */
  readonly text: string;
};

/** What of a receipt differs between operators. */
export type ReceiptHabits = Pick<
  Quirks,
  "noTlvs" | "noReceiptText" | "payloadReceipts" | "dataSmReceipts" | "unmarkedReceipts" | "receiptSeconds"
>;

/** network_error_code: the error is one of a GSM network (SMPP 3.4 section 5.3.2.31). */
const GSM_NETWORK = 3;
const MAX_TEXT_LENGTH = 20;
const MINUTES = 10;
const SECONDS = 12;

/**
 * The body of a receipt: the text of SMPP 3.4 appendix B, and the three optional parameters that say the same, or
 * only one of the two. data_sm has no short_message, so its text is a message_payload.
 */
export function receiptMessage(facts: ReceiptFacts, habits: ReceiptHabits): ShortMessage {
  const { about, id, stat } = facts;
  const text = habits.noReceiptText ? Buffer.alloc(0) : Buffer.from(textOf(facts, habits), "latin1");
  const isPayload = text.length > 0 && (habits.payloadReceipts || habits.dataSmReceipts);
  const error = ERROR_CODE[stat];
  const marked = stat === "ENROUTE" ? ESM_INTERMEDIATE : ESM_RECEIPT;
  return shortMessage({
    sourceAddrTon: about.destAddrTon,
    sourceAddrNpi: about.destAddrNpi,
    sourceAddr: about.destinationAddr,
    destAddrTon: about.sourceAddrTon,
    destAddrNpi: about.sourceAddrNpi,
    destinationAddr: about.sourceAddr,
    esmClass: habits.unmarkedReceipts ? 0 : marked,
    shortMessage: isPayload ? new Uint8Array(0) : text,
    tlvs: {
      ...(isPayload && { messagePayload: text }),
      ...(!habits.noTlvs && {
        receiptedMessageId: id,
        messageState: MESSAGE_STATE[stat],
        networkErrorCode: Uint8Array.of(GSM_NETWORK, error >> 8, error & 0xff),
      }),
    },
  });
}

function textOf(facts: ReceiptFacts, { receiptSeconds }: ReceiptHabits): string {
  const { id, stat } = facts;
  const digits = receiptSeconds ? SECONDS : MINUTES;
  return [
    `id:${id} sub:001 dlvrd:${stat === "DELIVRD" ? "001" : "000"}`,
    `submit date:${date(facts.submittedAtMs, digits)} done date:${date(facts.doneAtMs, digits)}`,
    `stat:${stat} err:${String(ERROR_CODE[stat]).padStart(3, "0")} text:${ascii(facts.text)}`,
  ].join(" ");
}

/** YYMMDDhhmm, or with ss behind it, in the operator's local time, which is UTC in Burkina Faso. */
function date(epochMs: number, digits: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace(/\D/g, "")
    .slice(2, 2 + digits);
}

/** When a message met its end, as query_sm_resp tells it: an absolute time in UTC (SMPP 3.4 section 7.1.1.1). */
export function finalDate(epochMs: number): string {
  return `${date(epochMs, SECONDS)}000+`;
}

/** What of a text stands in an octet whatever the alphabet. */
function ascii(text: string): string {
  return [...text]
    .slice(0, MAX_TEXT_LENGTH)
    .map((character) => (/[ -~]/.test(character) ? character : "?"))
    .join("");
}
