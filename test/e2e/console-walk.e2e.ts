/** Every page of the console, walked in French on a telephone and in English on a wide screen; all roles are walked at night. */
import { expect, test } from "vitest";
import type { Json } from "./api.ts";
import { describeWalk, whereOn } from "./console-walk.ts";

describeWalk({
  cases: [
    { role: "OWNER", language: "fr", isPhone: true },
    { role: "ACCOUNT_ADMIN", language: "en", isPhone: false, isByKeyboard: true },
  ],
  others: ({ visit, bendre, shop, other }) => {
    test("says on each page of a thing its name, in heading and tab, the way to it, and which entry it belongs to", async () => {
      const visitor = await visit("OWNER", "en", false);
      const { page, settled } = visitor;
      const id = shop().accountId;
      const of = (path: string) => `/console${path}`;
      const [batch] = (bendre().admin("batch", "list", id).batches ?? []) as Json[];
      const [message] = (bendre().admin("message", "find", "--number", "22605112233").messages ??
        []) as Json[];
      const [hook] = (bendre().admin("webhook", "list", id).webhooks ?? []) as Json[];
      const sent = of(`/batches/${String(batch?.batch_id)}`);
      const named = `${String(batch?.client_reference)} · ${String(batch?.accepted)}`;
      const account = of(`/accounts/${id}`);
      const accounts = [of("/accounts"), account];
      const rows: readonly (readonly [path: string, name: string, entry: string, way: readonly string[]])[] =
        [
          [account, "Faso Shop", of("/accounts"), [of("/accounts")]],
          [`${account}/money`, "Faso Shop · Balance", of("/accounts"), accounts],
          [`${account}/statement`, "Faso Shop · Statement", of("/accounts"), accounts],
          [`${account}/consumption`, "Faso Shop · Consumption", of("/accounts"), accounts],
          [`${account}/prices`, "Faso Shop · Prices", of("/accounts"), accounts],
          [of(`/keys?account=${id}`), "Faso Shop · Keys", of("/keys"), accounts],
          [of(`/senders?account=${id}`), "Faso Shop · Senders", of("/senders"), accounts],
          [of(`/users?account=${id}`), "Faso Shop · Users", of("/users"), accounts],
          [of(`/webhooks?account=${id}`), "Faso Shop · Webhooks", of("/webhooks"), accounts],
          [sent, named, of("/batches"), [of("/batches")]],
          [`${sent}/report`, `${named} · Report`, of("/batches"), [of("/batches"), sent]],
          [
            of(`/messages/${String(message?.message_id)}`),
            "Message to +226 05 11 22 33",
            of("/messages"),
            [of("/messages")],
          ],
          [of("/operators/orange"), "orange", of("/operators"), [of("/operators")]],
          [of("/operators/new"), "New operator", of("/operators"), [of("/operators")]],
          [
            of(`/webhooks/${String(hook?.webhook_id)}`),
            "CRM",
            of("/webhooks"),
            [of("/webhooks"), of(`/webhooks?account=${id}`)],
          ],
          [of("/state/settings"), "Configuration in force", of("/state"), [of("/state")]],
        ];
      for (const [path, name, entry, way] of rows) {
        await page.goto(bendre().url() + path);
        await page.locator("h1").waitFor();
        await settled();
        const where = await whereOn(visitor);
        const heading = where.heading.replaceAll("\u00a0", " ");
        expect([path, { ...where, heading, title: where.title.replaceAll("\u00a0", " ") }]).toEqual([
          path,
          { heading: name, title: `${name} · Bendre`, way, marked: [entry] },
        ]);
      }
      await page.context().close();
    });

    test("says the same of what is another account's as of what is not there", async () => {
      const visitor = await visit("ACCOUNT_ADMIN", "en", false);
      const { page } = visitor;
      const main = async (path: string): Promise<string> => {
        await page.goto(bendre().url() + path);
        await page.locator("h1").waitFor();
        await visitor.settled();
        return String(await page.locator("main").textContent());
      };
      const [batch] = (bendre().admin("batch", "list", other().accountId).batches ?? []) as Json[];
      const foreign = await main(`/console/batches/${String(batch?.batch_id)}`);
      expect(foreign).toBe(await main("/console/batches/01JD0000000000000000000000"));
      await page.context().close();
    });

    test("says that the network is gone and goes on when it is back, with nothing lost that was typed", async () => {
      const visitor = await visit("SUPPORT", "fr", true);
      const { page, context } = visitor;
      await page.goto(`${bendre().url()}/console/messages`);
      await page.locator("main td a").first().waitFor();
      await context.setOffline(true);
      await page.locator("main td a").first().click();
      await page.locator("main [role=alert]").waitFor();
      expect(await page.locator("main [role=alert]").textContent()).toMatch(/réseau|connexion|joindre/i);
      await context.setOffline(false);
      await page.locator("main [role=alert] button").click();
      await page.locator("main .timeline").first().waitFor();
      await page.context().close();
    });
  },
});
