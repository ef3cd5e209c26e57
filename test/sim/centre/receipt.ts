import type { CentreHabits } from "../plan.ts";
import { type Address, type Delivered, latin, octetsOf, type Submitted, TLV, tlv } from "./pdu.ts";
import { MESSAGE_STATE, type Stat } from "./stat.ts";

export type ReceiptFacts = {
  readonly about: Submitted;
  /** As this centre writes it in receipts. */
  readonly id: string;
  /** The subscriber it says it is about. */
  readonly number: Address;
  readonly stat: Stat;
  readonly error: number;
  readonly submittedAtMs: number;
  readonly doneAtMs: number;
};

const ESM_RECEIPT = 0x04;
const ESM_INTERMEDIATE = 0x20;
const ESM_UDHI = 0x40;
const UCS2 = 0x08;
const GSM_NETWORK = 3;

/** A receipt as a deliver_sm, marked as the centre marks them. */
export function receiptOf(facts: ReceiptFacts, marks: CentreHabits["marks"], isInPayload = false): Delivered {
  const { about, number, stat } = facts;
  const isIntermediate = stat === "ENROUTE" || stat === "ACCEPTD";
  const marked = isIntermediate ? ESM_INTERMEDIATE : ESM_RECEIPT;
  const text = octetsOf(receiptText(facts));
  const tlvs = marks === "both" ? receiptTlvs(facts) : [];
  return {
    source: number,
    destination: about.source,
    esmClass: marks === "none" ? 0 : marked,
    dataCoding: 0,
    message: isInPayload ? new Uint8Array(0) : text,
    tlvs: isInPayload ? [...tlvs, tlv(TLV.message_payload, text)] : tlvs,
  };
}

function receiptTlvs({ id, stat, error }: ReceiptFacts): Uint8Array[] {
  return [
    tlv(TLV.receipted_message_id, octetsOf(`${id}\0`)),
    tlv(TLV.message_state, Uint8Array.of(MESSAGE_STATE[stat])),
    tlv(TLV.network_error_code, Uint8Array.of(GSM_NETWORK, error >> 8, error & 0xff)),
  ];
}

/** The text of SMPP 3.4 appendix B, with the beginning of the customer's own words at its end. */
export function receiptText(facts: Omit<ReceiptFacts, "number">): string {
  const { about, id, stat, error, submittedAtMs, doneAtMs } = facts;
  const dlvrd = stat === "DELIVRD" ? "001" : "000";
  return (
    `id:${id} sub:001 dlvrd:${dlvrd} submit date:${date(submittedAtMs)} done date:${date(doneAtMs)} ` +
    `stat:${stat} err:${String(error).padStart(3, "0")} text:${beginning(about)}`
  );
}

/** YYMMDDhhmm of UTC. */
function date(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\D/g, "").slice(2, 12);
}

/** The first 20 characters of a text, those outside ASCII as question marks. */
function beginning({ message, esmClass, dataCoding }: Submitted): string {
  const isHeaded = (esmClass & ESM_UDHI) !== 0;
  const text = isHeaded ? message.subarray(1 + (message[0] ?? 0)) : message;
  const characters = dataCoding === UCS2 ? utf16(text) : latin(text);
  return characters.slice(0, 20).replace(/[^ -~]/g, "?");
}

function utf16(octets: Uint8Array): string {
  return Buffer.from(octets.subarray(0, octets.length & ~1))
    .swap16()
    .toString("utf16le");
}
