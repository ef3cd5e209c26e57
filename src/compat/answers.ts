import type { Exchange } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";

/** An answer of either protocol: a status and words, without a line end. */
export type PlainWords = { readonly status: number; readonly text: string };

/** The words as an answer; `failure` is what the log calls it, null for a success. */
export function wordsAnswer(
  exchange: Exchange,
  { status, text }: PlainWords,
  failure: FailureCode | null,
  type = "text/plain",
): Response {
  exchange.failure = failure;
  return new Response(text, { status, headers: { "content-type": type } });
}
