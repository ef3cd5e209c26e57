import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { batchObject, findBatch, readRejections } from "../../../src/domain/messages/batches.ts";
import { feedPage } from "../../../src/domain/messages/feed.ts";
import { stampClock } from "../../../src/domain/messages/feed-stamps.ts";
import {
  dropStaged,
  insertRejections,
  messageIds,
  openBatch,
  removeBatch,
  stagedBatches,
} from "../../../src/domain/messages/insert.ts";
import { findMessage, messageObject } from "../../../src/domain/messages/message-view.ts";
import { isSendable } from "../../../src/domain/messages/queue.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../../kit/books.ts";
import { claimed, partAccepted } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

const closed = (count: number) =>
  books.batch(account, { segments: Array(count).fill(1), isStaged: true, staysClosed: true });
const open = (batch: TestBatch) =>
  books.store.write((tx) => {
    const stamps = stampClock(tx, books.clock.nowMs());
    openBatch(tx, batch.id, {
      status: "QUEUED",
      sums: { accepted: batch.messages.length, rejected: 0, segments: batch.messages.length, amount: 0 },
      queuedStampUs: stamps.run(account.id, batch.messages.length),
      warnings: [],
      endedAt: null,
    });
  });
const everything = () => ({ accountId: account.id, sinceUs: 0, limit: 500, batchUlid: null });
const count = (table: string) =>
  books.store.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
const messageUlid = (id: number) => books.messageRow(id).ulid;

describe("a batch that is being staged", () => {
  test("is nowhere to be seen until it is opened, and then it is everywhere", async () => {
    const batch = await closed(3);
    const { read } = books.store;
    const ulid = messageUlid(batch.messages[0]!);
    expect(findBatch(read, account.id, batch.ulid)).toBeNull();
    expect(findMessage(read, account.id, ulid)).toBeNull();
    expect(feedPage(read, everything())?.messages).toEqual([]);
    expect(feedPage(read, { ...everything(), batchUlid: batch.ulid })).toBeNull();
    expect(isSendable(read, batch.id)).toBe(false);
    await open(batch);
    expect(findBatch(read, account.id, batch.ulid)).toMatchObject({
      status: "QUEUED",
      accepted: 3,
      queued: 3,
    });
    expect(findMessage(read, account.id, ulid)).toMatchObject({ status: "QUEUED" });
    expect(feedPage(read, everything())?.messages).toHaveLength(3);
    expect(isSendable(read, batch.id)).toBe(true);
  });

  test("is taken back a step at a time, leaving nothing and touching no other", async () => {
    const other = await books.batch(account, { segments: [1, 1] });
    const batch = await closed(5);
    await books.store.write((tx) =>
      insertRejections(tx, batch.id, [
        { position: 5, msisdn: null, reason: "INVALID_MSISDN", clientReference: null },
        { position: 6, msisdn: "+22670000001", reason: "DUPLICATE_IN_BATCH", clientReference: "b" },
      ]),
    );
    expect(stagedBatches(books.store.read)).toEqual([batch.id]);
    const steps: number[] = [];
    for (;;) {
      const dropped = await books.store.write((tx) => dropStaged(tx, batch.id, 2));
      if (dropped === 0) break;
      steps.push(dropped);
    }
    await books.store.write((tx) => removeBatch(tx, batch.id));
    expect(await books.store.write((tx) => dropStaged(tx, other.id, 2))).toBe(0);
    expect(steps).toEqual([4, 2, 1]);
    expect([count("messages"), count("rejections"), count("batches")]).toEqual([2, 0, 1]);
    expect(stagedBatches(books.store.read)).toEqual([]);
    expect(books.batchRow(other.id).accepted).toBe(2);
  });

  test("can't be removed while a message of it is left", async () => {
    const batch = await closed(1);
    const removed = books.store.write((tx) => removeBatch(tx, batch.id));
    expect(await removed.catch((error: Error) => error.message)).toContain("has no message left");
  });
});

describe("message ids", () => {
  test("of a batch are consecutive, and go on above every one that a batch or message has", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1] });
    const first = batch.messages[0]!;
    expect(batch.messages).toEqual([first, first + 1, first + 2]);
    const ids = messageIds(books.store.read);
    expect([ids.take(10), ids.take(1), ids.take(1)]).toEqual([first + 3, first + 13, first + 14]);
  });

  test("go on above the rows of a batch that was never opened", async () => {
    const batch = await closed(4);
    expect(messageIds(books.store.read).take(1)).toBe(batch.messages.at(-1)! + 1);
  });

  test("begin at 1 in an empty database", () => {
    expect(messageIds(books.store.read).take(5)).toBe(1);
  });
});

