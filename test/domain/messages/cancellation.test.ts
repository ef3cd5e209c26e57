import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWallet } from "../../../src/domain/ledger/wallet.ts";
import {
  calledOff,
  cancelQueuedMessages,
  requestCancellation,
} from "../../../src/domain/messages/cancellation.ts";
import { readQueuedBatch } from "../../../src/domain/messages/queue.ts";
import { type DueStarter, dueStarter } from "../../../src/domain/messages/scheduled-batches.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, refusedForGood } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
});
afterEach(() => books.close());

const cancel = (id: number) =>
  books.store.write((tx) => requestCancellation(tx, id, "CANCELLED", "mistake", books.clock.nowMs()));
const step = (id: number, limit = 100) =>
  books.store.write((tx) =>
    cancelQueuedMessages(tx, { id, reason: "CANCELLED" }, books.clock.nowMs(), limit),
  );
const wallet = () => {
  const { funds, reserved } = readWallet(books.store.read, account.id);
  return { funds, reserved };
};

describe("calling a batch off", () => {
  // Keeps: behaviour 6.4, 7.13
  test("stops its sending at once, and cancels and releases what waits, a step at a time", async () => {
    const batch = await books.batch(account, { segments: [1, 2, 1], price: 10 });
    expect(await cancel(batch.id)).toBe(true);
    expect(readQueuedBatch(books.store.read, batch.id)).toEqual([]);
    expect(calledOff(books.store.read, batch.id)).toEqual({ id: batch.id, reason: "CANCELLED" });
    expect([await step(batch.id, 2), await step(batch.id, 2), await step(batch.id, 2)]).toEqual([2, 1, 0]);
    expect(books.batchRow(batch.id)).toMatchObject({
      status: "CANCELLED",
      cancelled: 3,
      released_amount: 40,
      posted_released: 40,
      ended_at: books.clock.nowMs(),
    });
    expect(books.messageRow(batch.messages[0]!)).toMatchObject({
      status: "CANCELLED",
      error_code: "CANCELLED",
    });
    expect(wallet()).toEqual({ funds: 1000, reserved: 0 });
    expect(calledOff(books.store.read, batch.id)).toBeNull();
  });

  // Keeps: behaviour 7.13, 7.14, 7.15
  test("waits for what has left: CANCELLED as soon as every reservation is charged or released", async () => {
    const batch = await books.batch(account, { segments: [1, 1], price: 10 });
    const left = batch.messages[0]!;
    await books.apply(claimed(left));
    await cancel(batch.id);
    await step(batch.id);
    expect(books.batchRow(batch.id)).toMatchObject({ status: "SENDING", cancelled: 1 });
    await books.apply(partAccepted(left));
    expect(books.batchRow(batch.id)).toMatchObject({
      status: "CANCELLED",
      charged_amount: 10,
      released_amount: 10,
    });
    await books.apply(delivered(left));
    expect(books.messageRow(left).status).toBe("DELIVERED");
    expect(books.batchRow(batch.id)).toMatchObject({ status: "CANCELLED", delivered: 1, unfinished: 0 });
  });

  // Keeps: behaviour 7.14
  test("ends at once when all its messages have left and are charged", async () => {
    const batch = await books.batch(account);
    await books.apply(claimed(batch.messages[0]!), partAccepted(batch.messages[0]!));
    expect(await cancel(batch.id)).toBe(true);
    expect(books.batchRow(batch.id)).toMatchObject({ status: "CANCELLED", ended_at: books.clock.nowMs() });
    expect(calledOff(books.store.read, batch.id)).toBeNull();
  });

  test("a message that comes back to the queue of a batch called off is cancelled too", async () => {
    const batch = await books.batch(account);
    await books.apply(claimed(batch.messages[0]!));
    await cancel(batch.id);
    expect(await step(batch.id)).toBe(0);
    await books.apply({ kind: "not_written", messageId: batch.messages[0]! });
    expect(await step(batch.id)).toBe(1);
    expect(books.batchRow(batch.id).status).toBe("CANCELLED");
  });

  test("a second time, or after the end, is refused and keeps the first reason", async () => {
    const batch = await books.batch(account);
    await cancel(batch.id);
    const again = books.store.write((tx) => requestCancellation(tx, batch.id, "SCHEDULE_TOO_LATE", null, 0));
    expect(await again).toBe(false);
    expect(books.batchRow(batch.id).cancel_reason).toBe("CANCELLED");
    const settled = await books.batch(account);
    await books.apply(claimed(settled.messages[0]!), refusedForGood(settled.messages[0]!));
    expect(await cancel(settled.id)).toBe(false);
    expect(books.batchRow(settled.id).status).toBe("SETTLED");
  });
});

