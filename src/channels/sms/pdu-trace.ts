/** Writes the PDUs of one connection to the trace, each with the message it is about, as far as that is known. */
import {
  hiddenDigits,
  type LogFields,
  shortNumber,
  type TraceFields,
  type TraceLog,
} from "../../core/log.ts";
import { english } from "../../i18n/text.ts";
import { type Decoded, decodePdu, type Pdu } from "../../smpp/pdu.ts";
import { messageOctets, type ShortMessage } from "../../smpp/short-message.ts";
import { statusPhrase } from "../../smpp/status.ts";
import { HEADER_OCTETS } from "../../smpp/wire-format.ts";
import { readReceipt } from "./read-deliver-sm.ts";
import { numbersAgree } from "./receipt-keys.ts";

export type PduTrace = {
  /** The next submit_sm that is written is of this message. */
  readonly leaving: (message: number) => void;
  /** Octets of a PDU that is written, or was read. */
  readonly seen: (way: "sent" | "received", octets: Uint8Array) => void;
};

/** Submits whose response is traced with its message. */
const MAX_REMEMBERED = 10_000;

/** `of` gives the fields of each trace entry at its moment: the operator and the connection. */
export function pduTrace(steps: TraceLog, of: () => TraceFields): PduTrace {
  const waiting = new Map<number, number>();
  const unanswered = new Map<number, readonly number[]>();
  let next: number | undefined;

  const messageOf = (pdu: Pdu): number | undefined => {
    switch (pdu.command) {
      case "submit_sm": {
        const message = next;
        next = undefined;
        if (message === undefined) return undefined;
        // The sequence numbers of a new session begin anew.
        waiting.delete(pdu.sequence);
        waiting.set(pdu.sequence, message);
        const oldest = waiting.keys().next().value;
        if (waiting.size > MAX_REMEMBERED && oldest !== undefined) waiting.delete(oldest);
        return message;
      }
      case "submit_sm_resp":
      case "generic_nack": {
        const message = waiting.get(pdu.sequence);
        waiting.delete(pdu.sequence);
        return message;
      }
      default:
        return undefined;
    }
  };

  /** A PDU from or to the number of a followed message may be about it; so may its response. */
  const aboutNumberOf = (pdu: Pdu): readonly number[] => {
    if (pdu.command === "deliver_sm_resp" || pdu.command === "data_sm_resp") {
      const about = unanswered.get(pdu.sequence) ?? [];
      unanswered.delete(pdu.sequence);
      return about;
    }
    if (pdu.command !== "deliver_sm" && pdu.command !== "data_sm") return [];
    const spellings = [pdu.message.sourceAddr, pdu.message.destinationAddr];
    const about = [...steps.followed]
      .filter(([, { msisdn }]) => spellings.some((spelling) => numbersAgree(msisdn, spelling)))
      .map(([message]) => message);
    if (about.length > 0) unanswered.set(pdu.sequence, about);
    return about;
  };

  return {
    leaving: (message) => {
      next = message;
    },
    seen: (way, octets) => {
      const decoded = decodePdu(octets);
      const message = decoded.ok ? messageOf(decoded.pdu) : undefined;
      const about = decoded.ok ? aboutNumberOf(decoded.pdu) : [];
      const follows = message !== undefined && steps.followed.has(message);
      if (!follows && about.length === 0 && !steps.shows("smpp")) return;
      const fields = { ...of(), ...pduFields(decoded) };
      const hex = follows || about.length > 0 ? { hex: pduHex(octets) } : {};
      if (about.length === 0) steps.tell("smpp", `PDU ${way}`, { message, ...fields, ...hex });
      for (const each of about) {
        steps.tell("smpp", `PDU ${way}, with the number of the message`, {
          message: each,
          ...fields,
          ...hex,
        });
      }
    },
  };
}

// PDUs as a log may show them: fields and octets, numbers shortened, and never a text or a password.

/** The fields of a PDU, named as in SMPP 3.4. Of a text only its length. */
export function pduFields(decoded: Decoded): LogFields {
  if (!decoded.ok) {
    const { commandId, sequence, reason } = decoded;
    return { command: `0x${commandId.toString(16).padStart(8, "0")}`, sequence_number: sequence, reason };
  }
  const { pdu } = decoded;
  const isAnswer = pdu.command.endsWith("_resp") || pdu.command === "generic_nack";
  return {
    command: pdu.command,
    sequence_number: pdu.sequence,
    ...(isAnswer && { command_status: english(statusPhrase(pdu.status)) }),
    ...("message" in pdu && messageFields(pdu.message)),
    ...("messageId" in pdu && { id: pdu.messageId }),
    ...("bind" in pdu && { system_id: pdu.bind.systemId, interface_version: pdu.bind.interfaceVersion }),
    ...("commandId" in pdu && { command_id: pdu.commandId }),
  };
}

