/** Quoting and taking batches that an administrator brings (docs/administration.md#sending-a-file): by the one way in, as from clients. */

import { assert, unreachable } from "../../core/assert.ts";
import { type Refusal, refused } from "../../core/failures.ts";
import type { NewImport } from "../../core/import-row.ts";
import { toLocalDate } from "../../core/zoned-time.ts";
import type { Reader } from "../../db/read.ts";
import type { Account } from "../../domain/accounts/accounts.ts";
import {
  type Correction,
  MAX_FAMILY_BATCHES,
  recordCorrection,
  StaleCorrection,
} from "../../domain/messages/corrections.ts";
import { insertImport, writeOutImports } from "../../domain/messages/import-rows.ts";
import { keysOfAdministrators, findReply } from "../../domain/submission/idempotency.ts";
import { type ReadSubmission, unpackSubmission } from "../../domain/submission/packed-submission.ts";
import type { QuoteDetails } from "../../domain/submission/quote-beside.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";
import type { AdminSubmission, SubmissionInput, DetailedQuote, QuoteData, Submissions } from "./submissions.ts";
import { checkWords } from "./typed-values.ts";

const MAX_KEY_LENGTH = 255;
const NO_SUBMISSIONS = refuse("NOT_NOW.no_batches");
const NO_BODY = refuse("INVALID_FILE.nothing_brought");

/** What is kept with a batch beside its messages: of its file, and of a correction the batch that it corrects. */
export type KeptBeside = {
  readonly file?: NewImport | null;
  readonly corrects?: Correction | null;
};

/** Of a correction that is compared with what is no longer all. */
export const OUTDATED = refuse("CORRECTED_SINCE");
export const TOO_MANY_CORRECTIONS = refuse("TOO_MANY_CORRECTIONS", { most: MAX_FAMILY_BATCHES });
/** Of a batch that was answered for, and whose numbers are not read yet. */
export const STILL_VALIDATING = refuse("NOT_FINAL.validating");

/** The data of the answer to a submission; `is_replayed`: it was given before. */
export type SentBatch = { readonly batch_id: string; readonly is_replayed: boolean };

type Brought = {
  readonly account: Account;
  readonly submissions: Submissions;
  readonly read: ReadSubmission;
};

/** What sending `body` would come to. Nothing is written, and so nothing is recorded. */
export async function batchQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
): Promise<AdminOutcome<QuoteData>> {
  const asked = await askQuote(context, accountId, body, false);
  return asked.ok ? done(asked.value.data) : asked;
}

/** The same for a person, who is shown more than the figures. */
export async function toDetailedQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
): Promise<AdminOutcome<DetailedQuote>> {
  const asked = await askQuote(context, accountId, body, true);
  if (!asked.ok) return asked;
  const { data, beside } = asked.value;
  assert(beside, "what is shown to a person was asked for");
  return done({ ...data, ...beside });
}

async function askQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
  isForPerson: boolean,
): Promise<AdminOutcome<{ readonly data: QuoteData; readonly beside: QuoteDetails | null }>> {
  const brought = await bring(context, accountId, body);
  if (!brought.ok) return brought;
  const { account, submissions, read } = brought.value;
  const answer = await submissions.quote({ accountId: account.id, request: read.request, isForPerson });
  switch (answer.kind) {
    case "quoted":
      return done({ data: submissions.quoteData(answer.quote), beside: answer.quote.beside });
    case "busy":
      return refuse("RATE_LIMITED.quote");
    case "refused":
      return refused(answer.refusal.code, inFull(answer.refusal));
    default:
      return unreachable(answer, "answer to a quote");
  }
}

/**
 * Sends a batch for an account, and records who did. `key`: said again, the first answer is given again and nothing is sent; without
 * one, the same batch on the same day of the account is the same. What stands beside it is kept with it.
 */
