import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { trustedClock } from "../../src/core/trusted-clock.ts";
import { type BatchQueue, batchQueue } from "../../src/dispatch/operator-queue.ts";
import { checkGate, type SendingGate } from "../../src/dispatch/sending-gate.ts";
import { applyFacts } from "../../src/domain/messages/apply-facts.ts";
import { calledOff, requestCancellation } from "../../src/domain/messages/cancellation.ts";
import type { Fact } from "../../src/domain/messages/facts.ts";
import {
  type FilledQueue,
  type QueuedBatch,
  readQueuedBatch,
  readQueuedMessages,
} from "../../src/domain/messages/queue.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let queue: BatchQueue;
let accountId: number;
/** What the backlog told, in order. */
let told: string[];
/** How often the gate was asked. */
let asked: number;
/** How often the database was. */
let reads: number;

beforeEach(async () => {
  rig = tenants(config);
  accountId = await rig.account();
  told = [];
  asked = 0;
  reads = 0;
  queue = batchQueue({
    read: {
      ...rig.store.read,
      get: (sql, ...params) => {
        reads += 1;
        return rig.store.read.get(sql, ...params);
      },
      all: (sql, ...params) => {
        reads += 1;
        return rig.store.read.all(sql, ...params);
      },
    },
    clock: rig.clock,
    gate: (batch, isFresh): SendingGate => {
      asked += 1;
      return checkGate(
        { read: rig.store.read, policy: config.policy, operators: config.operators },
        batch,
        rig.clock,
        isFresh,
      );
    },
    onGivenUp: (batch, { error }) => told.push(`${batch.batchId} ${error.code}`),
    isBatchCancelled: (batchId) => calledOff(rig.store.read, batchId) !== null,
    onOver: ({ batchId }) => told.push(`${batchId} over`),
    onReady: () => told.push("ready"),
  });
});
afterEach(() => rig.close());

/** A batch of so many messages, opened. */
async function opened(
  count: number,
  messageClass: QueuedBatch["messageClass"] = "MARKETING",
): Promise<QueuedBatch> {
  const from = 70_000_001 + rig.count("messages");
  const numbers = Array.from({ length: count }, (_, index) => String(from + index));
  const batchId = await rig.send(accountId, messageClass, numbers);
  const [batch] = readQueuedBatch(rig.store.read, batchId);
  queue.open(batch!);
  return batch!;
}

const apply = (...facts: Fact[]) => rig.store.write((tx) => void applyFacts(tx, facts, rig.clock.nowMs()));

async function claim(messageId: number): Promise<void> {
  await apply({ kind: "claimed", messageId });
  queue.settled(messageId);
}

