import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLiveFigures } from "../../src/console/server/live/live-figures.ts";
import { LiveStreams, liveRoutes } from "../../src/console/server/live/live-stream.ts";
import type { LiveView } from "../../src/console/server/live/live-view.ts";
import { deriveDeliveryShares } from "../../src/console/server/live/staff-figures.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";
import { type ConsoleFixture, consoleFixture } from "./fixture.ts";

describe("the figures of the start pages", () => {
  let console_: ConsoleFixture;
  beforeAll(async () => {
    let deps: Parameters<typeof liveRoutes>[2] | null = null;
    console_ = await consoleFixture(
      {},
      {
        fill: (routes, permitted) =>
          liveRoutes(routes, permitted, {
            figures: (reader) => deps!.figures(reader),
            streams: { follow: (...told) => deps!.streams.follow(...told), stop: () => {} },
          }),
      },
    );
    const { context, clock, log } = console_;
    deps = { figures: createLiveFigures(context.store.read, clock), streams: new LiveStreams(clock, log) };
  });
  afterAll(() => console_.close());

  test("are the appliance's for staff, without money for those who see none, and nobody's without a session", async () => {
    const owner = await console_.entered("own@reseau.example", "OWNER");
    const started = (await owner.get("/api/start")).json as unknown as LiveView;
    expect(started).toMatchObject({ kind: "staff", charged_today: 0, messages_today: 0, alarms: [] });
    const support = await console_.entered("sup@reseau.example", "SUPPORT");
    expect((await support.get("/api/start")).json).toMatchObject({ kind: "staff", charged_today: null });
    const nobody = console_.browser();
    expect((await nobody.get("/api/start")).status).toBe(401);
    expect((await nobody.get("/api/live")).status).toBe(401);
  });

  test("are the own account's for its people; a reader sees no amount", async () => {
    const account = await console_.admin.account();
    const admin = await console_.entered("adm@b.example", "ACCOUNT_ADMIN", account);
    const seen = (await admin.get("/api/start")).json;
    expect(seen).toMatchObject({ kind: "account", batches: [], messages_today: 0 });
    expect(seen.balance).toMatchObject({ reserved: 0 });
    const reader = await console_.entered("r@b.example", "ACCOUNT_READER", account);
    expect((await reader.get("/api/start")).json).toMatchObject({ kind: "account", balance: null });
  });
});

describe("a stream of figures", () => {
  const view = (at: string): LiveView => ({
    kind: "account",
    at,
    balance: null,
    batches: [],
    delivered_share: null,
    messages_today: 0,
    notices: [],
  });
  /** What was told until now; the clock stands still. */
  const opened = (clock: ReturnType<typeof testClock>, maySee = () => true) => {
    let made = 0;
    const streams = new LiveStreams(clock, testLog());
    const figures = async () => {
      made += 1;
      return view(String(made));
    };
    const response = streams.follow({ userId: 1, isStaff: true }, figures, maySee);
    const reader = response!.body!.getReader();
    const next = async (): Promise<string | null> => {
      const { value, done } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    };
    return { streams, next, made: () => made, reader };
  };

  test("tells at once, then no more than once a second", async () => {
    const clock = testClock();
    const { next, made } = opened(clock);
    expect(await next()).toMatch(/^data: \{.*"at":"1".*\}\n\n$/);
    await clock.advance(999);
    expect(made()).toBe(1);
    await clock.advance(1);
    expect(await next()).toContain('"at":"2"');
  });

  test("makes nothing more once the page has left", async () => {
    const clock = testClock();
    const { next, made, reader } = opened(clock);
    await next();
    await reader.cancel();
    await clock.advance(5000);
    expect(made()).toBe(1);
  });

  test("ends after a minute, and when the server stops", async () => {
    const clock = testClock();
    const { next, made } = opened(clock);
    let told = 0;
    for (let each = await next(); each !== null; each = await next()) {
      told += 1;
      await clock.advance(1000);
    }
    expect([told, made()]).toEqual([61, 61]);
    const other = opened(clock);
    await other.next();
    other.streams.stop();
    expect(await other.next()).toBe(null);
    expect(
      other.streams.follow(
        { userId: 1, isStaff: true },
        async () => view("0"),
        () => true,
      ),
    ).toBe(null);
  });

  test("is for few pages of one user, and what accounts' people leave is staff's", async () => {
    const streams = new LiveStreams(testClock(), testLog());
    const follow = (userId: number, isStaff: boolean) =>
      streams.follow(
        { userId, isStaff },
        async () => view("0"),
        () => true,
      );
    const count = (answers: readonly (Response | null)[]) => answers.filter((answer) => answer !== null);
    const six = count(Array.from({ length: 200 }, () => follow(1, false)));
    expect(six.length).toBe(6);
    for (let nth = 0; nth < 200; nth++) follow(100 + nth, false);
    expect(follow(1000, false)).toBe(null);
    expect(follow(2, true)).not.toBe(null);
    await six[0]?.body?.cancel();
    expect(follow(1, false)).not.toBe(null);
    streams.stop();
  });

  test("ends before the next figures are made or told, once they may not be seen any more", async () => {
    const clock = testClock();
    let isAllowed = true;
    const { next, made } = opened(clock, () => isAllowed);
    expect(await next()).toContain('"at":"1"');
    isAllowed = false;
    await clock.advance(1000);
    expect([await next(), made()]).toEqual([null, 1]);
  });
});

test("the share of an operator is that of this hour and the one before, beside the week before them", () => {
  const at = (hour: number, delivered: number, failed: number) => ({
    operator: "orange",
    hour,
    delivered,
    failed,
  });
  const hours = [
    at(1000, 9, 1),
    at(999, 0, 10),
    at(998, 30, 10),
    at(840, 0, 99),
    at(831, 99, 0),
    at(830, 50, 50),
  ];
  expect(deriveDeliveryShares(hours, 1000 * 3_600_000 + 5)).toEqual([
    { operator: "orange", last_hour: 9 / 20, last_week: 129 / 238 },
  ]);
  expect(deriveDeliveryShares([at(1000, 0, 0)], 1000 * 3_600_000)).toEqual([
    { operator: "orange", last_hour: null, last_week: null },
  ]);
});

test("an operator of the configuration has its line before anything is counted", () => {
  const hours = [{ operator: "gone", hour: 1000, delivered: 1, failed: 0 }];
  expect(
    deriveDeliveryShares(hours, 1000 * 3_600_000, ["orange", "moov"]).map(({ operator }) => operator),
  ).toEqual([...["orange", "moov", "gone"]]);
});
