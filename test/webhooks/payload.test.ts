import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsAfter, recordEvent } from "../../src/domain/events/outbox.ts";
import { outboxEvent } from "../../src/webhooks/payload.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import * as facts from "../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

const whose = () => ({ accountUlid: account.ulid, isSandbox: false });

/** The bodies of everything in the account's outbox, and their ids. */
const bodies = () =>
  Promise.all(
    eventsAfter(books.store.read, account.id, 0, 10).map(async (event) => {
      const told = outboxEvent(books.store.read, books.clock, whose(), event)!;
      return { ...JSON.parse(await told.body()), id: told.eventId };
    }),
  );

describe("the body of a batch event", () => {
  // Keeps: public-api 2.2.12, 6.5
  // Keeps: behaviour 8.12
  test("BATCH_ACCEPTED tells the real figures and the status the batch had, also when it has moved on", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [1, 2], price: 15 });
    const atMs = books.clock.nowMs();
    await books.store.write((tx) =>
      recordEvent(tx, { type: "BATCH_ACCEPTED", accountId: account.id, batchId, atMs }),
    );
    const figures = {
      batch_id: books.batchRow(batchId).ulid,
      status: "QUEUED",
      accepted: 2,
      rejected: 0,
      total_segments: 3,
      reserved_amount: 45,
      rejections_by_reason: {},
    };
    const [first] = await bodies();
    expect(first).toMatchObject({
      type: "BATCH_ACCEPTED",
      timestamp: "2026-03-02T09:00:00.000Z",
      event_id: first.id,
      account_id: account.ulid,
      data: figures,
    });
    await books.apply(...messages.map((id) => facts.givenUp(id)));
    const [again, settled] = await bodies();
    expect(again).toMatchObject({ id: first.id, data: figures });
    expect(settled).toMatchObject({
      type: "BATCH_SETTLED",
      data: { status: "SETTLED", released_amount: 45 },
    });
    expect(settled.id).not.toBe(first.id);
  });

  // Keeps: behaviour 8.12
  test("BATCH_ACCEPTED of a scheduled batch says SCHEDULED", async () => {
    const scheduledAt = books.clock.nowMs() + 60_000;
    const { id: batchId } = await books.batch(account, { scheduledAt });
    await books.store.write((tx) =>
      recordEvent(tx, { type: "BATCH_ACCEPTED", accountId: account.id, batchId, atMs: 1 }),
    );
    expect((await bodies())[0].data).toMatchObject({ status: "SCHEDULED" });
  });

  test("is none when the batch is not there", async () => {
    const event = { id: 1, type: "BATCH_SETTLED", accountId: account.id, batchId: 999, atMs: 1 } as const;
    expect(outboxEvent(books.store.read, books.clock, whose(), event)).toBeNull();
  });
});
