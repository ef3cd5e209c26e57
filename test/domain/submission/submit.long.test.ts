import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setPrice } from "../../../src/domain/accounts/prices.ts";
import { rejectSender, requestSender, senderByName } from "../../../src/domain/accounts/senders.ts";
import { adjust } from "../../../src/domain/ledger/funding.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(
  document({
    operators: {
      orange: operator({ prefixes: ["22670"], price: 15 }),
      moov: operator({ prefixes: ["22660"], price: 20 }),
      // Has no price of its own.
      telecel: operator({ prefixes: ["22658"] }),
    },
  }),
);

let queued: number[];
let rig: Tenants;
beforeEach(() => {
  queued = [];
  rig = tenants(config, (batchId) => queued.push(batchId));
});
afterEach(() => rig.close());

function request(changes: Partial<BatchRequest> = {}, ...numbers: string[]): BatchRequest {
  return {
    sender: "ACME",
    body: "Bonjour",
    messageClass: "TRANSACTIONAL",
    channel: "SMS",
    recipients: (numbers.length > 0 ? numbers : ["70000001"]).map((msisdn) => ({ msisdn, attributes: null })),
    textPolicy: null,
    missingAttributes: null,
    otherTags: [],
    scheduledAt: null,
    timezone: null,
    isTest: false,
    clientReference: null,
    template: null,
    ...changes,
  };
}

/** The code of the refusal, or the status of the batch. */
async function outcomeOf(accountId: number, submission: BatchRequest): Promise<string> {
  const answer = await rig.submit(rig.order(accountId, submission));
  if (answer.kind === "accepted") return answer.batch.status;
  return answer.kind === "refused" ? answer.refusal.code : answer.kind;
}

function expectNothingLeft(): void {
  expect(["batches", "messages", "rejections"].map(rig.count)).toEqual([0, 0, 0]);
  expect(queued).toEqual([]);
}

describe("a submission that is accepted", () => {
  test("is answered with the figures of the batch", async () => {
    const accountId = await rig.account();
    const answer = await rig.submit(rig.order(accountId, request({}, "70000001", "abc", "60000002")));
    expect(answer).toMatchObject({
      kind: "accepted",
      batch: {
        id: 1,
        ulid: expect.stringMatching(/^[0-9A-Z]{26}$/) as unknown,
        status: "QUEUED",
        sums: { accepted: 2, rejected: 1, amount: 35, segments: 2 },
        rejections: [{ position: 1, msisdn: null, reason: "INVALID_MSISDN" }],
      },
    });
    expect(rig.wallet(accountId)).toMatchObject({ funds: 999_965, reserved: 35 });
    expect(queued).toHaveLength(1);
  });

  test("is answered as the accepting transaction kept it, after its messages were written", async () => {
    const accountId = await rig.account();
    await rig.store.write((tx) =>
      tx.run(`CREATE TRIGGER with_its_messages BEFORE INSERT ON idempotency_records
        WHEN (SELECT count(*) FROM messages) <> 1 BEGIN SELECT RAISE(ABORT, 'kept alone'); END`),
    );
    const answer = await rig.submit({
      ...rig.order(accountId, request()),
      replyTo: ({ ulid }) => {
        // Read beside the transaction: not committed yet.
        expect([rig.count("messages"), rig.count("idempotency_records")]).toEqual([0, 0]);
        return { status: 7, text: `batch ${ulid}` };
      },
    });
    if (answer.kind !== "accepted") throw new Error(answer.kind);
    expect(answer.reply).toEqual({ status: 7, text: `batch ${answer.batch.ulid}` });
    expect(rig.store.read.get("SELECT status, response AS text FROM idempotency_records")).toEqual(
      answer.reply,
    );
  });

  // Keeps: behaviour 3.47
  test("leaves nothing behind when the answer could not be remembered", async () => {
    const accountId = await rig.account();
    const failing = rig.submit({
      ...rig.order(accountId, request()),
      replyTo: () => {
        throw new Error("no room for the answer");
      },
    });
    await expect(failing).rejects.toThrow("no room for the answer");
    expectNothingLeft();
    expect(rig.wallet(accountId)).toMatchObject({ funds: 1_000_000, reserved: 0 });
  });

  test("is SCHEDULED and not offered when it has a time, and its messages expire after that time", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({ scheduledAt: "2026-03-02T12:00:00Z" }))).toBe("SCHEDULED");
    expect(queued).toEqual([]);
    const noon = Date.UTC(2026, 2, 2, 12);
    expect(rig.message("70000001").not_before).toBe(noon);
    expect(rig.store.read.get("SELECT expires_at - scheduled_at AS ms FROM batches")).toEqual({
      ms: config.delivery.validity_minutes.TRANSACTIONAL * 60_000,
    });
  });
});

