import type { RefusalCase } from "../../core/failures.ts";
import type { UserLanguage } from "../../domain/accounts/role.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn } from "../../i18n/text.ts";
import type { RequestContext } from "../../ingress/http/exchange.ts";
import type { FailureCode } from "../../ingress/http/failures.ts";
import { jsonAnswer } from "../../ingress/http/problem.ts";
import { noteRefusalCause, type RefusedCause } from "./refusal-notes.ts";

/** Why the console itself says no; operations have codes of their own. */
const REFUSALS = {
  UNAUTHORIZED: { status: 401, why: "UNAUTHORIZED.signed_out", logged: "UNAUTHORIZED" },
  FORBIDDEN: { status: 403, why: "FORBIDDEN", logged: "INSUFFICIENT_SCOPE" },
  SECOND_FACTOR_NEEDED: {
    status: 403,
    why: "SECOND_FACTOR_NEEDED",
    logged: "INSUFFICIENT_SCOPE",
  },
  OTHER_SITE: {
    status: 403,
    why: "OTHER_SITE",
    logged: "INSUFFICIENT_SCOPE",
  },
  TLS_NEEDED: {
    status: 403,
    why: "TLS_NEEDED",
    logged: "INSUFFICIENT_SCOPE",
  },
  NOT_FOUND: { status: 404, why: "NOT_FOUND", logged: "NOT_FOUND" },
  VALIDATION_FAILED: { status: 422, why: "VALIDATION_FAILED.otherwise", logged: "VALIDATION_FAILED" },
  SIGN_IN_REFUSED: {
    status: 401,
    why: "SIGN_IN_REFUSED",
    logged: "UNAUTHORIZED",
  },
  CODE_REFUSED: {
    status: 422,
    why: "CODE_REFUSED",
    logged: "VALIDATION_FAILED",
  },
  LINK_INVALID: {
    status: 401,
    why: "LINK_INVALID",
    logged: "UNAUTHORIZED",
  },
  TOO_LATE: {
    status: 409,
    why: "TOO_LATE",
    logged: "VALIDATION_FAILED",
  },
  PASSWORD_REFUSED: {
    status: 422,
    why: "PASSWORD_REFUSED",
    logged: "VALIDATION_FAILED",
  },
  LOGIN_REFUSED: { status: 422, why: "LOGIN_REFUSED", logged: "VALIDATION_FAILED" },
  RATE_LIMITED: {
    status: 429,
    why: "RATE_LIMITED.console",
    logged: "RATE_LIMITED",
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    why: "TOO_MANY_ATTEMPTS",
    logged: "RATE_LIMITED",
  },
} as const satisfies Record<string, { status: number; why: RefusalCase; logged: FailureCode }>;

export type ConsoleCode = keyof typeof REFUSALS;

/** What the audit is told of, whichever place refuses. */
const AUDITED = ["OTHER_SITE", "FORBIDDEN", "TOO_MANY_ATTEMPTS"] as const satisfies readonly RefusedCause[];

function isAudited(code: ConsoleCode): code is (typeof AUDITED)[number] {
  return AUDITED.some((one) => one === code);
}

/** The answer that says no, in the language of whoever asks. */
export function refusal(
  exchange: RequestContext,
  code: ConsoleCode,
  language: UserLanguage,
  {
    detail,
    headers = {},
    more = {},
  }: {
    readonly detail?: Phrase;
    readonly headers?: Readonly<Record<string, string>>;
    /** What the answer says beside. */
    readonly more?: Readonly<Record<string, unknown>>;
  } = {},
): Response {
  const { status, why, logged } = REFUSALS[code];
  exchange.failure = logged;
  if (isAudited(code)) noteRefusalCause(exchange, code);
  const words = renderIn(language, detail ?? phrase(`refusal.${why}`));
  const body = { status, code, detail: words, request_id: exchange.requestId, ...more };
  return jsonAnswer(status, JSON.stringify(body), headers);
}
