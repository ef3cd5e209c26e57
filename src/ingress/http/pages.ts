/** Pages and files for browsers. Everything a page loads comes from here, so it works without the internet. */

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** A page of HTML: what its head has beside its title, and its body. */
export function htmlPage({ title, head, body }: Readonly<Record<"title" | "head" | "body", string>>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

export function pageAnswer(html: string, status = 200): Response {
  return new Response(html, { status, headers: PAGE_HEADERS });
}

/** Whether the client is a browser that shows pages, and not a program that reads JSON. */
export function prefersHtml(headers: Headers): boolean {
  return /\btext\/html\b/.test(headers.get("accept") ?? "");
}

/** Whether the client accepts JSON and no page. */
export function prefersJson(headers: Headers): boolean {
  return /\bjson\b/.test(headers.get("accept") ?? "") && !prefersHtml(headers);
}

/** Whether the client would rather read Markdown than a page: `text/markdown` is accepted, with a weight not below that of `text/html` (RFC 9110 section 12.5.1). */
export function prefersMarkdown(headers: Headers): boolean {
  const weights = new Map(
    (headers.get("accept") ?? "").split(",").map((range) => {
      const [type = "", ...parameters] = range.split(";").map((word) => word.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [type, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}

/** Redirects to an address of this appliance. `vary`: the headers that decided where. */
export function redirectTo(location: string, status: 301 | 302, vary?: string): Response {
  return new Response(null, { status, headers: { location, ...(vary === undefined ? {} : { vary }) } });
}

/** A script, a style or the like, which a browser may keep for a day. */
export function assetAnswer(content: string | Blob, type: string): Response {
  return new Response(content, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=86400",
      "x-content-type-options": "nosniff",
    },
  });
}
