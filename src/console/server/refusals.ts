/**
 * Error answers of the console's HTTP routes, and the auditing of those that may be an attack, at most once a minute per
 * cause and caller.
 */
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { RefusalCase } from "../../core/refusals.ts";
import type { Store } from "../../db/store.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import type { UserLanguage } from "../../domain/accounts/roles.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn } from "../../i18n/text.ts";
import type { FailureCode } from "../../ingress/http/error-codes.ts";
import { jsonAnswer } from "../../ingress/http/problem.ts";
import type { RequestContext } from "../../ingress/http/request-context.ts";

/** Refusals of the console itself; operations have codes of their own. */
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

/** Causes that are audited, whichever part refuses. */
const AUDITED = ["OTHER_SITE", "FORBIDDEN", "TOO_MANY_ATTEMPTS"] as const satisfies readonly RefusedCause[];

function isAudited(code: ConsoleCode): code is (typeof AUDITED)[number] {
  return AUDITED.some((one) => one === code);
}

/** Builds the refusing answer, in the caller's language. */
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
    /** Additional fields of the answer. */
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

// Refusals of the console that may be an attack are audited, without filling the audit: for one person or address and one cause
// at most one entry a minute, with the count it stands for; beyond some at once, one for all others.

/** Why an audited request was refused. Existing and missing things give the same cause. */
type RefusedCause =
  /** A change that no page of ours requested. */
  | "OTHER_SITE"
  /** An operation that the role may not do. */
  | "FORBIDDEN"
  /** An account user named what is not theirs, or does not exist. */
  | "NOT_THEIRS"
  /** A file that is too large, unpacks to too much, or has no supported format. */
  | "FILE_REFUSED"
  /** Too many attempts to sign in, or to use a link. */
  | "TOO_MANY_ATTEMPTS"
  /** The cookie of a session that ended, or never existed. */
  | "SESSION_OVER";

type RefusedRequest = {
  readonly cause: RefusedCause;
  /** Null of a caller who is not signed in: what was typed as a login may be a password. */
  readonly login: string | null;
  readonly address: string;
  readonly requestId: string;
  /** The pattern of the path, without the values in it. */
  readonly route: string | null;
};

const causes = new WeakMap<RequestContext, RefusedCause>();

/** Records why a request was refused, for the audit once it is answered. */
export function noteRefusalCause(exchange: RequestContext, cause: RefusedCause): void {
  causes.set(exchange, cause);
}

/** Returns why a request was refused, where that is audited. */
export function readRefusalCause(exchange: RequestContext): RefusedCause | null {
  return causes.get(exchange) ?? null;
}

const EVERY_MS = 60_000;
/** Persons, addresses and causes that are tracked at a time. */
const MAX_AT_ONCE = 30;
/** What `users` calls an unknown login. */
const NOBODY = "unknown login";

type Open = { times: number; last: RefusedRequest };

/** Audits refused requests; no request waits for the write. */
export function createRefusalAuditor({
  store,
  clock,
  log,
}: {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
}): (request: RefusedRequest) => void {
  /** By actor and cause: what came since the last entry. */
  const open = new Map<string, Open>();
  const write = ({ cause, login, address, requestId, route }: RefusedRequest, times: number): void => {
    const actor = login ?? NOBODY;
    const detail = { cause, times, route, address, request_id: requestId };
    const entry = { atMs: clock.nowMs(), actor, action: "request refused", subject: actor, detail };
    store
      .write((tx) => recordAudit(tx, entry))
      .catch((error: unknown) => log.warn("a refused request is not in the audit", errorFields(error)));
  };
  const wait = (key: string): void => {
    clock.after(EVERY_MS, () => {
      const since = open.get(key);
      if (!since || since.times === 0) {
        open.delete(key);
        return;
      }
      write(since.last, since.times);
      since.times = 0;
      wait(key);
    });
  };
  return (request) => {
    const own = `${request.cause} ${request.login ?? request.address}`;
    const key = open.has(own) || open.size < MAX_AT_ONCE ? own : `${request.cause} of others`;
    const since = open.get(key);
    if (since) {
      since.times += 1;
      since.last = request;
      return;
    }
    open.set(key, { times: 0, last: request });
    write(request, 1);
    wait(key);
  };
}
