import { beforeEach, expect, test } from "vitest";
import { type DueTimes, dueTimes } from "../../src/dispatch/operator-queue.ts";
import type { QueuedBatch } from "../../src/domain/messages/queue.ts";
import { type TestClock, testClock } from "../kit/test-clock.ts";

let clock: TestClock;
let rung: number[];
let times: DueTimes;
beforeEach(() => {
  clock = testClock();
  rung = [];
  times = dueTimes(clock, ({ batchId }) => rung.push(batchId));
});

const batch = (batchId: number): QueuedBatch => ({
  batchId,
  accountId: 1,
  operator: "orange",
  messageClass: "MARKETING",
  sender: "ACME",
  body: "",
  createdAt: 0,
  expiresAt: 0,
});
const set = (batchId: number, inMs: number) => times.set(batch(batchId), clock.nowMs() + inMs);

test("each is looked at when its time has come, the earliest first, with one timer for all", async () => {
  set(1, 300);
  set(2, 100);
  set(3, 200);
  expect(clock.waiting()).toBe(1);
  await clock.advance(99);
  expect(rung).toEqual([]);
  await clock.advance(101);
  expect(rung).toEqual([2, 3]);
  await clock.advance(100);
  expect([rung, clock.waiting()]).toEqual([[2, 3, 1], 0]);
});

test("of several times of a batch the earliest counts, once; one that is removed does not ring", async () => {
  set(1, 300);
  set(1, 100);
  set(1, 200);
  set(2, 100);
  times.remove(2);
  expect([times.get(1)?.batchId, times.get(2)]).toEqual([1, null]);
  await clock.advance(1000);
  expect(rung).toEqual([1]);
  expect(times.get(1)).toBeNull();
});

test("many that are due at once ring a few a turn", async () => {
  for (let id = 1; id <= 1000; id++) set(id, 10);
  let most = 0;
  let before = 0;
  const watch = () => {
    most = Math.max(most, rung.length - before);
    before = rung.length;
    if (rung.length < 1000) clock.soon(watch);
  };
  clock.soon(watch);
  while (rung.length < 1000) await clock.advance(10);
  expect(most).toBe(100);
});

test("nothing rings once all is cleared", async () => {
  set(1, 10);
  times.clear();
  expect([times.get(1), clock.waiting()]).toEqual([null, 0]);
  await clock.advance(100);
  expect(rung).toEqual([]);
});

test("the wall clock is read again within a minute: one that was put forward or slept makes none late for longer", async () => {
  set(1, 3_600_000);
  clock.setBy(2 * 3_600_000);
  await clock.advance(60_000);
  expect(rung).toEqual([1]);
});

test("all are looked at when the clock was set back, because what it showed before says nothing of how long to wait", async () => {
  set(1, 120_000);
  set(2, 180_000);
  clock.setBy(-3_600_000);
  await clock.advance(59_999);
  expect(rung).toEqual([]);
  await clock.advance(1);
  expect([rung, times.get(1), clock.waiting()]).toEqual([[1, 2], null, 0]);
});
