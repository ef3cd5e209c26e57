/**
 * Bodies of the API in the OpenAPI document: request shapes from the rooms that check them, and answers, which tests check
 * against these. TypeBox itself: Elysia's `t` widens an integer to "integer or text".
 */
import { Type as t } from "@sinclair/typebox";
import { CHANNELS } from "../../../core/channels.ts";
import { MAX_FAULTS } from "../../../core/refusals.ts";
import { type Description, describe, oneOf } from "../../../core/request-shape.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../../core/text-rules.ts";
import { LISTED_STATUSES } from "../../../domain/messages/batches.ts";
import { ENCODINGS } from "../../../domain/messages/encodings.ts";
import { MESSAGE_ERRORS, STATUSES } from "../../../domain/messages/message-status.ts";
import { recipientSchema } from "../../../domain/submission/recipients.ts";
import { REJECTION_REASONS } from "../../../domain/submission/rejections.ts";
import { SUBMISSION, templateName } from "../../../domain/submission/request.ts";
import { FAILURES } from "../../http/error-codes.ts";
import { FEED_WARNING_CODES } from "../feed-page.ts";
import { CANCEL } from "../request-parsers.ts";
import { BATCH_FAILURES, listedEnum, openEnum, SENDER_STATUSES } from "./open-codes.ts";
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

// Faults of a request, one per field.

const FieldFault = t.Object({
  path: t.String({ description: describe("reference.FieldFault.path"), examples: ["/recipients"] }),
  message: t.String({
    description: describe("reference.FieldFault.message"),
    examples: ["must hold 1 to 100000 items"],
  }),
  template: t.Optional(
    t.Union([t.Object(templateName), t.Null()], {
      description: describe("reference.FieldFault.template"),
    }),
  ),
  expected: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: describe("reference.FieldFault.expected"),
      examples: ["Bonjour {{nom}}, votre commande"],
    }),
  ),
  found: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: describe("reference.FieldFault.found"),
      examples: ["Bonjour {{nom}}, ta commande"],
    }),
  ),
});

// Schemas used more than once in a message object.

/** The error of a message, or of one of its legs. */
const messageError = (description: Description) =>
  t.Union(
    [
      t.Object({
        ...told(
          Object.keys(MESSAGE_ERRORS),
          "the phone was off or out of reach until the validity ended",
          "ABSENT_SUBSCRIBER",
        ),
        is_permanent: truth("reference.Message.error.is_permanent", false),
        operator_code: t.Union([t.String(), t.Null()], {
          description: describe("reference.Message.error.operator_code"),
          examples: ["027"],
        }),
      }),
      t.Null(),
    ],
    { description: describe(description) },
  );

const messageStatus = openEnum(STATUSES, "reference.Message.status", "DELIVERED");

/** The channels that a message used, in the order of use. */
const usedChannels = t.Array(
  t.Object({
    channel,
    operator: operatorCode,
    status: messageStatus,
    at: instant("reference.Message.channels.at"),
    error: messageError("reference.Message.channels.error"),
  }),
  {
    description: describe("reference.Message.channels"),
  },
);

export const Recipient = recipientSchema;
export const BatchSubmission = SUBMISSION.schema;

const called = (description: Description) =>
  t.Union([t.String(), t.Null()], {
    description: describe(description),
    examples: ["order-1042"],
  });
const references = {
  client_reference: called("reference.called.recipient"),
  batch_client_reference: called("reference.called.batch"),
};

export const Rejection = t.Object({
  client_reference: t.Optional(references.client_reference),
  batch_client_reference: t.Optional(references.batch_client_reference),
  index: count("reference.index"),
  msisdn: t.Union([t.String(), t.Null()], {
    description: describe("reference.Rejection.msisdn"),
    examples: ["+22670123456"],
  }),
  reason_code: listedEnum("reference.Rejection.reason_code", REJECTION_REASONS),
});

const batchStatus = openEnum(LISTED_STATUSES, "reference.Batch.status", "QUEUED");
const rejections = t.Array(t.Ref("#/components/schemas/Rejection"), {
  description: describe("reference.rejections"),
});

export const BatchCancellation = CANCEL.schema;

export const BatchAccepted = t.Object(
  {
    batch_id: ulid("reference.Batch"),
    status: batchStatus,
    accepted: count("reference.Batch.accepted"),
    rejected: count("reference.BatchAccepted.rejected"),
    rejections,
    reserved_amount: xof("reference.BatchAccepted.reserved_amount"),
    currency,
    total_segments: count("reference.Batch.total_segments"),
    is_sandbox: isSandbox,
    warnings,
  },
  { description: describe("reference.BatchAccepted") },
);

