import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import {
  addSuppression,
  EVERYWHERE,
  isSuppressed,
  readSuppressions,
  removeSuppression,
  type SuppressionSource,
  suppressedClasses,
} from "../../../src/domain/accounts/suppressions.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

const AWA = "+22670123456";
const ALI = "+22676000000";

let fixture: AccountsFixture;
let mine: number;
let other: number;
beforeEach(async () => {
  fixture = accountsFixture();
  mine = await fixture.account();
  other = await fixture.account();
});
afterEach(() => fixture.close());

const add = (accountId: number, msisdn: string, messageClass: MessageClass | null) =>
  fixture.store.write((tx) =>
    addSuppression(
      tx,
      { accountId, msisdn, messageClass, source: "ADMIN", note: null },
      fixture.clock.nowMs(),
    ),
  );
const remove = (accountId: number, msisdn: string, messageClass: MessageClass | null) =>
  fixture.store.write((tx) => removeSuppression(tx, accountId, msisdn, messageClass, null));
const isOff = (messageClass: MessageClass, accountId = mine, msisdn = AWA) =>
  isSuppressed(fixture.store.read, accountId, msisdn, messageClass);

describe("who is suppressed", () => {
  test("an account's list counts for its class, its number and itself only", async () => {
    expect(await add(mine, AWA, "MARKETING")).toBe(1);
    expect(isOff("MARKETING")).toBe(true);
    expect(isOff("OTP")).toBe(false);
    expect(isOff("MARKETING", other)).toBe(false);
    expect(isOff("MARKETING", mine, ALI)).toBe(false);
  });

  test("the appliance-wide list counts for every account, by class too", async () => {
    await add(EVERYWHERE, AWA, "MARKETING");
    expect(isOff("MARKETING", mine)).toBe(true);
    expect(isOff("MARKETING", other)).toBe(true);
    expect(isOff("TRANSACTIONAL", other)).toBe(false);
  });

  test("all is every class; one class of it can be taken back", async () => {
    expect(await add(mine, AWA, null)).toBe(3);
    expect(suppressedClasses(fixture.store.read, mine, AWA)).toEqual(["OTP", "TRANSACTIONAL", "MARKETING"]);
    expect(await remove(mine, AWA, "OTP")).toBe(1);
    expect(isOff("OTP")).toBe(false);
    expect(isOff("MARKETING")).toBe(true);
    expect(await remove(mine, AWA, null)).toBe(2);
    expect(await remove(mine, AWA, null)).toBe(0);
    expect(isOff("MARKETING")).toBe(false);
  });

  test("leaving one list leaves the other as it is", async () => {
    await add(mine, AWA, "MARKETING");
    await add(EVERYWHERE, AWA, "MARKETING");
    await remove(mine, AWA, null);
    expect(isOff("MARKETING")).toBe(true);
    expect(suppressedClasses(fixture.store.read, mine, AWA)).toEqual([]);
  });

  test("what stands on a list keeps its source, date and note", async () => {
    const first = { accountId: mine, msisdn: AWA, messageClass: "MARKETING", note: "called us" } as const;
    const atMs = fixture.clock.nowMs();
    await fixture.store.write((tx) => addSuppression(tx, { ...first, source: "KEYWORD" }, atMs));
    const again = { ...first, source: "IMPORT", note: null } as const;
    expect(await fixture.store.write((tx) => addSuppression(tx, again, atMs + 1))).toBe(0);
    expect(readSuppressions(fixture.store.read, mine, "", 10)).toEqual([
      {
        msisdn: AWA,
        messageClass: "MARKETING",
        source: "KEYWORD",
        createdAtMs: atMs,
        note: "called us",
      },
    ]);
  });
});

test("the recipient's own word, Meta's and an administrator's stand apart and are lifted apart", async () => {
  const of = { accountId: mine, msisdn: AWA, messageClass: "MARKETING", note: null } as const;
  const put = (source: SuppressionSource) =>
    fixture.store.write((tx) => addSuppression(tx, { ...of, source }, fixture.clock.nowMs()));
  const lift = (source: SuppressionSource | null) =>
    fixture.store.write((tx) => removeSuppression(tx, mine, AWA, "MARKETING", source));
  const sources = () => readSuppressions(fixture.store.read, mine, "", 10).map(({ source }) => source);
  expect([await put("ADMIN"), await put("META"), await put("KEYWORD"), await put("IMPORT")]).toEqual([
    1, 1, 1, 0,
  ]);
  expect([await put("META"), await put("KEYWORD")]).toEqual([0, 0]);
  expect(sources()).toEqual(["ADMIN", "KEYWORD", "META"]);
  expect(await lift("META")).toBe(1);
  expect(await lift("ADMIN")).toBe(1);
  expect(sources()).toEqual(["KEYWORD"]);
  expect(isOff("MARKETING")).toBe(true);
  await put("META");
  expect(await lift(null)).toBe(1);
  expect(isOff("MARKETING")).toBe(false);
});

describe("a list page by page", () => {
  test("every number comes once, in order and with all its classes", async () => {
    const numbers = Array.from({ length: 7 }, (_, index) => `+2267000000${index}`);
    for (const [index, msisdn] of numbers.entries()) await add(mine, msisdn, index % 2 ? null : "OTP");
    await add(other, "+22670000009", null);
    const pages: string[][] = [];
    for (let after = ""; ; ) {
      const page = readSuppressions(fixture.store.read, mine, after, 3);
      if (page.length === 0) break;
      pages.push(page.map(({ msisdn }) => msisdn.slice(-1)));
      after = page.at(-1)!.msisdn;
    }
    expect(pages).toEqual([["0", "1", "1", "1", "2"], ["3", "3", "3", "4", "5", "5", "5"], ["6"]]);
  });
});
