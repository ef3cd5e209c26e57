/** Whoever opens a link that works no more is told what to do, by words that hold for them, and by a command that works as it stands. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { USER_OPERATIONS, userCreate } from "../../src/admin/operations/users.ts";
import { granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { firstLinkOf } from "./first-link.ts";
import { type ConsoleFixture, consoleFixture } from "./fixture.ts";

const HALF_AN_HOUR_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const STARTED = { program: "bendre", config: "/etc/bendre/config.toml", isService: true };

let console_: ConsoleFixture;

beforeEach(async () => {
  console_ = await consoleFixture({}, { started: STARTED });
});
afterEach(() => console_.close());

const secretOf = (link: string | null): string => link?.split("#")[1] ?? "";

async function lookAt(secret: string, language = "en") {
  const answer = await console_.browser().post("/link/look", { secret }, { "accept-language": language });
  expect([answer.status, answer.json.code]).toEqual([401, "LINK_INVALID"]);
  return answer.json.link;
}

test("the first link that has run out leads to a restart, or to the command that makes the owner", async () => {
  const secret = secretOf(await firstLinkOf(console_));
  console_.clock.setBy(HALF_AN_HOUR_MS);
  expect(await lookAt(secret)).toEqual({
    why: "FIRST_RAN_OUT",
    login: null,
    command: "sudo bendre user create you@example.com --role OWNER --config /etc/bendre/config.toml",
  });
  expect(await lookAt(secret, "fr")).toMatchObject({
    command: expect.stringContaining("user create vous@exemple.com "),
  });
});

test("of a link that nobody knows, before anybody can sign in, the server's files are not named", async () => {
  const replaced = secretOf(await firstLinkOf(console_));
  await firstLinkOf(console_);
  const told = await lookAt(replaced);
  expect(told).toEqual({
    why: "NOBODY_YET",
    login: null,
    command: "bendre user create you@example.com --role OWNER --config FILE",
  });
});

test("a link of staff that has run out names their own login, in a command that works", async () => {
  const created = { login: "awa@example.bf", role: "SUPPORT", account: null, language: null };
  const { link } = granted(await userCreate(console_.context, created));
  console_.clock.setBy(2 * DAY_MS);
  const works = await console_.browser().post("/link/look", { secret: secretOf(link) });
  expect([works.status, works.json.login]).toEqual([200, "awa@example.bf"]);
  console_.clock.setBy(DAY_MS);
  expect(await lookAt(secretOf(link))).toEqual({
    why: "STAFF_RAN_OUT",
    login: "awa@example.bf",
    command: "sudo bendre user link awa@example.bf --config /etc/bendre/config.toml",
  });
});

test("a client's user is told whom the link was for, and no command of the server", async () => {
  const account = await console_.admin.account();
  const created = { login: "salif@example.bf", role: "ACCOUNT_ADMIN", account, language: null };
  const { link } = granted(await userCreate(console_.context, created));
  console_.clock.setBy(3 * DAY_MS);
  expect(await lookAt(secretOf(link))).toEqual({
    why: "CLIENT_RAN_OUT",
    login: "salif@example.bf",
    command: null,
  });
});

test("a link that resets something runs out within half an hour", async () => {
  const awa = await console_.person("awa@example.bf", "OWNER");
  const reset = granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login }));
  console_.clock.setBy(HALF_AN_HOUR_MS);
  expect(await lookAt(secretOf(reset.link))).toMatchObject({ why: "STAFF_RAN_OUT", login: awa.login });
});

test("a link that was used, replaced, mistyped, or whose user is disabled tells nothing of anybody", async () => {
  const nothing = { why: "UNKNOWN", login: null, command: null };
  const awa = await console_.person("awa@example.bf", "OWNER");
  const boss = await console_.person("boss@example.bf", "OWNER");
  const replaced = secretOf(
    granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login })).link,
  );
  const shut = secretOf(
    granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login })).link,
  );
  expect(await lookAt(replaced)).toEqual(nothing);
  granted(await run(USER_OPERATIONS["user disable"], console_.context, { login: awa.login }));
  for (const secret of [shut, "mistyped"]) expect(await lookAt(secret)).toEqual(nothing);
  expect(boss.login).toBe("boss@example.bf");
});
