/** Sending a batch again to those whom it failed to reach for a reason that passes. */
import { accountUlid } from "../accounts/accounts.ts";
import { isSandbox } from "../base/sandbox.ts";
import { slicer } from "../base/slices.ts";
import { batchById } from "../messages/batches.ts";
import { type FailedMessage, failedForNow } from "../messages/failed-messages.ts";
import { batchQuote, batchSend, type SentBatch } from "./batch-send.ts";
import { findAnyBatch } from "./batches.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import type { QuoteData } from "./submissions.ts";

/** What sending again would come to; `quote` is null where nobody would get it. */
export type AgainQuote = { readonly failed: number; readonly quote: QuoteData | null };

type Again = {
  readonly account: string;
  /** The row id of the batch. */
  readonly batch: number;
  readonly failed: number;
  /** The body of a submission; null where nothing is to be sent again. */
  readonly json: Uint8Array<ArrayBuffer> | null;
};

/** The tag that holds the whole text: each gets again what they were to get. */
const WHOLE = "text";

/**
 * What it would come to. Whoever opted out since, or may not be written to at this hour, is among its rejections. Nothing of a batch that has
 * not ended: what is under way may still fail.
 */
export async function batchAgainQuote(
  context: AdminContext,
  batchId: string,
): Promise<AdminOutcome<AgainQuote>> {
  const again = await gathered(context, batchId);
  if (!again.ok) return again;
  const { account, failed, json } = again.value;
  if (json === null) return done({ failed, quote: null });
  const quote = await batchQuote(context, account, json);
  return quote.ok ? done({ failed, quote: quote.value }) : quote;
}

/** Sends it, once: said again, the first answer is given again. Those who fail again are sent to from the new batch. */
export async function batchAgain(context: AdminContext, batchId: string): Promise<AdminOutcome<SentBatch>> {
  const again = await gathered(context, batchId);
  if (!again.ok) return again;
  const { account, batch, json } = again.value;
  if (json === null) {
    return refuse("NOTHING_TO_CHANGE", "nothing of the batch failed for a reason that passes");
  }
  const key = `again ${batchId.toUpperCase()}`;
  const sent = await batchSend(context, account, json, key, { corrects: batch });
  return !sent.ok && sent.refusal.code === "IDEMPOTENCY_KEY_REUSED"
    ? refuse("IDEMPOTENCY_KEY_REUSED", "the batch was sent again already")
    : sent;
}

/** Gathers the texts, in slices beside other work. */
async function gathered(context: AdminContext, batchId: string): Promise<AdminOutcome<Again>> {
  const { read } = context.store;
  const found = findAnyBatch(read, batchId);
  if (!found.ok) return found;
  const row = batchById(read, found.value.id);
  if (!row || isSandbox(found.value.accountId)) {
    return refuse("BATCH_NOT_FOUND", `there is no batch ${JSON.stringify(batchId)}`);
  }
  const account = accountUlid(read, found.value.accountId);
  const whose = { account, batch: row.id };
  // What another channel sends is more than a text.
  if (found.value.endedAtMs === null || row.channel !== "SMS")
    return done({ ...whose, failed: 0, json: null });
  const { sender, message_class, client_reference } = row;
  const head = { sender, message_class, client_reference, body: `{${WHOLE}}`, text_policy: "as_is" };
  const pause = slicer(context.clock);
  const encoder = new TextEncoder();
  const pieces = [encoder.encode(`${JSON.stringify(head).slice(0, -1)},"recipients":[`)];
  let failed = 0;
  for (const messages of failedForNow(read, found.value)) {
    if (messages.length > 0) {
      pieces.push(encoder.encode((failed === 0 ? "" : ",") + messages.map(recipientJson).join(",")));
      failed += messages.length;
    }
    await pause();
  }
  pieces.push(encoder.encode("]}"));
  return done({ ...whose, failed, json: failed === 0 ? null : new Uint8Array(Buffer.concat(pieces)) });
}

function recipientJson({ msisdn, text, reference }: FailedMessage): string {
  return JSON.stringify({ msisdn, attributes: { [WHOLE]: text }, client_reference: reference });
}
