/** The ids that the simulated operator gives to messages, in the forms that real operators use. */
import type { Chance } from "../core/chance.ts";

/** Formats of an operator's message ids: the last two give one id in two notations, as some operators do. */
export const ID_FORMATS = [
  "decimal",
  "hex",
  "hex_upper",
  "uuid",
  "hex_response_decimal_receipt",
  "decimal_response_hex_receipt",
] as const;

type IdFormat = (typeof ID_FORMATS)[number];

export const ID_CASES = ["same", "upper", "lower"] as const;

type IdCase = (typeof ID_CASES)[number];

/** One message's id as submit_sm_resp tells it and as its receipt does. */
export type MessageId = { readonly response: string; readonly receipt: string };

/** How this operator writes its ids. */
export type IdQuirks = {
  readonly idFormat: IdFormat;
  /** Receipts write the id's letters in this case, whatever the response did. */
  readonly receiptIdCase: IdCase;
  /** Ids are padded with zeros on the left to this length, in responses and in receipts. */
  readonly responseIdPad: number;
  readonly receiptIdPad: number;
  /** After this many ids the first is used again. 0: never. */
  readonly reuseIdsAfter: number;
};

const EPOCH_MS = Date.UTC(2020, 0, 1);
/** Ids taken from the clock for each millisecond: a restart does not reuse any below 10,000 messages a second. */
const IDS_PER_MS = 10;

/** Makes ids that rise from the time of the start, in the format that each call asks for. */
export function messageIds(startMs: number, chance: Chance): (quirks: IdQuirks) => MessageId {
  const first = Math.max(0, startMs - EPOCH_MS) * IDS_PER_MS + 1;
  let given = 0;
  return (quirks) => {
    const { reuseIdsAfter, responseIdPad, receiptIdPad } = quirks;
    const number = first + (reuseIdsAfter > 0 ? given % reuseIdsAfter : given);
    given += 1;
    const { response, receipt } = written(number, quirks.idFormat, chance);
    return {
      response: response.padStart(responseIdPad, "0"),
      receipt: inCase(receipt, quirks.receiptIdCase).padStart(receiptIdPad, "0"),
    };
  };
}

function written(number: number, format: IdFormat, chance: Chance): MessageId {
  const decimal = String(number);
  const hex = number.toString(16);
  switch (format) {
    case "decimal":
      return same(decimal);
    case "hex":
      return same(hex);
    case "hex_upper":
      return same(hex.toUpperCase());
    case "uuid":
      return same(uuid(chance));
    case "hex_response_decimal_receipt":
      return { response: hex.toUpperCase(), receipt: decimal };
    case "decimal_response_hex_receipt":
      return { response: decimal, receipt: hex.toUpperCase() };
  }
}

function inCase(id: string, wanted: IdCase): string {
  switch (wanted) {
    case "same":
      return id;
    case "upper":
      return id.toUpperCase();
    case "lower":
      return id.toLowerCase();
  }
}

function same(id: string): MessageId {
  return { response: id, receipt: id };
}

/** A random UUID (RFC 9562 section 5.4). */
function uuid(chance: Chance): string {
  const octets = Uint8Array.from(chance.bytes(16));
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x40;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(octets).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
