/** The last page before sending in a real browser over the executable: what is said there is so, and can be taken back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "./browser.ts";
import {
  brought,
  isSound,
  main,
  openShop,
  PHONE,
  plain,
  pressed,
  primary,
  type Shop,
  toCheck,
} from "./console-shop.ts";
import { leave } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the last page before sending, for there is no browser\n");
} else {
  describe("the last page", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop(found);
    });
    afterAll(() => shop?.close());

    test("calls dear what costs more and nothing else, and what was replaced can be taken back", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["prénom;tel", "Awa;05221001", "Françoise;05221002"]);
      const text = page.locator("[name=text]");
      await text.fill("Bonjour {prénom}… à bientôt");
      await page.locator(".notice.calm", { hasText: "ne coûtent rien de plus ici" }).waitFor();
      await toCheck(page);
      await primary(page, "Envoyer 2 textes").waitFor();
      expect(await main(page)).not.toContain("plus cher");
      await pressed(page, "Modifier");
      await text.fill(`Bonjour {prénom}… à bientôt ${"a".repeat(50)}`);
      await page.locator(".notice:not(.calm)", { hasText: "Sans eux : 1 SMS au lieu de 2 SMS" }).waitFor();
      await page.locator("button", { hasText: "Remplacer 3 caractères et économiser 30 F" }).waitFor();
      await isSound(page);
      // Replaced, written on, and taken back: what was written since stays.
      await pressed(page, "Remplacer 3 caractères");
      await page.waitForFunction('document.activeElement?.name === "text"');
      await page.keyboard.type("!");
      expect(await text.inputValue()).toContain("{prénom}... à bientot");
      await page.locator(".notice.calm li", { hasText: "devient « ... »" }).waitFor();
      await isSound(page);
      await pressed(page, "Revenir au texte d’avant");
      expect(await text.inputValue()).toBe(`Bonjour {prénom}… à bientôt ${"a".repeat(50)}!`);
      // Values of the file are replaced as the text is sent.
      await pressed(page, "Envoyer comme c’est écrit");
      await toCheck(page);
      await primary(page, "Envoyer 2 textes pour 60 F").waitFor();
      expect(await main(page)).toContain("2 textes coûtent plus cher");
      await pressed(page, "Les remplacer et économiser 30 F");
      await primary(page, "Envoyer 2 textes pour 30 F").waitFor();
      expect(await main(page)).not.toContain("coûtent plus cher");
      await page.locator(".notice.calm", { hasText: "économisez ainsi 30 F" }).waitFor();
      expect(await page.locator(".bubble").last().textContent()).toContain("Bonjour Francoise...");
      await isSound(page);
      await pressed(page, "Envoyer comme c’est écrit");
      await primary(page, "Envoyer 2 textes pour 60 F").waitFor();
      expect(await page.locator(".bubble").last().textContent()).toContain("Bonjour Françoise…");
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("says each warning once, here and on the page before", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["ville;tel", "Kaya;05229001", "Dori;05229002"]);
      await page.locator("[name=text]").fill("Bonjour {nom}, {le solde} {le solde}");
      const warnings = page.locator(".notice, .error");
      const saying = (words: string) => warnings.filter({ hasText: words });
      await saying("{nom}").first().waitFor();
      expect([await saying("{nom}").count(), await saying("{le solde}").count()]).toEqual([1, 1]);
      await toCheck(page);
      await saying("Rien ne remplit {nom}").waitFor();
      expect([await saying("{nom}").count(), await saying("{le solde}").count()]).toEqual([1, 1]);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("shows who is sent to, and says class and sender once more", async () => {
      const { page, complaints } = await shop.visit("OWNER", "en");
      await shop.go(page, "/send");
      await page.locator("button.pick", { hasText: "Faso Shop" }).click();
      await page.locator(".radio", { hasText: "Transactional" }).waitFor();
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, [
        "name;phone",
        "Abroad;70112233",
        "Awa;05222001",
        "Twice;05222001",
        "Ali;05222002",
      ]);
      await page.locator("[name=text]").fill("Hello {name}");
      expect(await main(page)).toContain("Preview with your first rows");
      await toCheck(page);
      await primary(page, "Send 2 texts").waitFor();
      expect(await page.locator(".bubble").allTextContents()).toEqual(["Hello Awa", "Hello Ali"]);
      const said = plain(await page.locator(".said").textContent());
      expect(said).toContain("Sender: ACME · Faso Shop pays");
      expect(said).toContain(
        "Class: Transactional. Sent at any hour, also to those who opted out of marketing.",
      );
      await isSound(page);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("says that a spreadsheet rewrote dates, and what is missing in the wallet with what helps", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_ADMIN", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["Échéance;tel", "30/11;05224001", "05/12;05224002", "30-nov;05224003"]);
      await page.locator("[name=text]").fill("Payez avant le {Échéance}");
      await toCheck(page);
      await primary(page, "Envoyer 3 textes pour 45 F").waitFor();
      expect(await main(page)).toContain("« 30/11 » à la ligne 2, « 30-nov » à la ligne 4");
      await isSound(page);
      const { accountId } = shop.shop;
      const taken = Number((await shop.bendre.ask("wallet show", { ACCOUNT: accountId })).spendable) - 20;
      await shop.bendre.ask("wallet adjust", { ACCOUNT: accountId, AMOUNT: String(-taken), reason: "essai" });
      // It was enough when it was asked.
      await pressed(page, "Envoyer 3 textes");
      const unpaid = page.locator(".error", { hasText: "ne suffit pas pour cet envoi" });
      await unpaid.first().waitFor();
      const told = plain(await unpaid.first().textContent());
      expect(told).toContain(
        "Le lot coûte 45 F CFA et il reste 20 F CFA à dépenser dans le portefeuille : il manque 25 F CFA.",
      );
      expect(told).toContain("Faites recharger le compte, ou envoyez à moins de monde.");
      await isSound(page);
      await shop.bendre.ask("wallet adjust", { ACCOUNT: accountId, AMOUNT: String(taken), reason: "essai" });
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("says at which hours marketing leaves, and sends it at the next with one press", async () => {
      const opens = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(11, 13);
      await shop.bendre.ask("account set", {
        ACCOUNT: shop.shop.accountId,
        "marketing-hours": `${opens}:00-${opens}:30`,
      });
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=MARKETING]").check();
      await brought(page, ["tel", "05223001"]);
      await page.locator("[name=text]").fill("Soldes demain");
      await toCheck(page);
      const quiet = page.locator(".error", { hasText: "À cette heure, personne ne reçoit de marketing" });
      await quiet.waitFor();
      expect(await main(page)).toContain(`Le marketing ne part que de ${opens}:00 à ${opens}:30`);
      expect(await main(page)).not.toContain("Tout sera parti vers");
      expect(await page.locator("button.primary").count()).toBe(0);
      await isSound(page);
      await pressed(page, "L’envoyer le ");
      await primary(page, "Programmer 1 texte").waitFor();
      expect(await page.locator("[name=scheduled]").inputValue()).toContain(`T${opens}:00`);
      expect(await main(page)).toContain("Tout sera parti vers");
      await pressed(page, "Programmer 1 texte");
      await page.waitForURL("**/console/batches/*");
      expect(String((await shop.batches())[0]?.scheduled_at)).toContain(`T${opens}:00:00`);
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
