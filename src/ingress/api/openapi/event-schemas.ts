/** Events as the OpenAPI document shows them: what is posted to an endpoint (docs/behaviour.md#event-types). */
import { Type as t } from "@sinclair/typebox";
import { type Description, describe, oneOf } from "../../../core/request-shape.ts";
import { EVENT_TYPES } from "../../../domain/events/outbox.ts";
import { type Json, ref } from "./operations.ts";
import { currency, instant, isSandbox, ulid, xof } from "./schema-kinds.ts";
import { Batch } from "./schemas.ts";

const envelope = {
  timestamp: instant("reference.Event.timestamp"),
  event_id: ulid("reference.Event.event_id"),
  account_id: ulid("reference.Event.account_id"),
  is_sandbox: isSandbox,
};
const typeOf = (types: readonly string[]) => oneOf(types, { description: describe("reference.Event.type") });
const event = (types: readonly string[], data: string) =>
  t.Object({ type: typeOf(types), ...envelope, data: t.Ref(`#/components/schemas/${data}`) });

const ABOUT_BATCHES = EVENT_TYPES.filter((type) => type.startsWith("BATCH_"));

export const EventBatch = t.Object({
  ...t.Omit(Batch, ["rejections", "warnings"]).properties,
  rejections_by_reason: t.Object(
    {},
    {
      additionalProperties: t.Integer({ minimum: 1 }),
      description: describe("reference.rejections_by_reason"),
      examples: [{ INVALID_MSISDN: 4 }],
    },
  ),
});
export const EventWallet = t.Object({
  currency,
  spendable: xof("reference.EventWallet.spendable"),
  low_balance: xof("reference.EventWallet.low_balance", 100_000),
  balance: xof("reference.Balance.balance"),
  reserved: xof("reference.Balance.reserved"),
  credit_limit: xof("reference.Balance.credit_limit"),
  as_of: instant("reference.Balance.as_of"),
});
export const EventTest = t.Object({ webhook_id: ulid("reference.Webhook") });

export const MessageTold = event(["MESSAGE_TERMINAL"], "Message");
export const BatchTold = event(ABOUT_BATCHES, "EventBatch");
export const WalletTold = event(["WALLET_LOW"], "EventWallet");
export const TestTold = event(["WEBHOOK_TEST"], "EventTest");

const describeEvent = (operationId: string, summary: Description, schema: string) => ({
  post: {
    operationId,
    summary: describe(summary),
    description: describe("reference.Event.description"),
    // A signature stands in place of a scheme: see the headers.
    security: [],
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (name): Json => ({
        name,
        in: "header",
        required: true,
        schema: { type: "string" },
        description: describe("reference.Event.signature"),
      }),
    ),
    requestBody: { required: true, content: { "application/json": { schema: ref(schema) } } },
    responses: { "204": { description: describe("reference.Event.answer") } },
  },
});

/** The part `webhooks` of the document (OpenAPI 3.1): requests that the service sends to its clients' servers. */
export const WEBHOOKS = {
  message: describeEvent("tellMessage", "reference.tellMessage.summary", "MessageTold"),
  batch: describeEvent("tellBatch", "reference.tellBatch.summary", "BatchTold"),
  wallet: describeEvent("tellWallet", "reference.tellWallet.summary", "WalletTold"),
  test: describeEvent("tellTest", "reference.tellTest.summary", "TestTold"),
};
