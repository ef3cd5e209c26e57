/**
 * Example bodies of the OpenAPI document: one batch of two recipients, seen from each operation. Tests check them against
 * the schemas.
 */
import { FAILURES, type FailureCode } from "../../http/error-codes.ts";
import { ERROR_PAGE, errorAnchor } from "../../http/problem.ts";

const BATCH_ID = "01KJQX5Y8M3T7V9B2C4D6F8G0H";
/** The sender of test keys: the example of a submission can be tried as it stands, and the example answers belong to it. */
const SENDER = "TEST";
const MESSAGE_ID = "01KJQX5Y8N0A1B2C3D4E5F6G7H";

const references = { client_reference: "order-1042", batch_client_reference: "march-invoices" };

export const submissionExample = {
  sender: SENDER,
  body: "Bonjour {name}, votre facture est prete.",
  message_class: "TRANSACTIONAL",
  client_reference: references.batch_client_reference,
  recipients: [
    { msisdn: "+22670123456", attributes: { name: "Awa" }, client_reference: "order-1042" },
    { msisdn: "12", attributes: { name: "Issa" }, client_reference: "order-1043" },
  ],
};

const rejections = [
  { index: 1, msisdn: null, reason_code: "INVALID_MSISDN", ...references, client_reference: "order-1043" },
];

export const acceptedExample = {
  batch_id: BATCH_ID,
  status: "QUEUED",
  accepted: 1,
  rejected: 1,
  rejections,
  reserved_amount: 15,
  currency: "XOF",
  total_segments: 1,
  warnings: [],
  is_sandbox: true,
};

export const quoteExample = {
  status: "QUEUED",
  accepted: 1,
  rejected: 1,
  rejections_by_reason: { INVALID_MSISDN: 1 },
  rejections,
  total_segments: 1,
  amount: 15,
  currency: "XOF",
  is_payable: true,
  refusal: null,
  spendable_before: 250_000,
  spendable_after: 249_985,
  starts_at: "2026-03-01T09:30:00.000Z",
  by_operator: [{ operator: "moov", price: 15, messages: 1, segments: 1, amount: 15, fallback_amount: 0 }],
  encodings: { GSM7: 1, UCS2: 0 },
  characters: [],
  rewritten: { total_segments: 1, amount: 15, saved: 0, examples: [] },
  is_sandbox: true,
  warnings: [],
};

export const batchExample = {
  batch_id: BATCH_ID,
  client_reference: references.batch_client_reference,
  status: "SETTLED",
  accepted: 1,
  rejected: 1,
  sender: SENDER,
  channel: "SMS",
  message_class: "TRANSACTIONAL",
  is_test: false,
  is_sandbox: true,
  text_policy: "as_is",
  missing_attributes: "empty",
  scheduled_at: null,
  created_at: "2026-03-01T09:30:00+00:00",
  cancel_requested_at: null,
  counts: { total: 1, queued: 1, submitted: 1, sent: 1, delivered: 1, failed: 0, cancelled: 0 },
  total_segments: 1,
  reserved_amount: 15,
  charged_amount: 15,
  released_amount: 0,
  currency: "XOF",
  failure: null,
  warnings: [],
  rejections,
};

const { rejections: _, warnings: __, ...listedBatch } = batchExample;

export const batchPageExample = {
  batches: [listedBatch],
  next_cursor: `${BATCH_ID}sT4nPq0xYb7LwE`,
  is_sandbox: true,
};

export const cancelExample = { reason: "wrong list" };

export const cancelledExample = {
  ...batchExample,
  status: "CANCELLED",
  cancel_requested_at: "2026-03-01T09:30:02.000Z",
  counts: { total: 1, queued: 1, submitted: 0, sent: 0, delivered: 0, failed: 0, cancelled: 1 },
  charged_amount: 0,
  released_amount: 15,
};

