/** What came of a submission, in the words of HTTP. */

import { unreachable } from "../../core/assert.ts";
import { type Refusal, toRefusal } from "../../core/failures.ts";
import { CURRENCY } from "../../core/money.ts";
import type { Principal } from "../../domain/accounts/keys.ts";
import type { Scope } from "../../domain/accounts/scopes.ts";
import { rejectionObject, rejectionsText } from "../../domain/messages/batches.ts";
import type { StoredReply } from "../../domain/submission/idempotency.ts";
import type { AcceptedBatch } from "../../domain/submission/open.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import { EXACT_ENGLISH } from "../../i18n/phrase.ts";
import { withTexts } from "../../i18n/text.ts";
import type { RequestContext } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";
import { jsonAnswer, problem } from "../http/problem.ts";
import { requireCaller } from "../http/routes.ts";

/** The 202 of a batch: its submission form (docs/public-api.md section 2.2). `isSandbox`: it was sent with a test key. */
export function toSubmissionReply(
  { ulid, clientReference, status, sums, rejections, warnings }: AcceptedBatch,
  isSandbox = false,
): StoredReply {
  const { accepted, rejected, amount: reserved_amount, segments: total_segments } = sums;
  const head = JSON.stringify({ batch_id: ulid, status, accepted, rejected }).slice(0, -1);
  const before = `{"data":${head},"rejections":[`;
  const list = rejectionsText(rejections.map((one) => rejectionObject(one, clientReference)));
  const told = withTexts(warnings, EXACT_ENGLISH);
  const rest = { reserved_amount, currency: CURRENCY, total_segments, is_sandbox: isSandbox, warnings: told };
  const text = `${before}${list}],${JSON.stringify(rest).slice(1)}}`;
  if (rejections.length === 0) return { status: 202, text };
  return { status: 202, text, rejections: { from: before.length, to: before.length + list.length } };
}

export function toSubmissionResponse(exchange: RequestContext<Principal>, answer: SubmissionAnswer): Response {
  switch (answer.kind) {
    case "accepted":
      return jsonAnswer(answer.reply.status, answer.reply.text);
    case "repeated":
      return jsonAnswer(answer.reply.status, answer.reply.text, { "idempotency-replayed": "true" });
    case "key reused":
      return problem(exchange, toRefusal("IDEMPOTENCY_KEY_REUSED.body"));
    case "in progress":
      return problem(exchange, toRefusal("REQUEST_IN_PROGRESS.key"));
    case "refused":
      return toRefusalAnswer(exchange, hideBalance(requireCaller(exchange).scopes, answer.refusal));
    default:
      return unreachable(answer, "answer to a submission");
  }
}

/** A refusal, with when to ask again where it knows. */
export function toRefusalAnswer(exchange: RequestContext, refusal: Refusal<FailureCode>): Response {
  const { retrySeconds } = refusal;
  return problem(
    exchange,
    refusal,
    retrySeconds === undefined ? {} : { "retry-after": String(retrySeconds) },
  );
}

/** The balance is for keys that may read it: others learn no more than that it was too little. */
export function hideBalance(scopes: ReadonlySet<Scope>, refusal: Refusal<FailureCode>): Refusal<FailureCode> {
  const { detail, detailWithBalance = detail } = refusal;
  return scopes.has("ACCOUNT_READ") ? { ...refusal, detail: detailWithBalance } : refusal;
}
