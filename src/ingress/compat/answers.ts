import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import type { RequestContext } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";

/** An answer of either protocol: a status and words, without a line end. */
export type TextAnswer = { readonly status: number; readonly text: string };

/** Tells in how many seconds a refusal may be another answer, where that is known. */
export function addRetryAfter(answer: Response, submitted: SubmissionAnswer): Response {
  const seconds = submitted.kind === "refused" ? submitted.refusal.retrySeconds : undefined;
  if (seconds !== undefined) answer.headers.set("retry-after", String(seconds));
  return answer;
}

/** The words as an answer; `failure` is what the log calls it, null for a success. */
export function toTextAnswer(
  exchange: RequestContext,
  { status, text }: TextAnswer,
  failure: FailureCode | null,
  type = "text/plain",
): Response {
  exchange.failure = failure;
  return new Response(text, { status, headers: { "content-type": type } });
}
