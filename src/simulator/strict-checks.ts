/** Rules of SMPP 3.4 and 3GPP TS 23.040 that a strict SMSC enforces on a submit_sm and on the segments of a long text. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { ESM_UDHI, type ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import type { DefaultAlphabet } from "../text/gsm-alphabet.ts";
import type { HandsetPart } from "./handset.ts";

/** What a strict operator finds wrong with a submit_sm, and the status it answers. */
export type Violation = { readonly status: number; readonly what: Phrase };

export function violation(status: number, what: Phrase): Violation {
  return { status, what };
}

const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const MAX_TON = 6;
const ISDN = 1;
/** The numbering plans there are (SMPP 3.4 section 5.2.6). */
const NPIS: ReadonlySet<number> = new Set([0, 1, 3, 4, 6, 8, 9, 10, 14, 18]);

/** Septets, or octets of any other alphabet, that one short message carries (3GPP TS 23.040 section 9.2.3.24). */
const SEPTETS = 160;
const OCTETS = 140;
/** What the operator itself puts in front of a part that came with sar parameters. */
const CONCATENATION_HEADER = 6;

const DEFAULT_ALPHABET = 0x00;
const UCS2 = 0x08;

/** The first rule of SMPP 3.4 sections 4.4.1 and 5.2 that a submit_sm breaks; null when it is in order. */
export function findViolation(message: ShortMessage, defaultAlphabet: DefaultAlphabet): Violation | null {
  return addressViolation(message) ?? textViolation(message, defaultAlphabet);
}

function addressViolation(message: ShortMessage): Violation | null {
  const { sourceAddr, sourceAddrTon, sourceAddrNpi, destinationAddr, destAddrTon, destAddrNpi } = message;
  if (!/^\d{3,15}$/.test(destinationAddr))
    return violation(STATUS.RINVDSTADR, phrase("simulator.rule.destination.digits"));
  if (destAddrTon > MAX_TON || destAddrTon === ALPHANUMERIC)
    return violation(STATUS.RINVDSTTON, phrase("simulator.rule.destination.ton"));
  if (!isPlanOf(destAddrTon, destAddrNpi))
    return violation(STATUS.RINVDSTNPI, phrase("simulator.rule.destination.npi"));
  if (sourceAddr === "") return violation(STATUS.RINVSRCADR, phrase("simulator.rule.source.empty"));
  if (sourceAddrTon > MAX_TON) return violation(STATUS.RINVSRCTON, phrase("simulator.rule.source.ton"));
  if (!isPlanOf(sourceAddrTon, sourceAddrNpi))
    return violation(STATUS.RINVSRCNPI, phrase("simulator.rule.source.npi"));
  if (sourceAddrTon === ALPHANUMERIC ? sourceAddr.length > 11 : !/^\d{1,20}$/.test(sourceAddr))
    return violation(STATUS.RINVSRCADR, phrase("simulator.rule.source.other_type"));
  return null;
}

/** An international number is one of E.164; letters have no numbering plan. */
function isPlanOf(ton: number, npi: number): boolean {
  if (ton === INTERNATIONAL) return npi === ISDN;
  return ton === ALPHANUMERIC ? npi === 0 : NPIS.has(npi);
}

function textViolation(message: ShortMessage, defaultAlphabet: DefaultAlphabet): Violation | null {
  const { esmClass, shortMessage, dataCoding, tlvs, validityPeriod } = message;
  const isHeaded = (esmClass & ESM_UDHI) !== 0;
  if (isHeaded && tlvs.sarMsgRefNum !== undefined)
    return violation(STATUS.RINVESMCLASS, phrase("simulator.rule.header_and_sar"));
  const tooLong = textTooLong(message);
  if (tooLong) return tooLong;
  const octets = tlvs.messagePayload ?? shortMessage;
  const text = octets.subarray(isHeaded ? (octets[0] ?? 0) + 1 : 0);
  if (dataCoding === UCS2 && text.length % 2 !== 0)
    return violation(STATUS.RINVMSGLEN, phrase("simulator.rule.half_a_character"));
  if (dataCoding === DEFAULT_ALPHABET && defaultAlphabet === "gsm" && text.some((octet) => octet > 0x7f))
    return violation(STATUS.RSUBMITFAIL, phrase("simulator.rule.not_gsm"));
  return validityViolation(validityPeriod);
}

