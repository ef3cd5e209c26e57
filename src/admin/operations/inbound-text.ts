/** A text that a subscriber sent in, for somebody who says why: who read it is in the audit list, before it is shown. */

import type { Reader } from "../../db/read.ts";
import { inboundText } from "../../domain/inbound/inbound-texts.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { naming, REASON_TO_READ, whole, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type InboundTextView = {
  readonly inbound_id: number;
  /** Null where it is no text; `hex` holds it then. */
  readonly text: string | null;
  readonly hex: string | null;
};

/** Shows an inbound text; the reason is kept, the text is not. Whoever it was for reads it as they like: null, and nothing is recorded. */
export async function inboundTextShow(
  context: AdminContext,
  inboundId: number,
  reason: string | null,
): Promise<AdminOutcome<InboundTextView>> {
  if (reason === null) return toInboundTextView(context.store.read, inboundId);
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const view = toInboundTextView(tx, inboundId);
    if (!view.ok) return view;
    const audit = { action: "inbound text", subject: String(inboundId), detail: { reason: words.value } };
    return done({ value: view.value, audit });
  });
}

function toInboundTextView(read: Reader, inboundId: number): AdminOutcome<InboundTextView> {
  const found = inboundText(read, inboundId);
  if (!found) return refuse("MESSAGE_NOT_FOUND.inbound", { id: inboundId });
  const { id, text, octets } = found;
  return done({ inbound_id: id, text, hex: octets === null ? null : Buffer.from(octets).toString("hex") });
}

const INBOUND = naming("inbound", whole("ID", { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

export const INBOUND_TEXT_OPERATIONS = {
  "inbound text": operation({
    may: "inbound.text",
    params: { inbound: word("ID", INBOUND), reason: REASON_TO_READ },
    run: (context, { inbound, reason }) => inboundTextShow(context, inbound, reason),
  }),
};
