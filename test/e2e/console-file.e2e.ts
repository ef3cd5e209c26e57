/** Files as people have them, brought to the page "Send" in a real browser over the executable. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookOf } from "../domain/imports/workbook-of.ts";
import { findBrowser } from "./browser.ts";
import { isSound, main, openShop, PHONE, primary, type Shop, toCheck } from "./console-shop.ts";
import { leave } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: files on the page Send, for there is no browser\n");
} else {
  describe("a workbook on the page Send", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop(found);
    });
    afterAll(() => shop?.close());

    test("with title lines and several sheets is read as it is meant, and as it is chosen", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      const book = bookOf(
        ["2026", ["Clients de novembre"], ["nom", "tel"], ["Awa", "05221001"], ["Salif", "05221002"]],
        ["Octobre", ["Tél", "25301122"], ["nom", "tel"], ["Ali", "05221003"]],
      );
      const buffer = Buffer.from(book);
      await page.locator("[name=recipients]").setInputFiles({ name: "clients.xlsx", mimeType: "", buffer });
      await page.locator(".found", { hasText: "2 numéros" }).waitFor();
      expect(await main(page)).toContain("1 ligne au-dessus des en-têtes est un titre");
      expect(await main(page)).toContain("Clients de novembre");
      expect(await main(page)).not.toContain("illisible");
      await isSound(page);
      await page.getByLabel("Quelle feuille").selectOption("Octobre");
      await page.locator(".found", { hasText: "1 numéro" }).waitFor();
      const row = page.getByLabel("Quelle ligne contient les en-têtes");
      expect(await row.inputValue()).toBe("2");
      await row.selectOption("3");
      await page.locator(".error", { hasText: "colonne" }).waitFor();
      await row.selectOption("2");
      await page.locator(".tag", { hasText: "{nom}" }).waitFor();
      await page.locator("[name=text]").fill("Bonjour {nom}");
      await isSound(page);
      await toCheck(page);
      await primary(page, "Envoyer 1 texte").waitFor();
      expect(await page.locator(".bubble").allTextContents()).toEqual(["Bonjour Ali"]);
      await primary(page, "Envoyer 1 texte").click();
      await page.waitForURL("**/console/batches/*");
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
