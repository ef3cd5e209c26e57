/**
 * The public API: routes, request shapes, idempotency keys, the OpenAPI document and the pages that explain it.
 *
 * This file collects the sets of routes for the HTTP router. A submission goes from `routes/batches` through `submission` (body,
 * key) to `domain/submission`, which answers with values; this room makes JSON of them. It changes no message itself and knows no
 * operator.
 */
import type { AnyElysia } from "elysia";
import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import { networkMatcher } from "../../core/ip-networks.ts";
import { type Refusal, toRefusal } from "../../core/refusals.ts";
import { type ServedNumbers, useServedNumbers } from "../../docs/site/own-examples.ts";
import { docsRoutes } from "../../docs/site/routes.ts";
import { authenticate, type Principal, parseApiKey } from "../../domain/accounts/api-keys.ts";
import type { Locale } from "../../i18n/phrase.ts";
import { brandRoutes, readBrand } from "../http/brand.ts";
import { readPeer } from "../http/peer.ts";
import { jsonAnswer, NOT_FOUND, problem } from "../http/problem.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import type { KnownCaller } from "../http/request-context.ts";
import { answerHead, createRoutes, type RouteContext, type Server } from "../http/router.ts";
import type { ApiDeps } from "./deps.ts";
import { feedReader } from "./feed-reader.ts";
import { openApiText } from "./openapi/document.ts";
import { API_BASE } from "./operation.ts";
import { accountRoutes } from "./routes/account.ts";
import { batchRoutes } from "./routes/batches.ts";
import { entryRoute } from "./routes/entry.ts";
import { healthRoutes } from "./routes/health.ts";
import { messageRoutes } from "./routes/messages.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { submissionReader } from "./submission-reader.ts";

export type PublicApi = {
  /** Sets of routes for the router: those that require a key, and those that anybody may see. */
  readonly sets: readonly AnyElysia[];
  /** Ends the threads that read large submissions and make large pages, once the last answer is given. */
  readonly stop: () => void;
};

/** The API for clients, its documentation, and the health of the appliance. */
export function publicApi(deps: ApiDeps): PublicApi {
  const { clock, settings, store } = deps;
  const exchanges = { ...deps, tally: store.tally };
  const reader = submissionReader(() => deps.startThread("ingress/api/submission-thread.ts"), clock);
  const feed = feedReader(() => deps.startThread("ingress/api/page-thread.ts"), clock, store);
  const limiter = rateLimiter(() => {
    const { requests_per_second: perSecond, burst } = settings.now().api;
    return { perSecond, burst };
  });
  const keyed = createRoutes<Principal>(API_BASE, exchanges, {
    authenticate: (headers) => {
      const principal = authenticate(store.read, presentedKey(headers) ?? "", clock.nowMs());
      if (principal) deps.keyUses.note(principal.apiKeyId, clock.nowMs());
      return principal;
    },
    addressFault: keyInAddress,
    take: ({ apiKeyId }) => limiter.take(apiKeyId, clock.steadyMs()),
  });
  batchRoutes(keyed, deps, reader);
  messageRoutes(keyed, deps, feed);
  accountRoutes(keyed, deps);
  webhookRoutes(keyed, deps);

  const open = createRoutes<KnownCaller>("", exchanges, null);
  healthRoutes(open, deps);
  const servedBy = ({ operators }: Pick<Config, "operators">): readonly ServedNumbers[] =>
    Object.entries(operators).map(([operator, { prefixes }]) => ({ operator, prefixes }));
  const served = () => servedBy(settings.now());
  const documentIn = (locale: Locale) =>
    madeFor(
      () => settings.now(),
      async (config) =>
        useServedNumbers(
          await openApiText([keyed, open], config.server.public_url, locale),
          servedBy(config),
        ),
    );
  const documents = { en: documentIn("en"), fr: documentIn("fr") };
  open.get("/openapi.json", async () => jsonAnswer(200, await documents.en()), { detail: { hide: true } });
  const originOf = originFor(settings);
  entryRoute(open, originOf);
  brandRoutes(open, settings);
  docsRoutes(
    open,
    (language) => documents[language](),
    originOf,
    served,
    clock.nowMs,
    () => readBrand(settings.now()),
  );
  answerHead(open);
  open.all("/public/*", otherVersion, { detail: { hide: true }, parse: "none" });
  return {
    sets: [keyed, open],
    stop: () => {
      reader.stop();
      feed.stop();
    },
  };
}

/** Makes a text when it is first asked for, and again when its part of the configuration changes. */
function madeFor<Part>(part: () => Part, make: (part: Part) => Promise<string>): () => Promise<string> {
  let kept: { readonly of: Part; readonly text: Promise<string> } | null = null;
  return () => {
    const of = part();
    if (kept?.of !== of) kept = { of, text: make(of) };
    return kept.text;
  };
}

const VERSIONED = /^\/public\/v\d+(?=\/|$)/;

/** Answers requests below `/public` that are not below the base of the API (docs/public-api.md section 9). */
function otherVersion({ exchange }: RouteContext<KnownCaller>): Response {
  if (!VERSIONED.test(exchange.path)) return problem(exchange, NOT_FOUND);
  return problem(exchange, toRefusal("UNSUPPORTED_VERSION", { base: API_BASE }));
}

/**
 * The origin at which the client reaches the appliance, such as `https://sms.example.bf`: `[server] public_url`, else the address of the
 * request, with the scheme that a trusted proxy tells.
 */
function originFor(
  settings: Settings<Pick<Config, "server">>,
): (request: Request, server: Server | null) => string {
  const trusted = deriveCached(() => settings.now().server.trusted_proxies, networkMatcher);
  return (request, server) => {
    const { public_url } = settings.now().server;
    if (public_url !== "") return public_url;
    const { host, origin } = new URL(request.url);
    const { proto } = readPeer(server?.requestIP(request)?.address ?? null, request.headers, trusted());
    return proto === null ? origin : `${proto}://${host}`;
  };
}

/** The scheme is a token (RFC 9110 section 5.6.2), which ends where its characters do. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-]) *(.*)$/is;

/**
 * The API key a request presents as `Authorization: Bearer` or `X-API-Key` (docs/public-api.md section 5), or null: none,
 * or two that differ. A Bearer of any form is presented, so one that is
 * no key beside a key is a difference; an `Authorization` of another scheme belongs to a gateway in between and is
 * passed over.
 */
function presentedKey(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  const scheme = authorization === null ? null : BEARER.exec(authorization);
  const bearer = scheme === null ? null : (scheme[1] ?? "");
  const own = headers.get("x-api-key");
  if (bearer !== null && own !== null) return bearer === own ? bearer : null;
  return bearer ?? own;
}

/** The refusal where a query string holds a well-formed key, alone or beside a header; null where it holds none. */
function keyInAddress(url: string): Refusal<"UNAUTHORIZED"> | null {
  const from = url.indexOf("?");
  if (from < 0) return null;
  for (const pair of new URLSearchParams(url.slice(from))) {
    if (pair.some((text) => parseApiKey(text.trim()) !== null)) return toRefusal("UNAUTHORIZED.address");
  }
  return null;
}
