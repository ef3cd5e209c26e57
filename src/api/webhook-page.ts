import { EVENT_TYPES, type EventType, PROMISED_EVENTS, USUAL_EVENTS } from "../events/catalogue.ts";
import { htmlPage } from "../http/pages.ts";
import { FAILURES_TO_DISABLE } from "../webhooks/schedule.ts";
import { messageExample } from "./openapi/examples.ts";
import java from "./verify/java.txt" with { type: "text" };
import node from "./verify/node.txt" with { type: "text" };
import php from "./verify/php.txt" with { type: "text" };
import python from "./verify/python.txt" with { type: "text" };
import ruby from "./verify/ruby.txt" with { type: "text" };

/** When each event happens (docs/behaviour.md#event-types). */
const MEANINGS: Record<EventType, string> = {
  MESSAGE_TERMINAL:
    "A message became final. Its data is the message, as <code>GET /messages/{message_id}</code> shows it.",
  BATCH_SETTLED: "A batch is finished and its money squared.",
  BATCH_ACCEPTED:
    "A batch of more than 10,000 recipients was validated and paid for: here are its real figures.",
  BATCH_REJECTED: "Such a batch had no recipient that could be accepted.",
  BATCH_FAILED:
    "Such a batch could not be validated or paid for; <code>failure</code> says why. To submit it again, after a top-up" +
    " say, use a new idempotency key: the 202 stays remembered under the old one.",
  BATCH_CANCELLED: "A batch was cancelled and what had not left was refunded.",
  WALLET_LOW:
    "What the account may spend fell below the level that was set for it; told once until it was that much again. Its data" +
    " is <code>spendable</code>, <code>low_balance</code>, <code>balance</code>, <code>reserved</code> and" +
    " <code>credit_limit</code> in <code>currency</code>, <code>as_of</code> that moment.",
};

const LANGUAGES: readonly (readonly [name: string, code: string])[] = [
  ["Python", python],
  ["Node.js", node],
  ["PHP", php],
  ["Ruby", ruby],
  ["Java", java],
];

const EXAMPLE = {
  type: "MESSAGE_TERMINAL",
  timestamp: messageExample.finalized_at,
  event_id: "01KJQX62FTQ0Z3V5B7N9M1K2J4",
  account_id: "01KJ3A1B2C4D6F8G0H2J4K6M8N",
  data: messageExample,
};

const STYLE = `<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #f4f4f4; padding: 0.75rem; overflow-x: auto; font-size: 14px; }
td { vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
</style>`;

/** How to receive webhooks and to know that they are genuine, served by the appliance itself. */
export function webhookPage(): string {
  const sections = [INTRODUCTION, whatIsSent(), HOW_TO_ANSWER, HOW_TO_TRY, howToVerify()];
  return htmlPage({ title: "Bendre API: webhooks", head: STYLE, body: sections.join("\n\n") });
}

const INTRODUCTION = `<h1>Webhooks</h1>
<p>Register an HTTPS endpoint with <code>POST /webhooks</code> (see the <a href="/docs">reference</a>) and it is told
what happens, as the <a href="#verify">signed</a> messages of Standard Webhooks.</p>`;

function whatIsSent(): string {
  const events = EVENT_TYPES.map(
    (type) =>
      `<tr><td><code>${type}</code>${USUAL_EVENTS.includes(type) ? " *" : ""}</td><td>${MEANINGS[type]}</td></tr>`,
  );
  return `<h2>What is sent</h2>
<table>
${events.join("\n")}
<tr><td><code>WEBHOOK_TEST</code></td><td>Somebody tries the endpoint: it is sent whatever the endpoint subscribes to, and
nobody subscribes to it. Its data is <code>webhook_id</code>. Verify it and answer 2xx like any other.</td></tr>
</table>
<p>* What an endpoint receives that is registered without <code>events</code>; one with an empty list receives
${PROMISED_EVENTS.map((type) => `<code>${type}</code>`).join(" and ")}. The data of an event about a batch is the batch, as
<code>GET /batches/{batch_id}</code> shows it, with <code>rejections_by_reason</code>, how many there were of each, in
place of the list of rejections. Tolerate types and fields that are not named here.</p>
<pre><code>POST /your/path
content-type: application/json
webhook-id: ${EXAMPLE.event_id}
webhook-timestamp: 1772357404
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

${escaped(JSON.stringify(EXAMPLE, null, 2))}</code></pre>`;
}

const HOW_TO_ANSWER = `<h2>How to answer</h2>
<ul>
<li>Verify, put the event aside, answer 2xx, and work on it afterwards. Any other status, a redirect, or no answer in time
is a failure, and the event is sent again: after seconds at first, after hours later on, for about three days.</li>
<li>The same event may come more than once: <code>webhook-id</code>, the <code>event_id</code> of the body, is the same
each time. Keep the ids you have seen. Events may come in another order than they happened.</li>
<li><code>410</code> ends the attempts of that event. <code>Retry-After</code> is heeded, up to an hour.</li>
<li>After ${FAILURES_TO_DISABLE} failed attempts in a row the endpoint is disabled until you enable it. What happens
while it is disabled is not sent later, nor is what was waiting for another attempt: read it from
<code>GET /messages</code>, from the moment of <code>last_success_at</code> on, or from up to three days earlier if
attempts had failed before it.</li>
</ul>`;

const HOW_TO_TRY = `<h2 id="local">How to try it on your own machine</h2>
<p>The code that verifies needs no network: call it with the secret, the headers and the body above changed as you like,
signed as <a href="#verify">below</a>. To receive real events, the endpoint must be reached over HTTPS from outside: a
tunnel that gives a local port a public <code>https:</code> address will do. Register that address, then ask the
service's operator for a test event: <code>bendre webhook test WEBHOOK_ID</code> posts one at once and prints what your
endpoint answered. Whoever runs an appliance of their own for rehearsals may set
<code>allow_private_targets = true</code> in <code>[webhooks]</code>, which lets endpoints be on the same machine, and
<code>ca_file</code> for the authority that signed a local certificate, and register
<code>https://localhost:8443/hook</code>.</p>`;

function howToVerify(): string {
  const snippets = LANGUAGES.map(
    ([name, code]) => `<h3>${name}</h3>\n<pre><code>${escaped(code.trimEnd())}</code></pre>`,
  );
  return `<h2 id="verify">How to verify a signature</h2>
<p>The signature is the base64 of the HMAC-SHA256 of <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a
dot and the body exactly as it came. The key is what the base64 behind <code>whsec_</code> stands for.
<code>webhook-signature</code> may hold several, separated by spaces: for 24 hours after a rotation one of each secret,
the new one first. The event is genuine if <strong>any</strong> of them is right. Refuse a timestamp that is more than
five minutes off, so that nobody can send an old event again. Libraries of Standard Webhooks do all of this; so do these
few lines, which need nothing else. Header names are in small letters here.</p>
${snippets.join("\n")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
