/** API keys that end soon, or did lately, told where somebody can do something about it. */

import { expect, test } from "vitest";
import { KEY_OPERATIONS, keyCreate, keysEnding } from "../../src/admin/operations/keys.ts";
import { findExpiringKeys, KEY_EXPIRY_NOTICE_MS } from "../../src/console/server/expiring-keys.ts";
import { accountFigures } from "../../src/console/server/live/account-figures.ts";
import { accountByUlid } from "../../src/domain/accounts/accounts.ts";
import { adminFixture, granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-03-15T08:00:00.000Z");

const key = (name: string, days: number | null, revoked = false) => ({
  key_id: name,
  name,
  revoked_at: revoked ? "2026-03-01T00:00:00.000Z" : null,
  expires_at: days === null ? null : new Date(NOW_MS + days * DAY_MS).toISOString(),
});
const told = (...keys: readonly ReturnType<typeof key>[]) =>
  findExpiringKeys(keys, NOW_MS).map(({ name, is_over: isOver }) => `${name} ${isOver ? "is over" : "ends"}`);

test("a key is told of for 14 days before its end, and for 14 after it as one that is over", () => {
  expect(told(key("a", 14), key("b", 14.01), key("c", 0.01))).toEqual(["c ends", "a ends"]);
  expect(told(key("a", 0), key("b", -13.9), key("c", -14.1))).toEqual(["b is over", "a is over"]);
});

test("a key without an end is not told of, nor one that somebody revoked", () => {
  expect(told(key("a", null), key("b", 3, true), key("c", -3, true))).toEqual([]);
});

test("the start page tells it to those who manage keys alone", async () => {
  const fixture = adminFixture();
  const { context } = fixture;
  const id = await fixture.account();
  const expiresAtMs = context.clock.nowMs() + 5 * DAY_MS;
  granted(await keyCreate(context, id, { name: "shop", scopes: ["MESSAGES_SEND"], expiresAtMs }));
  const account = accountByUlid(context.store.read, id)!;
  const day = { accepted: 0, charged: 0, deliveredShare: null };
  const noticesFor = async (managesKeys: boolean) =>
    (await accountFigures(context, account, { day, seesMoney: false, managesKeys })).notices;
  const at = new Date(expiresAtMs).toISOString();
  expect(await noticesFor(true)).toEqual([{ kind: "KEY_ENDS", key: "shop", at }]);
  expect(await noticesFor(false)).toEqual([]);
  await fixture.clock.advance(6 * DAY_MS);
  expect(await noticesFor(true)).toEqual([{ kind: "KEY_ENDED", key: "shop", at }]);
  await fixture.close();
});

test("staff are told of the keys of all accounts at once, the first to end first, and of no more than ten", async () => {
  const fixture = adminFixture();
  const { context } = fixture;
  const [shop, other] = [await fixture.account(), await fixture.account()];
  const nowMs = context.clock.nowMs();
  const made = async (account: string, name: string, days: number) =>
    granted(
      await keyCreate(context, account, {
        name,
        scopes: ["MESSAGES_SEND"],
        mode: "live",
        expiresAtMs: nowMs + days * DAY_MS,
      }),
    );
  await made(shop, "in a week", 7);
  await made(other, "tomorrow", 1);
  await made(shop, "next month", 30);
  const revoked = await made(shop, "revoked", 2);
  granted(await run(KEY_OPERATIONS["key revoke"], context, { key: revoked.key_id }));
  const read = () => granted(keysEnding(context, KEY_EXPIRY_NOTICE_MS, 10));
  expect(read()).toMatchObject({
    keys: [
      { name: "tomorrow", account_id: other, account: "Faso Shop 2", is_over: false },
      { name: "in a week", account_id: shop, account: "Faso Shop", is_over: false },
    ],
    is_more: false,
  });
  await fixture.clock.advance(2 * DAY_MS);
  expect(read().keys.map(({ name, is_over: isOver }) => [name, isOver])).toEqual([
    ["tomorrow", true],
    ["in a week", false],
  ]);
  for (let count = 0; count < 10; count++) await made(shop, `key ${count}`, 4);
  expect([read().keys.length, read().is_more]).toEqual([10, true]);
  await fixture.close();
});
