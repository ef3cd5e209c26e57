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
