import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { IS_NIGHT } from "./night.ts";
import { READABLE } from "./readable.ts";

const AXE = readFileSync(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"), "utf8");
/** Half of the time is axe-core's own look at contrast: the check has that of every text by READABLE, and both at night. */
const RULES = JSON.stringify({ "color-contrast": { enabled: IS_NIGHT } });
/** What axe-core finds on a page, by rule and first place. */
const FINDINGS = `axe.run(document, { resultTypes: ["violations"], rules: ${RULES} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 120)))`;

/** Contexts whose documents have axe-core as they are made: to hand it to a page that is there takes three times as long. */
const withAxe = new WeakSet<BrowserContext>();

/** What keeps somebody from using a page as it stands: by axe-core, and by our own eyes for it. */
export async function barriers(page: Page): Promise<string[]> {
  const context = page.context();
  if (!withAxe.has(context)) {
    withAxe.add(context);
    await context.addInitScript(AXE);
  }
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const findings = (await page.evaluate(FINDINGS)) as string[];
  return [...findings, ...((await page.evaluate(READABLE)) as string[])];
}
