/** The page "Batches": list, one, who was left out of it, cancel. */
import { type Static, Type as t } from "typebox";
import {
  findReachedNumbers,
  listLaterBatches,
  quoteResend,
  resendBatch,
} from "../../../admin/operations/batch-send.ts";
import { BATCH_CANCEL_OPERATIONS, batchShow } from "../../../admin/operations/batches.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { batchText } from "../../../admin/operations/revealed-texts.ts";
import { batchFind } from "../../../admin/reports/batch-find.ts";
import { batchRejections } from "../../../admin/reports/rejected-recipients.ts";
import { operatorNames } from "../../../config/config.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { isRegistered } from "../../../domain/accounts/senders.ts";
import { readWallet } from "../../../domain/ledger/wallet.ts";
import { type FailureSum, failureSums, mayPass } from "../../../domain/messages/batch-messages.ts";
import { type BatchRecord, batchById } from "../../../domain/messages/batches.ts";
import {
  type AttemptState,
  findTextBatch,
  readAttempts,
  readBatchFamily,
} from "../../../domain/messages/corrections.ts";
import { errorPhrase } from "../../../domain/messages/message-status.ts";
import { type OperatorWaiting, waitingByOperator } from "../../../domain/messages/queue.ts";
import { findOperatorPause, readPublicNames } from "../pauses.ts";
import { listRelatedBatches } from "./batch-family.ts";
import { hideMoney, hideQuoteMoney, hideRefusalMoney } from "./money-visibility.ts";
import { countAway } from "./queue.ts";
import { batchRows, ROWS_QUERY, readUnreadableRows, renderRejectedRowsFile } from "./rejected-rows.ts";
import {
  BATCH_SUBJECT,
  canReadBatchTexts,
  canSeeBalance,
  type PageContext,
  requireOwnBatch,
  resolveReadReason,
  told,
} from "./request-context.ts";
import { type QueryOf, route, routeOn } from "./route.ts";
import { ACCOUNT, filters, ID, INSTANT, LIMIT, REASON, REASON_TO_READ, WORD } from "./schemas.ts";
import { renderWarnings } from "./send.ts";

const BATCHES_QUERY = t.Object({
  ...filters({
    account: ACCOUNT,
    status: WORD,
    reference: WORD,
    /** "yes": with those that came over SMPP, a batch for each text. */
    smpp: WORD,
    from: INSTANT,
    to: INSTANT,
    before: ID,
  }).properties,
  limit: LIMIT,
});
const CANCEL = t.Object({ reason: REASON });
const REJECTIONS_QUERY = t.Object({
  from: t.Optional(t.Integer({ minimum: 0, maximum: 1_000_000 })),
  limit: LIMIT,
});

/** Batches newest first, of one account or of all. Those that came over SMPP are shown to who asks for them. */
async function batchesPage(asked: PageContext, { reference, smpp, ...rest }: QueryOf<typeof BATCHES_QUERY>) {
  const filters = { ...rest, withoutSmpp: smpp !== "yes" };
  const own = filters.before === null ? done(null) : requireOwnBatch(asked, filters.before);
  if (!own.ok) return own;
  const near = await batchFind(asked.context, { ...filters, reference: null, named: reference });
  if (!near.ok) return near;
  // Beyond the range of one search, a whole name is found by an index.
  const isFar = reference !== null && near.value.batches.length === 0 && near.value.next !== null;
  const exact = isFar ? await batchFind(asked.context, { ...filters, reference }) : near;
  const found = exact.ok && exact.value.batches.length > 0 ? exact : near;
  const batches = found.value.batches.map((batch) => hideMoney(asked.seesMoney, batch));
  return told(asked, done({ batches, next: found.value.next }));
}

