import type { SellerBrand } from "../../ingress/http/brand.ts";
import {
  assetAnswer,
  pageAnswer,
  prefersJson,
  prefersMarkdown,
  redirectTo,
} from "../../ingress/http/pages.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import type { KnownCaller } from "../../ingress/http/request-context.ts";
import type { createRoutes, RouteContext, Server } from "../../ingress/http/router.ts";
import lifecycleEn from "../guide/lifecycle.en.svg" with { type: "text" };
import lifecycleFr from "../guide/lifecycle.fr.svg" with { type: "text" };
import { type GuideLanguage, LANGUAGES, preferredLanguage } from "./language.ts";
import { ASSETS } from "./layout.ts";
import type { ServedNumbers } from "./own-examples.ts";
import { REFERENCE } from "./reference.ts";
import { documentationSite, type Site } from "./site.ts";

/**
 * Serves the documentation: pages in the language of their address, or else of the reader's browser, a search, and a page where
 * operations can be tried, with all their assets. A program that asks for Markdown gets it, as does whoever writes `.md` behind an
 * address; `/llms.txt` lists those addresses. `served`: the numbers that the operators here own; `nowMs`: the time; `seller`: who stands at the head of the pages.
 */
export function docsRoutes(
  routes: ReturnType<typeof createRoutes<KnownCaller>>,
  openApi: (language: GuideLanguage) => Promise<string>,
  originOf: (request: Request, server: Server | null) => string,
  served: () => readonly ServedNumbers[],
  nowMs: () => number,
  seller: () => SellerBrand | null,
): void {
  const hidden = { detail: { hide: true } };
  const site = documentationSite(openApi, served, nowMs, seller);
  /** Null where no page is. `vary`: what chose the language. */
  const answer = async (
    { request, server }: Asked,
    language: GuideLanguage,
    path: string,
    vary: string,
  ): Promise<Response | null> => {
    const origin = originOf(request, server);
    const markdown = prefersMarkdown(request.headers) ? await site.markdown(language, path, origin) : null;
    if (markdown !== null) return markdownAnswer(markdown, vary);
    const html = await site.page(language, path, origin);
    return html === null ? null : withVary(pageAnswer(html), vary);
  };
  const markdownOf = async (context: Asked, language: GuideLanguage, path: string): Promise<Response> => {
    const { request, server } = context;
    const markdown = await site.markdown(language, path, originOf(request, server));
    return markdown === null ? elsewhere(site, context) : markdownAnswer(markdown, null);
  };
  for (const language of LANGUAGES) {
    for (const path of site.paths) {
      routes
        .get(
          `/docs/${language}${path}`,
          async (context) => (await answer(context, language, path, "Accept")) ?? elsewhere(site, context),
          hidden,
        )
        .get(
          `/docs/${language}${path === "" ? "/index" : path}.md`,
          (context) => markdownOf(context, language, path),
          hidden,
        );
    }
    // A page of an operation; which there are the OpenAPI document says.
    routes.get(
      `/docs/${language}/${REFERENCE}/:page`,
      async (context) => {
        const path = `/${REFERENCE}/${context.params.page}`;
        if (path.endsWith(".md")) return markdownOf(context, language, path.slice(0, -".md".length));
        return (await answer(context, language, path, "Accept")) ?? elsewhere(site, context);
      },
      hidden,
    );
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
      async (context) => {
        const language = preferredLanguage(context.request.headers.get("accept-language"));
        return (await answer(context, language, path, "Accept, Accept-Language")) ?? elsewhere(site, context);
      },
      hidden,
    );
  }
  for (const { path, content, type } of Object.values(ASSETS)) {
    routes.get(path, () => assetAnswer(content, type), hidden);
  }
  routes
    .get(
      "/llms.txt",
      async ({ request, server }) => markdownAnswer(await site.summary(originOf(request, server)), null),
      hidden,
    )
    .get("/docs/", () => redirectTo("/docs", 302), hidden)
    .get("/docs/lifecycle.en.svg", () => assetAnswer(lifecycleEn, "image/svg+xml"), hidden)
    .get("/docs/lifecycle.fr.svg", () => assetAnswer(lifecycleFr, "image/svg+xml"), hidden)
    .all("/docs/*", (context) => elsewhere(site, context), { ...hidden, parse: "none" });
}

type Asked = RouteContext<KnownCaller> & { readonly request: Request; readonly server: Server | null };

function withVary(answer: Response, vary: string): Response {
  answer.headers.set("vary", vary);
  return answer;
}

function markdownAnswer(markdown: string, vary: string | null): Response {
  const answer = new Response(markdown, { headers: { "content-type": "text/markdown; charset=utf-8" } });
  return vary === null ? answer : withVary(answer, vary);
}

/** Answers below `/docs` where no page is: redirects when a slash is too many, else says so in a page, or in JSON if that is asked. */
async function elsewhere(site: Site, { exchange, request }: Omit<Asked, "server">): Promise<Response> {
  const { method, path } = exchange;
  if (method !== "GET" && method !== "HEAD") return problem(exchange, NOT_FOUND);
  const meant = path.replace(/(?<!\/)\/+$/, "");
  const known = new RegExp(`^/docs(?:/(?:${LANGUAGES.join("|")}))?(/.*)?$`).exec(meant)?.[1] ?? "";
  const isPage = [...site.paths, "/search"].includes(known) || known.startsWith(`/${REFERENCE}/`);
  if (meant !== path && isPage) {
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
