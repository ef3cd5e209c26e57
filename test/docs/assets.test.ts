import { expect, test } from "vitest";
import { ASSETS, toAssetUrl } from "../../src/docs/site/layout.ts";
import { documentationSite } from "../../src/docs/site/site.ts";

const DOCUMENT = JSON.stringify({
  servers: [{ url: "/public/v1" }],
  tags: [],
  paths: {},
  components: { schemas: {} },
});

test("another content has another address, so that no page meets the style of an earlier version", async () => {
  const { style } = ASSETS;
  expect(toAssetUrl(style)).toMatch(/^\/docs\/guide\.css\?v=\w+$/);
  expect(toAssetUrl({ ...style, content: `${style.content} ` })).not.toBe(toAssetUrl(style));
  const site = documentationSite(
    async () => DOCUMENT,
    () => [],
    () => 0,
  );
  const page = await site.page("en", "/try", "http://127.0.0.1:8080");
  for (const asset of Object.values(ASSETS)) expect(page).toContain(`"${toAssetUrl(asset)}"`);
});

test("who sells stands at the head of every page, with logo and colour where there are such", async () => {
  const brand = { name: "Faso <SMS>", colour: "#0a7d4f", hasLogo: true };
  const siteOf = (seller: typeof brand | null) =>
    documentationSite(
      async () => DOCUMENT,
      () => [],
      () => 0,
      () => seller,
    );
  const pages = [
    await siteOf(brand).page("fr", "/try", "http://x"),
    await siteOf(brand).results("fr", "otp"),
  ];
  for (const page of pages) {
    expect(page).toContain('<header style="border-top: 4px solid #0a7d4f">');
    expect(page).toContain('<img src="/seller-logo" alt=""> Faso &lt;SMS&gt; <span>');
    expect(page).toMatch(/<title>[^<]* · Faso &lt;SMS&gt;<\/title>/);
  }
  expect(await siteOf({ ...brand, colour: "", hasLogo: false }).page("en", "/try", "http://x")).toContain(
    "<header>",
  );
  expect(await siteOf(null).page("en", "/try", "http://x")).toContain("</svg> Bendre <span>");
});
