/**
 * Texts that subscribers send in: read, put together from parts, kept, and their opt-outs obeyed (docs/behaviour.md#opt-outs).
 *
 * A channel hands a received text over as a value, in the transaction of its receipt; this room knows no PDU. `addPart` waits for the other
 * parts of a long one, opt-out.ts says for whom a STOP is meant. It suppresses numbers, and changes no message.
 */

import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import type { DefaultAlphabet } from "../../text/gsm-alphabet.ts";
import { decodeInbound } from "../../text/inbound-text.ts";
import type { Concatenation } from "../../text/udh.ts";
import { familyCode } from "../messages/operator-codes.ts";
import {
  insertIdentifiedText,
  insertInboundText,
  isStored,
  listOptOutsFrom,
  recordHonouredOptOut,
} from "./inbound-texts.ts";
import { applyChannelOptOut, applyOptOut, optOutId, optOutWord } from "./opt-out.ts";

export type InboundRules = {
  /** What data_coding 0 means to an operator, by its code, on a connection by its place from 1. */
  readonly alphabetOf: (operator: string, connection: number) => DefaultAlphabet;
  /** A number as an operator spells it, whatever it calls it, as E.164 with "+"; null for what is no number. */
  readonly readNumber: (text: string) => string | null;
  /** Called in the transaction that keeps a text which did not come before, after its opt-out was obeyed. */
  readonly onKept: (tx: Tx, kept: KeptText) => void;
};

/** A text as it was kept. */
export type KeptText = {
  /** Its row id. */
  readonly id: number;
  /** The forms in which an account may have named the sender that it was addressed to. */
  readonly senders: readonly string[];
  /** Null where it is no text. */
  readonly text: string | null;
};

export type InboundOutcome = {
  readonly kind: "kept" | "part" | "again";
  /** The text opted its sender out. */
  readonly optedOut: boolean;
  /** It would have, but the number of its sender is not known: `applyPastOptOuts` does it once it is. */
  readonly isUnheeded?: true;
};

/** Which of an operator's connections brought a text, by its place in the operator's list, from 1. */
type InboundConnection = { readonly operator: string; readonly connection: number };

/** A subscriber's text, or a part of a long one, as its channel read it. */
export type ReceivedText = {
  /** The addresses as the operator writes them; a source that it says is international begins with "+". */
  readonly source: string;
  readonly destination: string;
  readonly dataCoding: number;
  /** The text's octets, without what tells its place. */
  readonly octets: Uint8Array;
  /** Its place in a long text; null where it is all of one. */
  readonly concatenation: Concatenation | null;
};

/** Keeps what a subscriber sent. */
export function receiveInbound(
  tx: Tx,
  rules: InboundRules,
  broughtBy: InboundConnection,
  { source, destination, dataCoding, octets, concatenation }: ReceivedText,
  nowMs: number,
): InboundOutcome {
  const { operator } = broughtBy;
  if (concatenation === null || concatenation.total === 1) {
    const parts = [{ part: 1, dataCoding, octets }];
    return storeText(tx, rules, { ...broughtBy, source, destination, total: 1 }, parts, nowMs);
  }
  const gatheredAs = { operator: familyCode(tx, operator), source, destination };
  const taken = addPart(tx, gatheredAs, concatenation, { dataCoding, octets }, nowMs);
  if (taken.givenUp) storeCollected(tx, rules, taken.givenUp, broughtBy, nowMs);
  return taken.whole
    ? storeCollected(tx, rules, taken.whole, broughtBy, nowMs)
    : { kind: "part", optedOut: false };
}

/** A text of a channel that knows no parts, and gives each text an id. */
export type IdentifiedInbound = {
  /** The number's operator code. */
  readonly operator: string;
  readonly id: string;
  /** The addresses as they are shown. */
  readonly source: string;
  readonly destination: string;
  /** Who sent it, E.164 with "+"; null where nothing tells. */
  readonly msisdn: string | null;
  /** Other numbers by which the same user is written to. */
  readonly others: readonly string[];
  readonly text: string;
  /** The id of the button or the choice that said it, as whoever made it named it; null of a text that somebody wrote. */
  readonly choiceId: string | null;
};

/** Keeps such a text once, and obeys its opt-out (docs/behaviour.md#consent-of-whatsapp). */
export function receiveIdentified(tx: Tx, told: IdentifiedInbound, nowMs: number): InboundOutcome {
  if (isStored(tx, told, nowMs)) return { kind: "again", optedOut: false };
  const { operator, msisdn, others } = told;
  const word = optOutWord(told.text) ?? (told.choiceId === null ? null : optOutId(told.choiceId));
  const isUnheeded = word !== null && msisdn === null;
  const of =
    word === null || msisdn === null
      ? []
      : [msisdn, ...others].flatMap((one) =>
          applyChannelOptOut(tx, { operator, msisdn: one, source: "KEYWORD", word }, nowMs),
        );
  const optOut = word === null || (of.length === 0 && !isUnheeded) ? null : { word, of: [...new Set(of)] };
  const whole = { dataCoding: 0, octets: NO_OCTETS, parts: 1, missing: 0 };
  const { choiceId, others: _, ...kept } = told;
  insertIdentifiedText(tx, { ...kept, ...whole, optOut }, nowMs);
  return { kind: "kept", optedOut: of.length > 0, ...(isUnheeded ? { isUnheeded } : {}) };
}

