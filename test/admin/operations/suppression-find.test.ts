import { afterEach, beforeEach, expect, test } from "vitest";
import { suppressionAdd, suppressionFind } from "../../../src/admin/operations/suppressions.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

test("a number is found on every list that it stands on, and on those that concern one account", async () => {
  const { context } = fixture;
  const shop = await fixture.account();
  const bank = await fixture.account();
  const msisdn = "05 11 22 33";
  granted(await suppressionAdd(context, null, { msisdn, messageClass: "MARKETING", note: "asked" }));
  granted(await suppressionAdd(context, shop, { msisdn, messageClass: "OTP", note: null }));
  granted(await suppressionAdd(context, bank, { msisdn, messageClass: "TRANSACTIONAL", note: null }));
  const all = granted(await suppressionFind(context, "+22605112233", null));
  expect(all.lists.map((list) => [list.account, list.message_class, list.source, list.note])).toEqual([
    [null, "MARKETING", "ADMIN", "asked"],
    ["Faso Shop", "OTP", "ADMIN", null],
    ["Faso Shop 2", "TRANSACTIONAL", "ADMIN", null],
  ]);
  const own = granted(await suppressionFind(context, msisdn, shop));
  expect(own.lists.map(({ account_id }) => account_id)).toEqual([null, shop]);
  expect(granted(await suppressionFind(context, "05112234", null)).lists).toEqual([]);
  expect(codeOf(await suppressionFind(context, "hello", null))).toBe("INVALID_MSISDN");
});
