/**
 * Builds the submit_sm PDUs of a message: encoding, concatenation by header, sar parameters or message_payload,
 * addresses, validity_period. Notes in the transaction of its claim by which reference its parts leave, or that it
 * leaves whole.
 */
import type { ConnectionConfig } from "../../config/config.ts";
import type { LimitClock } from "../../core/clock.ts";
import { hashKey } from "../../core/ids.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import { validUntil } from "../../dispatch/sending-gate.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { senderKind } from "../../domain/accounts/senders.ts";
import { restoreTimes } from "../../domain/messages/restore-holds.ts";
import { isEncodable } from "../../smpp/pdu.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { encodeDefaultAlphabet } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import { encodeUcs2 } from "../../text/ucs2.ts";
import { concatenationHeader } from "../../text/udh.ts";
import type { PartnerPost } from "./partner-api.ts";

/** A message that is about to leave. */
export type OutgoingMessage = {
  readonly sender: string;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  readonly text: string;
  /** How long it is still worth delivering, in milliseconds. */
  readonly validityMs: number;
  readonly wantsReceipt: boolean;
  /** The concatenation reference of its parts, where it has several (below). */
  readonly reference: number;
};

/** What leaves of a message in one: a `submit_sm`, or all of it as a post to another Bendre. */
export type Submit = SubmitSm | SubmitPost;

/** A message that is posted whole, with all of its segments. */
type SubmitPost = { readonly parts: readonly number[]; readonly post: PartnerPost };

/** One `submit_sm` of a message, and the segments it carries: one, or in message_payload all of them, or adjacent ones. */
type SubmitSm = { readonly parts: readonly number[]; readonly message: ShortMessage };

/** data_coding: the SMSC's default alphabet, and UCS-2 (SMPP 3.4 section 5.2.19). */
const DEFAULT_ALPHABET = 0x00;
const UCS2 = 0x08;
/**
 * Octets of a message of one part, and of each part of several. A text that is GSM-7 by count and must travel
 * as UCS-2, since this SMSC's default alphabet lacks a character of it, can need more: then it goes whole, in
 * message_payload.
 */
const ROOM = {
  [DEFAULT_ALPHABET]: { alone: 160, part: 153 },
  [UCS2]: { alone: 140, part: 134 },
} as const;
/** registered_delivery: a receipt for success and for failure (SMPP 3.4 section 5.2.17). */
const RECEIPT_WANTED = 0x01;

/** A queued message as it leaves at this moment. */
export function toOutgoing(
  { batch, message }: Candidate,
  reference: number,
  wantsReceipt: boolean,
  clock: LimitClock,
): OutgoingMessage {
  return {
    sender: batch.sender,
    msisdn: message.msisdn,
    messageClass: batch.messageClass,
    text: message.text ?? batch.body,
    validityMs: validUntil(clock, batch) - clock.nowMs(),
    wantsReceipt,
    reference,
  };
}

/** Whether submits can be built at all, and each of them be encoded. */
export function isCarried(submits: () => readonly Submit[]): boolean {
  try {
    return submits().every((submit) => "post" in submit || isEncodable(submit.message));
  } catch {
    return false;
  }
}

/**
 * Builds the `submit_sm` of a message, first segment to last, without those that were accepted before; all with the
 * message's concatenation reference, so that a part that is tried again still joins the others. A text that was
 * accepted in part goes on in parts, also by a connection that sends long texts whole. A receipt is asked for each. Pure.
 */
