import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { batchSend } from "../../../src/admin/operations/batch-send.ts";
import { senderApprove, senderRequest } from "../../../src/admin/operations/senders.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  granted(await walletTopUp(fixture.context, account, 1000, "first"));
  await senderRequest(fixture.context, account, "SHOP");
  await senderApprove(fixture.context, account, "SHOP");
});
afterEach(() => fixture.close());

/** The file of a daily job, brought again. */
async function sendTheFile() {
  const body = {
    sender: "SHOP",
    body: "Bonjour",
    message_class: "OTP",
    recipients: [{ msisdn: "05123456" }],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return granted(await batchSend(fixture.context, account, bytes, null));
}

describe("the same file without a key", () => {
  test("is sent once a day of the account, and on each of seven days", async () => {
    const batches = new Set<string>();
    for (let day = 1; day <= 7; day++) {
      const first = await sendTheFile();
      expect(first.is_replayed).toBe(false);
      const again = await sendTheFile();
      expect(again).toMatchObject({ batch_id: first.batch_id, is_replayed: true });
      batches.add(first.batch_id);
      await fixture.clock.advance(DAY_MS);
    }
    expect(batches.size).toBe(7);
  });

  test("is another after midnight in the zone of its account", async () => {
    await fixture.clock.advance(DAY_MS - (fixture.clock.nowMs() % DAY_MS) - 1000);
    const before = await sendTheFile();
    await fixture.clock.advance(2000);
    // What was said to a number within 24 hours is said once, whatever day it is.
    const after = await sendTheFile();
    expect([after.is_replayed, after.batch_id === before.batch_id]).toEqual([false, false]);
  });
});