/**
 * Obeys the opt-outs of texts from this source, now that their number, E.164 with "+", is known. `takenFor`: the number that they were
 * attributed to until now; null for none.
 */
export function applyPastOptOuts(
  tx: Tx,
  source: string,
  takenFor: string | null,
  msisdn: string,
  nowMs: number,
): void {
  for (const { id, operator, word } of listOptOutsFrom(tx, source, takenFor)) {
    const of = applyChannelOptOut(tx, { operator, msisdn, source: "KEYWORD", word }, nowMs);
    recordHonouredOptOut(tx, id, { msisdn, of });
  }
}

const NO_OCTETS = new Uint8Array();

type Piece = { readonly part: number; readonly dataCoding: number; readonly octets: Uint8Array };
/** Of a whole text, or of what was collected of it; the connection brought its last part. */
type From = InboundConnection & Pick<ReceivedText, "source" | "destination"> & { readonly total: number };

function storeCollected(
  tx: Tx,
  rules: InboundRules,
  { key, parts }: CollectedParts,
  broughtBy: InboundConnection,
  nowMs: number,
): InboundOutcome {
  return storeText(tx, rules, { ...key, ...broughtBy }, parts, nowMs);
}

function storeText(
  tx: Tx,
  rules: InboundRules,
  from: From,
  pieces: readonly Piece[],
  nowMs: number,
): InboundOutcome {
  const { operator, source, destination, total } = from;
  const missing = total - pieces.length;
  const msisdn = rules.readNumber(source);
  const text = textOf(pieces, total, rules.alphabetOf(operator, from.connection));
  const word = text === null || missing > 0 ? null : optOutWord(text);
  const senders = namesOf(destination, rules);
  const optOut =
    word === null || msisdn === null
      ? null
      : { word, of: applyOptOut(tx, { operator, msisdn, senders, word }, nowMs) };
  const id = insertInboundText(
    tx,
    {
      operator,
      source,
      destination,
      msisdn,
      dataCoding: pieces[0]?.dataCoding ?? 0,
      text,
      octets: Buffer.concat(pieces.map(({ octets }) => octets)),
      parts: total,
      missing,
      optOut,
    },
    nowMs,
  );
  if (id !== null) rules.onKept(tx, { id, senders, text });
  return { kind: id === null ? "again" : "kept", optedOut: optOut !== null };
}

/** What stands for parts that never came. */
const GAP = " […] ";

/**
 * The text of all parts. Neighbours of one coding are read together: an escape or a surrogate pair may be cut in two
 * between them. Null when any of them is no text.
 */
function textOf(pieces: readonly Piece[], total: number, alphabet: DefaultAlphabet): string | null {
  let text = "";
  let next = 1;
  let run: Piece[] = [];
  const read = (): boolean => {
    const [first] = run;
    if (!first) return true;
    const decoded = decodeInbound(Buffer.concat(run.map(({ octets }) => octets)), first.dataCoding, alphabet);
    run = [];
    text += decoded ?? "";
    return decoded !== null;
  };
  for (const piece of pieces) {
    const isGap = piece.part > next;
    if ((isGap || run[0]?.dataCoding !== piece.dataCoding) && !read()) return null;
    if (isGap) text += GAP;
    run.push(piece);
    next = piece.part + 1;
  }
  if (!read()) return null;
  return next <= total ? text + GAP : text;
}

/** The forms in which an account may have named the sender that a text was addressed to. */
function namesOf(destination: string, { readNumber }: InboundRules): string[] {
  const bare = destination.replace(/^\+/, "");
  const number = readNumber(destination);
  const names = [destination, bare, `+${bare}`, ...(number === null ? [] : [number, number.slice(1)])];
  return [...new Set(names)];
}

/** Texts and sets of parts looked after in one transaction. */
const STEP = 100;

/** One round: gives up waiting for missing parts. True when there may be more. */
export function expireIncompleteTexts(store: Store, rules: InboundRules, nowMs: number): Promise<boolean> {
  return store.write((tx) => {
    const { taken, givenUp } = collectOverdueParts(tx, nowMs, STEP);
    for (const gathered of givenUp) {
      storeCollected(tx, rules, gathered, { operator: gathered.key.operator, connection: 1 }, nowMs);
    }
    return taken === STEP;
  });
}

// Long inbound texts on their way to be whole.

/** What the parts of one text share. */
type PartsKey = {
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly reference: number;
  readonly total: number;
};

type InboundPart = {
  readonly part: number;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
  readonly receivedAt: number;
  readonly isWhole: number;
};

/** A text that is whole, or was given up. */
type CollectedParts = { readonly key: PartsKey; readonly parts: readonly InboundPart[] };

type AddPartResult = {
  /** The text is whole with it. */
  readonly whole: CollectedParts | null;
  /** Another text whose reference this one uses again: it will not be whole any more. */
  readonly givenUp: CollectedParts | null;
};

