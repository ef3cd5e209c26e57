import { ok, strictEqual, throws } from "node:assert";
import { Webhook } from "standardwebhooks";
import { toSignedHeaders } from "../../../src/webhooks/payload.ts";
import { secretText } from "../../../src/webhooks/signing.ts";
import { octetsOf, sizeOf, textTarget } from "../target.ts";

const KEY = new Uint8Array(32).fill(7);
const OLD = new Uint8Array(32).fill(9);
const NEW_HOOK = new Webhook(secretText(KEY));
const OLD_HOOK = new Webhook(secretText(OLD));
const FOREIGN_HOOK = new Webhook(secretText(new Uint8Array(32)));
const NOW_MS = 1_772_442_000_000;

/** An input is the body of an event. */
export const signatures = textTarget({
  name: "signatures",
  promise:
    "whatever a body holds, the reference implementation verifies it, under the old secret too, and nothing else",
  words: ['{"type":', '"MESSAGE_TERMINAL"', "}", "\0", "\ud800", "é", "😀", ".", "\\u0000"],
  draw: ({ ascii, pick }) =>
    JSON.stringify({ type: pick(["BATCH_SETTLED", "WALLET_LOW"]), data: { text: ascii(40) } }),
  longest: 512,
  run: (text) => {
    // The library parses what it verified.
    const body = JSON.stringify(text);
    const keys = [
      { key: KEY, expiresAtMs: Number.POSITIVE_INFINITY },
      { key: OLD, expiresAtMs: NOW_MS + text.length - 10 },
    ];
    const headers = toSignedHeaders(keys, "01JXYZ", body, NOW_MS);
    const judge = (key: Webhook, what: string) => verified(key, what, headers);
    strictEqual(judge(NEW_HOOK, body), text);
    const isOldValid = text.length > 10;
    if (isOldValid) strictEqual(judge(OLD_HOOK, body), text);
    else throws(() => judge(OLD_HOOK, body));
    throws(() => judge(NEW_HOOK, `${body} `));
    throws(() => judge(FOREIGN_HOOK, body));
    ok(Object.values(headers).every((value) => /^[ -~]*$/.test(value)));
    return `${isOldValid ? "both" : "one"} ${sizeOf(octetsOf(body).length)}`;
  },
});

/** What a receiver reads whose signature, made by the reference implementation, is among those that were sent. */
function verified(webhook: Webhook, body: string, headers: Record<string, string>): unknown {
  const own = webhook.sign("01JXYZ", new Date(NOW_MS), body);
  if (!headers["webhook-signature"]?.split(" ").includes(own)) throw new Error("wrong signature");
  return JSON.parse(body);
}
