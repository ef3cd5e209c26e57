/** A text that a subscriber sent in, for somebody who says why: who read it is in the audit list, before it is shown. */
import { inboundText } from "../inbound/inbound-texts.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type InboundTextView = {
  readonly inbound_id: number;
  /** Null where it is no text; `hex` holds it then. */
  readonly text: string | null;
  readonly hex: string | null;
};

/** Shows an inbound text; the reason is kept, the text is not. */
export async function inboundTextShow(
  context: AdminContext,
  inboundId: number,
  reason: string,
): Promise<AdminOutcome<InboundTextView>> {
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const found = inboundText(tx, inboundId);
    if (!found) return refuse("MESSAGE_NOT_FOUND", `there is no inbound text ${inboundId}`);
    const { id, text, octets } = found;
    const hex = octets === null ? null : Buffer.from(octets).toString("hex");
    return done({
      value: { inbound_id: id, text, hex },
      audit: { action: "inbound text", subject: String(id), detail: { reason: words.value } },
    });
  });
}
