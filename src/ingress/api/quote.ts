/** What a submission would come to, in the words of HTTP (docs/behaviour.md#quote). */

import { unreachable } from "../../core/assert.ts";
import { toRefusal } from "../../core/failures.ts";
import { CURRENCY } from "../../core/money.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Principal } from "../../domain/accounts/keys.ts";
import { rejectionObject } from "../../domain/messages/batches.ts";
import type { Quote, QuoteAnswer } from "../../domain/submission/quote.ts";
import { EXACT_ENGLISH } from "../../i18n/phrase.ts";
import { withTexts } from "../../i18n/text.ts";
import type { RequestContext } from "../http/exchange.ts";
import { dataAnswer, problem } from "../http/problem.ts";
import { requireCaller } from "../http/routes.ts";
import type { ApiDeps } from "./deps.ts";
import { bodyClaims, readSubmissionBody, type SubmissionHandler } from "./submission.ts";
import { hideBalance } from "./submission-answer.ts";

/** `POST /batches/quote` from its body on. An idempotency key is not looked at. */
export async function answerQuote(
  deps: ApiDeps,
  desk: SubmissionHandler,
  exchange: RequestContext<Principal>,
  request: Request,
): Promise<Response> {
  const { accountId } = requireCaller(exchange);
  const claims = bodyClaims(desk, accountId);
  try {
    const read = await readSubmissionBody(deps, desk.reader, exchange, request, claims.take);
    if (read instanceof Response) return read;
    return quoteResponse(exchange, await deps.services.quoteBatch({ accountId, request: read.request }));
  } finally {
    claims.release();
  }
}

function quoteResponse(exchange: RequestContext<Principal>, answer: QuoteAnswer): Response {
  const { scopes, accountId } = requireCaller(exchange);
  switch (answer.kind) {
    case "quoted":
      return dataAnswer(
        withTexts({ ...quoteObject(answer.quote, scopes), is_sandbox: isSandbox(accountId) }, EXACT_ENGLISH),
      );
    case "busy":
      return problem(exchange, toRefusal("RATE_LIMITED.quotes"), { "retry-after": "1" });
    case "refused":
      return problem(exchange, hideBalance(scopes, answer.refusal));
    default:
      return unreachable(answer, "answer to a quote");
  }
}

/** A quote as a key with these scopes is told: the balance is for those that may read it. */
export function quoteObject(
  { clientReference, status, sums, warnings, refusal, spendable, startsAt }: Quote,
  scopes: Principal["scopes"],
) {
  const { accepted, rejected, rejections_by_reason, rejections, total_segments, amount, ...rest } = sums;
  const seesBalance = scopes.has("ACCOUNT_READ");
  const told = refusal && hideBalance(scopes, refusal);
  return {
    status,
    accepted,
    rejected,
    rejections_by_reason,
    rejections: rejections.map((rejection) => rejectionObject(rejection, clientReference)),
    total_segments,
    amount,
    currency: CURRENCY,
    is_payable: refusal === null,
    refusal: told && { code: told.code, detail: told.detail },
    spendable_before: seesBalance ? spendable : null,
    spendable_after: seesBalance ? spendable - amount : null,
    starts_at: startsAt,
    ...rest,
    warnings,
  };
}
