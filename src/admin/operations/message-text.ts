/** The text of a message, for somebody who says why: who read it is in the audit list, before it is shown. */

import type { Reader } from "../../db/read.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { tracedMessage } from "../../domain/messages/trace.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { MESSAGE, REASON_TO_READ, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type MessageTextView = {
  readonly message_id: string;
  readonly account_id: string;
  readonly text: string;
  readonly encoding: string;
  readonly segments: number;
};

/**
 * Shows a message's text, "" once it was forgotten; the reason is kept, the text is not. Whose message it is reads it as they like: null,
 * and nothing is recorded.
 */
export async function messageText(
  context: AdminContext,
  messageId: string,
  reason: string | null,
): Promise<AdminOutcome<MessageTextView>> {
  if (reason === null) return toMessageTextView(context.store.read, messageId);
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const view = toMessageTextView(tx, messageId);
    if (!view.ok) return view;
    const { message_id: subject, account_id } = view.value;
    const audit = { action: "message text", subject, detail: { account_id, reason: words.value } };
    return done({ value: view.value, audit });
  });
}

function toMessageTextView(read: Reader, messageId: string): AdminOutcome<MessageTextView> {
  const message = tracedMessage(read, messageId.toUpperCase());
  if (!message) return refuse("MESSAGE_NOT_FOUND", { id: messageId });
  const { ulid, accountId, text, encoding, segments } = message;
  return done({ message_id: ulid, account_id: accountUlid(read, accountId), text, encoding, segments });
}

export const MESSAGE_TEXT_OPERATIONS = {
  "message text": operation({
    may: "messages.text",
    params: { message: word("MESSAGE", MESSAGE), reason: REASON_TO_READ },
    run: (context, { message, reason }) => messageText(context, message, reason),
  }),
};
