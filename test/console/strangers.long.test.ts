/** What strangers cannot do to somebody who signs in: keep them out, wear them down, or learn their second factor from a link. */

import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { USER_OPERATIONS } from "../../src/admin/operations/users.ts";
import { base32, deriveCode, factorSeal } from "../../src/domain/accounts/second-factor.ts";
import { beginSession, findSession } from "../../src/domain/accounts/sessions.ts";
import { SignIn } from "../../src/domain/accounts/sign-in.ts";
import { userByLogin } from "../../src/domain/accounts/users.ts";
import { granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { type Browser, type ConsoleFixture, consoleFixture, PASSWORD, type Person } from "./fixture.ts";

const HOME = "192.0.2.1";
const ELSEWHERE = "198.51.100.9";

let place: ConsoleFixture;
let awa: Person;
beforeEach(async () => {
  place = await consoleFixture({ server: { listen: "127.0.0.1:0", trusted_proxies: ["127.0.0.1"] } });
  awa = await place.person("awa@example.bf", "OWNER");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await place.close();
});

/** As a trusted proxy hands a request on. */
const from = (address: string) => ({
  "x-forwarded-for": address,
  "x-forwarded-proto": "https",
  origin: place.origin.replace("http:", "https:"),
});
const signInFrom = (address: string, login: string, password: string, browser: Browser = place.browser()) =>
  browser.post("/sign-in", { login, password }, from(address));
/** Comes in from a network, which is known for it afterwards. */
const comeIn = async (address: string, who: Person) => {
  const browser = place.browser();
  await signInFrom(address, who.login, PASSWORD, browser);
  const answer = await browser.post("/second-factor", { code: await place.nextCode(who) }, from(address));
  expect(answer.status).toBe(200);
};

describe("a stranger's tries", () => {
  test("keep nobody out of a network that they came in from before", async () => {
    await comeIn(HOME, awa);
    const verify = vi.spyOn(Bun.password, "verify").mockResolvedValue(false);
    const tried = [];
    for (let nth = 0; nth < 11; nth++) tried.push((await signInFrom(ELSEWHERE, awa.login, "guess")).status);
    expect(tried).toEqual([...Array<number>(10).fill(401), 429]);
    // Neither one who comes from another address yet is let through, nor are there more tries for them.
    expect((await signInFrom("203.0.113.5", awa.login, PASSWORD)).status).toBe(429);
    verify.mockRestore();
    expect((await signInFrom(HOME, awa.login, PASSWORD)).status).toBe(200);
    expect((await signInFrom(ELSEWHERE, awa.login, "guess")).status).toBe(429);
  });

  test("are limited in a network that is known as well", async () => {
    await comeIn(HOME, awa);
    const verify = vi.spyOn(Bun.password, "verify").mockResolvedValue(false);
    const tried = [];
    for (let nth = 0; nth < 11; nth++) tried.push((await signInFrom(HOME, awa.login, "guess")).status);
    expect(tried).toEqual([...Array<number>(10).fill(401), 429]);
    verify.mockRestore();
  });

  test("thirty at once leave room for whoever is known, and for whoever asks from elsewhere", async () => {
    await comeIn(HOME, awa);
    const salif = await place.person("salif@example.bf", "SUPPORT");
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();
    const verify = vi.spyOn(Bun.password, "verify").mockImplementation(async (typed) => {
      await asked;
      return typed === PASSWORD;
    });
    const statuses: number[] = [];
    const waits: { readonly count: number; readonly resolve: () => void }[] = [];
    const refused = (count: number) => new Promise<void>((resolve) => void waits.push({ count, resolve }));
    const isFull = refused(12);
    const crowd = Array.from({ length: 30 }, async (_, nth) => {
      const { status } = await signInFrom(ELSEWHERE, `n${nth}@example.bf`, "guess");
      statuses.push(status);
      for (const { count, resolve } of waits) if (statuses.length >= count) resolve();
    });
    await isFull;
    const madeRoom = refused(14);
    const known = signInFrom(HOME, awa.login, PASSWORD);
    const other = signInFrom("203.0.113.5", salif.login, PASSWORD);
    // Each of them takes the place of one of the crowd.
    await madeRoom;
    goOn();
    expect([(await known).status, (await other).status]).toEqual([200, 200]);
    await Promise.all(crowd);
    verify.mockRestore();
  }, 60_000);

  test.each([
    ["known", true],
    ["not known", false],
  ])("that there was no room to look at count for nothing, in a network that is %s", async (_, isKnown) => {
    if (isKnown) await comeIn(HOME, awa);
    const { tried, fill, end } = fullDesk();
    const guess = () =>
      tried.withPassword(
        { address: HOME, agent: "", requestId: "r" },
        { login: awa.login, password: "guess" },
        () => true,
      );
    const waiting = fill(guess);
    for (let nth = 0; nth < 30; nth++) expect(await guess()).toMatchObject({ retrySeconds: BUSY_SECONDS });
    end();
    await Promise.all(waiting);
    for (const code of ["SIGN_IN_REFUSED", "SIGN_IN_REFUSED", "TOO_MANY_ATTEMPTS"])
      expect(await guess()).toMatchObject({ refusal: { code } });
  });

  test("of the own password that there was no room to look at count for nothing", async () => {
    const { tried, fill, end } = fullDesk();
    const asker = { address: HOME, agent: "", requestId: "r" };
    const user = userByLogin(place.context.store.read, awa.login);
    if (!user) throw new Error("the user exists");
    const guess = () => tried.isPasswordOf(asker, user, "guess");
    const waiting = fill(() => tried.hash(asker, "a long password"));
    for (let nth = 0; nth < 30; nth++) expect(await guess()).toMatchObject({ retrySeconds: BUSY_SECONDS });
    end();
    await Promise.all(waiting);
    expect(await guess()).toEqual({ ok: true, value: false });
  });
});

/** How long somebody is told to wait for whom there is no room. */
const BUSY_SECONDS = 5;
/** Passwords that are worked out and that wait. */
const ROOM = 18;

/** Sign-ins of a few attempts more than there is room for, and passwords that are worked out when `end` is called. */
function fullDesk() {
  const { store, clock, chance } = place.context;
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  vi.spyOn(Bun.password, "verify").mockImplementation(() => mayGoOn.then(() => false));
  vi.spyOn(Bun.password, "hash").mockImplementation(() => mayGoOn.then(() => ""));
  const factors = factorSeal(store.directory, chance);
  const most = { byLogin: ROOM + 2, byNetwork: ROOM + 2 };
  return {
    tried: new SignIn({ store, clock, chance, factors }, () => most),
    fill: <T>(one: () => Promise<T>) => Array.from({ length: ROOM }, one),
    end: goOn,
  };
}

describe("a link", () => {
  const make = async () =>
    granted(await run(USER_OPERATIONS["user link"], place.context, { login: awa.login })).link.split(
      "#",
    )[1] ?? "";
  type Looked = { readonly totp: { readonly secretBase32: string }; readonly proposal: string };
  const look = async (secret: string) =>
    (await place.browser().post("/link/look", { secret })).json as unknown as Looked;

  test("leads to no second factor: each look draws another, and a used link has nothing to tell", async () => {
    const secret = await make();
    const [first, second] = [await look(secret), await look(secret)];
    expect(first.totp.secretBase32).not.toBe(second.totp.secretBase32);
    const worked = base32(createHmac("sha256", secret).update("second factor").digest().subarray(0, 20));
    const used = await place.use(secret, awa.login);
    expect([first.totp.secretBase32, second.totp.secretBase32, worked]).not.toContain(used.secret);
    const enter = async (factor: string) => {
      const browser = place.browser();
      await browser.post("/sign-in", { login: awa.login, password: PASSWORD });
      place.clock.setBy(30_000);
      return (await browser.post("/second-factor", { code: deriveCode(factor, place.clock.nowMs()) })).status;
    };
    expect([await enter(worked), await enter(first.totp.secretBase32), await enter(used.secret)]).toEqual([
      401, 401, 200,
    ]);
  });

  test("takes a second factor that it proposed itself, and no other", async () => {
    const salif = await place.person("salif@example.bf", "SUPPORT");
    const other =
      granted(await run(USER_OPERATIONS["user link"], place.context, { login: salif.login })).link.split(
        "#",
      )[1] ?? "";
    const secret = await make();
    const { totp, proposal } = await look(other);
    const code = deriveCode(totp.secretBase32, place.clock.nowMs());
    for (const brought of [proposal, "", "made up"]) {
      const form = { secret, password: PASSWORD, code, proposal: brought };
      expect((await place.browser().post("/link/use", form)).json.code).toBe("TOO_LATE");
    }
    expect((await look(secret)).proposal).toBeTypeOf("string");
  });

  test("whose second factor followed from it is told to be renewed, until it is", async () => {
    const browser = await place.signedIn(awa);
    expect((await browser.get("/api/me")).json.renews_factor).toBe(false);
    await place.context.store.write((tx) => tx.run("UPDATE users SET has_link_factor = 1"));
    expect((await browser.get("/api/me")).json.renews_factor).toBe(true);
    await browser.post("/confirm", { code: await place.nextCode(awa) });
    const { totp, proposal } = (await browser.post("/me/factor")).json as unknown as Looked;
    const code = deriveCode(totp.secretBase32, place.clock.nowMs());
    expect((await browser.post("/me/factor/use", { proposal, code })).status).toBe(200);
    expect((await browser.get("/api/me")).json.renews_factor).toBe(false);
  });
});

test("a sign-in that comes to nothing uses no recovery code up", async () => {
  const { store, clock, chance } = place.context;
  const factors = factorSeal(store.directory, chance);
  const desk = new SignIn({ store, clock, chance, factors }, () => ({ byLogin: 10, byNetwork: 50 }));
  const asker = { address: HOME, agent: "", requestId: "r" };
  const userId = userByLogin(store.read, awa.login)?.id ?? 0;
  const token = await store.write((tx) => beginSession(tx, chance, userId, "PASSWORD", asker, clock.nowMs()));
  const pending = findSession(store.read, token, clock.nowMs());
  if (!pending) throw new Error("the session has begun");
  const [first = "", second = ""] = awa.recoveryCodes;
  const left = () => store.read.all("SELECT 1 FROM user_recovery_codes").length;
  expect((await desk.withFactor(asker, pending, { recoveryCode: first })).ok).toBe(true);
  // The same step again, as from a form that was sent twice: the session of the password is over.
  expect((await desk.withFactor(asker, pending, { recoveryCode: second })).ok).toBe(false);
  expect((await desk.confirm(asker, pending, { recoveryCode: second })).ok).toBe(false);
  expect(left()).toBe(9);
});

test("a user who is deleted is signed out, and the login is free", async () => {
  const salif = await place.person("salif@example.bf", "SUPPORT");
  const browser = await place.signedIn(salif);
  granted(await run(USER_OPERATIONS["user delete"], place.context, { login: " Salif@example.bf " }));
  expect((await browser.get("/api/me")).status).toBe(401);
  for (const table of ["user_sessions", "user_links", "user_recovery_codes", "user_networks"]) {
    const sql = `SELECT 1 FROM ${table} WHERE user_id NOT IN (SELECT id FROM users)`;
    expect(place.context.store.read.all(sql)).toEqual([]);
  }
  expect(place.audits().filter(({ action }) => action === "user delete")).toMatchObject([
    { detail: '{"role":"SUPPORT"}' },
  ]);
  await place.person("salif@example.bf", "FINANCE");
  expect((await run(USER_OPERATIONS["user delete"], place.context, { login: awa.login })).ok).toBe(false);
  expect(
    await run(USER_OPERATIONS["user delete"], place.context, { login: "nobody@example.bf" }),
  ).toMatchObject({
    refusal: { code: "USER_NOT_FOUND" },
  });
});
