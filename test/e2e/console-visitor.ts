/** Somebody in front of the console of the executable, signed in with a second factor. */
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
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
  readonly context: BrowserContext;
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
  const context = await browser.newContext({ ...screen, locale: language === "fr" ? "fr-FR" : "en-GB" });
  // The link signs in whoever follows it: console.e2e.ts goes through the pages that lead there.
  const [cookie = ""] = used.headers.getSetCookie();
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await context.addCookies([{ name, value, url: bendre.url() }]);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
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
  return { page, context, secretBase32, recoveryCodes: codes, settled, strangers, complaints };
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