export function buildSubmits(
  outgoing: OutgoingMessage,
  connection: ConnectionConfig,
  accepted: ReadonlySet<number>,
): SubmitSm[] {
  const { parts } = split(outgoing.text);
  const coded = octetsOf(parts, connection);
  const head = {
    ...addresses(outgoing, connection),
    serviceType: connection.service_type,
    priorityFlag: connection.priority[outgoing.messageClass],
    validityPeriod: validityPeriod(outgoing, connection),
    registeredDelivery: outgoing.wantsReceipt ? RECEIPT_WANTED : 0,
    dataCoding: coded.dataCoding,
  };
  const total = coded.octets.length;
  const room = ROOM[coded.dataCoding];
  const [only] = coded.octets;
  if (total === 1 && only && only.length <= room.alone)
    return [{ parts: [1], message: shortMessage({ ...head, shortMessage: only }) }];
  const { reference } = outgoing;
  const left = leftOf(coded.octets, accepted);
  switch (formOf(connection, accepted, left, room.part)) {
    case "payload":
      return adjacent(left.map(({ part }) => part)).map((parts) => ({
        parts,
        message: shortMessage({
          ...head,
          tlvs: { messagePayload: joined(parts.map((part) => coded.octets[part - 1] ?? NO_OCTETS)) },
        }),
      }));
    case "sar":
      return left.map(({ part, octets }) => ({
        parts: [part],
        message: shortMessage({
          ...head,
          shortMessage: octets,
          tlvs: { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part },
        }),
      }));
    case "udh":
      return left.map(({ part, octets }) => ({
        parts: [part],
        message: shortMessage({
          ...head,
          esmClass: ESM_UDHI,
          shortMessage: joined([concatenationHeader({ reference, total, part }), octets]),
        }),
      }));
  }
}

/** The post of a message to another Bendre. Pure. */
export function buildPost(
  { sender, msisdn, messageClass, text }: OutgoingMessage,
  { key, hops }: Pick<PartnerPost, "key" | "hops">,
): SubmitPost {
  const parts = split(text).parts.map((_, index) => index + 1);
  return { parts, post: { key, hops, sender, msisdn, messageClass, text } };
}

type Part = { readonly part: number; readonly octets: Uint8Array };

const NO_OCTETS = new Uint8Array();

/** Splits segment numbers, in order, into runs of adjacent ones: what is joined must be one piece of the text. Pure. */
export function adjacent(parts: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last?.at(-1) === part - 1) last.push(part);
    else runs.push([part]);
  }
  return runs;
}

/**
 * Whether the rest of a text of several segments leaves whole by a connection, in `message_payload`. Cheap where the connection
 * neither is configured so nor has an alphabet of its own, which may force it. Pure.
 */
export function isSentWhole(
  text: string,
  connection: ConnectionConfig,
  accepted: ReadonlySet<number>,
): boolean {
  if (connection.long_messages !== "payload" && connection.default_alphabet === "gsm") return false;
  const { dataCoding, octets } = octetsOf(split(text).parts, connection);
  return formOf(connection, accepted, leftOf(octets, accepted), ROOM[dataCoding].part) === "payload";
}

/** The segments that were not accepted before. */
function leftOf(octets: readonly Uint8Array[], accepted: ReadonlySet<number>): readonly Part[] {
  return octets
    .map((of, index) => ({ part: index + 1, octets: of }))
    .filter(({ part }) => !accepted.has(part));
}

/** How a text of several segments travels: whole where a part of it is too long for one SMS in this coding. */
function formOf(
  { long_messages: usual }: ConnectionConfig,
  accepted: ReadonlySet<number>,
  left: readonly Part[],
  room: number,
): ConnectionConfig["long_messages"] {
  if (left.some(({ octets }) => octets.length > room)) return "payload";
  return usual === "payload" && accepted.size > 0 ? "udh" : usual;
}

/** The octets of a text in the SMSC's default alphabet where all of it fits; else UCS-2 throughout, re-encoded, never garbled. */
function octetsOf(
  parts: readonly string[],
  connection: ConnectionConfig,
): { readonly dataCoding: keyof typeof ROOM; readonly octets: readonly Uint8Array[] } {
  const octets: Uint8Array[] = [];
  for (const part of parts) {
    const coded = encodeDefaultAlphabet(part, connection.default_alphabet);
    if (coded === null) return { dataCoding: UCS2, octets: parts.map(encodeUcs2) };
    octets.push(coded);
  }
  return { dataCoding: DEFAULT_ALPHABET, octets };
}

