/** The page of a batch, in a real browser over the executable: what holds it, and how it went. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "./browser.ts";
import { isSound, main, openShop, PHONE, type Shop, taken } from "./console-shop.ts";
import { leave } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the page of a batch, for there is no browser\n");
} else {
  describe("a batch", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop(found);
    });
    afterAll(() => shop?.close());

    const submitted = async (key: string, reference: string, numbers: readonly string[]) => {
      const { body } = await shop.shop.api.post(key, {
        sender: "ACME",
        message_class: "TRANSACTIONAL",
        client_reference: reference,
        body: "Bonjour",
        recipients: numbers.map((msisdn) => ({ msisdn })),
      });
      return String((body.data as { batch_id: string }).batch_id);
    };

    test("whose messages wait for a paused operator says so, to staff with who and why", async () => {
      await shop.bendre.ask("operator pause", { CODE: "orange", reason: "a broken cable" });
      const batch = await submitted("paused", "Soldes de mars", ["05310001", "05310002"]);
      const staff = await shop.visit("SUPPORT", "fr", PHONE);
      await shop.go(staff.page, `/batches/${batch}`);
      await staff.page.locator(".notice", { hasText: "2 textes attendent" }).waitFor();
      expect(await main(staff.page)).toMatch(/en pause depuis le .*, par .*\. Motif : a broken cable/);
      await isSound(staff.page);
      const theirs = await shop.visit("ACCOUNT_SENDER", "fr");
      await shop.go(theirs.page, `/batches/${batch}`);
      await theirs.page.locator(".notice", { hasText: "en pause depuis le" }).waitFor();
      expect(await main(theirs.page)).not.toContain("a broken cable");
      await shop.bendre.ask("operator resume", { CODE: "orange" });
      await theirs.page.locator(".badge", { hasText: "Terminé" }).first().waitFor();
      expect(await theirs.page.locator(".notice").count()).toBe(0);
      expect([staff.complaints, theirs.complaints]).toEqual([[], []]);
      await leave(staff.page);
      await leave(theirs.page);
    });

    test("has a report of its own, by operator, by cause and by time, which is a file too; and is found by a part of its name", async () => {
      const batch = await submitted("report", "Soldes", ["05310011", "05310012", "05399001", "70112233"]);
      const { page, complaints } = await shop.visit("ACCOUNT_ADMIN", "fr", PHONE);
      await shop.go(page, `/batches/${batch}`);
      await page.locator(".badge", { hasText: "Terminé" }).first().waitFor();
      await page.locator("a", { hasText: "Rapport de ce lot" }).click();
      await page.waitForURL(`**/batches/${batch}/report`);
      await page.locator("h2", { hasText: "Par opérateur" }).waitFor();
      const text = await main(page);
      expect(text).toMatch(/Acceptés3.*Livrés266,7 %.*Échoués1.*Non envoyés1.*Débité45 F CFA/s);
      expect(text).toContain("Pourquoi des messages ont échoué");
      expect(text).toContain("Aucun opérateur d’ici ne dessert ce numéro");
      expect(text).toContain("en 10 s au plus");
      await isSound(page);
      const file = await taken(page, "Télécharger (CSV)");
      const states = file.split("\r\n").map((line) => {
        const cells = line.split(";");
        return [...cells.slice(1, 5), ...cells.slice(6, 9)].join();
      });
      await page.emulateMedia({ media: "print" });
      const paper = String(await page.evaluate("document.body.innerText"));
      for (const told of ["Faso Shop", "ACME", "Soldes", "Par opérateur"]) expect(paper).toContain(told);
      for (const pressed of ["Imprimer", "CSV"]) expect(paper).not.toContain(pressed);
      const isWide = "document.querySelector('main').clientWidth === document.documentElement.clientWidth";
      expect(await page.evaluate(isWide)).toBe(true);
      await page.emulateMedia({ media: "screen" });
      await shop.go(page, "/batches?reference=SOLD");
      await page.locator("td .note", { hasText: "Soldes de mars" }).waitFor();
      await shop.go(page, "/batches?reference=de%20mars");
      await page.locator("td .note", { hasText: "Soldes de mars" }).waitFor();
      expect(await page.locator("tbody tr").count()).toBe(1);
      expect(states.slice(1, -1)).toEqual([
        "Soldes,Faso Shop,ACME,Transactionnel,orange,orange,Livré",
        "Soldes,Faso Shop,ACME,Transactionnel,orange,orange,Échoué",
        "Soldes,Faso Shop,ACME,Transactionnel,,,Non envoyé",
      ]);
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
