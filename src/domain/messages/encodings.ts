/** Which coding of a text stands with a message in its row, and which one clients are shown. */
import { CHANNEL_TRAITS, type Channel } from "../../core/channels.ts";

/** How the texts of messages are coded. UTF8: by a channel that takes any text as it is. */
export const ENCODINGS = ["GSM7", "UCS2", "UTF8"] as const;

export type MessageEncoding = (typeof ENCODINGS)[number];

/** How a message's text is coded: `kept` is what stands with it. */
export function toMessageEncoding(channel: Channel, kept: "GSM7" | "UCS2"): MessageEncoding {
  return CHANNEL_TRAITS[channel].coding ?? kept;
}

/** What stands with a message. The table knows the codings that texts of one channel differ by, and no other. */
export function toStoredEncoding(encoding: MessageEncoding): "GSM7" | "UCS2" {
  return encoding === "GSM7" ? "GSM7" : "UCS2";
}
