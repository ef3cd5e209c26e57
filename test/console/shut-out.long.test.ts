/** Who is kept out, and who must not be: users of accounts that ended, and the last owner. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS } from "../../src/admin/operations/accounts.ts";
import { batchSend } from "../../src/admin/operations/batch-send.ts";
import { USER_OPERATIONS, userCreate } from "../../src/admin/operations/users.ts";
import { codeOf, granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { type ConsoleFixture, consoleFixture, PASSWORD } from "./fixture.ts";

let console_: ConsoleFixture;
beforeEach(async () => {
  console_ = await consoleFixture();
});
afterEach(() => console_.close());

describe("users of an account", () => {
  test("that is closed are out: sessions, links and sign-in end, as for nobody at all", async () => {
    const { admin, context, browser } = console_;
    const account = await admin.account();
    const fanta = await console_.person("fanta@example.bf", "ACCOUNT_ADMIN", account);
    const inside = await console_.signedIn(fanta);
    const half = browser();
    await half.post("/sign-in", { login: fanta.login, password: PASSWORD });
    const secret =
      granted(await run(USER_OPERATIONS["user link"], context, { login: fanta.login })).link.split("#")[1] ??
      "";
    granted(await run(ACCOUNT_OPERATIONS["account close"], context, { account, force: false }));
    expect((await inside.get("/api/me")).status).toBe(401);
    expect((await half.post("/second-factor", { code: await console_.nextCode(fanta) })).status).toBe(401);
    expect((await browser().post("/link/look", { secret })).json.code).toBe("LINK_INVALID");
    const again = await browser().post("/sign-in", { login: fanta.login, password: PASSWORD });
    const nobody = await browser().post("/sign-in", { login: "nobody@example.bf", password: PASSWORD });
    expect([again.status, { ...again.json, request_id: "" }]).toEqual([
      nobody.status,
      { ...nobody.json, request_id: "" },
    ]);
    const { read } = context.store;
    expect(read.all("SELECT 1 FROM user_sessions UNION ALL SELECT 1 FROM user_links")).toEqual([]);
    const late = { login: "late@example.bf", role: "ACCOUNT_READER", account, language: null };
    expect(codeOf(await userCreate(context, late))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await run(USER_OPERATIONS["user link"], context, { login: fanta.login }))).toBe(
      "ACCOUNT_CLOSED",
    );
    expect(codeOf(await run(USER_OPERATIONS["user reset"], context, { login: fanta.login }))).toBe(
      "ACCOUNT_CLOSED",
    );
    granted(await run(USER_OPERATIONS["user disable"], context, { login: fanta.login }));
    expect(codeOf(await run(USER_OPERATIONS["user enable"], context, { login: fanta.login }))).toBe(
      "ACCOUNT_CLOSED",
    );
  });

  test("that is suspended may look and come in, and nothing is sent for them", async () => {
    const { admin, context } = console_;
    const account = await admin.account();
    const fanta = await console_.person("fanta@example.bf", "ACCOUNT_SENDER", account);
    const inside = await console_.signedIn(fanta);
    granted(await run(ACCOUNT_OPERATIONS["account suspend"], context, { account, reason: "unpaid" }));
    expect((await inside.get("/api/me")).status).toBe(200);
    expect((await (await console_.signedIn(fanta)).get("/api/me")).status).toBe(200);
    const sent = await batchSend(context, account, new TextEncoder().encode("{}"), null);
    expect(codeOf(sent)).toBe("ACCOUNT_SUSPENDED");
    granted(await run(ACCOUNT_OPERATIONS["account resume"], context, { account }));
    expect((await inside.get("/api/me")).status).toBe(200);
  });
});

describe("the last owner who can sign in", () => {
  test("is not disabled and keeps the role until another owner has used their link", async () => {
    const { context } = console_;
    const awa = await console_.person("awa@example.bf", "OWNER");
    await console_.person("salif@example.bf", "SUPPORT");
    const refusals = async () => [
      codeOf(await run(USER_OPERATIONS["user disable"], context, { login: awa.login })),
      codeOf(await run(USER_OPERATIONS["user role"], context, { login: awa.login, role: "FINANCE" })),
    ];
    expect(await refusals()).toEqual(["LAST_OWNER", "LAST_OWNER"]);
    const second = { login: "issa@example.bf", role: "OWNER", account: null, language: null };
    const { link } = granted(await userCreate(context, second));
    expect(await refusals()).toEqual(["LAST_OWNER", "LAST_OWNER"]);
    const inside = await console_.signedIn(awa);
    expect((await inside.get("/api/me")).status).toBe(200);
    granted(await run(USER_OPERATIONS["user role"], context, { login: awa.login, role: "OWNER" }));
    await console_.use(link.split("#")[1] ?? "", second.login);
    granted(await run(USER_OPERATIONS["user disable"], context, { login: awa.login }));
    expect(codeOf(await run(USER_OPERATIONS["user disable"], context, { login: second.login }))).toBe(
      "LAST_OWNER",
    );
  });

  test("one who never used a link may go where another can sign in, and not where there is nobody", async () => {
    const { context } = console_;
    const invited = { login: "wrong@example.bf", role: "OWNER", account: null, language: null };
    granted(await userCreate(context, invited));
    expect(codeOf(await run(USER_OPERATIONS["user disable"], context, { login: invited.login }))).toBe(
      "LAST_OWNER",
    );
    await console_.person("awa@example.bf", "OWNER");
    granted(await run(USER_OPERATIONS["user disable"], context, { login: invited.login }));
  });
});
