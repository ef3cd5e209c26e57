import style from "./guide.css" with { type: "text" };
import script from "./script.txt" with { type: "text" };
import tryScript from "./try.txt" with { type: "text" };

type Asset = { readonly path: string; readonly content: string; readonly type: string };

/** What pages load beside their pictures. */
export const ASSETS = {
  style: { path: "/docs/guide.css", content: style, type: "text/css" },
  script: { path: "/docs/guide.js", content: script, type: "text/javascript" },
  tryScript: { path: "/docs/try.js", content: tryScript, type: "text/javascript" },
} as const satisfies Readonly<Record<string, Asset>>;

/** Where a page finds one: browsers keep it for a day, but never that of another version of the appliance. */
export const toAssetUrl = ({ path, content }: Asset): string => `${path}?v=${Bun.hash(content).toString(36)}`;
