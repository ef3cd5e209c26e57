import { version } from "../../package.json";
import type { SigningKey } from "./secrets.ts";

/**
 * `webhook-signature`: for each key, in their order, `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, separated
 * by spaces. A receiver accepts the event when any of them verifies.
 */
export function signEvent(
  keys: readonly Uint8Array[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${eventId}.${timestampSeconds}.${body}`;
  return keys
    .map((key) => `v1,${new Bun.CryptoHasher("sha256", key).update(signed).digest("base64")}`)
    .join(" ");
}

/** The headers of one attempt (Standard Webhooks): the id of the event, the time of the attempt, one signature a key. */
export function toSignedHeaders(
  keys: readonly SigningKey[],
  eventId: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const valid = keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ key }) => key);
  const seconds = Math.floor(nowMs / 1000);
  return {
    "content-type": "application/json",
    "user-agent": `Bendre/${version}`,
    "accept-encoding": "identity",
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signEvent(valid, eventId, seconds, body),
  };
}
