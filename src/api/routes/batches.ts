import { isUlid } from "../../base/ids.ts";
import { turnstile } from "../../base/turnstile.ts";
import { bodyBudget } from "../../http/body-budget.ts";
import { jsonHeaders, NOT_FOUND, problem } from "../../http/problem.ts";
import { callerOf } from "../../http/routes.ts";
import { findBatch } from "../../messages/batches.ts";
import { batchBody } from "../batch-stream.ts";
import type { ApiDeps } from "../deps.ts";
import { batchFetchDoc, batchSubmitDoc } from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";
import { type SubmissionDesk, submission } from "../submission.ts";
import type { SubmissionReader } from "../submission-reader.ts";

/** Submission and retrieval of batches (docs/public-api.md sections 4.1 and 4.2). */
export function batchRoutes(routes: ApiRoutes, deps: ApiDeps, reader: SubmissionReader): void {
  const { clock, settings, store } = deps;
  const budget = bodyBudget(settings.now().api.max_body_bytes, clock);
  const turn = turnstile(clock);
  const desk: SubmissionDesk = { budget, reader };
  routes
    .post(
      "/batches",
      ({ exchange, request }) => submission(deps, desk, exchange, request),
      operation(batchSubmitDoc),
    )
    .get(
      "/batches/:batch_id",
      ({ exchange, params: { batch_id: ulid } }) => {
        const row = isUlid(ulid) ? findBatch(store.read, callerOf(exchange).accountId, ulid) : null;
        if (!row) return problem(exchange, NOT_FOUND);
        return new Response(batchBody(store.read, row, turn), { headers: jsonHeaders });
      },
      operation(batchFetchDoc),
    );
}
