/** SMPP 3.4 as the auditor reads it: a small decoder of its own, which shares no line with the appliance's. */

/** Commands by their id; a response has the same with the first bit set. */
const COMMANDS = new Map<number, CommandName>([
  [0x00000001, "bind_receiver"],
  [0x00000002, "bind_transmitter"],
  [0x00000004, "submit_sm"],
  [0x00000005, "deliver_sm"],
  [0x00000006, "unbind"],
  [0x00000009, "bind_transceiver"],
  [0x00000015, "enquire_link"],
  [0x00000103, "data_sm"],
]);

export type CommandName =
  | "bind_receiver"
  | "bind_transmitter"
  | "bind_transceiver"
  | "submit_sm"
  | "deliver_sm"
  | "data_sm"
  | "unbind"
  | "enquire_link";

const RESPONSE = 0x80000000;

export type Tlvs = ReadonlyMap<number, Uint8Array>;

/** What submit_sm, deliver_sm and data_sm have in common. */
export type Text = {
  readonly source: string;
  readonly destination: string;
  readonly esmClass: number;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  /** short_message, or message_payload where that carries the text. */
  readonly octets: Uint8Array;
  readonly tlvs: Tlvs;
};

export type Pdu = { readonly status: number; readonly sequence: number } & (
  | { readonly kind: "bind"; readonly command: CommandName; readonly systemId: string }
  | { readonly kind: "submit_sm"; readonly text: Text }
  /** Either may carry a receipt. */
  | { readonly kind: "deliver_sm"; readonly command: "deliver_sm" | "data_sm"; readonly text: Text }
  | { readonly kind: "enquire_link" }
  | { readonly kind: "unbind" }
  | { readonly kind: "generic_nack" }
  /** The id that submit_sm_resp gives; empty for the others. */
  | { readonly kind: "response"; readonly to: CommandName; readonly messageId: string }
  /** No PDU of this protocol. */
  | { readonly kind: "other"; readonly commandId: number; readonly why: string }
);

export const TLV = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarSequence: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** One whole PDU, header included. What can't be read is "other". */
export function readPdu(octets: Uint8Array): Pdu {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  if (octets.length < 16) return other(0, 0, 0, "shorter than a header");
  const [length, id, status, sequence] = [0, 4, 8, 12].map((at) => view.getUint32(at)) as Header;
  if (length !== octets.length)
    return other(id, status, sequence, `says ${length} of ${octets.length} octets`);
  try {
    return readBody(id, status, sequence, cursorOf(octets, 16));
  } catch (failure) {
    return other(id, status, sequence, failure instanceof Error ? failure.message : "unreadable");
  }
}

type Header = [length: number, id: number, status: number, sequence: number];

function other(commandId: number, status: number, sequence: number, why: string): Pdu {
  return { kind: "other", commandId, status, sequence, why };
}

function readBody(id: number, status: number, sequence: number, body: Cursor): Pdu {
  if (id === RESPONSE) return { kind: "generic_nack", status, sequence };
  const command = COMMANDS.get(id & 0x7fffffff);
  if (command === undefined) return other(id, status, sequence, "unknown command");
  if (id >= RESPONSE) return readResponse(command, status, sequence, body);
  switch (command) {
    case "bind_receiver":
    case "bind_transmitter":
    case "bind_transceiver":
      return { kind: "bind", command, systemId: body.text(), status, sequence };
    case "submit_sm":
      return { kind: "submit_sm", text: readText(body), status, sequence };
    case "deliver_sm":
      return { kind: "deliver_sm", command, text: readText(body), status, sequence };
    case "data_sm":
      return { kind: "deliver_sm", command, text: readData(body), status, sequence };
    case "enquire_link":
    case "unbind":
      return { kind: command, status, sequence };
    default:
      return other(id, status, sequence, "unknown command");
  }
}

function readResponse(to: CommandName, status: number, sequence: number, body: Cursor): Pdu {
  const hasId = to === "submit_sm" && body.left() > 0;
  return { kind: "response", to, messageId: hasId ? body.text() : "", status, sequence };
}

function readText(body: Cursor): Text {
  body.text(); // service_type
  const source = readAddress(body);
  const destination = readAddress(body);
  const esmClass = body.octet();
  body.octet(); // protocol_id
  body.octet(); // priority_flag
  body.text(); // schedule_delivery_time
  body.text(); // validity_period
  const registeredDelivery = body.octet();
  body.octet(); // replace_if_present_flag
  const dataCoding = body.octet();
  body.octet(); // sm_default_msg_id
  const short = body.take(body.octet());
  const tlvs = readTlvs(body);
  const octets = short.length > 0 ? short : (tlvs.get(TLV.messagePayload) ?? short);
  return { source, destination, esmClass, registeredDelivery, dataCoding, octets, tlvs };
}

function readData(body: Cursor): Text {
  body.text(); // service_type
  const source = readAddress(body);
  const destination = readAddress(body);
  const esmClass = body.octet();
  const registeredDelivery = body.octet();
  const dataCoding = body.octet();
  const tlvs = readTlvs(body);
  const octets = tlvs.get(TLV.messagePayload) ?? new Uint8Array(0);
  return { source, destination, esmClass, registeredDelivery, dataCoding, octets, tlvs };
}

function readAddress(body: Cursor): string {
  body.octet(); // type of number
  body.octet(); // numbering plan
  return body.text();
}

/** Most texts have none, and there are many. */
const NO_TLVS: Tlvs = new Map();

function readTlvs(body: Cursor): Tlvs {
  if (body.left() < 4) return NO_TLVS;
  const tlvs = new Map<number, Uint8Array>();
  while (body.left() >= 4) {
    const tag = body.octet() * 256 + body.octet();
    tlvs.set(tag, body.take(body.octet() * 256 + body.octet()));
  }
  return tlvs;
}

/** Octets as Latin-1, each its own code point, so that nothing of an id or an address is lost. */
export function latin1(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
}

type Cursor = {
  readonly octet: () => number;
  /** A text up to its NUL. */
  readonly text: () => string;
  readonly take: (count: number) => Uint8Array;
  readonly left: () => number;
};

function cursorOf(octets: Uint8Array, from: number): Cursor {
  let at = from;
  const take = (count: number) => {
    if (at + count > octets.length) throw new Error("a field runs over the end");
    at += count;
    return octets.subarray(at - count, at);
  };
  return {
    octet: () => {
      if (at >= octets.length) throw new Error("a field runs over the end");
      at += 1;
      return octets[at - 1] ?? 0;
    },
    take,
    text: () => {
      const end = octets.indexOf(0, at);
      if (end === -1) throw new Error("a text without its end");
      const found = latin1(octets.subarray(at, end));
      at = end + 1;
      return found;
    },
    left: () => octets.length - at,
  };
}
