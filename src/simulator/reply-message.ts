import { ESM_UDHI, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import { encodeGsm } from "../text/gsm-alphabet.ts";
import { split } from "../text/segments.ts";
import { encodeUcs2 } from "../text/ucs2.ts";
import { concatenationHeader } from "../text/udh.ts";
import { PLAIN, type Quirks } from "./quirks.ts";

const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const ISDN = 1;
const UCS2 = 0x08;

/** What of a handset's text differs between operators. */
export type ReplyHabits = Pick<Quirks, "textCoding" | "numberSpelling">;

/** A handset's text as the deliver_sm that bring it, one a part (SMPP 3.4 section 4.6.1). */
export function replyMessage(
  from: string,
  to: string,
  text: string,
  habits: ReplyHabits = PLAIN,
): readonly ShortMessage[] {
  const { encoding, parts } = split(text);
  const isNumber = /^\d+$/.test(to);
  return parts.map((piece, index) => {
    const plain = habits.textCoding === "standard" && encoding === "GSM7" ? encodeGsm(piece) : null;
    const { octets, dataCoding } = plain
      ? { octets: plain, dataCoding: 0 }
      : wide(piece, habits, index === 0);
    const header = concatenationHeader({ reference: 1, total: parts.length, part: index + 1 });
    return shortMessage({
      sourceAddrTon: INTERNATIONAL,
      sourceAddrNpi: ISDN,
      sourceAddr: spelt(from, habits),
      destAddrTon: isNumber ? INTERNATIONAL : ALPHANUMERIC,
      destAddrNpi: isNumber ? ISDN : 0,
      destinationAddr: to,
      esmClass: parts.length > 1 ? ESM_UDHI : 0,
      dataCoding,
      shortMessage: parts.length > 1 ? Buffer.concat([header, octets]) : octets,
    });
  });
}

/** data_coding of UCS-2 with message class 1 (3GPP TS 23.038 section 4). */
const UCS2_CLASS_1 = 0x19;

/** A piece of a text in UCS-2, as an operator has it. Only the first piece begins with a mark. */
function wide(
  piece: string,
  { textCoding }: ReplyHabits,
  isFirst: boolean,
): { readonly octets: Uint8Array; readonly dataCoding: number } {
  switch (textCoding) {
    case "standard":
      return { octets: encodeUcs2(piece), dataCoding: UCS2 };
    case "ucs2_class":
      return { octets: encodeUcs2(piece), dataCoding: UCS2_CLASS_1 };
    case "ucs2_as_default":
      return { octets: encodeUcs2(piece), dataCoding: 0 };
    case "ucs2_little_endian": {
      const marked = encodeUcs2(isFirst ? `\ufeff${piece}` : piece);
      return { octets: new Uint8Array(Buffer.from(marked).swap16()), dataCoding: UCS2 };
    }
  }
}

/** What a national number has of an international one (E.164: Burkina Faso and most of its neighbours have eight digits). */
const NATIONAL_DIGITS = 8;

function spelt(number: string, { numberSpelling }: ReplyHabits): string {
  switch (numberSpelling) {
    case "international":
      return number;
    case "national":
      return number.slice(-NATIONAL_DIGITS);
    case "double_zero":
      return `00${number}`;
  }
}
