/** The mark as browsers show it beside a page's title, and the looks of pages that stand alone. */
import icon from "./favicon.txt" with { type: "text" };
import mark from "./mark.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import { assetAnswer } from "./pages.ts";
import type { KnownCaller } from "./request-context.ts";
import type { createRoutes } from "./router.ts";

/** What stands in the head of every page of ours, whoever serves it. */
export const ICON_LINK = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';

/** The address of the looks of pages that stand alone. */
const STYLE_PATH = "/page.css";
export const STYLE_LINK = `<link rel="stylesheet" href="${STYLE_PATH}">`;

/** Serves what the pages at an address name; `favicon.txt` is an ICO of 32 pixels in base 64, which older browsers ask for by themselves. */
export function brandRoutes(routes: ReturnType<typeof createRoutes<KnownCaller>>): void {
  const hidden = { detail: { hide: true } };
  routes
    .get("/favicon.svg", () => assetAnswer(mark, "image/svg+xml"), hidden)
    .get("/favicon.ico", () => assetAnswer(new Blob([Buffer.from(icon, "base64")]), "image/x-icon"), hidden)
    .get(STYLE_PATH, () => assetAnswer(style, "text/css"), hidden);
}
