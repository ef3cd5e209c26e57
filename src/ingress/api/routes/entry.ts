/** The entry of the API at `/`: leads browsers to the pages, and programs to the document. */
import { prefersHtml, redirectTo } from "../../http/pages.ts";
import { jsonAnswer } from "../../http/problem.ts";
import type { KnownCaller } from "../../http/request-context.ts";
import type { createRoutes, Server } from "../../http/router.ts";
import { API_BASE } from "../operation.ts";

/**
 * Answers at the address of the appliance itself. A browser is led to the documentation. A program, or a developer with
 * curl, gets the addresses as JSON, which says more than a redirect, which curl does not follow.
 */
export function entryRoute(
  routes: ReturnType<typeof createRoutes<KnownCaller>>,
  originOf: (request: Request, server: Server | null) => string,
): void {
  routes.get(
    "/",
    ({ request, server }) => {
      if (prefersHtml(request.headers)) return redirectTo("/docs", 302, "Accept");
      const origin = originOf(request, server);
      const data = {
        service: "Bendre",
        api: origin + API_BASE,
        documentation: `${origin}/docs`,
        openapi: `${origin}/openapi.json`,
        health: `${origin}/health`,
      };
      return jsonAnswer(200, `${JSON.stringify({ data }, null, 2)}\n`, { vary: "Accept" });
    },
    { detail: { hide: true } },
  );
}
