import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { dueStarter } from "../../../src/domain/messages/scheduled-batches.ts";
import { validator } from "../../../src/domain/submission/staging.ts";
import * as facts from "../../kit/facts.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "./fixture.ts";

type Json = Readonly<Record<string, unknown>>;

let fixture: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterEach(() => fixture.close());

const dataOf = async (response: Response): Promise<Json> => ((await response.json()) as { data: Json }).data;
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: String(70_000_000 + index) }));
const send = async (changes: Json = {}): Promise<string> =>
  String((await dataOf(await submitTo(fixture, tenant, fixture.newId(), submission(changes)))).batch_id);

const cancelling = (id: string, body?: unknown, by = tenant) =>
  fetch(`${fixture.http.url}/public/v1/batches/${id}/cancel`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${by.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
const cancel = async (id: string, body?: unknown): Promise<Json> => {
  const response = await cancelling(id, body);
  expect(response.status).toBe(202);
  return dataOf(response);
};
const fetched = async (id: string): Promise<Json> => dataOf(await getFrom(fixture, tenant, `/batches/${id}`));
const reserved = async (): Promise<unknown> =>
  (await dataOf(await getFrom(fixture, tenant, "/account/balance"))).reserved;
const audited = () =>
  fixture.store.read
    .all<{ actor: string; action: string; subject: string; detail: string }>(
      "SELECT actor, action, subject, detail FROM audit_entries",
    )
    .map(({ detail, ...entry }) => ({ ...entry, reason: JSON.parse(detail).reason }));
const idOf = (ulid: string) =>
  fixture.store.read.get<{ id: number; first: number }>(
    "SELECT id, first_message_id AS first FROM batches WHERE ulid = ?",
    ulid,
  )!;
const apply = (...happened: Parameters<typeof applyFacts>[1][number][]) =>
  fixture.store.write((tx) => applyFacts(tx, happened, fixture.clock.nowMs()));

describe("POST /batches/{batch_id}/cancel", () => {
  // Keeps: behaviour 7.18
  test.each([
    ["QUEUED", {}],
    ["SCHEDULED", { scheduled_at: "2026-03-03T09:00:00Z" }],
  ])("cancels what waits of a %s batch and gives its money back to the franc", async (status, changes) => {
    const id = await send({ recipients: numbers(200), ...changes });
    expect([(await fetched(id)).status, await reserved()]).toEqual([status, 3000]);
    await fixture.clock.advance(2000);
    const cancelled = await cancel(id);
    expect(cancelled).toMatchObject({
      batch_id: id,
      status: "CANCELLED",
      cancel_requested_at: "2026-03-02T09:00:02.000Z",
      counts: { total: 200, cancelled: 200 },
      charged_amount: 0,
      released_amount: 3000,
      rejections: [],
    });
    expect(await fetched(id)).toEqual(cancelled);
    expect(await reserved()).toBe(0);
  });

  // Keeps: behaviour 7.19
  test("lets go on what is under way: the batch is CANCELLED once that is squared", async () => {
    const id = await send({ recipients: numbers(3) });
    const { first } = idOf(id);
    await apply(facts.claimed(first));
    expect(await cancel(id)).toMatchObject({
      status: "SENDING",
      counts: { submitted: 1, cancelled: 2 },
      released_amount: 30,
    });
    expect(await reserved()).toBe(15);
    await apply(facts.partAccepted(first), facts.delivered(first));
    expect(await fetched(id)).toMatchObject({
      status: "CANCELLED",
      counts: { delivered: 1, cancelled: 2 },
      charged_amount: 15,
      released_amount: 30,
    });
    expect(await reserved()).toBe(0);
  });

  // Keeps: behaviour 7.20
  test("is 202 again and moves nothing, and only the first is recorded, with its reason", async () => {
    const id = await send();
    const first = await cancel(id, { reason: "mauvaise liste" });
    await fixture.clock.advance(60_000);
    expect(await cancel(id, { reason: "autre" })).toEqual(first);
    expect(await cancel(id)).toEqual(first);
    expect(audited()).toEqual([
      { actor: `key ${tenant.keyId}`, action: "batch cancel", subject: id, reason: "mauvaise liste" },
    ]);
  });

  // Keeps: behaviour 7.20
  test("is 202 also for a batch that was cancelled because it was too late for its schedule", async () => {
    const id = await send({ scheduled_at: "2026-03-02T10:00:00Z" });
    await fixture.clock.advance(2 * 3_600_000);
    const now = { wallMs: fixture.clock.nowMs(), steadyMs: fixture.clock.steadyMs() };
    await fixture.store.write((tx) => dueStarter().step(tx, now, () => false));
    expect(await cancel(id)).toMatchObject({ status: "CANCELLED", cancel_requested_at: null });
    expect(audited()).toEqual([]);
  });

  // Keeps: behaviour 7.21
  test("of a batch that has ended is 409 BATCH_ENDED, naming its state", async () => {
    const rejected = await send({ recipients: [{ msisdn: "12" }] });
    const settled = await send();
    const { first } = idOf(settled);
    await apply(facts.claimed(first), facts.partAccepted(first), facts.delivered(first));
    const failed = await send({ recipients: numbers(10_001) });
    await fixture.store.write((tx) => tx.run("UPDATE wallets SET funds = 15"));
    await validator(fixture.intake).next();
    for (const [id, status] of [
      [rejected, "REJECTED"],
      [settled, "SETTLED"],
      [failed, "FAILED"],
    ] as const) {
      const before = await fetched(id);
      expect(before.status).toBe(status);
      const problem = await problemOf(await cancelling(id));
      expect(problem).toMatchObject({ status: 409, code: "BATCH_ENDED", is_retryable: false });
      expect(problem.detail).toContain(status);
      expect(await fetched(id)).toEqual(before);
    }
    expect(audited()).toEqual([]);
  });

  // Keeps: behaviour 7.22
  test("ends a batch that is still VALIDATING, of which nothing is ever priced", async () => {
    const id = await send({ recipients: numbers(10_001) });
    expect(await cancel(id)).toMatchObject({
      status: "VALIDATING",
      cancel_requested_at: "2026-03-02T09:00:00.000Z",
    });
    await validator(fixture.intake).next();
    expect(await fetched(id)).toMatchObject({
      status: "CANCELLED",
      accepted: 0,
      reserved_amount: 0,
      counts: { total: 0 },
    });
    expect(fixture.store.read.all("SELECT * FROM messages")).toEqual([]);
    expect(await cancel(id)).toMatchObject({ status: "CANCELLED" });
  });

  // Keeps: behaviour 7.24
  test("gives no ceiling back", async () => {
    await fixture.store.write((tx) => tx.run("UPDATE accounts SET recipients_per_day = 3"));
    const id = await send({ recipients: numbers(3) });
    await cancel(id);
    const next = await fetched(await send({ body: "Autre", recipients: numbers(1) }));
    expect(next.rejections).toMatchObject([{ reason_code: "RATE_LIMIT_PER_DAY" }]);
  });

  // Keeps: behaviour 7.23
  test.each([
    ["no body", undefined, undefined],
    ["an empty object", {}, undefined],
    ["no reason", { reason: null }, undefined],
    ["a blank one", { reason: "  " }, undefined],
    ["255 characters", { reason: "œ".repeat(255) }, "œ".repeat(255)],
  ])("takes %s", async (_what, body, reason) => {
    const id = await send();
    expect(await cancel(id, body)).toMatchObject({ status: "CANCELLED" });
    expect(audited().map((entry) => entry.reason)).toEqual([reason]);
  });

  // Keeps: behaviour 7.23
  test.each([
    ["256 characters", { reason: "a".repeat(256) }, "/reason"],
    ["a number", { reason: 7 }, "/reason"],
    ["U+0000", { reason: "a\0" }, "/reason"],
    ["another field", { reasons: "a" }, "/reasons"],
  ])("refuses %s, and cancels nothing", async (_what, body, path) => {
    const id = await send();
    const response = await cancelling(id, body);
    expect(await problemOf(response)).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ path }] });
    expect(await fetched(id)).toMatchObject({ status: "QUEUED", cancel_requested_at: null });
  });

  test.each([["[]"], ['"x"'], ["{"]])("refuses the body %s", async (body) => {
    expect(await verdict(await cancelling(await send(), body))).toBe("422 VALIDATION_FAILED");
  });

  test("is 404 for another account's batch, a missing one and no id alike, and needs MESSAGES_SEND", async () => {
    const other = await fixture.tenant();
    const id = await send();
    for (const [asked, by] of [
      [id, other],
      ["01KJQX5Y8M3T7V9B2C4D6F8G0H", tenant],
      ["nonsense", tenant],
    ] as const) {
      expect(await verdict(await cancelling(asked, undefined, by))).toBe("404 NOT_FOUND");
    }
    const reader = await fixture.key(tenant.accountId, ["MESSAGES_READ"]);
    expect(await verdict(await cancelling(id, undefined, reader))).toBe("403 INSUFFICIENT_SCOPE");
    expect(await fetched(id)).toMatchObject({ status: "QUEUED" });
  });
});
