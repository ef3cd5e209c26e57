/**
 * Rebuilds the PDUs of one message from what is stored of them: fields, ids, times and sequence numbers are as they were; what
 * is not stored is named with each PDU. Pure.
 */
import type { TracedMessage } from "../../domain/messages/trace.ts";
import type { Pdu } from "../../smpp/pdu.ts";
import { ESM_RECEIPT, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { type DefaultAlphabet, encodeDefaultAlphabet } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import { encodeUcs2 } from "../../text/ucs2.ts";
import { concatenationHeader } from "../../text/udh.ts";
import {
  type PduParameters,
  POST_PARAMETERS,
  type TracedAccepted,
  type TracedSubmit,
  type TracedUnaccepted,
} from "./sent-segments.ts";

type RebuiltPdu = {
  readonly atMs: number;
  readonly way: "sent" | "received";
  /** The connection's place in the operator's list, from 1; null where that was not noted. */
  readonly connection: number | null;
  readonly pdu: Pdu;
  /** What of it is not stored, and is assumed here; null where nothing is. */
  readonly assumed: string | null;
};

export type PduSources = {
  readonly message: TracedMessage;
  readonly accepted: readonly TracedAccepted[];
  readonly unaccepted: readonly TracedUnaccepted[];
  /** The concatenation reference, by which a handset tells the parts of the message from those of another. */
  readonly reference: number;
  /** The default alphabet of a connection, as it is configured today. */
  readonly alphabetOf: (connection: number) => DefaultAlphabet;
  /** Without it each character of the text is a dot. */
  readonly showText: boolean;
};

/** In the order of time. Submits of which only the acceptance was noted are not among them. */
export function rebuildPdus(of: PduSources): RebuiltPdu[] {
  const submits = [...acceptedSubmits(of.accepted), ...of.unaccepted.map(unacceptedSubmit)];
  const pdus = [...submits.flatMap((one) => submitAndAnswer(of, one)), ...receiptsOf(of)];
  return pdus.sort((a, b) => a.atMs - b.atMs || rankOf(a) - rankOf(b));
}

/** The order of PDUs of one millisecond. */
function rankOf({ pdu }: RebuiltPdu): number {
  return ["submit_sm", "submit_sm_resp", "deliver_sm", "deliver_sm_resp"].indexOf(pdu.command);
}

/** A submit_sm with its response; null where there was none. */
type KeptSubmit = TracedSubmit & {
  readonly firstPart: number;
  readonly lastPart: number;
  readonly times: number;
  readonly answer: { readonly atMs: number; readonly status: number; readonly id: string | null } | null;
};

/** Segments that left in one PDU are one submit. */
function acceptedSubmits(parts: readonly TracedAccepted[]): KeptSubmit[] {
  const byPdu = new Map<string, KeptSubmit>();
  for (const part of parts) {
    const key = `${part.connection} ${part.sequence} ${part.writtenAt} ${part.remoteId}`;
    const known = byPdu.get(key);
    byPdu.set(key, {
      ...part,
      times: 1,
      firstPart: Math.min(part.part, known?.firstPart ?? part.part),
      lastPart: Math.max(part.part, known?.lastPart ?? part.part),
      answer: { atMs: part.sentAt, status: 0, id: part.remoteId },
    });
  }
  return [...byPdu.values()];
}

function unacceptedSubmit(submit: TracedUnaccepted): KeptSubmit {
  const { commandStatus: status, endedAt: atMs } = submit;
  return { ...submit, answer: status === null ? null : { atMs, status, id: null } };
}

function submitAndAnswer(of: PduSources, submit: KeptSubmit): RebuiltPdu[] {
  const { writtenAt, sequence, connection, pduParameters, times, answer } = submit;
  if (writtenAt === null || sequence === null || pduParameters === null) return [];
  // A post to another Bendre is no PDU.
  if (pduParameters === POST_PARAMETERS) return [];
  const { message, assumed } = submitSm(of, submit, JSON.parse(pduParameters) as PduParameters);
  const repeated = times > 1 ? [`the operator put it off ${times} times; the last answer is kept`] : [];
  const sent: RebuiltPdu = {
    atMs: writtenAt,
    way: "sent",
    connection,
    pdu: { command: "submit_sm", sequence, status: 0, message },
    assumed: [...assumed, ...repeated].join("; "),
  };
  if (answer === null) return [sent];
  const { atMs, status, id } = answer;
  const pdu: Pdu = { command: "submit_sm_resp", sequence, status, messageId: id };
  return [sent, { atMs, way: "received", connection, pdu, assumed: null }];
}

function submitSm(
  of: PduSources,
  { connection, firstPart, lastPart }: KeptSubmit,
  pduParameters: PduParameters,
) {
  const { message: kept, showText, alphabetOf } = of;
  const isUcs2 = pduParameters.data_coding === 8;
  const octets = split(kept.text)
    .parts.slice(firstPart - 1, lastPart)
    .map((text) => textOctets(text, isUcs2 ? null : alphabetOf(connection ?? 1), showText));
  const message = shortMessage({
    serviceType: pduParameters.service_type,
    sourceAddrTon: pduParameters.source_addr_ton,
    sourceAddrNpi: pduParameters.source_addr_npi,
    sourceAddr: pduParameters.source_addr,
    destAddrTon: pduParameters.dest_addr_ton,
    destAddrNpi: pduParameters.dest_addr_npi,
    destinationAddr: kept.msisdn.slice(1),
    esmClass: pduParameters.esm_class,
    priorityFlag: pduParameters.priority_flag,
    registeredDelivery: pduParameters.registered_delivery,
    dataCoding: pduParameters.data_coding,
    ...carried(pduParameters, Buffer.concat(octets), {
      reference: of.reference,
      total: kept.segments,
      part: firstPart,
    }),
  });
  const assumed = [
    "validity_period is not kept",
    ...(isUcs2 ? [] : ["the text is in the default alphabet that is configured today"]),
    ...(showText ? [] : ["the text is masked"]),
  ];
  return { message, assumed };
}

/** The octets of a text, in UCS-2 where there is no alphabet; masked: as many octets of dots. */
function textOctets(text: string, alphabet: DefaultAlphabet | null, showText: boolean): Uint8Array {
  const dots = (count: number) => ".".repeat(count);
  if (alphabet === null) return encodeUcs2(showText ? text : dots(text.length));
  const octets = encodeDefaultAlphabet(text, alphabet);
  const isShown = showText && octets !== null;
  return isShown ? octets : new Uint8Array(octets?.length ?? text.length).fill(DOT);
}

/** "." in every default alphabet. */
const DOT = 0x2e;

type Place = { readonly reference: number; readonly total: number; readonly part: number };

function carried(
  { long_message }: PduParameters,
  octets: Uint8Array,
  place: Place,
): Pick<Partial<ShortMessage>, "shortMessage" | "tlvs"> {
  switch (long_message) {
    case "no":
      return { shortMessage: octets };
    case "udh":
      return { shortMessage: Buffer.concat([concatenationHeader(place), octets]) };
    case "sar": {
      const { reference, total, part } = place;
      const tlvs = { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part };
      return { shortMessage: octets, tlvs };
    }
    case "payload":
      return { tlvs: { messagePayload: octets } };
  }
}

/** Receipts that counted, and the response to each: it is given once what the receipt says is durable. */
function receiptsOf({ message, accepted }: PduSources): RebuiltPdu[] {
  const seen = new Set<string>();
  return accepted.flatMap((part): RebuiltPdu[] => {
    const { receiptAt: atMs, receiptSequence: sequence, receiptConnection: connection } = part;
    const key = `${connection} ${sequence} ${atMs}`;
    if (atMs === null || sequence === null || seen.has(key)) return [];
    seen.add(key);
    const pduParameters =
      part.pduParameters === null ? null : (JSON.parse(part.pduParameters) as PduParameters);
    const words = `id:${part.remoteId} stat:${part.receiptState ?? ""} err:${part.receiptCode ?? ""} text:`;
    const receipt = shortMessage({
      sourceAddrTon: pduParameters?.dest_addr_ton ?? 0,
      sourceAddrNpi: pduParameters?.dest_addr_npi ?? 0,
      sourceAddr: message.msisdn.slice(1),
      destAddrTon: pduParameters?.source_addr_ton ?? 0,
      destAddrNpi: pduParameters?.source_addr_npi ?? 0,
      destinationAddr: pduParameters?.source_addr ?? "",
      esmClass: ESM_RECEIPT,
      shortMessage: new Uint8Array(Buffer.from(words, "latin1")).subarray(0, 254),
    });
    const assumed = "id, stat, err, number and time are kept; the rest of the receipt is not";
    const answer: Pdu = { command: "deliver_sm_resp", sequence, status: 0, messageId: "" };
    return [
      {
        atMs,
        way: "received",
        connection,
        assumed,
        pdu: { command: "deliver_sm", sequence, status: 0, message: receipt },
      },
      { atMs, way: "sent", connection, assumed: "its time is that of the receipt", pdu: answer },
    ];
  });
}
