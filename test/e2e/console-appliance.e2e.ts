/** Reports and the pages about the appliance itself, in a real browser over the executable: each does its main thing, and it happened. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAccountRole, type Role } from "../../src/users/role.ts";
import type { Json } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { signIn, type Visitor } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the pages about the appliance, for there is no browser\n");
} else {
  describe("the pages about the appliance", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-console-appliance-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let other: Tenant;
    let people = 0;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({ operators: { orange: BRISK, moov: "away" } });
      shop = bendre.tenant("Faso Shop");
      other = bendre.tenant("Sahel Assurances");
      await sent(shop, ["22605112233", "22605112234", "22670112233"]);
      await sent(other, ["22605445566"]);
    }, 90_000);
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    async function sent({ apiKey }: Tenant, numbers: readonly string[]): Promise<void> {
      const answer = await fetch(`${bendre.url()}/public/v1/batches`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          "idempotency-key": "report",
        },
        body: JSON.stringify({
          ...{ sender: "ACME", body: "Bonjour", message_class: "TRANSACTIONAL" },
          recipients: numbers.map((msisdn) => ({ msisdn })),
        }),
      });
      expect(answer.status).toBe(202);
    }

    /** Somebody of a role, signed in; of an account's role they are the shop's. */
    async function person(role: Role, language: "en" | "fr"): Promise<Visitor> {
      people += 1;
      return signIn(bendre, browser, {
        ...{ login: `somebody.${people}@example.bf`, role, language },
        ...(isAccountRole(role) && { account: shop.accountId }),
      });
    }

    async function open({ page, settled }: Visitor, path: string): Promise<void> {
      await page.goto(`${bendre.url()}/console${path}`);
      await page.locator("h1").waitFor();
      await settled();
    }

    const main = async ({ page }: Visitor): Promise<string> =>
      String(await page.locator("main").textContent()).replaceAll(/[\u00A0\u202F]/g, " ");

    describe("reports", () => {
      test("say what became of messages by operator, chosen by the keyboard alone, and are taken away as a file", async () => {
        const visitor = await person("OWNER", "en");
        const { page } = visitor;
        await open(visitor, "/reports");
        await page.locator("main select").first().focus();
        await page.keyboard.type("Operator");
        await page.waitForFunction('location.search.includes("by=operator")');
        const row = page.locator("tbody tr", { hasText: "orange" });
        await row.waitFor();
        const told = bendre.admin("report", "delivery", "--by", "operator").rows as Json[];
        const cells = (await row.locator("td").allTextContents()).map((text) => text.trim());
        const orange = told.find(({ key }) => key === "orange");
        expect(cells.slice(0, 3)).toEqual(["orange", String(orange?.accepted), String(orange?.delivered)]);
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.locator("a", { hasText: "Take away as CSV" }).click(),
        ]);
        expect(file.suggestedFilename()).toMatch(/^delivery-operator-.*\.csv$/);
        const lines = readFileSync(String(await file.path()), "utf8").split("\r\n");
        expect(lines[0]).toMatch(/^operator,accepted,sent,delivered,/);
        expect(lines.find((line) => line.startsWith("orange,"))).toMatch(
          new RegExp(`^orange,${String(orange?.accepted)},`),
        );
        await visitor.context.close();
      }, 60_000);

      test("of an account tell nothing of others, and of money only those who may see it", async () => {
        const reader = await person("ACCOUNT_READER", "fr");
        await open(reader, "/reports?by=sender");
        expect(await main(reader)).not.toContain("Sahel");
        expect(await reader.page.locator("[name=account]").count()).toBe(0);
        const mine = bendre.admin("report", "delivery", "--account", shop.accountId).totals as Json;
        expect(await reader.page.locator(".stat .figure").first().textContent()).toBe(String(mine.accepted));
        await open(reader, `/reports?account=${other.accountId}`);
        const foreign = await main(reader);
        await open(reader, "/reports?account=01JD0000000000000000000000");
        expect(await main(reader)).toBe(foreign);
        await reader.context.close();
        const operations = await person("OPERATIONS", "fr");
        await open(operations, "/reports");
        expect(await main(operations)).not.toContain("F CFA");
        await operations.context.close();
      }, 60_000);
    });
  });
}
