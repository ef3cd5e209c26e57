/** A shop that sends from the console, and people in front of it in a real browser. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Role } from "../../src/domain/accounts/roles.ts";
import type { Json } from "./api.ts";
import { appliance, BRISK } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { type findBrowser, openBrowser } from "./browser.ts";
import { signIn, type Visitor } from "./console-visitor.ts";

export const PHONE = { width: 360, height: 740 };
const DESK = { width: 1440, height: 900 };

export const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u00A0\u202F]/g, " ");

/** The executable with an account that has money and the sender ACME, and a browser. */
export async function openShop(found: NonNullable<ReturnType<typeof findBrowser>>) {
  const directory = mkdtempSync(join(tmpdir(), "bendre-shop-"));
  mkdirSync(join(directory, "browser"));
  const browser = await openBrowser(found, join(directory, "browser"));
  const bendre = await appliance({ operators: { orange: BRISK } });
  const shop = await bendre.tenant("Faso Shop", { money: 100_000 });
  let visitors = 0;
  return {
    bendre,
    shop,
    /** Somebody new who has signed in. */
    visit: (role: Role, language: "en" | "fr", viewport = DESK): Promise<Visitor> => {
      visitors += 1;
      return signIn(bendre, browser, {
        login: `who${visitors}@example.bf`,
        role,
        language,
        screen: { viewport },
        ...(role.startsWith("ACCOUNT_") ? { account: shop.accountId } : {}),
      });
    },
    go: (page: Page, path: string) => page.goto(`${bendre.url()}/console${path}`),
    batches: async () => (await bendre.ask("batch list", { ACCOUNT: shop.accountId })).batches as Json[],
    /** Texts that a phone got. */
    textsTo: (number: string) =>
      bendre
        .seen("orange")
        .filter((event) => event.kind === "text" && event.to === number)
        .map(({ text }) => text),
    close: async () => {
      await browser.close();
      bendre.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export const main = async (page: Page) => plain(await page.locator("main").textContent());

/** Brings a file as French Excel writes it. */
export async function brought(page: Page, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from(`${rows.join("\r\n")}\r\n`, "latin1");
  await page.locator("[name=recipients]").setInputFiles({ name: "clients.csv", mimeType: "", buffer });
  await page.locator(".found").waitFor();
}

export const toCheck = (page: Page) => page.locator("form.send button[type=submit]").click();

export const primary = (page: Page, verb: string) => page.locator("button.primary", { hasText: verb });

/** Presses a button by the keyboard. */
export async function pressed(page: Page, verb: string): Promise<void> {
  await page.locator("button", { hasText: verb }).focus();
  await page.keyboard.press("Enter");
}

/** What a link gives to take away. */
export async function taken(page: Page, link: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("a", { hasText: link }).click(),
  ]);
  return Bun.file(String(await file.path())).text();
}

/** Nothing bars the way of anybody, and nothing scrolls sideways. */
export async function isSound(page: Page): Promise<void> {
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  expect([await barriers(page), isWide]).toEqual([[], false]);
}
