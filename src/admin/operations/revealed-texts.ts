/**
 * Texts that are kept, for somebody who says why: who read which is in the audit list before it is shown. A reason is kept there, and
 * never a text. Whose text it is reads it as they like: their reason is null, and nothing is recorded.
 */
import type { Reader } from "../../db/reader.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { inboundText } from "../../domain/inbound/inbound-texts.ts";
import { readFallback } from "../../domain/messages/batch-fallback.ts";
import { batchText as bodyOf } from "../../domain/messages/batches.ts";
import { findTextBatch } from "../../domain/messages/corrections.ts";
import { tracedMessage } from "../../domain/messages/trace.ts";
import { findAnyBatch } from "./batches.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkWords, MESSAGE, naming, REASON_TO_READ, whole, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** Shows what `viewIn` reads; `aboutOf` says what it is about in the audit list. */
async function reveal<View>(
  context: AdminContext,
  action: string,
  reason: string | null,
  viewIn: (read: Reader) => AdminOutcome<View>,
  aboutOf: (view: View) => { readonly subject: string; readonly account_id?: string },
): Promise<AdminOutcome<View>> {
  if (reason === null) return viewIn(context.store.read);
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const view = viewIn(tx);
    if (!view.ok) return view;
    const { subject, account_id } = aboutOf(view.value);
    const detail = { account_id, reason: words.value };
    return done({ value: view.value, audit: { action, subject, detail } });
  });
}

function toMessageTextView(read: Reader, messageId: string) {
  const message = tracedMessage(read, messageId.toUpperCase());
  if (!message) return refuse("MESSAGE_NOT_FOUND", { id: messageId });
  const { ulid, accountId, text, encoding, segments } = message;
  return done({ message_id: ulid, account_id: accountUlid(read, accountId), text, encoding, segments });
}

export const MESSAGE_TEXT_OPERATIONS = {
  /** Shows a message's text, "" once it was forgotten. */
  "message text": operation({
    may: "messages.text",
    params: { message: word("MESSAGE", MESSAGE), reason: REASON_TO_READ },
    run: (context, { message, reason }) =>
      reveal(
        context,
        "message text",
        reason,
        (read) => toMessageTextView(read, message),
        ({ message_id: subject, account_id }) => ({ subject, account_id }),
      ),
  }),
};

function toInboundTextView(read: Reader, inboundId: number) {
  const found = inboundText(read, inboundId);
  if (!found) return refuse("MESSAGE_NOT_FOUND.inbound", { id: inboundId });
  const { id, text, octets } = found;
  return done({
    inbound_id: id,
    /** Null where it is no text; `hex` holds it then. */
    text,
    hex: octets === null ? null : Buffer.from(octets).toString("hex"),
  });
}

const INBOUND = naming("inbound", whole("ID", { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

export const INBOUND_TEXT_OPERATIONS = {
  "inbound text": operation({
    may: "inbound.text",
    params: { inbound: word("ID", INBOUND), reason: REASON_TO_READ },
    run: (context, { inbound, reason }) =>
      reveal(
        context,
        "inbound text",
        reason,
        (read) => toInboundTextView(read, inbound),
        () => ({ subject: String(inbound) }),
      ),
  }),
};

/** Shows a batch's text. */
export function batchText(context: AdminContext, batchId: string, reason: string | null) {
  return reveal(
    context,
    "batch text",
    reason,
    (read) => toBatchTextView(read, batchId),
    ({ batch_id: subject, account_id }) => ({ subject, account_id }),
  );
}

function toBatchTextView(read: Reader, batchId: string) {
  const batch = findAnyBatch(read, batchId);
  if (!batch.ok) return batch;
  const { id, ulid, accountId } = batch.value;
  return done({
    batch_id: ulid,
    account_id: accountUlid(read, accountId),
    /** As it was submitted, with its tags; null once it was forgotten (docs/behaviour.md#10-retention). */
    text: bodyOf(read, findTextBatch(read, id)) || null,
    /** What goes as an SMS where the first channel fails; null where nothing does, and once it was forgotten. */
    fallback: readFallback(read, id)?.body || null,
  });
}

// Who was shown texts stands in the audit list before they are shown, whichever command shows them. A command that demands no reason
// keeps the one it is given.

type TextAccess = {
  /** The command that shows them. */
  readonly action: string;
  readonly subject: string;
  /** What they are about, but never the texts. */
  readonly detail: Readonly<Record<string, string | number | undefined>>;
};

/** Records that texts are about to be shown; refused where nothing can be recorded, and then nothing may be shown. */
export async function recordTextAccess(
  context: AdminContext,
  { action, subject, detail }: TextAccess,
  reason: string | null,
): Promise<AdminOutcome<null>> {
  const words = reason === null ? done(null) : checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  if (context.store.isReadOnly) {
    return refuse("STORE_UNAVAILABLE.no_text_shown", { directory: context.store.directory });
  }
  const audit = { action, subject, detail: { ...detail, reason: words.value ?? undefined } };
  return change(context, () => done({ value: null, audit }));
}
