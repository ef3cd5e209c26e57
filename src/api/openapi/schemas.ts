import { Type as t } from "@sinclair/typebox";
import { CHANNELS } from "../../base/channels.ts";
import { MOST_FAULTS } from "../../base/field-faults.ts";
import { oneOf } from "../../base/shape.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../base/text-rules.ts";
import { FAILURES } from "../../http/failures.ts";
import { REJECTION_REASONS } from "../../intake/rejection-reasons.ts";
import { SUBMISSION } from "../../intake/request.ts";
import { recipientSchema } from "../../intake/request-recipients.ts";
import { LISTED_STATUSES } from "../../messages/batch-list.ts";
import { ENCODINGS } from "../../messages/channels.ts";
import { CANCEL } from "../cancel-request.ts";
import { FEED_WARNING_CODES } from "../feed-warning.ts";
import { FieldFault } from "./fault-schema.ts";
import { messageError, messageStatus, usedChannels } from "./message-schemas.ts";
import { BATCH_FAILURES, listedCode, openCode, SENDER_STATUSES } from "./open-codes.ts";
import { warnings } from "./quote-schemas.ts";
import {
  channel,
  count,
  currency,
  instant,
  instantOrNull,
  isSandbox,
  messageClass,
  operatorCode,
  senderName,
  told,
  truth,
  ulid,
  xof,
} from "./schema-kinds.ts";

/**
 * The bodies of the API as the OpenAPI document shows them: of requests, whose shapes belong to the rooms that refuse
 * them, and of answers, which the tests check against these. They are written with TypeBox itself: Elysia's `t` widens an
 * integer to "integer or text" for its coercion.
 */

export const Recipient = recipientSchema;
export const BatchSubmission = SUBMISSION.schema;

const reference = (whose: string) =>
  t.Union([t.String(), t.Null()], {
    description: `What you called ${whose}; null when you called it nothing.`,
    examples: ["order-1042"],
  });
const references = {
  client_reference: reference("the recipient"),
  batch_client_reference: reference("its batch"),
};

export const Rejection = t.Object({
  client_reference: t.Optional(references.client_reference),
  batch_client_reference: t.Optional(references.batch_client_reference),
  index: count("Zero-based place of the recipient in the submission."),
  msisdn: t.Union([t.String(), t.Null()], {
    description: "E.164; null when it could not be normalised.",
    examples: ["+22670123456"],
  }),
  reason_code: listedCode("The first that applies of", REJECTION_REASONS),
});

const batchStatus = openCode(
  LISTED_STATUSES,
  "VALIDATING, SCHEDULED, QUEUED or SENDING; SETTLED, REJECTED, FAILED and CANCELLED are final.",
  "QUEUED",
);
const rejections = t.Array(t.Ref("#/components/schemas/Rejection"), {
  description: "Recipients that get no message, and why; in the order of submission.",
});

export const BatchCancellation = CANCEL.schema;

export const BatchAccepted = t.Object(
  {
    batch_id: ulid("The batch."),
    status: batchStatus,
    accepted: count("Recipients that were accepted."),
    rejected: count(
      "Recipients that were filtered out: read it, and `rejections`, whatever the HTTP status.",
    ),
    rejections,
    reserved_amount: xof("Set aside for the batch."),
    currency,
    total_segments: count("Message segments in the batch."),
    is_sandbox: isSandbox,
    warnings,
  },
  { description: "While `status` is VALIDATING, every figure is 0: not yet computed." },
);

