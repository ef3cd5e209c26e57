import type { Exchange } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";
import { jsonAnswer } from "../http/problem.ts";
import type { UserLanguage } from "../users/role.ts";
import { inFrench } from "../words/in-french.ts";
import { isRefusedFor, type RefusedCause } from "./refusal-notes.ts";

/** Why the console itself says no; operations have codes of their own. */
const REFUSALS = {
  UNAUTHORIZED: { status: 401, detail: "sign in first", logged: "UNAUTHORIZED" },
  FORBIDDEN: { status: 403, detail: "your role may not do this", logged: "INSUFFICIENT_SCOPE" },
  SECOND_FACTOR_NEEDED: {
    status: 403,
    detail: "this asks for the second factor again",
    logged: "INSUFFICIENT_SCOPE",
  },
  OTHER_SITE: {
    status: 403,
    detail: "the request does not come from a page of this appliance",
    logged: "INSUFFICIENT_SCOPE",
  },
  TLS_NEEDED: {
    status: 403,
    detail: "the console is served over TLS, or to this machine alone",
    logged: "INSUFFICIENT_SCOPE",
  },
  NOT_FOUND: { status: 404, detail: "no such resource", logged: "NOT_FOUND" },
  VALIDATION_FAILED: { status: 422, detail: "the request is not as it must be", logged: "VALIDATION_FAILED" },
  SIGN_IN_REFUSED: {
    status: 401,
    detail: "the sign-in was refused: look at what you typed, and try again",
    logged: "UNAUTHORIZED",
  },
  CODE_REFUSED: {
    status: 422,
    detail: "that was not right, or was used already",
    logged: "VALIDATION_FAILED",
  },
  LINK_INVALID: {
    status: 401,
    detail: "the link was used, is too old, or was replaced by a newer one",
    logged: "UNAUTHORIZED",
  },
  TOO_LATE: {
    status: 409,
    detail: "it took too long: begin again",
    logged: "VALIDATION_FAILED",
  },
  PASSWORD_REFUSED: {
    status: 422,
    detail: "the password needs 12 to 200 characters, and may not be the login",
    logged: "VALIDATION_FAILED",
  },
  LOGIN_REFUSED: { status: 422, detail: "the login must be an e-mail address", logged: "VALIDATION_FAILED" },
  RATE_LIMITED: {
    status: 429,
    detail: "too many requests at once: wait, then try again",
    logged: "RATE_LIMITED",
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    detail: "too many attempts: wait, then try again",
    logged: "RATE_LIMITED",
  },
} as const satisfies Record<string, { status: number; detail: string; logged: FailureCode }>;

export type ConsoleCode = keyof typeof REFUSALS;

/** What the audit is told of, whichever place refuses. */
const AUDITED = ["OTHER_SITE", "FORBIDDEN", "TOO_MANY_ATTEMPTS"] as const satisfies readonly RefusedCause[];

function isAudited(code: ConsoleCode): code is (typeof AUDITED)[number] {
  return AUDITED.some((one) => one === code);
}

/** The answer that says no, in the language of whoever asks. */
export function refusal(
  exchange: Exchange,
  code: ConsoleCode,
  language: UserLanguage,
  {
    detail,
    headers = {},
    more = {},
  }: {
    readonly detail?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** What the answer says beside. */
    readonly more?: Readonly<Record<string, unknown>>;
  } = {},
): Response {
  const { status, detail: usual, logged } = REFUSALS[code];
  exchange.failure = logged;
  if (isAudited(code)) isRefusedFor(exchange, code);
  const english = detail ?? usual;
  const words = language === "fr" ? (inFrench(english) ?? english) : english;
  const body = { status, code, detail: words, request_id: exchange.requestId, ...more };
  return jsonAnswer(status, JSON.stringify(body), headers);
}
