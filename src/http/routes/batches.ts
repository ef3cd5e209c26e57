import { Elysia } from "elysia";
import { isUlid } from "../../base/ids.ts";
import { turnstile } from "../../base/turnstile.ts";
import { findBatch } from "../../messages/batches.ts";
import { batchBody } from "../batch-stream.ts";
import { bodyBudget } from "../body-budget.ts";
import type { HttpDeps } from "../deps.ts";
import { exchangeOf, principalOf } from "../exchange.ts";
import { API_BASE } from "../gate.ts";
import { claimsInMemory } from "../idempotency.ts";
import { batchFetchDoc, batchSubmitDoc } from "../openapi/operations.ts";
import { jsonHeaders, NOT_FOUND, problem } from "../problem.ts";
import { type SubmissionDesk, submission } from "../submission.ts";
import type { SubmissionReader } from "../submission-reader.ts";

/** Submission and retrieval of batches (docs/public-api.md sections 4.1 and 4.2). */
export function batchRoutes(deps: HttpDeps, reader: SubmissionReader) {
  const budget = bodyBudget(deps.config.api.max_body_bytes, deps.clock);
  const turn = turnstile(deps.clock);
  const desk: SubmissionDesk = { claims: claimsInMemory(), budget, reader };
  return new Elysia({ prefix: API_BASE })
    .post("/batches", ({ request }) => submission(deps, desk, request), {
      // The body is read under the limits of body.ts; Elysia would stall on 100,000 recipients.
      parse: "none",
      detail: batchSubmitDoc,
    })
    .get(
      "/batches/:batch_id",
      ({ request, params }) => {
        const { accountId } = principalOf(request);
        const row = isUlid(params.batch_id) ? findBatch(deps.store.read, accountId, params.batch_id) : null;
        if (!row) return problem(exchangeOf(request), NOT_FOUND);
        return new Response(batchBody(deps.store.read, row, turn), { headers: jsonHeaders });
      },
      { detail: batchFetchDoc },
    );
}
