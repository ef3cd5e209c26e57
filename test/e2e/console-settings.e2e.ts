/** What the console writes of the configuration, in a real browser over the executable: an appliance that starts from nothing. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Appliance, appliance, BRISK } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { giveFactorAgain, leave, signIn } from "./console-visitor.ts";
import { type Going, start } from "./executable.ts";
import { atNightAll } from "./night.ts";

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: the settings that the console writes, for there is no browser\n");
} else {
  describe("an appliance without any operator", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-settings-"));
    let bendre: Appliance;
    let browser: Browser;
    let smsc: Going;
    let port = "";

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      smsc = start("smsc", "--port", "0", "--json", "--user", "bendre:secret", ...BRISK);
      await smsc.until((output) => output.stdout().includes('"listening"'));
      port = String(smsc.events()[0]?.port);
    });
    afterAll(async () => {
      await browser?.close();
      smsc?.signal("SIGKILL");
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    test.each(
      atNightAll<{ readonly language: "en" | "fr"; readonly width: number }>(
        [{ language: "fr", width: 360 }],
        [{ language: "en", width: 1440 }],
      ),
    )(
      "is given one by its owner, who looks, puts it in force, corrects, takes it away and undoes ($language, $width)",
      async ({ language, width }) => {
        bendre?.close();
        bendre = await appliance({ operators: {}, settings: '[seller]\nname = "By hand"' });
        const owner = await signIn(bendre, browser, {
          login: `owner.${language}@example.bf`,
          role: "OWNER",
          language,
          screen: { viewport: { width, height: 740 } },
        });
        const { page } = owner;
        const kept = join(bendre.directory, "console.toml");
        const sound = async (): Promise<void> => {
          await owner.settled();
          expect(await barriers(page)).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        };
        const look = () => page.locator("main form [type=submit]").first().click();
        const put = () => page.locator(".verdict .primary").first().click();

        await page.goto(`${bendre.url()}/console/operators/new`);
        const typed = {
          name: "Réseau Telecel",
          prefixes: "58",
          price: "14 F",
          host0: "127.0.0.1:2775",
          port0: port,
          systemId0: "bendre",
          password0: "wrong",
        };
        for (const [name, value] of Object.entries(typed)) await page.locator(`[name=${name}]`).fill(value);
        expect(await page.locator("[name=code]").inputValue()).toBe("reseau");
        await page.locator("[name=code]").fill("telecel");
        await look();
        await giveFactorAgain(owner);
        // The fault of the configuration's own rule stands at its field, which has the focus.
        await page.locator("[name=host0][aria-invalid=true]:focus").waitFor();
        await sound();
        expect(existsSync(kept)).toBe(false);
        await page.locator("[name=host0]").fill("127.0.0.1");
        await look();
        await page.locator(".verdict td", { hasText: "operators.telecel" }).first().waitFor();
        await sound();
        expect(existsSync(kept)).toBe(false);
        await put();
        // It is in force at once; the password that the operator refuses is told.
        await page.locator(".next p").first().waitFor();
        const refused = language === "fr" ? "Comparez system_id" : "Compare system_id";
        await page.locator(".next p", { hasText: refused }).waitFor();
        await sound();
        expect(statSync(kept).mode & 0o777).toBe(0o600);
        expect(readFileSync(kept, "utf8")).not.toContain("wrong");

        // The page of the operator itself has the form to correct it, and the list leads there too.
        await page.locator("h1", { hasText: "Réseau Telecel" }).waitFor();
        const own = page.url();
        await page.goto(`${bendre.url()}/console/settings`);
        await page.locator("main td a", { hasText: "Réseau Telecel" }).click();
        await page.locator("h1", { hasText: "Réseau Telecel" }).waitFor();
        expect(page.url()).toBe(own);
        await page.locator("[name=password0]").fill("secret");
        await page.locator("[name=window0]").fill("20");
        await look();
        await page.locator(".verdict td", { hasText: "window" }).first().waitFor();
        await put();
        await page.locator(".next p", { hasText: language === "fr" ? "est ouverte" : "is open" }).waitFor();
        await sound();
        expect(readFileSync(kept, "utf8")).not.toContain("secret");

        // A second route, whose faults stand at its fields; put in force and taken back with one press.
        await page.goto(`${bendre.url()}/console/operators/telecel`);
        await page.locator(".page-head a.button").click();
        await page.locator("[name=first-cost]").fill("9");
        const route = { "route-name": "agg", "route-cost": "11,5", "route-order": "0" };
        const link = { host0: "127.0.0.1", port0: port, systemId0: "bendre", password0: "secret" };
        for (const [name, value] of Object.entries({ ...route, ...link }))
          await page.locator(`[name=${name}]`).fill(value);
        await look();
        await page.locator("[name=route-order][aria-invalid=true]:focus").waitFor();
        await sound();
        await page.locator("[name=route-order]").fill("2");
        await look();
        await page.locator(".verdict td", { hasText: "routes" }).first().waitFor();
        await sound();
        expect(readFileSync(kept, "utf8")).not.toContain("routes");
        await put();
        const isOpen = language === "fr" ? "est ouverte" : "is open";
        await page.locator(".next li").nth(1).locator("p", { hasText: isOpen }).waitFor();
        await sound();
        expect(readFileSync(kept, "utf8")).toContain("[operators.telecel.routes.agg]");
        await page.locator(".verdict button").click();
        await page.locator("[name=route-name]").waitFor();
        expect(readFileSync(kept, "utf8")).not.toContain("routes");

        // By the keyboard alone: a setting of its own, and one that stands by hand, which is only shown.
        await page.goto(`${bendre.url()}/console/settings`);
        await page.locator("dd", { hasText: "By hand" }).waitFor();
        expect(await page.locator("[name=seller-name]").count()).toBe(0);
        await page.locator("[name=alerts-sms]").focus();
        await page.keyboard.type("70 00 00 00");
        await page
          .locator("section", { has: page.locator("[name=alerts-sms]") })
          .locator("[type=submit]")
          .focus();
        await page.keyboard.press("Enter");
        await page.locator("[name=alerts-sms][aria-invalid=true]").waitFor();
        await sound();
        await page.locator("[name=alerts-sms]").fill("+22670000000");
        await page
          .locator("section", { has: page.locator("[name=alerts-sms]") })
          .locator("[type=submit]")
          .focus();
        await page.keyboard.press("Enter");
        await page.locator(".verdict:focus td", { hasText: "+22670000000" }).waitFor();
        await page.keyboard.press("Tab");
        while (!(await page.evaluate("document.activeElement.classList.contains('primary')")))
          await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.locator(".toast").waitFor();
        await owner.settled();
        expect(readFileSync(kept, "utf8")).toContain("+22670000000");

        // Taken away after a look, and brought back with one press.
        await page.locator("td button").first().click();
        await page.locator(".verdict td", { hasText: "operators.telecel" }).first().waitFor();
        await sound();
        await put();
        await page.locator("td button").first().waitFor({ state: "detached" });
        expect(Object.keys(await operatorsIn(bendre))).toEqual([]);
        await page.locator(".page-head button").click();
        await page.locator("td button").first().waitFor();
        expect(Object.keys(await operatorsIn(bendre))).toEqual(["telecel"]);

        // The next start goes by it, and the commands know it.
        expect(await bendre.end("SIGTERM")).toBe(0);
        const checked = bendre.admin("config", "check");
        expect(checked).toMatchObject({ console_file: kept, operators: ["telecel"] });
        await bendre.start();
        expect(Object.keys(await operatorsIn(bendre))).toEqual(["telecel"]);
        const { entries } = (await bendre.ask("audit list", {})) as {
          entries: { action: string; actor: string }[];
        };
        const done = entries.filter(({ action }) => action.startsWith("settings"));
        expect(done.map(({ action }) => action).sort()).toEqual([
          ...Array.from({ length: 5 }, () => "settings change"),
          ...Array.from({ length: 2 }, () => "settings undo"),
        ]);
        expect(bendre.log()).not.toContain('"secret"');
        expect([...owner.complaints, ...owner.strangers]).toEqual([]);
        await leave(owner.page);
      },
    );
  });
}

/** Operators that are in force. */
async function operatorsIn(bendre: Appliance): Promise<Readonly<Record<string, unknown>>> {
  const { settings } = (await bendre.ask("config show", {})) as {
    settings: { path: string; value: unknown }[];
  };
  const codes = settings.flatMap(({ path }) => /^operators\.([\w-]+)\./.exec(path)?.[1] ?? []);
  return Object.fromEntries(codes.map((code) => [code, true]));
}