describe("what clients see", () => {
  // Keeps: behaviour 2.5, 6.43
  test("of a batch: its figures and times, with the offset of its zone", async () => {
    const batch = await books.batch(account, { segments: [2, 1], scheduledAt: Date.UTC(2026, 2, 3, 8) });
    const row = findBatch(books.store.read, account.id, batch.ulid)!;
    expect(batchObject({ ...row, timezone: "Europe/Paris" })).toEqual({
      batch_id: batch.ulid,
      client_reference: null,
      status: "SCHEDULED",
      accepted: 2,
      rejected: 0,
      sender: "ACME",
      channel: "SMS",
      message_class: "TRANSACTIONAL",
      is_test: false,
      is_sandbox: false,
      text_policy: "as_is",
      missing_attributes: "empty",
      scheduled_at: "2026-03-03T09:00:00+01:00",
      created_at: "2026-03-02T10:00:00+01:00",
      cancel_requested_at: null,
      counts: { total: 2, queued: 2, submitted: 0, sent: 0, delivered: 0, failed: 0, cancelled: 0 },
      total_segments: 3,
      reserved_amount: 45,
      charged_amount: 0,
      released_amount: 0,
      currency: "XOF",
      failure: null,
    });
  });

  // Keeps: behaviour 6.35, 6.37
  test("of a message: the promised fields and no text", async () => {
    const batch = await books.batch(account, { segments: [2], price: 15 });
    const id = batch.messages[0]!;
    const shown = () => messageObject(findMessage(books.store.read, account.id, messageUlid(id))!);
    expect(shown()).toEqual({
      message_id: messageUlid(id),
      batch_id: batch.ulid,
      client_reference: null,
      batch_client_reference: null,
      index: 0,
      msisdn: "+22670000000",
      operator: "orange",
      sender: "ACME",
      channel: "SMS",
      channels: [
        {
          channel: "SMS",
          operator: "orange",
          status: "QUEUED",
          at: expect.stringMatching(/Z$/),
          error: null,
        },
      ],
      message_class: "TRANSACTIONAL",
      status: "QUEUED",
      is_final: false,
      is_sandbox: false,
      encoding: "GSM7",
      segments: 2,
      amount: 0,
      reserved_amount: 30,
      currency: "XOF",
      error: null,
      created_at: "2026-03-02T09:00:00.000Z",
      submitted_at: null,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      finalized_at: null,
      status_changed_at: "2026-03-02T09:00:00.000000Z",
    });
    await books.clock.advance(1500);
    await books.apply(claimed(id), partAccepted(id, 1), partAccepted(id, 2));
    expect(shown()).toMatchObject({
      status: "SENT",
      amount: 30,
      reserved_amount: 0,
      submitted_at: "2026-03-02T09:00:01.500Z",
      sent_at: "2026-03-02T09:00:01.500Z",
      status_changed_at: "2026-03-02T09:00:01.500001Z",
    });
  });

  test("nothing of another account's", async () => {
    const batch = await books.batch(account);
    const other = await books.account();
    expect(findBatch(books.store.read, other.id, batch.ulid)).toBeNull();
    expect(findMessage(books.store.read, other.id, messageUlid(batch.messages[0]!))).toBeNull();
  });

  test("rejections in order of submission, a piece at a time", async () => {
    const batch = await books.batch(account);
    const rejections = [7, 3, 5].map((position) => ({
      position,
      msisdn: null,
      reason: "INVALID_MSISDN",
      clientReference: `r${position}`,
    }));
    const row = { id: batch.id, client_reference: "mars" };
    await books.store.write((tx) => insertRejections(tx, batch.id, rejections));
    const indexes = (from: number, limit: number) =>
      readRejections(books.store.read, row, from, limit).map(({ index }) => index);
    expect([indexes(0, 2), indexes(6, 2), indexes(8, 2)]).toEqual([[3, 5], [7], []]);
    expect(readRejections(books.store.read, row, 7, 1)).toEqual([
      {
        index: 7,
        msisdn: null,
        reason_code: "INVALID_MSISDN",
        client_reference: "r7",
        batch_client_reference: "mars",
      },
    ]);
  });
});
