import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  BATCH_CANCEL_OPERATIONS,
  BATCH_OPERATIONS,
  batchList,
  batchShow,
} from "../../../src/admin/operations/batches.ts";
import type { ValueOf } from "../../../src/admin/operations/operation.ts";
import { refuse } from "../../../src/admin/operations/refusal.ts";
import { WALLET_OPERATIONS } from "../../../src/admin/operations/wallets.ts";
import { LEDGER_CHECK_OPERATIONS } from "../../../src/admin/reports/ledger-check.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

type BatchPage = ValueOf<(typeof BATCH_OPERATIONS)["batch list"]>;

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const NOWHERE = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const plant = (status: string, messages: readonly ("QUEUED" | "SUBMITTED" | "SENT")[] = []) =>
  plantBatch(fixture, { account, status, messages });
const cancel = (batch: string) =>
  run(BATCH_CANCEL_OPERATIONS["batch cancel"], fixture.context, { batch, reason: " wrong text " });

describe("looking at batches", () => {
  test("an account's batches come newest first, page by page, and nobody else's", async () => {
    const other = await fixture.account();
    const mine: string[] = [];
    for (const status of ["SETTLED", "QUEUED", "SCHEDULED", "REJECTED", "VALIDATING"]) {
      mine.unshift(await plant(status));
      await plantBatch(fixture, { account: other, status });
    }
    await plant("STAGING");
    const seen: string[][] = [];
    for (let before: string | null = null; ; ) {
      const page: BatchPage = granted(await batchList(fixture.context, account, before, 2));
      seen.push(page.batches.map(({ batch_id }) => batch_id));
      before = page.next_before;
      if (before === null) break;
    }
    expect(seen).toEqual([mine.slice(0, 2), mine.slice(2, 4), mine.slice(4)]);
    expect(granted(await batchList(fixture.context, account, null, 5)).next_before).toBeNull();
  });

  test("a batch shows its figures, its money and its rejections by reason, however many there are", async () => {
    const rejections = Array.from({ length: 5200 }, (_, index) =>
      index < 5100 ? "SUPPRESSED" : "QUIET_HOURS",
    );
    const batch = await plantBatch(fixture, {
      account,
      status: "SENDING",
      messages: ["QUEUED", "SENT"],
      rejections,
    });
    expect(granted(await batchShow(fixture.context, batch.toLowerCase()))).toMatchObject({
      account_id: account,
      batch_id: batch,
      status: "SENDING",
      sender: "SHOP",
      accepted: 2,
      rejected: 5200,
      counts: { total: 2, queued: 2, sent: 1, delivered: 0 },
      reserved_amount: 30,
      charged_amount: 15,
      released_amount: 0,
      failure: null,
      ended_at: null,
      cancellation: null,
      rejections_by_reason: { SUPPRESSED: 5100, QUIET_HOURS: 100 },
    });
  });

  test("what is not there, or not answered for yet, is not found", async () => {
    const staged = await plant("STAGING");
    for (const batch of [NOWHERE, staged, "x"]) {
      expect(codeOf(await batchShow(fixture.context, batch))).toBe("BATCH_NOT_FOUND");
      expect(codeOf(await cancel(batch))).toBe("BATCH_NOT_FOUND");
    }
    const other = await fixture.account();
    const foreign = await plantBatch(fixture, { account: other, status: "QUEUED" });
    expect(codeOf(await batchList(fixture.context, account, foreign, 5))).toBe("BATCH_NOT_FOUND");
    expect(codeOf(await batchList(fixture.context, "nobody", null, 5))).toBe("ACCOUNT_NOT_FOUND");
    expect(codeOf(await run(BATCH_OPERATIONS["batch list"], fixture.context, { account, limit: 1001 }))).toBe(
      "INVALID_NUMBER",
    );
  });
});

describe("calling a batch off", () => {
  // Keeps: behaviour 7.13
  test.each(["SCHEDULED", "QUEUED"])(
    "what waits of a %s batch is cancelled and paid back",
    async (status) => {
      const messages = Array.from({ length: 600 }, () => "QUEUED" as const);
      const batch = await plant(status, messages);
      expect(
        granted(await run(WALLET_OPERATIONS["wallet show"], fixture.context, { account })),
      ).toMatchObject({ reserved: 9000, spendable: 0 });
      expect(granted(await cancel(batch))).toMatchObject({
        status: "CANCELLED",
        counts: { total: 600, cancelled: 600 },
        charged_amount: 0,
        released_amount: 9000,
        ended_at: "2026-03-02T09:00:00.000Z",
        cancellation: { code: "CANCELLED", reason: "wrong text" },
      });
      expect(
        granted(await run(WALLET_OPERATIONS["wallet show"], fixture.context, { account })),
      ).toMatchObject({ reserved: 0, spendable: 9000 });
      expect(granted(await run(LEDGER_CHECK_OPERATIONS["ledger check"], fixture.context, {}))).toMatchObject({
        accounts: 1,
        batches: 1,
      });
      expect(fixture.audited().slice(1)).toEqual(["awa: batch cancel"]);
      expect(fixture.told()).toEqual(["batch"]);
    },
  );

  // Keeps: behaviour 7.14
  test("what has left is waited for: the batch ends when its money is squared", async () => {
    const batch = await plant("SENDING", ["QUEUED", "SUBMITTED", "SENT"]);
    expect(granted(await cancel(batch))).toMatchObject({
      status: "SENDING",
      counts: { cancelled: 1 },
      charged_amount: 15,
      released_amount: 15,
      cancellation: { code: "CANCELLED" },
    });
  });

  test("calling it off again is no error and keeps the first reason", async () => {
    const batch = await plant("QUEUED", ["QUEUED"]);
    const first = granted(await cancel(batch));
    expect(
      granted(
        await run(BATCH_CANCEL_OPERATIONS["batch cancel"], fixture.context, { batch, reason: "again" }),
      ),
    ).toEqual(first);
    expect(fixture.audited().filter((line) => line === "awa: batch cancel")).toHaveLength(1);
  });

  test.each(["SETTLED", "REJECTED", "FAILED"])("a batch that is %s has nothing to cancel", async (status) => {
    const batch = await plant(status);
    expect(await cancel(batch)).toEqual(refuse("BATCH_NOT_CANCELLABLE", { status }));
    expect(fixture.audited().slice(1)).toEqual([]);
  });

  test("a reason is needed", async () => {
    const batch = await plant("QUEUED", ["QUEUED"]);
    expect(
      codeOf(await run(BATCH_CANCEL_OPERATIONS["batch cancel"], fixture.context, { batch, reason: " " })),
    ).toBe("INVALID_REASON");
    expect(granted(await batchShow(fixture.context, batch)).status).toBe("QUEUED");
  });
});
