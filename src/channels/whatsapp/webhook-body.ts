/**
 * Reads the body of a webhook call, which anybody may make: its bytes are signed, and only the whole of them shows whether rightly
 * (docs/behaviour.md#webhook-of-whatsapp).
 *
 * A body of ordinary size is kept until then. Larger ones are kept as long as there is room, in all calls together; the rest only passes
 * through the signature check. One that was signed rightly and not kept is asked for again, and is let in by its signature when it comes:
 * nobody else can make that. So whoever does not know the secret fills little memory, and keeps out nobody who does.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import {
  BODY_DEADLINE_MS,
  declaredBytes,
  discardBody,
  readBody,
  SMALL_BYTES,
} from "../../ingress/http/body.ts";
import { bodyBudget } from "../../ingress/http/body-budget.ts";

const MAX_CALL_BYTES = 8_388_608;
/** Two calls of the largest size. */
const MAX_UNCHECKED_BYTES = 2 * MAX_CALL_BYTES;
/** The most signatures of repeated calls that are awaited. */
const MAX_AWAITED = 1000;

type WebhookBody =
  /** `release` frees its memory, once nothing of it is needed. */
  | { readonly kind: "signed"; readonly body: Uint8Array; readonly release: () => void }
  /** It is signed rightly, or may be, and there was no room for it: Meta is to send it again. */
  | { readonly kind: "again" }
  | { readonly kind: "unsigned" }
  /** It is too large, too slow, or broke off. */
  | { readonly kind: "unreadable" };

export type WebhookBodyReader = {
  readonly read: (request: Request, signature: string | null, secret: string) => Promise<WebhookBody>;
  /** Bytes of large calls in memory whose signature has not been checked. */
  readonly heldBytes: () => number;
};

/** `maxUncheckedBytes`: what large calls may hold together before their signatures are checked. */
export function createWebhookBodyReader(
  clock: Clock,
  maxUncheckedBytes = MAX_UNCHECKED_BYTES,
): WebhookBodyReader {
  /** For calls that are known by their signatures: all are Meta's. */
  const budget = bodyBudget(MAX_CALL_BYTES, clock);
  const awaited = new Set<string>();
  let heldBytes = 0;
  const room: Room = {
    take: (bytes) => {
      if (heldBytes + bytes > maxUncheckedBytes) return false;
      heldBytes += bytes;
      return true;
    },
    giveBack: (bytes) => {
      heldBytes -= bytes;
    },
  };
  const awaitAgain = (signature: string): void => {
    awaited.delete(signature);
    awaited.add(signature);
    for (const oldest of awaited) {
      if (awaited.size <= MAX_AWAITED) break;
      awaited.delete(oldest);
    }
  };
  return {
    heldBytes: () => heldBytes,
    read: async (request, header, secret) => {
      const declared = declaredBytes(request.headers);
      if (declared !== null && declared > MAX_CALL_BYTES) return UNREADABLE;
      const signature = header?.toLowerCase() ?? "";
      if ((declared !== null && declared <= SMALL_BYTES) || awaited.has(signature)) {
        const claim = budget.claim(0, declared ?? MAX_CALL_BYTES);
        const read = await readBody(request, MAX_CALL_BYTES, clock, () => claim);
        const isSigned = read.ok && isSignedBy(createHmac("sha256", secret).update(read.value), signature);
        if (isSigned) return { kind: "signed", body: read.value, release: claim.release };
        claim.release();
        if (read.ok) return UNSIGNED;
        return read.refusal.code === "SERVICE_UNAVAILABLE" ? AGAIN : UNREADABLE;
      }
      const passed = await passBy(request, secret, clock, room);
      if (passed === null) return UNREADABLE;
      if (!isSignedBy(passed.hmac, signature)) {
        passed.release();
        return UNSIGNED;
      }
      if (passed.body !== null) return { kind: "signed", body: passed.body, release: passed.release };
      awaitAgain(signature);
      return AGAIN;
    },
  };
}

const UNREADABLE: WebhookBody = { kind: "unreadable" };
const UNSIGNED: WebhookBody = { kind: "unsigned" };
const AGAIN: WebhookBody = { kind: "again" };

/** Memory that calls may hold; what was not taken is not given back. */
type Room = { readonly take: (bytes: number) => boolean; readonly giveBack: (bytes: number) => void };

type Hmac = ReturnType<typeof createHmac>;

type Passed = {
  readonly hmac: Hmac;
  /** Null: there was no room to keep it. */
  readonly body: Uint8Array | null;
  readonly release: () => void;
};

/** Computes the signature of a body as it passes, and keeps it while there is room; null when it is too large, too slow, or breaks off. */
async function passBy(request: Request, secret: string, clock: Clock, room: Room): Promise<Passed | null> {
  const hmac = createHmac("sha256", secret);
  const reader = request.body?.getReader();
  if (reader === undefined) return { hmac, body: new Uint8Array(), release: () => {} };
  const { promise: late, resolve: expire } = Promise.withResolvers<null>();
  const cancel = clock.after(BODY_DEADLINE_MS, () => expire(null));
  let whole: Uint8Array | null = new Uint8Array(SMALL_BYTES);
  let size = 0;
  let taken = 0;
  const release = (): void => {
    room.giveBack(taken);
    taken = 0;
    if (whole !== null) free(whole);
    whole = null;
  };
  const breakOff = (): null => {
    discardBody(reader);
    release();
    return null;
  };
  const keep = (at: number, piece: Uint8Array): void => {
    if (whole === null) return;
    if (size > whole.byteLength) {
      // The system commits this memory only where it is written.
      const larger = new Uint8Array(declaredBytes(request.headers) ?? MAX_CALL_BYTES);
      larger.set(whole.subarray(0, at));
      free(whole);
      whole = larger;
    }
    const wanted = size <= SMALL_BYTES ? 0 : size - taken;
    const fits = size <= whole.byteLength && (wanted === 0 || room.take(wanted));
    if (fits) {
      taken += wanted;
      whole.set(piece, at);
    } else release();
  };
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late]);
      if (read === null) return breakOff();
      if (read.done || !read.value) break;
      const at = size;
      size += read.value.byteLength;
      if (size > MAX_CALL_BYTES) return breakOff();
      hmac.update(read.value);
      keep(at, read.value);
      free(read.value);
    }
  } catch {
    return breakOff();
  } finally {
    cancel();
  }
  return { hmac, body: whole === null ? null : whole.subarray(0, size), release };
}

/** Frees memory at once: what strangers send must not wait for the garbage collector. Not a buffer that is shared. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Whether a signature is the right one, in constant time. */
function isSignedBy(hmac: Hmac, signature: string): boolean {
  return isSame(signature, `sha256=${hmac.digest("hex")}`);
}

/** Whether two texts are the same, in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
