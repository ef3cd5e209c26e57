/** Who is kept out, and who must not be: users of accounts that ended, and the last owner. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountClose, accountResume, accountSuspend } from "../../src/admin/operations/accounts.ts";
import { batchSend } from "../../src/admin/operations/batch-send.ts";
import {
  userCreate,
  userDisable,
  userEnable,
  userLink,
  userReset,
  userRole,
} from "../../src/admin/operations/users.ts";
import { codeOf, granted } from "../admin/operations/fixture.ts";
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
    const secret = granted(await userLink(context, fanta.login)).link.split("#")[1] ?? "";
    granted(await accountClose(context, account, false));
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
    expect(codeOf(await userLink(context, fanta.login))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await userReset(context, fanta.login))).toBe("ACCOUNT_CLOSED");
    granted(await userDisable(context, fanta.login));
    expect(codeOf(await userEnable(context, fanta.login))).toBe("ACCOUNT_CLOSED");
  });

  test("that is suspended may look and come in, and nothing is sent for them", async () => {
    const { admin, context } = console_;
    const account = await admin.account();
    const fanta = await console_.person("fanta@example.bf", "ACCOUNT_SENDER", account);
    const inside = await console_.signedIn(fanta);
    granted(await accountSuspend(context, account, "unpaid"));
    expect((await inside.get("/api/me")).status).toBe(200);
    expect((await (await console_.signedIn(fanta)).get("/api/me")).status).toBe(200);
    const sent = await batchSend(context, account, new TextEncoder().encode("{}"), null);
    expect(codeOf(sent)).toBe("ACCOUNT_SUSPENDED");
    granted(await accountResume(context, account));
    expect((await inside.get("/api/me")).status).toBe(200);
  });
});

describe("the last owner who can sign in", () => {
  test("is not disabled and keeps the role until another owner has used their link", async () => {
    const { context } = console_;
    const awa = await console_.person("awa@example.bf", "OWNER");
    await console_.person("salif@example.bf", "SUPPORT");
    const refusals = async () => [
      codeOf(await userDisable(context, awa.login)),
      codeOf(await userRole(context, awa.login, "FINANCE")),
    ];
    expect(await refusals()).toEqual(["LAST_OWNER", "LAST_OWNER"]);
    const second = { login: "issa@example.bf", role: "OWNER", account: null, language: null };
    const { link } = granted(await userCreate(context, second));
    expect(await refusals()).toEqual(["LAST_OWNER", "LAST_OWNER"]);
    const inside = await console_.signedIn(awa);
    expect((await inside.get("/api/me")).status).toBe(200);
    granted(await userRole(context, awa.login, "OWNER"));
    await console_.use(link.split("#")[1] ?? "", second.login);
    granted(await userDisable(context, awa.login));
    expect(codeOf(await userDisable(context, second.login))).toBe("LAST_OWNER");
  });

  test("one who never used a link may go where another can sign in, and not where there is nobody", async () => {
    const { context } = console_;
    const invited = { login: "wrong@example.bf", role: "OWNER", account: null, language: null };
    granted(await userCreate(context, invited));
    expect(codeOf(await userDisable(context, invited.login))).toBe("LAST_OWNER");
    await console_.person("awa@example.bf", "OWNER");
    granted(await userDisable(context, invited.login));
  });
});
