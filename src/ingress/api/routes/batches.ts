import { isUlid } from "../../../core/ids.ts";
import { streamedResponse } from "../../../core/streamed-response.ts";
import { fairScheduler } from "../../../core/turnstile.ts";
import type { Principal } from "../../../domain/accounts/keys.ts";
import { type BatchRow, findBatch } from "../../../domain/messages/batches.ts";
import { bodyBudget } from "../../http/body-budget.ts";
import type { RequestContext } from "../../http/exchange.ts";
import { jsonAnswer, jsonHeaders, NOT_FOUND, problem } from "../../http/problem.ts";
import { requireCaller } from "../../http/routes.ts";
import { renderBatchPage } from "../batch-page.ts";
import { readBatchQuery } from "../batch-query.ts";
import { streamBatch } from "../batch-stream.ts";
import { readCancelReason } from "../cancel-request.ts";
import type { ApiDeps } from "../deps.ts";
import {
  batchCancelDoc,
  batchFetchDoc,
  batchListDoc,
  batchQuoteDoc,
  batchSubmitDoc,
} from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";
import { parseQueryString } from "../query.ts";
import { answerQuote } from "../quote.ts";
import { readBodyIfAny } from "../small-body.ts";
import { type SubmissionHandler, submission } from "../submission.ts";
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

/** Calls a batch off and shows it as it stands then. */
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
