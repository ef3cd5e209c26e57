import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS, accountSet } from "../../../src/admin/operations/accounts.ts";
import { PAUSE_OPERATIONS } from "../../../src/admin/operations/operators.ts";
import { senderApprove, senderRegister, senderRequest } from "../../../src/admin/operations/senders.ts";
import { queueShow } from "../../../src/admin/reports/queue.ts";
import type { SessionStatus } from "../../../src/channels/sms/operator-session.ts";
import {
  completeRestoreDecision,
  FIRST_HELD,
  heldMessages,
  holdAllMessages,
  recordRestoreDecision,
  releaseHeld,
  reopenAfterRestore,
} from "../../../src/domain/messages/restore-holds.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

let fixture: AdminFixture;
let lastSecond = 0;
beforeEach(() => {
  lastSecond = 0;
  fixture = adminFixture(() => [
    { operator: "orange", connections: [{ lastSecond } as SessionStatus, { lastSecond } as SessionStatus] },
  ]);
});
afterEach(() => fixture.close());

/** The validity of planted batches is their own; which instant it is tells the last test. */
const WORTH: unknown = expect.any(String);

/** An account that may send from SHOP to orange at any hour. */
async function sending(): Promise<string> {
  const { context } = fixture;
  const account = await fixture.account();
  granted(await senderRequest(context, account, "SHOP"));
  granted(await senderApprove(context, account, "SHOP"));
  granted(await senderRegister(context, account, "SHOP", "orange"));
  granted(await accountSet(context, account, { marketingHours: "00:00-24:00" }));
  return account;
}

async function waiting(account: string, messages: number, messageClass = "MARKETING", status = "QUEUED") {
  const batch = await plantBatch(fixture, {
    account,
    status,
    messages: Array.from({ length: messages }, () => "QUEUED" as const),
  });
  await fixture.context.store.write((tx) =>
    tx.run("UPDATE batches SET message_class = ? WHERE ulid = ?", messageClass, batch),
  );
  return batch;
}

const shown = async () => granted(await queueShow(fixture.context)).queues;

describe("the queue", () => {
  test("is told by operator and class: how many could leave, since when, and when the last does behind the urgent", async () => {
    const account = await sending();
    const oldest = new Date(fixture.clock.nowMs()).toISOString();
    await waiting(account, 30);
    await fixture.clock.advance(60_000);
    await waiting(account, 10, "OTP");
    await waiting(account, 5);
    lastSecond = 5;
    const nowMs = fixture.clock.nowMs();
    const at = (ms: number) => new Date(nowMs + ms).toISOString();
    expect(await shown()).toEqual([
      {
        operator: "orange",
        message_class: "OTP",
        messages: 10,
        held: {},
        oldest_at: at(0),
        waiting_since: at(0),
        worth_until: WORTH,
        rate: 10,
        empty_at: at(1000),
      },
      {
        operator: "orange",
        message_class: "MARKETING",
        messages: 35,
        held: {},
        oldest_at: oldest,
        waiting_since: oldest,
        worth_until: WORTH,
        rate: 10,
        empty_at: at(4500),
      },
    ]);
  });

  test("is empty where nothing waits, and has no end where nothing leaves", async () => {
    expect(await shown()).toEqual([]);
    await waiting(await sending(), 1);
    expect(await shown()).toMatchObject([{ messages: 1, rate: 0, empty_at: null }]);
  });

  test("tells what is held apart, by why", async () => {
    const { context } = fixture;
    const open = await sending();
    await waiting(open, 4, "MARKETING", "SCHEDULED");
    const postponed = await waiting(open, 3);
    await context.store.write((tx) =>
      tx.run(
        `UPDATE messages SET not_before = ? WHERE position > 0 AND batch_id = (SELECT id FROM batches WHERE ulid = ?)`,
        fixture.clock.nowMs() + 60_000,
        postponed,
      ),
    );
    const suspended = await sending();
    await waiting(suspended, 5);
    granted(
      await run(ACCOUNT_OPERATIONS["account suspend"], context, { account: suspended, reason: "unpaid" }),
    );
    const closed = await sending();
    await waiting(closed, 6);
    const hour = new Date(fixture.clock.nowMs()).getUTCHours();
    const hours = [(hour + 2) % 24, (hour + 3) % 24].map((each) => `${String(each).padStart(2, "0")}:00`);
    granted(await accountSet(context, closed, { marketingHours: hours.join("-") }));
    await waiting(await fixture.account(), 7, "OTP");
    expect(await shown()).toMatchObject([
      { message_class: "OTP", messages: 0, held: { given_up: 7 }, oldest_at: null },
      {
        message_class: "MARKETING",
        messages: 1,
        held: { scheduled: 4, postponed: 2, account_suspended: 5, marketing_hours: 6 },
      },
    ]);
  });

  test("leaves out of what is to leave what is held by itself after a restore, where the rest was decided", async () => {
    const { context, clock } = fixture;
    const { store } = context;
    await waiting(await sending(), 6);
    const nowMs = clock.nowMs();
    await store.write((tx) =>
      holdAllMessages(tx, { restoredAtMs: nowMs, file: "copy", madeAtMs: nowMs, unmatchedBefore: 0 }),
    );
    const all = { messageClass: null, operator: null };
    await store.write((tx) => {
      reopenAfterRestore(tx, nowMs);
      completeRestoreDecision(tx, recordRestoreDecision(tx, all, "send", nowMs), all);
      for (const { messageId, operator } of heldMessages(tx, FIRST_HELD, 4))
        releaseHeld(tx, { messageId, operator });
      // One that is free, and one that is held.
      tx.run("UPDATE messages SET not_before = ? WHERE position IN (0, 5)", nowMs + 60_000);
    });
    lastSecond = 1;
    expect(await shown()).toMatchObject([
      { messages: 3, held: { restored: 2, postponed: 1 }, empty_at: new Date(nowMs + 1500).toISOString() },
    ]);
    await store.write((tx) => recordRestoreDecision(tx, all, "send", nowMs));
    expect(await shown()).toMatchObject([{ messages: 0, held: { restored: 6 }, empty_at: null }]);
  });

  test("of more messages than are counted in one go is told whole", async () => {
    await waiting(await sending(), 4500);
    expect(await shown()).toMatchObject([{ messages: 4500 }]);
  });
});

test("what is held says since when it waits and until when the first of it is worth sending", async () => {
  const account = await sending();
  const since = fixture.clock.nowMs();
  const batch = await waiting(account, 2);
  await waiting(account, 1);
  const untilMs = since + 3_600_000;
  await fixture.context.store.write((tx) => {
    tx.run("UPDATE batches SET expires_at = ?", untilMs + 1);
    tx.run("UPDATE batches SET expires_at = ? WHERE ulid = ?", untilMs, batch);
  });
  granted(
    await run(PAUSE_OPERATIONS["operator pause"], fixture.context, {
      code: "orange",
      connection: null,
      reason: "incident",
    }),
  );
  expect(await shown()).toMatchObject([
    {
      messages: 0,
      held: { operator_paused: 3 },
      oldest_at: null,
      waiting_since: new Date(since).toISOString(),
      worth_until: new Date(untilMs).toISOString(),
    },
  ]);
});
