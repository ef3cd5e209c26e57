/** The first start of the executable, with a configuration anywhere: every command that is shown works as it stands. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Appliance, appliance, BRISK, configOf } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { leave, signIn } from "./console-visitor.ts";
import { type Going, scratch, start } from "./executable.ts";
import { atNightAll } from "./night.ts";

/** Types a line into a shell, in a directory that is nobody's. */
function typed(line: string): string {
  const done = Bun.spawnSync(["sh", "-c", line], { cwd: tmpdir(), stdout: "pipe", stderr: "pipe" });
  expect([line, done.exitCode, done.stderr.toString()]).toEqual([line, 0, ""]);
  return done.stdout.toString();
}

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: the first start in a browser, for there is none\n");
} else {
  describe("the first start", () => {
    const place = scratch();
    const directory = mkdtempSync(join(tmpdir(), "bendre-first-"));
    const going: Going[] = [];
    let browser: Browser;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
    });
    afterAll(async () => {
      await browser?.close();
      for (const each of going) each.signal("SIGKILL");
      place.remove();
      rmSync(directory, { recursive: true, force: true });
    });

    /** Starts the server; what it prints for people. */
    const served = async (config: string): Promise<{ server: Going; link: string; later: string }> => {
      const server = start("serve", "--config", config);
      going.push(server);
      await server.until(
        (output) => output.stdout().includes("--role OWNER") && output.stdout().endsWith("\n"),
      );
      const [, , link = "", , , later = ""] = server.stdout().trim().split("\n");
      return { server, link, later };
    };

    test.each([
      { locale: "fr", width: 360, title: "Ce lien n’est plus valable", help: "redémarrez le serveur" },
      {
        locale: "en",
        width: 1440,
        title: "This link is no longer valid",
        help: "start the appliance again",
      },
    ])(
      "a first link that another start replaced leads to that start, and the printed command to an owner ($locale)",
      async ({ locale, width, title, help }) => {
        const config = place.file(
          `my ${locale}.toml`,
          configOf(join(place.path, `data ${locale}`), { orange: 1 }),
        );
        const first = await served(config);
        first.server.signal("SIGTERM");
        await first.server.ended;
        const { link, later } = await served(config);
        // The second listens elsewhere: its port is any.
        const old = `${link.split("#")[0]}#${first.link.split("#")[1]}`;
        const context = await browser.newContext({ locale, viewport: { width, height: 740 } });
        const page = await context.newPage();
        await page.goto(old);
        await page.locator("h1", { hasText: title }).waitFor();
        await page.locator("main p", { hasText: help }).waitFor();
        expect(await page.locator("main code").textContent()).toMatch(
          /^bendre user create \S+ --role OWNER --config FILE$/,
        );
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        expect(await barriers(page)).toEqual([]);
        expect(later).toContain(`--config '${config}'`);
        const made = typed(`${later.replace("LOGIN", "awa@example.bf")} --json`);
        const { data } = JSON.parse(made) as { data: { link: string; role: string } };
        expect(data.role).toBe("OWNER");
        await page.goto(data.link);
        await page.locator("main", { hasText: "awa@example.bf" }).waitFor();
        await context.close();
      },
    );
  });

  describe("an operator is connected from the start page", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-connect-"));
    let bendre: Appliance;
    let browser: Browser;
    let smsc: Going;
    let port = "";

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      bendre = await appliance({ operators: { orange: "away" } });
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

    /** What is read in each language. */
    const READ = {
      en: {
        button: "Connect another operator",
        check: "Check it",
        again: "Check again",
        misread: "“44 to” lacks one end",
        left: "The password is still missing",
        refused: "Compare system_id",
        bound: "The connection is open",
        test: "Send a test SMS",
        delivered: "the operator is connected",
        another: "Nothing was sent.",
      },
      fr: {
        button: "Raccorder un autre opérateur",
        check: "Vérifier",
        again: "Vérifier à nouveau",
        misread: "« 44 to » est incomplet",
        left: "Le mot de passe manque encore",
        refused: "Comparez system_id",
        bound: "La connexion est ouverte",
        test: "Envoyer un SMS d’essai",
        delivered: "la connexion fonctionne",
        another: "Rien n’est parti.",
      },
    };
    test.each(
      atNightAll<{
        readonly language: "en" | "fr";
        readonly width: number;
        readonly code: string;
        readonly prefix: string;
      }>(
        [{ language: "en", width: 1440, code: "telecel", prefix: "58" }],
        [{ language: "fr", width: 360, code: "moov", prefix: "01" }],
      ),
    )(
      "its text is checked, the file's change is seen before it is in force, and the operator binds ($language, $width)",
      async ({ language, width, code, prefix }) => {
        const { button, check, again, misread, left, refused, bound, test, delivered, another } =
          READ[language];
        const owner = await signIn(bendre, browser, {
          login: `owner.${language}@example.bf`,
          role: "OWNER",
          language,
          screen: { viewport: { width, height: 740 } },
        });
        const { page } = owner;
        await page.locator("a.button", { hasText: button }).click();
        // An owner may have the server write it (console-settings.e2e.ts), or do it by hand.
        await page.locator("main button.quiet").click();
        const typedIn = {
          name: `Réseau ${code}`,
          host: "127.0.0.1",
          port,
          systemId: "bendre",
          throughput: "50 SMS/s",
        };
        await page.locator("[name=code]").fill(code.toUpperCase());
        for (const [name, value] of Object.entries({
          ...typedIn,
          prefixes: `${prefix}, 44 to`,
          price: "14 F",
        }))
          await page.locator(`[name=${name}]`).fill(value);
        await page.locator("button", { hasText: check }).click();
        // What is no prefix is named at its field, which has the focus; what is one is shown.
        await page.locator(".fault", { hasText: misread }).waitFor();
        await page.locator("[name=prefixes][aria-invalid=true]:focus").waitFor();
        expect(await page.locator(".read-prefixes li").allTextContents()).toEqual([prefix]);
        expect(await barriers(page)).toEqual([]);
        await page.locator("[name=prefixes]").fill(`+226 ${prefix}`);
        await page.locator("button", { hasText: check }).click();
        const text = String(await page.locator("pre.file").textContent());
        const shown = page.locator(".todo code", { hasText: "config reload" });
        const command = String(await shown.textContent());
        expect(command).toContain(`config reload --config ${bendre.config}`);
        expect(text).toContain("throughput = 50");
        await page.locator(".todo", { hasText: bendre.config }).waitFor();
        await owner.settled();
        expect(await barriers(page)).toEqual([]);
        expect(await page.locator("pre.file mark").textContent()).toBe('password = "…"');
        const before = readFileSync(bendre.config, "utf8");
        const put = async (password: string): Promise<void> => {
          writeFileSync(bendre.config, `${before}\n${text.replace("…", password)}`);
          await page.locator("button", { hasText: again }).click();
        };
        // The blank cannot be forgotten.
        await put("…");
        await page.locator(".verdict p", { hasText: left }).waitFor();
        const reload = async (): Promise<void> => {
          await page
            .locator(".verdict td", { hasText: `operators.${code}` })
            .first()
            .waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          await page.locator(".verdict .section-head button").nth(1).click();
          await page.locator("dialog .primary").click();
        };
        await put("wrong");
        await reload();
        await page.locator(".next p", { hasText: refused }).waitFor();
        await owner.settled();
        expect(await barriers(page)).toEqual([]);
        await put("secret");
        await reload();
        await page.locator(".next p", { hasText: bound }).waitFor();
        await page.locator(".verdict button", { hasText: test }).click();
        // A number of another operator shows nothing of this one: it takes a press of its own.
        await page.locator("dialog [name=msisdn]:focus").fill("70112233");
        await page.keyboard.press("Enter");
        await page.locator("dialog .error", { hasText: another }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.locator("dialog .error button", { hasText: `Réseau ${code}` }).waitFor();
        await page.locator("dialog [name=msisdn]").fill(`${prefix}123456`);
        await page.keyboard.press("Enter");
        await page.locator("dialog .outcome", { hasText: delivered }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press("Escape");
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        // The command that was shown does the same; nothing is left to change.
        expect(JSON.parse(typed(`${command} --json`))).toMatchObject({ data: { changes: [], restart: [] } });
        expect([...owner.complaints, ...owner.strangers]).toEqual([]);
        await leave(owner.page);
      },
    );

    test("operations words it without a price, which the owner sets, and is told so", async () => {
      const who = { login: "operations@example.bf", role: "OPERATIONS", language: "fr" } as const;
      const { page, settled, complaints } = await signIn(bendre, browser, {
        ...who,
        screen: { viewport: { width: 360, height: 740 } },
      });
      await page.locator("a.button", { hasText: READ.fr.button }).click();
      const typedIn = { code: "coris", name: "Coris", host: "127.0.0.1", port, systemId: "bendre" };
      for (const [name, value] of Object.entries({ ...typedIn, prefixes: "59" }))
        await page.locator(`[name=${name}]`).fill(value);
      expect(await page.locator("[name=price]").count()).toBe(0);
      await page.locator("button", { hasText: READ.fr.check }).click();
      await page.locator(".verdict p", { hasText: "Il manque le prix" }).waitFor();
      expect(await page.locator("pre.file").textContent()).toMatch(/^# price =$/m);
      await settled();
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await leave(page);
    });
  });
}
