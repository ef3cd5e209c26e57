/** Coming in and going out, over real HTTP: what design and administration promise, and what bad use gets. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { USER_OPERATIONS, userCreate } from "../../src/admin/operations/users.ts";
import { createClaimRecovery } from "../../src/app/channels.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { holdRestoredMessages } from "../../src/ops/backup/restore.ts";
import { granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { firstLinkOf } from "./first-link.ts";
import { type ConsoleFixture, consoleFixture, PASSWORD, type Person } from "./fixture.ts";

let console_: ConsoleFixture;
let awa: Person;
beforeEach(async () => {
  console_ = await consoleFixture();
  awa = await console_.person("awa@example.bf", "OWNER");
});
afterEach(() => console_.close());

describe("signing in", () => {
  test("takes the password, then the second factor; the cookie is for this host alone", async () => {
    const browser = console_.browser();
    const first = await browser.post("/sign-in", { login: " Awa@Example.bf ", password: PASSWORD });
    expect([first.status, first.json]).toEqual([200, { step: "SECOND_FACTOR" }]);
    expect(first.headers.get("set-cookie")).toMatch(/^bendre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await browser.get("/api/me")).status).toBe(401);
    const pending = browser.cookie;
    const second = await browser.post("/second-factor", { code: await console_.nextCode(awa) });
    expect([second.status, second.json]).toEqual([200, {}]);
    expect(browser.cookie).not.toBe(pending);
    const me = await browser.get("/api/me");
    expect(me.json).toMatchObject({ login: "awa@example.bf", role: "OWNER", account: null });
    expect(me.json.capabilities).toContain("users.change");
    expect(me.headers.get("cache-control")).toBe("no-store");
    browser.cookie = pending;
    expect((await browser.get("/api/me")).status).toBe(401);
  });

  test("a code counts once, and the one of another time not at all", async () => {
    const code = await console_.nextCode(awa);
    const enter = async (typed: string) => {
      const browser = console_.browser();
      await browser.post("/sign-in", { login: awa.login, password: PASSWORD });
      return (await browser.post("/second-factor", { code: typed })).status;
    };
    expect(await enter(code)).toBe(200);
    expect(await enter(code)).toBe(401);
    expect(await enter(deriveCode(awa.secret, console_.clock.nowMs() - 90_000))).toBe(401);
    expect(await enter(deriveCode(awa.secret, console_.clock.nowMs() + 30_000))).toBe(200);
  });

  test("a recovery code stands in for the second factor, once; only its hash is kept", async () => {
    expect(awa.recoveryCodes).toHaveLength(10);
    const [recoveryCode = ""] = awa.recoveryCodes;
    const enter = async () => {
      const browser = console_.browser();
      await browser.post("/sign-in", { login: awa.login, password: PASSWORD });
      return (await browser.post("/second-factor", { recoveryCode: recoveryCode.toLowerCase() })).status;
    };
    expect([await enter(), await enter()]).toEqual([200, 401]);
    const kept = JSON.stringify(console_.context.store.read.all("SELECT * FROM user_recovery_codes"));
    expect(kept).not.toContain(recoveryCode.replaceAll("-", ""));
  });

  test("every refusal is alike, and each asks the same work, whoever is meant", async () => {
    const verify = vi.spyOn(Bun.password, "verify");
    for (const login of ["fanta@example.bf", "salif@example.bf"]) {
      const asked = { login, role: "SUPPORT", account: null, language: null } as const;
      const { link } = granted(await userCreate(console_.context, asked));
      await console_.use(link.split("#")[1] ?? "", login);
    }
    granted(await run(USER_OPERATIONS["user disable"], console_.context, { login: "salif@example.bf" }));
    const cases = [
      ["wrong password", "fanta@example.bf", "nope nope nope"],
      ["nobody", "nobody@example.bf", PASSWORD],
      ["disabled", "salif@example.bf", PASSWORD],
      ["no login at all", "", ""],
    ] as const;
    const seen = [];
    for (const [, login, password] of cases) {
      verify.mockClear();
      const { status, json } = await console_.browser().post("/sign-in", { login, password });
      const work = verify.mock.calls.map(([, hash]) => String(hash).split("$").slice(0, 4).join("$"));
      seen.push(JSON.stringify([status, { ...json, request_id: "" }, work]));
    }
    verify.mockRestore();
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toContain("401");
    expect(seen[0]).toContain("$argon2id$v=19$m=65536,t=2,p=1");
  });

  test("10,000 attempts are refused, told and audited, and only the first cost a hash", async () => {
    const verify = vi.spyOn(Bun.password, "verify");
    const browser = console_.browser();
    const tally = new Map<number, number>();
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => browser.post("/sign-in", { login: awa.login, password: "guess" })),
      );
      for (const { status, headers } of answers) {
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(tally.get(401)).toBe(10);
    expect(tally.get(429)).toBe(9990);
    expect(verify.mock.calls.length).toBe(10);
    verify.mockRestore();
    // Too many by login: the right password waits as well, for the time that it was told.
    expect((await browser.post("/sign-in", { login: awa.login, password: PASSWORD })).status).toBe(429);
    const refused = console_.audits().filter(({ action }) => action === "sign-in refused");
    expect(refused).toHaveLength(10);
    expect(JSON.parse(refused[0]?.detail ?? "")).toMatchObject({ address: "127.0.0.1" });
    await console_.clock.advance(15 * 60_000);
    expect((await browser.post("/sign-in", { login: awa.login, password: PASSWORD })).status).toBe(200);
  });

  test("a login is counted by the letters that it is found by, however they were typed", async () => {
    const verify = vi.spyOn(Bun.password, "verify").mockResolvedValue(false);
    const browser = console_.browser();
    for (let nth = 0; nth < 10; nth++) {
      const login = nth % 2 === 0 ? "aimé@example.bf" : " AIME\u0301@example.bf";
      expect((await browser.post("/sign-in", { login, password: "guess" })).status).toBe(401);
    }
    for (const login of ["aimé@example.bf", "aime\u0301@example.bf"]) {
      expect((await browser.post("/sign-in", { login, password: "guess" })).status).toBe(429);
    }
    verify.mockRestore();
  });

  test("one's own right password makes no wrong second factor forgotten", async () => {
    const browser = await console_.signedIn(awa);
    for (let nth = 0; nth < 5; nth++) {
      expect((await browser.post("/confirm", { code: "000000" })).json.code).toBe("CODE_REFUSED");
    }
    const form = { password: PASSWORD, newPassword: PASSWORD };
    expect((await browser.post("/me/password", form)).status).toBe(200);
    expect((await browser.post("/confirm", { code: "000000" })).status).toBe(429);
  });

  test("many logins from one address are too many as well", async () => {
    const verify = vi.spyOn(Bun.password, "verify").mockResolvedValue(false);
    const browser = console_.browser();
    const statuses = [];
    for (let nth = 0; nth < 60; nth++) {
      statuses.push(
        (await browser.post("/sign-in", { login: `n${nth}@example.bf`, password: "guess" })).status,
      );
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(9);
    verify.mockRestore();
  });

  test("whoever comes in takes nothing from those behind the same address", async () => {
    const verify = vi.spyOn(Bun.password, "verify").mockResolvedValue(true);
    for (let nth = 0; nth < 60; nth++) {
      const browser = await console_.signedIn(awa);
      expect((await browser.get("/api/me")).status).toBe(200);
    }
    verify.mockRestore();
  });

  test("six wrong codes are one too many, and the session of the password ends nothing", async () => {
    const browser = console_.browser();
    await browser.post("/sign-in", { login: awa.login, password: PASSWORD });
    const statuses = [];
    for (let nth = 0; nth < 6; nth++)
      statuses.push((await browser.post("/second-factor", { code: "000000" })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("what was typed is never written down: no password, code or secret in log, audit or database", async () => {
    const browser = await console_.signedIn(awa);
    await console_
      .browser()
      .post("/sign-in", { login: "my secret typed as login", password: "hunter2hunter2" });
    const written =
      JSON.stringify(console_.log.lines) +
      JSON.stringify(console_.audits()) +
      JSON.stringify(console_.context.store.read.all("SELECT * FROM user_sessions"));
    for (const secret of [
      PASSWORD,
      "hunter2",
      "my secret typed",
      browser.cookie.split("=")[1] ?? "",
      awa.secret,
    ]) {
      expect(written).not.toContain(secret);
    }
    expect(JSON.stringify(console_.log.lines)).not.toContain(awa.login);
  });
});

describe("a session", () => {
  test("ends with signing out: a cookie that was stolen is worth nothing then", async () => {
    const browser = await console_.signedIn(awa);
    const stolen = browser.cookie;
    expect((await browser.post("/sign-out")).status).toBe(200);
    const thief = console_.browser();
    thief.cookie = stolen;
    expect((await thief.get("/api/me")).status).toBe(401);
  });

  test("ends after 30 minutes without a request, and after 12 hours with them", async () => {
    const idle = await console_.signedIn(awa);
    console_.clock.setBy(30 * 60_000);
    expect((await idle.get("/api/me")).status).toBe(401);
    const busy = await console_.signedIn(awa);
    let minutes = 0;
    while ((await busy.get("/api/me")).status === 200) {
      console_.clock.setBy(20 * 60_000);
      minutes += 20;
    }
    expect(minutes).toBe(12 * 60);
  });

  test("is not used by what a page asks by itself, with nobody there", async () => {
    const browser = await console_.signedIn(awa);
    const ask = async () => (await browser.get("/api/me", { "x-unattended": "1" })).status;
    for (let minute = 0; minute < 29; minute++) {
      console_.clock.setBy(60_000);
      expect(await ask()).toBe(200);
    }
    console_.clock.setBy(60_000);
    expect(await ask()).toBe(401);
  });

  test("ends by password change, role change, suspension and reset", async () => {
    const { context } = console_;
    const other = await console_.person("fanta@example.bf", "SUPPORT");
    const changed = await console_.signedIn(other);
    const second = await console_.signedIn(other);
    const before = changed.cookie;
    const answer = await changed.post("/me/password", {
      password: PASSWORD,
      newPassword: "another good password",
    });
    expect(answer.status).toBe(200);
    expect(changed.cookie).not.toBe(before);
    expect((await changed.get("/api/me")).status).toBe(200);
    expect((await second.get("/api/me")).status).toBe(401);
    granted(await run(USER_OPERATIONS["user role"], context, { login: other.login, role: "FINANCE" }));
    expect((await changed.get("/api/me")).status).toBe(401);
    const mine = await console_.signedIn(awa);
    await console_.person("issouf@example.bf", "OWNER");
    granted(await run(USER_OPERATIONS["user disable"], context, { login: awa.login }));
    expect((await mine.get("/api/me")).status).toBe(401);
    const third = await console_.person("issa@example.bf", "SUPPORT");
    const his = await console_.signedIn(third);
    granted(await run(USER_OPERATIONS["user reset"], context, { login: third.login }));
    expect((await his.get("/api/me")).status).toBe(401);
    expect(
      (await console_.browser().post("/sign-in", { login: third.login, password: PASSWORD })).status,
    ).toBe(401);
  });

  test("is listed with place and time, and ended one by one", async () => {
    const here = await console_.signedIn(awa);
    const there = await console_.signedIn(awa);
    const { sessions } = (await here.get("/api/me/sessions")).json as { sessions: Record<string, unknown>[] };
    const other = sessions.find(({ is_current }) => is_current !== true);
    expect(other).toMatchObject({ address: "127.0.0.1" });
    const ids = sessions.filter(({ is_current }) => is_current !== true).map(({ id }) => id);
    for (const id of ids) expect((await here.post("/me/sessions/end", { id })).status).toBe(200);
    expect((await there.get("/api/me")).status).toBe(401);
    expect((await here.get("/api/me")).status).toBe(200);
    const fanta = await console_.signedIn(await console_.person("fanta@example.bf", "SUPPORT"));
    const mine = ((await here.get("/api/me/sessions")).json as { sessions: { id: string }[] }).sessions[0]
      ?.id;
    expect((await fanta.post("/me/sessions/end", { id: mine })).status).toBe(404);
  });

  test("a new password needs the one before, 12 characters, and is never the login", async () => {
    const browser = await console_.signedIn(awa);
    const change = async (password: string, newPassword: string) =>
      (await browser.post("/me/password", { password, newPassword })).json.code ?? "done";
    expect(await change("wrong wrong wrong", "a good enough one")).toBe("CODE_REFUSED");
    expect(await change(PASSWORD, "short")).toBe("PASSWORD_REFUSED");
    expect(await change(PASSWORD, awa.login)).toBe("PASSWORD_REFUSED");
    expect(await change(PASSWORD, "a good enough one")).toBe("done");
  });

  test("language is the user's own", async () => {
    const browser = await console_.signedIn(awa);
    expect((await browser.post("/me/language", { language: "en" })).status).toBe(200);
    expect((await browser.get("/api/me")).json.language).toBe("en");
    expect((await browser.post("/me/language", { language: "de" })).status).toBe(422);
  });
});

test("a restored copy lets nobody go on: all sessions and links are over", async () => {
  const browser = await console_.signedIn(awa);
  const secret =
    granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login })).link.split(
      "#",
    )[1] ?? "";
  const { store, config, actor } = console_.context;
  const recoverClaim = createClaimRecovery({ now: () => config });
  await holdRestoredMessages(store, recoverClaim, {
    restoredAtMs: console_.clock.nowMs(),
    file: "f",
    madeAtMs: 0,
    actor,
  });
  expect((await browser.get("/api/me")).status).toBe(401);
  expect((await browser.post("/link/look", { secret })).json.code).toBe("LINK_INVALID");
});

describe("a link", () => {
  test("changes nothing by being opened, works once, and for 30 minutes", async () => {
    const { context, clock } = console_;
    const make = async () =>
      granted(await run(USER_OPERATIONS["user link"], context, { login: awa.login })).link.split("#")[1] ??
      "";
    const secret = await make();
    const browser = console_.browser();
    for (let nth = 0; nth < 3; nth++) expect((await browser.post("/link/look", { secret })).status).toBe(200);
    expect((await (await console_.signedIn(awa)).get("/api/me")).status).toBe(200);
    await console_.use(secret, awa.login);
    expect((await browser.post("/link/look", { secret })).json.code).toBe("LINK_INVALID");
    const late = await make();
    clock.setBy(30 * 60_000);
    expect((await browser.post("/link/look", { secret: late })).json.code).toBe("LINK_INVALID");
  });

  test("voids those before it", async () => {
    const make = async () =>
      granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login })).link.split(
        "#",
      )[1] ?? "";
    const [older, newer] = [await make(), await make()];
    expect((await console_.browser().post("/link/look", { secret: older })).status).toBe(401);
    expect((await console_.browser().post("/link/look", { secret: newer })).status).toBe(200);
  });

  test("a code that does not fit leaves it as it was", async () => {
    const secret =
      granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login })).link.split(
        "#",
      )[1] ?? "";
    const browser = console_.browser();
    const { proposal } = (await browser.post("/link/look", { secret })).json;
    const used = await browser.post("/link/use", { secret, password: PASSWORD, code: "000000", proposal });
    expect(used.json.code).toBe("SIGN_IN_REFUSED");
    expect((await browser.post("/link/look", { secret })).status).toBe(200);
  });

  test("of the first start makes the owner, who types the login; with a user there is none", async () => {
    expect(await firstLinkOf(console_)).toBeNull();
    const empty = await consoleFixture();
    const link = await firstLinkOf(empty);
    const secret = link?.split("#")[1] ?? "";
    expect(link).toBe(`${empty.origin}/console/link#${secret}`);
    const first = await empty.use(secret, "boss@example.bf", "Boss@example.bf");
    expect((await (await empty.signedIn(first)).get("/api/me")).json).toMatchObject({
      login: "boss@example.bf",
      role: "OWNER",
    });
    expect((await empty.browser().post("/link/look", { secret })).status).toBe(401);
    await empty.close();
  });
});
