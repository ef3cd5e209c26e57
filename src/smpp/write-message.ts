/**
 * The body of submit_sm and deliver_sm as octets, without a table: one layout, which every message crosses twice (SMPP 3.4
 * sections 4.4.1 and 4.6.1). What is written and refused is what the tables of pdu-frame.ts lead to; a test holds them together.
 */
import { BugError } from "../core/assert.ts";
import type { MessageTlvs, ShortMessage } from "./short-message.ts";

/** Optional parameters that we read or write, in the order they are written (SMPP 3.4 section 5.3.2). */
export const TAG = {
  messagePayload: 0x0424,
  receiptedMessageId: 0x001e,
  messageState: 0x0427,
  networkErrorCode: 0x0423,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
} as const;
/** In front of each optional parameter: tag and length. */
export const TLV_HEADER_OCTETS = 4;
/** Fields of one octet, NULs of texts, and the optional parameters that are numbers: what a message takes beside its texts. */
const FIXED_OCTETS = 96;
export const MAX_SHORT_MESSAGE_LENGTH = 254;

/** About the octets that the body of a message takes: never less than it does. */
export function maxOctets(message: ShortMessage): number {
  const { messagePayload, receiptedMessageId, networkErrorCode } = message.tlvs;
  return (
    FIXED_OCTETS +
    message.serviceType.length +
    message.sourceAddr.length +
    message.destinationAddr.length +
    message.scheduleDeliveryTime.length +
    message.validityPeriod.length +
    message.shortMessage.length +
    (messagePayload?.length ?? 0) +
    (receiptedMessageId?.length ?? 0) +
    (networkErrorCode?.length ?? 0)
  );
}

/** Writes the body of a message from `begin` on, where there is room for it; where it ends. Throws as `encodePdu` says. */
export function writeMessageBody(to: Buffer, begin: number, message: ShortMessage): number {
  let at = writeText(to, begin, "service_type", message.serviceType);
  at = writeOctet(to, at, "source_addr_ton", message.sourceAddrTon);
  at = writeOctet(to, at, "source_addr_npi", message.sourceAddrNpi);
  at = writeText(to, at, "source_addr", message.sourceAddr);
  at = writeOctet(to, at, "dest_addr_ton", message.destAddrTon);
  at = writeOctet(to, at, "dest_addr_npi", message.destAddrNpi);
  at = writeText(to, at, "destination_addr", message.destinationAddr);
  at = writeOctet(to, at, "esm_class", message.esmClass);
  at = writeOctet(to, at, "protocol_id", message.protocolId);
  at = writeOctet(to, at, "priority_flag", message.priorityFlag);
  at = writeText(to, at, "schedule_delivery_time", message.scheduleDeliveryTime);
  at = writeText(to, at, "validity_period", message.validityPeriod);
  at = writeOctet(to, at, "registered_delivery", message.registeredDelivery);
  at = writeOctet(to, at, "replace_if_present_flag", message.replaceIfPresentFlag);
  at = writeOctet(to, at, "data_coding", message.dataCoding);
  at = writeOctet(to, at, "sm_default_msg_id", message.smDefaultMsgId);
  const { length } = message.shortMessage;
  if (length > MAX_SHORT_MESSAGE_LENGTH) throw new BugError("short_message is longer than 254 octets");
  to[at] = length;
  to.set(message.shortMessage, at + 1);
  return writeParameters(to, at + 1 + length, message.tlvs);
}

function writeParameters(to: Buffer, begin: number, tlvs: MessageTlvs): number {
  let at = begin;
  const { messagePayload, receiptedMessageId, messageState, networkErrorCode } = tlvs;
  const { sarMsgRefNum, sarTotalSegments, sarSegmentSeqnum } = tlvs;
  if (messagePayload !== undefined) at = writeParameter(to, at, TAG.messagePayload, messagePayload);
  if (receiptedMessageId !== undefined) {
    const text = Buffer.from(`${receiptedMessageId}\0`, "latin1");
    at = writeParameter(to, at, TAG.receiptedMessageId, text);
  }
  if (messageState !== undefined) at = writeNumber(to, at, TAG.messageState, 1, messageState);
  if (networkErrorCode !== undefined) at = writeParameter(to, at, TAG.networkErrorCode, networkErrorCode);
  if (sarMsgRefNum !== undefined) at = writeNumber(to, at, TAG.sarMsgRefNum, 2, sarMsgRefNum);
  if (sarTotalSegments !== undefined) at = writeNumber(to, at, TAG.sarTotalSegments, 1, sarTotalSegments);
  if (sarSegmentSeqnum !== undefined) at = writeNumber(to, at, TAG.sarSegmentSeqnum, 1, sarSegmentSeqnum);
  return at;
}

function writeParameter(to: Buffer, at: number, tag: number, octets: Uint8Array): number {
  to.writeUInt16BE(tag, at);
  to.writeUInt16BE(octets.length, at + 2);
  to.set(octets, at + TLV_HEADER_OCTETS);
  return at + TLV_HEADER_OCTETS + octets.length;
}

function writeNumber(to: Buffer, at: number, tag: number, length: 1 | 2, value: number): number {
  to.writeUInt16BE(tag, at);
  to.writeUInt16BE(length, at + 2);
  to.writeUIntBE(value, at + TLV_HEADER_OCTETS, length);
  return at + TLV_HEADER_OCTETS + length;
}

function writeOctet(to: Buffer, at: number, name: string, value: number): number {
  if (!(value >= 0 && value <= 0xff)) throw new BugError(`${name} must be an octet`);
  to[at] = value;
  return at + 1;
}

/** A text and the NUL behind it. @throws where it is not ASCII, or has a NUL of its own, which would shift every later field */
export function writeText(to: Buffer, begin: number, name: string, text: string): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 0x7f) throw new BugError(`${name} must be ASCII without NUL`);
    to[begin + index] = code;
  }
  const end = begin + text.length;
  to[end] = 0;
  return end + 1;
}
