import { afterEach, beforeEach, expect, test } from "vitest";
import { keyCreate } from "../../../src/admin/operations/keys.ts";
import { priceSet } from "../../../src/admin/operations/prices.ts";
import { userCreate } from "../../../src/admin/operations/users.ts";
import {
  AUDIT_ROUTES,
  type AuditPageView,
  withoutReadRequests,
} from "../../../src/console/server/routes/audit.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { recordAudit } from "../../../src/domain/accounts/audit.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inEnglish } from "../english-words.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

const entriesFor = async (account: string | null): Promise<AuditPageView["entries"]> =>
  (await pageFor(account)).entries;

const pageFor = async (account: string | null): Promise<AuditPageView> => {
  const asked = {
    context: fixture.context,
    account,
    user: 1,
    files: createUploads(fixture.clock),
    seesMoney: true,
    may: () => true,
    language: "en" as const,
    translate: inEnglish,
  };
  return granted(
    await AUDIT_ROUTES["GET /audit"].run(asked, { params: undefined, query: {}, body: undefined }),
  );
};

test("an account's people read of the operator that a sender was registered with, and staff of the route", async () => {
  const account = await fixture.account();
  await fixture.context.store.write((tx) =>
    recordAudit(tx, {
      atMs: fixture.clock.nowMs(),
      actor: "awa",
      subject: account,
      action: "sender register",
      detail: { sender: "ACME", operator: "orange/agg" },
    }),
  );
  const operatorFor = async (reader: string | null) => (await entriesFor(reader))[0]?.detail.operator;
  expect(await operatorFor(account)).toBe("orange");
  expect(await operatorFor(null)).toBe("orange/agg");
});

test("an account's people read how each thing was done, and of others' no name: staff here or at the command line, a key, a recipient", async () => {
  const { context, clock } = fixture;
  const account = await fixture.account();
  const price = { operator: "orange", messageClass: null, amount: 11 };
  granted(await priceSet(context, account, price));
  const from = { address: "192.0.2.7", requestId: "r1" };
  granted(await priceSet({ ...context, actor: "owner@example.bf", from }, account, { ...price, amount: 12 }));
  const wanted = { login: "awa@shop.bf", role: "ACCOUNT_ADMIN", account, language: null } as const;
  granted(await userCreate({ ...context, actor: "owner@example.bf", from }, wanted));
  // She has used her link.
  await context.store.write((tx) => tx.run("UPDATE users SET password_hash = 'x'"));
  const asked = { name: "k", scopes: ["MESSAGES_READ"], expiresAtMs: null } as const;
  const { key_id } = granted(
    await keyCreate(
      { ...context, actor: "awa@shop.bf", from: { ...from, address: "198.51.100.4" } },
      account,
      asked,
    ),
  );
  await context.store.write((tx) => {
    const of = { atMs: clock.nowMs(), subject: account, detail: {} };
    recordAudit(tx, { ...of, actor: `key ${key_id}`, action: "webhook create" });
    recordAudit(tx, { ...of, actor: "recipient", action: "suppression add" });
    recordAudit(tx, { ...of, actor: "key ABCDEFGHIJKL", action: "webhook create" });
  });
  const seen = (await entriesFor(account)).map(({ actor, way, action, address }) => [
    action,
    actor,
    way,
    address,
  ]);
  expect(seen).toEqual([
    ["webhook create", null, "KEY", null],
    ["suppression add", null, "RECIPIENT", null],
    ["webhook create", `key ${key_id}`, "KEY", null],
    ["key create", "awa@shop.bf", "CONSOLE", "198.51.100.4"],
    ["user create", null, "CONSOLE", null],
    ["price set", null, "CONSOLE", null],
    ["price set", null, "COMMAND", null],
    ...seen.slice(7),
  ]);
  const staff = await entriesFor(null);
  expect(staff.find(({ action }) => action === "user create")).toMatchObject({
    actor: "owner@example.bf",
    way: "CONSOLE",
    address: "192.0.2.7",
  });
});

test("accounts that entries name by their ids are named, to an account's own people theirs alone", async () => {
  const { context, clock } = fixture;
  const [first, second] = [await fixture.account(), await fixture.account()];
  const wanted = { login: "awa@shop.bf", role: "ACCOUNT_ADMIN", account: second, language: null } as const;
  granted(await userCreate(context, wanted));
  expect((await pageFor(null)).accounts).toEqual({ [first]: "Faso Shop", [second]: "Faso Shop 2" });
  await context.store.write((tx) =>
    recordAudit(tx, {
      atMs: clock.nowMs(),
      actor: "root",
      action: "account set",
      subject: first,
      detail: { account_id: second },
    }),
  );
  expect((await pageFor(first)).accounts).toEqual({ [first]: "Faso Shop" });
});

test("staff read operators by their names, an account's people only what they are told anyway", async () => {
  const account = await fixture.account();
  const { config } = fixture.context;
  const names = Object.entries(config.operators).map(([code, { name }]) => [code, name || code]);
  expect(names.length).toBeGreaterThan(1);
  expect((await pageFor(null)).operators).toEqual(Object.fromEntries(names));
  expect((await pageFor(account)).operators).toEqual({});
});

test("a batch that was sent is one line, and one that was asked for and came to nothing is still there", async () => {
  const line = (actor: string, step: string, request: string) => ({
    action: "batch send",
    actor,
    subject: "01A",
    detail: { step, request_id: request },
  });
  const entries = [
    line("awa", "accepted", "r2"),
    line("awa", "asked", "r3"),
    line("awa", "asked", "r2"),
    { ...line("awa", "asked", "r1"), action: "batch cancel" },
    line("moussa", "asked", "r2"),
  ];
  expect(
    withoutReadRequests(entries).map(({ actor, detail }) => [actor, detail.step, detail.request_id]),
  ).toEqual([
    ["awa", "accepted", "r2"],
    ["awa", "asked", "r3"],
    ["awa", "asked", "r1"],
    ["moussa", "asked", "r2"],
  ]);
});
