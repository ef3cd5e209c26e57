/** The console's pages about traffic, in a real browser over the executable: each does its main thing, and it happened. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { listed } from "./console-acts.ts";
import { leave, signIn } from "./console-visitor.ts";

/** A number whose Cloud API nobody answers for. */
const WHATSAPP = `
[whatsapp]
api = "http://127.0.0.1:1"
app_secret = "s3cret"
verify_token = "verify"
[whatsapp.numbers.main]
phone_number_id = "1"
waba_id = "2"
token = "t0ken"
`;

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the console over the executable, for there is no browser\n");
} else {
  describe("the pages about traffic", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-traffic-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let delivered: string;
    let waiting: string;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({
        operators: { orange: [...BRISK, "--control"], moov: "away" },
        settings: WHATSAPP,
      });
      shop = await bendre.tenant("Faso Shop");
      delivered = await sent("70000001", "22605112233", "Bonjour Awa, 4711");
      waiting = await sent("70000002", "22670112233", "En attente");
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    /** Sends one text; the id of its batch. */
    async function sent(reference: string, msisdn: string, body: string): Promise<string> {
      const answer = await fetch(`${bendre.url()}/public/v1/batches`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${shop.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": reference,
        },
        body: JSON.stringify({
          sender: "ACME",
          body,
          message_class: "TRANSACTIONAL",
          client_reference: reference,
          recipients: [{ msisdn }, { msisdn: "not a number" }],
        }),
      });
      expect(answer.status).toBe(202);
      return String(((await answer.json()) as { data: Json }).data.batch_id);
    }

    const signedIn = async (login: string, role: Role, language: "en" | "fr"): Promise<Page> =>
      (await signIn(bendre, browser, { login, role, language })).page;

    const go = (page: Page, path: string) => page.goto(`${bendre.url()}/console${path}`);
    const audited = async (action: string): Promise<Json[]> =>
      ((await bendre.ask("audit list", { action: action })).entries ?? []) as Json[];

    test("support finds what became of a text in a few keys and its number, and reads it for a reason", async () => {
      const page = await signedIn("support@example.bf", "SUPPORT", "fr");
      await page.locator("h1").waitFor();
      // Keys are listened to from the frame after the one that shows the page.
      await page.evaluate(
        "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))",
      );
      await page.keyboard.press("/");
      await page.waitForFunction('document.activeElement?.id === "search"');
      await page.keyboard.type("05 11 22 33");
      await page.locator("[role=option]").first().waitFor();
      await page.keyboard.press("Enter");
      await page.locator("td a", { hasText: "+226 05 11 22 33" }).click();
      await page.locator("h1", { hasText: "Message au +226 05 11 22 33" }).waitFor();
      await page.locator(".timeline .moment", { hasText: "Livré" }).first().waitFor();
      expect(await page.locator("main").textContent()).not.toContain("Bonjour Awa");
      await page.locator("button", { hasText: "Afficher le texte" }).click();
      await page.locator("[name=reason]").fill("réclamation du 3 mars");
      await page.keyboard.press("Enter");
      await page.locator("blockquote", { hasText: "Bonjour Awa, 4711" }).waitFor();
      expect(await audited("message text")).toMatchObject([
        { actor: expect.stringContaining("support@example.bf") },
      ]);
      expect(bendre.log()).not.toMatch(/05112233|Bonjour Awa/);
      await leave(page);
    });

    test("why somebody got nothing is found by the number, and filters go by names", async () => {
      const foreign = "+33612345678";
      const answer = await shop.api.post("left-out", {
        sender: "ACME",
        body: "Bonjour",
        message_class: "TRANSACTIONAL",
        client_reference: "spring",
        recipients: [{ msisdn: "22605112299" }, { msisdn: foreign }],
      });
      const batch = String(answer.data.batch_id);
      const page = await signedIn("support-names@example.bf", "SUPPORT", "fr");
      await page.locator("h1").waitFor();
      await page.locator("#search").fill("+33 6 12 34 56 78");
      const hit = page.locator("[role=option]", { hasText: "Laissé de côté par le lot du" });
      await hit.waitFor();
      expect(await hit.textContent()).toContain("Aucun opérateur d’ici ne dessert ce numéro");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/console/batches/${batch}`);
      await go(page, `/messages?number=${encodeURIComponent(foreign)}`);
      const why = page.locator("tr", { hasText: "Aucun opérateur d’ici ne dessert ce numéro" });
      await why.locator("a").waitFor();
      expect(await barriers(page)).toEqual([]);
      // What cannot be looked for is said as that, and is no fault of the appliance.
      await go(page, "/messages?number=70%2012%2034");
      const refusal = page.locator(".field", { has: page.locator("[name=number]") }).locator(".fault");
      await refusal.waitFor();
      expect(await refusal.textContent()).toBe("«\u00a070 12 34\u00a0» a 6 chiffres au lieu de 8");
      expect(await page.locator("main").textContent()).not.toContain("qui gère le serveur");
      // One place alone is meant: Enter goes there without waiting for the list.
      await page.locator("#search").fill("Faso Sho");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/console/accounts/${shop.accountId}`);
      await go(page, "/messages");
      await page.locator("[name=account]").fill("faso shop");
      await page.waitForURL(`**/messages?account=${shop.accountId}`);
      expect(await page.locator("[name=account]").inputValue()).toBe("Faso Shop");
      const errors = page.locator(".filters select", {
        has: page.locator("option[value=ABSENT_SUBSCRIBER]"),
      });
      const absent = errors.locator("optgroup option[value=ABSENT_SUBSCRIBER]");
      expect(await absent.textContent()).toBe("Téléphone injoignable");
      await errors.selectOption("ABSENT_SUBSCRIBER");
      await page.locator(".filters .hint", { hasText: "téléphone" }).waitFor();
      await errors.selectOption("");
      await page
        .locator(".filters select", { has: page.locator("option", { hasText: "moov" }) })
        .selectOption("moov");
      await page.waitForURL("**operator=moov**");
      await page.locator("td a", { hasText: "+226 70 11 22 33" }).waitFor();
      await leave(page);
    });

    test("several people with one end of a number are opened as a list, and none of them silently", async () => {
      await sent("70000311", "22605319003", "Pour l’une");
      await sent("70000312", "22605429003", "Pour l’autre");
      const { page } = await signIn(bendre, browser, {
        login: "support-ends@example.bf",
        role: "SUPPORT",
        language: "fr",
      });
      await page.locator("#search").fill("9003");
      const first = page.locator("[role=option]").first();
      await first.waitFor();
      expect(await first.getAttribute("aria-selected")).toBe("true");
      expect(await first.textContent()).toContain("Tous ceux dont le numéro contient ces chiffres");
      const hits = page.locator(".hits");
      expect(await hits.textContent()).toContain("Les flèches pour choisir, Entrée pour ouvrir");
      expect(await hits.textContent()).not.toContain("au lieu de");
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/console/messages?number=9003");
      for (const number of ["+226 05 31 90 03", "+226 05 42 90 03"])
        await page.locator("td a", { hasText: number }).waitFor();
      expect(await page.locator(".filters .fault").count()).toBe(0);
      await page.locator("#search").fill("…29003");
      await page.locator("[role=option]", { hasText: "+226 05 42 90 03" }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/console\/messages\/[0-9A-Z]{26}$/);
      await leave(page);
    });

    test("operations see what waits, pause an operator and let it go on", async () => {
      const page = await signedIn("ops@example.bf", "OPERATIONS", "en");
      await go(page, "/queue");
      await page.locator("td", { hasText: "moov" }).first().waitFor();
      await go(page, "/operators");
      // An only connection is paused with its operator: one button says which.
      await page
        .locator("section", { hasText: "moov" })
        .locator("button", { hasText: /^Pause/ })
        .first()
        .waitFor();
      expect(await page.locator("td button", { hasText: "Pause" }).count()).toBe(0);
      await page
        .locator(".section-head button", { hasText: /^Pause/ })
        .first()
        .click();
      const asked = String(await page.locator("dialog").textContent());
      for (const told of ["wait longer than", "already sent are not affected", "pages show the pause"])
        expect(asked).toContain(told);
      await page.locator("[name=reason]").fill("they asked us to");
      await page.locator("dialog .danger").click();
      await page
        .locator("button", { hasText: /^Resume/ })
        .first()
        .waitFor();
      const paused = ((await bendre.ask("operator status", {})).connections as Json[]).map(
        (one) => one.paused,
      );
      expect(paused).toContain("they asked us to");
      await page
        .locator("button", { hasText: /^Resume/ })
        .first()
        .click();
      await page.locator("button", { hasText: /^Resume/ }).waitFor({ state: "detached" });
      expect((await audited("operator")).map(({ action }) => action)).toEqual([
        "operator resume",
        "operator pause",
      ]);
      const ofNumber = (verb: string, operator = "whatsapp:main") =>
        page.locator("button", { hasText: `${verb} ${operator}` });
      await ofNumber("Pause").click();
      await page.locator("[name=reason]").fill("its bill is looked at");
      await page.locator("dialog .danger").click();
      await ofNumber("Resume").waitFor();
      expect((await bendre.ask("operator status", {})).numbers).toMatchObject([
        { paused: "its bill is looked at" },
      ]);
      expect(await barriers(page)).toEqual([]);
      await ofNumber("Resume").click();
      await ofNumber("Pause").waitFor();
      expect((await bendre.ask("operator status", {})).numbers).toMatchObject([{ paused: null }]);
      // Everything at once: each is paused by itself, for the same reason, and resumed by itself.
      await page.locator("button.plain", { hasText: "Pause everything" }).click();
      await page.locator("dialog p", { hasText: "whatsapp:main" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.locator("[name=reason]").fill("an incident");
      await page.locator("dialog .danger").click();
      await page.locator("button.plain", { hasText: "Pause everything" }).waitFor({ state: "detached" });
      await page.locator("dialog").waitFor({ state: "detached" });
      const { connections, numbers } = await bendre.ask("operator status", {});
      const all = [...(connections as Json[]), ...(numbers as Json[])];
      expect(all.map((one) => one.paused)).toEqual(all.map(() => "an incident"));
      for (const operator of new Set(all.map((one) => String(one.operator)))) {
        await ofNumber("Resume", operator).click();
        await ofNumber("Pause", operator).waitFor();
      }
      await leave(page);
    });

    test("what waits for an operator is told as it leaves, and resuming it asks first where much does", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "ops-resumes@example.bf",
        role: "OPERATIONS",
        language: "fr",
      });
      const orange = page.locator("section", { has: page.locator("h2", { hasText: /^orange$/ }) });
      const told = (count: number) =>
        orange.locator("p.note", { hasText: new RegExp(`(^|\\D)${count} en attente`) });
      const resume = orange.locator("button", { hasText: "Reprendre orange" });
      await bendre.ask("operator pause", { CODE: "orange", reason: "travaux" });
      await go(page, "/operators");
      await told(0).waitFor();
      await sent("70000301", "22605112301", "Un seul");
      await told(1).waitFor();
      await resume.click();
      await told(0).waitFor();
      expect(await page.locator("dialog").count()).toBe(0);
      await bendre.ask("operator pause", { CODE: "orange", reason: "travaux" });
      await go(page, "/operators");
      const accepted = await shop.api.post("many-wait", {
        sender: "ACME",
        body: "Bonjour",
        message_class: "TRANSACTIONAL",
        recipients: Array.from({ length: 120 }, (_, place) => ({ msisdn: `22605113${100 + place}` })),
      });
      expect(accepted.status).toBe(202);
      await told(120).waitFor();
      await resume.click();
      await page.locator("dialog p", { hasText: "120 messages attendent" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.locator("dialog .primary").click();
      await told(0).waitFor();
      await leave(page);
    });

    test("the templates of WhatsApp say that Meta has told of none yet", async () => {
      const page = await signedIn("ops-templates@example.bf", "OPERATIONS", "en");
      await go(page, "/templates");
      await page.locator(".empty-title", { hasText: "No templates yet" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await leave(page);
    });

    test("a batch is found by its client's name, who was left out is a file, and it is called off", async () => {
      const page = await signedIn("owner@example.bf", "OWNER", "en");
      await go(page, `/batches?reference=70000002`);
      await page.locator("td a").first().click();
      await page.locator("h1", { hasText: "70000002" }).waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("a", { hasText: "Download those who get nothing" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`not-sent-${waiting}.csv`);
      await page.locator("button", { hasText: "Cancel the batch" }).click();
      expect(await page.locator("dialog").textContent()).toContain("1 message has not left: it is cancelled");
      expect(await page.locator("dialog").textContent()).toContain("The reason is shown on the batch page");
      await page.locator("[name=reason]").fill("wrong text");
      await page.locator("dialog .danger").click();
      await page.locator("p", { hasText: "Cancelled: wrong text" }).waitFor();
      expect(await bendre.ask("batch show", { BATCH: waiting })).toMatchObject({ status: "CANCELLED" });
      expect(await bendre.ask("batch show", { BATCH: delivered })).not.toMatchObject({ status: "CANCELLED" });
      await leave(page);
    });

    test("a number is put on a list, found on it, and lifted; a file is imported", async () => {
      const page = await signedIn("second@example.bf", "OWNER", "fr");
      await go(page, "/suppressions");
      await page.locator("[name=msisdn]").fill("05 99 88 77");
      await page.locator("button.primary", { hasText: "Ajouter un numéro" }).click();
      await page.locator("td", { hasText: "+226 05 99 88 77" }).first().waitFor();
      const csv = join(directory, "numbers.csv");
      writeFileSync(csv, "05998866\n05998855\n");
      await page.locator("input[type=file]").setInputFiles(csv);
      await page.locator("button", { hasText: "Importer un fichier" }).click();
      await page.locator("td", { hasText: "+226 05 99 88 55" }).first().waitFor();
      const listed = async () =>
        ((await bendre.ask("suppression list", { everywhere: "" })).suppressions as Json[]).map(
          ({ msisdn }) => msisdn,
        );
      expect(await listed()).toEqual(["+22605998855", "+22605998866", "+22605998877"]);
      // Lists of accounts stand on the same page.
      await bendre.ask("suppression add", { ACCOUNT: shop.accountId, MSISDN: "05998844", class: "OTP" });
      await go(page, "/suppressions");
      const row = page.locator("tr", { hasText: "+226 05 99 88 44" });
      await row.waitFor();
      expect(await row.textContent()).toContain("Faso Shop");
      expect(await page.locator("tr", { hasText: "+226 05 99 88 66" }).textContent()).toContain("Partout");
      await go(page, "/suppressions?number=05998877");
      const lists = page.locator("table", { has: page.locator("caption", { hasText: "+226 05 99 88 77" }) });
      await lists.locator("button", { hasText: "Retirer" }).click();
      await page.locator("dialog .danger").click();
      await page.locator("[role=status]", { hasText: "Il n’est sur aucune liste" }).waitFor();
      expect(await listed()).toEqual(["+22605998855", "+22605998866"]);
      await leave(page);
    });

    test("what is in doubt and what came in have pages that say so where there is nothing", async () => {
      const page = await signedIn("third@example.bf", "OWNER", "en");
      await go(page, "/doubts");
      await page.locator(".empty-title", { hasText: "Every receipt matched a message" }).waitFor();
      await go(page, "/inbound");
      await page.locator(".empty-title", { hasText: "Nothing has come in yet" }).waitFor();
      await leave(page);
    });

    test("nobody reads that all is well while a text is put off again and again, or an operator is paused", async () => {
      const visitor = await signIn(bendre, browser, {
        login: "watch@example.bf",
        role: "OPERATIONS",
        language: "fr",
        screen: { viewport: { width: 360, height: 740 } },
      });
      const { page } = visitor;
      // The simulated operator answers 0x08 to this number, always, and takes the other.
      await sent("70000901", "22605199011", "Remis à plus tard");
      await sent("70000902", "22605112244", "Part aussitôt");
      await page
        .locator(".alarms li", { hasText: "1 message attend, car orange l’a remis à plus tard" })
        .waitFor();
      expect(await page.locator("main .all-well").count()).toBe(0);
      // What stops sending stands apart, here and on the page of alarms.
      const stopping = page.locator(".alarms.stops li", { hasText: "moov" }).first();
      await stopping.waitFor();
      expect(await page.locator("main h2").first().textContent()).toBe("Trafic");
      await go(page, "/alarms");
      await stopping.waitFor();
      await go(page, "");
      await bendre.ask("operator pause", { CODE: "orange", reason: "travaux" });
      const paused = page.locator(".alarms li", { hasText: "orange est en pause" });
      await paused.waitFor();
      expect(await paused.textContent()).toContain("travaux");
      expect(await barriers(page)).toEqual([]);
      await paused.locator("a").click();
      await page
        .locator("section", { hasText: "orange" })
        .locator(".badge", { hasText: "En pause" })
        .first()
        .waitFor();
      await bendre.ask("operator resume", { CODE: "orange" });
      await go(page, "");
      await page.locator(".alarms a[href*='/messages']").click();
      await page
        .locator("main td a", { hasText: "05 19 90 11" })
        .or(page.locator("main td a", { hasText: "22605199011" }))
        .click();
      await page.locator("main", { hasText: "0x08" }).waitFor();
      await leave(page);
    });

    test("an operator that says 'too fast' is shown with what was granted of what was asked for, and why", async () => {
      const { page } = await signIn(bendre, browser, {
        login: "pace@example.bf",
        role: "SUPPORT",
        language: "en",
      });
      bendre.types("orange", "set throttle-per-second 1");
      const accepted = await shop.api.post("many", {
        sender: "ACME",
        body: "Vite",
        message_class: "TRANSACTIONAL",
        recipients: Array.from({ length: 40 }, (_, at) => ({
          msisdn: `226051155${String(at).padStart(2, "0")}`,
        })),
      });
      expect(accepted.status).toBe(202);
      await poll(
        async () => listed(await bendre.ask("operator status", {}), "connections")[0],
        (link) => Number(link?.throttled) > 0,
      );
      await go(page, "/operators");
      const notice = page.locator(".notice", { hasText: "since the start that this is too fast (0x58)" });
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(
        /^orange has said .* At most \d[\d,]* of 10,000 a second are sent now/,
      );
      expect(await barriers(page)).toEqual([]);
      bendre.types("orange", "set throttle-per-second 0");
      await leave(page);
    });
  });
}
