import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Chance } from "../../src/base/chance.ts";
import { systemMachine } from "../../src/machine.ts";
import type { AdminContext } from "../../src/operations/context.ts";
import {
  DELIVERY_KEYS,
  type DeliveryKey,
  type DeliveryQuery,
  type DeliveryView,
  deliveryReport,
} from "../../src/reports/delivery.ts";
import { searchUpkeep } from "../../src/upkeep/search-upkeep.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import { cancelled, claimed, delivered, partAccepted, receiptOverdue, undelivered } from "../kit/facts.ts";
import { seeded, seeds } from "../kit/seeds.ts";
import { seededChance } from "../kit/test-chance.ts";
import { adminConfig, codeOf, granted } from "../operations/fixture.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

function report(query: Partial<DeliveryQuery>) {
  const { store, clock, newId } = books;
  const context: AdminContext = {
    ...{ store, clock, newId, config: adminConfig(store.directory), chance: seededChance(3) },
    ...{ actor: "awa", server: null, machine: systemMachine },
  };
  return deliveryReport(context, { by: null, account: null, from: null, to: null, ...query });
}
const reported = async (query: Partial<DeliveryQuery>): Promise<DeliveryView> => granted(await report(query));

async function told(): Promise<void> {
  const timezone = () => "Africa/Ouagadougou";
  const round = searchUpkeep(books.store, books.clock, timezone, { notWorthIt: 0, restMs: 0 });
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
       sum(m.status = 'FAILED') AS failed, sum(m.status = 'SENT') AS without_receipt, sum(m.segments) AS segments,
       sum(m.amount) AS charged
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