function messageFields(message: ShortMessage): LogFields {
  const receipt = readReceipt(message);
  return {
    source_addr: shortNumber(message.sourceAddr),
    source_addr_ton: message.sourceAddrTon,
    source_addr_npi: message.sourceAddrNpi,
    destination_addr: shortNumber(message.destinationAddr),
    dest_addr_ton: message.destAddrTon,
    dest_addr_npi: message.destAddrNpi,
    esm_class: message.esmClass,
    data_coding: message.dataCoding,
    registered_delivery: message.registeredDelivery,
    validity_period: message.validityPeriod === "" ? undefined : message.validityPeriod,
    sar: message.tlvs.sarMsgRefNum === undefined ? undefined : sarWords(message.tlvs),
    text_octets: messageOctets(message).length,
    // What only looks like a receipt may be a subscriber's text.
    ...(receipt?.isMarked && { id: receipt.id, stat: receipt.rawStat, err: receipt.errorCode }),
  };
}

function sarWords({ sarMsgRefNum, sarSegmentSeqnum, sarTotalSegments }: ShortMessage["tlvs"]): string {
  return `${sarMsgRefNum}: ${sarSegmentSeqnum} of ${sarTotalSegments}`;
}

/** Commands whose body is laid out as that of submit_sm. */
const MESSAGE_COMMANDS = new Set([0x0004, 0x0005]);
/** Commands of which a log may have every octet: bodies with nothing but a system_id, or a message id. */
const PLAIN_COMMANDS = new Set([
  ...[0x0006, 0x0015, 0x8000_0000, 0x8000_0001, 0x8000_0002, 0x8000_0004, 0x8000_0005, 0x8000_0006],
  ...[0x8000_0009, 0x8000_0015, 0x8000_0103],
]);
const MESSAGE_PAYLOAD = 0x0424;
const RECEIPTED_MESSAGE_ID = 0x001e;

/** Octets in hex with "xx" for those that are of a text, a password or the middle of a number. */
export function pduHex(octets: Uint8Array): string {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const command = octets.length >= HEADER_OCTETS ? view.getUint32(4) : 0;
  const shown = new Uint8Array(octets.length).fill(1, 0, HEADER_OCTETS);
  if (PLAIN_COMMANDS.has(command)) shown.fill(1);
  else if (MESSAGE_COMMANDS.has(command)) showFields(octets, view, shown);
  return Array.from(octets, (octet, at) => {
    const blank = at > 0 && at % 4 === 0 ? " " : "";
    return blank + (shown[at] ? octet.toString(16).padStart(2, "0") : "xx");
  }).join("");
}

/** Marks what may be seen of a submit_sm or deliver_sm (SMPP 3.4 section 4.4.1); nothing behind a field that cannot be parsed. */
function showFields(octets: Uint8Array, view: DataView, shown: Uint8Array): void {
  let at = HEADER_OCTETS;
  const fixed = (count: number): void => {
    shown.fill(1, at, at + count);
    at += count;
  };
  const text = (isNumber: boolean): void => {
    const end = octets.indexOf(0, at);
    const next = end < 0 ? octets.length : end + 1;
    shown.fill(1, at, next);
    const value = String.fromCharCode(...octets.subarray(at, next - 1));
    const hidden = isNumber ? hiddenDigits(value) : null;
    if (hidden) shown.fill(0, at + hidden.from, at + hidden.to);
    at = next;
  };
  text(false);
  for (let address = 0; address < 2; address++) {
    fixed(2);
    text(true);
  }
  fixed(3);
  text(false);
  text(false);
  fixed(4);
  const length = octets[at] ?? 0;
  fixed(1);
  at += length;
  while (at + 4 <= octets.length) {
    const tag = view.getUint16(at);
    const valueAt = at + 4;
    const value = view.getUint16(at + 2);
    fixed(4);
    // Parameters that no standard names may hold anything.
    const isPlain = tag === RECEIPTED_MESSAGE_ID || (tag !== MESSAGE_PAYLOAD && tag < 0x1400 && value <= 3);
    if (isPlain) shown.fill(1, valueAt, valueAt + value);
    at = valueAt + value;
  }
}
