import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsAfter } from "../../src/events/outbox.ts";
import { prefixTable } from "../../src/intake/prefixes.ts";
import { dropUnansweredBatches } from "../../src/intake/staging.ts";
import { validateNext } from "../../src/intake/validate.ts";
import { batchObject, findBatch } from "../../src/messages/batches.ts";
import { feedPage } from "../../src/messages/feed.ts";
import { messageIds } from "../../src/messages/insert.ts";
import type { Store } from "../../src/store/store.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";
import { testLog } from "../kit/test-log.ts";

const PRICE = 15;
const RECIPIENTS = 10_001;
const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: PRICE }) } }));

let rig: Tenants;
let queued: number[];
beforeEach(() => {
  queued = [];
  rig = tenants(CONFIG);
});
afterEach(() => rig.close());

/** 10,001 recipients, of which every tenth is no number. */
const recipients = Array.from({ length: RECIPIENTS }, (_, index) =>
  index % 10 === 9 ? "abc" : String(70_000_000 + index),
);
const ACCEPTED = RECIPIENTS - 1000;

const submitLarge = (accountId: number, changes = {}) =>
  rig.send(accountId, "TRANSACTIONAL", recipients, changes);

const validate = (store: Store = rig.store) =>
  validateNext({
    config: CONFIG,
    store,
    clock: rig.clock,
    newId: rig.newId,
    log: testLog(),
    messageIds: messageIds(rig.store.read),
    owner: prefixTable(CONFIG.operators),
    onQueued: (id) => queued.push(id),
  });

const told = (accountId: number) =>
  eventsAfter(rig.store.read, accountId, 0, 9).map((event) =>
    event.type === "WALLET_LOW" ? [event.type] : [event.type, event.batchId],
  );

const fetched = (accountId: number, id: number) => {
  const row = findBatch(rig.store.read, accountId, rig.batch(id).ulid)!;
  return batchObject(row);
};

describe("a batch above 10,000 recipients", () => {
  test("is VALIDATING with zeros until it was validated, and shows nothing of its messages", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    expect(fetched(accountId, id)).toMatchObject({
      status: "VALIDATING",
      accepted: 0,
      rejected: 0,
      reserved_amount: 0,
      total_segments: 0,
    });
    expect(rig.wallet(accountId).reserved).toBe(0);
    expect(
      feedPage(rig.store.read, { accountId, sinceUs: 0, limit: 500, batchUlid: null })?.messages,
    ).toEqual([]);
  });

  test("gets its real figures, is paid for, and is offered for sending", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    expect(await validate()).toBe(true);
    expect(fetched(accountId, id)).toMatchObject({
      status: "QUEUED",
      accepted: ACCEPTED,
      rejected: 1000,
      reserved_amount: ACCEPTED * PRICE,
      counts: { total: ACCEPTED, queued: ACCEPTED },
      failure: null,
    });
    expect(rig.wallet(accountId).reserved).toBe(ACCEPTED * PRICE);
    expect(queued).toEqual([id]);
    expect(told(accountId)).toEqual([["BATCH_ACCEPTED", id]]);
    expect(rig.count("submitted_recipients")).toBe(0);
    expect(await validate()).toBe(false);
  });

  test("that is scheduled waits for its time", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId, { scheduledAt: "2026-03-03T09:00:00Z" });
    await validate();
    expect(rig.batch(id).status).toBe("SCHEDULED");
    expect(queued).toEqual([]);
    expect(told(accountId)).toEqual([["BATCH_ACCEPTED", id]]);
  });

  test("whose recipients are all dropped is REJECTED", async () => {
    const accountId = await rig.account();
    const id = await rig.send(
      accountId,
      "OTP",
      recipients.map(() => "abc"),
    );
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "REJECTED", accepted: 0, rejected: RECIPIENTS });
    expect(told(accountId)).toEqual([["BATCH_REJECTED", id]]);
  });

  test("that can't be paid is FAILED with the code it would have been, and leaves nothing else", async () => {
    const accountId = await rig.account({ funds: ACCEPTED * PRICE - 1 });
    const id = await submitLarge(accountId);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({
      status: "FAILED",
      accepted: 0,
      rejected: 0,
      failure: { code: "INSUFFICIENT_FUNDS" },
    });
    expect(["messages", "rejections", "submitted_recipients"].map(rig.count)).toEqual([0, 0, 0]);
    expect(rig.wallet(accountId)).toMatchObject({ funds: ACCEPTED * PRICE - 1, reserved: 0 });
    expect(rig.store.read.get("SELECT sum(recipients) AS n FROM recipient_counts")).toEqual({ n: 0 });
  });

  test("of an account that was suspended meanwhile is FAILED", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await rig.store.write((tx) => {
      tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE id = ?", accountId);
    });
    await validate();
    expect(fetched(accountId, id)).toMatchObject({
      status: "FAILED",
      failure: { code: "ACCOUNT_SUSPENDED" },
    });
  });

  test("that was left for more than 30 minutes is FAILED", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await rig.clock.advance(30 * 60_000 + 1);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "FAILED", failure: { code: "INTERNAL_ERROR" } });
    expect(rig.count("messages")).toBe(0);
  });

  test("begins anew after a crash in the middle, and nothing counts twice", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    let writes = 0;
    const crashing: Store = {
      ...rig.store,
      write: async (job) => {
        writes += 1;
        if (writes > 8) throw new Error("the process ends here");
        return rig.store.write(job);
      },
    };
    await validate(crashing).catch(() => {});
    expect(rig.count("messages")).toBeGreaterThan(0);
    expect(fetched(accountId, id).status).toBe("VALIDATING");
    await dropUnansweredBatches(rig.store);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "QUEUED", accepted: ACCEPTED, rejected: 1000 });
    expect(rig.count("messages")).toBe(ACCEPTED);
    expect(rig.store.read.get("SELECT recipients FROM recipient_counts WHERE span = 'D'")).toEqual({
      recipients: ACCEPTED,
    });
  });
});

describe("a batch whose recipients were being kept when the process ended", () => {
  test("was never answered for, so nothing of it stays", async () => {
    const accountId = await rig.account();
    await submitLarge(accountId);
    await rig.store.write((tx) => tx.run("UPDATE batches SET status = 'STAGING'"));
    await dropUnansweredBatches(rig.store);
    expect(["batches", "submitted_recipients"].map(rig.count)).toEqual([0, 0]);
    expect(await validate()).toBe(false);
  });
});
