import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  SUPPRESSION_OPERATIONS,
  suppressionAdd,
  suppressionList,
  suppressionRemove,
} from "../../../src/admin/operations/suppressions.ts";
import { addSuppression } from "../../../src/domain/accounts/suppressions.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const AWA = "+22670123456";
const add = (
  list: string | null,
  msisdn: string,
  messageClass: "OTP" | "MARKETING" | null,
  note: string | null = null,
) => suppressionAdd(fixture.context, list, { msisdn, messageClass, note });

describe("adding and removing", () => {
  test("a number is kept as E.164 however it is typed, and adding it again changes nothing", async () => {
    const added = granted(await add(account, "70 12 34 56", "MARKETING"));
    expect(added).toEqual({ account_id: account, msisdn: AWA, message_classes: ["MARKETING"] });
    expect(granted(await add(account, "(+226) 70-12-34-56", "MARKETING"))).toEqual(added);
    expect(fixture.audited().slice(1)).toEqual(["awa: suppression add"]);
    expect(fixture.told()).toEqual([]);
  });

  test("the appliance-wide list has no account, and is another list", async () => {
    granted(await add(account, AWA, "MARKETING"));
    expect(granted(await add(null, AWA, "OTP"))).toEqual({
      account_id: null,
      msisdn: AWA,
      message_classes: ["OTP"],
    });
    const subjects = fixture.context.store.read.all<{ subject: string }>(
      "SELECT subject FROM audit_entries WHERE action = 'suppression add' ORDER BY id",
    );
    expect(subjects.map(({ subject }) => subject)).toEqual([account, "everywhere"]);
  });

  test("removing takes away what was named and is no error when nothing is there", async () => {
    granted(await add(account, AWA, null));
    const remove = (messageClass: "OTP" | null) =>
      suppressionRemove(fixture.context, account, { msisdn: "70123456", messageClass, source: null });
    expect(granted(await remove("OTP")).message_classes).toEqual(["TRANSACTIONAL", "MARKETING"]);
    expect(granted(await remove(null)).message_classes).toEqual([]);
    expect(granted(await remove(null)).message_classes).toEqual([]);
    expect(fixture.audited().slice(2)).toEqual(["awa: suppression remove", "awa: suppression remove"]);
  });

  test("a number that today is none can still be taken off", async () => {
    const accountId = 1;
    await fixture.context.store.write((tx) =>
      addSuppression(
        tx,
        { accountId, msisdn: "+7", messageClass: "MARKETING", source: "KEYWORD", note: null },
        0,
      ),
    );
    const off = await suppressionRemove(fixture.context, account, {
      msisdn: "+7",
      messageClass: null,
      source: null,
    });
    expect(granted(off).message_classes).toEqual([]);
    expect(granted(await suppressionList(fixture.context, account, "+6", 5)).suppressions).toEqual([]);
  });

  test.each([
    ["INVALID_MSISDN", { msisdn: "70" }],
    ["INVALID_MSISDN", { msisdn: "awa" }],
    ["INVALID_MSISDN", { msisdn: "+22670123456 ext 5" }],
    ["INVALID_NOTE", { note: " " }],
    ["INVALID_NOTE", { note: "x".repeat(201) }],
  ])("%s for %j, and nothing is listed", async (code, wrong) => {
    const wanted = { msisdn: AWA, messageClass: null, note: null, ...wrong };
    expect(codeOf(await suppressionAdd(fixture.context, account, wanted))).toBe(code);
    expect(granted(await suppressionList(fixture.context, account, null, 5)).suppressions).toEqual([]);
  });

  test("an account that is not there has no list", async () => {
    expect(codeOf(await add("nobody", AWA, null))).toBe("ACCOUNT_NOT_FOUND");
    expect(codeOf(await suppressionList(fixture.context, "nobody", null, 5))).toBe("ACCOUNT_NOT_FOUND");
  });
});

describe("listing", () => {
  test("numbers stand in order, with when and why", async () => {
    granted(await add(account, "76000000", "OTP", "wrong owner"));
    granted(await add(account, "70123456", "MARKETING"));
    expect(granted(await suppressionList(fixture.context, account, null, 5))).toEqual({
      account_id: account,
      erased: 0,
      suppressions: [
        {
          msisdn: AWA,
          message_class: "MARKETING",
          source: "ADMIN",
          created_at: "2026-03-02T09:00:00.000Z",
          note: null,
        },
        {
          msisdn: "+22676000000",
          message_class: "OTP",
          source: "ADMIN",
          created_at: "2026-03-02T09:00:00.000Z",
          note: "wrong owner",
        },
      ],
      next_after: null,
    });
  });

  test("following next_after shows every number of a long list once", async () => {
    const numbers = Array.from({ length: 1203 }, (_, index) => `+226700${String(index).padStart(5, "0")}`);
    await fixture.context.store.write((tx) => {
      for (const msisdn of numbers) {
        addSuppression(
          tx,
          { accountId: 1, msisdn, messageClass: "MARKETING", source: "IMPORT", note: null },
          0,
        );
      }
    });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: { suppressions: readonly { msisdn: string }[]; next_after: string | null } = granted(
        await suppressionList(fixture.context, account, after, 601),
      );
      seen.push(...page.suppressions.map(({ msisdn }) => msisdn));
      after = page.next_after;
    } while (after !== null);
    expect(seen).toEqual(numbers);
  });

  test.each([0, 10_001, 1.5])("a page of %d numbers is refused", async (limit) => {
    const asked = run(SUPPRESSION_OPERATIONS["suppression list"], fixture.context, { account, limit });
    expect(codeOf(await asked)).toBe("INVALID_NUMBER");
  });
});
