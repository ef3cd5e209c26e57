import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { validator } from "../../src/domain/submission/staging.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  submission,
  submitTo,
  type Tenant,
} from "../ingress/api/fixture.ts";

const MINUTE_MS = 60_000;

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
});
beforeEach(async () => {
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

/** Does what the job for large batches does when its turn comes. */
const validate = () => validator(fixture.intake).next();

let keys = 0;
/** Submits 10,001 recipients, of which `invalid` can't be parsed; the id of the batch. */
async function submitLarge(invalid = 0, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  keys += 1;
  const recipients = Array.from({ length: 10_001 }, (_, index) => ({
    msisdn: index < invalid ? "x" : String(70_000_000 + index),
  }));
  const body = submission({ body: `Large ${keys}`, recipients, ...changes });
  const response = await submitTo(fixture, tenant, `large-${keys}`, body);
  const { data } = (await response.json()) as { data: { batch_id: string; status: string } };
  expect([response.status, data.status]).toEqual([202, "VALIDATING"]);
  return data.batch_id;
}

async function data(path: string): Promise<Record<string, unknown>> {
  return ((await (await getFrom(fixture, tenant, path)).json()) as { data: Record<string, unknown> }).data;
}

describe("a batch of more than 10000 recipients", () => {
  // Keeps: public-api 2.2.11, 3.1.1, 1.8
  test("is VALIDATING with nothing computed, then shows its real figures when it is fetched", async () => {
    const id = await submitLarge(3);
    const nothing = { status: "VALIDATING", accepted: 0, rejected: 0, rejections: [], reserved_amount: 0 };
    expect(await data(`/batches/${id}`)).toMatchObject(nothing);
    expect(await data("/account/balance")).toMatchObject({ reserved: 0 });
    await validate();
    const batch = await data(`/batches/${id}`);
    expect(batch).toMatchObject({
      status: "QUEUED",
      accepted: 9998,
      rejected: 3,
      rejections: [0, 1, 2].map((index) => ({ index, msisdn: null, reason_code: "INVALID_MSISDN" })),
      reserved_amount: 9998 * 15,
      total_segments: 9998,
    });
    expect(batch.counts).toMatchObject({ total: 9998, queued: 9998 });
    expect(await data("/account/balance")).toMatchObject({ reserved: 9998 * 15 });
  });

  // Keeps: public-api 3.1.3
  test("is SCHEDULED when it has a time", async () => {
    const scheduled_at = new Date(fixture.clock.nowMs() + 3_600_000).toISOString();
    const id = await submitLarge(0, { scheduled_at });
    await validate();
    expect(await data(`/batches/${id}`)).toMatchObject({ status: "SCHEDULED", accepted: 10_001 });
  });

  // Keeps: public-api 3.1.8, 3.1.13, 2.2.14
  test("is REJECTED when every recipient is filtered, and nothing was reserved", async () => {
    const id = await submitLarge(10_001);
    await validate();
    const batch = await data(`/batches/${id}`);
    expect(batch).toMatchObject({ status: "REJECTED", accepted: 0, rejected: 10_001 });
    expect((batch.rejections as { index: number }[]).map(({ index }) => index)).toEqual([
      ...Array(10_001).keys(),
    ]);
    expect(await data("/account/balance")).toMatchObject({ balance: 1_000_000, reserved: 0 });
  });

  // Keeps: public-api 3.1.9
  test("is FAILED when it can't be paid, with the cause, and stays so", async () => {
    await fixture.store.write((tx) =>
      tx.run("UPDATE wallets SET funds = 100 WHERE account_id = ?", tenant.accountId),
    );
    const id = await submitLarge();
    await validate();
    const failed = {
      status: "FAILED",
      accepted: 0,
      reserved_amount: 0,
      failure: { code: "INSUFFICIENT_FUNDS" },
    };
    expect(await data(`/batches/${id}`)).toMatchObject(failed);
    await fixture.store.write((tx) =>
      tx.run("UPDATE wallets SET funds = 1000000 WHERE account_id = ?", tenant.accountId),
    );
    expect(await validate()).toBe(false);
    expect(await data(`/batches/${id}`)).toMatchObject(failed);
  });

  // Keeps: behaviour 3.50
  test("that FAILED replays its 202 under the same key, and is accepted under a new one after a top-up", async () => {
    const fund = (funds: number) =>
      fixture.store.write((tx) =>
        tx.run("UPDATE wallets SET funds = ? WHERE account_id = ?", funds, tenant.accountId),
      );
    await fund(100);
    const recipients = Array.from({ length: 10_001 }, (_, index) => ({ msisdn: String(70_000_000 + index) }));
    const body = submission({ body: "Paid later", recipients });
    const first = await submitTo(fixture, tenant, "old-key", body);
    const answered = await first.text();
    await validate();
    const { batch_id } = (JSON.parse(answered) as { data: { batch_id: string } }).data;
    expect((await data(`/batches/${batch_id}`)).failure).toEqual({
      code: "INSUFFICIENT_FUNDS",
      detail: expect.stringMatching(
        /^the batch costs .+; after a top-up, submit it again with a new Idempotency-Key$/,
      ),
    });
    await fund(1_000_000);
    const replay = await submitTo(fixture, tenant, "old-key", body);
    expect([replay.status, replay.headers.get("idempotency-replayed"), await replay.text()]).toEqual([
      202,
      "true",
      answered,
    ]);
    const again = await submitTo(fixture, tenant, "new-key", body);
    await validate();
    const { data: accepted } = (await again.json()) as { data: { batch_id: string } };
    expect(await data(`/batches/${accepted.batch_id}`)).toMatchObject({ status: "QUEUED", accepted: 10_001 });
  });

  // Keeps: public-api 3.1.11, 8.3
  test("is FAILED once it was left for 30 minutes, and validated until then", async () => {
    const inTime = await submitLarge();
    await fixture.clock.advance(30 * MINUTE_MS);
    await validate();
    expect(await data(`/batches/${inTime}`)).toMatchObject({ status: "QUEUED" });
    const late = await submitLarge();
    await fixture.clock.advance(30 * MINUTE_MS + 1);
    await validate();
    expect(await data(`/batches/${late}`)).toMatchObject({ status: "FAILED", accepted: 0 });
    expect(await data("/account/balance")).toMatchObject({ reserved: 10_001 * 15 });
  });
});
