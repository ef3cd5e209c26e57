import type { Chance } from "../base/chance.ts";

/** How an operator writes its message ids: the last gives one id in two notations, as some do. */
export const ID_FORMATS = ["decimal", "hex", "uuid", "hex_response_decimal_receipt"] as const;

export type IdFormat = (typeof ID_FORMATS)[number];

/** One message's id as submit_sm_resp tells it and as its receipt does. */
export type MessageId = { readonly response: string; readonly receipt: string };

const EPOCH_MS = Date.UTC(2020, 0, 1);
/** Ids taken from the clock for each millisecond: a restart does not reuse any below 10,000 messages a second. */
const IDS_PER_MS = 10;

/** Ids that rise from the time of the start, in the format asked for at each call. */
export function messageIds(startMs: number, chance: Chance): (format: IdFormat) => MessageId {
  let last = Math.max(0, startMs - EPOCH_MS) * IDS_PER_MS;
  return (format) => {
    last += 1;
    switch (format) {
      case "decimal":
        return same(String(last));
      case "hex":
        return same(last.toString(16));
      case "uuid":
        return same(uuid(chance));
      case "hex_response_decimal_receipt":
        return { response: last.toString(16).toUpperCase(), receipt: String(last) };
    }
  };
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
