import { type DefaultAlphabet, decodeGsm } from "./gsm-alphabet.ts";
import { decodeUcs2 } from "./ucs2.ts";

/** data_coding of what a handset sends (SMPP 3.4 section 5.2.19). */
const DEFAULT = 0x00;
const ASCII = 0x01;
const LATIN1 = 0x03;
const UCS2 = 0x08;
/** The general group of 3GPP TS 23.038 section 4 with a message class: GSM 7-bit, and UCS-2. */
const CLASSED = 0x10;
const CLASSED_UCS2 = 0x18;
/** Its group of data coding with a message class, where one bit tells 8-bit data from GSM 7-bit. */
const CLASS_GROUP = 0xf0;
const EIGHT_BIT = 0x04;

/**
 * The text of a message's octets, its user data header taken away; null when they are no text we can read, such as
 * 8-bit data. `alphabet` is what the SMSC means by data_coding 0. NULs that some SMSCs put behind a text are dropped.
 */
export function decodeInbound(
  octets: Uint8Array,
  dataCoding: number,
  alphabet: DefaultAlphabet,
): string | null {
  switch (dataCoding) {
    case DEFAULT:
      return alphabet === "gsm" ? decodeGsm(octets) : singleOctets(octets);
    case ASCII:
    case LATIN1:
      return singleOctets(octets);
    case UCS2:
    case CLASSED_UCS2:
      return decodeUcs2(octets);
  }
  const isClassed = dataCoding >= CLASSED && dataCoding < CLASSED + 4;
  const isInClassGroup = (dataCoding & CLASS_GROUP) === CLASS_GROUP && (dataCoding & EIGHT_BIT) === 0;
  return isClassed || isInClassGroup ? decodeGsm(octets) : null;
}

function singleOctets(octets: Uint8Array): string {
  const text = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
  return text.replace(/\0+$/, "");
}
