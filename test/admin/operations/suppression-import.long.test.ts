import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  readSuppressionFile,
  suppressionImport,
  suppressionList,
} from "../../../src/admin/operations/suppressions.ts";
import { paramsIn, phrase } from "../../../src/i18n/phrase.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const load = (text: string, changes: { messageClass?: "OTP" | null; skipInvalid?: boolean } = {}) =>
  suppressionImport(fixture.context, account, {
    text,
    messageClass: "MARKETING" as const,
    skipInvalid: false,
    ...changes,
  });
const listed = async () =>
  granted(await suppressionList(fixture.context, account, null, 10_000)).suppressions.map(
    ({ msisdn, message_class, note }) => [msisdn.slice(4), message_class, note],
  );

describe("importing a list", () => {
  test("a bare column of numbers opts out of what was said for the file", async () => {
    expect(granted(await load("70 12 34 56\r\n+22676000000\n\n"))).toEqual({
      account_id: account,
      numbers: 2,
      added: 2,
      already_listed: 0,
      skipped: 0,
      skipped_lines: [],
    });
    granted(await load("70123456", { messageClass: "OTP" }));
    expect(await listed()).toEqual([
      ["70123456", "MARKETING", null],
      ["70123456", "OTP", null],
      ["76000000", "MARKETING", null],
    ]);
  });

  test("a row may name its class and a note; all is every class", async () => {
    granted(await load("70123456;otp;called us\n76000000;all\n76000001"));
    expect(await listed()).toEqual([
      ["70123456", "OTP", "called us"],
      ["76000000", "MARKETING", null],
      ["76000000", "OTP", null],
      ["76000000", "TRANSACTIONAL", null],
      ["76000001", "MARKETING", null],
    ]);
  });

  test("a line of names says where the columns are, whatever else the file holds", async () => {
    granted(await load('Name,Note,Class,MSISDN\n"Ouédraogo, Awa",moved,OTP,\'+22670123456\n'));
    expect(await listed()).toEqual([["70123456", "OTP", "moved"]]);
  });

  test("a quote that is not closed refuses the file and names its line, whatever may be skipped", async () => {
    const outcome = await load('70123456;OTP\n76000000;OTP;"moved\n76000001;OTP\n', { skipInvalid: true });
    expect(outcome).toMatchObject({
      ok: false,
      refusal: {
        code: "INVALID_FILE",
        detail: phrase("refusal.INVALID_FILE.quote_open", { line: 2 }),
      },
    });
    expect(await listed()).toEqual([]);
  });

  test("the rows are marked as imported, and the audit list says when it began and how it ended", async () => {
    granted(await load("70123456\n70123456\n76000000"));
    const { suppressions } = granted(await suppressionList(fixture.context, account, null, 10));
    expect(suppressions.map(({ source }) => source)).toEqual(["IMPORT", "IMPORT"]);
    const audit = fixture.context.store.read.all<{ detail: string }>(
      "SELECT detail FROM audit_entries WHERE action = 'suppression import' ORDER BY id",
    );
    expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([
      { step: "begun", numbers: 3, skipped: 0 },
      { step: "done", numbers: 3, added: 2 },
    ]);
  });

  test("a file of several steps is imported whole, and again without any effect", async () => {
    const text = Array.from({ length: 777 }, (_, index) => `700${String(index).padStart(5, "0")}`).join("\n");
    expect(granted(await load(text))).toMatchObject({ numbers: 777, added: 777, already_listed: 0 });
    expect(granted(await load(text))).toMatchObject({ numbers: 777, added: 0, already_listed: 777 });
    expect(await listed()).toHaveLength(777);
  });

  test("the appliance-wide list is imported the same way", async () => {
    const file = { text: "70123456", messageClass: null, skipInvalid: false };
    expect(granted(await suppressionImport(fixture.context, null, file))).toMatchObject({
      account_id: null,
      added: 1,
    });
    expect(granted(await suppressionList(fixture.context, null, null, 5)).suppressions).toHaveLength(3);
    expect(await listed()).toEqual([]);
  });
});

describe("lines that cannot be read", () => {
  const FILE = `70123456\nnobody\n76000000,SPAM\n76000001,OTP,${"x".repeat(201)}\n76000002`;

  test("nothing of the file is imported, and each line is named", async () => {
    const before = fixture.audited();
    const outcome = await load(FILE);
    const why = (line: number, code: string) => ({ code: "line", params: { line, why: { code } } });
    const lines = [
      why(2, "row.cause.NOT_A_NUMBER"),
      why(3, "fault.suppression.class"),
      why(4, "fault.suppression.note"),
    ];
    expect(outcome).toMatchObject({
      refusal: {
        code: "INVALID_FILE",
        detail: { code: "refusal.INVALID_FILE.suppressions", params: { faulty: 3, lines } },
      },
    });
    expect(await listed()).toEqual([]);
    expect(fixture.audited()).toEqual(before);
  });

  test("a refusal names twenty lines and counts the rest", async () => {
    const outcome = await load(Array.from({ length: 30 }, (_, index) => `no${index}`).join("\n"));
    const lines = outcome.ok
      ? []
      : paramsIn(outcome.refusal.detail, "refusal.INVALID_FILE.suppressions")?.lines;
    expect(lines).toHaveLength(21);
    expect(lines?.slice(-2)).toMatchObject([{ params: { line: 20 } }, phrase("more", { more: 10 })]);
  });

  test("the first thousand of them are named, and all are counted", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => (at === 15_000 ? "70123456" : "x"));
    const answer = granted(await load(lines.join("\n"), { skipInvalid: true }));
    expect(answer).toMatchObject({ numbers: 1, added: 1, skipped: 19_999 });
    expect(answer.skipped_lines).toHaveLength(1000);
    const read = await readSuppressionFile(
      "x\n".repeat(20_000),
      { otherwise: null, readMsisdn: () => null },
      () => undefined,
    );
    expect(read).toMatchObject({ numbers: 0, faulty: 20_000, faults: { length: 1000 } });
  });

  test("a file of blank lines gives others their turn", async () => {
    let turns = 0;
    await readSuppressionFile("\n".repeat(100_000), { otherwise: null, readMsisdn: () => null }, () => {
      turns += 1;
      return undefined;
    });
    expect(turns).toBe(100);
  });

  test("a note with a broken octet is told, and not kept half", async () => {
    expect(
      granted(await load("70123456;OTP;d\ufffdc\u00e9d\u00e9\n76000000", { skipInvalid: true })),
    ).toMatchObject({
      skipped_lines: [{ line: 1, problem: phrase("fault.suppression.note_lost") }],
    });
  });

  test("on request they are left out and listed, and the others are imported", async () => {
    expect(granted(await load(FILE, { skipInvalid: true }))).toMatchObject({
      numbers: 2,
      added: 2,
      skipped: 3,
      skipped_lines: [{ line: 2 }, { line: 3 }, { line: 4 }],
    });
    expect(await listed()).toEqual([
      ["70123456", "MARKETING", null],
      ["76000002", "MARKETING", null],
    ]);
  });

  test.each(["", "\n\n", "msisdn,class\n", "nobody"])(
    "a file without a number, %j, is refused",
    async (text) => {
      expect(codeOf(await load(text, { skipInvalid: true }))).toBe("INVALID_FILE");
    },
  );

  test("an account that is not there imports nothing", async () => {
    const file = { text: "70123456", messageClass: null, skipInvalid: false };
    expect(codeOf(await suppressionImport(fixture.context, "nobody", file))).toBe("ACCOUNT_NOT_FOUND");
  });
});
