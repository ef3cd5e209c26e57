/** What becomes of those whom a file left out, in a real browser over the executable: seen, found, corrected and sent to. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../src/users/role.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { signIn, type Visitor } from "./console-visitor.ts";

const found = findBrowser();
const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u00A0\u202F]/g, " ");
const PHONE = { width: 360, height: 740 };

if (found === null) {
  process.stderr.write("skipped: rows that a file left out, for there is no browser\n");
} else {
  describe("who was left out", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-corrected-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({ operators: { orange: BRISK } });
      shop = bendre.tenant("Faso Shop", { money: 100_000 });
    }, 90_000);
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    let visitors = 0;
    async function visit(
      role: Role,
      language: "en" | "fr",
      screen: { width: number; height: number } = { width: 1440, height: 900 },
    ): Promise<Visitor> {
      visitors += 1;
      return signIn(bendre, browser, {
        ...{ login: `who${visitors}@example.bf`, role, language, screen: { viewport: screen } },
        ...(role.startsWith("ACCOUNT_") ? { account: shop.accountId } : {}),
      });
    }

    const go = (page: Page, path: string) => page.goto(`${bendre.url()}/console${path}`);
    const main = async (page: Page) => plain(await page.locator("main").textContent());
    const brought = async (page: Page, rows: readonly string[]) => {
      const buffer = Buffer.from(`${rows.join("\r\n")}\r\n`, "latin1");
      await page.locator("[name=recipients]").setInputFiles({ name: "clients.csv", mimeType: "", buffer });
      await page.locator(".found").waitFor();
    };
    const pressed = (page: Page, verb: string) => page.locator("button.primary", { hasText: verb }).click();
    const isWide = (page: Page) => page.evaluate("document.documentElement.scrollWidth > innerWidth");
    const taken = async (page: Page, link: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("a", { hasText: link }).click(),
      ]);
      return Bun.file(String(await file.path())).text();
    };

    test("rows that cannot be read stay with the batch, are a file, and are found by their number", async () => {
      const { page, complaints, context } = await visit("ACCOUNT_SENDER", "fr", PHONE);
      await go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["Prénom;Téléphone", "Awa;05211001", "Ali;5211002", "Eve;7,6E+07"]);
      await page.locator("[name=text]").fill("Bonjour {Prénom}");
      await page.locator("form.send button[type=submit]").click();
      await pressed(page, "Envoyer 1 texte ");
      await page.waitForURL("**/console/batches/*");
      await page.locator("td", { hasText: "La ligne est illisible" }).waitFor();
      await page.locator("summary", { hasText: "2 lignes illisibles dans le fichier" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("li", { hasText: 'Ligne 3 : "5211002" a perdu le zéro' }).waitFor();
      expect(await main(page)).toContain("2 laissés de côté");
      expect([await barriers(page), await isWide(page)]).toEqual([[], false]);
      const file = await taken(page, "Emporter la liste de qui ne reçoit rien");
      expect(file).toMatch(/;3;UNREADABLE_ROW;.*;5211002;Ali;/);
      const batch = page.url();
      await page.keyboard.press("/");
      await page.keyboard.type("05 21 10 02");
      await page.locator("[role=option]", { hasText: "La ligne est illisible" }).click();
      await page.waitForURL(batch);
      await go(page, "/messages?number=05211002");
      await page.locator("td .note", { hasText: 'Ligne 3 : "5211002" a perdu le zéro' }).waitFor();
      expect([await barriers(page), await isWide(page), complaints]).toEqual([[], false, []]);
      await context.close();
    }, 90_000);
  });
}
