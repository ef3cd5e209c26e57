/**
 * The routes of `/whatsapp/webhook`, which Meta calls (docs/behaviour.md#webhook-of-whatsapp). The signature is checked over the bytes as
 * they came, before anything of them is read; what they say is durable before the answer.
 */

import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { FailureCode } from "../../ingress/http/error-codes.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import type { KnownCaller, RequestContext } from "../../ingress/http/request-context.ts";
import { createRoutes } from "../../ingress/http/router.ts";
import { type CloudChange, type CloudStatus, parseChanges, parseStatuses } from "./statuses.ts";
import { createWebhookBodyReader, isSame, type WebhookBodyReader } from "./webhook-body.ts";

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