export const Batch = t.Object({
  batch_id: ulid("reference.Batch"),
  client_reference: called("reference.called.it"),
  status: batchStatus,
  accepted: count("reference.Batch.accepted"),
  rejected: count("reference.Batch.rejected"),
  rejections,
  sender: senderName,
  channel,
  message_class: messageClass,
  is_sandbox: isSandbox,
  is_test: truth("reference.Batch.is_test", false),
  text_policy: openEnum(TEXT_POLICIES, "reference.Batch.text_policy"),
  missing_attributes: openEnum(MISSING_ATTRIBUTES, "reference.Batch.missing_attributes"),
  scheduled_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: describe("reference.Batch.scheduled_at"),
    examples: ["2026-03-01T09:30:00+00:00"],
  }),
  created_at: t.String({
    format: "date-time",
    description: describe("reference.Batch.created_at"),
    examples: ["2026-03-01T09:30:00+00:00"],
  }),
  cancel_requested_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: describe("reference.Batch.cancel_requested_at"),
    examples: ["2026-03-01T09:30:02.000Z"],
  }),
  counts: t.Object(
    {
      total: count("reference.Batch.counts.total"),
      queued: count("reference.Batch.counts.queued"),
      submitted: count("reference.Batch.counts.submitted"),
      sent: count("reference.Batch.counts.sent"),
      delivered: count("reference.Batch.counts.delivered"),
      failed: count("reference.Batch.counts.failed"),
      cancelled: count("reference.Batch.counts.cancelled"),
    },
    { description: describe("reference.Batch.counts") },
  ),
  total_segments: count("reference.Batch.total_segments"),
  reserved_amount: xof("reference.Batch.reserved_amount"),
  charged_amount: xof("reference.charged_amount"),
  released_amount: xof("reference.Batch.released_amount"),
  currency,
  failure: t.Union(
    [t.Object(told(BATCH_FAILURES, "the batch costs 45 XOF, 30 XOF can be spent")), t.Null()],
    {
      description: describe("reference.Batch.failure"),
    },
  ),
  warnings,
});

export const BatchPage = t.Object({
  batches: t.Array(t.Omit(Batch, ["rejections", "warnings"]), {
    description: describe("reference.newest_first"),
  }),
  is_sandbox: isSandbox,
  next_cursor: t.Union([t.String(), t.Null()], {
    description: describe("reference.BatchPage.next_cursor"),
    examples: [null],
  }),
});

export const Message = t.Object({
  message_id: ulid("reference.Message"),
  batch_id: ulid("reference.Message.batch_id"),
  ...references,
  index: count("reference.index"),
  msisdn: t.String({ description: describe("reference.Message.msisdn"), examples: ["+22670123456"] }),
  operator: operatorCode,
  sender: senderName,
  channel,
  message_class: messageClass,
  status: messageStatus,
  is_sandbox: isSandbox,
  is_final: truth("reference.Message.is_final", true),
  encoding: oneOf(ENCODINGS, {
    description: describe("reference.Message.encoding"),
  }),
  segments: t.Integer({
    minimum: 1,
    maximum: 255,
    description: describe("reference.Message.segments"),
    examples: [1],
  }),
  amount: xof("reference.charged_amount"),
  reserved_amount: xof("reference.Message.reserved_amount"),
  currency,
  error: messageError("reference.Message.error"),
  channels: usedChannels,
  created_at: instant("reference.Message.created_at"),
  submitted_at: instantOrNull("reference.Message.submitted_at"),
  sent_at: instantOrNull("reference.Message.sent_at"),
  delivered_at: instantOrNull("reference.Message.delivered_at"),
  read_at: instantOrNull("reference.Message.read_at"),
  finalized_at: instantOrNull("reference.Message.finalized_at"),
  status_changed_at: t.String({
    format: "date-time",
    description: describe("reference.Message.status_changed_at"),
    examples: ["2026-03-01T09:30:00.000001Z"],
  }),
});

export const FeedPage = t.Object({
  messages: t.Array(t.Ref("#/components/schemas/Message"), {
    description: describe("reference.FeedPage.messages"),
  }),
  next_status_changed_since: t.String({
    format: "date-time",
    description: describe("reference.FeedPage.next_status_changed_since"),
    examples: ["2026-03-01T09:30:00.000002Z"],
  }),
  has_more: truth("reference.FeedPage.has_more", false),
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
        description: describe("reference.FeedPage.warnings"),
      },
    ),
  ),
});

