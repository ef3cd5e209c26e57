/**
 * The front end as it is served: one page, and the files that it loads under names that say their content.
 *
 * Begin here for how it gets into the executable; what runs in the browser begins with `ui/main.tsx`.
 */
import { gzipSync } from "node:zlib";
import { unpackOr } from "../../i18n/carried-texts.ts";
import { ICON_LINK, LOGO_PATH, type SellerBrand } from "../../ingress/http/brand.ts";
import type { BuiltFile } from "./ui-bundle.ts";

/** The page and its files. */
export type FrontEnd = {
  /** The HTML, which is the same at every address below `/console`. */
  readonly html: (language: "en" | "fr", seller: SellerBrand | null) => string;
  /** The files it loads, by `NAME-HASH`. */
  readonly assets: ReadonlyMap<string, FrontEndFile>;
};

export type FrontEndFile = {
  readonly type: string;
  readonly content: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
};

const TITLES = {
  en: "The console needs JavaScript.",
  fr: "La console a besoin de JavaScript.",
};

/** The front end that the executable carries; bundled anew where the appliance runs from its source. @throws AggregateError when it does not compile. */
export async function frontEnd(): Promise<FrontEnd> {
  const bundle = async (): Promise<BuiltFile[]> => (await import("./ui-bundle.ts")).bundleFrontEnd();
  return served(await unpackOr<BuiltFile[] | Promise<BuiltFile[]>>(process.env.BENDRE_FRONT_END, bundle));
}

function served(files: readonly BuiltFile[]): FrontEnd {
  const loads = files.filter(({ isEntry }) => isEntry).map(({ name }) => tagOf(name));
  const assets = files.map(({ name, text }): [string, FrontEndFile] => [
    name,
    {
      type: name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
      content: text,
      gzip: new Uint8Array(gzipSync(text, { level: 9 })),
    },
  ]);
  return {
    assets: new Map(assets),
    html: (language, seller) => `<!doctype html>
<html lang="${language}" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Bun.escapeHTML(seller?.name ?? "Bendre")}</title>
${ICON_LINK}
${loads.join("\n")}
</head>
<body>
<div id="console"${sellerData(seller)}></div>
<noscript>${TITLES[language]}</noscript>
</body>
</html>
`,
  };
}

function tagOf(name: string): string {
  const path = `/console/assets/${name}`;
  return name.endsWith(".css")
    ? `<link rel="stylesheet" href="${path}">`
    : `<script type="module" src="${path}"></script>`;
}

/** Who sells, as the pages read it before anybody is signed in. */
function sellerData(seller: SellerBrand | null): string {
  if (seller === null) return "";
  const logo = seller.hasLogo ? ` data-logo="${LOGO_PATH}"` : "";
  return ` data-seller="${Bun.escapeHTML(seller.name)}" data-colour="${seller.colour}"${logo}`;
}
