/** What is refused at the console stands in the audit, bounded, and tells nobody what there is. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../src/console/server/routes/http-adapter.ts";
import { plantBatch } from "../admin/operations/batch-fixture.ts";
import { testClock } from "../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture, PASSWORD } from "./fixture.ts";

let place: ConsoleFixture;
let account: string;
beforeEach(async () => {
  place = await consoleFixture(
    { server: { listen: "127.0.0.1:0", trusted_proxies: ["127.0.0.1"] } },
    { fill: mountConsoleRoutes(testClock()) },
  );
  account = await place.admin.account();
});
afterEach(() => place.close());

const refusals = async () => {
  // Nobody waits for them: behind a write that came later they are all there.
  await place.context.store.write(() => {});
  return place
    .audits()
    .filter(({ action }) => action === "request refused")
    .map(({ actor, detail }) => {
      const { cause, times, route, address } = JSON.parse(detail) as Record<string, unknown>;
      return { actor, cause, times, route, address };
    });
};

describe("a refused request", () => {
  test("of each kind stands in the audit with who, from where, why and by which route", async () => {
    const fanta = await place.person("fanta@example.bf", "ACCOUNT_READER", account);
    const inside = await place.signedIn(fanta);
    const { cookie } = inside;
    const others = await plantBatch(place.admin, { account: await place.admin.account(), status: "SENDING" });
    expect(
      (await inside.post("/me/language", { language: "en" }, { origin: "https://evil.example" })).status,
    ).toBe(403);
    expect((await inside.post(`/accounts/${account}/suspend`, {})).json.code).toBe("FORBIDDEN");
    expect((await inside.get(`/api/batches/${others}`)).status).toBe(404);
    await inside.post("/sign-out");
    inside.cookie = cookie;
    expect((await inside.get("/api/me")).status).toBe(401);
    const sender = await place.entered("salif@example.bf", "ACCOUNT_SENDER", account);
    const bomb = "\u00d0\u00cf\u0011\u00e0";
    const brought = await fetch(`${place.origin}/console/api/send/${account}/files`, {
      method: "POST",
      headers: { cookie: sender.cookie, origin: place.origin },
      body: Buffer.from(bomb, "latin1"),
    });
    expect(brought.status).toBe(422);
    const at = { times: 1, address: "127.0.0.1" };
    expect(await refusals()).toEqual([
      { ...at, actor: "unknown login", cause: "OTHER_SITE", route: "/console/api/me/language" },
      { ...at, actor: fanta.login, cause: "FORBIDDEN", route: "/console/api/accounts/:account/suspend" },
      { ...at, actor: fanta.login, cause: "NOT_THEIRS", route: "/console/api/batches/:batch" },
      { ...at, actor: "unknown login", cause: "SESSION_OVER", route: "/console/api/me" },
      { ...at, actor: "salif@example.bf", cause: "FILE_REFUSED", route: "/console/api/send/:account/files" },
    ]);
  });

  test("says the same of another account's thing as of one that nobody has", async () => {
    const others = await plantBatch(place.admin, { account: await place.admin.account(), status: "SENDING" });
    const seen = [];
    for (const [login, id] of [
      ["a@example.bf", others],
      ["b@example.bf", "01K00000000000000000000000"],
    ] as const) {
      const inside = await place.entered(login, "ACCOUNT_READER", account);
      const answer = await inside.get(`/api/batches/${id}`);
      seen.push([answer.status, { ...answer.json, request_id: "" }]);
    }
    expect(seen[0]).toEqual(seen[1]);
    const [one, other] = await refusals();
    expect({ ...one, actor: "" }).toEqual({ ...other, actor: "" });
    expect(JSON.stringify(place.audits().filter(({ action }) => action === "request refused"))).not.toContain(
      others,
    );
  });

  test("a thousand times is one entry a minute, with how many it stands for, and then none", async () => {
    const fanta = await place.person("fanta@example.bf", "ACCOUNT_READER", account);
    const inside = await place.signedIn(fanta);
    const ask = async (count: number) => {
      for (let nth = 0; nth < count; nth++) await inside.get("/api/batches/01K00000000000000000000000");
    };
    const times = async () => (await refusals()).map((entry) => entry.times);
    await ask(40);
    expect(await times()).toEqual([1]);
    await place.clock.advance(60_000);
    expect(await times()).toEqual([1, 39]);
    await ask(3);
    expect(await times()).toEqual([1, 39]);
    await place.clock.advance(60_000);
    expect(await times()).toEqual([1, 39, 3]);
    await place.clock.advance(60_000);
    await ask(1);
    expect(await times()).toEqual([1, 39, 3, 1]);
  });

  test("from very many addresses is counted together, so that they do not fill it either", async () => {
    for (let nth = 0; nth < 200; nth++) {
      const from = { "x-forwarded-for": `198.51.100.${nth}`, "x-forwarded-proto": "https" };
      await place.browser().post("/me/language", {}, { ...from, origin: "https://evil.example" });
    }
    expect(await refusals()).toHaveLength(31);
    await place.clock.advance(60_000);
    const all = await refusals();
    expect(all).toHaveLength(32);
    expect(all.at(-1)?.times).toBe(169);
    expect(all.reduce((sum, { times }) => sum + Number(times), 0)).toBe(200);
  });

  test("is none where somebody is between the two steps of signing in, or brings no cookie", async () => {
    const awa = await place.person("awa@example.bf", "OWNER");
    const half = place.browser();
    await half.post("/sign-in", { login: awa.login, password: PASSWORD });
    expect((await half.get("/api/me")).status).toBe(401);
    expect((await place.browser().get("/api/me")).status).toBe(401);
    expect(await refusals()).toEqual([]);
  });

  test("of attempts to sign in beyond those that are taken is told too, once", async () => {
    const awa = await place.person("awa@example.bf", "OWNER");
    for (let nth = 0; nth < 14; nth++) {
      await place.browser().post("/sign-in", { login: awa.login, password: "guess" });
    }
    expect((await place.browser().post("/sign-in", { login: awa.login, password: PASSWORD })).status).toBe(
      429,
    );
    await place.clock.advance(60_000);
    expect((await refusals()).map(({ actor, cause, times }) => [actor, cause, times])).toEqual([
      ["unknown login", "TOO_MANY_ATTEMPTS", 1],
      ["unknown login", "TOO_MANY_ATTEMPTS", 4],
    ]);
  });
});
