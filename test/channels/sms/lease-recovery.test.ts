import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  expireUnknownOutcomes,
  recordAccepted,
  recoverClaim,
} from "../../../src/channels/sms/submit-results.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import { expireMissingReceipts } from "../../../src/dispatch/timeouts.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import { applyFacts, openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
const HOUR_MS = 3_600_000;

let rig: Tenants;
let accountId: number;
beforeEach(async () => {
  rig = tenants(config);
  accountId = await rig.account({ funds: 100_000 });
});
afterEach(() => rig.close());

/** A batch whose messages were claimed and never answered. */
async function claimed(
  messageClass: MessageClass,
  count: number,
  from = 1,
  body = "Bonjour",
): Promise<number> {
  const numbers = Array.from({ length: count }, (_, index) => String(70_000_000 + from + index));
  const batchId = await rig.send(accountId, messageClass, numbers, { body });
  const claims = rig.messagesOf(batchId).map(({ id }) => ({ kind: "claimed" as const, messageId: id }));
  await rig.store.write((tx) => void applyFacts(tx, claims, rig.clock.nowMs()));
  return batchId;
}

const accepted = (messageId: number, part: number) =>
  rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    recordAccepted(tx, session, {
      messageId,
      parts: [part],
      operator: "orange",
      remoteId: `${messageId}-${part}`,
      receipts: true,
    });
    session.close();
  });

const rescue = () =>
  recoverLeases({ store: rig.store, recoverClaim: recoverClaim(settingsHolder(config)) }, rig.clock.nowMs());

async function overdue(): Promise<void> {
  while (await expireUnknownOutcomes(rig.store, config, rig.clock.nowMs()));
  const timeoutMs = config.delivery.receipt_timeout_hours * HOUR_MS;
  while (await expireMissingReceipts({ store: rig.store, clock: rig.clock, timeoutMs }));
}

describe("after a crash", () => {
  test("OTP and TRANSACTIONAL that were claimed go ahead of the queue again", async () => {
    await claimed("OTP", 1, 1);
    await claimed("TRANSACTIONAL", 1, 2);
    expect(await rescue()).toBe(2);
    for (const number of ["70000001", "70000002"]) {
      expect(rig.message(number)).toMatchObject({ status: "QUEUED", not_before: 0, resends: 1 });
    }
  });

  test("MARKETING that was claimed waits for an answer and is not sent again", async () => {
    await claimed("MARKETING", 1);
    expect(await rescue()).toBe(1);
    expect(rig.message("70000001")).toMatchObject({
      status: "SUBMITTED",
      unanswered_until: rig.clock.nowMs() + 24 * HOUR_MS,
    });
  });

  test("a second crash at once finds nobody new to look after", async () => {
    await claimed("MARKETING", 3);
    await claimed("OTP", 3, 11);
    expect(await rescue()).toBe(6);
    expect(await rescue()).toBe(0);
  });

  test("many more than one transaction holds are all looked after", async () => {
    await claimed("OTP", 600);
    expect(await rescue()).toBe(600);
    expect(rig.count("messages WHERE status = 'QUEUED'")).toBe(600);
  });

  test("an OTP that is not worth sending any more waits instead", async () => {
    await claimed("OTP", 1);
    await rig.clock.advance(10 * 60_000);
    await rescue();
    expect(rig.message("70000001")).toMatchObject({ status: "SUBMITTED", resends: 0 });
  });

  test("what is queued, sent or ended is left alone", async () => {
    await claimed("OTP", 1);
    await accepted(1, 1);
    await rig.send(accountId, "OTP", ["70000009"]);
    expect(await rescue()).toBe(0);
  });
});

describe("an unanswered submit whose wait is over", () => {
  // Keeps: behaviour 6.28
  test("is FAILED as SUBMIT_OUTCOME_UNKNOWN and released, and not a moment sooner", async () => {
    const batchId = await claimed("MARKETING", 2);
    await rescue();
    await rig.clock.advance(24 * HOUR_MS - 1);
    await overdue();
    expect(rig.message("70000001").status).toBe("SUBMITTED");
    expect(rig.wallet(accountId).reserved).toBe(30);
    await rig.clock.advance(1);
    await overdue();
    expect(rig.message("70000001")).toMatchObject({
      status: "FAILED",
      error_code: "SUBMIT_OUTCOME_UNKNOWN",
      amount: 0,
    });
    expect(rig.wallet(accountId)).toMatchObject({ funds: 100_000, reserved: 0 });
    expect(rig.batch(batchId).status).toBe("SETTLED");
  });

  test("pays for the segments that the operator did accept", async () => {
    await claimed("MARKETING", 1, 1, "a".repeat(400));
    await accepted(1, 2);
    await rescue();
    await rig.clock.advance(24 * HOUR_MS);
    await overdue();
    expect(rig.message("70000001")).toMatchObject({ status: "FAILED", amount: 15 });
    expect(rig.wallet(accountId)).toMatchObject({ funds: 100_000 - 15, reserved: 0 });
  });

  test("is spared when the answer came after all", async () => {
    await claimed("MARKETING", 1);
    await rescue();
    await rig.clock.advance(HOUR_MS);
    await accepted(1, 1);
    await rig.clock.advance(48 * HOUR_MS);
    await overdue();
    expect(rig.message("70000001")).toMatchObject({ status: "SENT", is_final: 0 });
  });

  // Keeps: behaviour 6.29
  test("stays FAILED and unpaid when an answer comes even later", async () => {
    await claimed("MARKETING", 1);
    await rescue();
    await rig.clock.advance(24 * HOUR_MS);
    await overdue();
    await accepted(1, 1);
    expect(rig.message("70000001")).toMatchObject({ status: "FAILED", amount: 0 });
    expect(rig.notes(1).at(-1)).toContain("accepted again");
  });

  test("of many batches, more than one transaction holds, all end", async () => {
    await claimed("MARKETING", 600);
    await rescue();
    await rig.clock.advance(24 * HOUR_MS);
    await overdue();
    expect(rig.count("messages WHERE status = 'FAILED'")).toBe(600);
  });
});

describe("a receipt that never comes", () => {
  // Keeps: behaviour 6.14
  test("closes the message as SENT after 72 hours, charged", async () => {
    const batchId = await claimed("OTP", 1);
    await accepted(1, 1);
    await rig.clock.advance(72 * HOUR_MS);
    await overdue();
    expect(rig.message("70000001").is_final).toBe(0);
    await rig.clock.advance(1);
    await overdue();
    expect(rig.message("70000001")).toMatchObject({
      status: "SENT",
      is_final: 1,
      error_code: "RECEIPT_NOT_RECEIVED",
      amount: 15,
    });
    expect(rig.batch(batchId).status).toBe("SETTLED");
  });
});
