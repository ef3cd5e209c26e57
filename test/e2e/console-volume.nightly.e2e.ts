/** The picture of the traffic in a real browser over the executable: it draws what was sent, and tells it to whoever cannot see it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { leave, signIn } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the picture of the traffic, for there is no browser\n");
} else {
  describe("the picture of the traffic", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-volume-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({ operators: { orange: BRISK, moov: "away" } });
      shop = await bendre.tenant("Faso Shop");
      const send = async (...numbers: readonly string[]): Promise<Json> => {
        const answer = await shop.api.post(`to ${numbers[0]}`, {
          sender: "ACME",
          body: "Bonjour",
          message_class: "TRANSACTIONAL",
          recipients: numbers.map((msisdn) => ({ msisdn })),
        });
        expect(answer.status).toBe(202);
        return answer.data;
      };
      await send("22605112233", "22605112234");
      // Nobody is there to take it, so that it can be cancelled.
      const waiting = await send("22670112233");
      await bendre.ask("batch cancel", { BATCH: String(waiting.batch_id), reason: "wrong list" });
      // The picture is kept for half a minute: it is asked for when all is over.
      await poll(
        async () => (await bendre.ask("report delivery", {})).totals as Json,
        ({ delivered, cancelled }) => delivered === 2 && cancelled === 1,
      );
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    const go = (page: Page, path: string) => page.goto(`${bendre.url()}/console${path}`);
    /** The cells of the table's newest row: when, accepted, and the outcomes. */
    const newest = (page: Page) =>
      page.locator("figure.chart").first().locator("tbody tr").first().locator("td").allTextContents();

    test("is read by keyboard alone, by hour and by day, on the first page and before the reports", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "awa@example.bf",
        role: "OWNER",
        language: "en",
        screen: { viewport: { width: 360, height: 740 } },
      });
      for (const path of ["", "/reports"]) {
        await go(page, path);
        const chart = page.locator("figure.chart").first();
        await chart.locator("canvas").waitFor();
        await chart.locator("summary").focus();
        await page.keyboard.press("Enter");
        await chart.locator("tbody tr").first().waitFor();
        expect(await chart.locator("tbody tr").count()).toBe(24);
        expect((await newest(page)).slice(1)).toEqual(["3", "2", "0", "0", "1", "0"]);
        expect(await barriers(page)).toEqual([]);
        await page.locator(".switch button").nth(1).focus();
        await page.keyboard.press("Space");
        await chart.locator("tbody tr").nth(29).waitFor({ state: "attached" });
        expect((await newest(page)).slice(1)).toEqual(["3", "2", "0", "0", "1", "0"]);
        const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(wide)).toBe(0);
      }
      await leave(page);
    });

    test("tells the values at the pointer, and those of all hours while nothing is pointed at", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "oumar@example.bf",
        role: "OPERATIONS",
        language: "fr",
      });
      const chart = page.locator("figure.chart").first();
      const plot = chart.locator(".u-over");
      await plot.waitFor();
      const told = () => chart.locator(".legend b").allTextContents();
      expect((await told())[0]).toBe("3");
      await plot.hover({ position: { x: 4, y: 60 } });
      await poll(told, (values) => values.every((value) => value === "0"));
      await page.locator("h1").hover();
      await poll(told, ([accepted]) => accepted === "3");
      await leave(page);
    });

    test("stands beside a lamp for each operator, in a word, which leads to its page", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "salif@example.bf",
        role: "OPERATIONS",
        language: "en",
      });
      const lamps = page.locator(".lamps li");
      await lamps.first().waitFor();
      expect(await lamps.locator(".badge").allTextContents()).toEqual(["Connected", "Down"]);
      await lamps.nth(1).locator("a").click();
      await page.waitForURL("**/console/operators/moov");
      await page.locator("h1").waitFor();
      await leave(page);
    });

    test("stands above what is left to set up, which each person dismisses for themselves", async () => {
      const visit = (login: string) => signIn(bendre, browser, { login, role: "OWNER", language: "en" });
      const { page } = await visit("issa@example.bf");
      const todo = page.locator(".todos li", { hasText: "public address" });
      await todo.locator("button", { hasText: "show again" }).click();
      await todo.waitFor({ state: "detached" });
      expect(await page.locator(".todos li").count()).toBeGreaterThan(0);
      await page.reload();
      await page.locator(".todos li").first().waitFor();
      expect(await todo.count()).toBe(0);
      const other = await visit("lea@example.bf");
      await other.page.locator(".todos li", { hasText: "public address" }).waitFor();
      await leave(other.page);
      await leave(page);
    });

    test("loads what draws it only where there is a picture", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "fatou@example.bf",
        role: "OPERATIONS",
        language: "en",
      });
      /** Whether the document that stands has loaded it. */
      const drawing = async () => {
        const loaded = "performance.getEntriesByType('resource').map(({ name }) => name)";
        return ((await page.evaluate(loaded)) as string[]).some((name) => name.includes("/assets/uplot"));
      };
      await go(page, "/queue");
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await drawing()).toBe(false);
      await go(page, "");
      await page.locator("figure.chart canvas").first().waitFor();
      expect(await drawing()).toBe(true);
      await leave(page);
    });

    test("shows an account's people what is their own", async () => {
      const other = await bendre.tenant("Other Shop");
      const { page } = await signIn(bendre, browser, {
        login: "reader@example.bf",
        role: "ACCOUNT_READER",
        language: "en",
        account: other.accountId,
      });
      await page.locator(".traffic .empty").waitFor();
      expect(await page.locator("figure.chart").count()).toBe(0);
      await leave(page);
    });
  });
}
