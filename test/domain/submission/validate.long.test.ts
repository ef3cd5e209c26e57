import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../../src/db/store.ts";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import { eventsAfter } from "../../../src/domain/events/outbox.ts";
import { batchObject, findBatch } from "../../../src/domain/messages/batches.ts";
import { feedPage } from "../../../src/domain/messages/feed.ts";
import { messageIds } from "../../../src/domain/messages/insert.ts";
import { purgeOldCounts } from "../../../src/domain/submission/recipient-counts.ts";
import { dropAbandonedStaging, validator } from "../../../src/domain/submission/staging.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { rememberedSends } from "../../kit/remembered-sends.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { testLog } from "../../kit/test-log.ts";

const PRICE = 15;
const RECIPIENTS = 10_001;
const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: PRICE }) } }));

let rig: Tenants;
let queued: number[];
let log: ReturnType<typeof testLog>;
beforeEach(() => {
  log = testLog();
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

const validatorOn = (store: Store) =>
  validator({
    ...rig.intake,
    store,
    log,
    messageIds: messageIds(rig.store.read),
    onQueued: (id) => queued.push(id),
  });

const validate = (store: Store = rig.store, isStopping = () => false) => validatorOn(store).next(isStopping);

const told = (accountId: number) =>
  eventsAfter(rig.store.read, accountId, 0, 9).map((event) =>
    event.type === "WALLET_LOW" ? [event.type] : [event.type, event.batchId],
  );

const fetched = (accountId: number, id: number) => {
  const row = findBatch(rig.store.read, accountId, rig.batch(id).ulid)!;
  return batchObject(row);
};

describe("a batch above 10,000 recipients", () => {
  test("is entered into the ledger at the time of its validation: a statement made in between stays true", async () => {
    const accountId = await rig.account();
    await submitLarge(accountId);
    await rig.clock.advance(600_000);
    const validatedMs = rig.clock.nowMs();
    await validate();
    expect(
      rig.store.read.all(
        "SELECT kind, created_at AS atMs FROM ledger WHERE account_id = ? AND kind = 'RESERVE'",
        accountId,
      ),
    ).toEqual([{ kind: "RESERVE", atMs: validatedMs }]);
  });

  // Keeps: behaviour 7.1
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

  // Keeps: behaviour 4.64, 7.3, 8.12
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

  test("waits for one batch of another account at most, however many that one has submitted", async () => {
    const [hasty, other] = [await rig.account(), await rig.account()];
    const [first, second] = [await submitLarge(hasty), await submitLarge(hasty, { body: "Again" })];
    const third = await submitLarge(other);
    const { next } = validatorOn(rig.store);
    while (await next()) {
      // One batch a time, until none waits.
    }
    expect(queued).toEqual([first, third, second]);
  });

  // Keeps: behaviour 7.3, 8.12
  test("that is scheduled waits for its time", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId, { scheduledAt: "2026-03-03T09:00:00Z" });
    await validate();
    expect(rig.batch(id).status).toBe("SCHEDULED");
    expect(queued).toEqual([]);
    expect(told(accountId)).toEqual([["BATCH_ACCEPTED", id]]);
  });

  // Keeps: behaviour 4.65, 7.5, 8.13
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

  // Keeps: behaviour 4.63, 7.7
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
    expect(rig.count("recipient_counts")).toBe(0);
  });

  // Keeps: behaviour 3.31
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

  // Keeps: behaviour 7.6
  test("that was left for more than 30 minutes is FAILED", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await rig.clock.advance(30 * 60_000 + 1);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({
      status: "FAILED",
      failure: { code: "VALIDATION_TIMEOUT" },
    });
    expect(rig.count("messages")).toBe(0);
  });

  // Keeps: behaviour 4.62
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
    await dropAbandonedStaging(rig);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "QUEUED", accepted: ACCEPTED, rejected: 1000 });
    expect(rig.count("messages")).toBe(ACCEPTED);
    expect(rig.store.read.get("SELECT recipients FROM recipient_counts WHERE span = 'D'")).toEqual({
      recipients: ACCEPTED,
    });
  });
});

/** The store of a process that ends as soon as a batch is VALIDATING no more. */
const endingWith = (id: number): Store => ({
  ...rig.store,
  write: async (job) => {
    if (rig.batch(id).status !== "VALIDATING") throw new Error("the process ends here");
    return rig.store.write(job);
  },
});

