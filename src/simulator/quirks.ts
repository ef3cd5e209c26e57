import type { GarbageKind } from "./garbage.ts";
import type { IdQuirks } from "./message-ids.ts";

/** How a link ends when the operator drops it. */
export const DROP_MODES = ["rst", "fin", "mid_pdu", "half_open"] as const;

/** `mid_pdu` ends in the middle of a PDU; `half_open` neither reads nor writes any more and stays connected. */
export type DropMode = (typeof DROP_MODES)[number];

export type GarbageChoice = GarbageKind | "cycle";

/**
 * How this operator behaves. Every field is one quirk that real operators have; each is read in one place, any may be
 * combined with any other, and `PLAIN` is an operator that does everything right and at once.
 */
export type Quirks = IdQuirks &
  AnswerQuirks &
  ReceiptQuirks &
  IncomingQuirks &
  PaceQuirks &
  LinkQuirks &
  Checks;

type AnswerQuirks = {
  /** From the submit_sm to its response. */
  readonly responseDelayMs: number;
  /** Up to so much more, evenly, so that responses come out of order. */
  readonly responseJitterMs: number;
  /** Of the submit_sm since the start, each so-many-th is accepted and never answered. 0: all are answered. */
  readonly swallowEvery: number;
  /** How many of 100 submit_sm are refused, and with what. */
  readonly refusePercent: number;
  readonly refuseStatus: number;
  /** A refusal carries an empty message_id in place of no body. */
  readonly refusalBody: boolean;
};

type ReceiptQuirks = {
  /** From the response to the handset, and so to the receipt. */
  readonly receiptDelayMs: number;
  readonly receiptJitterMs: number;
  /** How many of 100 messages reach their handset; the rest become UNDELIV. */
  readonly deliveredPercent: number;
  /** How many of 100 receipts are never sent. */
  readonly lostReceiptPercent: number;
  /** How many of 100 receipts are sent twice. */
  readonly duplicateReceiptPercent: number;
  /** The receipt overtakes the response. */
  readonly receiptBeforeResponse: boolean;
  /** Receipts are text only, without optional parameters. */
  readonly noTlvs: boolean;
  /** Receipts are optional parameters only, without text. */
  readonly noReceiptText: boolean;
  /** The text of a receipt travels in message_payload. */
  readonly payloadReceipts: boolean;
  /** Receipts come as data_sm, their text in message_payload. */
  readonly dataSmReceipts: boolean;
  /** esm_class 0: nothing but its content marks a receipt. */
  readonly unmarkedReceipts: boolean;
  /** Receipt dates have seconds: 12 digits. */
  readonly receiptSeconds: boolean;
  /** An intermediate notification (ENROUTE) goes before each receipt. */
  readonly enrouteReceipts: boolean;
  /** Receipts go to another link of the system_id than the one that submitted, when there is one. */
  readonly receiptsElsewhere: boolean;
  readonly noReceipts: boolean;
  /** A receipt that was not acknowledged by then is sent again. 0: only at the next bind. */
  readonly receiptAckTimeoutMs: number;
  /** Receipts that wait for their acknowledgement on one link at most. 0: no limit, they are written all at once. */
  readonly receiptWindow: number;
};

/** How texts from handsets are coded: as they should be, or as some operators do what needs UCS-2 and what does not. */
export const TEXT_CODINGS = ["standard", "ucs2_class", "ucs2_as_default", "ucs2_little_endian"] as const;

export type TextCoding = (typeof TEXT_CODINGS)[number];

/** How the numbers of handsets are spelt, which are always called international. */
export const NUMBER_SPELLINGS = ["international", "national", "double_zero"] as const;

export type NumberSpelling = (typeof NUMBER_SPELLINGS)[number];

type IncomingQuirks = {
  readonly textCoding: TextCoding;
  readonly numberSpelling: NumberSpelling;
  /** Behind each receipt and each text from a handset stands an optional parameter that is longer than its PDU. */
  readonly brokenParameters: boolean;
  /** So many receipts about messages that nobody sent come with each receipt. */
  readonly strayReceipts: number;
};

