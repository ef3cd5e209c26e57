import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { purge } from "../../../src/admin/operations/purge.ts";
import {
  DELIVERY_KEYS,
  type DeliveryKey,
  type DeliveryQuery,
  type DeliveryView,
  deliveryReport,
} from "../../../src/admin/reports/delivery.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Config } from "../../../src/config/config.ts";
import type { Chance } from "../../../src/core/chance.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { startSearchUpkeep } from "../../../src/ops/search-upkeep.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { cancelled, claimed, delivered, partAccepted, receiptOverdue, undelivered } from "../../kit/facts.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { adminConfig, codeOf, granted } from "../operations/fixture.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

function context(): AdminContext {
  const { store, clock, newId } = books;
  return {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
}
const report = (query: Partial<DeliveryQuery>, of = context()) =>
  deliveryReport(of, { by: null, account: null, from: null, to: null, ...query });
const reported = async (query: Partial<DeliveryQuery>): Promise<DeliveryView> => granted(await report(query));

async function told(zone = "Africa/Ouagadougou"): Promise<void> {
  const timezone = () => zone;
  const round = startSearchUpkeep(books.store, books.clock, timezone, { notWorthIt: 0, restMs: 0 });
  while (await round(() => false)) {
    // Until there is nothing left.
  }
}

type Plain = {
  readonly key: string | null;
  readonly accepted: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly without_receipt: number;
  readonly cancelled: number;
  readonly segments: number;
  readonly charged: number;
};

const COLUMNS: Readonly<Record<DeliveryKey, string>> = {
  operator: "m.operator",
  class: "b.message_class",
  account: "(SELECT ulid FROM accounts WHERE id = m.account_id)",
  sender: "b.sender",
  error: "m.error_code",
  day: "date(b.created_at / 1000, 'unixepoch')",
};

/** The same added up from the messages themselves. */
function plainly(by: DeliveryKey): Plain[] {
  return books.store.read.all<Plain>(
    `SELECT ${COLUMNS[by]} AS "key", count(*) AS accepted, count(m.sent_at) AS sent, sum(m.status = 'DELIVERED') AS delivered,
       sum(m.status = 'FAILED') AS failed, sum(m.status = 'SENT') AS without_receipt,
       sum(m.status = 'CANCELLED') AS cancelled, sum(m.segments) AS segments, sum(m.amount) AS charged
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE b.status NOT IN ('STAGING', 'VALIDATING', 'FAILED') AND b.is_test = 0 GROUP BY 1 ORDER BY 1`,
  );
}

async function expectAll(): Promise<void> {
  for (const by of DELIVERY_KEYS) {
    const { rows } = await reported({ by });
    const figures = rows.map(({ delivered_share: _, receipt_seconds: __, account: ___, ...rest }) => rest);
    expect([by, figures]).toEqual([by, plainly(by)]);
  }
}

/** A batch of some messages: staged or not, of one of two classes and operators, now and then a test. */
async function send(account: TestAccount, count: number, chance: Chance) {
  const segments = Array.from({ length: count }, () => 1 + Math.floor(chance.fraction() * 2));
  const batch = await books.batch(account, { segments, price: 3, isStaged: chance.fraction() < 0.5 });
  if (chance.fraction() < 0.6) return batch;
  const isTest = chance.fraction() < 0.3 ? 1 : 0;
  await books.store.write((tx) => {
    tx.run(
      "UPDATE batches SET sender = 'OTHER', message_class = 'OTP', is_test = ? WHERE id = ?",
      isTest,
      batch.id,
    );
    tx.run("UPDATE messages SET operator = 'moov' WHERE batch_id = ?", batch.id);
  });
  return batch;
}

async function move(ids: readonly number[], chance: Chance): Promise<void> {
  const some = ids.filter(() => chance.fraction() < 0.4);
  await books.apply(...some.map((id) => claimed(id)));
  await books.clock.advance(1 + Math.floor(chance.fraction() * 3000));
  const parts = some.flatMap((id) => {
    const { segments } = books.messageRow(id);
    return Array.from({ length: segments }, (_, part) => partAccepted(id, part + 1));
  });
  await books.apply(...parts.filter(() => chance.fraction() < 0.9));
  await books.clock.advance(1 + Math.floor(chance.fraction() * 60_000));
  const sent = ids.filter(
    (id) => books.messageRow(id).status === "SENT" && books.messageRow(id).is_final === 0,
  );
  const ends = sent.flatMap((id) => {
    const fate = chance.fraction();
    if (fate < 0.1) return [receiptOverdue(id)];
    if (fate < 0.3) return [];
    const { segments } = books.messageRow(id);
    return Array.from({ length: segments }, (_, part) =>
      fate < 0.45 ? undelivered(id, part + 1) : delivered(id, part + 1),
    );
  });
  await books.apply(...ends);
  const waiting = ids.filter((id) => books.messageRow(id).status === "QUEUED" && chance.fraction() < 0.1);
  await books.apply(...waiting.map((id) => cancelled(id)));
}

const DAY_MS = 86_400_000;

/** Has messages leave and arrive. */
async function ended(ids: readonly number[]): Promise<void> {
  const waiting = ids.filter((id) => books.messageRow(id).status === "QUEUED");
  await books.apply(...waiting.map((id) => claimed(id)));
  const parts = ids.flatMap((id) =>
    Array.from({ length: books.messageRow(id).segments }, (_, part) => [id, part + 1] as const),
  );
  await books.apply(...parts.map(([id, part]) => partAccepted(id, part)));
  await books.apply(...parts.map(([id, part]) => delivered(id, part)));
}

/** Purges what is due by such a `[retention]`. */
async function purgedAll(retention: Partial<Config["retention"]>): Promise<void> {
  const { store, clock, newId } = books;
  const config = adminConfig(store.directory);
  let isOver = false;
  const purged = purge(
    { store, clock, newId, config: { ...config, retention: { ...config.retention, ...retention } } },
    () => false,
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(20);
  await purged;
}

/** A clock by which every look finds that a slice is over. */
function hurriedClock(): Clock {
  const { clock } = books;
  let looked = 0;
  return {
    ...clock,
    steadyMs: () => {
      looked += 1000;
      return looked;
    },
    soon: (callback) => void setImmediate(callback),
  };
}

describe("what became of messages", () => {
  test.each(seeds(3))(
    "is what the messages themselves add up to, whenever and however often they were told (seed %d)",
    seeded(async (chance) => {
      const accounts = [await books.account(), await books.account()];
      const batches: Awaited<ReturnType<typeof send>>[] = [];
      for (let n = 0; n < 10; n++) {
        batches.push(await send(accounts[n % 2]!, 1 + Math.floor(chance.fraction() * 400), chance));
        await move(batches[Math.floor(chance.fraction() * batches.length)]!.messages, chance);
        await books.clock.advance(Math.floor(chance.fraction() * 20_000_000));
        if (chance.fraction() < 0.5) await told();
        if (chance.fraction() < 0.3) await expectAll();
      }
      await expectAll();
      await told();
      await expectAll();
      const [mine] = accounts;
      const { totals } = await reported({ account: mine!.ulid });
      expect(totals.accepted).toBe(plainly("account").find(({ key }) => key === mine!.ulid)?.accepted ?? 0);
    }),
    30_000,
  );

  test("is told of one operator by day, told or not", async () => {
    const account = await books.account();
    const batches = [await books.batch(account, { segments: [1, 1] }), await books.batch(account)];
    const other = batches[1]?.id ?? 0;
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'moov' WHERE batch_id = ?", other);
    });
    for (const isTold of [false, true]) {
      if (isTold) await told();
      const { rows } = await reported({ by: "day", operator: "orange" });
      expect(rows).toMatchObject([{ accepted: 2 }]);
      expect((await reported({ by: "day", operator: "moov" })).totals.accepted).toBe(1);
      expect((await reported({ by: "day", operator: "airtel" })).rows).toEqual([]);
    }
  });

  test("tells how long receipts took within 5 %", async () => {
    const account = await books.account();
    const { messages } = await books.batch(account, { segments: Array<number>(100).fill(1) });
    await books.apply(...messages.map((id) => claimed(id)));
    await books.apply(...messages.map((id) => partAccepted(id)));
    for (const [n, id] of messages.entries()) {
      await books.clock.advance(1000);
      await books.apply(n < 95 ? delivered(id) : undelivered(id));
    }
    for (const isTold of [false, true]) {
      if (isTold) await told();
      const { receipt_seconds: seconds, delivered_share: share } = (await reported({})).totals;
      for (const [found, exact] of [
        [seconds.p50, 50],
        [seconds.p90, 90],
        [seconds.p99, 99],
      ] as const)
        expect(Math.abs((found ?? 0) / exact - 1)).toBeLessThan(0.055);
      expect(share).toBe(0.95);
    }
  });

  test("stays when the messages are gone", async () => {
    const account = await books.account();
    const { messages } = await books.batch(account, { segments: Array<number>(30).fill(1) });
    await books.apply(...messages.map((id) => claimed(id)));
    await told();
    const before = await reported({ by: "operator" });
    await books.store.write((tx) => {
      tx.run("DELETE FROM messages WHERE id <= ?", messages[9]!);
    });
    expect(await reported({ by: "operator" })).toEqual(before);
    await books.batch(account);
    await told();
    expect((await reported({ by: "operator" })).totals.accepted).toBeGreaterThanOrEqual(30);
  });

  test("goes on being told where messages of the same block are gone already", async () => {
    const account = await books.account();
    const first = await books.batch(account, { segments: Array<number>(30).fill(1) });
    const later = await books.batch(account, { segments: Array<number>(20).fill(1), price: 15 });
    await ended(first.messages);
    await books.clock.advance(9 * DAY_MS);
    await purgedAll({ message_days: 8 });
    expect(books.store.read.get("SELECT count(*) AS n FROM messages")).toEqual({ n: 20 });
    expect((await reported({})).totals.accepted).toBe(50);
    await ended(later.messages);
    for (const isTold of [false, true]) {
      if (isTold) await told();
      const { accepted, delivered, charged } = (await reported({})).totals;
      expect([accepted, delivered, charged]).toEqual([50, 50, 50 * 15]);
    }
  });

  test("goes on being told of what is live where what was sent with test keys is gone", async () => {
    const account = await books.account();
    const { messages } = await books.batch(account, { segments: Array<number>(20).fill(1) });
    const other = await books.batch(account, { segments: Array<number>(20).fill(1) });
    // As of a sandbox, that nobody tells figures of, in a database that an earlier version purged.
    await books.store.write((tx) => {
      tx.run(
        `INSERT INTO accounts (id, sandbox_of, ulid, name, status, timezone, billing_mode, created_at)
         SELECT -id, id, '00000000000000000000000009', name, status, timezone, billing_mode, created_at FROM accounts`,
      );
      tx.run("UPDATE messages SET account_id = -account_id WHERE batch_id = ?", other.id);
      tx.run("UPDATE batches SET account_id = -account_id WHERE id = ?", other.id);
    });
    await told();
    await books.store.write((tx) => void tx.run("DELETE FROM messages WHERE batch_id = ?", other.id));
    await ended(messages);
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect((await reported({})).totals).toMatchObject({ accepted: 20, delivered: 20, charged: 300 });
    }
  });

  describe("where an earlier version purged without telling first", () => {
    const gone = (ids: readonly number[]) =>
      books.store.write((tx) => {
        tx.run("DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
      });
    const negative = () =>
      books.store.read.all(
        `SELECT * FROM delivery_figures f
         WHERE min(messages, sent, segments, charged) < 0 OR EXISTS (SELECT 1 FROM json_each(f.times) WHERE value < 0)`,
      );

    test("keeps those that are gone, and tells the others as they go on", async () => {
      const account = await books.account();
      const first = await books.batch(account, { segments: Array<number>(8).fill(1) });
      const later = await books.batch(account, { segments: Array<number>(20).fill(1) });
      await ended(first.messages);
      await told();
      await ended(later.messages.slice(0, 10));
      await gone(first.messages);
      for (const isTold of [false, true]) {
        if (isTold) await told();
        expect((await reported({})).totals).toMatchObject({ accepted: 28, delivered: 18, charged: 18 * 15 });
        expect(negative()).toEqual([]);
      }
      await ended(later.messages.slice(10));
      for (const isTold of [false, true]) {
        if (isTold) await told();
        expect((await reported({})).totals).toMatchObject({ accepted: 28, delivered: 28, charged: 28 * 15 });
        expect(negative()).toEqual([]);
      }
    });

    test.each(seeds(3))(
      "counts every message once and none below nothing, whatever was purged when (seed %d)",
      seeded(async (chance) => {
        const accounts = [await books.account(), await books.account()];
        const batches = [];
        for (let n = 0; n < 6; n++) {
          batches.push(await send(accounts[n % 2]!, 1 + Math.floor(chance.fraction() * 60), chance));
          await books.clock.advance(Math.floor(chance.fraction() * 20_000_000));
        }
        await told();
        const all = (await reported({ from: "60d" })).totals.accepted;
        const zones = ["Africa/Ouagadougou", "Pacific/Auckland", "Pacific/Honolulu"];
        for (let n = 0; n < 8; n++) {
          const { messages } = batches[Math.floor(chance.fraction() * batches.length)]!;
          const left = messages.filter((id) =>
            books.store.read.get("SELECT 1 FROM messages WHERE id = ?", id),
          );
          await move(left, chance);
          const over = left.filter((id) => books.messageRow(id).is_final === 1);
          await gone(over.filter(() => chance.fraction() < 0.5));
          if (chance.fraction() < 0.6) await told(zones[Math.floor(chance.fraction() * zones.length)]);
          expect(negative()).toEqual([]);
        }
        // What is gone stays on its day by the clocks of then, which may be tomorrow's here.
        await books.clock.advance(DAY_MS);
        await told();
        expect(negative()).toEqual([]);
        expect((await reported({ from: "60d" })).totals.accepted).toBe(all);
      }),
      30_000,
    );

    test("has no day with less than nothing after clocks were changed, however often", async () => {
      const account = await books.account();
      await books.clock.advance(Date.UTC(2026, 2, 3, 22) - books.clock.nowMs());
      const { messages } = await books.batch(account, { segments: [1, 1, 1] });
      await ended(messages);
      await told();
      await gone(messages.slice(0, 1));
      const days = async (timezone: string) => {
        const { config } = context();
        const of = { ...context(), config: { ...config, defaults: { ...config.defaults, timezone } } };
        return granted(await report({}, of)).rows.map(({ key, accepted }) => [key, accepted]);
      };
      for (const [zone, expected] of [
        [
          "Pacific/Auckland",
          [
            ["2026-03-03", 1],
            ["2026-03-04", 2],
          ],
        ],
        ["Africa/Ouagadougou", [["2026-03-03", 3]]],
      ] as const) {
        for (const isTold of [false, true]) {
          if (isTold) await told(zone);
          expect(await days(zone)).toEqual(expected);
          expect(negative()).toEqual([]);
        }
      }
    });
  });

  test.each(seeds(2))(
    "is what all messages that ever were add up to, whatever is purged between, told or not (seed %d)",
    seeded(async (chance) => {
      const account = await books.account();
      const expected = new Map<string, number>();
      for (let n = 0; n < 8; n++) {
        const batch = await books.batch(account, { segments: Array<number>(1 + n * 7).fill(1) });
        await move(batch.messages, chance);
        await ended(batch.messages.filter((id) => books.messageRow(id).is_final === 0));
        for (const id of batch.messages) {
          const { status } = books.messageRow(id);
          expected.set(status, (expected.get(status) ?? 0) + 1);
        }
        await books.clock.advance(Math.floor(chance.fraction() * 6 * DAY_MS));
        if (chance.fraction() < 0.3) await told();
        if (chance.fraction() < 0.6) await purgedAll({ message_days: 8 });
        const { totals } = await reported({ from: "60d" });
        const all = [...expected.values()].reduce((sum, count) => sum + count, 0);
        expect([totals.accepted, totals.delivered, totals.failed]).toEqual([
          all,
          expected.get("DELIVERED") ?? 0,
          expected.get("FAILED") ?? 0,
        ]);
      }
      expect(books.store.read.get("SELECT count(*) AS n FROM messages")).not.toEqual({ n: 0 });
    }),
    30_000,
  );

  test("loses nothing at a purge of which nobody was told before", async () => {
    const account = await books.account();
    const first = await books.batch(account, { segments: Array<number>(40).fill(1) });
    await ended(first.messages);
    await books.clock.advance(4 * DAY_MS);
    const second = await books.batch(account, { segments: Array<number>(30).fill(1) });
    await ended(second.messages);
    const before = await reported({ by: "operator" });
    expect(before.totals).toMatchObject({ accepted: 70, delivered: 70 });
    await books.clock.advance(5 * DAY_MS);
    await purgedAll({ message_days: 8 });
    expect(books.store.read.get("SELECT count(*) AS n FROM messages")).toEqual({ n: 30 });
    expect((await reported({ by: "operator" })).rows).toEqual(before.rows);
    await books.clock.advance(5 * DAY_MS);
    await purgedAll({ message_days: 8 });
    expect(books.store.read.get("SELECT count(*) AS n FROM messages")).toEqual({ n: 0 });
    expect((await reported({ by: "operator" })).rows).toEqual(before.rows);
    expect((await reported({ account: account.ulid })).totals).toEqual(before.totals);
  });

  test("is of the days of an account's clocks also after those were changed, told, purged or not", async () => {
    const account = await books.account();
    const clocks = (timezone: string) =>
      books.store.write((tx) => void tx.run("UPDATE accounts SET timezone = ?", timezone));
    const days = async () =>
      (await reported({ account: account.ulid })).rows.map(({ key, accepted }) => [key, accepted]);
    const noon = Date.UTC(2026, 2, 3, 22);
    await books.clock.advance(noon - books.clock.nowMs());
    await ended((await books.batch(account)).messages);
    await told();
    expect(await days()).toEqual([["2026-03-03", 1]]);
    await clocks("Pacific/Auckland");
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect(await days()).toEqual([["2026-03-04", 1]]);
      expect((await reported({})).rows.map(({ key }) => key)).toEqual(["2026-03-03"]);
    }
    await books.clock.advance(DAY_MS);
    await ended((await books.batch(account)).messages);
    await clocks("Pacific/Honolulu");
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect(await days()).toEqual([
        ["2026-03-03", 1],
        ["2026-03-04", 1],
      ]);
    }
    // What is purged stays on the days on which it was counted last, by the appliance's clocks too.
    await clocks("Africa/Ouagadougou");
    await books.clock.advance(7.5 * DAY_MS);
    await purgedAll({ message_days: 8 });
    expect(books.store.read.get("SELECT count(*) AS n FROM messages")).toEqual({ n: 1 });
    await clocks("Pacific/Auckland");
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect(await days()).toEqual([
        ["2026-03-03", 1],
        ["2026-03-05", 1],
      ]);
    }
  });

  test("is of the days of the appliance's clocks also after those were changed", async () => {
    const account = await books.account();
    await books.clock.advance(Date.UTC(2026, 2, 3, 22) - books.clock.nowMs());
    await books.batch(account);
    await told();
    const moved = { ...context(), config: { ...context().config } };
    moved.config = { ...moved.config, defaults: { ...moved.config.defaults, timezone: "Pacific/Auckland" } };
    for (const isTold of [false, true]) {
      if (isTold) await told("Pacific/Auckland");
      const { rows } = granted(await report({}, moved));
      expect(rows.map(({ key }) => key)).toEqual(["2026-03-04"]);
      const own = granted(await report({ account: account.ulid }, moved));
      expect(own.rows.map(({ key }) => key)).toEqual(["2026-03-03"]);
    }
  });

  test("comes to its end, and counts each message once, while blocks are told without a pause", async () => {
    const account = await books.account();
    const all: number[] = [];
    for (let n = 0; n < 12; n++)
      all.push(...(await books.batch(account, { segments: Array<number>(500).fill(1) })).messages);
    await ended(all.slice(0, 3000));
    const before = await reported({});
    let isReported = false;
    const hurried = { ...context(), clock: hurriedClock() };
    const asked = report({}, hurried).finally(() => {
      isReported = true;
    });
    let rounds = 0;
    while (!isReported && rounds < 300) {
      rounds += 1;
      // Each block is told anew in every round.
      await books.store.write((tx) => void tx.run("UPDATE search_blocks SET is_stale = 1"));
      await told();
    }
    expect(isReported).toBe(true);
    expect(granted(await asked)).toEqual(before);
  });

  test("counts days by the clocks of the account where one is named, else by the appliance's", async () => {
    const account = await books.account();
    await books.store.write((tx) =>
      tx.run("UPDATE accounts SET timezone = 'Pacific/Auckland' WHERE id = ?", account.id),
    );
    const noon = new Date(books.clock.nowMs()).setUTCHours(22, 0, 0, 0);
    await books.clock.advance(Math.max(0, noon - books.clock.nowMs()));
    await books.batch(account);
    const [today, tomorrow] = [0, 1].map((days) =>
      new Date(books.clock.nowMs() + days * 86_400_000).toISOString().slice(0, 10),
    );
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect((await reported({})).rows.map(({ key }) => key)).toEqual([today!]);
      const own = await reported({ account: account.ulid });
      expect([own.timezone, own.rows.map(({ key }) => key)]).toEqual(["Pacific/Auckland", [tomorrow!]]);
    }
  });

  test("is of the days from and to, the end excluded", async () => {
    const account = await books.account();
    await books.batch(account);
    await books.clock.advance(3 * 86_400_000);
    await books.batch(account);
    await told();
    const [first, last] = (await reported({})).rows.map(({ key }) => key!);
    expect((await reported({ from: first!, to: last! })).rows.map(({ key }) => key)).toEqual([first!]);
    expect((await reported({ from: "2d" })).rows.map(({ key }) => key)).toEqual([last!]);
    expect(codeOf(await report({ by: "moon" }))).toBe("INVALID_KEY");
    expect(codeOf(await report({ account: "nobody" }))).toBe("ACCOUNT_NOT_FOUND");
  });
});
