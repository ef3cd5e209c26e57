import { type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../src/text/ucs2.ts";
import type { Dice } from "./dice.ts";

const STATS = ["DELIVRD", "EXPIRED", "UNDELIV", "REJECTD", "ACCEPTD", "ENROUTE", "UNKNOWN", "DELETED", "xyz"];
const PIECES = [
  "id:",
  "ID: ",
  "stat:",
  "Stat:DELIVRD",
  "err:",
  "sub:001",
  "dlvrd:000",
  "submit date:",
  "done date:2603020900",
  "text:",
  "Text :",
  " ",
  "\t",
  "\r\n",
  "\0",
  ":",
  "::",
  "é",
  "€",
  "😀",
  "日本",
  "\u{10ffff}",
  "0".repeat(30),
  "id:id:id:",
  "mid:7",
  "substat:FAILED",
  "%s%n",
  "{}",
  "'",
  "--",
];

/** The text of an operator's receipt in the usual words, in any order; the customer's words stand behind `Text:`. */
export function receiptText(rolls: Dice): {
  readonly text: string;
  readonly id: string;
  readonly stat: string;
} {
  const { below, pick, ascii } = rolls;
  const id = `${below(1e9)}`;
  const stat = pick(STATS);
  const pieces = [`id:${id}`, "sub:001", "dlvrd:000", "submit date:2603020900", `stat:${stat}`, "err:1b"];
  pieces.sort(() => below(3) - 1);
  return { text: `${pieces.join(" ")} Text:id:666 stat:FAILED ${ascii(40)}`, id, stat };
}

/** A receipt's text that has been cut, doubled, filled, and mixed with pieces of others. */
export function mutatedText(rolls: Dice): string {
  const { below, pick, ascii } = rolls;
  let text = receiptText(rolls).text;
  for (let times = 1 + below(6); times > 0; times--) {
    const at = below(text.length + 1);
    const to = at + below(12);
    switch (below(5)) {
      case 0:
        text = text.slice(0, at) + text.slice(to);
        break;
      case 1:
        text = text.slice(0, at) + pick(PIECES) + text.slice(at);
        break;
      case 2:
        text = text.slice(0, at) + ascii(20) + text.slice(to);
        break;
      case 3:
        text += text.slice(at, to);
        break;
      default:
        if (below(40) === 0) text += pick(PIECES).repeat(1 + below(3_000));
    }
  }
  return text;
}

/** A message that may be a receipt, its text in one of the ways operators code it, or in none. */
export function maybeReceipt(rolls: Dice): ShortMessage {
  const { below, pick, bytes, ascii } = rolls;
  const text = mutatedText(rolls);
  const coded = pick([
    () => ({ dataCoding: 8, octets: encodeUcs2(text) }),
    () => ({ dataCoding: 0, octets: Buffer.from(text, "utf8") }),
    () => ({ dataCoding: pick([0, 1, 3, 4, 0xf0]), octets: Buffer.from(text, "latin1") }),
    () => ({ dataCoding: below(256), octets: bytes(below(200)) }),
  ])();
  const octets = new Uint8Array(coded.octets.subarray(0, 60_000));
  const isPayload = octets.length > 254 || below(4) === 0;
  return shortMessage({
    esmClass: pick([0, 4, 0x20, 0x40, 0x44, below(256)]),
    dataCoding: coded.dataCoding,
    shortMessage: isPayload ? new Uint8Array(0) : octets,
    tlvs: {
      ...(isPayload && { messagePayload: octets }),
      ...(below(4) === 0 && { receiptedMessageId: ascii(65) }),
      ...(below(4) === 0 && { messageState: below(12) }),
      ...(below(4) === 0 && { networkErrorCode: bytes(below(5)) }),
    },
  });
}
