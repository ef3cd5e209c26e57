import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quoteResend, resendBatch } from "../../../src/admin/operations/batch-send.ts";
import {
  SENDER_OPERATIONS,
  senderApprove,
  senderRegister,
  senderRequest,
} from "../../../src/admin/operations/senders.ts";
import { suppressionAdd } from "../../../src/admin/operations/suppressions.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { createOfflineSubmissions } from "../../../src/app/submissions.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

const OPTED_OUT = { msisdn: "+22605000001", messageClass: "MARKETING", note: null } as const;

/** Asked after the batch was planted: ids of messages go on behind those that there are. */
const again = () => {
  const { store, config, clock, newId } = fixture.context;
  const { spaceOf } = fixture.context.machine;
  return {
    ...fixture.context,
    submissions: createOfflineSubmissions({ store, config, clock, newId, spaceOf }),
  };
};

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  const { context } = fixture;
  granted(await walletTopUp(context, account, 1000, "first"));
  await senderRequest(context, account, "SHOP");
  await senderApprove(context, account, "SHOP");
  await senderRegister(context, account, "SHOP", "orange");
});
afterEach(() => fixture.close());

/** A batch that has ended, each of its messages with an error or delivered; the third has a text of its own. */
async function ended(...errors: readonly (string | null)[]): Promise<string> {
  const messages = errors.map(() => "SENT" as const);
  const batch = await plantBatch(fixture, { account, status: "SENDING", messages });
  await fixture.context.store.write((tx) => {
    tx.run(
      `UPDATE batches SET status = 'SETTLED', unfinished = 0, unclosed = 0, ended_at = created_at, client_reference = 'march'
       WHERE ulid = ?`,
      batch,
    );
    for (const [position, error] of errors.entries()) {
      tx.run(
        `UPDATE messages SET status = ?, is_final = 1, error_code = ?, text = ? WHERE position = ? AND batch_id =
           (SELECT id FROM batches WHERE ulid = ?)`,
        ...[
          error === null ? "DELIVERED" : "FAILED",
          error,
          position === 2 ? "Bonjour {Awa}" : null,
          position,
          batch,
        ],
      );
    }
  });
  return batch;
}

const sent = () =>
  fixture.context.store.read.all<{ msisdn: string; text: string; reference: string }>(
    `SELECT m.msisdn, m.text, b.client_reference AS reference FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE b.sender = 'SHOP' AND m.status = 'QUEUED' ORDER BY m.id`,
  );

describe("sending again", () => {
  test("is to those alone whose reason passes, each with the text of then, under the name of then", async () => {
    const batch = await ended(
      "ABSENT_SUBSCRIBER",
      "UNKNOWN_SUBSCRIBER",
      "NETWORK_ERROR",
      null,
      "SUBMIT_OUTCOME_UNKNOWN",
    );
    const told = granted(await quoteResend(again(), batch));
    expect(told).toMatchObject({ failed: 2, quote: { accepted: 2, amount: 30, is_payable: true } });
    expect(sent()).toEqual([]);
    const made = granted(await resendBatch(again(), batch));
    expect(made.is_replayed).toBe(false);
    expect(sent()).toEqual([
      { msisdn: "+22605000000", text: "Bonjour", reference: "march" },
      { msisdn: "+22605000002", text: "Bonjour {Awa}", reference: "march" },
    ]);
  });

  test("is to those whose operator did not know the sender, once it does", async () => {
    const batch = await ended("SENDER_NOT_REGISTERED", "ABSENT_SUBSCRIBER");
    const failed = async () => granted(await quoteResend(again(), batch)).failed;
    const registered = { account, name: "SHOP", operator: "orange" } as const;
    await run(SENDER_OPERATIONS["sender unregister"], fixture.context, {
      account: registered.account,
      sender: registered.name,
      operator: registered.operator,
    });
    expect(await failed()).toBe(1);
    await senderRegister(fixture.context, registered.account, registered.name, registered.operator);
    expect(await failed()).toBe(2);
  });

  test("leaves out who opted out since, and says so before", async () => {
    const batch = await ended("ABSENT_SUBSCRIBER", "HANDSET_ERROR");
    granted(await suppressionAdd(fixture.context, account, OPTED_OUT));
    const { quote } = granted(await quoteResend(again(), batch));
    expect(quote).toMatchObject({ accepted: 1, rejections_by_reason: { SUPPRESSED: 1 } });
    granted(await resendBatch(again(), batch));
    expect(sent().map(({ msisdn }) => msisdn)).toEqual(["+22605000000"]);
  });

  test("is once, however often it is pressed", async () => {
    const batch = await ended("ABSENT_SUBSCRIBER");
    const context = again();
    const [first, second] = await Promise.all([resendBatch(context, batch), resendBatch(context, batch)]);
    const third = granted(await resendBatch(context, batch));
    expect(third.is_replayed).toBe(true);
    expect([first, second].some((one) => one.ok && one.value.batch_id === third.batch_id)).toBe(true);
    expect(sent().length).toBe(1);
  });

  test("is not of a batch that goes on, nor of one that failed nobody for now", async () => {
    const open = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
    expect(granted(await quoteResend(fixture.context, open))).toEqual({
      failed: 0,
      reached: 0,
      quote: null,
    });
    const batch = await ended("UNKNOWN_SUBSCRIBER", null);
    expect(granted(await quoteResend(again(), batch))).toEqual({ failed: 0, reached: 0, quote: null });
    const refused = await resendBatch(again(), batch);
    expect(refused.ok ? null : refused.refusal.code).toBe("NOTHING_TO_CHANGE");
    const nobodys = await resendBatch(fixture.context, "01K00000000000000000000000");
    expect(nobodys.ok ? null : nobodys.refusal.code).toBe("BATCH_NOT_FOUND");
  });
});
