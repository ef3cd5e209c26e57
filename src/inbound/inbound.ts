/** What subscribers send in: read, put together, kept, and their opt-outs obeyed (docs/behaviour.md#opt-outs). */
import { optOutWord } from "../accounts/opt-out-words.ts";
import { familyCode } from "../messages/operator-family.ts";
import { ESM_UDHI, messageOctets, type ShortMessage } from "../smpp/short-message.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import { decodeInbound } from "../text/inbound-text.ts";
import { type Concatenation, type HeadedText, readHeader } from "../text/udh.ts";
import { type GatheredParts, takeOverdueParts, takePart } from "./inbound-parts.ts";
import { forgetOldTexts, keepText } from "./inbound-texts.ts";
import { applyOptOut } from "./opt-out.ts";

export type InboundRules = {
  /** What data_coding 0 means to an operator, by its code, on a connection by its place from 1. */
  readonly alphabetOf: (operator: string, connection: number) => DefaultAlphabet;
  /** A number in any form as E.164 with "+", read as those of a batch are; null for what is no number. */
  readonly readNumber: (text: string) => string | null;
};

export type InboundOutcome = {
  readonly kind: "kept" | "part" | "again";
  /** The text opted its sender out. */
  readonly optedOut: boolean;
};

/** Keeps what a deliver_sm or data_sm brought that is no receipt. */
export function takeInbound(
  tx: Tx,
  rules: InboundRules,
  { operator, connection }: { readonly operator: string; readonly connection: number },
  message: ShortMessage,
  nowMs: number,
): InboundOutcome {
  const { body, concatenation } = bodyOf(message);
  const { sourceAddr, destinationAddr, dataCoding } = message;
  const isInternational = message.sourceAddrTon === INTERNATIONAL && /^\d+$/.test(sourceAddr);
  const from = {
    operator,
    source: isInternational ? `+${sourceAddr}` : sourceAddr,
    destination: destinationAddr,
  };
  if (concatenation === null || concatenation.total === 1) {
    const parts = [{ part: 1, dataCoding, octets: body }];
    return keep(tx, rules, { ...from, total: 1, connection }, parts, nowMs);
  }
  const gatheredAs = { ...from, operator: familyCode(tx, operator) };
  const taken = takePart(tx, gatheredAs, concatenation, { dataCoding, octets: body }, nowMs);
  const broughtBy = { operator, connection };
  if (taken.givenUp) keepGathered(tx, rules, taken.givenUp, broughtBy, nowMs);
  return taken.whole
    ? keepGathered(tx, rules, taken.whole, broughtBy, nowMs)
    : { kind: "part", optedOut: false };
}

/** Type of number of an address that leaves its "+" out (SMPP 3.4 section 5.2.5). */
const INTERNATIONAL = 1;

/** Far above the 140 octets of a short message, which is what a part of a long text travels in. */
const LONGEST_PART = 255;
/** What the header of 3GPP TS 23.040 section 9.2.3.24.1 has room for; optional parameters could say any number. */
const MOST_PARTS = 255;

/**
 * The text's octets and its place in a long one, which a header in it or optional parameters tell. All parts are read with
 * each of them, so what cannot be one is a text of its own.
 */
function bodyOf(message: ShortMessage): HeadedText {
  const octets = messageOctets(message);
  const headed = message.esmClass & ESM_UDHI ? readHeader(octets) : { body: octets, concatenation: null };
  const concatenation = headed.concatenation ?? placeBySar(message);
  return { body: headed.body, concatenation: headed.body.length > LONGEST_PART ? null : concatenation };
}

function placeBySar({ tlvs }: ShortMessage): Concatenation | null {
  const { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part } = tlvs;
  if (reference === undefined || total === undefined || part === undefined) return null;
  return part >= 1 && part <= total && total <= MOST_PARTS ? { reference, total, part } : null;
}

type Piece = { readonly part: number; readonly dataCoding: number; readonly octets: Uint8Array };
type From = {
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly total: number;
  /** The connection that brought the last of it. */
  readonly connection: number;
};

function keepGathered(
  tx: Tx,
  rules: InboundRules,
  { key, parts }: GatheredParts,
  broughtBy: { readonly operator: string; readonly connection: number },
  nowMs: number,
): InboundOutcome {
  return keep(tx, rules, { ...key, ...broughtBy }, parts, nowMs);
}

function keep(
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
  const optOut =
    word === null || msisdn === null
      ? null
      : {
          word,
          of: applyOptOut(tx, { operator, msisdn, senders: namesOf(destination, rules), word }, nowMs),
        };
  const isNew = keepText(
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
  return { kind: isNew ? "kept" : "again", optedOut: optOut !== null };
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

/** One round: gives up waiting for missing parts, and forgets texts that came before `keepMs`. True when there may be more. */
export function tidyInbound(
  store: Store,
  rules: InboundRules,
  keepMs: number,
  nowMs: number,
): Promise<boolean> {
  return store.write((tx) => {
    const { taken, givenUp } = takeOverdueParts(tx, nowMs, STEP);
    for (const gathered of givenUp) {
      keepGathered(tx, rules, gathered, { operator: gathered.key.operator, connection: 1 }, nowMs);
    }
    const forgotten = forgetOldTexts(tx, nowMs - keepMs, STEP);
    return taken === STEP || forgotten === STEP;
  });
}
