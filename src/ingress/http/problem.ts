/** Writes answers: JSON, and error bodies with their faults by field (docs/behaviour.md#error-body). */
import { type FieldFault, type Refusal, toRefusal } from "../../core/refusals.ts";
import { english } from "../../i18n/text.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "./error-codes.ts";
import type { RequestContext } from "./request-context.ts";

/** The page that explains every code (docs/behaviour.md#error-body). */
export const ERROR_PAGE = "/docs/errors";

/** A code's anchor on that page: `validation-failed`. */
export function errorAnchor(code: FailureCode): string {
  return code.toLowerCase().replaceAll("_", "-");
}

/**
 * Writes the answer of a refusal: the members of RFC 9457, as application/json. A code that has a fixed retry delay
 * brings its `Retry-After`.
 */
export function problem(
  exchange: RequestContext,
  refusal: Refusal<FailureCode>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, title, retryable } = FAILURES[refusal.code];
  exchange.failure = refusal.code;
  const body = {
    type: `${ERROR_PAGE}#${errorAnchor(refusal.code)}`,
    title,
    status,
    code: refusal.code,
    detail: english(refusal.detail),
    is_retryable: retryable && refusal.isFinal !== true,
    request_id: exchange.requestId,
    ...(exchange.caller?.isSandbox === undefined ? {} : { is_sandbox: exchange.caller.isSandbox }),
    ...(refusal.faults ? { errors: refusal.faults.map(inEnglish) } : {}),
  };
  const seconds = retryAfterSeconds(refusal.code);
  const retry = seconds === null ? {} : { "retry-after": String(seconds) };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...jsonHeaders, ...retry, ...headers },
  });
}

/** A fault as clients get it, in English, its members in their places. */
function inEnglish(fault: FieldFault) {
  return { ...fault, message: english(fault.message) };
}

/** The same sentence whether a thing is missing or another account's (docs/public-api.md section 5). */
export const NOT_FOUND = toRefusal("NOT_FOUND");

/** Headers of every body this room writes but its pages. */
export const jsonHeaders = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
} as const;

/** A success: JSON that is a text already, or its octets. */
export function jsonAnswer(
  status: number,
  text: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, { status, headers: { ...jsonHeaders, ...headers } });
}

/** A 200 whose payload stands under `data` (docs/public-api.md). */
export function dataAnswer(data: unknown): Response {
  return jsonAnswer(200, JSON.stringify({ data }));
}

/** The answer to an unexpected failure: it says nothing but that it happened. */
export function failed(exchange: RequestContext): Response {
  return problem(exchange, toRefusal("INTERNAL_ERROR.unexpected"));
}