function validityPeriod(outgoing: OutgoingMessage, connection: ConnectionConfig): string {
  if (!connection.send_validity) return "";
  const longestMs = connection.validity_minutes[outgoing.messageClass] * 60_000;
  return relativeTime(longestMs > 0 ? Math.min(longestMs, outgoing.validityMs) : outgoing.validityMs);
}

function addresses(outgoing: OutgoingMessage, connection: ConnectionConfig) {
  const kind = senderKind(outgoing.sender) ?? "ALPHANUMERIC";
  const source =
    kind === "NUMBER"
      ? connection.source_number
      : kind === "SHORT_CODE"
        ? connection.source_short_code
        : connection.source_alphanumeric;
  return {
    sourceAddrTon: source.ton,
    sourceAddrNpi: source.npi,
    sourceAddr: kind === "NUMBER" ? outgoing.sender.replace(/^\+/, "") : outgoing.sender,
    destAddrTon: connection.destination.ton,
    destAddrNpi: connection.destination.npi,
    destinationAddr: outgoing.msisdn.slice(1),
  };
}

/**
 * Writes a span as SMPP's relative time, `YYMMDDhhmmss000R`, rounded up to a second (SMPP 3.4 section 7.1.1.2). Messages of a batch
 * that leave in the same second have the same one, so the last is cached.
 */
export function relativeTime(spanMs: number): string {
  const MAX_S = 62 * 86_400;
  const seconds = Math.min(MAX_S, Math.max(1, Math.ceil(spanMs / 1000)));
  if (lastRelative.seconds !== seconds) lastRelative = { seconds, text: relativeText(seconds) };
  return lastRelative.text;
}

let lastRelative = { seconds: 0, text: "" };

function relativeText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  return `0000${two(days)}${two(Math.floor(seconds / 3600) % 24)}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}000R`;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const octets = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    octets.set(piece, at);
    at += piece.length;
  }
  return octets;
}

// Concatenation references: the octet by which a handset tells the parts of one long text from those of another (3GPP
// TS 23.040 section 9.2.3.24.1). It keeps parts that lack others for weeks, so the next long text to it must have
// another reference. A recipient and a sender have a counter, found by a hash of both: two pairs that share one only
// make it advance faster. Texts sent to one recipient in a row have the same reference only if so many went to others
// of its counter that it wrapped, which takes 256; at 2^18 counters that is not seen before some 45 million long texts
// of this appliance between the two. A row says how far its counters may go before it is written again, so that one of
// some hundreds of texts writes a row. After a crash they go on from there. The reference of a message is written with
// its claim, and is the same however often it is sent.

/** Rows of the table of counters, and counters of a row. */
const ROWS = 1024;
const A_ROW = 256;
/** How far a counter may go beyond what was written. */
const AHEAD = 8;
/** A restore of a copy, which lacks what was sent since, moves all counters on by at least this many, and leaves as many behind. */
const MIN_MOVED = 32;

/** A row of counters as this process has them in memory. */
type CounterRow = { readonly next: Uint8Array; readonly reached: Uint8Array };

type Counters = { readonly rows: Map<number, CounterRow>; readonly moved: number };

const countersOf = new WeakMap<Tx, Counters>();

/** A text of several segments that leaves in parts. */
type LongMessage = { readonly messageId: number; readonly sender: string; readonly msisdn: string };

/** The reference of a text that is claimed for the first time, written down in the transaction of its claim. */
export function allocateReference(tx: Tx, { messageId, sender, msisdn }: LongMessage): number {
  const key = hashKey(`${sender} ${msisdn}`) % (ROWS * A_ROW);
  const { rows, moved } = countersIn(tx);
  const place = Math.floor(key / A_ROW);
  const row = rows.get(place) ?? readRow(tx, place);
  rows.set(place, row);
  const reference = (counted(tx, row, place, key % A_ROW) + moved) & 0xff;
  tx.run("INSERT INTO concatenations (message_id, reference) VALUES (?, ?)", messageId, reference);
  return reference;
}

