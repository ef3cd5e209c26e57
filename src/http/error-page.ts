import { FAILURES, type FailureCode } from "../base/failures.ts";
import { errorAnchor } from "./problem.ts";

/** What each code means and what a client does about it (public-api.md section 7). */
const MEANINGS: Record<FailureCode, string> = {
  VALIDATION_FAILED:
    "The request is malformed: a missing or invalid parameter, an unknown field, an idempotency key of the wrong length, or an unsupported method, content type or size. <code>errors</code> names up to 20 faults. Mend the request.",
  IDEMPOTENCY_KEY_REQUIRED:
    "A batch was submitted without the header <code>Idempotency-Key</code>. Send one.",
  BATCH_EMPTY: "The batch has no recipients.",
  BATCH_BODY_EMPTY: "The text is blank once it is trimmed.",
  SCHEDULE_INVALID:
    "The scheduled time is in the past, too far ahead or does not exist, or the timezone is not an IANA identifier.",
  SENDER_NOT_APPROVED: "The sender is not approved for the account. See <code>GET /sender-ids</code>.",
  REQUEST_IN_PROGRESS:
    "The first request with this idempotency key is still being worked on. Wait for <code>Retry-After</code> and send the same request again.",
  IDEMPOTENCY_KEY_REUSED:
    "The idempotency key was already used with a different body. Use a new key for a new batch.",
  INSUFFICIENT_FUNDS:
    "The prepaid wallet cannot cover the quoted amount. Top up; the same key may be used again.",
  CREDIT_LIMIT_EXCEEDED: "The batch would take the postpaid account past its credit limit.",
  WALLET_IN_DEBIT: "The wallet is in debit and cannot be spent from until it is topped up.",
  UNAUTHORIZED:
    "No API key, a malformed, wrong, revoked or expired one, or a suspended account: they are answered alike.",
  INSUFFICIENT_SCOPE: "The API key is valid and lacks the scope that <code>detail</code> names.",
  ACCOUNT_SUSPENDED: "The account was suspended before the batch was accepted. Nothing was sent.",
  NOT_FOUND: "There is no such resource, or it is another account's.",
  UNSUPPORTED_VERSION:
    "The path names a version that is not served. The base path is <code>/public/v1</code>.",
  RATE_LIMITED:
    "The key's request limit was exceeded. Nothing happened. Wait for <code>Retry-After</code> and try again.",
  SERVICE_UNAVAILABLE:
    "The service cannot take the request at this moment: it is starting, stopping, or busy with other large requests. Nothing happened and nothing was charged. Wait for <code>Retry-After</code> and send the same request again, with the same idempotency key.",
  CONFIGURATION_ERROR:
    "The request is right and the service is not set up to serve it. Tell its operator, with the request id.",
  INTERNAL_ERROR:
    "The service failed unexpectedly. Send the same request again, with the same idempotency key; if it persists, quote the request id.",
};

/** The page that `type` of every error points to: one section a code, with its anchor. */
export function errorPage(): string {
  const entries = Object.entries(MEANINGS) as [FailureCode, string][];
  const sections = entries.map(([code, meaning]) => {
    const { status, title, retryable } = FAILURES[code];
    const retry = retryable
      ? "May succeed later without a change."
      : "Will not succeed unless something changes.";
    return `<section id="${errorAnchor(code)}">
<h2>${title}</h2>
<p><code>${code}</code> · HTTP ${status}</p>
<p>${meaning}</p>
<p>${retry}</p>
</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bendre API: errors</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #ccc; }
section:target { background: #fff6d6; }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every error is a JSON object with the members of RFC 9457: <code>type</code>, <code>title</code>,
<code>status</code>, <code>code</code>, <code>detail</code>, <code>request_id</code> and, where fields are at fault,
<code>errors</code>. See the <a href="/docs">reference</a>.</p>
${sections.join("\n")}
</body>
</html>
`;
}
