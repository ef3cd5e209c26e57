/**
 * SMPP 3.4 as a centre needs it, read and written by hand from the standard: what the appliance's codec gets wrong must not be wrong
 * here in the same way.
 */

export const COMMAND = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  bind_transceiver: 0x09,
  enquire_link: 0x15,
  data_sm: 0x103,
} as const;

export const RESPONSE = 0x80000000;
export const GENERIC_NACK = 0x80000000;

export const STATUS = {
  ok: 0x00,
  invalidLength: 0x02,
  invalidCommand: 0x03,
  notBound: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  bindFailed: 0x0d,
  queueFull: 0x14,
  throttled: 0x58,
  temporary: 0x64,
} as const;

export const TLV = {
  receipted_message_id: 0x001e,
  sc_interface_version: 0x0210,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const;

export type Address = { readonly ton: number; readonly npi: number; readonly digits: string };

/** What of a submit_sm a centre looks at. */
export type Submitted = {
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  /** short_message, or message_payload when that is empty; any user data header included. */
  readonly message: Uint8Array;
};

type Head = { readonly sequence: number; readonly status: number };

/** How a link is bound: what may go over it. */
export type Bound = "transmitter" | "receiver" | "transceiver";

export type Read = Head &
  (
    | { readonly is: "bind"; readonly as: Bound; readonly command: number }
    | { readonly is: "submit"; readonly submitted: Submitted }
    | {
        readonly is:
          | "deliver response"
          | "unbind"
          | "unbind response"
          | "enquire"
          | "enquire response"
          | "nack"
          /** No command that a centre takes, or a body that ends too soon. */
          | "unreadable";
      }
  );

/** Reads a whole PDU. */
export function readPdu(octets: Uint8Array): Read {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const head: Head = { status: view.getUint32(8), sequence: view.getUint32(12) };
  const command = view.getUint32(4);
  switch (command) {
    case COMMAND.bind_receiver:
      return { ...head, is: "bind", as: "receiver", command };
    case COMMAND.bind_transmitter:
      return { ...head, is: "bind", as: "transmitter", command };
    case COMMAND.bind_transceiver:
      return { ...head, is: "bind", as: "transceiver", command };
    case COMMAND.submit_sm: {
      const submitted = readSubmit(octets);
      return submitted === null ? { ...head, is: "unreadable" } : { ...head, is: "submit", submitted };
    }
    case COMMAND.deliver_sm + RESPONSE:
    case COMMAND.data_sm + RESPONSE:
      return { ...head, is: "deliver response" };
    case COMMAND.unbind:
      return { ...head, is: "unbind" };
    case COMMAND.unbind + RESPONSE:
      return { ...head, is: "unbind response" };
    case COMMAND.enquire_link:
      return { ...head, is: "enquire" };
    case COMMAND.enquire_link + RESPONSE:
      return { ...head, is: "enquire response" };
    case GENERIC_NACK:
      return { ...head, is: "nack" };
    default:
      return { ...head, is: "unreadable" };
  }
}

/** The body of a submit_sm (SMPP 3.4 section 4.4.1); null when it ends too soon. */
function readSubmit(octets: Uint8Array): Submitted | null {
  let at = 16;
  let isShort = false;
  const octet = (): number => {
    if (at >= octets.length) isShort = true;
    return octets[at++] ?? 0;
  };
  const text = (): string => {
    const end = octets.indexOf(0, at);
    if (end < 0) isShort = true;
    const read = latin(octets.subarray(at, end < 0 ? octets.length : end));
    at = end < 0 ? octets.length : end + 1;
    return read;
  };
  const address = (): Address => ({ ton: octet(), npi: octet(), digits: text() });
  text(); // service_type
  const source = address();
  const destination = address();
  const esmClass = octet();
  octet(); // protocol_id
  octet(); // priority_flag
  text(); // schedule_delivery_time
  text(); // validity_period
  const registeredDelivery = octet();
  octet(); // replace_if_present_flag
  const dataCoding = octet();
  octet(); // sm_default_msg_id
  const length = octet();
  if (isShort || at + length > octets.length) return null;
  const short = octets.subarray(at, at + length);
  const message = length > 0 ? short : (tlvOf(octets, at + length, TLV.message_payload) ?? short);
  return { source, destination, esmClass, registeredDelivery, dataCoding, message };
}

function tlvOf(octets: Uint8Array, from: number, tag: number): Uint8Array | null {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  for (let at = from; at + 4 <= octets.length; at += 4 + view.getUint16(at + 2)) {
    if (view.getUint16(at) === tag) return octets.subarray(at + 4, at + 4 + view.getUint16(at + 2));
  }
  return null;
}

export type Heading = { readonly command: number; readonly status?: number; readonly sequence: number };

/** A whole PDU of a body's pieces. */
export function pduOf(
  { command, status = 0, sequence }: Heading,
  ...body: readonly Uint8Array[]
): Uint8Array {
  const length = body.reduce((sum, piece) => sum + piece.length, 16);
  const octets = new Uint8Array(length);
  const view = new DataView(octets.buffer);
  [length, command, status, sequence].forEach((word, index) => {
    view.setUint32(index * 4, word);
  });
  let at = 16;
  for (const piece of body) {
    octets.set(piece, at);
    at += piece.length;
  }
  return octets;
}

/** A text with its closing zero. */
export function cString(text: string): Uint8Array {
  return Uint8Array.from([...octetsOf(text), 0]);
}

/** An optional parameter. */
export function tlv(tag: number, value: Uint8Array): Uint8Array {
  return Uint8Array.from([tag >> 8, tag & 0xff, value.length >> 8, value.length & 0xff, ...value]);
}

export type Delivered = {
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly message: Uint8Array;
  readonly tlvs?: readonly Uint8Array[];
  /** It leaves in a data_sm. */
  readonly isData?: boolean;
};

/** A deliver_sm, or a data_sm, whose text stands in message_payload (SMPP 3.4 sections 4.6.1 and 4.7.1). */
export function deliverSm(sequence: number, delivered: Delivered): Uint8Array {
  const { source, destination, esmClass, dataCoding, message, tlvs = [], isData = false } = delivered;
  const addresses = [source, destination].flatMap(({ ton, npi, digits }) => [
    Uint8Array.of(ton, npi),
    cString(digits),
  ]);
  if (isData) {
    const payload = message.length > 0 ? [tlv(TLV.message_payload, message)] : [];
    const heading = { command: COMMAND.data_sm, sequence };
    // service_type; registered_delivery stands between the two.
    return pduOf(
      heading,
      Uint8Array.of(0),
      ...addresses,
      Uint8Array.of(esmClass, 0, dataCoding),
      ...tlvs,
      ...payload,
    );
  }
  return pduOf(
    { command: COMMAND.deliver_sm, sequence },
    Uint8Array.of(0),
    ...addresses,
    // protocol_id, priority_flag, schedule_delivery_time, validity_period, registered_delivery, replace_if_present_flag
    Uint8Array.of(esmClass, 0, 0, 0, 0, 0, 0, dataCoding, 0, message.length),
    message,
    ...tlvs,
  );
}

/** A text's octets, one a character. */
export function octetsOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

/** Octets as characters, one each. */
export function latin(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
}
