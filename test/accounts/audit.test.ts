import { afterEach, beforeEach, expect, test } from "vitest";
import { listAudit, recordAudit } from "../../src/accounts/audit.ts";
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
  expect(listAudit(fixture.store.read, 2)).toEqual([entry(3), entry(2)]);
});