export const Batch = t.Object({
  batch_id: ulid("The batch."),
  client_reference: reference("it"),
  status: batchStatus,
  accepted: count("Recipients that were accepted."),
  rejected: count("Recipients that were filtered out."),
  rejections,
  sender: senderName,
  channel,
  message_class: messageClass,
  is_sandbox: isSandbox,
  is_test: truth(
    "Whether it is left out of campaign statistics; it is billed and delivered all the same.",
    false,
  ),
  text_policy: openCode(TEXT_POLICIES, "What was in force for its texts: as_is, rewrite or gsm_only."),
  missing_attributes: openCode(
    MISSING_ATTRIBUTES,
    "What was in force for tags without a value: empty or reject.",
  ),
  scheduled_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: "When it is to leave, in the batch's timezone; null when at once.",
    examples: ["2026-03-01T09:30:00+00:00"],
  }),
  created_at: t.String({
    format: "date-time",
    description: "When it was accepted, in the batch's timezone.",
    examples: ["2026-03-01T09:30:00+00:00"],
  }),
  cancel_requested_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
    description:
      "When somebody asked for it to be cancelled, in UTC; null when nobody did. Its waiting messages are cancelled from then on.",
    examples: ["2026-03-01T09:30:02.000Z"],
  }),
  counts: t.Object(
    {
      total: count("The accepted recipients."),
      queued: count("Messages that ever were QUEUED."),
      submitted: count("Messages that ever were SUBMITTED."),
      sent: count("Messages that ever were SENT."),
      delivered: count("Messages that are DELIVERED."),
      failed: count("Messages that are FAILED."),
      cancelled: count("Messages that are CANCELLED."),
    },
    { description: "Cumulative: how many messages ever reached each state." },
  ),
  total_segments: count("Message segments in the batch."),
  reserved_amount: xof("Set aside when it was accepted."),
  charged_amount: xof("Charged so far."),
  released_amount: xof("Given back so far."),
  currency,
  failure: t.Union(
    [t.Object(told(BATCH_FAILURES, "the batch costs 45 XOF, 30 XOF can be spent")), t.Null()],
    {
      description:
        "Why a batch is FAILED; null otherwise. `code` is that of an error, or VALIDATION_TIMEOUT. The 202 stays remembered: to submit the batch again, use a new Idempotency-Key.",
    },
  ),
  warnings,
});

export const BatchPage = t.Object({
  batches: t.Array(t.Omit(Batch, ["rejections", "warnings"]), { description: "Newest first." }),
  is_sandbox: isSandbox,
  next_cursor: t.Union([t.String(), t.Null()], {
    description: "`cursor` of the next page, with the same filters; null on the last page.",
    examples: [null],
  }),
});

export const Message = t.Object({
  message_id: ulid("The message."),
  batch_id: ulid("Its batch."),
  ...references,
  index: count("Zero-based place of the recipient in the submission."),
  msisdn: t.String({ description: "E.164.", examples: ["+22670123456"] }),
  operator: operatorCode,
  sender: senderName,
  channel,
  message_class: messageClass,
  status: messageStatus,
  is_sandbox: isSandbox,
  is_final: truth("Whether nothing changes it any more.", true),
  encoding: oneOf(ENCODINGS, {
    description:
      "How its text is sent: GSM7 has 160 characters in a segment, UCS2 has 70; UTF8 by WhatsApp, in one segment.",
  }),
  segments: t.Integer({
    minimum: 1,
    maximum: 255,
    description: "SMS that it is sent and billed as.",
    examples: [1],
  }),
  amount: xof("Charged so far."),
  reserved_amount: xof("Still set aside."),
  currency,
  error: messageError("What went wrong; null when nothing did."),
  channels: usedChannels,
  created_at: instant("When it was accepted."),
  submitted_at: instantOrNull("When it was handed to the operator."),
  sent_at: instantOrNull("When the operator had accepted every segment."),
  delivered_at: instantOrNull("When the operator reported the delivery."),
  read_at: instantOrNull(
    "When the recipient read it, where WhatsApp tells it. It may come after the end, and neither changes the status nor moves the feed.",
  ),
  finalized_at: instantOrNull("When the status became final."),
  status_changed_at: t.String({
    format: "date-time",
    description: "Unique and rising per account, always with six fraction digits.",
    examples: ["2026-03-01T09:30:00.000001Z"],
  }),
});

