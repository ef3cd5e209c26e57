/** The console's pages about the appliance itself, in a real browser over the executable: each does its main thing, and it happened. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import type { Appliance, Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { consoleTown } from "./console-town.ts";
import { signIn, type Visitor } from "./console-visitor.ts";

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: the appliance in the console, for there is no browser\n");
} else {
  describe("the pages about the appliance", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-state-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let operations: Visitor;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      ({ bendre, shop } = await consoleTown());
      operations = await signIn(bendre, browser, {
        login: "ops@example.bf",
        role: "OPERATIONS",
        language: "fr",
      });
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
    const entries = (...words: string[]): Json[] =>
      (bendre.admin("audit", "list", ...words).entries ?? []) as Json[];

    test("a backup is made while one looks, is checked, and restored for a trial", async () => {
      const { page } = operations;
      await go(operations, "/backups");
      await page.locator(".empty-title").waitFor();
      await page.locator(".page-head .button").click();
      await page.locator("[role=status]", { hasText: "fini le" }).waitFor();
      await page.locator("td", { hasText: ".bak" }).or(page.locator("tbody tr")).first().waitFor();
      const [backup] = ((await bendre.ask("backup list", {})).backups ?? []) as Json[];
      expect(existsSync(String(backup?.file))).toBe(true);
      await page.locator("td .button").first().click();
      await page.locator("[role=status]", { hasText: "fini le" }).waitFor();
      await page.locator(".section-head .button").click();
      // A small backup is restored before anybody sees it under way.
      await page.locator("h2", { hasText: /essai de restauration (est en cours|a réussi)/ }).waitFor();
      await page.locator("[role=status]", { hasText: "fini le" }).waitFor();
      await page.locator("dd", { hasText: "a été restaurée en entier" }).waitFor();
      expect(await barriers(page)).toEqual([]);
    });

    test("what an edit of the file would change is shown, and put in force", async () => {
      const { page } = operations;
      const reloads = () => entries("--action", "config reload").length;
      const before = reloads();
      const file = readFileSync(bendre.config, "utf8");
      writeFileSync(bendre.config, `${file.replace("window = 100", "window = 60")}`);
      await go(operations, "/state");
      await page.locator("td", { hasText: "window" }).first().waitFor();
      await page.locator("button", { hasText: "Recharger le fichier" }).click();
      await page.locator("dialog .primary").click();
      await page.locator(".toast").waitFor();
      await page
        .locator("p", { hasText: "Rien : tout ce qui est dans le fichier est déjà appliqué" })
        .waitFor();
      expect(reloads()).toBe(before + 1);
      writeFileSync(bendre.config, `${file}\n[delivery]\nno_such_key = 1\n`);
      await go(operations, "/state");
      await page.locator(".error-title", { hasText: "ne peut pas être appliqué" }).waitFor();
      writeFileSync(bendre.config, `${file}\n[storage]\n`);
      await go(operations, "/state");
      await page.locator(".error li", { hasText: "storage est défini deux fois, ligne" }).waitFor();
      writeFileSync(bendre.config, file);
      await page.locator("main a[href='/console/state/settings']").click();
      await page.locator("[name=setting]").fill("system_id");
      await page.locator("td", { hasText: "bendre" }).first().waitFor();
      expect(await page.locator("main").textContent()).not.toContain("secret\n");
    });

    test("while everything is paused, the page says since when, by whom and why, and leads to where it ends", async () => {
      const { page } = operations;
      const { connections, numbers } = (await bendre.ask("operator status", {})) as Record<string, Json[]>;
      const lines = new Set([...(connections ?? []), ...(numbers ?? [])].map((one) => String(one.operator)));
      for (const line of lines) await bendre.ask("operator pause", { CODE: line, reason: "travaux" });
      await go(operations, "/state");
      const told = page.locator(".error", { hasText: "Tout est en pause" });
      await told.waitFor();
      expect(await told.textContent()).toMatch(/en pause depuis le .*, par .*travaux/);
      expect(await barriers(page)).toEqual([]);
      await told.locator("a").click();
      await page.waitForURL("**/console/operators");
      for (const line of lines) await bendre.ask("operator resume", { CODE: line });
      await go(operations, "/state");
      expect(await page.locator(".error", { hasText: "Tout est en pause" }).count()).toBe(0);
    });

    test("a rule is silenced for a while, and that is in the audit with who and from where", async () => {
      const { page } = operations;
      await go(operations, "/alarms");
      await page.locator("td .button").first().click();
      await page.locator("[name=until]").selectOption("3h");
      await page.locator("dialog .primary").click();
      await page.locator("td", { hasText: "en sourdine jusqu’au" }).waitFor();
      const [silenced] = entries("--action", "alert silence");
      expect(silenced?.actor).toContain("ops@example.bf");
    });

    test("whom alarms go to is seen by number, and a test stays in view with who asked for it", async () => {
      const { page } = operations;
      const file = readFileSync(bendre.config, "utf8");
      const [alerts, number] = ["[alerts]", "+22670000009"];
      expect(file).not.toContain(alerts);
      writeFileSync(bendre.config, `${file}\n${alerts}\nsms = ["${number}"]\n`);
      await bendre.ask("config reload", {});
      await go(operations, "/alarms");
      await page.locator("dd", { hasText: "+226 70 00 00 09" }).waitFor();
      await page.locator("button", { hasText: "Envoyer un essai" }).click();
      await page.locator("dialog .primary").click();
      await page.locator("main li.notice", { hasText: "Par SMS · +226 70 00 00 09" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await go(operations, "/alarms");
      const row = page.locator("tr", { hasText: "Essai, pas une alarme" });
      await row.waitFor();
      expect(await row.textContent()).toMatch(/ops@example\.bf.*Par SMS · \+226…09/);
      // Beside what rang since the start, a test is none that rang.
      const [, history = ""] =
        /Historique des alarmes(.*)$/s.exec(String(await page.locator("main").textContent())) ?? [];
      expect(history).not.toBe("");
      expect(history).not.toContain("Essai, pas une alarme");
      writeFileSync(bendre.config, file);
      await bendre.ask("config reload", {});
    });

    test("a change of an operator that waits in the file is told among the operators, with the way there", async () => {
      const { page } = operations;
      const file = readFileSync(bendre.config, "utf8");
      writeFileSync(bendre.config, file.replace("window = 100", "window = 61"));
      await go(operations, "/operators");
      await page.locator("main a", { hasText: "Le voir et recharger le fichier" }).click();
      await page.waitForURL("**/console/state");
      writeFileSync(bendre.config, file);
      await go(operations, "/operators");
      expect(await page.locator("main a", { hasText: "recharger le fichier" }).count()).toBe(0);
    });

    test("an account's administrator sees what was done to their account, and takes it away as a file", async () => {
      const admin = await signIn(bendre, browser, {
        login: "admin@shop.bf",
        role: "ACCOUNT_ADMIN",
        language: "en",
        account: shop.accountId,
      });
      await go(admin, "/audit");
      const text = String(await admin.page.locator("main").textContent());
      expect(text).toContain("Set a price");
      expect(text).toContain("the provider's staff");
      expect(text).toContain("command line");
      const rows = String(await admin.page.locator("main tbody").textContent());
      expect(rows).not.toContain("ops@example.bf");
      expect(rows).not.toContain("Silenced an alarm");
      const [file] = await Promise.all([
        admin.page.waitForEvent("download"),
        admin.page.locator("a[download]").click(),
      ]);
      expect(await Bun.file(String(await file.path())).text()).toContain("price set");
      expect([...admin.complaints, ...admin.strangers, ...operations.complaints]).toEqual([]);
    });
  });
}
