import { afterEach, beforeEach, expect, test } from "vitest";
import { accountSet } from "../../../src/admin/operations/accounts.ts";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { rejectionCounts } from "../../../src/domain/submission/rejections.ts";
import { adminConfig, granted } from "../../admin/operations/fixture.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import { seededChance } from "../../kit/test-chance.ts";

const ZONE = "Africa/Ouagadougou";
const EVENING = Date.UTC(2026, 2, 2, 20);

let books: Books;
let context: AdminContext;
beforeEach(async () => {
  books = openBooks();
  const { store, clock, newId } = books;
  context = {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
  await clock.advance(EVENING - clock.nowMs());
});
afterEach(() => books.close());

test("what was rejected today counts for the day of other clocks too, once however often they are changed", async () => {
  const account = await books.account();
  const counts = rejectionCounts();
  const count = (timezone: string, atMs: number, rejected: number) =>
    books.store.write((tx) => counts.count(tx, account.id, timezone, atMs, rejected));
  const today = () => {
    const { rejected, endMs } = counts.today(books.store.read, account.id, EVENING);
    return [rejected, new Date(endMs).toISOString()];
  };
  const clocks = async (timezone: string) =>
    granted(await accountSet(context, account.ulid, { timezone })).timezone;
  await count(ZONE, EVENING - 3_600_000, 7);
  expect(today()).toEqual([7, "2026-03-03T00:00:00.000Z"]);
  await clocks("Pacific/Auckland");
  expect(today()).toEqual([7, "2026-03-03T11:00:00.000Z"]);
  expect(rejectionCounts().today(books.store.read, account.id, EVENING).rejected).toBe(7);
  await count("Pacific/Auckland", EVENING, 2);
  expect(today()[0]).toBe(9);
  await clocks(ZONE);
  await clocks("Pacific/Honolulu");
  expect(today()).toEqual([9, "2026-03-03T10:00:00.000Z"]);
});

test("what was rejected on an earlier day does not count when clocks are changed", async () => {
  const account = await books.account();
  const counts = rejectionCounts();
  await books.store.write((tx) => counts.count(tx, account.id, ZONE, EVENING - 86_400_000, 7));
  granted(await accountSet(context, account.ulid, { timezone: "Pacific/Auckland" }));
  expect(counts.today(books.store.read, account.id, EVENING).rejected).toBe(0);
});
