import { afterEach, beforeEach, expect, test } from "vitest";
import { makeCheckpoint, standingBefore } from "../../src/wallet/checkpoints.ts";
import { adjust } from "../../src/wallet/funding.ts";
import { recountLedger } from "../../src/wallet/recount.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";

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
  makeCheckpoint(books.store, account.id, pause);
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

test("others have their turn while one is made, and what they enter is not counted in", async () => {
  await manyEntries();
  const correct = (id: string) =>
    books.store.write((tx) =>
      adjust(tx, { accountId: account.id, amount: 1000, reason: "between", id, atMs: books.clock.nowMs() }),
    );
  let turns = 0;
  expect(
    await made(() => {
      turns += 1;
      return correct(`between ${turns}`);
    }),
  ).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(checkpoints()).toEqual([{ entries: 10_000, funds: 10_999 }]);
  expect(recountLedger(books.store.read).differences).toEqual([]);
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

test("the recount finds each that its entries do not bear out", async () => {
  await manyEntries();
  await made();
  await made();
  expect(recountLedger(books.store.read)).toMatchObject({ entries: 25_001, differences: [] });
  await books.store.write((tx) =>
    tx.run("UPDATE ledger_checkpoints SET funds = funds - 1 WHERE entries = 20000"),
  );
  expect(recountLedger(books.store.read).differences).toEqual([
    expect.stringContaining("funds is 20998, its entries make 20999"),
  ]);
});
