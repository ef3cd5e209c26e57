import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Town } from "../../test/e2e/console-town.ts";
import { signIn } from "../../test/e2e/console-visitor.ts";
import type { Wanted } from "./tour.ts";

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
] as const;

/** As French Excel writes it. */
const FILE = Buffer.from(
  [
    "Prénom;Téléphone;Solde",
    ...Array.from(
      { length: 48 },
      (_, at) => `${at % 3 ? "Awa" : "Françoise"};0511${String(3000 + at)};${at * 125}`,
    ),
    "Salif;7,6E+07;300",
    "Idrissa;demain;20",
    "Mariam;05113001;15",
  ].join("\r\n"),
  "latin1",
);

const TEXT = {
  fr: "Bonjour {Prénom}, votre solde est de {Solde} F. Merci de passer à l’agence avant vendredi. {Nom}",
  en: "Hello {Prénom}, you owe {Solde} F. Please come by before Friday… {Nom}",
};

/** Pictures of the page "Send": empty, written, and the last page before sending; how many. */
export async function pictureSending(
  { bendre, shop }: Town,
  browser: Browser,
  directory: string,
  wanted: Wanted,
): Promise<number> {
  let made = 0;
  for (const language of ["fr", "en"] as const) {
    const who = {
      login: `sender.${language}@example.bf`,
      role: "ACCOUNT_SENDER",
      account: shop.accountId,
    } as const;
    const { page, settled } = await signIn(bendre, browser, { ...who, language });
    const picture = async (name: string): Promise<void> => {
      await settled();
      for (const viewport of SCREENS)
        for (const colorScheme of ["light", "dark"] as const) {
          const file = `${name}-${language}-${colorScheme}-${viewport.width}.png`;
          if (!wanted(file)) continue;
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await settled();
          await page.screenshot({ path: join(directory, file), fullPage: true });
          made += 1;
        }
    };
    await page.goto(`${bendre.url()}/console/send`);
    await page.locator("[name=text]").waitFor();
    await picture("send-empty");
    await write(page, language);
    await picture("send-written");
    await page.locator("button[type=submit]").click();
    await page.locator(".stats").waitFor();
    await picture("send-check");
    await page.context().close();
  }
  return made;
}

async function write(page: Page, language: "fr" | "en"): Promise<void> {
  const file = { name: "clients novembre.csv", mimeType: "text/csv", buffer: FILE };
  await page.locator("[name=recipients]").setInputFiles(file);
  await page.locator(".found").waitFor();
  await page.locator("[name=text]").fill(TEXT[language]);
}
