import {
  ESM_INTERMEDIATE,
  ESM_RECEIPT,
  ESM_TYPE_MASK,
  ESM_UDHI,
  messageOctets,
  type ShortMessage,
} from "./short-message.ts";

/** The six ends a message can meet that are not delivery, delivery itself, and PENDING: noted, and waiting goes on. */
export type ReceiptState =
  | "DELIVERED"
  | "EXPIRED"
  | "DELETED"
  | "UNDELIVERABLE"
  | "REJECTED"
  | "FAILED"
  | "SKIPPED"
  | "PENDING";

export type Receipt = {
  /** As received; null when the receipt names no message. */
  readonly id: string | null;
  readonly state: ReceiptState;
  /** `stat:` as received in capitals, or the number of message_state; null when the receipt tells neither. */
  readonly rawStat: string | null;
  /** The operator's own code, as received: `err:`, or the number of network_error_code. */
  readonly errorCode: string | null;
};

/** message_state of SMPP 3.4 section 5.2.28 and SMPP 5.0. 6 ACCEPTED is the operator's acceptance in practice. */
const BY_MESSAGE_STATE: ReadonlyMap<number, ReceiptState> = new Map([
  [2, "DELIVERED"],
  [3, "EXPIRED"],
  [4, "DELETED"],
  [5, "UNDELIVERABLE"],
  [8, "REJECTED"],
  [9, "SKIPPED"],
]);

/** The words of `stat:` that end a message (SMPP 3.4 appendix B), in the seven letters and in full. */
const BY_STAT: ReadonlyMap<string, ReceiptState> = new Map([
  ["DELIVRD", "DELIVERED"],
  ["DELIVERD", "DELIVERED"],
  ["DELIVERED", "DELIVERED"],
  ["EXPIRED", "EXPIRED"],
  ["DELETED", "DELETED"],
  ["UNDELIV", "UNDELIVERABLE"],
  ["UNDELIVERED", "UNDELIVERABLE"],
  ["UNDELIVERABLE", "UNDELIVERABLE"],
  ["REJECTD", "REJECTED"],
  ["REJECTED", "REJECTED"],
  ["FAILED", "FAILED"],
  ["SKIPPED", "SKIPPED"],
]);

/** A label counts at the beginning of a word only, so that `mid:` and `substat:` are not read as `id:` and `stat:`. */
const ID = /(?<![\w-])id:\s*([\w+.-]{1,64})(?![\w+.-])/i;
const STAT = /(?<![\w-])stat:\s*([a-z]{1,16})/i;
const ERROR = /(?<![\w-])err:\s*([\da-z]{1,8})/i;
/** What follows is the customer's words, which must never be read as an operator's (decisions.md section 6). */
const TEXT = /text\s*:/i;

/**
 * The receipt in a deliver_sm or data_sm, or null when it is a subscriber's message. Any of three signs makes it one: esm_class, a
 * receipt's optional parameters, or a text with both `id:` and `stat:` before its `Text:`. Optional parameters win over the text.
 */
export function readReceipt(message: ShortMessage): Receipt | null {
  const { receiptedMessageId, messageState, networkErrorCode } = message.tlvs;
  const text = receiptText(message);
  const textId = ID.exec(text)?.[1] ?? null;
  const stat = STAT.exec(text)?.[1]?.toUpperCase() ?? null;
  const kind = message.esmClass & ESM_TYPE_MASK;
  const isReceipt =
    kind === ESM_RECEIPT ||
    kind === ESM_INTERMEDIATE ||
    receiptedMessageId !== undefined ||
    messageState !== undefined ||
    (textId !== null && stat !== null);
  if (!isReceipt) return null;
  return {
    id: receiptedMessageId ?? textId,
    state: stateOf(messageState, stat, kind),
    rawStat: stat ?? (messageState === undefined ? null : String(messageState)),
    errorCode: networkError(networkErrorCode) ?? ERROR.exec(text)?.[1] ?? null,
  };
}

/** data_coding of UCS-2, whose octets go in pairs, the high one first (SMPP 3.4 section 5.2.19). */
const UCS2 = 0x08;
const utf16 = new TextDecoder("utf-16be");

/** The part of the text that the operator wrote. Its labels are ASCII in every other data_coding. */
function receiptText(message: ShortMessage): string {
  let octets = messageOctets(message);
  if (message.esmClass & ESM_UDHI) octets = octets.subarray((octets[0] ?? 0) + 1);
  const text =
    message.dataCoding === UCS2
      ? utf16.decode(octets)
      : Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
  const end = text.search(TEXT);
  return end < 0 ? text : text.slice(0, end);
}

/** message_state decides when it is there, the word of the text otherwise; an intermediate notification ends nothing. */
function stateOf(messageState: number | undefined, stat: string | null, kind: number): ReceiptState {
  if (kind === ESM_INTERMEDIATE) return "PENDING";
  if (messageState !== undefined) return BY_MESSAGE_STATE.get(messageState) ?? "PENDING";
  return (stat !== null && BY_STAT.get(stat)) || "PENDING";
}

/** Octets two and three as a decimal number; the first only tells the kind of network (SMPP 3.4 section 5.3.2.31). */
function networkError(octets: Uint8Array | undefined): string | null {
  if (octets === undefined || octets.length !== 3) return null;
  const [, high = 0, low = 0] = octets;
  return String(high * 256 + low);
}
