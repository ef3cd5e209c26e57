import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { KnownCaller } from "../../http/exchange.ts";
import { assetAnswer, htmlPage, pageAnswer } from "../../http/pages.ts";
import { jsonAnswer } from "../../http/problem.ts";
import type { routesAt } from "../../http/routes.ts";
import { errorPage } from "../error-page.ts";
import { webhookPage } from "../webhook-page.ts";

const PAGE = htmlPage({
  title: "Bendre API",
  head: '<link rel="stylesheet" href="/docs/swagger-ui.css">',
  body: `<div id="reference"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>`,
});

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });
`;

/**
 * The API's documentation: the OpenAPI document, a page to read and try it, what every error code means, and how to
 * receive webhooks.
 */
export function docsRoutes(
  routes: ReturnType<typeof routesAt<KnownCaller>>,
  openApi: () => Promise<string>,
): void {
  const hidden = { detail: { hide: true } };
  const errors = errorPage();
  const webhooks = webhookPage();
  routes
    .get("/openapi.json", async () => jsonAnswer(200, await openApi()), hidden)
    .get("/docs", () => pageAnswer(PAGE), hidden)
    .get("/docs/errors", () => pageAnswer(errors), hidden)
    .get("/docs/webhooks", () => pageAnswer(webhooks), hidden)
    .get("/docs/start.js", () => assetAnswer(START, "text/javascript"), hidden)
    .get("/docs/swagger-ui.js", () => assetAnswer(Bun.file(script), "text/javascript"), hidden)
    .get("/docs/swagger-ui.css", () => assetAnswer(Bun.file(style), "text/css"), hidden);
}
