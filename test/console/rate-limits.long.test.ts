/** How much one user, and one account's people, may ask of the console at once, over real HTTP. */
import { afterEach, describe, expect, test } from "vitest";
import { createConsoleLimits } from "../../src/console/server/rate-limits.ts";
import { mountConsoleRoutes } from "../../src/console/server/routes/http-adapter.ts";
import { LIMITED, type Limit } from "../../src/core/metrics-registry.ts";
import { testClock } from "../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "./fixture.ts";

let place: ConsoleFixture;
afterEach(() => place.close());

const open = async (console_: Readonly<Record<string, number>>) => {
  place = await consoleFixture({ console: console_ }, { fill: mountConsoleRoutes(testClock()) });
};
const limited = (limit: Limit) => place.context.store.tally.counters(LIMITED).of(limit).value;
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

describe("requests", () => {
  test("of one user are limited, and of nobody else", async () => {
    await open({ requests_per_second: 1, burst: 3 });
    const awa = await place.entered("awa@example.bf", "OWNER");
    const salif = await place.entered("salif@example.bf", "SUPPORT");
    const answers = [];
    for (let nth = 0; nth < 5; nth++) answers.push(await awa.get("/api/me"));
    expect(statuses(answers)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[0]?.headers.get("x-ratelimit-limit")).toBe("3");
    expect(answers[3]?.headers.get("retry-after")).toBe("1");
    expect(answers[3]?.json).toMatchObject({ code: "RATE_LIMITED" });
    expect((await salif.get("/api/me")).status).toBe(200);
    expect(limited("console requests of a user")).toBe(2);
    await place.clock.advance(1000);
    expect(statuses([await awa.get("/api/me"), await awa.get("/api/me")])).toEqual([200, 429]);
  });

  test("of an account's people are limited together, and staff are not among them", async () => {
    await open({ account_requests_per_second: 1, account_burst: 3 });
    const account = await place.admin.account();
    const one = await place.entered("one@shop.example", "ACCOUNT_ADMIN", account);
    const other = await place.entered("other@shop.example", "ACCOUNT_READER", account);
    const staff = await place.entered("awa@example.bf", "OWNER");
    const ask = async () => [
      await one.get("/api/me"),
      await other.get("/api/me"),
      await staff.get("/api/me"),
    ];
    expect(statuses([...(await ask()), ...(await ask())])).toEqual([200, 200, 200, 200, 429, 200]);
    expect(limited("console requests of an account")).toBe(1);
  });

  test("are limited as the configuration says now", async () => {
    await open({ requests_per_second: 1, burst: 1, account_requests_per_second: 1, account_burst: 1 });
    const account = await place.admin.account();
    const one = await place.entered("one@shop.example", "ACCOUNT_ADMIN", account);
    const ask = async () => (await one.get("/api/me")).status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
    const { config, ...file } = place.settings.whole();
    const more = { requests_per_second: 9, burst: 9, account_requests_per_second: 9, account_burst: 3 };
    place.settings.replace({ ...config, console: { ...config.console, ...more } }, file);
    await place.clock.advance(1000);
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
  });

  test("of somebody who may not come in are refused as before, however many", async () => {
    await open({ requests_per_second: 1, burst: 1 });
    const stranger = place.browser();
    for (let nth = 0; nth < 5; nth++) expect((await stranger.get("/api/me")).status).toBe(401);
  });
});

describe("files", () => {
  /** Brings a file whose end is not there before `finish`. */
  const bring = (cookie: string, account: string) => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: async (out) => {
        out.enqueue(new TextEncoder().encode("telephone\n"));
        await promise;
        out.enqueue(new TextEncoder().encode("05112233\n"));
        out.close();
      },
    });
    const { origin } = place;
    const url = `${origin}/console/api/send/${account}/files`;
    return { finish, answer: fetch(url, { method: "POST", headers: { cookie, origin }, body }) };
  };

  test("of one user, and of an account's people, are brought a few at a time", async () => {
    await open({ transfers: 1, account_transfers: 2 });
    const account = await place.admin.account();
    const people = [];
    for (const name of ["one", "two", "three"])
      people.push((await place.entered(`${name}@shop.example`, "ACCOUNT_SENDER", account)).cookie);
    const [one = "", two = "", three = ""] = people;
    // All of them are there before any ends: each begins once its request's head is read.
    const begun = [bring(one, account), bring(one, account), bring(two, account), bring(three, account)];
    const refused = await Promise.race([
      Promise.all(begun.slice(0, 2).map(({ answer }) => answer)).then(() => null),
      ...begun.slice(0, 2).map(({ answer }) => answer),
    ]);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    const together = await Promise.race(begun.slice(2).map(({ answer }) => answer));
    expect(together.status).toBe(429);
    for (const { finish } of begun) finish();
    const all = await Promise.all(begun.map(({ answer }) => answer));
    expect(statuses(all).toSorted()).toEqual([200, 200, 429, 429]);
    expect([limited("console transfers of a user"), limited("console transfers of an account")]).toEqual([
      1, 1,
    ]);
    // The places are free again.
    const again = bring(one, account);
    again.finish();
    expect((await again.answer).status).toBe(200);
  });

  test("are as many as the configuration says at the time", async () => {
    await open({ transfers: 1, account_transfers: 9 });
    const limits = createConsoleLimits(place.settings, place.clock, place.context.store.tally);
    const begin = (user: number) => limits.beginTransfer({ user, account: "shop" });
    const first = begin(1);
    expect([first === null, begin(1)]).toEqual([false, null]);
    const { config, ...file } = place.settings.whole();
    const changed = { ...config.console, transfers: 2, account_transfers: 2 };
    place.settings.replace({ ...config, console: changed }, file);
    expect([begin(1) === null, begin(2)]).toEqual([false, null]);
    first?.();
    first?.();
    expect([begin(2) === null, begin(2)]).toEqual([false, null]);
  });

  test("that were fetched to their end leave their place to the next", async () => {
    await open({ transfers: 1 });
    const awa = await place.entered("awa@example.bf", "OWNER");
    for (let nth = 0; nth < 3; nth++) expect((await awa.get("/api/audit.csv")).status).toBe(200);
    expect((await awa.get("/api/accounts/nobody/statement.csv")).status).toBe(404);
    expect((await awa.get("/api/audit.csv")).status).toBe(200);
  });
});

describe("what is done to others", () => {
  test("people are asked in fifty times a day", async () => {
    await open({});
    const account = await place.admin.account();
    const person = await place.person("admin@shop.example", "ACCOUNT_ADMIN", account);
    const admin = await place.signedIn(person);
    await admin.post("/confirm", { code: await place.nextCode(person) });
    const answers = [];
    for (let nth = 0; nth < 51; nth++) {
      const body = { login: `person-${nth}@shop.example`, role: "ACCOUNT_READER", account };
      answers.push(await admin.post("/users", body));
    }
    expect(statuses(answers)).toEqual([...Array<number>(50).fill(200), 429]);
  });

  test("webhooks are tested as often as over the API", async () => {
    await open({});
    const account = await place.admin.account();
    const admin = await place.entered("admin@shop.example", "ACCOUNT_ADMIN", account);
    const id = "01K00000000000000000000000";
    const answers = [];
    for (let nth = 0; nth < 7; nth++) answers.push(await admin.post(`/webhooks/${id}/test`));
    expect(statuses(answers)).toEqual([...Array<number>(6).fill(404), 429]);
    expect(answers[6]?.headers.get("retry-after")).toBe("60");
    expect(limited("webhook tests")).toBe(1);
  });
});