describe("the price of a segment", () => {
  // Keeps: behaviour 5.7
  test("is the account's for the operator and class, else for the operator, else the operator's own", async () => {
    const accountId = await rig.account();
    await rig.store.write((tx) => {
      setPrice(tx, accountId, { operator: "orange", messageClass: "OTP", amount: 30 }, 0);
      setPrice(tx, accountId, { operator: "orange", messageClass: null, amount: 12 }, 0);
    });
    await rig.send(accountId, "OTP", ["70000001", "60000001"]);
    await rig.send(accountId, "MARKETING", ["70000002"]);
    expect(rig.message("70000001").price).toBe(30);
    expect(rig.message("60000001").price).toBe(20);
    expect(rig.message("70000002").price).toBe(12);
    const other = await rig.account();
    await rig.send(other, "OTP", ["70000003"]);
    expect(rig.message("70000003").price).toBe(15);
  });

  // Keeps: behaviour 5.8
  test("is fixed at acceptance", async () => {
    const accountId = await rig.account();
    await rig.send(accountId, "OTP", ["70000001"]);
    await rig.store.write((tx) =>
      setPrice(tx, accountId, { operator: "orange", messageClass: null, amount: 99 }, 0),
    );
    expect(rig.message("70000001").price).toBe(15);
  });

  test("that does not exist is a CONFIGURATION_ERROR, unless the account has one of its own", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({}, "70000001", "58000001"))).toBe("CONFIGURATION_ERROR");
    expectNothingLeft();
    expect(rig.lines).toMatchObject([{ level: "error", operator: "telecel" }]);
    await rig.store.write((tx) =>
      setPrice(tx, accountId, { operator: "telecel", messageClass: null, amount: 9 }, 0),
    );
    await rig.send(accountId, "OTP", ["58000001"]);
    expect(rig.message("58000001").price).toBe(9);
  });

  test("may be nothing", async () => {
    const accountId = await rig.account({ funds: 0 });
    await rig.store.write((tx) =>
      setPrice(tx, accountId, { operator: "orange", messageClass: null, amount: 0 }, 0),
    );
    expect(await outcomeOf(accountId, request())).toBe("QUEUED");
    expect(rig.count("ledger")).toBe(0);
  });
});