/** The reference that a text left under before; null where it never left in parts. */
export function readReference(read: Reader, messageId: number): number | null {
  return (
    read.get<{ reference: number }>("SELECT reference FROM concatenations WHERE message_id = ?", messageId)
      ?.reference ?? null
  );
}

/** Whether a text that left, and of which no reference is known, may have left before references were counted. */
export function mayBeUncounted(read: Reader, messageId: number): boolean {
  const start = read.known<{ through: number }>(
    "SELECT uncounted_through AS through FROM concatenation_start",
  );
  return messageId <= (start?.through ?? 0);
}

/** The reference that every text had by its number alone before references were counted. */
export const uncountedReference = (messageId: number): number => messageId & 0xff;

/** Forgets the references of some messages, by their ids as a JSON list. */
export function deleteReferences(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM concatenations WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

function countersIn(tx: Tx): Counters {
  const known = countersOf.get(tx) ?? { rows: new Map(), moved: movedByRestores(tx) };
  countersOf.set(tx, known);
  return known;
}

/** Each restore moves them by a hash of its time: one copy may be restored twice, and what left after the first is in neither. */
function movedByRestores(read: Reader): number {
  const range = 256 - 2 * MIN_MOVED;
  return restoreTimes(read).reduce((sum, atMs) => sum + MIN_MOVED + (hashKey(String(atMs)) % range), 0);
}

function readRow(tx: Tx, place: number): CounterRow {
  const stored = tx.get<{ reached: Uint8Array }>(
    "SELECT reached FROM concatenation_counters WHERE place = ?",
    place,
  );
  const reached = stored ? Uint8Array.from(stored.reached) : new Uint8Array(A_ROW);
  return { next: reached.slice(), reached };
}

/** The next value of a counter. Where it is beyond what is written, the row is written, with all of its counters ahead. */
function counted(tx: Tx, row: CounterRow, place: number, at: number): number {
  const { next, reached } = row;
  const value = next[at] ?? 0;
  const left = ((reached[at] ?? 0) - value) & 0xff;
  // Also beyond what is written after a write that was rolled back.
  if (left === 0 || left > AHEAD) {
    const before = reached.slice();
    tx.onRollback(() => reached.set(before));
    for (let each = 0; each < A_ROW; each++) reached[each] = (next[each] ?? 0) + AHEAD;
    tx.run(
      `INSERT INTO concatenation_counters (place, reached) VALUES ($place, $reached)
       ON CONFLICT (place) DO UPDATE SET reached = excluded.reached`,
      { place, reached },
    );
  }
  next[at] = value + 1;
  return value;
}

// Claims of texts of several segments that were to leave whole, in `message_payload`. Noted because the configuration cannot
// tell it afterwards: it may have changed when the response that never came is given up.

/** One claim of a message; attempts count from 1. */
type ClaimRef = { readonly messageId: number; readonly attempt: number };

/** Notes, in the transaction that claims it, that what is left of a text is to leave whole. */
export function recordPayloadClaim(tx: Tx, claim: ClaimRef): void {
  tx.run(
    `INSERT INTO payload_claims (message_id, attempt) VALUES ($messageId, $attempt)
     ON CONFLICT (message_id) DO UPDATE SET attempt = excluded.attempt`,
    claim,
  );
}

/** Whether this claim was to leave whole. */
export function isPayloadClaim(read: Reader, claim: ClaimRef): boolean {
  return (
    read.get("SELECT 1 FROM payload_claims WHERE message_id = $messageId AND attempt = $attempt", claim) !==
    null
  );
}

/** Forgets how some messages were claimed, by their ids as a JSON list. */
export function deletePayloadClaims(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM payload_claims WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