describe("a crash right after a validation", () => {
  // Keeps: behaviour 4.62
  test("that failed leaves nothing of the batch behind", async () => {
    const accountId = await rig.account({ funds: 0 });
    const id = await submitLarge(accountId);
    await validate(endingWith(id)).catch(() => {});
    expect(rig.batch(id).status).toBe("FAILED");
    await dropAbandonedStaging(rig);
    expect([
      ...["messages", "rejections"].map(rig.count),
      rememberedSends(rig.store.read),
      rig.count("submitted_recipients"),
    ]).toEqual([0, 0, 0, 0]);
  });

  test("that succeeded leaves none of the recipients as they were submitted", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await validate(endingWith(id)).catch(() => {});
    expect(rig.batch(id).status).toBe("QUEUED");
    expect(rig.count("submitted_recipients")).toBeGreaterThan(0);
    await dropAbandonedStaging(rig);
    expect(rig.count("submitted_recipients")).toBe(0);
    expect(rig.count("messages")).toBe(ACCEPTED);
  });
});

/** The store, with something happening before one of its writes, counted from 0. */
function beforeWrite(which: number, act: () => Promise<void>): Store {
  let writes = 0;
  return {
    ...rig.store,
    write: async (job) => {
      if (writes++ === which) await act();
      return rig.store.write(job);
    },
  };
}

describe("a batch whose 30 minutes are over", () => {
  const HALF = 15 * 60_000;

  // Keeps: behaviour 7.6
  test("is FAILED although the validator is busy with another one, and leaves nothing but its event", async () => {
    const [busy, waiting] = [await rig.account(), await rig.account()];
    const late = await submitLarge(waiting);
    await rig.clock.advance(HALF);
    const inTime = await submitLarge(busy);
    const ended: boolean[] = [];
    const validator = validatorOn(
      beforeWrite(10, async () => {
        await rig.clock.advance(HALF);
        ended.push(await validator.failOverdue());
        await rig.clock.advance(1);
        ended.push(await validator.failOverdue(), await validator.failOverdue());
        expect(fetched(waiting, late)).toMatchObject({
          status: "FAILED",
          failure: {
            code: "VALIDATION_TIMEOUT",
            detail: expect.stringMatching(
              /^the batch could not be validated within 30 minutes; .+ a new Idempotency-Key$/,
            ),
          },
        });
      }),
    );
    expect(await validator.next()).toBe(true);
    expect(ended).toEqual([false, true, false]);
    expect(told(waiting)).toEqual([["BATCH_FAILED", late]]);
    expect(fetched(busy, inTime)).toMatchObject({ status: "QUEUED", accepted: ACCEPTED });
    expect(rig.count("submitted_recipients")).toBe(0);
    expect(await validator.next()).toBe(false);
  });

  test("and that is in work ends itself", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    const validator = validatorOn(
      beforeWrite(10, async () => {
        await rig.clock.advance(2 * HALF + 1);
        expect(await validator.failOverdue()).toBe(false);
      }),
    );
    await validator.next();
    expect(fetched(accountId, id).status).toBe("FAILED");
    expect(told(accountId)).toEqual([["BATCH_FAILED", id]]);
    expect([
      rig.count("messages"),
      rememberedSends(rig.store.read),
      rig.count("submitted_recipients"),
    ]).toEqual([0, 0, 0]);
  });

  test("takes back what an earlier process staged of it before it is FAILED", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await validate(rig.store, () => rig.count("messages") >= 2000);
    await rig.clock.advance(2 * HALF + 1);
    expect(await validatorOn(rig.store).failOverdue()).toBe(true);
    expect(rig.batch(id).status).toBe("FAILED");
    expect([
      rig.count("messages"),
      rememberedSends(rig.store.read),
      rig.count("submitted_recipients"),
    ]).toEqual([0, 0, 0]);
    expect(rig.count("recipient_counts")).toBe(0);
  });

  test("is CANCELLED when it was called off", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await rig.store.write((tx) => tx.run("UPDATE batches SET cancel_reason = 'CANCELLED' WHERE id = ?", id));
    await rig.clock.advance(2 * HALF + 1);
    await validatorOn(rig.store).failOverdue();
    expect(rig.batch(id).status).toBe("CANCELLED");
  });

  test("is not picked up by the validator while it is being failed", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await rig.clock.advance(2 * HALF + 1);
    const validator = validatorOn(rig.store);
    const [failed, validated] = await Promise.all([validator.failOverdue(), validator.next()]);
    expect([failed, validated]).toEqual([true, false]);
    expect(told(accountId)).toEqual([["BATCH_FAILED", id]]);
  });
});

