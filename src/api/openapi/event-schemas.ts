/** Events as the OpenAPI document shows them: what is posted to an endpoint (docs/behaviour.md#event-types). */
import { Type as t } from "@sinclair/typebox";
import { oneOf } from "../../base/shape.ts";
import { EVENT_TYPES } from "../../events/catalogue.ts";
import { type Json, ref } from "./operation-doc.ts";
import { currency, instant, isSandbox, ulid, xof } from "./schema-kinds.ts";
import { Batch } from "./schemas.ts";

const envelope = {
  timestamp: instant("When it happened."),
  event_id: ulid(
    "The event, and `webhook-id` of the request. The same at every try: keep those you have seen.",
  ),
  account_id: ulid("The account that it happened to."),
  is_sandbox: isSandbox,
};
const typeOf = (types: readonly string[]) => oneOf(types, { description: "What happened." });
const event = (types: readonly string[], data: string) =>
  t.Object({ type: typeOf(types), ...envelope, data: t.Ref(`#/components/schemas/${data}`) });

const ABOUT_BATCHES = EVENT_TYPES.filter((type) => type.startsWith("BATCH_"));

export const EventBatch = t.Object({
  ...t.Omit(Batch, ["rejections", "warnings"]).properties,
  rejections_by_reason: t.Object(
    {},
    {
      additionalProperties: t.Integer({ minimum: 1 }),
      description: "How many for each reason.",
      examples: [{ INVALID_MSISDN: 4 }],
    },
  ),
});
export const EventWallet = t.Object({
  currency,
  spendable: xof("balance + credit_limit − reserved, never below 0."),
  low_balance: xof("The level below which `spendable` fell.", 100_000),
  balance: xof("At or below zero by design when postpaid."),
  reserved: xof("Part of the balance that is set aside for accepted messages."),
  credit_limit: xof("0 when prepaid."),
  as_of: instant("When the figures were read."),
});
export const EventTest = t.Object({ webhook_id: ulid("The endpoint.") });

export const MessageTold = event(["MESSAGE_TERMINAL"], "Message");
export const BatchTold = event(ABOUT_BATCHES, "EventBatch");
export const WalletTold = event(["WALLET_LOW"], "EventWallet");
export const TestTold = event(["WEBHOOK_TEST"], "EventTest");

const told = (operationId: string, summary: string, schema: string) => ({
  post: {
    operationId,
    summary,
    description: "Signed as Standard Webhooks: see [/docs/webhooks](/docs/webhooks).",
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (name): Json => ({
        ...{ name, in: "header", required: true, schema: { type: "string" } },
        description: "What the signature is verified with.",
      }),
    ),
    requestBody: { required: true, content: { "application/json": { schema: ref(schema) } } },
    responses: { "204": { description: "Any 2xx within 15 seconds: taken. Else it comes again." } },
  },
});

/** The part `webhooks` of the document (OpenAPI 3.1): what the service asks of its clients' servers. */
export const WEBHOOKS = {
  message: told("tellMessage", "A message became final", "MessageTold"),
  batch: told("tellBatch", "What became of a batch", "BatchTold"),
  wallet: told("tellWallet", "What may be spent fell below the level set for it", "WalletTold"),
  test: told("tellTest", "Somebody tries the endpoint", "TestTold"),
};
