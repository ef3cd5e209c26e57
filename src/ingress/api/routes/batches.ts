/**
 * HTTP routes of batches: submission, quote, retrieval, list and cancellation. Long answers are written in slices or
 * streamed.
 */
import type { Clock } from "../../../core/clock.ts";
import { createYielder, fairScheduler } from "../../../core/concurrency.ts";
import { streamedResponse } from "../../../core/http-connection.ts";
import { isUlid } from "../../../core/ids.ts";
import { accepted, type Outcome } from "../../../core/refusals.ts";
import { isSandbox } from "../../../core/sandbox.ts";
import type { Reader } from "../../../db/reader.ts";
import type { Principal } from "../../../domain/accounts/api-keys.ts";
import {
  type BatchRow,
  batchObject,
  batchRecord,
  findBatch,
  findBatches,
  readRejections,
  rejectionsText,
  warningsText,
} from "../../../domain/messages/batches.ts";
import { bodyBudget } from "../../http/body-budget.ts";
import { jsonAnswer, jsonHeaders, NOT_FOUND, problem } from "../../http/problem.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requireCaller } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import {
  batchCancelDoc,
  batchFetchDoc,
  batchListDoc,
  batchQuoteDoc,
  batchSubmitDoc,
} from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";
import {
  type BatchQuery,
  NO_CURSOR,
  parseQueryString,
  readBatchQuery,
  readBodyIfAny,
  readCancelReason,
  toNextCursor,
} from "../request-parsers.ts";
import { answerQuote, type SubmissionHandler, submission } from "../submission.ts";
import type { SubmissionReader } from "../submission-reader.ts";

/** Submission, retrieval, lists and cancellation of batches (docs/public-api.md sections 4.1 and 4.2, docs/behaviour.md#cancelling). */
export function batchRoutes(routes: ApiRoutes, deps: ApiDeps, reader: SubmissionReader): void {
  const { clock, settings, store } = deps;
  const budget = bodyBudget(settings.now().api.max_body_bytes, clock);
  const turn = fairScheduler(clock);
  const shown = (row: BatchRow, status: number): Response => {
    const body = streamBatch(store.read, row, turn);
    const init = { status, headers: jsonHeaders };
    return typeof body === "string" ? new Response(body, init) : streamedResponse(body, init);
  };
  const desk: SubmissionHandler = { budget, reader };
  routes
    .post(
      "/batches",
      ({ exchange, request }) => submission(deps, desk, exchange, request),
      operation(batchSubmitDoc),
    )
    .post(
      "/batches/quote",
      ({ exchange, request }) => answerQuote(deps, desk, exchange, request),
      operation(batchQuoteDoc),
    )
    .get(
      "/batches",
      async ({ exchange, request }) => {
        const { accountId } = requireCaller(exchange);
        const query = readBatchQuery(parseQueryString(request.url), accountId);
        if (!query.ok) return problem(exchange, query.refusal);
        const page = await renderBatchPage(store.read, clock, accountId, query.value);
        return page.ok ? jsonAnswer(200, page.value) : problem(exchange, page.refusal);
      },
      operation(batchListDoc),
    )
    .get(
      "/batches/:batch_id",
      ({ exchange, params: { batch_id: ulid } }) => {
        const row = isUlid(ulid) ? findBatch(store.read, requireCaller(exchange).accountId, ulid) : null;
        if (!row) return problem(exchange, NOT_FOUND);
        return shown(row, 200);
      },
      operation(batchFetchDoc),
    )
    .post(
      "/batches/:batch_id/cancel",
      ({ exchange, request, params }) => cancel(deps, exchange, request, params.batch_id, shown),
      operation(batchCancelDoc),
    );
}

/** Cancels a batch and answers with its state then. */
async function cancel(
  { clock, services, store }: ApiDeps,
  exchange: RequestContext<Principal>,
  request: Request,
  ulid: string,
  shown: (row: BatchRow, status: number) => Response,
): Promise<Response> {
  if (!isUlid(ulid)) return problem(exchange, NOT_FOUND);
  const body = await readBodyIfAny(exchange, request, clock);
  if (!body.ok) return body.answer;
  const reason = readCancelReason(body.json);
  if (!reason.ok) return problem(exchange, reason.refusal);
  const { accountId, keyId } = requireCaller(exchange);
  const by = { accountId, actor: `key ${keyId}` };
  const cancelled = await services.cancelBatch(by, ulid, reason.value);
  if (!cancelled.ok) return problem(exchange, cancelled.refusal);
  const row = findBatch(store.read, accountId, ulid);
  return row ? shown(row, 202) : problem(exchange, NOT_FOUND);
}

/** The body of a page of `GET /batches`, made in slices: 500 batches are some 400 KB. */
async function renderBatchPage(
  read: Reader,
  clock: Clock,
  accountId: number,
  { filter, limit, after }: BatchQuery,
): Promise<Outcome<string, "VALIDATION_FAILED">> {
  const behind = after === null ? null : batchRecord(read, after);
  if (after !== null && behind?.accountId !== accountId) return NO_CURSOR;
  const pause = createYielder(clock);
  const found = await findBatches(read, accountId, filter, behind, limit, pause);
  const texts: string[] = [];
  for (const { ulid } of found.batches) {
    const row = findBatch(read, accountId, ulid);
    if (row) texts.push(JSON.stringify(batchObject(row)));
    await pause();
  }
  const next = found.after === null ? null : toNextCursor(found.after, accountId, filter);
  return accepted(
    `{"data":{"batches":[${texts.join(",")}],"next_cursor":${JSON.stringify(next)},"is_sandbox":${isSandbox(accountId)}}}`,
  );
}

/** Rejections read and written at a time: a few tens of kilobytes. */
export const REJECTIONS_A_CHUNK = 500;

/**
 * The body of `GET /batches/{batch_id}`: a text while its rejections fit one chunk, else a stream that reads on as
 * fast as the client does, one chunk a `turn`: a socket takes megabytes at once. Rejections of an accepted batch never
 * change, so its pages fit together.
 */
export function streamBatch(
  read: Reader,
  row: BatchRow,
  turn: () => Promise<void>,
): string | ReadableStream<Uint8Array> {
  const head = JSON.stringify({ data: batchObject(row) }).slice(0, -2);
  const opening = `${head},"warnings":${warningsText(row)},"rejections":[`;
  if (row.rejected === 0) return `${opening}]}}`;
  const first = readRejections(read, row, 0, REJECTIONS_A_CHUNK);
  if (first.length < REJECTIONS_A_CHUNK) return `${opening}${rejectionsText(first)}]}}`;

  const encoder = new TextEncoder();
  let isOpen = false;
  let isCancelled = false;
  let nextIndex = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await turn();
        if (isCancelled) return;
        const page = readRejections(read, row, nextIndex, REJECTIONS_A_CHUNK);
        const separator = isOpen && page.length > 0 ? "," : "";
        const isLast = page.length < REJECTIONS_A_CHUNK;
        const text = `${isOpen ? separator : opening}${rejectionsText(page)}${isLast ? "]}}" : ""}`;
        controller.enqueue(encoder.encode(text));
        isOpen = true;
        nextIndex = (page.at(-1)?.index ?? 0) + 1;
        if (isLast) controller.close();
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 1 },
  );
}