type PaceQuirks = {
  /** submit_sm a second that one system_id may have accepted, lastingly; above it they are refused. 0: no limit. */
  readonly throttlePerSecond: number;
  /** The span in which the rate holds. */
  readonly throttleWindowMs: number;
  /** In place of a span, an allowance of so many at once that refills at the rate. 0: none. */
  readonly throttleBurst: number;
  readonly throttleStatus: number;
};

type LinkQuirks = {
  /** So many binds from now on are refused, and with what. */
  readonly refuseBinds: number;
  readonly refuseBindStatus: number;
  /** Links that one system_id may have bound; more get 0x05. 0: no limit. */
  readonly maxBinds: number;
  readonly bindDelayMs: number;
  /** Each link is sent an outbind as soon as it is there. */
  readonly outbind: boolean;
  /** A link is dropped at its so-many-th submit_sm, which is accepted and not answered. 0: never. */
  readonly dropAfter: number;
  /** Links dropped so in all, at most. 0: no limit. */
  readonly dropTimes: number;
  readonly dropMode: DropMode;
  /** A link is no longer read from its so-many-th submit_sm on, for so long (0: for ever). 0: never. */
  readonly stallAfter: number;
  readonly stallMs: number;
  /** A link is asked to unbind at its so-many-th submit_sm. 0: never. */
  readonly unbindAfter: number;
  readonly ignoreEnquireLink: boolean;
  /** How often a link is asked whether it is there. */
  readonly enquireLinkMs: number;
  /** Every octet is written apart. */
  readonly byteWrites: boolean;
  /** After each so-many-th submit_sm of a link come octets that are no sound PDU. 0: never. */
  readonly garbageEvery: number;
  readonly garbageKind: GarbageChoice;
};

type Checks = {
  /** Unanswered submit_sm of one link above which one counts as a violation. 0: not checked. */
  readonly windowCheck: number;
  /** submit_sm of one link a second above which one counts as a violation. 0: not checked. */
  readonly throughputCheck: number;
};

export const PLAIN: Quirks = {
  idFormat: "decimal",
  receiptIdCase: "same",
  responseIdPad: 0,
  receiptIdPad: 0,
  reuseIdsAfter: 0,
  responseDelayMs: 0,
  responseJitterMs: 0,
  swallowEvery: 0,
  refusePercent: 0,
  refuseStatus: 0x45,
  refusalBody: false,
  receiptDelayMs: 0,
  receiptJitterMs: 0,
  deliveredPercent: 100,
  lostReceiptPercent: 0,
  duplicateReceiptPercent: 0,
  receiptBeforeResponse: false,
  noTlvs: false,
  noReceiptText: false,
  payloadReceipts: false,
  dataSmReceipts: false,
  unmarkedReceipts: false,
  receiptSeconds: false,
  enrouteReceipts: false,
  receiptsElsewhere: false,
  noReceipts: false,
  receiptAckTimeoutMs: 0,
  receiptWindow: 100,
  textCoding: "standard",
  numberSpelling: "international",
  brokenParameters: false,
  strayReceipts: 0,
  throttlePerSecond: 0,
  throttleWindowMs: 1000,
  throttleBurst: 0,
  throttleStatus: 0x58,
  refuseBinds: 0,
  refuseBindStatus: 0x0d,
  maxBinds: 0,
  bindDelayMs: 0,
  outbind: false,
  dropAfter: 0,
  dropTimes: 0,
  dropMode: "rst",
  stallAfter: 0,
  stallMs: 0,
  unbindAfter: 0,
  ignoreEnquireLink: false,
  enquireLinkMs: 60_000,
  byteWrites: false,
  garbageEvery: 0,
  garbageKind: "cycle",
  windowCheck: 0,
  throughputCheck: 0,
};
