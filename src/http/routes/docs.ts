import { Elysia } from "elysia";
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { errorPage } from "../error-page.ts";
import { jsonAnswer } from "../problem.ts";
import { webhookPage } from "../webhook-page.ts";

/** Everything the pages load comes from here, so they work without the internet. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

const assetHeaders = (type: string) => ({
  "content-type": type,
  "cache-control": "public, max-age=86400",
  "x-content-type-options": "nosniff",
});

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bendre API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });
`;

/**
 * The API's documentation: the OpenAPI document, a page to read and try it, what every error code means, and how to
 * receive webhooks.
 */
export function docsRoutes(openApi: () => Promise<string>) {
  const hidden = { detail: { hide: true } };
  const errors = errorPage();
  const webhooks = webhookPage();
  return new Elysia()
    .get("/openapi.json", async () => jsonAnswer(200, await openApi()), hidden)
    .get("/docs", () => new Response(PAGE, { headers: PAGE_HEADERS }), hidden)
    .get("/docs/errors", () => new Response(errors, { headers: PAGE_HEADERS }), hidden)
    .get("/docs/webhooks", () => new Response(webhooks, { headers: PAGE_HEADERS }), hidden)
    .get("/docs/start.js", () => new Response(START, { headers: assetHeaders("text/javascript") }), hidden)
    .get(
      "/docs/swagger-ui.js",
      () => new Response(Bun.file(script), { headers: assetHeaders("text/javascript") }),
      hidden,
    )
    .get(
      "/docs/swagger-ui.css",
      () => new Response(Bun.file(style), { headers: assetHeaders("text/css") }),
      hidden,
    );
}
