/** Bendre for TypeScript and JavaScript: send texts, follow them, verify webhooks. Runs where `fetch` and Web Crypto are. */
export {
  type BatchFilters,
  type Bendre,
  type BendreOptions,
  bendre,
  type Change,
  type Since,
} from "./client.ts";
export { type BendreError, isBendreError } from "./errors.ts";
export type * from "./types.gen.ts";
export { type VerifyOptions, verifyWebhook, type WebhookEvent } from "./webhooks.ts";
