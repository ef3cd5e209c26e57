/** The mark as browsers show it beside a page's title, and the looks of pages that stand alone. */
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { findLogo } from "../../config/logo.ts";
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

/** The seller as clients see it at the head of pages. */
export type SellerBrand = { readonly name: string; readonly colour: string; readonly hasLogo: boolean };

/** Null where the configuration names nobody: then pages have our own name. */
export function readBrand({ seller }: Pick<Config, "seller">): SellerBrand | null {
  const { name, colour, logo } = seller;
  return name === "" ? null : { name, colour, hasLogo: logo !== "" };
}

/** The address of the seller's logo. */
export const LOGO_PATH = "/seller-logo";

/** An SVG may hold scripts: opened by itself it is a page, which may load and run nothing. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

async function logoAnswer({ seller }: Pick<Config, "seller">): Promise<Response> {
  const logo = await findLogo(seller.logo);
  if (logo === null) return new Response(null, { status: 404 });
  const answer = assetAnswer(new Blob([logo.bytes]), logo.type);
  answer.headers.set("cache-control", "no-cache");
  answer.headers.set("content-security-policy", LOGO_POLICY);
  return answer;
}

/** Serves what the pages at an address name; `favicon.txt` is an ICO of 32 pixels in base 64, which older browsers ask for by themselves. */
export function brandRoutes(
  routes: ReturnType<typeof createRoutes<KnownCaller>>,
  settings: Settings<Pick<Config, "seller">>,
): void {
  const hidden = { detail: { hide: true } };
  routes
    .get("/favicon.svg", () => assetAnswer(mark, "image/svg+xml"), hidden)
    .get("/favicon.ico", () => assetAnswer(new Blob([Buffer.from(icon, "base64")]), "image/x-icon"), hidden)
    .get(LOGO_PATH, () => logoAnswer(settings.now()), hidden)
    .get(STYLE_PATH, () => assetAnswer(style, "text/css"), hidden);
}
