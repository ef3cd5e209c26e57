import { createHmac } from "node:crypto";

/** What marks a signing secret as one (Standard Webhooks, "Signature scheme"). */
const PREFIX = "whsec_";

/** A secret as its receiver is shown it: `whsec_` and the base64 of its key. */
export function secretText(key: Uint8Array): string {
  return `${PREFIX}${Buffer.from(key).toString("base64")}`;
}

/**
 * `webhook-signature`: for each key, in their order, `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, separated
 * by spaces. A receiver accepts the event when any of them verifies.
 */
export function signatureOf(
  keys: readonly Uint8Array[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${eventId}.${timestampSeconds}.${body}`;
  return keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`).join(" ");
}