describe("scheduled batches", () => {
  const MINUTE_MS = 60_000;
  let due: DueStarter;
  beforeEach(() => {
    due = dueStarter();
  });
  const start = async (isHeld = (_accountId: number) => false) => {
    due.again();
    return (
      await books.store.write((tx) => due.step(tx, { wallMs: books.clock.nowMs(), steadyMs: 0 }, isHeld))
    ).started;
  };
  const inMinutes = (minutes: number) =>
    books.batch(account, { scheduledAt: books.clock.nowMs() + minutes * MINUTE_MS });

  // Keeps: behaviour 7.9
  test("start when their time has come and not a millisecond before, the earliest first", async () => {
    const [later, sooner, other] = [await inMinutes(10), await inMinutes(5), await inMinutes(60)];
    await books.clock.advance(10 * MINUTE_MS - 1);
    expect(await start()).toEqual([sooner.id]);
    await books.clock.advance(1);
    expect(await start()).toEqual([later.id]);
    expect(await start()).toEqual([]);
    const statuses = [sooner, later, other].map(({ id }) => books.batchRow(id).status);
    expect(statuses).toEqual(["QUEUED", "QUEUED", "SCHEDULED"]);
  });

  // Keeps: behaviour 6.4, 7.10
  test("exactly 30 minutes late still leave; later, they are cancelled and refunded, not sent", async () => {
    const late = await inMinutes(5);
    const tooLate = await books.batch(account, { scheduledAt: books.clock.nowMs() + 5 * MINUTE_MS - 1 });
    await books.clock.advance(35 * MINUTE_MS);
    expect(await start()).toEqual([late.id]);
    const ids = [late.id, tooLate.id];
    expect(ids.map((id) => readQueuedBatch(books.store.read, id).length)).toEqual([1, 0]);
    const off = ids.map((id) => calledOff(books.store.read, id));
    expect(off).toEqual([null, { id: tooLate.id, reason: "SCHEDULE_TOO_LATE" }]);
    await books.store.write((tx) => cancelQueuedMessages(tx, off[1]!, books.clock.nowMs(), 10));
    expect(books.batchRow(tooLate.id)).toMatchObject({ status: "CANCELLED", released_amount: 15 });
    expect(books.messageRow(tooLate.messages[0]!).error_code).toBe("SCHEDULE_TOO_LATE");
    expect(wallet()).toEqual({ funds: 985, reserved: 15 });
  });

  // Keeps: behaviour 5.16
  test("of an account that is held do not start, and are called off when they are too late; others go on", async () => {
    const other = await books.account();
    const held = await inMinutes(5);
    const late = await inMinutes(6);
    const isHeld = (accountId: number) => accountId === account.id;
    const others = await books.batch(other, { scheduledAt: books.clock.nowMs() + 5 * MINUTE_MS });
    await books.clock.advance(35 * MINUTE_MS);
    expect(await start(isHeld)).toEqual([others.id]);
    expect(books.batchRow(held.id).status).toBe("SCHEDULED");
    await books.clock.advance(1);
    expect(await start(isHeld)).toEqual([]);
    const ids = [held.id, late.id, others.id];
    expect(ids.map((id) => calledOff(books.store.read, id)?.reason)).toEqual([
      "SCHEDULE_TOO_LATE",
      undefined,
      undefined,
    ]);
    expect(await start()).toEqual([late.id]);
  });

  test("of an account that is held are passed over for a minute, and cost others nothing meanwhile", async () => {
    const other = await books.account();
    const soon = { scheduledAt: books.clock.nowMs() + 5 * MINUTE_MS };
    for (let n = 0; n < 501; n++) await books.batch(account, { ...soon, price: 0 });
    const others = await books.batch(other, { scheduledAt: soon.scheduledAt + 1000 });
    await books.clock.advance(5 * MINUTE_MS);
    const held = { is: true };
    const step = () =>
      books.store.write((tx) =>
        due.step(tx, { wallMs: books.clock.nowMs(), steadyMs: 0 }, (id) => held.is && id === account.id),
      );
    expect(await step()).toEqual({ started: [], calledOff: [], hasMore: true });
    expect(await step()).toEqual({ started: [], calledOff: [], hasMore: false });
    await books.clock.advance(1000);
    expect(await step()).toEqual({ started: [others.id], calledOff: [], hasMore: false });
    held.is = false;
    expect((await step()).started).toEqual([]);
    due.again();
    expect((await step()).started).toHaveLength(500);
    await books.clock.advance(MINUTE_MS);
    expect((await step()).started).toHaveLength(1);
  });

  test("that were called off do not start", async () => {
    const batch = await inMinutes(5);
    await cancel(batch.id);
    await books.clock.advance(5 * MINUTE_MS);
    expect(await start()).toEqual([]);
    await step(batch.id);
    expect(books.batchRow(batch.id).status).toBe("CANCELLED");
  });
});
