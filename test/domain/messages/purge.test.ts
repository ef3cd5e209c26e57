/** What of a batch is over when, and that nothing of it stays once it is (docs/behaviour.md#10-retention). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { purge } from "../../../src/admin/operations/purge.ts";
import type { Config } from "../../../src/config/config.ts";
import { dueStarter } from "../../../src/domain/messages/scheduled-batches.ts";
import { adminConfig } from "../../admin/operations/fixture.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import { givenUp } from "../../kit/facts.ts";

const DAY_MS = 86_400_000;

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

async function purged(retention: Partial<Config["retention"]>): Promise<void> {
  const { store, clock, newId } = books;
  const config = adminConfig(store.directory);
  let isOver = false;
  const purging = purge(
    { store, clock, newId, config: { ...config, retention: { ...config.retention, ...retention } } },
    () => false,
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(20);
  await purging;
}

/** What is kept of the only batch: its text, the texts of its messages, its messages and who was rejected. */
const kept = () =>
  books.store.read.get<Record<string, unknown>>(
    `SELECT b.body, (SELECT count(*) FROM messages WHERE text <> '') AS texts, (SELECT count(*) FROM messages) AS messages,
       (SELECT count(*) FROM rejections) AS rejections, (SELECT count(*) FROM unpurged_batches) AS waiting FROM batches b`,
  );

/** A batch for later of which one more number was rejected. */
async function planned(days: number) {
  const account = await books.account();
  const scheduledAt = books.clock.nowMs() + days * DAY_MS;
  const batch = await books.batch(account, { segments: [1, 1], scheduledAt });
  await books.store.write((tx) => {
    tx.run("UPDATE messages SET text = 'Bonjour Awa'");
    tx.run(
      "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, 2, '+22670000009', 'DUPLICATE')",
      batch.id,
    );
  });
  return batch;
}

const startDue = () => {
  const now = { wallMs: books.clock.nowMs(), steadyMs: books.clock.steadyMs() };
  return books.store.write((tx) => dueStarter().step(tx, now, () => false));
};

test("a planned batch whose messages all ended long before its time is purged when it has ended itself", async () => {
  const { messages } = await planned(20);
  await books.apply(...messages.map((id) => givenUp(id)));
  const retention = { text_days: 2, message_days: 9 };
  await books.clock.advance(12 * DAY_MS);
  await purged(retention);
  // Its messages are gone; the batch waits for its time still.
  expect(kept()).toMatchObject({ body: "Bonjour", messages: 0, rejections: 1 });
  await books.clock.advance(8 * DAY_MS);
  await startDue();
  await purged(retention);
  expect(kept()).toMatchObject({ body: "Bonjour", rejections: 1 });
  await books.clock.advance(3 * DAY_MS);
  await purged(retention);
  expect(kept()).toMatchObject({ body: "", rejections: 1 });
  await books.clock.advance(7 * DAY_MS);
  await purged(retention);
  expect(kept()).toMatchObject({ body: "", rejections: 0, waiting: 0 });
});

test("a batch that took longer to end than most is purged once it has, however long it was open", async () => {
  const account = await books.account();
  const batch = await books.batch(account, { segments: [1] });
  await books.store.write((tx) => {
    tx.run("DELETE FROM messages");
    tx.run("UPDATE batches SET accepted = 0, unfinished = 0, status = 'VALIDATING', ended_at = NULL");
    tx.run(
      "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, 0, '+22670000009', 'X')",
      batch.id,
    );
  });
  await books.clock.advance(12 * DAY_MS);
  await purged({ text_days: 2, message_days: 9 });
  expect(kept()).toMatchObject({ body: "Bonjour", rejections: 1 });
  const endedMs = books.clock.nowMs();
  await books.store.write(
    (tx) => void tx.run("UPDATE batches SET status = 'REJECTED', ended_at = ?", endedMs),
  );
  await books.clock.advance(12 * DAY_MS);
  await purged({ text_days: 2, message_days: 9 });
  expect(kept()).toMatchObject({ body: "", rejections: 0, waiting: 0 });
});

test("more rejected numbers than a step takes go with a batch that ended late", async () => {
  const { id, messages } = await planned(20);
  await books.apply(...messages.map((each) => givenUp(each)));
  await books.store.write((tx) => {
    for (let position = 3; position < 1203; position++) {
      tx.run(
        "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, ?, '+22670000009', 'DUPLICATE')",
        id,
        position,
      );
    }
  });
  await books.clock.advance(20 * DAY_MS);
  await purged({ message_days: 9 });
  await startDue();
  await books.clock.advance(10 * DAY_MS);
  await purged({ message_days: 9 });
  expect(kept()).toMatchObject({ rejections: 0, messages: 0, waiting: 0 });
});
