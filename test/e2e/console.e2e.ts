/** The console of the executable in a real browser, from the first link on. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { PASSWORD } from "../console/sample.ts";
import { configOf } from "./appliance.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { type Going, run, scratch, start } from "./executable.ts";

const found = findBrowser();
if (found === null) {
  process.stderr.write(
    "skipped: the console in a browser, for there is none; install Chromium or set CHROME_PATH\n",
  );
} else {
  describe("the console of the executable", () => {
    const place = scratch();
    const going: Going[] = [];
    let browser: Browser;
    let config = "";
    let link = "";
    const admin = (...words: string[]) => {
      const done = run(...words, "--config", config, "--json");
      expect([words.join(" "), done.exitCode, done.stderr]).toEqual([words.join(" "), 0, ""]);
      return (JSON.parse(done.stdout) as { data: Record<string, unknown> }).data;
    };
    beforeAll(async () => {
      const smsc = start("smsc", "--port", "0", "--json", "--strict");
      going.push(smsc);
      await smsc.until((output) => output.stdout().includes('"listening"'));
      const port = Number(smsc.events()[0]?.port);
      config = place.file("config.toml", configOf(join(place.path, "data"), { orange: port }));
      const server = start("serve", "--config", config);
      going.push(server);
      await server.until((output) => output.stdout().includes("#") && output.stderr().includes('"ready"'));
      link = /http\S*\/console\/link#\S+/.exec(server.stdout())?.[0] ?? "";
      mkdirSync(join(place.path, "browser"));
      browser = await openBrowser(found, join(place.path, "browser"));
    });
    afterAll(async () => {
      await browser?.close();
      for (const each of going) each.signal("SIGKILL");
      place.remove();
    });

    /** Sets password and second factor by a link; the recovery codes. */
    const setUp = async (page: Page, address: string, login: string | null): Promise<string[]> => {
      await page.goto(address);
      const secret = page.locator(".secret");
      await secret.waitFor();
      if (login !== null) await page.locator("[name=login]").fill(login);
      await page.locator("[name=password]").fill(PASSWORD);
      await page.locator("[name=again]").fill(PASSWORD);
      const base32 = String(await secret.textContent()).replaceAll(" ", "");
      await page.locator("[name=code]").fill(deriveCode(base32, Date.now()));
      await page.keyboard.press("Enter");
      await page.locator(".codes li").first().waitFor();
      const codes = await page.locator(".codes li").allTextContents();
      await page.locator(".button.primary").click();
      await page.locator(login === null ? ".stats" : ".steps").waitFor();
      return codes;
    };

    test("makes its owner by the link that the start printed, who sees the connection bound, live", async () => {
      const context = await browser.newContext({ locale: "fr" });
      const page = await context.newPage();
      await setUp(page, link, "awa@reseau.example");
      // What comes first: nothing is set up but an operator.
      await page.locator("h1", { hasText: "Que faire ensuite ?" }).waitFor();
      await page.locator(".steps .badge", { hasText: "à faire" }).first().waitFor();
      await page.locator(".home").click();
      await page.locator("h1", { hasText: "Est-ce que tout part ?" }).waitFor();
      // What is left of it stands once, first of what is to be done before clients come.
      await page.locator("section", { hasText: "À faire avant l’ouverture" }).locator("li").first().waitFor();
      const toDo = await page.locator("main li .alarm-title").allTextContents();
      expect(toDo.indexOf("Les premiers pas ne sont pas tous faits")).toBe(
        toDo.indexOf("Aucune sauvegarde n’a encore été faite") - 1,
      );
      expect(await page.locator("main a[href='/console/first']").count()).toBe(1);
      await page.locator("tr", { hasText: "orange" }).locator(".badge", { hasText: "En ligne" }).waitFor();
      const asOf = String(await page.locator(".as-of").textContent());
      await page.locator(".as-of", { hasNotText: asOf }).waitFor();
      // A first text leaves by a button; the command for it comes second.
      await page.goto(`${new URL(link).origin}/console/first`);
      const test = page.locator(".steps a", { hasText: "Envoyer un SMS d’essai" });
      await test.waitFor();
      await page.locator(".steps", { hasText: "operator test" }).waitFor();
      const steps = String(await page.locator(".steps").textContent());
      expect(steps.indexOf("Envoyer un SMS d’essai")).toBeLessThan(steps.indexOf("operator test"));
      await test.click();
      await page.locator("button", { hasText: "Envoyer un SMS d’essai" }).first().waitFor();
      await page.goto(link);
      await page.locator("h1", { hasText: "Ce lien n’est plus valable" }).waitFor();
      await context.close();
    });

    test("shows an account's people their own, in their language, and lets them out and in again", async () => {
      const account = String(
        admin("account", "create", "--name", "Boutique Faso", "--billing", "prepaid").account_id,
      );
      admin("wallet", "topup", account, "412500", "--reference", "first");
      const made = admin(
        "user",
        "create",
        "salif@b.example",
        "--role",
        "ACCOUNT_ADMIN",
        "--account",
        account,
      );
      const context = await browser.newContext({ locale: "en" });
      const page = await context.newPage();
      const strangers: string[] = [];
      const origin = new URL(link).origin;
      page.on("request", (request) => {
        if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:"))
          strangers.push(request.url());
      });
      const [code = ""] = await setUp(
        page,
        `${origin}/console/link#${String(made.link).split("#")[1]}`,
        null,
      );
      expect(await page.locator("h1").textContent()).toBe("How are your messages doing?");
      expect(await page.locator(".figure").first().textContent()).toBe("412,500\u00A0XOF");
      await page.goto(`${origin}/console/you`);
      await page.locator("td", { hasText: "this one" }).waitFor();
      await page.locator(".page-head .button").click();
      await page.locator("[name=login]").fill("salif@b.example");
      await page.locator("[name=password]").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.locator("[name=code]").waitFor();
      await page.locator(".button.quiet").click();
      await page.locator("[name=recovery]").fill(code);
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Where are you signed in" }).waitFor();
      expect(strangers).toEqual([]);
      await context.close();
    });
  });
}