/** One batch: progress by state, how many have not left, rejections by reason, cost, and its corrections. */
async function batchPage(asked: PageContext, { id, ulid }: BatchRecord) {
  const batch = await batchShow(asked.context, ulid);
  if (!batch.ok) return batch;
  const byOperator = waitingByOperator(asked.context.store.read, id);
  const waiting = byOperator.reduce((sum, { messages }) => sum + messages, 0);
  const view = {
    ...hideMoney(asked.seesMoney, batch.value),
    waiting,
    // A scheduled batch waits for its time.
    holds: batch.value.status === "SCHEDULED" ? [] : holdsOfBatch(asked, byOperator),
    account: accountByUlid(asked.context.store.read, batch.value.account_id)?.name ?? "",
    ...readUnreadableRows(asked, id),
    family: listRelatedBatches(asked, id),
    /** Whether its text is shown without a reason. */
    is_text_free: canReadBatchTexts(asked, id),
  };
  return told(asked, done(view));
}

/** Cancels a batch; the answer is the batch afterwards. */
async function cancelBatch(asked: PageContext, { ulid }: BatchRecord, { reason }: Static<typeof CANCEL>) {
  const cancel = BATCH_CANCEL_OPERATIONS["batch cancel"];
  const batch = await cancel.run(asked.context, { batch: ulid, reason });
  return batch.ok ? told(asked, done(hideMoney(asked.seesMoney, batch.value))) : batch;
}

/** The text of a batch; staff give a reason, which is audited, unless they sent it. */
async function textOfBatch(
  asked: PageContext,
  { id, ulid }: BatchRecord,
  body: Static<typeof REASON_TO_READ>,
) {
  const isFree = canReadBatchTexts(asked, id);
  const text = await batchText(asked.context, ulid, resolveReadReason(isFree, body));
  if (!text.ok) return text;
  const { read } = asked.context.store;
  const written = batchById(read, findTextBatch(read, id));
  return done({
    ...text.value,
    /** The options that it was sent with; null once its batch is forgotten. */
    text_policy: written?.text_policy ?? null,
    missing_attributes: written?.missing_attributes ?? null,
  });
}

async function quoteAgain(asked: PageContext, { ulid, accountId }: BatchRecord) {
  const again = await quoteResend(asked.context, ulid);
  if (!again.ok) return again;
  const { failed, reached } = again.value;
  const wallet = readWallet(asked.context.store.read, accountId);
  const quote = again.value.quote && hideQuoteMoney(canSeeBalance(asked), again.value.quote, wallet);
  return done({
    failed,
    reached,
    quote: quote && {
      ...quote,
      refusal: quote.refusal && { ...quote.refusal, detail: asked.translate(quote.refusal.detail) },
      warnings: renderWarnings(asked, quote.warnings),
    },
  });
}

async function sendAgain(asked: PageContext, { ulid }: BatchRecord) {
  const sent = await resendBatch(asked.context, ulid);
  if (!sent.ok) return hideRefusalMoney(canSeeBalance(asked), sent.refusal);
  return done({ batch_id: sent.value.batch_id, is_replayed: sent.value.is_replayed });
}

export const BATCH_ROUTES = {
  "GET /batches": route("batches.read", batchesPage, { query: BATCHES_QUERY }),
  "GET /batches/:batch": routeOn(BATCH_SUBJECT, "batches.read", batchPage),
  "GET /batches/:batch/rejections": routeOn(
    BATCH_SUBJECT,
    "batches.read",
    ({ context }, { ulid }, { from, limit }) => batchRejections(context, ulid, from ?? 0, limit),
    { query: REJECTIONS_QUERY },
  ),
  "GET /batches/:batch/failures": routeOn(BATCH_SUBJECT, "batches.read", failuresOf),
  "GET /batches/:batch/rows": routeOn(BATCH_SUBJECT, "batches.read", batchRows, { query: ROWS_QUERY }),
  "GET /batches/:batch/left-out.csv": routeOn(BATCH_SUBJECT, "batches.read", renderRejectedRowsFile),
  "POST /batches/:batch/text": routeOn(BATCH_SUBJECT, "messages.text", textOfBatch, { body: REASON_TO_READ }),
  "GET /batches/:batch/again": routeOn(BATCH_SUBJECT, "batches.quote", quoteAgain),
  "POST /batches/:batch/again": routeOn(BATCH_SUBJECT, "batches.send", sendAgain),
  "POST /batches/:batch/cancel": routeOn(BATCH_SUBJECT, "batches.cancel", cancelBatch, { body: CANCEL }),
};

// What holds the messages of a batch that have not left: operators that are paused or unreachable.