describe("a batch whose validation fails unexpectedly", () => {
  // Keeps: behaviour 7.8
  test("is FAILED as INTERNAL_ERROR, the log says why, and the next one is validated", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    const next = await submitLarge(accountId, { body: "Bonsoir" });
    await rig.store.write((tx) =>
      tx.run("UPDATE submitted_recipients SET recipients = '{}' WHERE batch_id = ? AND piece = 3", id),
    );
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "FAILED", failure: { code: "INTERNAL_ERROR" } });
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "a batch could not be validated" }),
    );
    await validate();
    expect(rig.batch(next).status).toBe("QUEUED");
  });
});

describe("the ceiling of a minute", () => {
  // Keeps: behaviour 4.50
  test("holds for a batch that is validated minutes after its submission", async () => {
    const accountId = await rig.account();
    await rig.store.write((tx) => changeAccount(tx, accountId, { recipientsPerMinute: 300 }));
    const id = await submitLarge(accountId);
    await rig.clock.advance(5 * 60_000);
    let writes = 0;
    await validate({
      ...rig.store,
      write: async (job) => {
        if (writes++ === 10) await rig.store.write((tx) => purgeOldCounts(tx, rig.clock.nowMs()));
        return rig.store.write(job);
      },
    });
    expect(fetched(accountId, id).accepted).toBe(300);
  });
});

describe("a process that stops", () => {
  /** Whether this many messages are staged: when the process is asked to stop. */
  const from = (messages: number) => () => rig.count("messages") >= messages;

  test("is not held up by a validation: it is left in the middle, and the next process begins anew", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    expect(await validate(rig.store, from(2000))).toBe(false);
    expect(rig.count("messages")).toBeLessThan(2500);
    expect(fetched(accountId, id)).toMatchObject({ status: "VALIDATING", accepted: 0, failure: null });
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "QUEUED", accepted: ACCEPTED, rejected: 1000 });
    expect(rig.count("messages")).toBe(ACCEPTED);
  });

  test("is not held up by taking back what was staged either", async () => {
    const accountId = await rig.account();
    const id = await submitLarge(accountId);
    await validate(rig.store, from(2000));
    expect(await validate(rig.store, () => true)).toBe(false);
    expect(rig.count("messages")).toBeGreaterThan(1000);
    expect(rig.batch(id).status).toBe("VALIDATING");
    await validate();
    expect(fetched(accountId, id)).toMatchObject({ status: "QUEUED", accepted: ACCEPTED });
  });
});

describe("a batch that can't be paid", () => {
  test("leaves nothing behind when the process ends while its rows are taken back", async () => {
    const accountId = await rig.account({ funds: 5000 * PRICE });
    const id = await submitLarge(accountId);
    let isDropping = false;
    const crashing: Store = {
      ...rig.store,
      write: async (job) => {
        const before = rig.count("messages");
        const done = await rig.store.write(job);
        if (isDropping) throw new Error("the process ends here");
        isDropping = rig.count("messages") < before;
        return done;
      },
    };
    await validate(crashing).catch(() => {});
    expect(rig.count("messages")).toBeGreaterThan(0);
    await validate();
    expect(fetched(accountId, id)).toMatchObject({
      status: "FAILED",
      failure: { code: "INSUFFICIENT_FUNDS" },
    });
    expect(rig.count("messages")).toBe(0);
  });
});

describe("a batch whose recipients were being kept when the process ended", () => {
  test("was never answered for, so nothing of it stays", async () => {
    const accountId = await rig.account();
    await submitLarge(accountId);
    await rig.store.write((tx) => tx.run("UPDATE batches SET status = 'STAGING'"));
    await dropAbandonedStaging(rig);
    expect(["batches", "submitted_recipients"].map(rig.count)).toEqual([0, 0]);
    expect(await validate()).toBe(false);
  });
});
