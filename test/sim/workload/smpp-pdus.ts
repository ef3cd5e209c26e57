/** The submits of a text as a customer's SMPP client writes them, but for their sequence numbers. */
import { cString, tlv } from "../centre/pdu.ts";
import type { Step } from "../plan.ts";

export type SmppTextStep = Extract<Step, { readonly kind: "smpp text" }>;

/** The alphabet that data_coding 0 means to the user. */
export type ClientAlphabet = "gsm" | "latin1" | "ascii";

const TLV = { sarReference: 0x020c, sarTotal: 0x020e, sarPart: 0x020f, payload: 0x0424 } as const;
const HEADER = 0x40;
const UTF16 = 8;
/** What is elsewhere in GSM than in Latin-1, of all that these texts have. */
const GSM: Readonly<Record<string, number>> = { é: 0x05, è: 0x04, à: 0x7f };

/** The bodies of its submits, in the order in which they are sent. */
export function submitBodies(step: SmppTextStep, alphabet: ClientAlphabet): readonly Uint8Array[] {
  const { text, cuts, order } = step;
  const pieces = cuts.map((from, place) => encode(text.slice(from, cuts[place + 1]), step.coding, alphabet));
  return order.map((place) => bodyOf(step, pieces[place] ?? new Uint8Array(0), place + 1, pieces.length));
}

function bodyOf(step: SmppTextStep, octets: Uint8Array, part: number, total: number): Uint8Array {
  const { form, reference } = step;
  switch (form) {
    case "short":
      return submitBody(step, 0, octets, []);
    case "payload":
      return submitBody(step, 0, new Uint8Array(0), [tlv(TLV.payload, octets)]);
    case "header8":
      return submitBody(step, HEADER, withHeader([0, 3, reference & 0xff, total, part], octets), []);
    case "header16": {
      const header = [8, 4, (reference >> 8) & 0xff, reference & 0xff, total, part];
      return submitBody(step, HEADER, withHeader(header, octets), []);
    }
    case "sar":
      return submitBody(step, 0, octets, [
        tlv(TLV.sarReference, Uint8Array.of((reference >> 8) & 0xff, reference & 0xff)),
        tlv(TLV.sarTotal, Uint8Array.of(total)),
        tlv(TLV.sarPart, Uint8Array.of(part)),
      ]);
  }
}

function withHeader(header: readonly number[], octets: Uint8Array): Uint8Array {
  return Uint8Array.from([header.length, ...header, ...octets]);
}

/** SMPP 3.4 section 4.4.1. */
function submitBody(
  { sender, to, coding, registered }: SmppTextStep,
  esmClass: number,
  message: Uint8Array,
  tlvs: readonly Uint8Array[],
): Uint8Array {
  return joined(
    // service_type; the sender by name, the receiver as an international number.
    Uint8Array.of(0, sender === "" ? 0 : 5, 0),
    cString(sender),
    Uint8Array.of(1, 1),
    cString(to.replace("+", "")),
    // protocol_id, priority_flag, schedule_delivery_time, validity_period; replace_if_present_flag before the coding.
    Uint8Array.of(esmClass, 0, 0, 0, 0, registered, 0, coding, 0, message.length),
    message,
    ...tlvs,
  );
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

function encode(text: string, coding: SmppTextStep["coding"], alphabet: ClientAlphabet): Uint8Array {
  if (coding === UTF16) return new Uint8Array(Buffer.from(text, "utf16le").swap16());
  const isGsm = coding === 0 && alphabet === "gsm";
  return Uint8Array.from(
    text,
    (character) => (isGsm ? GSM[character] : undefined) ?? character.charCodeAt(0),
  );
}