/** The operators that hold messages of a batch. */
function holdsOfBatch(asked: PageContext, waiting: readonly OperatorWaiting[]) {
  const { config } = asked.context;
  const seesWhy = asked.may("queue.read");
  const names = seesWhy ? operatorNames(config) : readPublicNames(config);
  return waiting.flatMap(({ operator, messages }) => {
    const pause = findOperatorPause(asked.context, operator);
    const away = countAway(asked, operator);
    if (pause === null && away === null) return [];
    return [
      {
        operator,
        /** Messages of the batch that wait for it. */
        messages,
        name: names[operator] ?? operator,
        /** Who paused it, and why: null for those who may not read the queue. */
        pause: pause && (seesWhy ? pause : { since: pause.since, by: null, reason: null }),
        /** Since when it is unreachable; null where it is not. */
        away: away && { since: away.since },
      },
    ];
  });
}

// Why messages of a batch failed, and who of them got the text by a later batch of its family.

/** In the reader's words; the causes with most people still without the text come first. */
async function failuresOf(asked: PageContext, batch: BatchRecord) {
  const { context, translate, seesMoney } = asked;
  const { read } = context.store;
  const pause = createYielder(context.clock);
  const sums = failureSums(read, batch);
  let step = sums.next();
  for (; step.done !== true; step = sums.next()) await pause();
  const since = await sinceOf(asked, batch);
  const sender = batchById(read, batch.id)?.sender ?? "";
  const isKnownAt = (operator: string) => isRegistered(read, batch.accountId, sender, operator);
  const failures = step.value.map(({ code, messages, amount, operators }) => {
    const { reached, pending, left } = withSince(code, operators, since);
    return hideMoney(seesMoney, {
      code,
      messages,
      /** Those of them whom a later batch of the family reached. */
      reached,
      /** Those a later batch may have reached, or may still reach: under way, or sent without a receipt. */
      pending,
      /** The rest: they still have nothing. */
      nothing: messages - reached - pending,
      /** Their cost although they did not arrive; null where amounts are not shown. */
      amount,
      detail: translate(errorPhrase(code)),
      /** Whether a retry may deliver some of those that still have nothing. */
      is_passing: left.some((operator) => mayPass(code, operator, isKnownAt)),
    });
  });
  return done({ failures: failures.sort((a, b) => b.nothing - a.nothing || b.messages - a.messages) });
}

type Since = { readonly reached: number; readonly pending: number };

const nameOf = (code: string, operator: string) => `${code} ${operator}`;

/** Counts by cause and operator how many got the text since; in slices beside other work. */
async function sinceOf({ context }: PageContext, batch: BatchRecord): Promise<ReadonlyMap<string, Since>> {
  const since = new Map<string, Since>();
  const later = listLaterBatches(readBatchFamily(context.store.read, batch.id).batches, batch.id);
  if (later.length === 0) return since;
  const has = await findReachedNumbers(context, later);
  const pause = createYielder(context.clock);
  for (const tries of readAttempts(context.store.read, batch, context.clock.nowMs())) {
    for (const { msisdn, operator, state, error } of tries) {
      const now = has.get(msisdn);
      if (state !== "FAILED" || now === undefined) continue;
      const name = nameOf(error, operator);
      since.set(name, counted(since.get(name), now));
    }
    await pause();
  }
  return since;
}

function counted({ reached, pending }: Since = { reached: 0, pending: 0 }, now: AttemptState): Since {
  return now === "DELIVERED" ? { reached: reached + 1, pending } : { reached, pending: pending + 1 };
}

/** Adds to a cause who got the text since; `left`: operators with people who still have nothing. */
function withSince(
  code: string,
  operators: FailureSum["operators"],
  since: ReadonlyMap<string, Since>,
): Since & { readonly left: readonly string[] } {
  let [reached, pending] = [0, 0];
  const left: string[] = [];
  for (const [operator, messages] of operators) {
    const has = since.get(nameOf(code, operator)) ?? { reached: 0, pending: 0 };
    reached += has.reached;
    pending += has.pending;
    if (has.reached + has.pending < messages) left.push(operator);
  }
  return { reached, pending, left };
}
