/**
 * Settings of the simulated operator's behaviour: ids, answers, receipts, inbound texts, throttling, connection faults.
 * Delays are milliseconds, shares percent.
 */
import type { GarbageKind } from "./garbage.ts";
import type { IdQuirks } from "./message-ids.ts";

/** How a session ends when the operator drops it. */
export const DROP_MODES = ["rst", "fin", "mid_pdu", "half_open"] as const;

/** `mid_pdu` ends in the middle of a PDU; `half_open` stays connected but no longer reads or writes. */
export type DropMode = (typeof DROP_MODES)[number];

type GarbageChoice = GarbageKind | "cycle";

/**
 * How this operator behaves. Every field is one quirk that real operators have; each is read in one place, and any may be
 * combined with any other. `PLAIN` is an operator that does everything right and at once.
 */
export type Quirks = IdQuirks &
  AnswerQuirks &
  ReceiptQuirks &
  IncomingQuirks &
  PaceQuirks &
  LinkQuirks &
  Checks;

type AnswerQuirks = {
  /** Delay from the submit_sm to its response. */
  readonly responseDelayMs: number;
  /** Up to this much more, evenly distributed, so that responses come out of order. */
  readonly responseJitterMs: number;
  /** Every n-th submit_sm since the start is accepted and never answered. 0: all are answered. */
  readonly swallowEvery: number;
  /** How many of 100 submit_sm are refused, and with which status. */
  readonly refusePercent: number;
  readonly refuseStatus: number;
  /** A refusal carries an empty message_id instead of no body. */
  readonly refusalBody: boolean;
};

type ReceiptQuirks = {
  /** Delay from the response to the handset, and so to the receipt. */
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
  /** esm_class 0: only its content marks a receipt. */
  readonly unmarkedReceipts: boolean;
  /** Receipt dates have seconds: 12 digits. */
  readonly receiptSeconds: boolean;
  /** An intermediate notification (ENROUTE) goes before each receipt. */
  readonly enrouteReceipts: boolean;
  /** Receipts go to another session of the system_id than the one that submitted, when there is one. */
  readonly receiptsElsewhere: boolean;
  readonly noReceipts: boolean;
  /** A receipt not acknowledged within this time is sent again. 0: only at the next bind. */
  readonly receiptAckTimeoutMs: number;
  /** The most receipts that wait for their acknowledgement on one session. 0: no limit, all are written at once. */
  readonly receiptWindow: number;
};

/** How texts from handsets are coded: as the standard says, or in the wrong ways of some operators. */
export const TEXT_CODINGS = ["standard", "ucs2_class", "ucs2_as_default", "ucs2_little_endian"] as const;

type TextCoding = (typeof TEXT_CODINGS)[number];

/** How the numbers of handsets are written; their type is always given as international. */
export const NUMBER_SPELLINGS = ["international", "national", "double_zero"] as const;

type NumberSpelling = (typeof NUMBER_SPELLINGS)[number];

type IncomingQuirks = {
  readonly textCoding: TextCoding;
  readonly numberSpelling: NumberSpelling;
  /** Each receipt and each text from a handset ends in an optional parameter that is longer than its PDU. */
  readonly brokenParameters: boolean;
  /** How many receipts about messages that were never sent come with each receipt. */
  readonly strayReceipts: number;
};

type PaceQuirks = {
  /** The lasting rate of submit_sm a second accepted from one system_id; more are refused. 0: no limit. */
  readonly throttlePerSecond: number;
  /** The window in which the rate holds. */
  readonly throttleWindowMs: number;
  /** In place of a window, a bucket of this many that refills at the rate. 0: none. */
  readonly throttleBurst: number;
  readonly throttleStatus: number;
};

type LinkQuirks = {
  /** How many binds from now on are refused, and with which status. */
  readonly refuseBinds: number;
  readonly refuseBindStatus: number;
  /** Sessions that one system_id may have bound; more get 0x05. 0: no limit. */
  readonly maxBinds: number;
  readonly bindDelayMs: number;
  /** Each session is sent an outbind as soon as it is connected. */
  readonly outbind: boolean;
  /** A session is dropped at its n-th submit_sm, which is accepted and not answered. 0: never. */
  readonly dropAfter: number;
  /** The most sessions dropped that way in all. 0: no limit. */
  readonly dropTimes: number;
  readonly dropMode: DropMode;
  /** A session is no longer read from its n-th submit_sm on, for the given time (0: for ever). 0: never. */
  readonly stallAfter: number;
  readonly stallMs: number;
  /** A session is asked to unbind at its n-th submit_sm. 0: never. */
  readonly unbindAfter: number;
  readonly ignoreEnquireLink: boolean;
  /** How often a session is sent an enquire_link. */
  readonly enquireLinkMs: number;
  /** Every octet is written separately. */
  readonly byteWrites: boolean;
  /** After every n-th submit_sm of a session come octets that are no valid PDU. 0: never. */
  readonly garbageEvery: number;
  readonly garbageKind: GarbageChoice;
};

type Checks = {
  /** Unanswered submit_sm of one session above which another counts as a violation. 0: not checked. */
  readonly windowCheck: number;
  /** submit_sm of one session a second above which another counts as a violation. 0: not checked. */
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
