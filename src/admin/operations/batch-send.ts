/** Quotes and accepts batches of administrators (docs/administration.md#sending-a-file), through the same `submit` as clients. */
import { assert, unreachable } from "../../core/assert.ts";
import { toLocalDate } from "../../core/calendar.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { NewImport } from "../../core/import-row.ts";
import { type Refusal, refused } from "../../core/refusals.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { isRegistered, readSenderRoutes } from "../../domain/accounts/senders.ts";
import { type FailedMessage, readTransientFailures } from "../../domain/messages/batch-messages.ts";
import { recordBatchSender } from "../../domain/messages/batch-senders.ts";
import { batchById } from "../../domain/messages/batches.ts";
import {
  type AttemptState,
  type Correction,
  type FamilyBatch,
  isReached,
  MAX_FAMILY_BATCHES,
  NEARNESS,
  readAttempts,
  readBatchFamily,
  recordCorrection,
  StaleCorrection,
} from "../../domain/messages/corrections.ts";
import { insertImport, writeOutImports } from "../../domain/messages/import-rows.ts";
import { findReply, keysOfAdministrators } from "../../domain/submission/idempotency.ts";
import { type ReadSubmission, unpackSubmission } from "../../domain/submission/packed-submission.ts";
import type { Quote, QuoteDetails } from "../../domain/submission/quote.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { findAccount } from "./account-names.ts";
import { findAnyBatch } from "./batches.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type QuotedMargin, quoteMargin } from "./margin.ts";
import { checkWords } from "./parameters.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";
import type {
  AdminSubmission,
  DetailedQuote,
  QuoteData,
  SubmissionInput,
  Submissions,
} from "./submissions.ts";

const MAX_KEY_LENGTH = 255;
const NO_SUBMISSIONS = refuse("NOT_NOW.no_batches");
const NO_BODY = refuse("INVALID_FILE.nothing_brought");

/** What is stored with a batch besides its messages: about its file, and the batch that a correction corrects. */
type KeptBeside = {
  readonly file?: NewImport | null;
  readonly corrects?: Correction | null;
  /** The user of the console who wrote it; null of a command, and where a text is sent again that its sender need not have read. */
  readonly sentBy?: number | null;
};

/** The refusal of a correction compared with an outdated state. */
export const OUTDATED = refuse("CORRECTED_SINCE");
export const TOO_MANY_CORRECTIONS = refuse("TOO_MANY_CORRECTIONS", { most: MAX_FAMILY_BATCHES });
/** The refusal for a batch that was accepted but not validated yet. */
export const STILL_VALIDATING = refuse("NOT_FINAL.validating");

/** The data of the answer to a submission; `is_replayed`: a repetition of an earlier answer. */
export type SentBatch = { readonly batch_id: string; readonly is_replayed: boolean };

/** Quotes sending `body`. Nothing is written or recorded. */
export async function batchQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
): Promise<AdminOutcome<QuoteData>> {
  const asked = await askQuote(context, accountId, body, false);
  return asked.ok ? done(asked.value.data) : asked;
}

/** The same with what routes would leave of it, for those who may know. */
export async function quoteWithMargin(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
): Promise<AdminOutcome<QuoteData & QuotedMargin>> {
  const asked = await askQuote(context, accountId, body, false);
  return asked.ok ? done({ ...asked.value.data, ...asked.value.margin() }) : asked;
}

/** A quote for a person, who is shown more than the figures; `seesMargin`: also what routes would leave of it. */
export async function toDetailedQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
  seesMargin: boolean,
): Promise<AdminOutcome<DetailedQuote & Partial<QuotedMargin>>> {
  const asked = await askQuote(context, accountId, body, true);
  if (!asked.ok) return asked;
  const { data, beside, margin } = asked.value;
  assert(beside, "what is shown to a person was asked for");
  return done({ ...data, ...beside, ...(seesMargin && margin()) });
}

type AskedQuote = {
  readonly data: QuoteData;
  readonly beside: QuoteDetails | null;
  /** By the routes that would carry it now. */
  readonly margin: () => QuotedMargin;
};

async function askQuote(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
  isForPerson: boolean,
): Promise<AdminOutcome<AskedQuote>> {
  const brought = await readInput(context, accountId, body);
  if (!brought.ok) return brought;
  const { account, submissions, read } = brought.value;
  const answer = await submissions.quote({ accountId: account.id, request: read.request, isForPerson });
  switch (answer.kind) {
    case "quoted":
      return done({
        data: submissions.quoteData(answer.quote),
        beside: answer.quote.beside,
        margin: () => marginOf(context, account.id, read.request, answer.quote),
      });
    case "busy":
      return refuse("RATE_LIMITED.quote");
    case "refused":
      return refused(answer.refusal.code, inFull(answer.refusal));
    default:
      return unreachable(answer, "answer to a quote");
  }
}

