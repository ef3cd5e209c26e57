/**
 * Reads what a deliver_sm or data_sm carries: a delivery receipt, from its optional parameters, else from the text of
 * SMPP 3.4 appendix B, also where nothing marks it as one; or a subscriber's text. Pure.
 */
import type { Config } from "../../config/config.ts";
import type { InboundRules, ReceivedText } from "../../domain/inbound/inbound.ts";
import {
  ESM_INTERMEDIATE,
  ESM_RECEIPT,
  ESM_TYPE_MASK,
  ESM_UDHI,
  messageOctets,
  type ShortMessage,
  toStoredMessageId,
} from "../../smpp/short-message.ts";
import { asciiReadings } from "../../text/inbound-text.ts";
import { type Concatenation, parseUserData, type UserData } from "../../text/udh.ts";

/** The six final states that are not delivery, delivery itself, and PENDING, which is noted while waiting goes on. */
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
  /** esm_class or optional parameters say that it is a receipt; a subscriber can type the text of one, but not these. */
  readonly isMarked: boolean;
  /** What stands behind `Text:`: the customer's words, good for nothing but to tell messages apart; null when blank. */
  readonly text: string | null;
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

/**
 * A label counts at the beginning of a word only, so that `mid:` and `substat:` are not read as `id:` and `stat:`. An
 * id is anything up to a blank, a comma or the next label, however long.
 */
const ID = /(?<![\w-])id:\s*(?=[!-+\--:<-~])/i;
const ID_END = /$|[^!-~]|[,;]|(?:sub|dlvrd|submit date|done date|stat|err):/i;
/**
 * A receipt of SMPP 3.4 appendix B from its first character on, with all of its parts: what an unmarked text must look like
 * to be read as one.
 */
const WHOLE =
  /^id:[^\s,;]+[\s,;]+sub:\d+[\s,;]+dlvrd:\d+[\s,;]+submit date:\d{10,14}[\s,;]+done date:\d{10,14}[\s,;]+stat:[A-Za-z]+[\s,;]+err:[\dA-Za-z]/;
const STAT = /(?<![\w-])stat:\s*([a-z]{1,16})/i;
const ERROR = /(?<![\w-])err:\s*([\da-z]{1,8})/i;
/** What follows is the customer's words, which must never be read as an operator's (docs/behaviour.md#receipts). */
const TEXT = /text\s*:/i;

/**
 * The receipt in a deliver_sm or data_sm, or null when it is a subscriber's message. esm_class or a receipt's optional
 * parameters mark it as one; an unmarked text looks like one (`isMarked` false) when it begins as a receipt, has all of its
 * parts before its `Text:`, and is no part of a longer one. Optional parameters win over the text.
 */
export function readReceipt(message: ShortMessage): Receipt | null {
  const { receiptedMessageId, messageState, networkErrorCode } = message.tlvs;
  const { operators, customers } = receiptText(message);
  const textId = idIn(operators);
  const stat = STAT.exec(operators)?.[1]?.toUpperCase() ?? null;
  const kind = message.esmClass & ESM_TYPE_MASK;
  const isMarked =
    kind === ESM_RECEIPT ||
    kind === ESM_INTERMEDIATE ||
    receiptedMessageId !== undefined ||
    messageState !== undefined;
  if (!isMarked && (isNoSingleLine(message) || !WHOLE.test(operators))) return null;
  return {
    id: usableId(receiptedMessageId) ?? usableId(textId ?? undefined),
    state: stateOf(messageState, stat, kind),
    rawStat: stat ?? (messageState === undefined ? null : String(messageState)),
    errorCode: networkError(networkErrorCode) ?? ERROR.exec(operators)?.[1] ?? null,
    isMarked,
    text: customers,
  };
}

/** Headers, optional parameters or its length say that a text is part of a longer one or no single line, which an unmarked receipt is. */
function isNoSingleLine(message: ShortMessage): boolean {
  const isPart = (message.esmClass & ESM_UDHI) !== 0 || message.tlvs.sarTotalSegments !== undefined;
  return isPart || messageOctets(message).length > MAX_OCTETS;
}

/** An optional parameter of blanks names nothing. */
function usableId(id: string | undefined): string | null {
  return id === undefined || id.trim() === "" ? null : toStoredMessageId(id);
}

