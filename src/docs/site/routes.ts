import { assetAnswer, pageAnswer, prefersJson, redirectTo } from "../../ingress/http/pages.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import type { KnownCaller } from "../../ingress/http/request-context.ts";
import type { createRoutes, RouteContext, Server } from "../../ingress/http/router.ts";
import lifecycleEn from "../guide/lifecycle.en.svg" with { type: "text" };
import lifecycleFr from "../guide/lifecycle.fr.svg" with { type: "text" };
import { type GuideLanguage, LANGUAGES, preferredLanguage } from "./language.ts";
import { ASSETS } from "./layout.ts";
import { documentationSite, type ServedNumbers, type Site } from "./site.ts";

/**
 * Serves the documentation: pages in the language of their address, or else of the reader's browser, a search, and a page where
 * operations can be tried, with all their assets. `served`: the numbers that the operators here own; `nowMs`: the time.
 */
export function docsRoutes(
  routes: ReturnType<typeof createRoutes<KnownCaller>>,
  openApi: (language: GuideLanguage) => Promise<string>,
  originOf: (request: Request, server: Server | null) => string,
  served: () => readonly ServedNumbers[],
  nowMs: () => number,
): void {
  const hidden = { detail: { hide: true } };
  const site = documentationSite(openApi, served, nowMs);
  for (const language of LANGUAGES) {
    for (const path of site.paths) {
      routes.get(
        `/docs/${language}${path}`,
        async ({ request, server }) => pageAnswer(await site.page(language, path, originOf(request, server))),
        hidden,
      );
    }
    const queryOf = ({ url }: Request) => new URL(url).searchParams.get("q") ?? "";
    routes.get(
      `/docs/${language}/search`,
      async ({ request }) => pageAnswer(await site.results(language, queryOf(request))),
      hidden,
    );
  }
  // Addresses without a language, as errors name them and as people share them.
  for (const path of site.paths) {
    routes.get(
      `/docs${path}`,
      async ({ request, server }) => {
        const language = preferredLanguage(request.headers.get("accept-language"));
        const answer = pageAnswer(await site.page(language, path, originOf(request, server)));
        answer.headers.set("vary", "Accept-Language");
        return answer;
      },
      hidden,
    );
  }
  for (const { path, content, type } of Object.values(ASSETS)) {
    routes.get(path, () => assetAnswer(content, type), hidden);
  }
  routes
    .get("/docs/", () => redirectTo("/docs", 302), hidden)
    .get("/docs/lifecycle.en.svg", () => assetAnswer(lifecycleEn, "image/svg+xml"), hidden)
    .get("/docs/lifecycle.fr.svg", () => assetAnswer(lifecycleFr, "image/svg+xml"), hidden)
    .all("/docs/*", (context) => elsewhere(site, context), { ...hidden, parse: "none" });
}

type Asked = RouteContext<KnownCaller> & { readonly request: Request };

/** Answers below `/docs` where no page is: redirects when a slash is too many, else says so in a page, or in JSON if that is asked. */
async function elsewhere(site: Site, { exchange, request }: Asked): Promise<Response> {
  const { method, path } = exchange;
  if (method !== "GET" && method !== "HEAD") return problem(exchange, NOT_FOUND);
  const meant = path.replace(/(?<!\/)\/+$/, "");
  const known = new RegExp(`^/docs(?:/(?:${LANGUAGES.join("|")}))?(/.*)?$`).exec(meant)?.[1] ?? "";
  if (meant !== path && [...site.paths, "/search"].includes(known)) {
    return redirectTo(meant + new URL(request.url).search, 301);
  }
  if (prefersJson(request.headers)) return problem(exchange, NOT_FOUND, { vary: "Accept" });
  exchange.failure = NOT_FOUND.code;
  const named = LANGUAGES.find((language) => path.startsWith(`/docs/${language}/`));
  const language = named ?? preferredLanguage(request.headers.get("accept-language"));
  const answer = pageAnswer(await site.missing(language, path), 404);
  answer.headers.set("vary", "Accept, Accept-Language");
  return answer;
}