export const messageExample = {
  message_id: MESSAGE_ID,
  batch_id: BATCH_ID,
  index: 0,
  ...references,
  msisdn: "+22670123456",
  operator: "moov",
  sender: SENDER,
  channel: "SMS",
  message_class: "TRANSACTIONAL",
  status: "DELIVERED",
  is_final: true,
  is_sandbox: true,
  encoding: "GSM7",
  segments: 1,
  amount: 15,
  reserved_amount: 0,
  currency: "XOF",
  error: null,
  channels: [
    {
      channel: "SMS",
      operator: "moov",
      status: "DELIVERED",
      at: "2026-03-01T09:30:04.310000Z",
      error: null,
    },
  ],
  created_at: "2026-03-01T09:30:00.000Z",
  submitted_at: "2026-03-01T09:30:00.012Z",
  sent_at: "2026-03-01T09:30:00.064Z",
  delivered_at: "2026-03-01T09:30:04.310Z",
  read_at: null,
  finalized_at: "2026-03-01T09:30:04.310Z",
  status_changed_at: "2026-03-01T09:30:04.310000Z",
};

export const feedExample = {
  messages: [messageExample],
  next_status_changed_since: "2026-03-01T09:30:04.310001Z",
  has_more: false,
  is_sandbox: true,
};

export const balanceExample = {
  billing_mode: "PREPAID",
  currency: "XOF",
  balance: 250_000,
  reserved: 15,
  credit_limit: 0,
  spendable: 249_985,
  as_of: "2026-03-01T09:30:01.000Z",
  is_sandbox: true,
};

export const sendersExample = {
  sender_ids: [
    {
      sender: SENDER,
      status: "APPROVED",
      is_sendable: true,
      operators: ["moov", "orange"],
      channels: ["SMS"],
      rejection_reason: null,
      created_at: "2026-02-20T08:00:00.000Z",
      is_sandbox: true,
    },
  ],
  is_sandbox: true,
};

export const templatesExample = {
  templates: [
    {
      name: "code",
      language: "fr",
      status: "APPROVED",
      category: "AUTHENTICATION",
      body: "Votre code est {{1}}.",
      parameters: ["1"],
      parameter_format: "POSITIONAL",
      quality: "GREEN",
      number: "whatsapp:main",
      is_usable: true,
      why_not: null,
      moves_to: null,
      moves_at: null,
      synced_at: "2026-03-01T09:15:00.000Z",
      is_sandbox: false,
    },
  ],
  is_sandbox: true,
};

export const webhookRequestExample = {
  url: "https://shop.example/hooks/bendre",
  description: "Order service",
  events: ["MESSAGE_TERMINAL", "BATCH_SETTLED", "BATCH_ACCEPTED"],
};

export const webhookExample = {
  webhook_id: "01KJQX5Y8W7H6G5F4E3D2C1B0A",
  ...webhookRequestExample,
  status: "ENABLED",
  consecutive_failures: 0,
  disabled_reason: null,
  last_success_at: "2026-03-01T09:30:04.402Z",
  last_failure_at: null,
  is_sandbox: true,
  created_at: "2026-02-20T08:00:00.000Z",
};

export const webhookListExample = { webhooks: [webhookExample], is_sandbox: true };

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

export const webhookCreatedExample = { ...webhookExample, last_success_at: null, secret };

export const webhookRotatedExample = {
  ...webhookExample,
  secret,
  previous_secret_expires_at: "2026-03-02T09:30:00.000Z",
};

export const webhookTestExample = {
  webhook_id: webhookExample.webhook_id,
  event_id: "01KJQX5Y8V2T3E4S5T6A7B8C9D",
  delivered: true,
  outcome: "delivered",
  status: 204,
  duration_ms: 41,
  is_sandbox: true,
};

export function problemExample(code: FailureCode) {
  const { status, title, retryable } = FAILURES[code];
  return {
    type: `${ERROR_PAGE}#${errorAnchor(code)}`,
    title,
    status,
    code,
    detail: title.toLowerCase(),
    is_retryable: retryable,
    request_id: "01KJQX5Y8P9Q8R7S6T5V4W3X2Y",
  };
}
