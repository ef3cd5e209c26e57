/** What becomes of those whom a file left out, in a real browser over the executable: seen, found, corrected and sent to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "./browser.ts";
import {
  brought,
  isSound,
  main,
  openShop,
  PHONE,
  pressed,
  primary,
  type Shop,
  taken,
  toCheck,
} from "./console-shop.ts";
import { leave } from "./console-visitor.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: rows that a file left out, for there is no browser\n");
} else {
  describe("who was left out", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop(found);
    });
    afterAll(() => shop?.close());

    test("rows that cannot be read stay with the batch, are a file, and are found by their number", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["Prénom;Téléphone", "Awa;05211001", "Ali;5211002", "Eve;7,6E+07"]);
      await page.locator("[name=text]").fill("Bonjour {Prénom}");
      await toCheck(page);
      await primary(page, "Envoyer 1 texte ").click();
      await page.waitForURL("**/console/batches/*");
      await page.locator("td", { hasText: "La ligne est illisible" }).waitFor();
      await page.locator("summary", { hasText: "2 lignes illisibles dans le fichier" }).focus();
      await page.keyboard.press("Enter");
      await page
        .locator("li", { hasText: "Ligne 3 : il manque un chiffre à «\u00a05211002\u00a0»" })
        .waitFor();
      expect(await main(page)).toContain("2 non envoyés");
      await isSound(page);
      const file = await taken(page, "Télécharger la liste des non-envoyés");
      expect(file).toMatch(/;3;LIGNE_ILLISIBLE;.*;5211002;Ali;/);
      const batch = page.url();
      await page.keyboard.press("/");
      await page.keyboard.type("05 21 10 02");
      await page.locator("[role=option]", { hasText: "La ligne est illisible" }).click();
      await page.waitForURL(batch);
      await shop.go(page, "/messages?number=05211002");
      await page
        .locator("td .note", { hasText: "Ligne 3 : il manque un chiffre à «\u00a05211002\u00a0»" })
        .waitFor();
      await isSound(page);
      // A caller has a number with a digit less, or no more than her name.
      await page.keyboard.press("/");
      await page.keyboard.type("52 110 02");
      await page.locator("[role=option]", { hasText: "7 chiffres au lieu de 8" }).waitFor();
      await page.locator("[role=option]", { hasText: "Ligne 3, non envoyée" }).click();
      await page.waitForURL(`${batch}?row=*`);
      expect(await page.locator("[name=row]").inputValue()).toBe("52 110 02");
      expect(await page.locator("#search").inputValue()).toBe("");
      await page.locator("td", { hasText: "Ali" }).waitFor();
      await page.locator("[name=row]").fill("madame eve");
      await page.locator("td[data-label='Numéro du fichier']", { hasText: "7,6E+07" }).waitFor();
      expect(await page.locator("td", { hasText: "Ali" }).count()).toBe(0);
      await isSound(page);
      await page.locator("#search").fill("Eve");
      await page.locator("[role=option]", { hasText: "Ligne 4, non envoyée" }).waitFor();
      await shop.go(page, "/messages?number=521100");
      // Awa's number has these digits too: that they are no whole number is no fault then.
      await page.locator("td", { hasText: "+226 05 21 10 01" }).first().waitFor();
      await page.locator("td", { hasText: "5211002 · Ali" }).waitFor();
      expect(await page.locator(".fault").count()).toBe(0);
      await isSound(page);
      // The corrected file is all that is left to bring.
      await page.goto(batch);
      await page.locator("blockquote", { hasText: "Bonjour {Prénom}" }).waitFor();
      await pressed(page, "Envoyer les lignes corrigées");
      await page.waitForURL("**/console/send");
      await page.locator("[name=class][value=TRANSACTIONAL]:checked").waitFor();
      await page.locator("[name=sender][value=ACME]:checked").waitFor();
      expect(await page.locator("[name=text]").inputValue()).toBe("Bonjour {Prénom}");
      await isSound(page);
      await brought(page, file.replace(";5211002;", ";05211002;").split("\r\n"));
      await toCheck(page);
      await primary(page, "Envoyer 1 texte ").click();
      await page.waitForURL((url) => url.pathname.includes("/batches/") && url.href !== batch);
      await page.locator(".badge", { hasText: "Terminé" }).first().waitFor();
      expect(shop.textsTo("22605211002")).toEqual(["Bonjour Ali"]);
      await page.locator("caption", { hasText: "Ce lot et ses corrections" }).waitFor({ state: "attached" });
      await isSound(page);
      await page.locator("a", { hasText: "Corrige le lot du" }).click();
      await page.waitForURL(batch);
      await page
        .locator(".note", { hasText: "2 non envoyés · 1 texte repris depuis par les corrections" })
        .waitFor();
      const family = page.locator("table", {
        has: page.locator("caption", { hasText: "Ce lot et ses corrections" }),
      });
      await family
        .locator("tbody tr")
        .last()
        .locator("td", { hasText: /^1 personne$/ })
        .first()
        .waitFor();
      await page.locator("a", { hasText: "Rapport de ce lot" }).click();
      // Who has nothing yet is named, and the file has each person once.
      const waiting = page.locator("table", {
        has: page.locator("caption", { hasText: "Qui n’a encore rien" }),
      });
      await waiting.locator("td[data-label='Numéro']", { hasText: "7,6E+07" }).waitFor();
      expect(await waiting.locator("tbody tr").count()).toBe(1);
      await waiting.locator("td", { hasText: "Corriger le numéro" }).waitFor();
      const people = (await taken(page, "Télécharger, une ligne par personne (CSV)"))
        .split("\r\n")
        .slice(1, -1);
      expect(people.map((line) => line.split(";")[0])).toEqual(["Oui", "Oui", "Non"]);
      const together = await taken(page, "Tous les envois, additionnés (CSV)");
      expect(
        new Set(
          together
            .split("\r\n")
            .slice(1, -1)
            .map((line) => line.split(";")[0]),
        ).size,
      ).toBe(2);
      await isSound(page);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("a script in a name, a text, a reference and a reason is letters wherever it stands", async () => {
      const script = "<img src=x onerror=alert(1)>";
      const { bendre } = shop;
      const other = await bendre.tenant(script, { money: 1000 });
      const { body } = await other.api.post("script", {
        sender: "ACME",
        message_class: "TRANSACTIONAL",
        client_reference: script,
        body: `${script} {nom}`,
        recipients: [{ msisdn: "05211009", attributes: { nom: script } }],
      });
      const batch = String((body.data as { batch_id: string }).batch_id);
      const { page, complaints, strangers, settled } = await shop.visit("OWNER", "en");
      const opened: string[] = [];
      page.on("dialog", (dialog) => {
        opened.push(dialog.message());
        void dialog.dismiss();
      });
      await shop.go(page, `/batches/${batch}`);
      await page.locator("h1", { hasText: script }).waitFor();
      await pressed(page, "Show the text");
      await page.locator("[name=reason]:focus").waitFor();
      await page.keyboard.type(script);
      await page.keyboard.press("Enter");
      await page.locator("blockquote", { hasText: `${script} {nom}` }).waitFor();
      for (const path of ["/accounts", `/accounts/${other.accountId}`, "/messages", "/batches", "/audit"]) {
        await shop.go(page, path);
        await page.locator("main", { hasText: script }).waitFor();
        await settled();
      }
      await page.keyboard.press("/");
      await page.keyboard.type("<img src");
      await page.locator("[role=option]", { hasText: script }).waitFor();
      expect([await page.locator("img").count(), opened, strangers, complaints]).toEqual([0, [], [], []]);
      await leave(page);
    });

    test("support reads what a batch says for a reason, which stands in the audit, and sends nothing", async () => {
      const { page, complaints } = await shop.visit("SUPPORT", "en");
      const [batch] = await shop.batches();
      await shop.go(page, "/batches");
      await page.locator("td .note", { hasText: "2 not sent" }).waitFor();
      await shop.go(page, `/batches/${batch?.batch_id}`);
      await page.locator("p", { hasText: "Give a reason to see the text" }).waitFor();
      // The page promises no more than the file has.
      expect(await main(page)).toContain("1 not sent");
      expect(await main(page)).toContain("Only users of the account can see");
      const file = await taken(page, "Download those who get nothing");
      expect(file).toContain("UNREADABLE_ROW");
      expect(file).not.toContain("Eve");
      await pressed(page, "Show the text");
      await page.locator("[name=reason]:focus").waitFor();
      await page.keyboard.type("the client asks what was sent");
      await page.keyboard.press("Enter");
      await page.locator("blockquote", { hasText: "Bonjour {Prénom}" }).waitFor();
      await isSound(page);
      expect(await page.locator("button", { hasText: "corrected" }).count()).toBe(0);
      const { entries } = await shop.bendre.ask("audit list", { action: "batch text" });
      expect(entries).toContainEqual(
        expect.objectContaining({
          detail: expect.objectContaining({ reason: "the client asks what was sent" }),
        }),
      );
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("a corrected row whose number has the batch's text already is told and left out, unless somebody chooses to send it", async () => {
      const { page, complaints } = await shop.visit("ACCOUNT_SENDER", "fr", PHONE);
      await shop.go(page, "/send");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await brought(page, ["Nom;Téléphone", "Awa;05212001", "Lea;05299001", "Ali;5212002", "Eve;5212003"]);
      await page.locator("[name=text]").fill("Rendez-vous demain {Nom}");
      await toCheck(page);
      await primary(page, "Envoyer 2 textes ").click();
      await page.waitForURL("**/console/batches/*");
      await page.locator(".badge", { hasText: "Terminé" }).first().waitFor();
      const batch = page.url();
      await pressed(page, "Envoyer les lignes corrigées");
      await page.waitForURL("**/console/send");
      // Ali's number was mended into that of Awa, who has it; Lea's failed for good; Eve's is hers, twice.
      const sheet = ["Nom;Téléphone", "Lea;05299001", "Ali;05212001", "Eve;05212003", "Eve;05 21 20 03"];
      await brought(page, sheet);
      await toCheck(page);
      await page.locator(".notice-title", { hasText: "1 ligne porte un numéro déjà servi" }).waitFor();
      const served = page.locator("table", { hasText: "Lignes dont le numéro est déjà servi" });
      await served.locator("td", { hasText: "+226 05 21 20 01" }).waitFor();
      const text = await main(page);
      expect(text).toContain("2 lignes dont le numéro est nouveau");
      expect(text).toContain("1 ligne porte un numéro pour lequel un nouvel envoi n’y changera rien");
      expect(text).toContain("1 ligne répète un numéro");
      await isSound(page);
      await primary(page, "Envoyer 1 texte ").waitFor();
      await pressed(page, "Envoyer aussi à ceux-là");
      await primary(page, "Envoyer 2 textes ").waitFor();
      await pressed(page, "Ne pas leur envoyer");
      await primary(page, "Envoyer 1 texte ").waitFor();
      await pressed(page, "Envoyer aussi ces lignes");
      await primary(page, "Envoyer 2 textes ").waitFor();
      await pressed(page, "Ne pas envoyer ces lignes");
      await primary(page, "Envoyer 1 texte ").click();
      await page.waitForURL((url) => url.pathname.includes("/batches/") && url.href !== batch);
      await page.locator(".badge", { hasText: "Terminé" }).first().waitFor();
      expect(shop.textsTo("22605212001")).toEqual(["Rendez-vous demain Awa"]);
      expect(shop.textsTo("22605212003")).toEqual(["Rendez-vous demain Eve"]);
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
