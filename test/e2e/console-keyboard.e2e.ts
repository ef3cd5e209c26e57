/** The main act of every page, by the keyboard alone: done, and seen outside of the page. Two sittings in the check, all others at night. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAccountRole, type Role } from "../../src/domain/accounts/roles.ts";
import { type Appliance, appliance, BRISK, type Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { loginOf, type Place } from "./console-acts.ts";
import { keyboardOf, noFaultOn } from "./console-keyboard.ts";
import { ACTS } from "./console-more-acts.ts";
import { leave, signIn } from "./console-visitor.ts";
import { atNightAll } from "./night.ts";

/** The language, and how many pixels the screen is wide. */
export type Screen = { readonly language: "en" | "fr"; readonly width: 1440 | 360 };

/** Who does their acts, and on which screen. */
export type Sitting = Screen & { readonly role: Role };

/** Who has most to do, of the carrier and of a client, in each language and each width. */
const CHECKED: readonly Sitting[] = [
  { role: "OPERATIONS", language: "en", width: 1440 },
  { role: "ACCOUNT_ADMIN", language: "fr", width: 360 },
];

const OTHERS: readonly Sitting[] = [...ACTS.keys()]
  .flatMap((role) =>
    (["fr", "en"] as const).flatMap((language) =>
      ([1440, 360] as const).map((width) => ({ role, language, width })),
    ),
  )
  .filter(({ role, language, width }) =>
    CHECKED.every((one) => one.role !== role || one.language !== language || one.width !== width),
  );

const SITTINGS = atNightAll(CHECKED, OTHERS);

const OTHER_SENDER = "SOLDES";

const tagOf = ({ language, width }: Screen): string => `${language}${width}`;

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: the console by the keyboard, for there is no browser\n");
} else {
  describe("every main act by the keyboard alone", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-keyboard-"));
    let bendre: Appliance;
    let browser: Browser;
    const places = new Map<string, Place>();

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      const settings = "[webhooks]\nallow_private_targets = true";
      const operators = { orange: [...BRISK, "--control"], moov: "away" } as const;
      bendre = await appliance({ operators, settings });
      for (const tag of new Set(SITTINGS.map(tagOf))) places.set(tag, await settle(tag, places.size));
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    /** An account with a text that arrived, one that waits, and a sender that waits for its approval. */
    async function settle(tag: string, at: number): Promise<Place> {
      const account = `Faso Shop ${tag}`;
      const shop = await bendre.tenant(account);
      const sender = `W${tag}`;
      await bendre.ask("sender request", { ACCOUNT: shop.accountId, NAME: sender });
      // Beside ACME, so that who sends has to choose.
      await bendre.ask("sender request", { ACCOUNT: shop.accountId, NAME: OTHER_SENDER });
      await bendre.ask("sender approve", { ACCOUNT: shop.accountId, NAME: OTHER_SENDER });
      await bendre.ask("sender register", {
        ACCOUNT: shop.accountId,
        NAME: OTHER_SENDER,
        operator: "orange",
      });
      const reached = `0511223${at}`;
      await sent(shop, `reached-${tag}`, `226${reached}`);
      const waiting = await sent(shop, `waiting-${tag}`, `2267011223${at}`);
      // The simulated operator lets what goes to this number run out.
      const failed = await sent(shop, `failed-${tag}`, "22605199002");
      return {
        bendre,
        shop,
        tag,
        account,
        sender,
        waiting,
        failed,
        reached: `226${reached}`,
        next: `0544556${at}`,
      };
    }

    /** Sends one text; the id of its batch. */
    async function sent(shop: Tenant, reference: string, msisdn: string): Promise<string> {
      const answer = await shop.api.post(reference, {
        sender: "ACME",
        body: "Votre code est 4711",
        message_class: "OTP",
        client_reference: reference,
        recipients: [{ msisdn }],
      });
      expect(answer.status).toBe(202);
      return String(answer.data.batch_id);
    }

    test.each(SITTINGS)("$role in $language at $width pixels", async ({ role, ...kind }) => {
      const tag = tagOf(kind);
      const place = places.get(tag)!;
      const visitor = await signIn(bendre, browser, {
        login: loginOf(role, tag),
        role,
        language: kind.language,
        ...(isAccountRole(role) && { account: place.shop.accountId }),
        screen: { viewport: { width: kind.width, height: 800 } },
      });
      const keys = keyboardOf(visitor);
      for (const { page, act } of ACTS.get(role)!) {
        try {
          await act(keys, place, visitor);
        } catch (error) {
          const shown = await visitor.page.locator("main").textContent();
          throw new Error(`${page}: ${String(error)}\nshown: ${shown}`, { cause: error });
        }
        await noFaultOn(visitor, page);
      }
      expect(await barriers(visitor.page)).toEqual([]);
      await leave(visitor.page);
    });
  });
}
