/**
 * The operations that only a centre is asked for: query_sm, cancel_sm, replace_sm, submit_multi (SMPP 3.4 sections 4.5,
 * 4.8, 4.9 and 4.10). The appliance never sends them, so they are read and written here and not in the codec.
 */
import { COMMAND_IDS } from "../smpp/command.ts";
import { decodePdu } from "../smpp/pdu.ts";
import type { ShortMessage } from "../smpp/short-message.ts";

const OPERATION_IDS = {
  query_sm: 0x03,
  replace_sm: 0x07,
  cancel_sm: 0x08,
  submit_multi: 0x21,
} as const;

export type OperationName = keyof typeof OPERATION_IDS;

/** A destination of a submit_multi: a number's message, or a distribution list, of which this operator has none. */
export type MultiDestination =
  | { readonly kind: "address"; readonly message: ShortMessage }
  | { readonly kind: "list"; readonly name: string };

export type Operation = { readonly sequence: number } & (
  | { readonly name: "query_sm"; readonly messageId: string; readonly sourceAddr: string }
  | {
      readonly name: "cancel_sm";
      /** Empty: every message between the two addresses. */
      readonly messageId: string;
      readonly sourceAddr: string;
      readonly destinationAddr: string;
    }
  | {
      readonly name: "replace_sm";
      readonly messageId: string;
      readonly sourceAddr: string;
      readonly registeredDelivery: number;
      readonly shortMessage: Uint8Array;
    }
  | { readonly name: "submit_multi"; readonly destinations: readonly MultiDestination[] }
);

/** The operation in a whole frame; null for any other command, "broken" where its fields are not all there. */
export function readOperation(frame: Uint8Array): Operation | "broken" | null {
  const buffer = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const id = buffer.readUInt32BE(4);
  const sequence = buffer.readUInt32BE(12);
  const fields = cursorOn(buffer);
  try {
    switch (id) {
      case OPERATION_IDS.query_sm: {
        const messageId = fields.text();
        return { name: "query_sm", sequence, messageId, sourceAddr: fields.address().text };
      }
      case OPERATION_IDS.cancel_sm: {
        fields.text();
        const messageId = fields.text();
        const sourceAddr = fields.address().text;
        const destinationAddr = fields.address().text;
        return { name: "cancel_sm", sequence, messageId, sourceAddr, destinationAddr };
      }
      case OPERATION_IDS.replace_sm: {
        const messageId = fields.text();
        const sourceAddr = fields.address().text;
        fields.text();
        fields.text();
        const registeredDelivery = fields.octet();
        fields.octet();
        const shortMessage = fields.octets(fields.octet());
        return { name: "replace_sm", sequence, messageId, sourceAddr, registeredDelivery, shortMessage };
      }
      case OPERATION_IDS.submit_multi:
        return { name: "submit_multi", sequence, destinations: destinationsOf(buffer, fields) };
      default:
        return null;
    }
  } catch (error) {
    if (error instanceof RangeError) return "broken";
    throw error;
  }
}

/** Of a submit_multi everything but its list of destinations is laid out as in submit_sm: each becomes one. */
function destinationsOf(frame: Buffer, fields: Cursor): MultiDestination[] {
  fields.text();
  fields.address();
  const head = frame.subarray(HEADER, fields.place());
  const count = fields.octet();
  const found: (Buffer | string)[] = [];
  for (let each = 0; each < count; each++) {
    const flag = fields.octet();
    if (flag === BY_ADDRESS) found.push(fields.address().octets);
    else if (flag === BY_LIST) found.push(fields.text());
    else throw new RangeError("dest_flag is neither 1 nor 2");
  }
  const rest = frame.subarray(fields.place());
  return found.map((destination): MultiDestination => {
    if (typeof destination === "string") return { kind: "list", name: destination };
    const decoded = decodePdu(framed(COMMAND_IDS.submit_sm, 0, 1, Buffer.concat([head, destination, rest])));
    if (!decoded.ok || decoded.pdu.command !== "submit_sm") throw new RangeError("the message is cut short");
    return { kind: "address", message: decoded.pdu.message };
  });
}

const HEADER = 16;
const BY_ADDRESS = 1;
const BY_LIST = 2;

type Cursor = {
  readonly octet: () => number;
  readonly octets: (count: number) => Uint8Array;
  /** A text up to its NUL. */
  readonly text: () => string;
  /** Type of number, numbering plan and the address: its text, and the octets of all three. */
  readonly address: () => { readonly text: string; readonly octets: Buffer };
  readonly place: () => number;
};

/** Reads a body field by field. @throws RangeError where it ends too early. */
function cursorOn(frame: Buffer): Cursor {
  let at = HEADER;
  const octets = (count: number): Buffer => {
    if (at + count > frame.length) throw new RangeError("the body ends within a field");
    at += count;
    return frame.subarray(at - count, at);
  };
  const octet = (): number => octets(1)[0] ?? 0;
  const text = (): string => {
    const end = frame.indexOf(0, at);
    if (end < 0) throw new RangeError("a text has no end");
    const found = frame.toString("latin1", at, end);
    at = end + 1;
    return found;
  };
  return {
    octet,
    octets: (count) => Uint8Array.from(octets(count)),
    text,
    address: () => {
      const begin = at;
      octets(2);
      const found = text();
      return { text: found, octets: frame.subarray(begin, at) };
    },
    place: () => at,
  };
}

function framed(id: number, status: number, sequence: number, body: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(HEADER + body.length, 0);
  header.writeUInt32BE(id, 4);
  header.writeUInt32BE(status, 8);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}

const cString = (text: string): Buffer => Buffer.from(`${text}\0`, "latin1");

/** The response to an operation; one that is refused has no body. */
export function operationResponse(
  name: OperationName,
  sequence: number,
  status: number,
  body: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return framed(0x80000000 + OPERATION_IDS[name], status, sequence, body);
}

/** The body of query_sm_resp. `finalDate` is empty while the message is under way. */
export function queryBody(
  messageId: string,
  finalDate: string,
  state: number,
  errorCode: number,
): Uint8Array {
  return Buffer.concat([cString(messageId), cString(finalDate), Uint8Array.of(state, errorCode & 0xff)]);
}

/** A destination of a submit_multi that was not taken. */
export type Unsuccessful = {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
  readonly status: number;
};

/** The body of submit_multi_resp. */
export function multiBody(messageId: string, unsuccessful: readonly Unsuccessful[]): Uint8Array {
  const each = unsuccessful.map(({ ton, npi, address, status }) => {
    const error = Buffer.alloc(4);
    error.writeUInt32BE(status, 0);
    return Buffer.concat([Uint8Array.of(ton, npi), cString(address), error]);
  });
  return Buffer.concat([cString(messageId), Uint8Array.of(unsuccessful.length), ...each]);
}
