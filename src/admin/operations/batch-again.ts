/** Sending a batch again to those whom it failed to reach for a reason that passes. */

import { isSandbox } from "../../core/sandbox.ts";
import { createYielder } from "../../core/slices.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { isRegistered } from "../../domain/accounts/senders.ts";
import { batchById } from "../../domain/messages/batches.ts";
import { type Correction, familyOf } from "../../domain/messages/corrections.ts";
import { type FailedMessage, readTransientFailures } from "../../domain/messages/failed-messages.ts";
import {
  batchQuote,
  batchSend,
  type SentBatch,
  STILL_VALIDATING,
  sentBefore,
  TOO_MANY_CORRECTIONS,
} from "./batch-send.ts";
import { findAnyBatch } from "./batches.ts";
import type { AdminContext } from "./context.ts";
import { listLaterBatches, findReachedNumbers } from "./reached-since.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import type { QuoteData } from "./submissions.ts";

/** What sending again would come to; `quote` is null where nobody would get it. */
export type ResendQuote = {
  readonly failed: number;
  /** Those beside them who have the text since by a correction, or may still get it. */
  readonly reached: number;
  readonly quote: QuoteData | null;
};

type Again = {
  readonly account: string;
  readonly accountId: number;
  readonly corrects: Correction;
  readonly failed: number;
  readonly reached: number;
  /** The body of a submission; null where nothing is to be sent again. */
  readonly json: Uint8Array<ArrayBuffer> | null;
};

/** The tag that holds the whole text: each gets again what they were to get. */
const WHOLE = "text";

/**
 * What it would come to. Whoever opted out since, or may not be written to at this hour, is among its rejections. Nothing of a batch that has
 * not ended: what is under way may still fail.
 */
export async function quoteResend(
  context: AdminContext,
  batchId: string,
): Promise<AdminOutcome<ResendQuote>> {
  const again = await gathered(context, batchId);
  if (!again.ok) return again;
  const { account, failed, reached, json } = again.value;
  if (json === null) return done({ failed, reached, quote: null });
  const quote = await batchQuote(context, account, json);
  return quote.ok ? done({ failed, reached, quote: quote.value }) : quote;
}

/** Sends it, once: said again, the first answer is given again. Those who fail again are sent to from the new batch. */
export async function resendBatch(context: AdminContext, batchId: string): Promise<AdminOutcome<SentBatch>> {
  const again = await gathered(context, batchId);
  if (!again.ok) return again;
  const { account, accountId, corrects, json } = again.value;
  const key = `again ${batchId.toUpperCase()}`;
  // Those that it was sent again to count as reached.
  const before = sentBefore(context.store.read, accountId, key);
  if (before !== null) return done(before);
  if (json === null) {
    return refuse("NOTHING_TO_CHANGE.nothing_failed");
  }
  const sent = await batchSend(context, account, json, key, { corrects });
  return !sent.ok && sent.refusal.code === "IDEMPOTENCY_KEY_REUSED"
    ? refuse("IDEMPOTENCY_KEY_REUSED.again")
    : sent;
}

/** Gathers the texts, in slices beside other work. */
async function gathered(context: AdminContext, batchId: string): Promise<AdminOutcome<Again>> {
  const { read } = context.store;
  const found = findAnyBatch(read, batchId);
  if (!found.ok) return found;
  const row = batchById(read, found.value.id);
  if (!row || isSandbox(found.value.accountId)) {
    return refuse("BATCH_NOT_FOUND", { id: batchId });
  }
  const account = accountUlid(read, found.value.accountId);
  const { batches, isFull } = familyOf(read, row.id);
  const whose = {
    account,
    accountId: found.value.accountId,
    reached: 0,
    corrects: { of: row.id, compared: batches.length, isAgain: true },
  };
  // What another channel sends is more than a text.
  if (found.value.endedAtMs === null || row.channel !== "SMS")
    return done({ ...whose, failed: 0, json: null });
  if (isFull) return TOO_MANY_CORRECTIONS;
  const later = listLaterBatches(batches, row.id);
  if (later.some(({ status }) => status === "VALIDATING")) return STILL_VALIDATING;
  const has = await findReachedNumbers(context, later);
  const { sender, message_class, client_reference } = row;
  const head = { sender, message_class, client_reference, body: `{${WHOLE}}`, text_policy: "as_is" };
  const pause = createYielder(context.clock);
  const encoder = new TextEncoder();
  const pieces = [encoder.encode(`${JSON.stringify(head).slice(0, -1)},"recipients":[`)];
  let [failed, reached] = [0, 0];
  const isKnownAt = (operator: string) => isRegistered(read, found.value.accountId, sender, operator);
  for (const all of readTransientFailures(read, found.value, isKnownAt)) {
    const messages = all.filter(({ msisdn }) => !has.has(msisdn));
    reached += all.length - messages.length;
    if (messages.length > 0) {
      pieces.push(encoder.encode((failed === 0 ? "" : ",") + messages.map(recipientJson).join(",")));
      failed += messages.length;
    }
    await pause();
  }
  pieces.push(encoder.encode("]}"));
  const json = failed === 0 ? null : new Uint8Array(Buffer.concat(pieces));
  return done({ ...whose, failed, reached, json });
}

function recipientJson({ msisdn, text, reference }: FailedMessage): string {
  return JSON.stringify({ msisdn, attributes: { [WHOLE]: text }, client_reference: reference });
}
