/**
 * The routes of `/whatsapp/webhook`, which Meta calls (docs/behaviour.md#webhook-of-whatsapp). The signature is checked over the bytes as
 * they came, before anything of them is read; what they say is durable before the answer.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import {
  BODY_DEADLINE_MS,
  declaredBytes,
  discardBody,
  readBody,
  SMALL_BYTES,
} from "../../ingress/http/body.ts";
import { bodyBudget } from "../../ingress/http/body-budget.ts";
import type { FailureCode } from "../../ingress/http/error-codes.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import type { KnownCaller, RequestContext } from "../../ingress/http/request-context.ts";
import { createRoutes } from "../../ingress/http/router.ts";
import { type CloudChange, type CloudStatus, parseChanges, parseStatuses } from "./post-facts.ts";

/** What calls brought that was not understood, by its field. */
export const WHATSAPP_UNKNOWN = "bendre_whatsapp_not_understood_total";

/** Handles the changes of one field; resolves once what they say is durable, with how many it did not understand. */
export type HandleChanges = (changes: readonly CloudChange[]) => Promise<number>;

type WebhookDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly takeStatuses: (statuses: readonly CloudStatus[]) => Promise<void>;
  /** Handles what users wrote; resolves once it is durable, with how much was not understood. */
  readonly takeTexts: HandleChanges;
  /** Handlers of other fields than "messages". */
  readonly others: Readonly<Record<string, HandleChanges>>;
};

/** Answers in words: Meta looks at the status alone. */
const WRONG_TOKEN = { status: 403, text: "another token", failure: "UNAUTHORIZED" } as const;
const WRONG_SIGNATURE = { status: 401, text: "another signature", failure: "UNAUTHORIZED" } as const;
const UNREADABLE = { status: 400, text: "not understood", failure: "VALIDATION_FAILED" } as const;
const LATER = { status: 503, text: "call again", failure: "SERVICE_UNAVAILABLE" } as const;

/** The routes of the webhook, for the router of the API. */
export function whatsappWebhook(deps: WebhookDeps) {
  const calls = createWebhookBodyReader(deps.clock);
  const set = createRoutes<KnownCaller>("/whatsapp/webhook", { ...deps, tally: deps.store.tally }, null);
  const hidden = { detail: { hide: true }, parse: "none" } as const;
  set.get("", ({ exchange, request }) => verified(deps, exchange, request), hidden);
  set.post("", ({ exchange, request }) => called(deps, calls, exchange, request), hidden);
  return set;
}

/** Answers the challenge to a caller who knows the token, as Meta asks for once. */
function verified({ settings }: WebhookDeps, exchange: RequestContext, request: Request): Response {
  const { app_secret: secret, verify_token: token } = settings.now().whatsapp;
  if (secret === "") return problem(exchange, NOT_FOUND);
  const query = new URL(request.url).searchParams;
  const isAsked = query.get("hub.mode") === "subscribe";
  if (!isAsked || token === "" || !isSame(query.get("hub.verify_token") ?? "", token)) {
    return words(exchange, WRONG_TOKEN);
  }
  return words(exchange, { status: 200, text: query.get("hub.challenge") ?? "", failure: null });
}

async function called(
  deps: WebhookDeps,
  calls: WebhookBodyReader,
  exchange: RequestContext,
  request: Request,
): Promise<Response> {
  const { app_secret: secret } = deps.settings.now().whatsapp;
  if (secret === "") return problem(exchange, NOT_FOUND);
  const read = await calls.read(request, request.headers.get("x-hub-signature-256"), secret);
  switch (read.kind) {
    case "unreadable":
      return words(exchange, UNREADABLE);
    case "unsigned":
      return words(exchange, WRONG_SIGNATURE);
    case "again":
      return words(exchange, LATER);
    case "signed":
      try {
        return await taken(deps, exchange, read.body);
      } finally {
        read.release();
      }
  }
}

/** Handles a call whose signature is right. */
async function taken(deps: WebhookDeps, exchange: RequestContext, body: Uint8Array): Promise<Response> {
  const said = jsonOf(body);
  if (said === UNREAD) return words(exchange, UNREADABLE);
  const changes = parseChanges(said);
  // JSON that is no call of Meta's as we know them: a repeat would say the same.
  if (changes === null) deps.store.tally.counters(WHATSAPP_UNKNOWN).of("other").value += 1;
  try {
    await take(deps, changes ?? []);
  } catch (error) {
    deps.log.error("a call of the Cloud API could not be kept", { ...errorFields(error) });
    return words(exchange, LATER);
  }
  return words(exchange, { status: 200, text: "", failure: null });
}

type Words = { readonly status: number; readonly text: string; readonly failure: FailureCode | null };

function words(exchange: RequestContext, { status, text, failure }: Words): Response {
  exchange.route = "/whatsapp/webhook";
  exchange.failure = failure;
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Hands over all that a call says, and counts what nobody understood. */
async function take(deps: WebhookDeps, changes: readonly CloudChange[]): Promise<void> {
  const unknown = deps.store.tally.counters(WHATSAPP_UNKNOWN);
  const messages = changes.filter(({ field }) => field === "messages");
  const read = messages.map(parseStatuses);
  const missed = (field: string, count: number): void => {
    if (count > 0) unknown.of(field).value += count;
  };
  await deps.takeStatuses(read.flatMap(({ statuses }) => statuses));
  missed("inbound", await deps.takeTexts(messages));
  missed(
    "messages",
    read.reduce((sum, one) => sum + one.unknown, 0),
  );
  const rest = Map.groupBy(
    changes.filter(({ field }) => field !== "messages"),
    ({ field }) => field,
  );
  for (const [field, some] of rest) {
    const taker = Object.hasOwn(deps.others, field) ? deps.others[field] : undefined;
    if (taker) missed(field, await taker(some));
    else missed("other", some.length);
  }
}

const UNREAD = Symbol("no JSON");

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return UNREAD;
  }
}

// Reads the body of a webhook call, which anybody may make: its bytes are signed, and only the whole of them shows
// whether rightly (docs/behaviour.md#webhook-of-whatsapp). A body of ordinary size is kept until then. Larger ones are
// kept as long as there is room, in all calls together; the rest only passes through the signature check. One that was
// signed rightly and not kept is asked for again, and is let in by its signature when it comes: nobody else can make
// that. So whoever does not know the secret fills little memory, and keeps out nobody who does.

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

type WebhookBodyReader = {
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
      if (declared !== null && declared > MAX_CALL_BYTES) return UNREADABLE_BODY;
      const signature = header?.toLowerCase() ?? "";
      if ((declared !== null && declared <= SMALL_BYTES) || awaited.has(signature)) {
        const claim = budget.claim(0, declared ?? MAX_CALL_BYTES);
        const read = await readBody(request, MAX_CALL_BYTES, clock, () => claim);
        const isSigned = read.ok && isSignedBy(createHmac("sha256", secret).update(read.value), signature);
        if (isSigned) return { kind: "signed", body: read.value, release: claim.release };
        claim.release();
        if (read.ok) return UNSIGNED;
        return read.refusal.code === "SERVICE_UNAVAILABLE" ? AGAIN : UNREADABLE_BODY;
      }
      const passed = await passBy(request, secret, clock, room);
      if (passed === null) return UNREADABLE_BODY;
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

const UNREADABLE_BODY: WebhookBody = { kind: "unreadable" };
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
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
