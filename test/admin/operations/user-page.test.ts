import { afterEach, beforeEach, expect, test } from "vitest";
import { type UserPageQuery, userPage } from "../../../src/admin/operations/users.ts";
import { createUser } from "../../../src/domain/accounts/users.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  await fixture.account();
  await fixture.context.store.write((tx) => {
    for (let nth = 0; nth < 12; nth++) {
      const accountId = [null, 1, 2][nth % 3] ?? null;
      const role = accountId === null ? "SUPPORT" : "ACCOUNT_READER";
      createUser(tx, { login: `u${nth}@example.bf`, role, accountId, language: null }, 1);
    }
    // Two of the four of the account have come in.
    tx.run("UPDATE users SET password_hash = 'x' WHERE login IN ('u1@example.bf', 'u10@example.bf')");
  });
});
afterEach(() => fixture.close());

const walked = (of: string | null, isOfOwn: boolean, limit: number) => {
  const pages: string[][] = [];
  for (let after: string | null = null; ; ) {
    const asked: UserPageQuery = { account: of, isOfOwn, after, limit };
    const { users, next_after } = granted(userPage(fixture.context, asked));
    pages.push(users.map(({ login }) => login.split("@")[0] ?? ""));
    if (next_after === null) return pages;
    after = next_after;
  }
};

test("users come page by page, each once, those who joined first before others, and the last page says so", () => {
  expect(walked(account, false, 3)).toEqual([["u1", "u4", "u7"], ["u10"]]);
  expect(walked(account, false, 4)).toEqual([["u1", "u4", "u7", "u10"]]);
  expect(walked(null, false, 2)).toEqual([
    ["u0", "u3"],
    ["u6", "u9"],
  ]);
});

test("an account's own people see those who have come in, and no page tells that there are others", () => {
  expect(walked(account, true, 1)).toEqual([["u1"], ["u10"]]);
});

test("of an account that is not there, or of more than a page holds, nothing is listed", () => {
  const ask = { isOfOwn: false, after: null };
  expect(codeOf(userPage(fixture.context, { ...ask, account: "nobody", limit: 5 }))).toBe(
    "ACCOUNT_NOT_FOUND",
  );
  expect(codeOf(userPage(fixture.context, { ...ask, account, limit: 201 }))).toBe("INVALID_NUMBER");
});
