/** The page "Send" in a real browser over the executable: files as people have them, what they cost, and sending once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { said, workbookOf } from "../domain/imports/workbook-of.ts";
import type { Json } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { leave, signIn, type Visitor } from "./console-visitor.ts";

/** More than are validated while the client waits. */
const PEOPLE = 12_000;
const SHORTENED = 7;
const found = findBrowser();

/** Every tenth is called Françoise, which takes UCS-2. */
const nameOf = (at: number): string => (at % 10 === 0 ? "Françoise" : "Awa");
const textOf = (name: string, at: number): string =>
  `Bonjour ${name}, votre solde est de ${at * 5} F. Passez à votre agence avant vendredi, merci.`;
const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u00A0\u202F]/g, " ");

/** As French Excel writes it: semicolons, Windows-1252, and some numbers that it took for quantities. */
function frenchCsv(): Buffer {
  const rows = Array.from(
    { length: PEOPLE },
    (_, at) => `${nameOf(at)};0511${String(at).padStart(4, "0")};${at * 5}`,
  );
  const wide = rows.map((row, at) =>
    at < 10_000 ? row : `${nameOf(at)};0512${String(at - 10_000).padStart(4, "0")};${at * 5}`,
  );
  const bad = Array.from({ length: SHORTENED }, () => "Salif;7,6E+07;0");
  return Buffer.from(["Prénom;Téléphone;Solde", ...wide, ...bad, ""].join("\r\n"), "latin1");
}

