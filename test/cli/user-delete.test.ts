/** `user delete`, as it is typed. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(async () => {
  fixture = cliFixture();
  await fixture.json("user", "create", "awa@example.bf", "--role", "OWNER");
  await fixture.json("user", "create", "salif@example.bf", "--role", "SUPPORT");
});
afterEach(() => fixture.close());

const logins = async () => {
  const { data } = await fixture.json("user", "list");
  const users = (data?.users ?? []) as readonly { readonly login: string }[];
  return users.map(({ login }) => login);
};

describe("user delete", () => {
  test("takes a user away, however the login is written, says who did it, and leaves the login free", async () => {
    expect(await fixture.run("user", "delete", "Salif@Example.bf")).toMatchObject({ code: 0, err: "" });
    expect(await logins()).toEqual(["awa@example.bf"]);
    const { data } = await fixture.json("audit", "list", "--action", "user delete");
    expect(data?.entries).toMatchObject([
      { actor: "awa", action: "user delete", subject: "salif@example.bf", detail: { role: "SUPPORT" } },
    ]);
    const again = await fixture.json("user", "create", "salif@example.bf", "--role", "FINANCE");
    expect(again.error).toBeUndefined();
    expect((await logins()).toSorted()).toEqual(["awa@example.bf", "salif@example.bf"]);
  });

  test.each([
    ["the last owner", "awa@example.bf", "LAST_OWNER"],
    ["nobody", "nobody@example.bf", "USER_NOT_FOUND"],
  ])("refuses %s, and nothing changes", async (_, login, code) => {
    expect((await fixture.json("user", "delete", login)).error?.code).toBe(code);
    expect(await fixture.run("user", "delete", login)).toMatchObject({ code: 1, out: "" });
    expect((await logins()).toSorted()).toEqual(["awa@example.bf", "salif@example.bf"]);
    expect((await fixture.json("audit", "list", "--action", "user delete")).data?.entries).toEqual([]);
  });
});