export async function batchSend(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
  key: string | null,
  { file = null, corrects = null }: KeptBeside = {},
): Promise<AdminOutcome<SentBatch>> {
  const words = key === null ? null : checkWords(key, "INVALID_KEY", "idempotency_key", MAX_KEY_LENGTH);
  if (words?.ok === false) return words;
  const brought = await bring(context, accountId, body);
  if (!brought.ok) return brought;
  const { account, submissions, read } = brought.value;
  const { id, ulid, timezone } = account;
  const today = toLocalDate(context.clock.nowMs(), timezone);
  const text = words?.value ?? `sent ${today} ${Buffer.from(read.digest).toString("hex")}`;
  const asked = await record(context, ulid, { step: "asked", key: text });
  if (!asked.ok) return asked;
  const answer = await notOvertaken(submissions.submit, {
    accountId: id,
    key: { apiKeyId: keysOfAdministrators(id), text, bodyDigest: read.digest },
    request: read.request,
    alsoStore: (tx, batch) => {
      if (file !== null) insertImport(tx, batch, file);
      if (corrects !== null) recordCorrection(tx, batch, corrects);
    },
  });
  switch (answer.kind) {
    case "accepted": {
      const { ulid: batch, sums } = answer.batch;
      await writeOutImports(context.store);
      await record(context, ulid, { step: "accepted", batch_id: batch, amount: sums.amount });
      return done({ ...dataIn(answer.reply.text), is_replayed: false });
    }
    case "repeated":
      await writeOutImports(context.store);
      return done({ ...dataIn(answer.reply.text), is_replayed: true });
    case "key reused":
      return refuse("IDEMPOTENCY_KEY_REUSED.other_batch");
    case "in progress":
      return refuse("REQUEST_IN_PROGRESS.batch");
    case "refused":
      return { ok: false, refusal: { ...answer.refusal, detail: inFull(answer.refusal) } };
    case "overtaken":
      return OUTDATED;
    default:
      return unreachable(answer, "answer to a submission");
  }
}

/** Submits a batch; where others corrected the same meanwhile, nothing of it stays. */
async function notOvertaken(submit: Submissions["submit"], order: AdminSubmission) {
  try {
    return await submit(order);
  } catch (error) {
    if (error instanceof StaleCorrection) return { kind: "overtaken" } as const;
    throw error;
  }
}

/** The batch of the account that was sent under the key before; null where none was. */
export function sentBefore(read: Reader, accountId: number, key: string): SentBatch | null {
  const reply = findReply(read, { apiKeyId: keysOfAdministrators(accountId), text: key });
  return reply === null ? null : { ...dataIn(reply), is_replayed: true };
}

async function bring(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
): Promise<AdminOutcome<Brought>> {
  const { store, submissions } = context;
  const account = findAccount(store.read, accountId);
  if (!account.ok) return account;
  if (account.value.status === "SUSPENDED") {
    return refuse("ACCOUNT_SUSPENDED");
  }
  if (account.value.status === "CLOSED") return refuse("ACCOUNT_CLOSED.sending");
  if (!submissions) return NO_SUBMISSIONS;
  if (body === null) return NO_BODY;
  const read = body instanceof Uint8Array ? await submissions.read(body) : done(unpackSubmission(body));
  return read.ok
    ? done({ account: account.value, submissions, read: read.value })
    : refused("VALIDATION_FAILED", inFull(read.refusal));
}

function record(context: AdminContext, subject: string, detail: Record<string, string | number>) {
  return change(context, () => done({ value: null, audit: { action: "batch send", subject, detail } }));
}

/** A refusal with its fields named; an administrator may read balances. */
function inFull({ detail, detailWithBalance, faults = [] }: Refusal<AdminCode>): Phrase {
  const named = faults.map(({ path, message }) => phrase("fault.at", { path, fault: message }));
  return phrase("parts", { parts: [detailWithBalance ?? detail, ...named] });
}

function dataIn(reply: string): { readonly batch_id: string } {
  const { data }: { data: { readonly batch_id: string } } = JSON.parse(reply);
  return data;
}