/** The ids of everything there is to take. */
function takeAll(most = Number.POSITIVE_INFINITY): number[] {
  const ids: number[] = [];
  while (ids.length < most) {
    const candidate = queue.take();
    if (!candidate) break;
    ids.push(candidate.message.id);
  }
  return ids;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("the backlog", () => {
  test("hands out each message of a batch once and in order, however many pages they fill", async () => {
    await opened(1050);
    expect(takeAll()).toEqual(range(1, 1050));
    expect(takeAll()).toEqual([]);
  });

  test("does not hand out twice what was taken and is not committed, also when the batch is opened anew", async () => {
    const batch = await opened(250);
    expect(takeAll(30)).toEqual(range(1, 30));
    queue.open(batch);
    expect(takeAll(120)).toEqual(range(31, 150));
    queue.clear();
    queue.open(batch);
    expect(takeAll()).toEqual(range(151, 250));
  });

  test("hands out again what was given up before it was claimed", async () => {
    const batch = await opened(3);
    takeAll();
    queue.settled(2);
    queue.requeued(batch, rig.clock.nowMs());
    expect(takeAll()).toEqual([2]);
  });

  // Keeps: behaviour 6.126
  test("hands out what a clock dated that was set back since: half a minute later at most", async () => {
    await opened(1050, "TRANSACTIONAL");
    expect(takeAll(150)).toEqual(range(1, 150));
    rig.clock.setBy(-3 * 3_600_000);
    expect(takeAll()).toEqual(range(151, 1050));
    await opened(250, "TRANSACTIONAL");
    rig.clock.setBy(-30_000);
    expect(takeAll()).toEqual([]);
    await rig.clock.advance(30_000);
    expect(takeAll()).toEqual(range(1051, 1300));
  });

  // Keeps: behaviour 6.126
  test("gives nothing up because a clock was put forward, only once its time has passed", async () => {
    const clock = trustedClock(rig.clock);
    queue = batchQueue({
      read: rig.store.read,
      clock,
      gate: (batch): SendingGate =>
        checkGate({ read: rig.store.read, policy: config.policy, operators: config.operators }, batch, clock),
      onGivenUp: (batch, { error }) => told.push(`${batch.batchId} ${error.code}`),
      isBatchCancelled: () => false,
      onOver: () => {},
      onReady: () => {},
    });
    const batch = await opened(3, "OTP");
    await rig.clock.advance(9 * 60_000);
    rig.clock.setBy(3 * 3_600_000);
    expect(takeAll(1)).toEqual([1]);
    expect(told).toEqual([]);
    await rig.clock.advance(60_000);
    queue.open(batch);
    expect(told).toEqual([`${batch.batchId} EXPIRED_IN_QUEUE`]);
  });

  // Keeps: behaviour 6.121
  test("gives nothing up while the clock is doubted, nor because it was", async () => {
    const doubt = { kind: "jumped", believedMs: 0, wallMs: 0, sinceMs: 0 } as const;
    let doubted: typeof doubt | null = doubt;
    const clock = { ...rig.clock, doubt: () => doubted };
    queue = batchQueue({
      read: rig.store.read,
      clock,
      gate: (batch): SendingGate =>
        checkGate({ read: rig.store.read, policy: config.policy, operators: config.operators }, batch, clock),
      onGivenUp: (batch, { error }) => told.push(`${batch.batchId} ${error.code}`),
      isBatchCancelled: () => false,
      onOver: () => {},
      onReady: () => {},
    });
    const batch = await opened(3, "OTP");
    await rig.clock.advance(11 * 60_000);
    queue.open(batch);
    expect([takeAll(), told]).toEqual([[], []]);
    doubted = null;
    await rig.clock.advance(60_000);
    expect(told).toEqual([`${batch.batchId} EXPIRED_IN_QUEUE`]);
  });

  test("does not hand out what was claimed", async () => {
    const batch = await opened(3);
    for (const id of takeAll()) await claim(id);
    queue.open(batch);
    expect(takeAll()).toEqual([]);
  });

  test("hands out first what was not written after all", async () => {
    const batch = await opened(300);
    const [first = 0, second = 0] = takeAll(2);
    await claim(first);
    await claim(second);
    await apply({ kind: "not_written", messageId: second });
    queue.requeued(batch, rig.clock.nowMs());
    expect(takeAll(2)).toEqual([second, 3]);
  });

  test("gives a resent message the next turn of its class", async () => {
    const lost = await opened(1, "OTP");
    for (let batch = 0; batch < 5; batch++) await opened(1, "OTP");
    await claim(takeAll(1)[0]!);
    await apply({ kind: "unanswered", messageId: 1, next: "resend" });
    queue.requeued(lost, rig.clock.nowMs());
    expect(takeAll()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("hands out a postponed message when it is due and not before", async () => {
    const batch = await opened(2);
    for (const id of takeAll()) await claim(id);
    const dueMs = rig.clock.nowMs() + 1000;
    await apply({ kind: "postponed", messageId: 2, notBeforeMs: dueMs, operatorCode: "0x08" });
    queue.requeued(batch, dueMs);
    told = [];
    await rig.clock.advance(999);
    expect([takeAll(), told]).toEqual([[], []]);
    await rig.clock.advance(1);
    expect(told).toContain("ready");
    expect(takeAll()).toEqual([2]);
  });

  test("wakes for the earliest of several that are due later, and then for the next", async () => {
    const batch = await opened(3);
    for (const id of takeAll()) await claim(id);
    const nowMs = rig.clock.nowMs();
    for (const [messageId, waitMs] of [
      [1, 3000],
      [2, 1000],
      [3, 2000],
    ] as const) {
      await apply({ kind: "postponed", messageId, notBeforeMs: nowMs + waitMs, operatorCode: null });
      queue.requeued(batch, nowMs + waitMs);
    }
    for (const id of [2, 3, 1]) {
      await rig.clock.advance(1000);
      expect(takeAll()).toEqual([id]);
    }
  });

  test("finds what is due later when a batch is opened after a restart", async () => {
    const batch = await opened(1);
    await claim(takeAll()[0]!);
    const notBeforeMs = rig.clock.nowMs() + 500;
    await apply({ kind: "postponed", messageId: 1, notBeforeMs, operatorCode: null });
    queue.clear();
    queue.open(batch);
    expect(takeAll()).toEqual([]);
    await rig.clock.advance(500);
    expect(takeAll()).toEqual([1]);
  });

  test("sees the rest of a batch that was cleared in the middle of a page", async () => {
    const batch = await opened(10);
    for (const id of takeAll(4)) await claim(id);
    queue.clear();
    expect(takeAll()).toEqual([]);
    queue.open(batch);
    expect(takeAll()).toEqual(range(5, 10));
  });

  test("knows nothing of a batch all of whose messages have left", async () => {
    const batch = await opened(2);
    expect(queue.knows(batch.batchId)).toBe(true);
    for (const id of takeAll()) await claim(id);
    expect(takeAll()).toEqual([]);
    expect([queue.knows(batch.batchId), rig.clock.waiting()]).toEqual([false, 0]);
  });

  test("opened anew keeps its turn, and finds what was queued behind a page that was read", async () => {
    const batch = await opened(3);
    const [first = 0] = takeAll(1);
    await claim(first);
    await apply({ kind: "not_written", messageId: first });
    queue.open(batch);
    expect(takeAll()).toEqual([2, 3, first]);
  });

  test("keeps no timer once it is cleared", async () => {
    const batch = await opened(1);
    queue.requeued(batch, rig.clock.nowMs() + 1000);
    expect(rig.clock.waiting()).toBe(1);
    queue.clear();
    expect(rig.clock.waiting()).toBe(0);
  });
});

describe("what was handed over", () => {
  /** A batch as whoever accepted it hands it over; not opened. */
  async function filled(count: number): Promise<FilledQueue> {
    const numbers = Array.from({ length: count }, (_, index) => String(70_000_001 + index));
    const batchId = await rig.send(accountId, "OTP", numbers);
    const [batch] = readQueuedBatch(rig.store.read, batchId);
    return { batch: batch!, messages: readQueuedMessages(rig.store.read, batch!, rig.clock.nowMs(), count) };
  }

  test("is handed out once and in order, and the queue is not read for it", async () => {
    const { batch, messages } = await filled(120);
    queue.open(batch, messages);
    expect(takeAll()).toEqual(range(1, 120));
    expect([reads, asked, queue.knows(batch.batchId)]).toEqual([0, 1, false]);
  });

  test("is held with its account, and read from the queue when that is let go on", async () => {
    const { batch, messages } = await filled(3);
    queue.open(batch, messages);
    await rig.store.write(
      (tx) => void tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x'"),
    );
    queue.changed(accountId);
    expect(takeAll()).toEqual([]);
    await apply({ kind: "cancelled", messageId: 2, error: { code: "CANCELLED", operatorCode: null } });
    await rig.store.write(
      (tx) => void tx.run("UPDATE accounts SET status = 'ACTIVE', suspended_reason = NULL"),
    );
    queue.changed(accountId);
    expect(takeAll()).toEqual([1, 3]);
  });

  test("is dropped with what was called off before anything of it was taken", async () => {
    const { batch, messages } = await filled(3);
    queue.open(batch, messages);
    await rig.store.write((tx) =>
      requestCancellation(tx, batch.batchId, "CANCELLED", null, rig.clock.nowMs()),
    );
    queue.changed(accountId);
    expect(takeAll()).toEqual([]);
    expect(told.filter((what) => what !== "ready")).toEqual(["1 over"]);
  });

  test("is read from the queue where something of the batch has come back to it", async () => {
    const { batch, messages } = await filled(3);
    queue.open(batch, messages);
    queue.requeued(batch, rig.clock.nowMs());
    expect(takeAll()).toEqual([1, 2, 3]);
    expect(reads).toBeGreaterThan(0);
  });
});

describe("the gate", () => {
  const account = (status: string, reason: string | null) =>
    rig.store.write((tx) =>
      tx.run("UPDATE accounts SET status = ?, suspended_reason = ? WHERE id = ?", status, reason, accountId),
    );

  test("holds the messages of a suspended account until it is opened anew", async () => {
    const batch = await opened(2);
    await account("SUSPENDED", "unpaid");
    expect(takeAll()).toEqual([]);
    await account("ACTIVE", null);
    expect(takeAll()).toEqual([]);
    queue.open(batch);
    expect(takeAll()).toEqual([1, 2]);
    expect(told.filter((what) => what !== "ready")).toEqual([]);
  });

  test("lets them go on, in order, as soon as it is told that the account changed", async () => {
    for (let batch = 0; batch < 130; batch++) await opened(1);
    await account("SUSPENDED", "unpaid");
    while (takeAll().length > 0 || told.splice(0).includes("ready")) await rig.clock.advance(0);
    expect(queue.knows(1)).toBe(true);
    queue.changed(accountId);
    while (takeAll().length > 0 || told.splice(0).includes("ready")) await rig.clock.advance(0);
    await account("ACTIVE", null);
    queue.changed(accountId);
    const ids: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      ids.push(...takeAll());
      await rig.clock.advance(0);
    }
    expect(ids).toEqual(range(1, 130));
  });

  test("is asked again about all that it held, a few at a time, and about nothing while nobody says so", async () => {
    for (let batch = 0; batch < 230; batch++) await opened(1);
    await account("SUSPENDED", "unpaid");
    while (takeAll().length > 0 || told.splice(0).includes("ready")) await rig.clock.advance(0);
    asked = 0;
    await rig.clock.advance(60_000);
    expect([takeAll(), asked]).toEqual([[], 0]);
    await account("ACTIVE", null);
    queue.askAgain();
    const ids = takeAll();
    expect(ids).toHaveLength(100);
    for (let turn = 0; turn < 9; turn++) {
      await rig.clock.advance(0);
      ids.push(...takeAll());
    }
    expect(ids.toSorted((one, other) => one - other)).toEqual(range(1, 230));
  });

  test("does not hand out what was read before the account was suspended", async () => {
    await opened(3);
    expect(takeAll(1)).toEqual([1]);
    await account("SUSPENDED", "unpaid");
    queue.changed(accountId);
    expect(takeAll()).toEqual([]);
  });

  test("is asked about a few batches in one turn, however many are held", async () => {
    for (let batch = 0; batch < 130; batch++) await opened(1);
    await account("SUSPENDED", "unpaid");
    told = [];
    asked = 0;
    expect(takeAll()).toEqual([]);
    expect(asked).toBe(50);
    for (let turn = 0; turn < 3; turn++) {
      await rig.clock.advance(0);
      expect(takeAll()).toEqual([]);
    }
    expect(asked).toBe(130);
  });

  test("gives up the messages of a sender that is not registered with the operator any more", async () => {
    await opened(2);
    await rig.store.write((tx) => tx.run("DELETE FROM sender_registrations"));
    expect(takeAll()).toEqual([]);
    expect(told.at(-1)).toBe("1 SENDER_NOT_REGISTERED");
  });

  test("sends nothing of a batch that was called off, also when a message of it comes back, and tells of it", async () => {
    const batch = await opened(3);
    await claim(takeAll(1)[0]!);
    await rig.store.write((tx) =>
      requestCancellation(tx, batch.batchId, "CANCELLED", null, rig.clock.nowMs()),
    );
    await apply({ kind: "not_written", messageId: 1 });
    queue.requeued(batch, rig.clock.nowMs());
    expect(takeAll()).toEqual([]);
    expect(told.filter((what) => what !== "ready")).toEqual(["1 over"]);
  });

  test("gives up what has expired when nobody takes anything, because the operator is away", async () => {
    const batch = await opened(2, "OTP");
    await rig.clock.advance(10 * 60_000);
    told = [];
    queue.open(batch);
    expect(told).toEqual(["1 EXPIRED_IN_QUEUE"]);
    expect(takeAll()).toEqual([]);
  });

  // Keeps: behaviour 4.46
  test("holds marketing when permitted hours end, and lets it go when they open again", async () => {
    await rig.clock.advance(10.99 * 3_600_000);
    await opened(5);
    expect(takeAll(1)).toEqual([1]);
    await rig.clock.advance(60_000);
    expect(takeAll()).toEqual([]);
    told = [];
    await rig.clock.advance(12 * 3_600_000);
    expect(told).toEqual(["ready"]);
    expect(takeAll()).toEqual([2, 3, 4, 5]);
  });

  test("lets other classes go at any hour", async () => {
    await rig.clock.advance(14 * 3_600_000);
    await opened(2, "OTP");
    expect(takeAll()).toEqual([1, 2]);
  });

  test("gives up what has expired although its page was read in time", async () => {
    await opened(5, "OTP");
    expect(takeAll(1)).toEqual([1]);
    await rig.clock.advance(10 * 60_000);
    told = [];
    expect(takeAll()).toEqual([]);
    expect(told).toContain("1 EXPIRED_IN_QUEUE");
  });
});