describe("a submission is refused", () => {
  test("for a channel without a provider", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({ channel: "WHATSAPP" }))).toBe("CONFIGURATION_ERROR");
    expectNothingLeft();
    expect(rig.lines).toMatchObject([{ level: "error", channel: "WHATSAPP" }]);
  });

  // Keeps: behaviour 4.54
  test("for a class that the account may not send", async () => {
    const accountId = await rig.account({ classes: ["MARKETING"] });
    expect(await outcomeOf(accountId, request({ messageClass: "OTP" }))).toBe("VALIDATION_FAILED");
    expect(await outcomeOf(accountId, request({ messageClass: "MARKETING" }))).toBe("QUEUED");
  });

  test("for a sender that is unknown, only requested, rejected or another account's", async () => {
    const accountId = await rig.account();
    const other = await rig.account();
    await rig.store.write((tx) => {
      requestSender(tx, accountId, "ASKED", 0);
      requestSender(tx, accountId, "REFUSED", 0);
      rejectSender(tx, senderByName(tx, accountId, "REFUSED")!.id, "not yours");
      requestSender(tx, other, "OTHERS", 0);
      tx.run("UPDATE senders SET status = 'APPROVED' WHERE name = 'OTHERS'");
    });
    for (const sender of ["NOBODY", "ASKED", "REFUSED", "OTHERS", "acme"]) {
      expect([sender, await outcomeOf(accountId, request({ sender }))]).toEqual([
        sender,
        "SENDER_NOT_APPROVED",
      ]);
    }
    expectNothingLeft();
  });

  test("for a schedule that can't be kept", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({ scheduledAt: "2020-01-01T00:00:00Z" }))).toBe(
      "SCHEDULE_INVALID",
    );
    expect(await outcomeOf(accountId, request({ timezone: "Mars/Olympus" }))).toBe("SCHEDULE_INVALID");
    expectNothingLeft();
  });

  // Keeps: behaviour 5.2, 5.4, 5.5, 5.6
  test("for want of money, whole: prepaid, in debit, and over the credit limit", async () => {
    const poor = await rig.account({ funds: 29 });
    const debtor = await rig.account({ funds: 10 });
    await rig.store.write((tx) =>
      adjust(tx, { accountId: debtor, amount: -11, reason: "test", id: rig.newId(), atMs: 0 }),
    );
    const postpaid = await rig.account({ funds: 0, billingMode: "POSTPAID", creditLimit: 29 });
    const two = request({}, "70000001", "70000002");
    expect(await outcomeOf(poor, two)).toBe("INSUFFICIENT_FUNDS");
    expect(await outcomeOf(debtor, two)).toBe("WALLET_IN_DEBIT");
    expect(await outcomeOf(postpaid, two)).toBe("CREDIT_LIMIT_EXCEEDED");
    expectNothingLeft();
    expect(await outcomeOf(poor, request())).toBe("QUEUED");
    expect(await outcomeOf(postpaid, request({}, "70000003"))).toBe("QUEUED");
  });

  // Keeps: behaviour 3.30
  test("when the account was suspended while the request was under way", async () => {
    const accountId = await rig.account();
    // The accepting transaction comes after planning, and so after a write that is asked for at once.
    const submitting = outcomeOf(accountId, request());
    const suspended = "UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'unpaid' WHERE id = ?";
    await rig.store.write((tx) => tx.run(suspended, accountId), "at once", "ahead");
    expect(await submitting).toBe("ACCOUNT_SUSPENDED");
    expectNothingLeft();
  });

  // Keeps: behaviour 3.30
  test("when the account was suspended while more than 10,000 recipients were being kept", async () => {
    const accountId = await rig.account();
    const numbers = Array.from({ length: 10_001 }, (_, index) => String(70_000_000 + index));
    const submitting = outcomeOf(accountId, request({}, ...numbers));
    await rig.store.write((tx) =>
      tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'unpaid' WHERE id = ?", accountId),
    );
    expect(await submitting).toBe("ACCOUNT_SUSPENDED");
    expectNothingLeft();
    expect(rig.count("submitted_recipients")).toBe(0);
  });
});

describe("a batch whose recipients are all filtered", () => {
  // Keeps: behaviour 4.65, 7.4
  test("is REJECTED, reserves nothing and is offered to nobody", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({}, "abc", "25300000"))).toBe("REJECTED");
    expect(rig.wallet(accountId)).toMatchObject({ funds: 1_000_000, reserved: 0 });
    expect([rig.count("messages"), rig.count("rejections")]).toEqual([0, 2]);
    expect(queued).toEqual([]);
  });

  // Keeps: behaviour 8.13
  test("is told of by its 202, and by no event", async () => {
    const accountId = await rig.account();
    expect(await outcomeOf(accountId, request({}, "abc"))).toBe("REJECTED");
    expect(rig.count("events")).toBe(0);
  });

  test("is REJECTED also for an account without money, in debit or over its limit", async () => {
    const poor = await rig.account({ funds: 0 });
    const debtor = await rig.account({ funds: 0 });
    const postpaid = await rig.account({ funds: 0, billingMode: "POSTPAID", creditLimit: 5 });
    await rig.store.write((tx) => {
      for (const accountId of [debtor, postpaid]) {
        adjust(tx, { accountId, amount: -11, reason: "test", id: rig.newId(), atMs: 0 });
      }
    });
    for (const accountId of [poor, debtor, postpaid]) {
      expect(await outcomeOf(accountId, request({}, "abc"))).toBe("REJECTED");
    }
  });
});