/** What stands behind `id:`; null where there is no such label, or nothing behind it. */
function idIn(text: string): string | null {
  const label = ID.exec(text);
  if (!label) return null;
  const id = text.slice(label.index + label[0].length);
  // The first character belongs to the id: its end is looked for behind that.
  return id.slice(0, 1 + id.slice(1).search(ID_END));
}

/** A receipt is one line; of a message_payload of 64 KiB no more is read, so that none can hold up the others. */
const MAX_OCTETS = 2048;

/** Operators repeat a little of the customer's text; more than a segment has distinguishes no more messages. */
const MAX_CUSTOMERS_CHARACTERS = 255;

/** What the operator wrote, and behind `Text:` what the customer did. */
type ReceiptText = {
  readonly operators: string;
  readonly customers: string | null;
  /** There is a `Text:`, so another reading would only show the customer's octets as something else. */
  readonly isCut: boolean;
};

/** The text that has a receipt's labels, in whichever field it travels and however it is coded; the likeliest when none has. */
function receiptText({ shortMessage, tlvs, esmClass, dataCoding }: ShortMessage): ReceiptText {
  const readings: ReceiptText[] = [];
  for (const octets of [shortMessage, tlvs.messagePayload]) {
    if (octets === undefined || octets.length === 0) continue;
    const begin = esmClass & ESM_UDHI ? (octets[0] ?? 0) + 1 : 0;
    const body = octets.subarray(begin, begin + MAX_OCTETS);
    for (const text of asciiReadings(body, dataCoding)) {
      const reading = cut(text);
      if (reading.isCut || idIn(reading.operators) !== null || STAT.test(reading.operators)) return reading;
      readings.push(reading);
    }
  }
  return readings[0] ?? { operators: "", customers: null, isCut: false };
}

function cut(text: string): ReceiptText {
  const label = TEXT.exec(text);
  if (!label) return { operators: text, customers: null, isCut: false };
  const customers = text.slice(label.index + label[0].length).trim();
  return {
    operators: text.slice(0, label.index),
    customers: customers === "" ? null : customers.slice(0, MAX_CUSTOMERS_CHARACTERS),
    isCut: true,
  };
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

/** Type of number of an address that leaves its "+" out (SMPP 3.4 section 5.2.5). */
const INTERNATIONAL = 1;

/** The inbound text in a deliver_sm or data_sm that is no receipt. Pure. */
export function receivedText(message: ShortMessage): ReceivedText {
  const { sourceAddr, sourceAddrTon, destinationAddr, dataCoding } = message;
  const isInternational = sourceAddrTon === INTERNATIONAL && /^\d+$/.test(sourceAddr);
  const { body: octets, concatenation } = bodyOf(message);
  return {
    source: isInternational ? `+${sourceAddr}` : sourceAddr,
    destination: destinationAddr,
    dataCoding,
    octets,
    concatenation,
  };
}

/** Far above the 140 octets of a short message, which is what a part of a long text travels in. */
const MAX_PART_LENGTH = 255;
/** The most that the header of 3GPP TS 23.040 section 9.2.3.24.1 has room for; optional parameters could say any number. */
const MAX_PARTS = 255;

/**
 * The text's octets and its place in a long one, from a header in it or optional parameters. The parts of a long text are
 * read together, so what cannot be one of them is a text of its own.
 */
function bodyOf(message: ShortMessage): UserData {
  const octets = messageOctets(message);
  const headed = message.esmClass & ESM_UDHI ? parseUserData(octets) : { body: octets, concatenation: null };
  const concatenation = headed.concatenation ?? placeBySar(message);
  return { body: headed.body, concatenation: headed.body.length > MAX_PART_LENGTH ? null : concatenation };
}

function placeBySar({ tlvs }: ShortMessage): Concatenation | null {
  const { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part } = tlvs;
  if (reference === undefined || total === undefined || part === undefined) return null;
  return part >= 1 && part <= total && total <= MAX_PARTS ? { reference, total, part } : null;
}

/** How inbound texts are read: numbers as operators spell them, data_coding 0 as the connection that brought them says. */
export function inboundRules({
  config,
  readNumber,
  onInboundKept,
}: {
  readonly config: () => Pick<Config, "operators">;
  readonly readNumber: InboundRules["readNumber"];
  readonly onInboundKept: InboundRules["onKept"];
}): InboundRules {
  return {
    readNumber,
    onKept: onInboundKept,
    alphabetOf: (code, connection) =>
      config().operators[code]?.connections[connection - 1]?.default_alphabet ?? "gsm",
  };
}
