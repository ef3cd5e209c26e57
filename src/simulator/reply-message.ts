import { ESM_UDHI, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import { encodeGsm } from "../text/gsm-alphabet.ts";
import { split } from "../text/segments.ts";
import { encodeUcs2 } from "../text/ucs2.ts";
import { concatenationHeader } from "../text/udh.ts";

const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const ISDN = 1;
const UCS2 = 0x08;

/** A handset's text as the deliver_sm that bring it, one a part (SMPP 3.4 section 4.6.1). */
export function replyMessage(from: string, to: string, text: string): readonly ShortMessage[] {
  const { encoding, parts } = split(text);
  const isNumber = /^\d+$/.test(to);
  return parts.map((piece, index) => {
    const octets = (encoding === "GSM7" ? encodeGsm(piece) : null) ?? encodeUcs2(piece);
    const header = concatenationHeader({ reference: 1, total: parts.length, part: index + 1 });
    return shortMessage({
      sourceAddrTon: INTERNATIONAL,
      sourceAddrNpi: ISDN,
      sourceAddr: from,
      destAddrTon: isNumber ? INTERNATIONAL : ALPHANUMERIC,
      destAddrNpi: isNumber ? ISDN : 0,
      destinationAddr: to,
      esmClass: parts.length > 1 ? ESM_UDHI : 0,
      dataCoding: encoding === "GSM7" ? 0 : UCS2,
      shortMessage: parts.length > 1 ? Buffer.concat([header, octets]) : octets,
    });
  });
}
