/** Every page of the console, walked in French on a telephone and in English on a wide screen; all roles are walked at night. */
import { expect, test } from "vitest";
import type { Json } from "./api.ts";
import { describeWalk } from "./console-walk.ts";

describeWalk({
  cases: [
    { role: "OWNER", language: "fr", isPhone: true },
    { role: "ACCOUNT_ADMIN", language: "en", isPhone: false, isByKeyboard: true },
  ],
  others: ({ visit, bendre, other }) => {
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
