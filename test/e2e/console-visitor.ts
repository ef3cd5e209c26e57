/** Somebody in front of the console of the executable, signed in with a second factor. */
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect } from "vitest";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import type { Json } from "./api.ts";
import type { Appliance } from "./appliance.ts";

/** The password of everybody who is made here. */
export const VISITOR_PASSWORD = "un mot de passe qui suffit";

/** So long something is waited for that is to be shown, on a machine that has much else to do. */
const PATIENCE_MS = 120_000;

export type Visitor = {
  readonly page: Page;
  /** The second factor's secret, in base 32. */
  readonly secretBase32: string;
  /** Resolves once everything that the page asked of the appliance was answered, and is shown. */
  readonly settled: () => Promise<void>;
  /** Codes that stand in for the second factor, each once. */
  readonly recoveryCodes: readonly string[];
  /** Addresses of other origins that were asked for. */
  readonly strangers: readonly string[];
  /** What went wrong in the page, in the browser's words. */
  readonly complaints: readonly string[];
};

export type Who = {
  readonly login: string;
  readonly role: Role;
  readonly language: "en" | "fr";
  /** The account of a user that belongs to one. */
  readonly account?: string;
  readonly screen?: Pick<BrowserContextOptions, "viewport" | "colorScheme">;
};

type Screen = NonNullable<Who["screen"]>;

/** Pages that a visitor has left, by browser and language: a new one takes a second of the processor, and these a fourth of that. */
const left = new WeakMap<Browser, Map<string, Page[]>>();
const returns = new WeakMap<Page, () => void>();

async function openPage(browser: Browser, locale: string, screen: Screen): Promise<Page> {
  const byLocale = left.get(browser) ?? new Map<string, Page[]>();
  left.set(browser, byLocale);
  const pages = byLocale.get(locale) ?? [];
  byLocale.set(locale, pages);
  const page = pages.pop() ?? (await (await browser.newContext({ locale })).newPage());
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewportSize(screen.viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ media: "screen", colorScheme: screen.colorScheme ?? "light" });
  returns.set(page, () => pages.push(page));
  return page;
}

/** Leaves the console as who goes home does: the next visitor finds nothing in the browser. */
export async function leave(page: Page): Promise<void> {
  const context = page.context();
  const { origin } = new URL(page.url());
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.clearCookies();
  // A page of the same origin, for which the browser begins no process. An appliance that was started again has another.
  const isThere = await page.goto(`${origin}/health`).catch(() => null);
  if (isThere === null) return context.close();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
  returns.get(page)?.();
}

/** Makes a user, follows the link without a browser, and opens the console with the session that it gave. */
export async function signIn(bendre: Appliance, browser: Browser, who: Who): Promise<Visitor> {
  const { login, role, language, account, screen } = who;
  const of = account === undefined ? {} : { account };
  const { link } = await bendre.ask("user create", { LOGIN: login, role, language, ...of });
  const secret = String(link).split("#")[1] ?? "";
  const post = async (path: string, body: Json): Promise<Response> => {
    const answer = await fetch(`${bendre.url()}/console/api${path}`, {
      method: "POST",
      headers: { origin: bendre.url(), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer;
  };
  const { totp, proposal } = (await (await post("/link/look", { secret })).json()) as Json;
  const { secretBase32 } = totp as { secretBase32: string };
  const used = await post("/link/use", {
    secret,
    password: VISITOR_PASSWORD,
    code: deriveCode(secretBase32, Date.now()),
    proposal,
  });
  const { recoveryCodes } = (await used.json()) as Json;
  const page = await openPage(browser, language === "fr" ? "fr-FR" : "en-GB", screen ?? {});
  // The link signs in whoever follows it: console.e2e.ts goes through the pages that lead there.
  const [cookie = ""] = used.headers.getSetCookie();
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await page.context().addCookies([{ name, value, url: bendre.url() }]);
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${bendre.url()}/`) && !/^(data|blob):/.test(url)) strangers.push(url);
  });
  const settled = settling(page);
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${bendre.url()}/console`);
  await page.locator("nav a").first().waitFor({ state: "attached" });
  const codes = recoveryCodes as readonly string[];
  return { page, secretBase32, recoveryCodes: codes, settled, strangers, complaints };
}

/** Gives the second factor again, where a dialog asks for it: by a recovery code, for signing in used up the code of this half minute. */
export async function giveFactorAgain({ page, recoveryCodes }: Visitor): Promise<void> {
  await page.locator("dialog[open] input[name=code]").waitFor();
  await page.locator("dialog[open] .quiet").last().click();
  const code = page.locator("dialog[open] input[name=recovery]");
  await code.fill(String(recoveryCodes[0]));
  await page.keyboard.press("Enter");
  await code.waitFor({ state: "detached" });
}

/** Follows what a page asks of the console, but for its live figures, which never end. */
function settling(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  const waiting: (() => void)[] = [];
  let begun = 0;
  const isOurs = (request: Request): boolean =>
    request.url().includes("/console/") && request.resourceType() !== "eventsource";
  page.on("request", (request) => {
    if (!isOurs(request)) return;
    begun += 1;
    underWay.add(request);
  });
  const ended = (request: Request): void => {
    underWay.delete(request);
    if (underWay.size > 0) return;
    for (const told of waiting.splice(0)) told();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    for (let seen = -1; seen !== begun; ) {
      if (underWay.size > 0) await new Promise<void>((told) => waiting.push(told));
      seen = begun;
      await page.evaluate(ANSWER_SHOWN);
      if (underWay.size > 0) seen = -1;
    }
  };
}

/**
 * What an answer changes is rendered at once; the effects of that, which may ask for more, run in a timer behind the
 * next frame. On a busy machine frames overtake timers, so both are waited for, twice.
 */
const ANSWER_SHOWN = `new Promise((shown) => {
  const once = (then) => requestAnimationFrame(() => setTimeout(then, 40));
  once(() => once(shown));
})`;
