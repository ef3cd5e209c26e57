import { FAILURES, type FailureCode } from "../http/failures.ts";
import { htmlPage } from "../http/pages.ts";
import { errorAnchor } from "../http/problem.ts";

/** Of an error that a payment mends; the same key replays what it was answered with, if that was a 202. */
const AFTER_TOP_UP =
  "As an answer it releases the idempotency key: top up and send the same request again. In <code>failure</code> of a" +
  " batch that was answered with 202 it does not: that answer stays remembered for 7 days, so top up and submit the" +
  " batch again with a <strong>new</strong> key.";

/** What each code means and what a client does about it (docs/public-api.md section 7). */
const MEANINGS: Record<FailureCode, string> = {
  VALIDATION_FAILED:
    "The request is malformed: a missing or invalid parameter, an unknown field, an idempotency key of the wrong length, or an unsupported method, content type or size. <code>errors</code> names up to 20 faults. Mend the request.",
  IDEMPOTENCY_KEY_REQUIRED:
    "A batch was submitted without the header <code>Idempotency-Key</code>. Send one.",
  BATCH_EMPTY: "The batch has no recipients.",
  BATCH_BODY_EMPTY: "The text is blank once it is trimmed.",
  SCHEDULE_INVALID:
    "The scheduled time is in the past, too far ahead or does not exist, or the timezone is not an IANA identifier.",
  SENDER_NOT_APPROVED:
    "The sender that <code>detail</code> names is not approved for the account. See <code>GET /sender-ids</code>.",
  REQUEST_IN_PROGRESS:
    "The first request with this idempotency key is still being worked on. Wait for <code>Retry-After</code> and send the same request again.",
  IDEMPOTENCY_KEY_REUSED:
    "The idempotency key was already used with a different body. Use a new key for a new batch.",
  INSUFFICIENT_FUNDS: `The prepaid wallet cannot cover the quoted amount. ${AFTER_TOP_UP}`,
  CREDIT_LIMIT_EXCEEDED: `The batch would take the postpaid account past its credit limit. ${AFTER_TOP_UP}`,
  WALLET_IN_DEBIT: `The wallet is in debit and cannot be spent from until it is topped up. ${AFTER_TOP_UP}`,
  UNAUTHORIZED:
    "No API key, a malformed, wrong, revoked or expired one, or a suspended account: they are answered alike.",
  INSUFFICIENT_SCOPE: "The API key is valid and lacks the scope that <code>detail</code> names.",
  ACCOUNT_SUSPENDED: "The account was suspended before the batch was accepted. Nothing was sent.",
  NOT_FOUND: "There is no such resource, or it is another account's.",
  UNSUPPORTED_VERSION:
    "The path names a version that is not served. The base path is <code>/public/v1</code>.",
  RATE_LIMITED:
    "The key's request limit, which <code>detail</code> names, was exceeded. Nothing happened. Wait for <code>Retry-After</code> and try again.",
  SERVICE_UNAVAILABLE:
    "The service cannot take the request at this moment: it is starting, stopping, or busy with other large requests. Nothing happened and nothing was charged. Wait for <code>Retry-After</code> and send the same request again, with the same idempotency key.",
  STORAGE_FULL:
    "The service has too little room on its disk to take a new batch. Nothing happened and nothing was charged. Wait for <code>Retry-After</code> and send the same request again, with the same idempotency key.",
  RESTORING:
    "The service was restored from a backup, and its operator is deciding what becomes of what may have left. Nothing happened and nothing was charged. Wait for <code>Retry-After</code> and send the same request again, with the same idempotency key.",
  CONFIGURATION_ERROR:
    "The request is right and the service is not set up to serve it: an operator without a price, or a channel without a provider. Tell its operator, with the request id.",
  INTERNAL_ERROR:
    "The service failed unexpectedly. Send the same request again, with the same idempotency key; if it persists, quote the request id.",
};

const LATER = "May succeed later without a change.";
const NEVER = "Will not succeed unless something changes.";
/** Where one word is not enough. */
const RETRIES: Partial<Record<FailureCode, string>> = {
  CONFIGURATION_ERROR:
    "May succeed once the service is set up for it. A channel without a provider is refused each time: do not send the request again.",
};

/** Why a batch that was answered with 202 is FAILED, where no error of a request has that code. */
const TIMEOUT = `<section id="validation-timeout">
<h2>Validation took too long</h2>
<p><code>VALIDATION_TIMEOUT</code> · in <code>failure</code> of a batch only</p>
<p>A batch of more than 10,000 recipients could not be validated within 30 minutes of its 202. Nothing of it was sent or
charged. The 202 stays remembered: submit the batch again with a new idempotency key.</p>
</section>`;

const STYLE = `<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #ccc; }
section:target { background: #fff6d6; }
</style>`;

/** The page that `type` of every error points to: one section a code, with its anchor. */
export function errorPage(): string {
  const entries = Object.entries(MEANINGS) as [FailureCode, string][];
  const sections = entries.map(([code, meaning]) => {
    const { status, title, retryable } = FAILURES[code];
    const retry = RETRIES[code] ?? (retryable ? LATER : NEVER);
    return `<section id="${errorAnchor(code)}">
<h2>${title}</h2>
<p><code>${code}</code> · HTTP ${status}</p>
<p>${meaning}</p>
<p>${retry}</p>
</section>`;
  });
  const body = `<h1>Errors</h1>
<p>Every error is a JSON object with the members of RFC 9457: <code>type</code>, <code>title</code>,
<code>status</code>, <code>code</code>, <code>detail</code>, <code>request_id</code> and, where fields are at fault,
<code>errors</code>. <code>failure.code</code> of a batch that is FAILED is one of these codes too. See the <a href="/docs">reference</a>.</p>
${sections.join("\n")}
${TIMEOUT}`;
  return htmlPage({ title: "Bendre API: errors", head: STYLE, body });
}