export const FeedPage = t.Object({
  messages: t.Array(t.Ref("#/components/schemas/Message"), {
    description: "Each message once, at its latest change, oldest first.",
  }),
  next_status_changed_since: t.String({
    format: "date-time",
    description: "The cursor: `status_changed_since` of the next page.",
    examples: ["2026-03-01T09:30:00.000002Z"],
  }),
  has_more: truth("Whether the next page has messages already.", false),
  is_sandbox: isSandbox,
  warnings: t.Optional(
    t.Array(
      t.Object(
        told(
          FEED_WARNING_CODES,
          "status_changed_since 2027-03-01T09:30:00.000000Z is in the future (it is 2026-03-01T09:30:04.310000Z): no change before it is shown. Go on from next_status_changed_since, which passes over nothing that is still to come, and look at your clock",
        ),
      ),
      {
        description:
          "Only of an empty page, and only where something may be a slip. CURSOR_IN_FUTURE: `status_changed_since` is more than a minute ahead.",
      },
    ),
  ),
});

export const Balance = t.Object({
  billing_mode: oneOf(["PREPAID", "POSTPAID"], {
    description: "Whether the account pays before it sends, or within a credit limit.",
  }),
  currency,
  balance: xof("At or below zero by design when postpaid."),
  reserved: xof("Part of the balance that is set aside for accepted messages."),
  credit_limit: xof("0 when prepaid."),
  spendable: xof("balance + credit_limit − reserved, never below 0: the figure to monitor."),
  as_of: instant("When the figures were read."),
  is_sandbox: isSandbox,
});

export const SenderIdentity = t.Object({
  sender: senderName,
  status: openCode(SENDER_STATUSES, "REQUESTED, APPROVED or REJECTED.", "APPROVED"),
  is_sendable: truth("Approved and registered with at least one operator.", true),
  operators: t.Array(t.String(), { description: "Codes of the operators it is registered with." }),
  channels: t.Array(t.Unsafe<string>({ type: "string", "x-extensible-enum": CHANNELS }), {
    description: "By which it can be sent: SMS, WHATSAPP. Others may be added.",
    examples: [["SMS"]],
  }),
  rejection_reason: t.Union([t.String(), t.Null()], {
    description: "Why it is REJECTED; null otherwise.",
    examples: ["the name is a trade mark of somebody else"],
  }),
  created_at: instant("When it was requested."),
  is_sandbox: isSandbox,
});

export const SenderList = t.Object({
  sender_ids: t.Array(t.Ref("#/components/schemas/SenderIdentity"), { description: "Oldest first." }),
  is_sandbox: isSandbox,
});

export const Problem = t.Object(
  {
    type: t.String({
      format: "uri-reference",
      description: "The page that explains the code.",
      examples: ["/docs/errors#validation-failed"],
    }),
    title: t.String({ description: "The code in words.", examples: ["Validation failed"] }),
    status: t.Integer({ description: "The HTTP status again.", examples: [422] }),
    code: listedCode("For programs:", Object.keys(FAILURES)),
    detail: t.String({
      description: "What happened this time, for people: not to be compared.",
      examples: ["recipients must hold 1 to 100000 items"],
    }),
    is_retryable: t.Boolean({
      description:
        "Whether the same request may succeed later without a change. `x-errors` has it for every code. Where there is a Retry-After, wait so long.",
      examples: [false],
    }),
    request_id: t.String({
      description: "Quote it when contacting support.",
      examples: ["01KJQX5Y8M3T7V9B2C4D6F8G0H"],
    }),
    is_sandbox: t.Optional(
      t.Boolean({
        description: "Whether it was asked with a test key. Missing where no key was recognised.",
        examples: [false],
      }),
    ),
    errors: t.Optional(
      t.Array(FieldFault, {
        maxItems: MOST_FAULTS,
        description: "What exactly is wrong, with VALIDATION_FAILED.",
      }),
    ),
  },
  { description: "The members of RFC 9457. Every code is explained at /docs/errors." },
);
