/** The page of the console, what it loads, and what stands in its place where there is no TLS. */

import type { UserLanguage } from "../../domain/accounts/role.ts";
import type { Exchange } from "../../ingress/http/exchange.ts";
import { htmlPage } from "../../ingress/http/pages.ts";
import type { FrontEnd, FrontEndFile } from "./front-end.ts";
import { languageOf } from "./language.ts";
import type { Visitor } from "./principal.ts";
import type { ConsoleRoutes } from "./sign-in-routes.ts";
import type { Ways } from "./way.ts";

/** Nothing of elsewhere, nothing inline, in no frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
  vary: "Accept-Language",
};
/** Data and assets that do not exist are no pages. */
const NO_PAGES = /^\/console\/(api|assets)(\/|$)/;
/** Over TLS a browser comes back over TLS alone, for a year (RFC 6797). */
const STRICT_TLS = { "strict-transport-security": "max-age=31536000" };

export function pageRoutes(
  routes: ConsoleRoutes,
  ui: () => Promise<FrontEnd>,
  ways: Ways,
  notFound: (exchange: Exchange<Visitor>) => Response,
): void {
  // Unpacked when it is first asked for: most appliances have no browser in front of them most of the time.
  let opened: Promise<FrontEnd> | null = null;
  const front = () => (opened ??= ui());
  routes.get("/assets/:name", async ({ exchange, params, request, server }) => {
    if (!ways.of(request, server).isServed) return notFound(exchange);
    const asset = (await front()).assets.get(params.name);
    if (!asset) return notFound(exchange);
    return assetAnswer(asset, request.headers);
  });
  for (const path of ["", "/*"]) {
    routes.get(path, async ({ exchange, request, server }) => {
      if (NO_PAGES.test(exchange.path)) return notFound(exchange);
      const language = languageOf(request.headers, null);
      const way = ways.of(request, server);
      if (!way.isServed) return page(needsTls(language), 403);
      return page((await front()).html(language), 200, way.isTls ? STRICT_TLS : {});
    });
  }
}

function page(html: string, status: number, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(html, { status, headers: { ...PAGE_HEADERS, ...more } });
}

function assetAnswer({ type, content, gzip }: FrontEndFile, headers: Headers): Response {
  const takesGzip = /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
  const [body, encoding] = takesGzip ? [gzip, { "content-encoding": "gzip" }] : [content, {}];
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      vary: "Accept-Encoding",
      ...encoding,
    },
  });
}

const NEEDS_TLS = {
  en: {
    title: "The console needs TLS",
    body: `<h1>The console needs TLS</h1>
<p>Passwords must not cross a network in the clear. One of these makes it safe:</p>
<ul>
<li>give the appliance a certificate: <code>tls_certificate</code> and <code>tls_key</code> in <code>[server]</code>;</li>
<li>put a proxy in front that speaks TLS and sets <code>X-Forwarded-Proto: https</code>, and name its address in <code>trusted_proxies</code> of <code>[server]</code>;</li>
<li>on the machine itself, or through <code>ssh -L 8080:127.0.0.1:8080</code>, open <code>http://127.0.0.1:8080/console</code>.</li>
</ul>`,
  },
  fr: {
    title: "La console exige TLS",
    body: `<h1>La console exige TLS</h1>
<p>Un mot de passe ne doit pas traverser un réseau en clair. Au choix :</p>
<ul>
<li>donner un certificat à l’appareil : <code>tls_certificate</code> et <code>tls_key</code> dans <code>[server]</code> ;</li>
<li>placer devant lui un proxy qui parle TLS et envoie <code>X-Forwarded-Proto: https</code>, et inscrire son adresse dans <code>trusted_proxies</code> de <code>[server]</code> ;</li>
<li>sur la machine même, ou par <code>ssh -L 8080:127.0.0.1:8080</code>, ouvrir <code>http://127.0.0.1:8080/console</code>.</li>
</ul>`,
  },
};

function needsTls(language: UserLanguage): string {
  const { title, body } = NEEDS_TLS[language];
  const html = htmlPage({ title, head: "", body });
  return html.replace('<html lang="en">', `<html lang="${language}">`);
}
