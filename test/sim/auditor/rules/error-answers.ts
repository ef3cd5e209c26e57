import type { Answer, Exchange } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import { mayBeUnwell } from "../health.ts";
import type { History } from "../history.ts";
import { pricesOrNone, settingsIn } from "../in-force.ts";
import { member, number, text } from "../json.ts";
import { readNumber } from "../numbers.ts";
import { operatorOf } from "../settings.ts";

const wrongBody = finder(
  "error-body",
  "Error bodies have the members of RFC 9457, one status a code, and the request's id.",
);
const noId = finder(
  "request-id",
  "Every answer carries X-Request-Id: the client's own if it sent a safe one.",
);
const broke = finder(
  "server-error",
  "A request is answered with 5xx only while the appliance cannot serve it.",
);
const noRetry = finder("retry-after", "Retry-After stands on 409 REQUEST_IN_PROGRESS, on 429 and on 503.");

const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REQUIRED: 422,
  BATCH_EMPTY: 422,
  BATCH_BODY_EMPTY: 422,
  SCHEDULE_INVALID: 422,
  SENDER_NOT_APPROVED: 422,
  REQUEST_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  INSUFFICIENT_FUNDS: 402,
  CREDIT_LIMIT_EXCEEDED: 402,
  WALLET_IN_DEBIT: 402,
  UNAUTHORIZED: 401,
  INSUFFICIENT_SCOPE: 403,
  ACCOUNT_SUSPENDED: 403,
  NOT_FOUND: 404,
  UNSUPPORTED_VERSION: 400,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  BATCH_ENDED: 409,
  STORAGE_FULL: 503,
  RESTORING: 503,
  CONFIGURATION_ERROR: 500,
  INTERNAL_ERROR: 500,
};

/** What an error says, that it may be one now, and that a client can refer to it. */
export const errorAnswers: Rule = (history) =>
  history.exchanges.flatMap((exchange) => {
    const { answer, path } = exchange;
    if (answer === null || !path.startsWith("/public/")) return [];
    if (answer.status < 400) return withoutId(exchange, answer);
    return [
      ...withoutId(exchange, answer),
      ...misshapen(exchange, answer),
      ...withoutReason(history, exchange, answer),
      ...withoutRetry(exchange, answer),
    ];
  });

function withoutId({ id, headers, path }: Exchange, answer: Answer): readonly Finding[] {
  const sent = headers["x-request-id"];
  const got = answer.headers["x-request-id"];
  const isSafe = sent !== undefined && /^[A-Za-z0-9_.-]{1,64}$/.test(sent);
  if (got !== undefined && (!isSafe || got === sent)) return [];
  const what = `request ${id} (${path}) was sent with x-request-id ${sent} and answered with ${got}`;
  return [noId(answer.atMs, what, `request ${id}`)];
}

function misshapen({ id, path }: Exchange, answer: Answer): readonly Finding[] {
  const { json, status, headers } = answer;
  const code = text(json, "code");
  const isWhole =
    code !== null &&
    STATUS[code] === status &&
    number(json, "status") === status &&
    text(json, "title") !== null &&
    text(json, "detail") !== null &&
    text(json, "type") !== null &&
    saysRetry(code, status, json) &&
    text(json, "request_id") === headers["x-request-id"];
  if (isWhole) return [];
  const what = `request ${id} (${path}) got ${status} with the body ${answer.body.slice(0, 300)}`;
  return [wrongBody(answer.atMs, what, `request ${id}`)];
}

/** docs/behaviour.md#error-body. Of what is not configured it depends on what that is. */
function saysRetry(code: string, status: number, json: unknown): boolean {
  const told = member(json, "is_retryable");
  if (code === "CONFIGURATION_ERROR") return typeof told === "boolean";
  return told === (status === 402 || status === 429 || status >= 500 || code === "REQUEST_IN_PROGRESS");
}

function withoutReason(history: History, exchange: Exchange, answer: Answer): readonly Finding[] {
  const { id, path, askedAtMs } = exchange;
  if (answer.status < 500 || mayBeUnwell(history, askedAtMs, answer.atMs)) return [];
  const code = text(answer.json, "code");
  if (code === "CONFIGURATION_ERROR" && mayReachNoPrice(history, exchange, answer)) return [];
  const what = `request ${id} (${path}), asked at ${at(askedAtMs)}, got ${answer.status} ${code} though nothing was amiss`;
  return [broke(answer.atMs, what, `request ${id}`)];
}

/** Whether a recipient's operator may have had no price for the account (docs/behaviour.md#not-configured). */
function mayReachNoPrice(history: History, exchange: Exchange, answer: Answer): boolean {
  const period = { fromMs: exchange.askedAtMs, toMs: answer.atMs };
  const isThis = ({ id }: Exchange) => id === exchange.id;
  return history.submissions.some(({ account, bodies }) =>
    bodies.some(({ tries, request: { recipients, messageClass } }) => {
      if (!tries.some(isThis)) return false;
      return settingsIn(history, period).some((settings) =>
        recipients.some((recipient) => {
          const { msisdn } = readNumber(recipient.msisdn, settings.region);
          const operator = msisdn === null ? null : operatorOf(settings, msisdn);
          if (!operator) return false;
          return pricesOrNone(history, account, { operator: operator.code, messageClass }, period).has(null);
        }),
      );
    }),
  );
}

function withoutRetry({ id, path }: Exchange, answer: Answer): readonly Finding[] {
  const code = text(answer.json, "code") ?? "";
  const isDue = [
    "REQUEST_IN_PROGRESS",
    "RATE_LIMITED",
    "SERVICE_UNAVAILABLE",
    "STORAGE_FULL",
    "RESTORING",
  ].includes(code);
  if (!isDue || /^\d+$/.test(answer.headers["retry-after"] ?? "")) return [];
  const what = `request ${id} (${path}) got ${code} with Retry-After ${answer.headers["retry-after"]}`;
  return [noRetry(answer.atMs, what, `request ${id}`)];
}
