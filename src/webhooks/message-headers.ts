import { version } from "../../package.json";
import type { SigningKey } from "./secrets.ts";
import { signatureOf } from "./signature.ts";

/** The headers of one attempt (Standard Webhooks): the id of the event, the time of the attempt, one signature a key. */
export function messageHeaders(
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
    "webhook-signature": signatureOf(valid, eventId, seconds, body),
  };
}
