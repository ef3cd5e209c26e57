import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashKey } from "../../../src/core/ids.ts";
import { dropStaged } from "../../../src/domain/messages/insert.ts";
import { recentSends, recordSends } from "../../../src/domain/messages/recent-messages.ts";
import { type Stages, stages } from "../../../src/domain/messages/staged-recipients.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../../kit/books.ts";

let books: Books;
let account: TestAccount;
let batch: TestBatch;
let staging: Stages;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
  batch = await books.batch(account, { segments: [1] });
  staging = stages();
  await books.store.write((tx) => {
    const run = { firstId: batch.messages[0]!, accountId: account.id, plannedAt: 1000, isMarketing: 0 };
    recordSends(tx, run, [{ msisdn: "+22670000000", textKey: hashKey("Bonjour") }]);
  });
});
afterEach(() => books.close());

const setStatus = (status: string) =>
  books.store.write((tx) => {
    tx.run("UPDATE messages SET stamp_us = NULL WHERE batch_id = ?", batch.id);
    tx.run("UPDATE batches SET status = ? WHERE id = ?", status, batch.id);
  });
const remembered = (of = staging) =>
  books.store.write(
    (tx) =>
      recentSends(tx, of, {
        accountId: account.id,
        msisdn: "+22670000000",
        sameText: { textKey: hashKey("Bonjour"), fromMs: 0, toMs: 1e15 },
        marketing: [],
      }).length,
  );
const begin = () => staging.begin({ accountId: account.id, createdAt: 5000 });
const spokenFor = (own: Parameters<Stages["recipientsOf"]>[2] = null) =>
  staging.recipientsOf(books.store.read, account.id, own);

describe("what was staged of a batch", () => {
  // Keeps: behaviour 6.70
  test.each([["STAGING"], ["VALIDATING"], ["FAILED"]])(
    "that is %s counts for the guards while its stage goes on, and for nothing after it or in another process",
    async (status) => {
      await setStatus(status);
      expect(await remembered()).toBe(0);
      const stage = begin();
      expect(await remembered()).toBe(0);
      stage.isOf(batch.id);
      expect([await remembered(), await remembered(stages())]).toEqual([1, 0]);
      stage.isVoid();
      expect([await remembered(), staging.hasStage(batch.id)]).toEqual([0, true]);
      stage.end();
      expect([await remembered(), staging.hasStage(batch.id)]).toEqual([0, false]);
    },
  );

  test.each([["QUEUED"], ["SCHEDULED"], ["SENDING"]])("that is %s counts without a stage", async (status) => {
    await setStatus(status);
    expect(await remembered()).toBe(1);
  });

  test("is taken from no batch that is open", async () => {
    await setStatus("QUEUED");
    expect(await books.store.write((tx) => dropStaged(tx, batch.id, 10))).toBe(0);
  });
});

describe("recipients that are staged", () => {
  test("are a sum that is said anew at each step, until the batch is open, void or given up", async () => {
    await setStatus("STAGING");
    const stage = begin();
    expect(spokenFor()).toEqual([]);
    stage.isOf(batch.id);
    stage.holds(50);
    stage.holds(50);
    expect(spokenFor()).toEqual([{ createdAt: 5000, recipients: 50 }]);
    stage.holds(80);
    expect(spokenFor()).toEqual([{ createdAt: 5000, recipients: 80 }]);
    expect(spokenFor(stage)).toEqual([]);
    expect(staging.recipientsOf(books.store.read, account.id + 1, null)).toEqual([]);
    // Seen in the transaction that opens it, where the books count them already.
    await setStatus("QUEUED");
    expect(spokenFor()).toEqual([]);
    await setStatus("STAGING");
    stage.isVoid();
    expect(spokenFor()).toEqual([]);
  });

  test("of a stage whose first transaction was undone belong to the batch it names next", async () => {
    await setStatus("STAGING");
    const stage = begin();
    stage.isOf(batch.id + 7);
    stage.isOf(batch.id);
    expect([staging.counting(), staging.hasStage(batch.id + 7)]).toEqual([`[${batch.id}]`, false]);
    stage.end();
    expect(staging.counting()).toBe("[]");
  });
});
