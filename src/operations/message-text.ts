/** The text of a message, for somebody who says why: who read it is in the audit list, before it is shown. */
import { accountUlid } from "../accounts/accounts.ts";
import { tracedMessage } from "../messages/trace.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type MessageTextView = {
  readonly message_id: string;
  readonly account_id: string;
  readonly text: string;
  readonly encoding: string;
  readonly segments: number;
};

/** Shows a message's text; the reason is kept, the text is not. */
export async function messageText(
  context: AdminContext,
  messageId: string,
  reason: string,
): Promise<AdminOutcome<MessageTextView>> {
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const message = tracedMessage(tx, messageId.toUpperCase());
    if (!message) return refuse("MESSAGE_NOT_FOUND", `there is no message ${JSON.stringify(messageId)}`);
    const { ulid, accountId, text, encoding, segments } = message;
    const account_id = accountUlid(tx, accountId);
    return done({
      value: { message_id: ulid, account_id, text, encoding, segments },
      audit: { action: "message text", subject: ulid, detail: { account_id, reason: words.value } },
    });
  });
}
