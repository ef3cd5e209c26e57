/**
 * What the outside was told, read from a recorded log: the marks of whoever drives the run say what an answer promised, and the
 * octets that the process gave to its sockets say from which entry on. PDUs are read from those octets themselves.
 */
import { readPdu } from "../sim/auditor/pdu.ts";
import { readReceipt } from "../sim/auditor/receipt-text.ts";
import type { Told } from "./replay.ts";
import { type Entry, markRecord } from "./write-log.ts";

/** A promise in words that facts.ts says too, where it holds. */
export type Fact = string;

/** What whoever drives the run adds to the log. */
export type Mark =
  /** A question is asked from here on. */
  | { readonly asking: number }
  /** It was answered with octets that hold `token`; what that promises. */
  | {
      readonly answered: number;
      readonly token: string;
      readonly isLocal: boolean;
      readonly facts: readonly Fact[];
    }
  /** Facts that were seen outside, whatever brought them. */
  | { readonly seen: readonly Fact[] };

/** A mark as it is appended to the log. */
export function recordOf(mark: Mark): Uint8Array {
  return markRecord(JSON.stringify(mark));
}

/** Everything that was told, in the order of the log. */
export function toldBy(entries: readonly Entry[]): Told<Fact>[] {
  const told = [...toldByMarks(entries), ...toldByPdus(entries)];
  return told.sort((one, other) => one.at - other.at);
}

function toldByMarks(entries: readonly Entry[]): Told<Fact>[] {
  const asked = new Map<number, number>();
  return entries.flatMap((entry, index): Told<Fact>[] => {
    if (entry.kind !== "mark") return [];
    const mark = JSON.parse(entry.text) as Mark;
    if ("asking" in mark) {
      asked.set(mark.asking, index);
      return [];
    }
    if ("seen" in mark) return mark.seen.map((promise) => ({ at: index, promise }));
    const since = asked.get(mark.answered) ?? index;
    const at = entries.findIndex(
      (sent, place) =>
        place > since &&
        place < index &&
        sent.kind === "sent" &&
        sent.isLocal === mark.isLocal &&
        Buffer.from(sent.octets).includes(mark.token),
    );
    return mark.facts.map((promise) => ({ at: at < 0 ? index : at, promise }));
  });
}

const HEADER_OCTETS = 16;
const MAX_PDU_LENGTH = 70_000;

/** A submit_sm that left was claimed before; a receipt or a text that was acknowledged is kept. */
function toldByPdus(entries: readonly Entry[]): Told<Fact>[] {
  const streams = new Map<string, Uint8Array>();
  const delivered = new Map<string, Fact>();
  return entries.flatMap((entry, at) => {
    if ((entry.kind !== "sent" && entry.kind !== "received") || entry.isLocal) return [];
    const stream = `${entry.kind} ${entry.socket}`;
    const { whole, rest } = pdusIn(Buffer.concat([streams.get(stream) ?? new Uint8Array(0), entry.octets]));
    streams.set(stream, rest);
    return whole.flatMap((octets): Told<Fact>[] => {
      const pdu = readPdu(octets);
      const exchange = `${entry.socket} ${pdu.sequence}`;
      if (entry.kind === "received") {
        if (pdu.kind === "deliver_sm") delivered.set(exchange, factOfDelivered(pdu.text));
        return [];
      }
      if (pdu.kind === "submit_sm") return [{ at, promise: `claimed +${pdu.text.destination}` }];
      const promise = delivered.get(exchange);
      const isAcknowledged = pdu.kind === "response" && pdu.to === "deliver_sm" && pdu.status === 0;
      return isAcknowledged && promise !== undefined ? [{ at, promise }] : [];
    });
  });
}

function factOfDelivered(text: Parameters<typeof readReceipt>[0]): Fact {
  const receipt = readReceipt(text);
  return receipt?.id === undefined || receipt.id === null
    ? `inbound ${text.source.replace("+", "")}`
    : `receipt ${receipt.id}`;
}

/** The whole PDUs at the beginning of a stream; of one that carries no PDUs nothing is kept. */
function pdusIn(stream: Uint8Array): { readonly whole: readonly Uint8Array[]; readonly rest: Uint8Array } {
  const whole: Uint8Array[] = [];
  let rest = stream;
  while (rest.length >= HEADER_OCTETS) {
    const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
    if (length < HEADER_OCTETS || length > MAX_PDU_LENGTH) return { whole, rest: new Uint8Array(0) };
    if (rest.length < length) break;
    whole.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return { whole, rest };
}
