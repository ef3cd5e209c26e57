import type { Server } from "../../http/door.ts";
import type { KnownCaller } from "../../http/exchange.ts";
import { assetAnswer, pageAnswer } from "../../http/pages.ts";
import { NOT_FOUND, problem } from "../../http/problem.ts";
import type { routesAt } from "../../http/routes.ts";
import lifecycleEn from "../guide/lifecycle.en.svg" with { type: "text" };
import lifecycleFr from "../guide/lifecycle.fr.svg" with { type: "text" };
import { ASSETS } from "./assets.ts";
import { LANGUAGES, preferredLanguage } from "./language.ts";
import type { ServedNumbers } from "./served-numbers.ts";
import { documentationSite } from "./site.ts";

/** Addresses without a language, as errors and earlier pages name them, and the page that they show. */
const SHORT = [
  ["/docs", ""],
  ["/docs/errors", "/errors"],
  ["/docs/webhooks", "/webhooks"],
  ["/docs/try", "/try"],
] as const;

const LANDING = (): Response =>
  new Response(null, { status: 302, headers: { location: "/docs", vary: "Accept" } });

function wantsPages({ headers }: Request): boolean {
  return /\btext\/html\b/.test(headers.get("accept") ?? "");
}

/**
 * The documentation: pages in the language of their address, or else of the reader's browser, a search, and a page where
 * operations can be tried. All that they load comes from here. `served`: the numbers that the operators here own.
 */
export function docsRoutes(
  routes: ReturnType<typeof routesAt<KnownCaller>>,
  openApi: () => Promise<string>,
  originOf: (request: Request, server: Server | null) => string,
  served: () => readonly ServedNumbers[],
): void {
  const hidden = { detail: { hide: true } };
  const site = documentationSite(openApi, served);
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
  for (const [address, path] of SHORT) {
    routes.get(
      address,
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
    // Who types the address into a browser wants to read; a program that asks for the wrong path is told so.
    .get(
      "/",
      ({ exchange, request }) => (wantsPages(request) ? LANDING() : problem(exchange, NOT_FOUND)),
      hidden,
    )
    .get("/docs/", () => LANDING(), hidden)
    .get("/docs/lifecycle.en.svg", () => assetAnswer(lifecycleEn, "image/svg+xml"), hidden)
    .get("/docs/lifecycle.fr.svg", () => assetAnswer(lifecycleFr, "image/svg+xml"), hidden);
}
