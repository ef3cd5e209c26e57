/** The console's pages about access, in a real browser over the executable: each does its main thing, and it happened. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import type { Json } from "./api.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import {
  giveFactorAgain,
  leave,
  signIn,
  VISITOR_PASSWORD,
  type Visitor,
  type Who,
} from "./console-visitor.ts";
import { atNightAll } from "./night.ts";

const found = findBrowser();

if (found === null) {
  process.stderr.write("skipped: the console over the executable, for there is no browser\n");
} else {
  describe("the pages about access", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-access-"));
    /** What the receiver heard, and what it answers. */
    const heard: Json[] = [];
    let answers = 200;
    let onHeard = () => {};
    /** Resolves once so many events of a type were heard. */
    const hears = (type: string, count: number): Promise<void> =>
      new Promise((resolve) => {
        onHeard = () => {
          if (heard.filter((one) => one.type === type).length >= count) resolve();
        };
        onHeard();
      });
    const receiver = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
      fetch: async (request) => {
        heard.push((await request.json()) as Json);
        onHeard();
        return new Response(null, { status: answers });
      },
    });
    const hook = `https://127.0.0.1:${receiver.port}/bendre`;
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let other: Tenant;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      const authority = join(directory, "authority.pem");
      writeFileSync(authority, TEST_AUTHORITY);
      const settings = `[webhooks]\nallow_private_targets = true\nca_file = "${authority}"`;
      bendre = await appliance({ operators: { orange: BRISK, moov: "away" }, settings });
      shop = await bendre.tenant("Faso Shop");
      other = await bendre.tenant("Sahel Assurances");
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      await receiver.stop(true);
      rmSync(directory, { recursive: true, force: true });
    });

    const visit = (who: Who): Promise<Visitor> => signIn(bendre, browser, who);
    const go = (page: Page, path: string) => page.goto(`${bendre.url()}/console${path}`);
    const audited = async (action: string): Promise<Json[]> =>
      ((await bendre.ask("audit list", { action: action })).entries ?? []) as Json[];
    /** Holds the next request for a path; `asked` resolves with what lets it go on. */
    const held = async (page: Page, path: string): Promise<{ asked: Promise<() => Promise<void>> }> => {
      const { promise: asked, resolve } = Promise.withResolvers<() => Promise<void>>();
      await page.route(path, (route) => resolve(() => route.continue()), { times: 1 });
      return { asked };
    };
    const button = (page: Page, text: string) => page.locator("button", { hasText: text });
    const sent = async (msisdn: string): Promise<void> => {
      const answer = await shop.api.post(msisdn, {
        sender: "ACME",
        body: "Bonjour",
        message_class: "TRANSACTIONAL",
        recipients: [{ msisdn }],
      });
      expect(answer.status).toBe(202);
    };

    test("a sender is asked for by the account, waits over all accounts, is approved and registered; another is rejected", async () => {
      const account = shop.accountId;
      const admin = await visit({
        login: "admin@shop.example",
        role: "ACCOUNT_ADMIN",
        account,
        language: "fr",
      });
      await go(admin.page, "/senders");
      for (const name of ["SOLDES", "GRATUIT"]) {
        await admin.page.locator("[name=sender]").fill(name);
        await admin.page.keyboard.press("Enter");
        await admin.page.locator("td strong", { hasText: name }).waitFor();
      }
      await admin.page.locator("[name=sender]").fill("été");
      await admin.page.keyboard.press("Enter");
      await admin.page.locator("[role=alert]", { hasText: "accents" }).waitFor();
      expect(await button(admin.page, "Approuver").count()).toBe(0);

      const ops = await visit({ login: "ops@example.bf", role: "OPERATIONS", language: "en" });
      const { page } = ops;
      await go(page, "/senders");
      await page.locator("td", { hasText: "Approval" }).first().waitFor();
      await page.locator("button[aria-label='Approve: SOLDES']").click();
      // While the list is not read again the dialog stays: who closed it would find the old list, and decide twice.
      const { asked } = await held(page, "**/senders/waiting");
      await button(page, "Approve").last().click();
      const letOn = await asked;
      expect(await page.locator("dialog").isVisible()).toBe(true);
      await letOn();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await page.locator("button[aria-label='Approve: SOLDES']").count()).toBe(0);
      await page.locator("td", { hasText: "Registration with an operator" }).waitFor();
      await page.locator("button[aria-label='Registrations: SOLDES']").click();
      await page.locator("dialog input[value=orange]").check();
      await button(page, "Save").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.locator("button[aria-label='Reject: GRATUIT']").click();
      await page.locator("[name=reason]").fill("belongs to nobody");
      await page.locator("dialog .danger").click();
      await page.locator(".empty-title", { hasText: "Nothing is waiting for you" }).waitFor();

      const senders = (await bendre.ask("sender list", { ACCOUNT: account })).senders as Json[];
      expect(senders).toContainEqual(expect.objectContaining({ sender: "SOLDES", operators: ["orange"] }));
      expect(senders).toContainEqual(
        expect.objectContaining({ sender: "GRATUIT", rejection_reason: "belongs to nobody" }),
      );
      await admin.page.reload();
      await admin.page.locator("td", { hasText: "belongs to nobody" }).waitFor();
      // A registration is taken back where it is shown.
      await go(page, `/senders?account=${account}`);
      await page.locator("button[aria-label='Registrations: SOLDES']").click();
      await page.locator("dialog input[value=orange]").uncheck();
      await button(page, "Save").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await audited("sender unregister")).toMatchObject([
        { actor: expect.stringContaining("ops@example.bf") },
      ]);
      for (const { page } of [admin, ops]) await leave(page);
    });

    test("a key is created with the second factor and shown once, opens the API, and is revoked with what will stop", async () => {
      const account = shop.accountId;
      const visitor = await visit({
        login: "keys@shop.example",
        role: "ACCOUNT_ADMIN",
        account,
        language: "en",
      });
      const { page } = visitor;
      await go(page, "/keys");
      await button(page, "Create a key").click();
      await page.locator("[name=name]").fill("Our CRM");
      await page.keyboard.press("Enter");
      await giveFactorAgain(visitor);
      const apiKey = String(await page.locator(".once code").textContent());
      expect(apiKey).toMatch(/^bdr_[0-9A-Z]{12}_/);
      const read = () =>
        fetch(`${bendre.url()}/public/v1/messages?status_changed_since=2026-01-01T00:00:00Z`, {
          headers: { authorization: `Bearer ${apiKey}` },
        });
      expect(await page.locator("tr", { hasText: "Our CRM" }).textContent()).toContain("Never");
      expect((await read()).status).toBe(200);
      await page.reload();
      await page.locator("td strong", { hasText: "Our CRM" }).waitFor();
      expect(await page.locator("tr", { hasText: "Our CRM" }).textContent()).not.toContain("Never");
      expect(await page.locator(".once").count()).toBe(0);
      expect(await page.content()).not.toContain(apiKey);
      await button(page, "Create a key").click();
      await page.locator("[name=name]").fill("rehearsal");
      await page.locator("label", { hasText: "Test" }).click();
      await page.keyboard.press("Enter");
      await page.locator(".once code", { hasText: "bdr_test_" }).waitFor();
      // The line below it works as it stands.
      const line = String(await page.locator(".once pre").textContent());
      const { stdout } = Bun.spawnSync(["sh", "-c", line]);
      expect(JSON.parse(stdout.toString())).toMatchObject({ data: { status: "QUEUED", accepted: 1 } });

      await page.locator("button[aria-label='Revoke: Our CRM']").click();
      const said = String(await page.locator("dialog").textContent());
      expect(said).toContain("refused with 401");
      expect(said).toContain("1 other key of this kind remains.");
      await page.locator("dialog .danger").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect((await read()).status).toBe(401);
      expect(await audited("key revoke")).toMatchObject([{ detail: { name: "Our CRM" } }]);
      expect(bendre.log()).not.toContain(apiKey);
      await leave(visitor.page);
    });

    test("an endpoint is added, tested, told again, given a new secret, changed, disabled, enabled and deleted", async () => {
      const account = shop.accountId;
      const visitor = await visit({
        login: "hooks@shop.example",
        role: "ACCOUNT_ADMIN",
        account,
        language: "en",
      });
      const { page } = visitor;
      await go(page, "/webhooks");
      await button(page, "Add an endpoint").click();
      await page.locator("[name=url]").fill(hook);
      await page.locator("[name=description]").fill("Our CRM");
      await page.keyboard.press("Enter");
      const secret = String(await page.locator(".once code").textContent());
      expect(secret).toMatch(/^whsec_/);
      await page.locator("td a", { hasText: hook }).click();
      await page.locator("h1", { hasText: "Our CRM" }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await button(page, "Send a test").click();
      await page.locator("td strong", { hasText: "200" }).waitFor();
      expect(heard.map(({ type }) => type)).toEqual(["WEBHOOK_TEST"]);

      answers = 503;
      await button(page, "Send a test").click();
      await page.locator("td strong", { hasText: "503" }).waitFor();
      answers = 200;
      await sent("22605112244");
      await hears("MESSAGE_TERMINAL", 1);
      await button(page, "Replay").click();
      await page.locator("[name=since]").selectOption("1h");
      await page.locator("dialog .primary").click();
      await hears("MESSAGE_TERMINAL", 2);

      await button(page, "New secret").click();
      await page.locator("dialog .primary").click();
      await page.locator(".once code").waitFor();
      expect(await page.locator(".once code").textContent()).not.toBe(secret);
      await button(page, "Edit").click();
      await page.locator("[name=description]").fill("shop floor");
      await page.locator("dialog .primary").click();
      await page.locator("dd", { hasText: "shop floor" }).waitFor();
      await button(page, "Disable").click();
      await page.locator("[name=reason]").fill("moving house");
      await page.locator("dialog .danger").click();
      await page.locator(".badge", { hasText: "Disabled" }).waitFor();
      const [listed] = (await bendre.ask("webhook list", { ACCOUNT: account })).webhooks as Json[];
      expect(listed).toMatchObject({ status: "DISABLED_BY_USER", description: "shop floor" });
      await button(page, "Enable").click();
      await page.locator("dialog .primary").click();
      await page.locator(".badge", { hasText: "Enabled" }).waitFor();
      await button(page, "Delete").click();
      await page.locator("dialog .danger").click();
      await page.locator(".empty-title", { hasText: "No endpoints yet" }).waitFor();
      expect((await bendre.ask("webhook list", { ACCOUNT: account })).webhooks).toEqual([]);
      expect(bendre.log()).not.toContain(secret);
      await leave(visitor.page);
    });

    test("an owner lets somebody in by a link, changes the role, resets and disables them; the last owner stays", async () => {
      const owner = await visit({ login: "owner@example.bf", role: "OWNER", language: "fr" });
      const { page } = owner;
      await go(page, "/users");
      await button(page, "Inviter un collègue").click();
      await page.locator("[name=login]").fill("awa@example.bf");
      await page.locator("label", { hasText: "Finances" }).click();
      // Said before the link is made: this appliance has no public address.
      await page.locator("dialog .notice", { hasText: "ne s’ouvrira que sur cette machine" }).waitFor();
      await page.keyboard.press("Enter");
      await giveFactorAgain(owner);
      const link = String(await page.locator(".once code").textContent());
      expect(link).toContain("/console/link#");
      const manage = async (login: string): Promise<void> => {
        await page.locator(`button[aria-label='Gérer\u00A0: ${login}']`).click();
        await page.locator("dialog").waitFor();
      };
      const user = async () =>
        ((await bendre.ask("user list", {})).users as Json[]).find(({ login }) => login === "awa@example.bf");
      await manage("awa@example.bf");
      await page.locator("dialog select").selectOption({ label: "Assistance" });
      await page.locator("dialog button", { hasText: "Changer le rôle" }).click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await user()).toMatchObject({ role: "SUPPORT", status: "INVITED" });
      await manage("awa@example.bf");
      await page.locator("dialog button", { hasText: "Réinitialiser" }).click();
      await page.locator("dialog .danger").click();
      await page.locator("dialog").waitFor({ state: "detached" });
      expect(await page.locator(".once code").textContent()).not.toBe(link);
      await manage("awa@example.bf");
      await page.locator("dialog button", { hasText: "Désactiver" }).click();
      await page.locator("dialog .danger").click();
      await page.locator(".badge", { hasText: "Désactivé" }).waitFor();
      await manage("awa@example.bf");
      await page.locator("dialog button", { hasText: "Réactiver" }).click();
      await page.locator(".badge", { hasText: "Désactivé" }).waitFor({ state: "detached" });
      expect(
        (await audited("user")).map(({ action }) => action).filter((action) => action !== "user link used"),
      ).toEqual(
        expect.arrayContaining(["user create", "user role", "user reset", "user disable", "user enable"]),
      );
      // Nobody shuts themselves out by a slip, and nobody else shuts out the last owner.
      expect(await page.locator("button[aria-label='Gérer\u00A0: owner@example.bf']").count()).toBe(0);
      const refused = await page.evaluate(`fetch("/console/api/users/disable", { method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ login: "owner@example.bf" }) }).then((answer) => answer.json())`);
      expect(refused).toMatchObject({ code: "LAST_OWNER" });
      await leave(owner.page);
    });

    test("an account's administrator lets people of the account in, and learns of nobody else", async () => {
      const account = shop.accountId;
      await bendre.ask("user create", {
        LOGIN: "fanta@sahel.example",
        role: "ACCOUNT_ADMIN",
        account: other.accountId,
      });
      const admin = await visit({
        login: "people@shop.example",
        role: "ACCOUNT_ADMIN",
        account,
        language: "en",
      });
      const { page } = admin;
      await go(page, "/users");
      expect(await page.locator("main").textContent()).not.toMatch(/owner@example|sahel/);
      await button(page, "Invite a user of ").click();
      await page.locator("[name=login]").fill("issa@shop.example");
      expect(await page.locator("dialog").textContent()).not.toContain("Owner");
      await page.keyboard.press("Enter");
      await giveFactorAgain(admin);
      const told = async (login: string): Promise<string> => {
        await page.locator("[role=status] .notice", { hasText: login }).waitFor();
        return String(await page.locator("main").textContent()).replaceAll(login, "LOGIN");
      };
      const ofFree = await told("issa@shop.example");
      expect(ofFree).toContain("Ask your provider for the link");
      const listed = (await bendre.ask("user list", { account: account })).users as Json[];
      expect(listed).toContainEqual(
        expect.objectContaining({ login: "issa@shop.example", role: "ACCOUNT_READER", status: "INVITED" }),
      );
      await button(page, "Invite a user of ").click();
      await page.locator("[name=login]").fill("fanta@sahel.example");
      await page.keyboard.press("Enter");
      expect(await told("fanta@sahel.example")).toBe(ofFree);
      expect(await audited("user ask")).toMatchObject([
        { detail: { is_taken: true } },
        { detail: { is_taken: false } },
      ]);
      await leave(admin.page);
    });

    test("nobody is made an account's administrator by oversight: whoever comes first is chosen a role", async () => {
      const empty = await bendre.tenant("Personne encore");
      const owner = await visit({ login: "owner-first@example.bf", role: "OWNER", language: "en" });
      const { page } = owner;
      await go(page, `/users?account=${empty.accountId}`);
      await button(page, "Invite a user of ").click();
      await page.locator("[name=login]").fill("first@example.bf");
      expect(await page.locator("[name=role]:checked").count()).toBe(0);
      await page.keyboard.press("Enter");
      expect(await page.locator("[name=role]:invalid").count()).toBeGreaterThan(0);
      expect(await barriers(page)).toEqual([]);
      await page.locator("label", { hasText: "Reader" }).or(page.locator("[name=role]")).last().click();
      await page.locator("[name=role]:checked").waitFor();
      await leave(owner.page);
    });

    test("an owner adds a sender in one dialog, for an account that is chosen there", async () => {
      const owner = await visit({ login: "owner-asks@example.bf", role: "OWNER", language: "fr" });
      const { page } = owner;
      await go(page, "/senders");
      await page.locator(".page-head .button", { hasText: "Ajouter un expéditeur" }).click();
      await page.locator("dialog .button", { hasText: "Annuler" }).waitFor();
      await page.locator("[name=request-account]").fill(shop.accountId);
      await page.locator("dialog .pick").first().click();
      await page.locator("dialog .boxes input").first().check();
      await page.locator("dialog .button", { hasText: "Annuler" }).waitFor();
      await page.locator("dialog [name=sender]").fill("RENTREE");
      await page.keyboard.press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
      expect((await bendre.ask("sender list", { ACCOUNT: shop.accountId })).senders).toContainEqual(
        expect.objectContaining({ sender: "RENTREE", status: "APPROVED", is_sendable: true }),
      );
      await leave(owner.page);
    });

    test("one's own password, second factor and recovery codes are changed, and other sessions end", async () => {
      const login = "self@example.bf";
      const visitor = await visit({ login, role: "SUPPORT", language: "en" });
      const { page } = visitor;
      await go(page, "/you");
      await page.locator("[name=password]").fill(VISITOR_PASSWORD);
      await page.locator("[name=next]").fill("another good password");
      await page.locator("[name=again]").fill("another good password");
      await page.keyboard.press("Enter");
      await page.locator(".toast", { hasText: "The password was changed" }).waitFor();
      await button(page, "Create new codes").click();
      await giveFactorAgain(visitor);
      await page.locator("dialog .codes li").first().waitFor();
      expect(await page.locator("dialog .codes li").count()).toBe(10);
      await page.locator("dialog .primary").click();
      await button(page, "Set up another phone").click();
      await page.locator("dialog .secret").waitFor();
      const secret = String(await page.locator("dialog .secret").textContent()).replaceAll(" ", "");
      await page.locator("dialog [name=code]").fill(deriveCode(secret, Date.now()));
      await page.keyboard.press("Enter");
      await page.locator(".toast", { hasText: "The new phone is set up" }).waitFor();
      expect(
        (await audited("user"))
          .filter(({ actor }) => String(actor).includes(login))
          .map(({ action }) => action),
      ).toEqual(expect.arrayContaining(["user password", "user recovery codes", "user second factor"]));
      expect(bendre.log()).not.toContain(secret);
      await leave(visitor.page);
    });

    test("whoever may not sees no such page and no such button", async () => {
      const account = shop.accountId;
      const reader = await visit({
        login: "reader@shop.example",
        role: "ACCOUNT_READER",
        account,
        language: "en",
      });
      await go(reader.page, "/senders");
      await reader.page.locator("td strong").first().waitFor();
      expect(await reader.page.locator("main button").count()).toBe(0);
      for (const path of ["/keys", "/webhooks", "/users"]) {
        await go(reader.page, path);
        await reader.page.locator("h1", { hasText: "Page not found" }).waitFor();
      }
      const support = await visit({ login: "look@example.bf", role: "SUPPORT", language: "en" });
      await go(support.page, `/keys?account=${account}`);
      await support.page.locator("td strong").first().waitFor();
      expect(await support.page.locator("main td button, main .section button").count()).toBe(0);
      for (const { page } of [reader, support]) await leave(page);
    });

    test("after the first start an operator is worded and checked, and what was worded stands in a file that is taken", async () => {
      const owner = await visit({ login: "first@example.bf", role: "OWNER", language: "en" });
      const { page } = owner;
      await go(page, "/first");
      await page.locator(".steps li", { hasText: "Connected: orange." }).waitFor();
      await page.locator("a", { hasText: "Connect another operator" }).click();
      await button(page, "configuration file instead").click();
      const typed = {
        code: "orange",
        name: 'Telecel "Faso"',
        host: "smsc.telecel.example",
        systemId: "bendre",
      };
      for (const [name, value] of Object.entries({ ...typed, prefixes: "22605 22658", price: "14" }))
        await page.locator(`[name=${name}]`).fill(value);
      await page.keyboard.press("Enter");
      await page.locator(".error li", { hasText: "already" }).waitFor();
      await page.locator("[name=code]").fill("telecel");
      await page.keyboard.press("Enter");
      await page.locator(".error li", { hasText: "already has 22605" }).waitFor();
      await page.locator("[name=prefixes]").fill("58\n22668");
      await page.locator("[name=password][value=environment]").check();
      await button(page, "Check it").click();
      await page.locator("pre.file").waitFor();
      await owner.settled();
      expect(await barriers(page)).toEqual([]);
      expect(await page.locator(".todo").textContent()).toContain("TELECEL_SMPP_PASSWORD");
      const before = readFileSync(bendre.config, "utf8");
      const text = String(await page.locator("pre.file").textContent());
      writeFileSync(bendre.config, `${before}\n${text}`);
      const checked = bendre.admin("config", "check", "--no-secrets");
      writeFileSync(bendre.config, before);
      expect(checked.operators).toEqual(["orange", "moov", "telecel"]);
      expect(checked.warnings).toContainEqual(expect.objectContaining({ code: "VARIABLE_UNSET" }));
      // Nothing was changed by looking.
      expect(((await bendre.ask("operator status", {})).connections as Json[]).length).toBe(2);
      await go(page, "");
      await page.locator("a", { hasText: "Not all is set up yet" }).waitFor({ state: "detached" });
      await leave(owner.page);
    });

    test.each(
      atNightAll<{
        readonly language: "en" | "fr";
        readonly width: number;
        readonly colorScheme: "dark" | "light";
      }>(
        [{ language: "fr", width: 360, colorScheme: "dark" }],
        [{ language: "en", width: 1440, colorScheme: "light" }],
      ),
    )("what is open over a page has no barrier in $language, $width wide", async (screen) => {
      const { language, width, colorScheme } = screen;
      const login = `walk.${language}@example.bf`;
      await bendre.ask("webhook create", { ACCOUNT: shop.accountId, url: hook });
      const visitor = await visit({
        login,
        role: "OWNER",
        language,
        screen: { viewport: { width, height: 800 }, colorScheme },
      });
      const { page } = visitor;
      const faults: unknown[] = [];
      const look = async (what: string): Promise<void> => {
        await visitor.settled();
        const all = [...(await barriers(page)), ...visitor.complaints, ...visitor.strangers];
        if (all.length > 0) faults.push([what, ...all]);
      };
      const account = `account=${shop.accountId}`;
      for (const [path, opens] of [
        [`/senders?${account}`, ["td .tools button"]],
        [`/keys?${account}`, [".section-head button", "td button"]],
        [`/webhooks?${account}`, [".section-head button"]],
        ["/users", [".section-head button", "td button"]],
      ] as const)
        for (const opener of opens) {
          await go(page, path);
          await page.locator(opener).first().click();
          await page.locator("dialog[open]").waitFor();
          await look(`${path} ${opener}`);
        }
      await go(page, `/webhooks?${account}`);
      await page.locator("td a").first().click();
      await page.locator("main .facts").waitFor();
      await look("an endpoint");
      for (const place of await page.locator("main .tools button:not(.primary)").all()) {
        await place.click();
        await page.locator("dialog[open]").waitFor();
        await look(String(await place.textContent()));
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
      }
      expect(faults).toEqual([]);
      await leave(visitor.page);
    });
  });
}
