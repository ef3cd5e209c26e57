import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS } from "../../../src/admin/operations/accounts.ts";
import { BATCH_CANCEL_OPERATIONS } from "../../../src/admin/operations/batches.ts";
import { keyCreate } from "../../../src/admin/operations/keys.ts";
import { senderRequest } from "../../../src/admin/operations/senders.ts";
import { AUDIT_OPERATIONS, type AuditQuery } from "../../../src/admin/reports/audit.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

const ALL: AuditQuery = { actor: null, action: null, account: null, from: null, to: null, limit: 100 };
const listed = async (query: Partial<AuditQuery>) =>
  granted(await run(AUDIT_OPERATIONS["audit list"], fixture.context, { ...ALL, ...query })).entries.map(
    ({ actor, action }) => `${actor}: ${action}`,
  );

describe("the audit list", () => {
  test("tells by person, by command or the word it begins with, by account, and by time", async () => {
    const { context, clock } = fixture;
    const [one, two] = [await fixture.account(), await fixture.account()];
    await clock.advance(3_600_000);
    const between = new Date(clock.nowMs()).toISOString();
    const ibou = { ...context, actor: "ibou" };
    granted(await keyCreate(ibou, one, { name: "k", scopes: ["MESSAGES_SEND"], expiresAtMs: null }));
    granted(await senderRequest(ibou, two, "SHOP"));
    granted(await run(ACCOUNT_OPERATIONS["account rename"], context, { account: two, name: "Sahel" }));
    granted(await run(ACCOUNT_OPERATIONS["account suspend"], context, { account: one, reason: "unpaid" }));
    const batch = await plantBatch(fixture, { account: one, status: "QUEUED", messages: ["QUEUED"] });
    granted(await run(BATCH_CANCEL_OPERATIONS["batch cancel"], context, { batch, reason: "wrong" }));
    expect(await listed({ actor: "ibou" })).toEqual(["ibou: sender request", "ibou: key create"]);
    expect(await listed({ action: "account rename" })).toEqual(["awa: account rename"]);
    expect((await listed({ action: "account" })).length).toBe(4);
    expect(await listed({ account: one })).toEqual([
      ...["awa: batch cancel", "awa: account suspend", "ibou: key create", "awa: account create"],
    ]);
    expect((await listed({ to: between })).length).toBe(2);
    expect((await listed({ from: between })).length).toBe(5);
    expect((await listed({ from: "30m", action: "key" })).length).toBe(1);
    expect(await listed({ limit: 1 })).toEqual(["awa: batch cancel"]);
    expect(codeOf(await run(AUDIT_OPERATIONS["audit list"], context, { ...ALL, from: "soon" }))).toBe(
      "INVALID_TIME",
    );
    expect(codeOf(await run(AUDIT_OPERATIONS["audit list"], context, { ...ALL, limit: 0 }))).toBe(
      "INVALID_NUMBER",
    );
  });

  test("finds what is behind more entries than are read in one go", async () => {
    const { context } = fixture;
    const account = await fixture.account();
    await context.store.write((tx) => {
      for (let n = 0; n < 1200; n++)
        tx.run(
          "INSERT INTO audit_entries (at, actor, action, subject, detail) VALUES (?, 'cron', 'price set', 'x', '{}')",
          fixture.clock.nowMs(),
        );
    });
    expect(await listed({ account })).toEqual(["awa: account create"]);
  });
});
