/** The console's pages about accounts, money and prices, in a real browser over the executable: each does its main thing, and it happened. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import type { Appliance, Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { consoleTown } from "./console-town.ts";
import { giveFactorAgain, signIn, type Visitor } from "./console-visitor.ts";

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: money in the console, for there is no browser\n");
} else {
  describe("the pages about money", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-money-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let finance: Visitor;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      ({ bendre, shop } = await consoleTown());
      finance = await signIn(bendre, browser, { login: "fin@example.bf", role: "FINANCE", language: "fr" });
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    const go = async ({ page, settled }: Visitor, path: string): Promise<void> => {
      await page.goto(`${bendre.url()}/console${path}`);
      await page.locator("h1").waitFor();
      await settled();
    };
    const plain = async (page: Page, where: string): Promise<string> =>
      String(await page.locator(where).first().textContent()).replaceAll(/[\u00A0\u202F]/g, " ");
    const balance = async (): Promise<number> =>
      Number((await bendre.ask("wallet show", { ACCOUNT: shop.accountId })).balance);
    const audited = async (action: string): Promise<number> =>
      (((await bendre.ask("audit list", { action: action })).entries ?? []) as Json[]).length;

    test("what is paid in shows whose wallet it is and its balance after, asks for the second factor, and counts once", async () => {
      const { page } = finance;
      const before = await balance();
      await go(finance, `/accounts/${shop.accountId}/money`);
      await page.locator("[name=amount]").focus();
      await page.keyboard.type("250 000");
      await page.keyboard.press("Tab");
      await page.keyboard.type("recu-1187");
      await page.keyboard.press("Enter");
      // The factor was shown while signing in, some seconds ago, or is asked for.
      const code = page.locator("dialog [name=code]");
      await page.locator("dialog .facts").or(code).first().waitFor();
      if (await code.isVisible()) await giveFactorAgain(finance);
      await page.locator("dialog .facts").waitFor();
      const shown = await plain(page, "dialog .facts");
      expect(shown).toContain("Faso Shop");
      expect(shown).toContain("250 000 F CFA");
      expect(await barriers(page)).toEqual([]);
      expect(await balance()).toBe(before);
      await page.locator("dialog .primary").dblclick();
      await page.locator(".toast").waitFor();
      expect(await balance()).toBe(before + 250_000);
      await go(finance, `/accounts/${shop.accountId}/money`);
      await page.locator("[name=amount]").fill("250000");
      await page.locator("[name=because]").fill("recu-1187");
      await page.keyboard.press("Enter");
      await page.locator("dialog [role=status]", { hasText: "rien n’est ajouté" }).waitFor();
      expect(await page.locator("dialog h2").last().textContent()).toBe("Ce versement est déjà encaissé");
      expect(await page.locator("dialog .actions button").allTextContents()).toEqual(["Fermer"]);
      await page.locator("dialog .actions button").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await balance()).toBe(before + 250_000);
    });

    test("a large correction wants the account's name typed, and is in the statement with the balance after it", async () => {
      const { page } = finance;
      const before = await balance();
      await go(finance, `/accounts/${shop.accountId}/money`);
      await page.locator("main select").first().selectOption("adjustment");
      await page.locator("[name=amount]").fill("-1 000 000");
      await page.locator("[name=because]").fill("versement rendu");
      await page.keyboard.press("Enter");
      await page.locator("dialog [name=typed]").fill("Sahel Assurances");
      await page.locator("dialog .primary").click();
      expect(await balance()).toBe(before);
      await page.locator("dialog [name=typed]").fill("Faso Shop");
      await page.locator("dialog .primary").click();
      await page.locator(".toast").waitFor();
      expect(await balance()).toBe(before - 1_000_000);
      expect(await audited("wallet adjust")).toBe(1);
      await go(finance, `/accounts/${shop.accountId}/statement`);
      await page.locator("td", { hasText: "versement rendu" }).waitFor();
      const [file] = await Promise.all([page.waitForEvent("download"), page.locator("a[download]").click()]);
      const text = await Bun.file(String(await file.path())).text();
      expect(text).toContain("Correction;1000000;-1000000");
    });

    test("a statement of consumption is printed alone, says that it is no invoice, without what is pressed or filled in", async () => {
      const { page } = finance;
      await go(finance, `/accounts/${shop.accountId}/consumption`);
      await page.emulateMedia({ media: "print" });
      await page.evaluate("window.print = () => { window.paper = document.body.innerText; }");
      await page.locator("button", { hasText: "Imprimer" }).dispatchEvent("click");
      const paper = String(await page.evaluate("window.paper"));
      expect(paper).toContain("Relevé de consommation");
      expect(paper).toContain("Ce document n’est pas une facture");
      expect(paper).toContain("le mois n’est pas terminé");
      expect(paper.replace("n’est pas une facture", "")).not.toMatch(/factur/iu);
      expect(paper).toContain("Faso Shop");
      const day = "\\d{1,2}(er)? \\p{L}+ 20\\d\\d";
      expect(paper).toMatch(new RegExp(`Établi le ${day}`, "u"));
      expect(paper).toMatch(new RegExp(`Période\\s: du 1er \\p{L}+ 20\\d\\d au ${day}`, "u"));
      for (const other of ["Solde de départ", "Encaisser", "Imprimer", "CSV", "Mois"])
        expect(paper).not.toContain(other);
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      const whole = String(await page.evaluate("document.body.innerText"));
      expect(whole).toContain("Faso Shop · Consommation");
      expect(whole).not.toContain("Imprimer");
      await page.emulateMedia({ media: "screen" });
      await page.locator("button", { hasText: "Imprimer" }).waitFor();
    });

    test("a statement without a seller tells its owner what is missing, with the text, and prints none of it", async () => {
      const owner = await signIn(bendre, browser, { login: "own@example.bf", role: "OWNER", language: "fr" });
      await go(owner, `/accounts/${shop.accountId}/consumption`);
      await owner.page.locator("p", { hasText: "Aucun vendeur ne figure sur ce relevé" }).waitFor();
      expect(await plain(owner.page, "pre.file")).toContain('[seller]\nname = "');
      expect(await barriers(owner.page)).toEqual([]);
      await owner.page.emulateMedia({ media: "print" });
      expect(String(await owner.page.evaluate("document.body.innerText"))).not.toMatch(/vendeur|seller/);
      // Finance cannot change it.
      await go(finance, `/accounts/${shop.accountId}/consumption`);
      await finance.page.locator("strong", { hasText: "Faso Shop" }).waitFor();
      expect(await finance.page.locator("pre.file").count()).toBe(0);
    });

    test("an account is made, gets its settings, a price that is said before it counts, is suspended and closed", async () => {
      const { page, settled } = finance;
      await go(finance, "/accounts");
      await page.locator(".page-head .button").click();
      await page.locator("[name=name]").fill("Pharmacie du Plateau");
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Pharmacie du Plateau" }).waitFor();
      const id = page.url().split("/").at(-1) ?? "";
      expect(await bendre.ask("account show", { ACCOUNT: id })).toMatchObject({
        name: "Pharmacie du Plateau",
      });
      await page.locator(".section-head .button").first().click();
      await page.locator("[name=recipients_per_day]").fill("beaucoup");
      await page.locator(".fault").waitFor();
      await page.locator("[name=recipients_per_day]").fill("5 000");
      await page.locator("dialog select").first().selectOption("rewrite");
      await page.locator("dialog .primary").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await bendre.ask("account show", { ACCOUNT: id })).toMatchObject({
        recipients_per_day: 5000,
        text_policy: "rewrite",
        recipients_per_minute: null,
      });
      await go(finance, `/accounts/${id}/prices`);
      await page.locator("[name=price]").fill("9");
      await page.keyboard.press("Enter");
      expect(await plain(page, "dialog")).toContain("Pharmacie du Plateau paie 9 F CFA");
      expect(await plain(page, "dialog")).toContain("contre 15 F CFA");
      await page.locator("dialog .primary").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      await settled();
      expect((await bendre.ask("price list", { ACCOUNT: id })).prices).toContainEqual(
        expect.objectContaining({ amount: 9, source: "account" }),
      );
      await go(finance, `/accounts/${id}`);
      await page.locator("button", { hasText: "Suspendre" }).click();
      await page.locator("[name=reason]").fill("impayé");
      await page.keyboard.press("Enter");
      await page.locator("p", { hasText: "Suspendu : impayé" }).waitFor();
      await page.locator("button", { hasText: "Fermer définitivement" }).click();
      await page.locator("[name=typed]").fill("Pharmacie");
      await page.keyboard.press("Enter");
      await page.locator("[name=typed]").fill("Pharmacie du Plateau");
      await page.keyboard.press("Enter");
      await page.locator("p", { hasText: "Fermé le" }).waitFor();
      expect(await bendre.ask("account show", { ACCOUNT: id })).toMatchObject({ status: "CLOSED" });
    });

    test("an account's administrator reads their money and moves none; operations see no amount", async () => {
      const admin = await signIn(bendre, browser, {
        login: "admin@shop.bf",
        role: "ACCOUNT_ADMIN",
        language: "en",
        account: shop.accountId,
      });
      await go(admin, "/money");
      await admin.page.locator(".tabs a[href$='/statement']").click();
      await admin.page.locator("td", { hasText: "Top-up" }).first().waitFor();
      expect(await admin.page.locator("[name=amount]").count()).toBe(0);
      await go(admin, "/accounts");
      expect(await plain(admin.page, "main")).toContain("Faso Shop");
      expect(await admin.page.locator("main .danger").count()).toBe(0);
      const operations = await signIn(bendre, browser, {
        login: "ops@example.bf",
        role: "OPERATIONS",
        language: "en",
      });
      await go(operations, `/accounts/${shop.accountId}`);
      expect(await plain(operations.page, "main")).not.toContain("XOF");
      expect([...admin.complaints, ...admin.strangers, ...operations.complaints]).toEqual([]);
    });
  });
}
