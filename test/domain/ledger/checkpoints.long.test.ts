import { afterEach, beforeEach, expect, test } from "vitest";
import { recountLedger } from "../../../src/domain/ledger/books-check.ts";
import { makeCheckpoint, standingBefore } from "../../../src/domain/ledger/checkpoints.ts";
import { adjust } from "../../../src/domain/ledger/funding.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";

let books: Books;
let account: TestAccount;
let startMs: number;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
  startMs = books.clock.nowMs();
});
afterEach(() => books.close());

/** 25,000 adjustments of 1 XOF, ten in each second or what `aSecond` says. */
const manyEntries = (aSecond = 10) =>
  books.store.write((tx) => {
    for (let n = 1; n <= 25_000; n++) {
      const atMs = startMs + Math.floor(n / aSecond) * 1000;
      adjust(tx, { accountId: account.id, amount: 1, reason: "n", id: String(n), atMs });
    }
  });

const made = (pause: () => Promise<void> | undefined = () => undefined) =>
  makeCheckpoint(books.store, account.id, startMs + 86_400_000, pause);
const checkpoints = () =>
  books.store.read.all<{ entries: number; funds: number }>(
    "SELECT entries, funds FROM ledger_checkpoints ORDER BY entry_id",
  );

test("one is made for each ten thousand entries, and none before", async () => {
  expect(await made()).toBe(false);
  await manyEntries();
  expect([await made(), await made(), await made()]).toEqual([true, true, false]);
  expect(checkpoints()).toEqual([
    { entries: 10_000, funds: 10_999 },
    { entries: 20_000, funds: 20_999 },
  ]);
});

const recount = () => recountLedger((work) => work(books.store.read))(books.store.read);
const correct = (id: string, atMs: number) =>
  books.store.write((tx) => adjust(tx, { accountId: account.id, amount: 1000, reason: "between", id, atMs }));

test("others have their turn while one is made, and what they enter is not counted in", async () => {
  await manyEntries();
  let turns = 0;
  expect(
    await made(() => {
      turns += 1;
      return correct(`between ${turns}`, startMs + 2_500_000);
    }),
  ).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(checkpoints()).toEqual([{ entries: 10_000, funds: 10_999 }]);
  expect(recount().differences).toEqual([]);
});

test("the standing at any instant is the same with and without them", async () => {
  await manyEntries();
  const instants = [0, 1, 999_000, 999_999, 1_000_000, 1_999_000, 2_000_000, 2_600_000].map(
    (ms) => startMs + ms,
  );
  const standings = () =>
    Promise.all(instants.map((atMs) => standingBefore(books.store.read, account.id, atMs, () => undefined)));
  const without = await standings();
  expect(without.map(({ funds }) => funds)).toEqual([
    0, 1009, 10_989, 10_999, 10_999, 20_989, 20_999, 26_000,
  ]);
  while (await made()) {
    // Until there are no more.
  }
  expect(await standings()).toEqual(without);
});

test("the standing counts what was entered in the very instant of a checkpoint, but after it", async () => {
  await manyEntries(100_000);
  const standing = () => standingBefore(books.store.read, account.id, startMs + 1, () => undefined);
  const without = await standing();
  expect(without).toMatchObject({ entries: 25_001, funds: 26_000 });
  await made();
  expect(await standing()).toEqual(without);
});

test("the standing is added up in pieces, between which others have their turn", async () => {
  await manyEntries();
  let turns = 0;
  const pause = () => {
    turns += 1;
    return undefined;
  };
  expect(await standingBefore(books.store.read, account.id, startMs + 1_000_000_000, pause)).toMatchObject({
    entries: 25_001,
  });
  expect(turns).toBeGreaterThanOrEqual(100);
});

test("one that an entry with an earlier time overtakes while it is made comes to nothing, and is made anew", async () => {
  await manyEntries();
  let turns = 0;
  const once = () => {
    turns += 1;
    return turns === 1 ? correct("between", startMs) : undefined;
  };
  expect(await made(once)).toBe(false);
  expect(checkpoints()).toEqual([]);
  expect(await made()).toBe(true);
  expect(checkpoints()).toEqual([{ entries: 10_000, funds: 11_998 }]);
  expect(recount().differences).toEqual([]);
});

test("an entry that a clock set back dates before one takes it away, and what is made anew counts the entry in", async () => {
  await manyEntries();
  await made();
  await made();
  await correct("an hour ago", startMs + 1_500_500);
  expect(checkpoints()).toEqual([{ entries: 10_000, funds: 10_999 }]);
  expect(recount().differences).toEqual([]);
  expect(await made()).toBe(true);
  expect(checkpoints()[1]).toEqual({ entries: 20_000, funds: 21_998 });
  expect(recount().differences).toEqual([]);
});

test("entries that a clock dated ten years ahead are in none before their time, so those after them cost none", async () => {
  const ahead = startMs + 10 * 365 * 86_400_000;
  await books.store.write((tx) => {
    for (let n = 1; n <= 12_000; n++) {
      adjust(tx, { accountId: account.id, amount: 1, reason: "n", id: `ahead ${n}`, atMs: ahead + n });
    }
  });
  await manyEntries();
  expect([await made(), await made(), await made()]).toEqual([true, true, false]);
  await correct("next", startMs + 2_500_000);
  expect(checkpoints()).toHaveLength(2);
  expect(recount().differences).toEqual([]);
  const standing = await standingBefore(books.store.read, account.id, startMs + 86_400_000, () => undefined);
  expect(standing).toMatchObject({ entries: 25_002, funds: 27_000 });
});

test("the recount finds each that its entries do not bear out", async () => {
  await manyEntries();
  await made();
  await made();
  expect(recount()).toMatchObject({ entries: 25_001, differences: [] });
  await books.store.write((tx) =>
    tx.run("UPDATE ledger_checkpoints SET funds = funds - 1 WHERE entries = 20000"),
  );
  expect(recount().differences).toMatchObject([
    {
      code: "fault.books.checkpoint",
      params: { what: phrase("fault.books.what.funds"), shown: 20_998, recounted: 20_999 },
    },
  ]);
});
