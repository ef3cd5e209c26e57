import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { consoleTown } from "../../test/e2e/console-town.ts";
import { signIn, type Visitor } from "../../test/e2e/console-visitor.ts";
import { EXECUTABLE } from "../../test/e2e/executable.ts";
import { pictureOpened } from "./opened.ts";
import { pictureSending } from "./sending.ts";

/** Whether a picture of a name is asked for. */
export type Wanted = (file: string) => boolean;

const VISITORS = [
  { role: "OWNER", name: "owner" },
  { role: "ACCOUNT_ADMIN", name: "account" },
] as const;

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
] as const;

/** Pictures of each page that the executable's console offers, and of the first thing that each list leads to; how many. */
export async function tour(browser: Browser, directory: string, wanted: Wanted): Promise<number> {
  if (!existsSync(EXECUTABLE)) {
    console.error("without pictures of the executable, which is not built");
    return 0;
  }
  const { bendre, shop, other } = await consoleTown();
  let made = 0;
  try {
    for (const { role, name } of VISITORS)
      for (const language of ["fr", "en"] as const) {
        const visitor = await signIn(bendre, browser, {
          login: `${name}.${language}@example.bf`,
          role,
          language,
          ...(role === "ACCOUNT_ADMIN" && { account: shop.accountId }),
        });
        const more = role === "OWNER" ? beside(shop.accountId) : [];
        for (const path of [...(await pagesOf(visitor, bendre.url())), ...more])
          for (const viewport of SCREENS)
            for (const colorScheme of ["light", "dark"] as const) {
              const file = `${name}${nameOf(path)}-${language}-${colorScheme}-${viewport.width}.png`;
              if (!wanted(file)) continue;
              const { page } = visitor;
              await page.setViewportSize(viewport);
              await page.emulateMedia({ colorScheme });
              await page.goto(bendre.url() + path);
              await page.locator("h1").waitFor();
              await visitor.settled();
              await page.screenshot({ path: join(directory, file), fullPage: true });
              made += 1;
            }
        await visitor.page.context().close();
      }
    made += await pictureOpened({ bendre, shop, other }, browser, directory, wanted);
    made += await pictureSending({ bendre, shop, other }, browser, directory, wanted);
  } finally {
    bendre.close();
  }
  return made;
}

/** Every page of the navigation, and the first that each leads to. */
async function pagesOf({ page, settled }: Visitor, url: string): Promise<string[]> {
  const links = (where: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(where)})].map((link) => link.getAttribute("href"))`,
    ) as Promise<string[]>;
  const paths = await links("#menu a");
  for (const path of [...paths]) {
    await page.goto(url + path);
    await page.locator("h1").waitFor();
    await settled();
    const first = (await links("main :is(td, h2) a")).find((to) => to.startsWith(`${path}/`));
    if (first !== undefined) paths.push(first);
  }
  return paths;
}

/** Pages that only others lead to. */
function beside(account: string): string[] {
  const ofAccount = ["senders", "keys", "webhooks", "users"].map(
    (page) => `/console/${page}?account=${account}`,
  );
  return [
    ...["/console/first", "/console/operators/new", "/console/reports?by=error"],
    "/console/state/settings",
    ...["money", "statement", "consumption", "prices"].map((page) => `/console/accounts/${account}/${page}`),
    ...[...ofAccount, "/console/messages?number=22605112298", "/console/messages?status=FAILED"],
  ];
}

/** An address as a part of a file's name, without ids. */
function nameOf(path: string): string {
  const parts = path.replace("/console", "").split(/[/?=&]/);
  return parts.map((part) => (/^[0-9A-Z]{26}$/.test(part) ? "one" : part)).join("-");
}
