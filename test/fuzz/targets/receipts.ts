import { ok, strictEqual } from "node:assert";
import { type Receipt, readReceipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import { candidateIds, canonicalId } from "../../../src/channels/sms/receipt-keys.ts";
import { ESM_RECEIPT, shortMessage } from "../../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../../src/text/ucs2.ts";
import { mutatedText, receiptText } from "../receipt-texts.ts";
import { textTarget } from "../target.ts";

const STATES = "DELIVERED EXPIRED DELETED UNDELIVERABLE REJECTED FAILED SKIPPED PENDING".split(" ");

/** A receipt of SMPP 3.4 appendix B to the letter, as an independent reader takes it apart. */
const STRICT =
  /^id:([0-9A-Za-z-]{1,20}) sub:\d{3} dlvrd:\d{3} submit date:\d{10} done date:\d{10} stat:([A-Z]{7}) err:(\w{3}) text:/i;

export const receipts = textTarget({
  name: "receipts",
  promise: "a receipt's text is read within bounds, alike in every coding, and never from behind Text:",
  words: [
    ...[
      "id:",
      "ID:",
      " id: ",
      "stat:",
      "err:",
      "sub:001",
      "dlvrd:001",
      "submit date:",
      "done date:",
      "text:",
    ],
    ...["Text:", "DELIVRD", "UNDELIV", "EXPIRED", "REJECTD", "ACCEPTD", "2603020900", "260302090000", "0x1f"],
    ...[
      ",",
      ";",
      "\r\n",
      "id:1 sub:001 dlvrd:001 submit date:2603020900 done date:2603020900 stat:DELIVRD err:000 ",
    ],
  ],
  draw: (rolls) => (rolls.below(2) === 0 ? receiptText(rolls).text : mutatedText(rolls)),
  run: (text) => {
    const octets = new Uint8Array(Buffer.from(text, "latin1").subarray(0, 60_000));
    const isLong = octets.length > 254;
    const inPlace = { shortMessage: isLong ? new Uint8Array() : octets };
    const payload = { shortMessage: new Uint8Array(), tlvs: { messagePayload: octets } };
    const marked = read(shortMessage({ esmClass: ESM_RECEIPT, ...(isLong ? payload : inPlace) }));
    ok(marked, "a marked receipt is always one");
    const unmarked = read(shortMessage(isLong ? payload : inPlace));
    const carried = read(shortMessage({ esmClass: ESM_RECEIPT, ...payload }));
    strictEqual(said(carried), said(marked), "a payload reads as a short message does");
    if (unmarked) strictEqual(said({ ...unmarked, isMarked: true }), said(marked), "a mark changes no word");
    if (/^[ -~]*$/.test(text) && text.length <= 1_000) {
      const wide = {
        dataCoding: 8,
        shortMessage: new Uint8Array(),
        tlvs: { messagePayload: encodeUcs2(text) },
      };
      strictEqual(said(read(shortMessage({ esmClass: ESM_RECEIPT, ...wide }))), said(marked), "as UCS-2");
    }
    const strict = STRICT.exec(Buffer.from(octets).toString("latin1"));
    if (strict) {
      const [, id = "", stat = "", error = ""] = strict;
      strictEqual(marked.id, id);
      strictEqual(marked.rawStat, stat.toUpperCase());
      strictEqual(marked.errorCode, error);
    }
    const behind = text.search(/text\s*:/i);
    if (behind >= 0 && /^[ -~]*$/.test(text)) {
      const before = new Uint8Array(Buffer.from(text.slice(0, behind), "latin1"));
      const cut = shortMessage({
        esmClass: ESM_RECEIPT,
        shortMessage: new Uint8Array(),
        tlvs: { messagePayload: before },
      });
      const { id, rawStat, errorCode } = read(cut) ?? marked;
      strictEqual(said({ ...marked, text: null }), said({ ...marked, id, rawStat, errorCode, text: null }));
    }
    return signatureOf(marked, unmarked !== null);
  },
});

function read(message: Parameters<typeof readReceipt>[0]): Receipt | null {
  const receipt = readReceipt(message);
  if (receipt === null) return null;
  const { id, state, rawStat, errorCode } = receipt;
  ok(STATES.includes(state), state);
  ok(id === null || (id.length >= 1 && id.length <= 255), "an id is short enough to keep");
  ok(rawStat === null || rawStat.length <= 16, "a state's word is short enough to keep");
  ok(errorCode === null || errorCode.length <= 8, "an error code is short enough to keep");
  if (id !== null) for (const each of candidateIds(id)) strictEqual(canonicalId(each), each);
  return receipt;
}

const said = (receipt: Receipt | null): string => JSON.stringify(receipt);

function signatureOf({ id, state, rawStat, errorCode }: Receipt, isWhole: boolean): string {
  const named = id === null ? "no id" : /^\d+$/.test(id) ? "digits" : "a word";
  const told = `${rawStat === null ? "no stat" : "stat"} ${errorCode === null ? "no err" : "err"}`;
  return isWhole ? `whole ${state} ${named}` : `${state} ${named} ${told}`;
}
