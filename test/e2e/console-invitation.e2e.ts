/** Inviting people in a real browser over the executable, with a real mail server. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SmtpServer, startSmtpServer } from "../kit/smtp-server.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { giveFactorAgain, leave, signIn } from "./console-visitor.ts";

const found = findBrowser();
const PUBLIC_URL = "https://sms.example.bf";
const LINK = /https:\/\/\S+\/console\/link#(\S+)/;

if (found === null) {
  process.stderr.write("skipped: invitations, for there is no browser\n");
} else {
  describe("an invitation", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-invitation-"));
    let server: SmtpServer;
    let bendre: Appliance;
    let browser: Browser;
    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      server = await startSmtpServer({ tls: "none" });
      const settings = `[alerts.smtp]\nhost = "127.0.0.1"\nport = ${server.port}\ntls = "none"\nfrom = "bendre@example.test"`;
      bendre = await appliance({ operators: {}, settings, server: `public_url = "${PUBLIC_URL}"` });
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      await server?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    const mailsTo = (login: string) => server.taken.filter(({ to }) => to.includes(login));
    /** The link of a mail, at the address where this appliance is. */
    const linkIn = (login: string, which: number) =>
      (LINK.exec(mailsTo(login)[which]?.text ?? "")?.[0] ?? "").replace(PUBLIC_URL, bendre.url());

    test("leaves by mail, opens the way in, and can be sent again; one that cannot leave is handed over", async () => {
      const owner = await signIn(bendre, browser, {
        login: "owner@example.bf",
        role: "OWNER",
        language: "fr",
      });
      const { page } = owner;
      await page.goto(`${bendre.url()}/console/users`);
      const invite = async (login: string): Promise<void> => {
        await page.locator("button", { hasText: "Inviter un collègue" }).click();
        await page.locator("[name=login]").fill(login);
        await page.locator("dialog select").selectOption("en");
        await page.keyboard.press("Enter");
      };
      await invite("awa@example.bf");
      await giveFactorAgain(owner);
      await page.locator(".notice", { hasText: "partie par e-mail à awa@example.bf" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(mailsTo("awa@example.bf")).toHaveLength(1);
      expect(mailsTo("awa@example.bf")[0]?.text).toContain("owner@example.bf gives you access");
      const first = linkIn("awa@example.bf", 0);
      const user = ((await bendre.ask("user list", {})).users as { login: string }[]).find(
        ({ login }) => login === "awa@example.bf",
      );
      expect(user).toMatchObject({ status: "INVITED", has_signed_in: false });

      await page.locator("button[aria-label='Gérer\u00A0: awa@example.bf']").click();
      await page.locator("dialog button", { hasText: "Renvoyer l’invitation" }).click();
      await page.locator("dialog").waitFor({ state: "detached" });
      const second = linkIn("awa@example.bf", 1);
      expect(second).not.toBe(first);

      const guest = await browser.newContext();
      const theirs = await guest.newPage();
      await theirs.goto(first);
      await theirs
        .getByText(/n’est plus valable|no longer valid/)
        .first()
        .waitFor();
      await theirs.goto("about:blank");
      await theirs.goto(second);
      await theirs.locator("input[type=password]").first().waitFor();
      expect(await theirs.locator("main, body").first().textContent()).toContain("awa@example.bf");
      await guest.close();

      server.answer = (line) => (line.startsWith("RCPT") ? "550 5.1.1 no such user" : null);
      await invite("ali@example.bf");
      await page.locator(".error", { hasText: "550 5.1.1 no such user" }).waitFor();
      expect(await page.locator(".once code").textContent()).toContain("/console/link#");
      server.answer = () => null;
      for (const link of [first, second]) expect(bendre.log()).not.toContain(link.split("#")[1] ?? "?");
      await leave(owner.page);
    });
  });
}
