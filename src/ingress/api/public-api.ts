/**
 * The public API: routes, request shapes, idempotency keys, the OpenAPI document and the pages that explain it.
 *
 * Begin here: this file hands its routes to the door. A submission goes from `routes/batches` through `submission` (body, key) to
 * `intake`, which answers with values; this room makes JSON of them. It changes no message itself and knows no operator.
 */
import type { AnyElysia } from "elysia";
import { refusalOf } from "../../core/failures.ts";
import { docsRoutes } from "../../docs/site/routes.ts";
import { authenticate, type Principal } from "../../domain/accounts/keys.ts";
import type { Locale } from "../../i18n/phrase.ts";
import type { KnownCaller } from "../http/exchange.ts";
import { jsonAnswer, NOT_FOUND, problem } from "../http/problem.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import { type RouteContext, routesAt } from "../http/routes.ts";
import { keyInAddress, presentedKey } from "./credentials.ts";
import type { ApiDeps } from "./deps.ts";
import { feedReader } from "./feed-reader.ts";
import { openApiText } from "./openapi/document.ts";
import { API_BASE } from "./operation.ts";
import { originFor } from "./origin.ts";
import { accountRoutes } from "./routes/account.ts";
import { batchRoutes } from "./routes/batches.ts";
import { entryRoute } from "./routes/entry.ts";
import { healthRoutes } from "./routes/health.ts";
import { messageRoutes } from "./routes/messages.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { submissionReader } from "./submission-reader.ts";

export type PublicApi = {
  /** What the door is handed: the routes that ask for a key, and those that anybody may see. */
  readonly sets: readonly AnyElysia[];
  /** Ends the threads that read large submissions and make large pages, once nobody is answered any more. */
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
  const keyed = routesAt<Principal>(API_BASE, exchanges, {
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

  const open = routesAt<KnownCaller>("", exchanges, null);
  healthRoutes(open, deps);
  const publicUrl = () => settings.now().server.public_url;
  const documentIn = (locale: Locale) => madeFor(publicUrl, (url) => openApiText([keyed, open], url, locale));
  const documents = { en: documentIn("en"), fr: documentIn("fr") };
  open.get("/openapi.json", async () => jsonAnswer(200, await documents.en()), { detail: { hide: true } });
  const served = () =>
    Object.entries(settings.now().operators).map(([operator, { prefixes }]) => ({ operator, prefixes }));
  const originOf = originFor(settings);
  entryRoute(open, originOf);
  docsRoutes(open, (language) => documents[language](), originOf, served, clock.nowMs);
  open.all("/public/*", otherVersion, { detail: { hide: true }, parse: "none" });
  return {
    sets: [keyed, open],
    stop: () => {
      reader.stop();
      feed.stop();
    },
  };
}

/** Made when it is first asked for, and again for another part of the configuration. */
function madeFor<Part>(part: () => Part, make: (part: Part) => Promise<string>): () => Promise<string> {
  let kept: { readonly of: Part; readonly text: Promise<string> } | null = null;
  return () => {
    const of = part();
    if (kept?.of !== of) kept = { of, text: make(of) };
    return kept.text;
  };
}

const VERSIONED = /^\/public\/v\d+(?=\/|$)/;

/** Below `/public`, and not below the base of the API (docs/public-api.md section 9). */
function otherVersion({ exchange }: RouteContext<KnownCaller>): Response {
  if (!VERSIONED.test(exchange.path)) return problem(exchange, NOT_FOUND);
  return problem(exchange, refusalOf("UNSUPPORTED_VERSION", { base: API_BASE }));
}
