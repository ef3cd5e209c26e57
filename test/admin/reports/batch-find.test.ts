import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchFindFilters, batchFind } from "../../../src/admin/reports/batch-find.ts";
import { batchRejections } from "../../../src/admin/reports/rejected-recipients.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../operations/fixture.ts";

let fixture: AdminFixture;
let shop: string;
let bank: string;
beforeEach(async () => {
  fixture = adminFixture();
  shop = await fixture.account();
  bank = await fixture.account();
});
afterEach(() => fixture.close());

const NONE: BatchFindFilters = {
  account: null,
  status: null,
  reference: null,
  from: null,
  to: null,
  before: null,
  limit: 50,
};
const find = (filters: Partial<BatchFindFilters> = {}) => batchFind(fixture.context, { ...NONE, ...filters });
const ids = async (filters: Partial<BatchFindFilters> = {}) =>
  granted(await find(filters)).batches.map(({ batch_id }) => batch_id);

async function planted(account: string, status: string): Promise<string> {
  await fixture.clock.advance(60_000);
  return plantBatch(fixture, { account, status, messages: ["QUEUED"] });
}

describe("batches", () => {
  test("of all accounts are listed newest first, with whose they are", async () => {
    const first = await planted(shop, "QUEUED");
    const second = await planted(bank, "SENDING");
    const { batches, next } = granted(await find());
    expect(batches.map(({ batch_id, account }) => [batch_id, account])).toEqual([
      [second, "Faso Shop 2"],
      [first, "Faso Shop"],
    ]);
    expect(next).toBeNull();
  });

  test("are found by account, by state and by time", async () => {
    const queued = await planted(shop, "QUEUED");
    const sending = await planted(bank, "SENDING");
    const failed = await planted(bank, "FAILED");
    expect(await ids({ account: bank })).toEqual([failed, sending]);
    expect(await ids({ status: "queued,failed" })).toEqual([failed, queued]);
    expect(await ids({ account: bank, status: "FAILED" })).toEqual([failed]);
    expect(await ids({ from: "1m" })).toEqual([failed, sending]);
    expect(codeOf(await find({ status: "STAGING" }))).toBe("INVALID_STATUS");
    expect(codeOf(await find({ account: "nobody" }))).toBe("ACCOUNT_NOT_FOUND");
  });

  test("are found by a part of their name, without case and accents, of an account and of all", async () => {
    const names = ["Soldes d'été", "Rappel", "les SOLDES de mars", null];
    const planting: string[] = [];
    for (const name of names) {
      const batch = await planted(shop, "QUEUED");
      planting.unshift(batch);
      await fixture.context.store.write((tx) =>
        tx.run("UPDATE batches SET client_reference = ? WHERE ulid = ?", name, batch),
      );
    }
    for (const account of [null, shop]) {
      expect(await ids({ account, named: "soldes" })).toEqual([planting[1], planting[3]]);
      expect(await ids({ account, named: "ETE" })).toEqual([planting[3]]);
      expect(await ids({ account, named: "soldes", limit: 1 })).toEqual([planting[1]]);
      expect(await ids({ account, named: "nothing" })).toEqual([]);
    }
  });

  test("come in pages that hold each of them once", async () => {
    const all = [];
    for (let n = 0; n < 7; n += 1) all.unshift(await planted(n % 2 ? shop : bank, "QUEUED"));
    for (const account of [null, bank]) {
      const paged: string[] = [];
      for (let before: string | null = null, pages = 0; pages < 9; pages += 1) {
        const page: Awaited<ReturnType<typeof find>> = await find({ account, before, limit: 2 });
        const { batches, next } = granted(page);
        paged.push(...batches.map(({ batch_id }) => batch_id));
        before = next;
        if (before === null) break;
      }
      expect(paged).toEqual(account === null ? all : await ids({ account }));
    }
  });

  test("of another account are no place to go on from", async () => {
    const theirs = await planted(bank, "QUEUED");
    expect(codeOf(await find({ account: shop, before: theirs }))).toBe("BATCH_NOT_FOUND");
  });
});

test("rejected recipients come in the order of submission, page by page", async () => {
  const rejections = ["INVALID_NUMBER", "DUPLICATE_IN_BATCH", "INVALID_NUMBER"];
  const batch = await plantBatch(fixture, {
    account: shop,
    status: "SENDING",
    messages: ["SENT"],
    rejections,
  });
  const first = granted(batchRejections(fixture.context, batch, 0, 2));
  expect(first.rejections.map(({ index, reason_code }) => [index, reason_code])).toEqual([
    [1, "INVALID_NUMBER"],
    [2, "DUPLICATE_IN_BATCH"],
  ]);
  expect(first.next_from).toBe(3);
  const last = granted(batchRejections(fixture.context, batch, first.next_from ?? 0, 2));
  expect(last).toMatchObject({ rejections: [{ index: 3 }], next_from: null });
  expect(codeOf(batchRejections(fixture.context, "01K00000000000000000000000", 0, 2))).toBe(
    "BATCH_NOT_FOUND",
  );
});
