import { afterEach, beforeEach, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS, accountCreate } from "../../../src/admin/operations/accounts.ts";
import { type AccountFindFilters, accountFind } from "../../../src/admin/reports/account-find.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

let fixture: AdminFixture;
beforeEach(async () => {
  fixture = adminFixture();
  for (const [name, shortName] of [
    ["Société Générale", "sgbf"],
    ["Zongo Télécom", null],
    ["Boutique Awa", "awa"],
  ] as const) {
    const wanted = { name, shortName, billing: "PREPAID", creditLimit: 0, timezone: null } as const;
    granted(await accountCreate(fixture.context, wanted));
  }
});
afterEach(() => fixture.close());

const find = (filters: Partial<AccountFindFilters>) =>
  accountFind(fixture.context, { search: null, status: null, after: null, limit: 50, ...filters });
const names = async (filters: Partial<AccountFindFilters> = {}) =>
  granted(await find(filters)).accounts.map(({ name }) => name);

test("accounts are found by what one remembers: a part without accents, a short name, an ending of the id", async () => {
  expect(await names()).toEqual(["Boutique Awa", "Société Générale", "Zongo Télécom"]);
  expect(await names({ search: "GENERALE" })).toEqual(["Société Générale"]);
  expect(await names({ search: "sgb" })).toEqual(["Société Générale"]);
  const id = granted(await find({ search: "zongo" })).accounts[0]!.account_id;
  expect(await names({ search: id.slice(-6).toLowerCase() })).toEqual(["Zongo Télécom"]);
  expect(await names({ search: "nobody" })).toEqual([]);
});

test("pages go on behind the account before", async () => {
  const first = granted(await find({ limit: 2 }));
  expect(first.accounts.map(({ name }) => name)).toEqual(["Boutique Awa", "Société Générale"]);
  expect(await names({ limit: 2, after: first.next })).toEqual(["Zongo Télécom"]);
  expect(codeOf(await find({ after: "01K00000000000000000000000" }))).toBe("ACCOUNT_NOT_FOUND");
});

test("accounts are found by state", async () => {
  granted(
    await run(ACCOUNT_OPERATIONS["account suspend"], fixture.context, { account: "awa", reason: "unpaid" }),
  );
  expect(await names({ status: "suspended" })).toEqual(["Boutique Awa"]);
  expect(await names({ status: "ACTIVE" })).toEqual(["Société Générale", "Zongo Télécom"]);
  expect(codeOf(await find({ status: "asleep" }))).toBe("INVALID_STATUS");
});