if (found === null) {
  process.stderr.write("skipped: sending from the console, for there is no browser\n");
} else {
  describe("sending", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-send-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({
        operators: { orange: BRISK, moov: [...BRISK, "--delivered-percent", "0"] },
      });
      shop = await bendre.tenant("Faso Shop", { money: 2_000_000 });
      await bendre.ask("sender request", { ACCOUNT: shop.accountId, NAME: "SOLDES" });
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    let visitors = 0;
    async function visit(
      role: "ACCOUNT_SENDER" | "OWNER",
      language: "en" | "fr",
      screen: { width: number; height: number } = { width: 1440, height: 900 },
    ): Promise<Visitor> {
      visitors += 1;
      const visitor = await signIn(bendre, browser, {
        login: `sender${visitors}@example.bf`,
        role,
        language,
        ...(role === "OWNER" ? {} : { account: shop.accountId }),
        screen: { viewport: screen },
      });
      await visitor.page.goto(`${bendre.url()}/console/send`);
      return visitor;
    }

    const chosen = (page: Page, name: string, buffer: Buffer) =>
      page.locator("[name=recipients]").setInputFiles({ name, mimeType: "", buffer });
    const toCheck = (page: Page) => page.locator("form.send button[type=submit]").click();
    const press = (page: Page, verb: string) => page.locator("button.primary", { hasText: verb });
    const main = async (page: Page) => plain(await page.locator("main").textContent());
    const handset = (number: string) =>
      bendre.seen("orange").filter((event) => event.kind === "text" && event.to === number);
    const batches = async () =>
      (await bendre.ask("batch list", { ACCOUNT: shop.accountId })).batches as Json[];

    test("12,000 personalised texts out of French Excel, with what ç costs seen before", async () => {
      const { page, complaints, strangers } = await visit("ACCOUNT_SENDER", "fr");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await page.locator("summary", { hasText: "1 expéditeur" }).click();
      await page.locator("li", { hasText: "SOLDES attend d’être approuvé" }).waitFor();
      await chosen(page, "clients.csv", frenchCsv());
      await page.locator(".found").waitFor();
      expect(await main(page)).toContain("12 000 numéros trouvés · 7 lignes illisibles");
      expect(await main(page)).toContain("Excel a raccourci des numéros");
      expect(await main(page)).toContain("Excel a abrégé ce numéro en 7,6E+07");
      expect(await page.locator(".count").textContent()).toBe("Le texte est vide");
      await page.locator("[name=text]").fill("Bonjour ");
      await page.locator("button.tag", { hasText: "{Prénom}" }).click();
      await page.waitForFunction('document.activeElement?.name === "text"');
      await page.keyboard.type(
        ", votre solde est de {Solde} F. Passez à votre agence avant vendredi, merci.",
      );
      expect(await page.locator(".bubble").first().textContent()).toBe(textOf("Françoise", 0));
      expect(plain(await page.locator(".count").textContent())).toContain("2 SMS");
      await page.locator("[name=text]").press("Control+End");
      await toCheck(page);
      await page.locator(".stats").waitFor();
      const asWritten = await main(page);
      expect(asWritten).toContain("Sera envoyé12 00013 200 SMS");
      expect(asWritten).toContain("Non envoyé7");
      expect(asWritten).toContain("198 000 F CFA");
      expect(asWritten).toContain("1 200 textes coûtent plus cher");
      expect(asWritten).toContain("la lettre ç dans la colonne Prénom : 1 200 textes");
      expect(asWritten).toContain("Le portefeuille suffit.");
      expect(asWritten).not.toContain("Solde a");
      await page.locator("button", { hasText: "économiser 18 000" }).click();
      const send = press(page, "Envoyer 12 000 textes pour 180 000");
      await send.waitFor();
      await send.dblclick();
      await page.locator("h1", { hasText: "Comment" }).or(page.locator(".progress")).first().waitFor();
      await page.waitForURL("**/console/batches/*");
      await page.locator(".progress .note", { hasText: /12.000 livrés/ }).waitFor({ timeout: 90_000 });
      const [batch, ...others] = await batches();
      expect(others).toEqual([]);
      expect(batch).toMatchObject({
        accepted: PEOPLE,
        rejected: 0,
        charged_amount: 180_000,
        status: "SETTLED",
      });
      const texts = bendre.seen("orange").filter(({ kind }) => kind === "text");
      expect([texts.length, new Set(texts.map(({ to }) => to)).size]).toEqual([PEOPLE, PEOPLE]);
      expect(handset("22605110010")).toMatchObject([{ text: textOf("Francoise", 10) }]);
      expect(handset("22605121999")).toMatchObject([{ text: textOf("Awa", 11_999) }]);
      // Whoever comes back, or loads the page anew in a hurry, reads that it left.
      await page.goto(`${bendre.url()}/console/send`);
      await page.locator(".notice", { hasText: "Votre dernier envoi a été accepté" }).waitFor();
      expect(await main(page)).toContain("12 000 textes");
      const asked = (await bendre.ask("audit list", { action: "batch send" })).entries as Json[];
      expect(asked[0]?.actor).toContain("sender1@example.bf");
      expect(bendre.log()).not.toMatch(/0511\d{4}|Françoise/);
      expect([complaints, strangers]).toEqual([[], []]);
      await leave(page);
    });

    test("a workbook, from the choice of its column to a time of the account, by the keyboard alone on a telephone", async () => {
      const rows = [
        said("Contact client") + said("Autre") + said("Ville"),
        `<c><v>22605131001</v></c><c><v>2.2605131002E10</v></c>${said("Bobo")}`,
        `<c><v>22605131003</v></c><c><v>22605131004</v></c>${said("Ouaga")}`,
      ];
      const { page, complaints } = await visit("ACCOUNT_SENDER", "en", { width: 360, height: 740 });
      await page.locator("[name=text]").waitFor();
      await chosen(page, "clients.xlsx", Buffer.from(workbookOf(rows)));
      await page.locator("p.error", { hasText: "It is not clear which column" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      const column = page.locator("label", { hasText: "Which column holds" });
      const id = await column.getAttribute("for");
      await page.locator(`[id="${id}"]`).focus();
      await page.keyboard.press("A");
      await page.locator(".found", { hasText: "2 numbers were found" }).waitFor();
      await page.locator("[name=class]:checked").focus();
      await page.keyboard.press("ArrowDown");
      await page.locator("[name=text]").focus();
      await page.keyboard.type("See you in {vile}");
      await page.locator("button", { hasText: "Use {Ville}" }).focus();
      await page.keyboard.press("Enter");
      expect(await page.locator("[name=text]").inputValue()).toBe("See you in {Ville}");
      expect(await barriers(page)).toEqual([]);
      await page.locator("form.send button[type=submit]").focus();
      await page.keyboard.press("Enter");
      await page.locator(".stats").waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.locator("[name=when]:checked").focus();
      await page.keyboard.press("ArrowRight");
      const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
      await page.locator("[name=scheduled]").fill(`${day}T09:30`);
      await press(page, "Schedule 2 texts").waitFor();
      await press(page, "Schedule 2 texts").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/console/batches/*");
      const [batch] = await batches();
      expect(batch).toMatchObject({ status: "SCHEDULED", accepted: 2, message_class: "TRANSACTIONAL" });
      expect(String(batch?.scheduled_at)).toContain(`${day}T09:30:00`);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("an owner says for whom; pasted numbers; a lost answer and a reload send once", async () => {
      const { page, complaints } = await visit("OWNER", "fr");
      await page.locator("[name=account]").fill("faso");
      await page.locator("button.pick", { hasText: "Faso Shop" }).click();
      await page.locator("[name=source][value=paste]").check();
      await page.locator("[name=pasted]").fill("05 14 10 01, 05141002 ; 05141003\n05141003\nabc");
      await page.locator("[name=pasted]").fill("05 14 10 01, 05141002 ; 05141003\n05141003");
      await page.locator("button", { hasText: "Lire les numéros" }).click();
      await page.locator(".found", { hasText: "4 numéros" }).waitFor();
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await page.locator("[name=text]").fill("Ça commence à 8 h… Venez !");
      const guilty = await main(page);
      expect(guilty).toContain("… (points de suspension en un seul caractère) : remplaçable par ...");
      await page.locator("summary", { hasText: "Autres réglages" }).click();
      await page.locator("[name=reference]").fill("ouverture");
      expect(await barriers(page)).toEqual([]);
      await toCheck(page);
      await page.locator(".stats").waitFor();
      expect(await main(page)).toContain("Le numéro est déjà plus haut dans la liste");
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("a", { hasText: "Télécharger la liste" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe("non-envoyes.csv");
      const before = (await batches()).length;
      // The appliance takes it, and its answer is lost on the way.
      await page.route("**/console/api/send/*", async (route) => {
        await route.fetch();
        await route.abort();
      });
      await press(page, "Envoyer 3 textes").click();
      await page.locator(".error", { hasText: "Aucune réponse n’est arrivée" }).waitFor();
      await page.unroute("**/console/api/send/*");
      await page.reload();
      await press(page, "Envoyer 3 textes").click();
      await page.waitForURL("**/console/batches/*");
      await page.locator(".toast", { hasText: "n’a pas été envoyé une seconde fois" }).waitFor();
      expect((await batches()).length).toBe(before + 1);
      await page.locator(".progress .note", { hasText: "3 livrés" }).waitFor();
      for (const number of ["22605141001", "22605141002", "22605141003"])
        expect(handset(number).length).toBe(1);
      expect((await batches())[0]).toMatchObject({ client_reference: "ouverture" });
      // Whoever sent it reads it without a reason.
      await page.locator(".shown-text", { hasText: "Ça commence à 8 h… Venez !" }).waitFor();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("a file that the appliance let go is brought again by itself", async () => {
      const { page } = await visit("ACCOUNT_SENDER", "en");
      await page.locator("[name=text]").fill("Hello {nom}");
      // Marketing is not sent at night.
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await chosen(page, "a.csv", Buffer.from("tel;nom\r\n05151001;Awa\r\n"));
      await page.locator(".found").waitFor();
      // Two others of the same session take its place.
      await page.evaluate(`(async () => {
        const { account } = JSON.parse(sessionStorage.getItem("bendre.send"));
        for (const text of ["tel\\n05151001", "tel\\n05151002"])
          await fetch("/console/api/send/" + account + "/files", { method: "POST", body: text });
      })()`);
      await toCheck(page);
      await page.locator(".stats").waitFor();
      expect(await main(page)).toContain("Will be sent1");
      await leave(page);
    });

    test("a number that is out of service is not sent to again, and the page of its batch says so", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "en");
      await page.locator("[name=text]").fill("Come by today");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await page.locator("[name=source][value=paste]").check();
      await page.locator("[name=pasted]").fill("70112233\n05171001");
      await page.locator("button", { hasText: "Read the numbers" }).click();
      await page.locator(".found").waitFor();
      await toCheck(page);
      await press(page, "Send 2 texts").click();
      await page.waitForURL("**/console/batches/*");
      const [first] = await batches();
      await page.locator("button", { hasText: "Send again to those who failed" }).click();
      await page
        .locator("dialog p", { hasText: "There is nobody left whom another attempt could reach" })
        .waitFor();
      expect(await page.locator("dialog button.primary").count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      expect((await batches())[0]?.batch_id).toBe(first?.batch_id);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("what a spreadsheet spoilt and what is empty is told, and the file of it is corrected and sent again", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "fr", { width: 360, height: 740 });
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      const rows = [
        "Prénom;Téléphone",
        "Awa;05181001",
        ";05181002",
        "Ali;5181003",
        "Ali;7,6E+07",
        "Eve;05181001",
      ];
      await chosen(page, "clients.csv", Buffer.from(`${rows.join("\r\n")}\r\n`, "latin1"));
      await page.locator(".found", { hasText: "3 numéros" }).waitFor();
      expect(await main(page)).toContain("Il manque un chiffre à 1 numéro");
      expect(await main(page)).toContain("1 numéro est dans ce cas.");
      await page.locator("[name=text]").fill("Bonjour {Prénom}");
      await toCheck(page);
      await page.locator(".stats").waitFor();
      const told = await main(page);
      expect(told).toContain("5 lignes chargées = 2 à envoyer + 3 non envoyées (2 illisibles, 1 en double)");
      expect(told).toContain("{Prénom} est vide pour 1 personne : ligne 3");
      expect(told).toContain("Tout sera parti vers");
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
      await page.locator("button", { hasText: "Ne rien envoyer dans ce cas" }).click();
      await press(page, "Envoyer 1 texte ").waitFor();
      expect(await main(page)).toContain(
        "= 1 à envoyer + 4 non envoyées (2 illisibles, 1 en double, 1 : « Une balise du texte n’a pas de valeur »)",
      );
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("a", { hasText: "Télécharger la liste" }).click(),
      ]);
      const left = await Bun.file(String(await file.path())).text();
      expect(left).toContain("Ligne du fichier;reason_code;Motif du non-envoi;bendre_row;Prénom;Téléphone");
      expect(left).toMatch(/3;BALISE_SANS_VALEUR;Une balise du texte n’a pas de valeur;\w+-3;;'05181002/);
      const corrected = left
        .replace(";5181003", ";05181003")
        .replaceAll(/^.*(?:7,6E\+07|05181001).*\r\n/gm, "");
      await page.locator("button", { hasText: "Modifier" }).click();
      await page.locator("button", { hasText: "En prendre un autre" }).click();
      await chosen(page, "left-out.csv", Buffer.from(corrected));
      await page.locator(".found", { hasText: "2 numéros" }).waitFor();
      expect(await page.locator("main").textContent()).not.toContain("illisible");
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("pasted numbers count by themselves, also those of a moment ago, and while they are changed", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "en");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await page.locator("[name=source][value=paste]").check();
      await page.locator("[name=pasted]").fill("05191001\n05191002");
      await page.locator(".found", { hasText: "2 numbers were found" }).waitFor();
      await page.locator("[name=text]").fill("Come by today");
      await page.locator("[name=pasted]").fill("05191001\n05191002\n05191003");
      await page.locator("form.send button[type=submit]").focus();
      await page.keyboard.press("Enter");
      await press(page, "Send 3 texts").waitFor();
      await page.reload();
      await press(page, "Send 3 texts").waitFor();
      await page.goBack();
      expect(await page.locator("[name=text]").inputValue()).toBe("Come by today");
      await page.goForward();
      await press(page, "Send 3 texts").waitFor();
      await page.locator("button", { hasText: "Edit" }).click();
      await page.locator("[name=pasted]").fill("05191001");
      await page.reload();
      await page.locator(".found", { hasText: "1 number was found" }).waitFor();
      expect(await page.locator("[name=pasted]").inputValue()).toBe("05191001");
      await page.locator("[name=source][value=file]").check();
      await page.locator(".found").waitFor({ state: "detached" });
      await toCheck(page);
      await page.locator("[role=alert]", { hasText: "Add the phone numbers" }).waitFor();
      await page.locator("[name=source][value=paste]").check();
      await page.locator(".found", { hasText: "1 number was found" }).waitFor();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("what is begun anew is as it was when the page was opened, and the next file is read", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "fr");
      const sender = page.locator("[name=sender]:checked");
      const kind = page.locator("[name=class]:checked");
      await sender.waitFor();
      const first = [await sender.inputValue(), await kind.inputValue()];
      const file = Buffer.from("tel\r\n05192001\r\n05192002\r\n");
      for (const _ of ["once", "twice"]) {
        await page.locator("[name=class][value=TRANSACTIONAL]").check();
        await chosen(page, "a.csv", file);
        await page.locator(".found", { hasText: "2 numéros" }).waitFor();
        await page.locator("[name=text]").fill("Passez nous voir");
        await page.locator("button", { hasText: "Recommencer" }).click();
        await page.locator(".found").waitFor({ state: "detached" });
        await sender.waitFor();
        await kind.waitFor();
        expect([await sender.inputValue(), await kind.inputValue()]).toEqual(first);
        expect(await page.locator("[name=recipients]").inputValue()).toBe("");
        expect(await page.locator("[name=text]").inputValue()).toBe("");
      }
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await chosen(page, "a.csv", file);
      await page.locator(".found", { hasText: "2 numéros" }).waitFor();
      await page.locator("[name=text]").fill("Passez nous voir");
      await toCheck(page);
      await press(page, "Envoyer 2 textes").waitFor();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("a class that is chosen the moment that it is shown stays chosen", async () => {
      const { page, settled } = await visit("ACCOUNT_SENDER", "en");
      await page.addInitScript(`sessionStorage.clear();
        new MutationObserver((_changes, observer) => {
          const choice = document.querySelector("[name=class][value=TRANSACTIONAL]");
          if (choice === null) return;
          observer.disconnect();
          choice.click();
        }).observe(document, { childList: true, subtree: true });`);
      await page.reload();
      await page.locator("[name=class]:checked").waitFor();
      await settled();
      expect(await page.locator("[name=class]:checked").inputValue()).toBe("TRANSACTIONAL");
      // What it was told to do at each load stays with it.
      await page.context().close();
    });

    test("a tag is put where the text was left, and what is replaced is counted anew", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "fr");
      await page.locator("[name=class][value=TRANSACTIONAL]").check();
      await chosen(page, "a.csv", Buffer.from("tel;prénom\r\n05195001;Françoise\r\n"));
      await page.locator(".found").waitFor();
      const text = page.locator("[name=text]");
      const count = async () => plain(await page.locator(".count").textContent());
      await text.focus();
      await page.keyboard.type("Bonjour !");
      for (const _ of " !") await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Space");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.waitForFunction('document.activeElement?.name === "text"');
      await page.keyboard.type(" et merci");
      expect(await text.inputValue()).toBe("Bonjour {prénom} et merci !");
      // The name is dear, not the text.
      expect(await count()).toContain("caractères rares");
      await page.locator("button", { hasText: "Les remplacer à l’envoi" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction('document.activeElement?.name === "text"');
      expect(await count()).toContain("caractères courants");
      expect(await page.locator(".bubble").first().textContent()).toBe("Bonjour Francoise et merci !");
      await page.keyboard.press("Control+End");
      await page.keyboard.type(" … À bientôt");
      await toCheck(page);
      await page.locator(".stats").waitFor();
      expect(await main(page)).toContain("Sera envoyé11 SMS");
      expect(await main(page)).not.toContain("coûtent plus cher");
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("a pause is told on the start page, and before anything is written", async () => {
      await bendre.ask("operator pause", { CODE: "orange", reason: "facture impayée" });
      const { page, complaints } = await visit("ACCOUNT_SENDER", "fr");
      await page.locator(".notice", { hasText: "orange est en pause depuis le" }).waitFor();
      expect(await main(page)).not.toContain("facture");
      expect(await barriers(page)).toEqual([]);
      await page.goto(`${bendre.url()}/console`);
      await page.locator(".alarms", { hasText: "orange est en pause depuis le" }).waitFor();
      expect(await main(page)).not.toContain("Rien à signaler");
      expect(await main(page)).not.toContain("facture");
      await bendre.ask("operator resume", { CODE: "orange" });
      await page
        .locator(".all-well")
        .or(page.locator(".alarms:not(:has-text('en pause'))"))
        .first()
        .waitFor();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test("hostile and hopeless files are told in words, and the page goes on", async () => {
      const { page, complaints } = await visit("ACCOUNT_SENDER", "fr");
      await page.locator("[name=text]").waitFor();
      const large = join(directory, "large.csv");
      writeFileSync(large, "");
      Bun.spawnSync(["truncate", "-s", "500M", large]);
      await page.locator("[name=recipients]").setInputFiles(large);
      await page.locator("p.error", { hasText: "500 Mo, et 16 Mo sont le maximum" }).waitFor();
      const bomb = workbookOf([said("tel"), said("7".repeat(80_000_000))]);
      await chosen(page, "bombe.xlsx", Buffer.from(bomb));
      await page.locator(".error", { hasText: "décompressé, il est plus grand" }).waitFor();
      await chosen(page, "vieux.xls", Buffer.from("d0cf11e0a1b11ae1", "hex"));
      await page.locator(".error", { hasText: "ancien classeur" }).waitFor();
      const script = "<img src=x onerror=alert(1)>";
      await chosen(page, "script.csv", Buffer.from(`tel;${script}\r\n05161001;${script}\r\n${script};x\r\n`));
      await page.locator(".found", { hasText: "1 numéro" }).waitFor();
      expect(await page.locator("main img").count()).toBe(0);
      await page.locator("form.send button[type=submit]").click();
      await page.locator("[role=alert]", { hasText: "Écrivez le texte" }).waitFor();
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