/** Of operators that know the sender: texts to others fail, and cost nothing. */
function marginOf(
  { config, store, server }: AdminContext,
  accountId: number,
  request: ReadSubmission["request"],
  { sums }: Quote,
): QuotedMargin {
  assert(request.ok, "what was quoted could be read");
  const { sender, messageClass } = request.value;
  const operators = sums.by_operator.map((share) => ({
    ...share,
    senderRoutes: readSenderRoutes(store.read, accountId, sender, share.operator),
  }));
  const standing = new Map(server?.routeStatus().map(({ operator, routes }) => [operator, routes]));
  return quoteMargin(config.operators, standing, { messageClass, operators });
}

/**
 * Sends a batch for an account, and records who did. A repeated `key` gets the first answer and sends nothing; without one, the same
 * batch on the same day of the account is a repetition. What accompanies it is stored with it.
 */
export async function batchSend(
  context: AdminContext,
  accountId: string,
  body: SubmissionInput | null,
  key: string | null,
  { file = null, corrects = null, sentBy = null }: KeptBeside = {},
): Promise<AdminOutcome<SentBatch>> {
  const words = key === null ? null : checkWords(key, "INVALID_KEY", "idempotency_key", MAX_KEY_LENGTH);
  if (words?.ok === false) return words;
  const brought = await readInput(context, accountId, body);
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
      if (sentBy !== null) recordBatchSender(tx, batch, sentBy);
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

/** Submits a batch; rolled back where somebody else corrected the same batch meanwhile. */
async function notOvertaken(submit: Submissions["submit"], order: AdminSubmission) {
  try {
    return await submit(order);
  } catch (error) {
    if (error instanceof StaleCorrection) return { kind: "overtaken" } as const;
    throw error;
  }
}

/** The account's batch sent earlier under the key; null where there is none. */
export function sentBefore(read: Reader, accountId: number, key: string): SentBatch | null {
  const reply = findReply(read, { apiKeyId: keysOfAdministrators(accountId), text: key });
  return reply === null ? null : { ...dataIn(reply), is_replayed: true };
}

async function readInput(context: AdminContext, accountId: string, body: SubmissionInput | null) {
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

// Resends a batch to recipients it failed to reach for a temporary reason.

/** The quote of a resend; `quote` is null where nobody would get it. */
type ResendQuote = {
  readonly failed: number;
  /** Others who got the text since by a correction, or may still get it. */
  readonly reached: number;
  readonly quote: QuoteData | null;
};

/** The tag that holds the whole text: each recipient gets their original text. */
const WHOLE = "text";

/**
 * Quotes the resend. Recipients who opted out since, or may not be written to at this hour, are among its rejections. Refuses a batch
 * that has not ended: messages under way may still fail.
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

/** Resends it, once: a repetition gets the first answer. Those who fail again are resent from the new batch. */
export async function resendBatch(context: AdminContext, batchId: string): Promise<AdminOutcome<SentBatch>> {
  const again = await gathered(context, batchId);
  if (!again.ok) return again;
  const { account, accountId, corrects, json } = again.value;
  const key = `again ${batchId.toUpperCase()}`;
  // Recipients of an earlier resend count as reached.
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

/** Gathers the texts, in slices beside other work. `json`: the body of a submission; null where there is nothing to resend. */
async function gathered(context: AdminContext, batchId: string) {
  const { read } = context.store;
  const found = findAnyBatch(read, batchId);
  if (!found.ok) return found;
  const row = batchById(read, found.value.id);
  if (!row || isSandbox(found.value.accountId)) {
    return refuse("BATCH_NOT_FOUND", { id: batchId });
  }
  const account = accountUlid(read, found.value.accountId);
  const { batches, isFull } = readBatchFamily(read, row.id);
  const whose = {
    account,
    accountId: found.value.accountId,
    reached: 0,
    corrects: { of: row.id, compared: batches.length, isAgain: true },
  };
  // Only SMS: other channels send more than a text.
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

// Whom later batches of the same family reached: a recipient who has the text since is not sent it again.

/** The batches of a family sent after a given one; earlier ones carried another text. */
export function listLaterBatches(batches: readonly FamilyBatch[], batchId: number): readonly FamilyBatch[] {
  return batches.slice(batches.findIndex(({ id }) => id === batchId) + 1);
}

/** The numbers that batches reached, or may still reach, and the best state for each; read in slices beside other work. */
export async function findReachedNumbers(
  { store, clock }: Pick<AdminContext, "store" | "clock">,
  batches: readonly FamilyBatch[],
): Promise<ReadonlyMap<string, AttemptState>> {
  const reached = new Map<string, AttemptState>();
  const pause = createYielder(clock);
  for (const batch of batches) {
    for (const tries of readAttempts(store.read, batch, clock.nowMs())) {
      for (const { msisdn, state } of tries) {
        if (isReached(state) && NEARNESS[state] > NEARNESS[reached.get(msisdn) ?? "FAILED"])
          reached.set(msisdn, state);
      }
      await pause();
    }
  }
  return reached;
}
