/** The message that submit_sm, deliver_sm and data_sm carry (`ShortMessage`), and the optional parameters that we know. */
import { createHash } from "node:crypto";

/** Optional parameters that we read or write (SMPP 3.4 section 5.3.2). Others are ignored on the way in. */
export type MessageTlvs = {
  /** 0x0424: the text when it is too long for short_message. Raw octets, any user data header included. */
  readonly messagePayload?: Uint8Array;
  /** 0x001E: the message a receipt is about. */
  readonly receiptedMessageId?: string;
  /** 0x0427: the state a receipt tells (SMPP 3.4 section 5.2.28). */
  readonly messageState?: number;
  /** 0x0423: one octet of network type and two of error. */
  readonly networkErrorCode?: Uint8Array;
  readonly sarMsgRefNum?: number;
  readonly sarTotalSegments?: number;
  readonly sarSegmentSeqnum?: number;
  /** 0x0204: the client's own number of a message, which its receipt repeats. */
  readonly userMessageReference?: number;
  /** 0x1400, our own: what the client calls the message. */
  readonly clientReference?: Uint8Array;
};

/**
 * The body that submit_sm, deliver_sm and data_sm share (SMPP 3.4 sections 4.4.1, 4.6.1, 4.7.1). data_sm carries
 * only the addresses, service_type, esm_class, registered_delivery, data_coding and the optional parameters; read
 * from a data_sm the others are zero and empty. Texts are ASCII, message octets always raw.
 */
export type ShortMessage = {
  readonly serviceType: string;
  readonly sourceAddrTon: number;
  readonly sourceAddrNpi: number;
  readonly sourceAddr: string;
  readonly destAddrTon: number;
  readonly destAddrNpi: number;
  readonly destinationAddr: string;
  readonly esmClass: number;
  readonly protocolId: number;
  readonly priorityFlag: number;
  /** `YYMMDDhhmmsstnnp` or empty (SMPP 3.4 section 7.1.1), never interpreted here. */
  readonly scheduleDeliveryTime: string;
  /** The same format; empty leaves it to the operator. */
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly replaceIfPresentFlag: number;
  readonly dataCoding: number;
  readonly smDefaultMsgId: number;
  /** At most 254 octets, any user data header included. */
  readonly shortMessage: Uint8Array;
  readonly tlvs: MessageTlvs;
};

/** esm_class: the text begins with a user data header (SMPP 3.4 section 5.2.12). */
export const ESM_UDHI = 0x40;
/** esm_class of a deliver_sm: the bits that tell what kind of message it is. */
export const ESM_TYPE_MASK = 0x3c;
/** esm_class of a deliver_sm: an operator's delivery receipt. */
export const ESM_RECEIPT = 0x04;
/** esm_class of a deliver_sm: an intermediate notification. */
export const ESM_INTERMEDIATE = 0x20;

const EMPTY: ShortMessage = {
  serviceType: "",
  sourceAddrTon: 0,
  sourceAddrNpi: 0,
  sourceAddr: "",
  destAddrTon: 0,
  destAddrNpi: 0,
  destinationAddr: "",
  esmClass: 0,
  protocolId: 0,
  priorityFlag: 0,
  scheduleDeliveryTime: "",
  validityPeriod: "",
  registeredDelivery: 0,
  replaceIfPresentFlag: 0,
  dataCoding: 0,
  smDefaultMsgId: 0,
  shortMessage: new Uint8Array(0),
  tlvs: {},
};

/** A message body whose fields are zero and empty but for those given. */
export function shortMessage(fields: Partial<ShortMessage>): ShortMessage {
  return { ...EMPTY, ...fields };
}

/** The message's octets wherever they were carried: short_message, or message_payload when that is empty. */
export function messageOctets(message: ShortMessage): Uint8Array {
  return message.shortMessage.length > 0
    ? message.shortMessage
    : (message.tlvs.messagePayload ?? message.shortMessage);
}

/** About the octets that a stored message takes. */
export function countOctets({ shortMessage, tlvs, sourceAddr, destinationAddr }: ShortMessage): number {
  const texts = shortMessage.length + (tlvs.messagePayload?.length ?? 0);
  return texts + sourceAddr.length + destinationAddr.length + (tlvs.receiptedMessageId?.length ?? 0);
}

/** The longest id that is kept as it is: far above the 64 characters of SMPP 3.4 section 5.2.23. */
const MAX_ID_LENGTH = 255;
const HASH_DIGITS = 64;

/**
 * An operator's id as it is stored and matched, from a response and from a receipt alike: one of more than 255 octets, which no
 * standard allows, is its beginning and the SHA-256 of all of it, so that no operator can fill the database with them.
 */
export function toStoredMessageId(id: string): string {
  if (id.length <= MAX_ID_LENGTH) return id;
  const hash = createHash("sha256").update(id, "latin1").digest("hex");
  return `${id.slice(0, MAX_ID_LENGTH - HASH_DIGITS - 1)}#${hash}`;
}
