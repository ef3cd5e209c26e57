/** An event as it is posted to an endpoint. Types and fields that are not known here may come. */
export type WebhookEvent = {
  readonly type: string;
  readonly timestamp: string;
  /** The same on every retry: keep those you have seen. */
  readonly event_id: string;
  readonly account_id: string;
  /** Whether it is of a sandbox: of what was sent with a test key. */
  readonly is_sandbox: boolean;
  readonly data: Readonly<Record<string, unknown>>;
};

export type VerifyOptions = {
  /** Milliseconds since 1970; the runtime's clock by default. */
  readonly nowMs?: number;
  /** How old, or how far ahead, an event may be, in seconds. Default 300. */
  readonly toleranceSeconds?: number;
};

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a webhook that is genuine. `body` must be the text exactly as it came, before any JSON parser.
 * @throws Error when the signature is wrong, the timestamp too old, or a header missing.
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderSource,
  body: string,
  { nowMs = Date.now(), toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new Error("the webhook's timestamp is too far from now");
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey(
    "raw",
    octetsOf(secret.replace(/^whsec_/, "")),
    algorithm,
    false,
    ["verify"],
  );
  for (const signature of signatures) {
    const [version, encoded = ""] = signature.split(",");
    if (version !== "v1") continue;
    if (await crypto.subtle.verify("HMAC", key, octetsOf(encoded), signed))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new Error("the webhook's signature is wrong");
}

function headerOf(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string") throw new Error(`the header ${name} is missing`);
  return value;
}

/** The octets of base64; none of what is no base64, so that no signature fits. */
function octetsOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