/** Keeps one part. One that is there already is not taken twice, also when its text was whole before. */
function addPart(
  tx: Tx,
  from: Pick<PartsKey, "operator" | "source" | "destination">,
  { reference, total, part }: Concatenation,
  body: { readonly dataCoding: number; readonly octets: Uint8Array },
  nowMs: number,
): AddPartResult {
  const { operator, source, destination } = from;
  const key = { operator, source, destination, reference, total };
  let givenUp: CollectedParts | null = null;
  const before = partsOf(tx, key);
  const known = before.find((one) => one.part === part);
  if (known && Buffer.compare(known.octets, body.octets) === 0) return { whole: null, givenUp: null };
  if (known || before.some(({ isWhole }) => isWhole === 1)) {
    if (before.every(({ isWhole }) => isWhole === 0)) givenUp = { key, parts: before };
    dropParts(tx, key);
  }
  tx.run(
    `INSERT INTO inbound_parts (operator, source, destination, reference, total, part, data_coding, octets, received_at)
     VALUES ($operator, $source, $destination, $reference, $total, $part, $dataCoding, $octets, $nowMs)`,
    { ...key, part, dataCoding: body.dataCoding, octets: body.octets, nowMs },
  );
  const parts = partsOf(tx, key);
  if (parts.length < total) return { whole: null, givenUp };
  tx.run(
    `UPDATE inbound_parts SET is_whole = 1
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ?`,
    ...valuesOf(key),
  );
  return { whole: { key, parts }, givenUp };
}

function partsOf(read: Reader, key: PartsKey): InboundPart[] {
  return read.all<InboundPart>(
    `SELECT part, data_coding AS dataCoding, octets, received_at AS receivedAt, is_whole AS isWhole
     FROM inbound_parts
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ? ORDER BY part`,
    ...valuesOf(key),
  );
}

function dropParts(tx: Tx, key: PartsKey): void {
  tx.run(
    `DELETE FROM inbound_parts
     WHERE operator = ? AND source = ? AND destination = ? AND reference = ? AND total = ?`,
    ...valuesOf(key),
  );
}

function valuesOf(key: PartsKey) {
  return [key.operator, key.source, key.destination, key.reference, key.total] as const;
}

/** How long the parts of a text are waited for. Handsets give up sending them long before. */
const PARTS_WAIT_MS = 24 * 3_600_000;

/**
 * Takes out the texts of up to `limit` parts that came so long ago, with all of their parts: those that never became
 * whole are handed out. `taken` counts the parts that were looked at: as many as `limit`, and there may be more.
 */
function collectOverdueParts(
  tx: Tx,
  nowMs: number,
  limit: number,
): { readonly taken: number; readonly givenUp: readonly CollectedParts[] } {
  const overdue = tx.all<PartsKey>(
    `SELECT operator, source, destination, reference, total FROM inbound_parts
     WHERE received_at < ? ORDER BY received_at LIMIT ?`,
    nowMs - PARTS_WAIT_MS,
    limit,
  );
  const givenUp: CollectedParts[] = [];
  for (const key of overdue) {
    const parts = partsOf(tx, key);
    // Another part of it was among the overdue.
    if (parts.length === 0) continue;
    dropParts(tx, key);
    if (parts.every(({ isWhole }) => isWhole === 0)) givenUp.push({ key, parts });
  }
  return { taken: overdue.length, givenUp };
}

/** Parts looked at in one go. */
const PARTS_AT_ONCE = 1000;

type PartPlace = PartsKey & { readonly part: number };

/** How many long texts wait for parts: of all operators or of one. In steps, because parts that are whole are kept for a day too. */
export async function countIncompleteTexts(
  read: Reader,
  clock: Clock,
  operator: string | null,
): Promise<number> {
  const pause = createYielder(clock);
  let waiting = 0;
  let last: PartPlace = {
    operator: operator ?? "",
    source: "",
    destination: "",
    reference: -1,
    total: -1,
    part: -1,
  };
  for (;;) {
    const rows = partsBehind(read, last);
    for (const row of rows) {
      if (operator !== null && row.operator !== operator) return waiting;
      if (row.isWhole === 0 && !isSameText(row, last)) waiting += 1;
      last = row;
    }
    if (rows.length < PARTS_AT_ONCE) return waiting;
    await pause();
  }
}

function partsBehind(read: Reader, place: PartPlace): (PartPlace & Pick<InboundPart, "isWhole">)[] {
  const { operator, source, destination, reference, total, part } = place;
  return read.all(
    `SELECT operator, source, destination, reference, total, part, is_whole AS isWhole FROM inbound_parts
     WHERE (operator, source, destination, reference, total, part)
       > ($operator, $source, $destination, $reference, $total, $part)
     ORDER BY operator, source, destination, reference, total, part LIMIT $limit`,
    { operator, source, destination, reference, total, part, limit: PARTS_AT_ONCE },
  );
}

function isSameText(one: PartsKey, other: PartsKey): boolean {
  return (
    one.operator === other.operator &&
    one.source === other.source &&
    one.destination === other.destination &&
    one.reference === other.reference &&
    one.total === other.total
  );
}