const ceiling = (description: Description) =>
  t.Integer({ description: describe(description), minimum: 0, examples: [0] });

export const Account = t.Object({
  account_id: ulid("reference.Account.account_id"),
  name: t.String({ description: describe("reference.Account.name"), examples: ["Pharmacie du Marché"] }),
  billing_mode: oneOf(["PREPAID", "POSTPAID"], { description: describe("reference.Balance.billing_mode") }),
  currency,
  timezone: t.String({
    description: describe("reference.Account.timezone"),
    examples: ["Africa/Ouagadougou"],
  }),
  classes: t.Array(messageClass, { description: describe("reference.Account.classes") }),
  marketing_hours: t.String({
    description: describe("reference.Account.marketing_hours"),
    examples: ["08:00-20:00"],
  }),
  marketing_per_day: ceiling("reference.Account.marketing_per_day"),
  marketing_per_week: ceiling("reference.Account.marketing_per_week"),
  recipients_per_minute: ceiling("reference.Account.recipients_per_minute"),
  recipients_per_day: ceiling("reference.Account.recipients_per_day"),
  text_policy: openEnum(TEXT_POLICIES, "reference.Account.text_policy", "as_is"),
  missing_attributes: openEnum(MISSING_ATTRIBUTES, "reference.Account.missing_attributes", "empty"),
  prices: t.Array(
    t.Object({
      operator: operatorCode,
      message_class: t.Union([messageClass, t.Null()], {
        description: describe("reference.Account.prices.message_class"),
      }),
      amount: xof("reference.Account.prices.amount", 15),
      source: openEnum(["account", "operator"], "reference.Account.prices.source", "operator"),
    }),
    { description: describe("reference.Account.prices") },
  ),
  is_sandbox: isSandbox,
});

export const Balance = t.Object({
  billing_mode: oneOf(["PREPAID", "POSTPAID"], {
    description: describe("reference.Balance.billing_mode"),
  }),
  currency,
  balance: xof("reference.Balance.balance"),
  reserved: xof("reference.Balance.reserved"),
  credit_limit: xof("reference.Balance.credit_limit"),
  spendable: xof("reference.Balance.spendable"),
  as_of: instant("reference.Balance.as_of"),
  is_sandbox: isSandbox,
});

export const SenderIdentity = t.Object({
  sender: senderName,
  status: openEnum(SENDER_STATUSES, "reference.SenderIdentity.status", "APPROVED"),
  is_sendable: truth("reference.SenderIdentity.is_sendable", true),
  operators: t.Array(t.String(), { description: describe("reference.SenderIdentity.operators") }),
  channels: t.Array(t.Unsafe<string>({ type: "string", "x-extensible-enum": CHANNELS }), {
    description: describe("reference.SenderIdentity.channels"),
    examples: [["SMS"]],
  }),
  rejection_reason: t.Union([t.String(), t.Null()], {
    description: describe("reference.SenderIdentity.rejection_reason"),
    examples: ["the name is a trade mark of somebody else"],
  }),
  created_at: instant("reference.SenderIdentity.created_at"),
  is_sandbox: isSandbox,
});

export const SenderList = t.Object({
  sender_ids: t.Array(t.Ref("#/components/schemas/SenderIdentity"), {
    description: describe("reference.SenderList.sender_ids"),
  }),
  is_sandbox: isSandbox,
});

export const Problem = t.Object(
  {
    type: t.String({
      format: "uri-reference",
      description: describe("reference.Problem.type"),
      examples: ["/docs/errors#validation-failed"],
    }),
    title: t.String({ description: describe("reference.Problem.title"), examples: ["Validation failed"] }),
    status: t.Integer({ description: describe("reference.Problem.status"), examples: [422] }),
    code: listedEnum("reference.code", Object.keys(FAILURES)),
    detail: t.String({
      description: describe("reference.detail"),
      examples: ["recipients must hold 1 to 100000 items"],
    }),
    is_retryable: t.Boolean({
      description: describe("reference.Problem.is_retryable"),
      examples: [false],
    }),
    request_id: t.String({
      description: describe("reference.Problem.request_id"),
      examples: ["01KJQX5Y8M3T7V9B2C4D6F8G0H"],
    }),
    is_sandbox: t.Optional(
      t.Boolean({
        description: describe("reference.Problem.is_sandbox"),
        examples: [false],
      }),
    ),
    errors: t.Optional(
      t.Array(FieldFault, {
        maxItems: MAX_FAULTS,
        description: describe("reference.Problem.errors"),
      }),
    ),
  },
  { description: describe("reference.Problem") },
);