/** Empty, or a time as SMPP 3.4 section 7.1.1 writes it. */
export function validityViolation(validityPeriod: string): Violation | null {
  if (validityPeriod === "" || /^\d{15}[R+-]$/.test(validityPeriod)) return null;
  return violation(STATUS.RINVEXPIRY, phrase("simulator.rule.validity"));
}

/** What no SMSC can transmit: a text in two places, longer than one short message, or cut inside its own header. */
export function textTooLong(message: ShortMessage): Violation | null {
  const { esmClass, shortMessage, tlvs } = message;
  if (shortMessage.length > 0 && tlvs.messagePayload !== undefined)
    return violation(STATUS.RINVMSGLEN, phrase("simulator.rule.two_texts"));
  const octets = tlvs.messagePayload ?? shortMessage;
  const isHeaded = (esmClass & ESM_UDHI) !== 0;
  const header = isHeaded ? (octets[0] ?? 0) + 1 : 0;
  if (isHeaded && header > octets.length)
    return violation(STATUS.RINVESMCLASS, phrase("simulator.rule.long_header"));
  return shortMessage.length > longest(message, header)
    ? violation(STATUS.RINVMSGLEN, phrase("simulator.rule.long_text"))
    : null;
}

/**
 * The most octets of short_message. A header takes whole octets of the 140, and in septets it is rounded up to
 * septets; with sar parameters the operator's own header takes that room, although it is not in this message.
 */
function longest({ dataCoding, tlvs }: ShortMessage, header: number): number {
  const isOctets = dataCoding === UCS2 || dataCoding === 0x04 || dataCoding === 0x02;
  const taken = header === 0 && tlvs.sarMsgRefNum !== undefined ? CONCATENATION_HEADER : header;
  if (isOctets) return OCTETS - taken + header;
  return SEPTETS - Math.ceil((taken * 8) / 7) + header;
}

/** Returns what is wrong with the segmentation of a long text, seen part by part; null when the part is in order. */
export type SegmentationCheck = (from: string, to: string, part: HandsetPart) => Violation | null;

type Seen = { readonly alphabet: HandsetPart["alphabet"]; readonly texts: Map<number, string> };

/**
 * Follows the parts of every long text. A part that comes again as it was is a repeat, and in order; one with another
 * text takes a reference that is still in use. Handsets show what they joined, so both would garble a text.
 */
export function createSegmentationCheck(): SegmentationCheck {
  const unfinished = new Map<string, Seen>();
  return (from, to, part) => {
    const { concatenation, alphabet, text } = part;
    if (concatenation === null || concatenation.total === 1) return null;
    const { reference, total, part: place } = concatenation;
    const key = JSON.stringify([from, to, reference, total]);
    const seen = unfinished.get(key) ?? { alphabet, texts: new Map<number, string>() };
    const before = seen.texts.get(place);
    unfinished.set(key, seen);
    seen.texts.set(place, text);
    if (seen.texts.size === total) unfinished.delete(key);
    if (seen.alphabet !== alphabet)
      return violation(STATUS.RINVESMCLASS, phrase("simulator.rule.two_alphabets"));
    if (before !== undefined && before !== text)
      return violation(STATUS.RINVESMCLASS, phrase("simulator.rule.reference_reused"));
    // The handset of the first part can't show its half of the pair.
    return part.endsHalfway && place < total
      ? violation(STATUS.RINVESMCLASS, phrase("simulator.rule.pair_split"))
      : null;
  };
}
