import { afterEach, beforeEach, expect, test } from "vitest";
import { auditBefore, recordAudit } from "../../../src/domain/accounts/audit.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = accountsFixture();
});
afterEach(() => fixture.close());

test("entries come back whole, the newest first, as many as asked for", async () => {
  const entry = (atMs: number) => ({
    atMs,
    actor: "awa",
    action: "price set",
    subject: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    detail: { amount: atMs, class: null, scopes: ["A"] },
  });
  for (const atMs of [1, 2, 3]) await fixture.store.write((tx) => recordAudit(tx, entry(atMs)));
  const [newest, second] = auditBefore(fixture.store.read, Number.MAX_SAFE_INTEGER, 2);
  expect([newest, second]).toMatchObject([entry(3), entry(2)]);
  expect(auditBefore(fixture.store.read, second?.id ?? 0, 2)).toMatchObject([entry(1)]);
});
