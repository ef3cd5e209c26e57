/** Requests that must be refused, each for one reason. */
import type { Chance } from "../../../src/core/chance.ts";
import type { Call } from "./api.ts";
import { pick } from "./draw.ts";

const RECIPIENT = { msisdn: "+22670000000" };
const SUBMISSION = { sender: "ACME", body: "never sent", message_class: "OTP", recipients: [RECIPIENT] };

/** A request that no client should make. */
export function drawOddRequest(chance: Chance): Call {
  return pick(chance, [...SUBMISSIONS, ...OTHERS]);
}

const SUBMISSIONS: readonly Call[] = [
  { ...SUBMISSION, recipients: [] },
  { ...SUBMISSION, body: "   " },
  { ...SUBMISSION, body: "x".repeat(4001) },
  { ...SUBMISSION, message_class: "SPAM" },
  { ...SUBMISSION, shedule_at: "2026-01-01" },
  { ...SUBMISSION, scheduled_at: "tomorrow" },
  { ...SUBMISSION, timezone: "Mars/Base", scheduled_at: "2027-01-01T00:00:00" },
  { ...SUBMISSION, recipients: [{ msisdn: 22670000000 }] },
  { ...SUBMISSION, recipients: [{ ...RECIPIENT, attributes: { name: ["a"] } }] },
  { sender: "ACME" },
  [],
].map((body) => post(JSON.stringify(body)));

function post(body: string): Call {
  return { method: "POST", path: "/batches", headers: { "idempotency-key": "odd" }, body };
}

const OTHERS: readonly Call[] = [
  post('{"sender": "ACME"'),
  post(""),
  {
    ...post(JSON.stringify(SUBMISSION)),
    headers: { "idempotency-key": "odd", "content-type": "text/plain" },
  },
  { method: "GET", path: "/messages" },
  { method: "GET", path: "/messages?status_changed_since=2026-01-01T00:00:00Z&limit=501" },
  { method: "GET", path: "/messages?status_changed_since=yesterday" },
  { method: "GET", path: "/batches/01ARZ3NDEKTSV4RRFFQ69G5FAV" },
  { method: "GET", path: "/batches/nonsense" },
  { method: "GET", path: "/nothing" },
  { method: "POST", path: "/account/balance" },
  { method: "GET", path: "/account/balance", apiKey: "bdr_000000000000_nonsense" },
  { method: "POST", path: "/webhooks", body: JSON.stringify({ url: "http://receiver1.example/hook" }) },
  { method: "POST", path: "/webhooks", body: JSON.stringify({ url: "https://127.0.0.1/hook" }) },
  {
    method: "POST",
    path: "/webhooks",
    body: JSON.stringify({ url: "https://a.example/", events: ["NOTHING"] }),
  },
];
