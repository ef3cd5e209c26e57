import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Candidate } from "../../src/dispatch/batch-scheduler.ts";
import { type Claimed, claimer } from "../../src/dispatch/claim.ts";
import { Leases } from "../../src/dispatch/leases.ts";
import { recorder } from "../../src/dispatch/recorder.ts";
import { suspendAccount } from "../../src/domain/accounts/accounts.ts";
import { applyFacts } from "../../src/domain/messages/apply-facts.ts";
import { readQueuedBatch, readQueuedMessages } from "../../src/domain/messages/queue.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";
import { testLog } from "../kit/test-log.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let account: number;
let held: Leases;
let settled: number[];
let requeued: number[];
let isUnreadable: boolean;

beforeEach(async () => {
  rig = tenants(config);
  account = await rig.account();
  await rig.send(account, "OTP", ["70000001"]);
  held = new Leases();
  settled = [];
  requeued = [];
  isUnreadable = false;
});
afterEach(() => rig.close());

const claim = (candidate: Candidate): Promise<Claimed> => {
  const ask = claimer({
    queue: {
      settled: (messageId) => settled.push(messageId),
      requeued: ({ batchId }) => {
        if (isUnreadable) throw new Error("disk I/O error");
        requeued.push(batchId);
      },
    },
    recorder: recorder(rig.store, rig.clock, testLog()),
    leases: held,
    clock: rig.clock,
    isStopping: () => false,
    unmatchedBefore: () => 0,
  });
  return new Promise((told) => ask(candidate, told));
};

function candidate(): Candidate {
  const batch = readQueuedBatch(rig.store.read, 1)[0]!;
  return { batch, message: readQueuedMessages(rig.store.read, batch, rig.clock.nowMs(), 1)[0]! };
}

describe("a claim", () => {
  /** The status of the message for a job of the writer that was asked for before its claim. */
  const statusSeen = async (): Promise<string> => {
    let seen = "";
    const before = rig.store.write((tx) => {
      seen = tx.get<{ status: string }>("SELECT status FROM messages")!.status;
    });
    await Promise.all([before, claim(candidate())]);
    return seen;
  };

  test("of an urgent message goes ahead of what waits to be written, the first time and no other", async () => {
    expect(await statusSeen()).toBe("SUBMITTED");
    await rig.store.write((tx) => applyFacts(tx, [{ kind: "not_written", messageId: 1 }], rig.clock.nowMs()));
    expect(await statusSeen()).toBe("QUEUED");
  });

  test("holds its message from the moment it is asked for, and on", async () => {
    const claimed = claim(candidate());
    expect(held.has(1)).toBe(true);
    expect(await claimed).toEqual(new Set());
    expect(held.has(1)).toBe(true);
    expect(rig.message("70000001").status).toBe("SUBMITTED");
    expect({ settled, requeued }).toEqual({ settled: [1], requeued: [] });
  });

  test("that finds its account suspended lets go of the message, which stays queued", async () => {
    const before = candidate();
    await rig.store.write((tx) => suspendAccount(tx, account, "unpaid"));
    expect(await claim(before)).toBeNull();
    expect(held.has(1)).toBe(false);
    expect(rig.message("70000001").status).toBe("QUEUED");
    expect({ settled, requeued }).toEqual({ settled: [1], requeued: [] });
  });

  test("that cannot be written lets go of the message a second later, and has its batch looked at again", async () => {
    const { batch, message } = candidate();
    const claimed = claim({ batch, message: { ...message, id: 99 } });
    await rig.clock.advance(999);
    expect([held.has(99), settled]).toEqual([true, []]);
    await rig.clock.advance(1);
    expect(await claimed).toBeNull();
    expect(held.has(99)).toBe(false);
    expect({ settled, requeued }).toEqual({ settled: [99], requeued: [1] });
  });

  test("that cannot be written, to a disk that cannot be read either, has its batch looked at again once it can", async () => {
    const { batch, message } = candidate();
    isUnreadable = true;
    const claimed = claim({ batch, message: { ...message, id: 99 } });
    await rig.clock.advance(1000);
    expect(await claimed).toBeNull();
    expect({ settled, requeued }).toEqual({ settled: [99], requeued: [] });
    isUnreadable = false;
    await rig.clock.advance(1000);
    expect(requeued).toEqual([1]);
  });
});
