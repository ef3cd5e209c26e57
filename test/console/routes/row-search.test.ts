/** Who stands in a row that was not sent has no message: by what a caller says of them they are found all the same, over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { BATCH, type Json, KEY, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let place: SendFixture["place"];
let account: string;
let ask: SendFixture["ask"];
beforeEach(async () => {
  sending = await sendFixture();
  ({ place, account, ask } = sending);
});
afterEach(() => place.close());

const CLIENTS = latin1(
  "nom;tel\r\nAwa;05112233\r\nTraor\xe9 Fatou;70 12 34 5\r\nEve;7,6E+07\r\nKabor\xe9;demain\r\nIda;70112233\r\n",
);

async function sent(): Promise<string> {
  const { json } = await sending.bring(CLIENTS);
  const wanted = { ...BATCH, body: "Bonjour {nom}", file: json.file_id, key: KEY };
  return String((await ask("POST", `/send/${account}`, wanted)).json.batch_id);
}

const hitsFor = async (typed: string, as?: string) =>
  (await ask("GET", `/search?q=${encodeURIComponent(typed)}`, undefined, as)).json.hits as Json[];
const page = async (path: string, as?: string) => (await ask("GET", path, undefined, as)).json;

describe("the search", () => {
  test("counts the digits of what is no whole number, and leads to the row that holds it", async () => {
    const batch = await sent();
    expect(await hitsFor("70 12 34 5")).toMatchObject([
      { kind: "row", id: batch, line: 3, title: "70 12 34 5 \u00b7 Traor\xe9 Fatou", is_nearly: false },
      { kind: "no number", id: "70 12 34 5", detail: "«\u00a070 12 34 5\u00a0» a 7 chiffres au lieu de 8" },
      // Were it a zero that the file lost, it would be this number.
      { kind: "left out", id: batch, title: "+22607012345" },
    ]);
    expect(await hitsFor("7,6E+07")).toMatchObject([
      { kind: "row", id: batch, line: 4 },
      { kind: "no number", detail: expect.stringContaining("un numéro qu’Excel a abrégé") },
    ]);
    // The caller knows her whole number, and the file had lost a digit of it.
    expect(await hitsFor("70 12 34 56")).toMatchObject([
      { kind: "number" },
      { kind: "row", id: batch, line: 3, is_nearly: true },
    ]);
  });

  test("finds a row by the name that the text was to be filled in with, for who reads texts", async () => {
    const batch = await sent();
    expect(await hitsFor("madame traore")).toMatchObject([{ kind: "row", id: batch, line: 3 }]);
    expect(await hitsFor("Eve")).toMatchObject([{ kind: "row", id: batch, line: 4 }]);
    const { rows, reads_values } = await page("/left-out/rows?typed=Kabor%C3%A9");
    expect([reads_values, rows]).toMatchObject([true, [{ batch_id: batch, line: 5, match: "word" }]]);
  });

  test("tells support of rows by their number alone, and leads to the batches of the day for a name", async () => {
    const batch = await sent();
    const staff = await sending.entered("support@example.bf", "SUPPORT", null);
    expect(await hitsFor("7012345", staff)).toContainEqual(
      expect.objectContaining({ kind: "row", id: batch, title: "70 12 34 5" }),
    );
    expect(await hitsFor("Traor\xe9", staff)).toMatchObject([{ kind: "rows", id: batch, rows: 4 }]);
    const found = await page("/left-out/rows?typed=Traor%C3%A9", staff);
    expect(found).toMatchObject({ rows: [], reads_values: false });
  });

  test("knows nothing of another account's rows, and of none where batches may not be seen", async () => {
    await sent();
    const other = await place.admin.account();
    const stranger = await sending.entered("eve@example.bf", "ACCOUNT_READER", other);
    expect(await hitsFor("7012345", stranger)).toMatchObject([{ kind: "no number" }]);
    expect(await hitsFor("Traor\xe9", stranger)).toEqual([]);
    expect(await page("/left-out/rows?typed=7012345", stranger)).toMatchObject({ rows: [] });
    const finance = await sending.entered("finance@example.bf", "FINANCE", null);
    expect(await hitsFor("7012345", finance)).toMatchObject([{ kind: "no number" }]);
    expect((await ask("GET", "/left-out/rows?typed=7012345", undefined, finance)).status).toBe(403);
  });
});

describe("the rows of a batch", () => {
  test("are a list of all that nothing was sent for, in the order of their lines, filtered by a number or a word", async () => {
    const batch = await sent();
    const { rows, is_more } = await page(`/batches/${batch}/rows`);
    expect([is_more, rows]).toMatchObject([
      false,
      [
        { line: 3, code: "UNREADABLE_ROW", written: "70 12 34 5", values: { nom: "Traor\xe9 Fatou" } },
        { line: 4, written: "7,6E+07" },
        { line: 5, written: "demain" },
        { index: 3 - 2, code: "UNROUTABLE_PREFIX", written: "+22670112233" },
      ],
    ]);
    expect((await page(`/batches/${batch}/rows?row=traore`)).rows).toMatchObject([{ line: 3 }]);
    expect((await page(`/batches/${batch}/rows?row=70112233`)).rows).toMatchObject([{ index: 1 }]);
    const staff = await sending.entered("support@example.bf", "SUPPORT", null);
    const shown = await page(`/batches/${batch}/rows`, staff);
    expect(JSON.stringify(shown)).not.toContain("Traor");
    expect(shown).toMatchObject({ reads_values: false });
    expect((await page(`/batches/${batch}/rows?row=traore`, staff)).rows).toEqual([]);
  });

  test("beyond those that are shown are said to be more", async () => {
    const rejections = Array.from({ length: 60 }, (_, at) => ({
      reason: "SUPPRESSED",
      msisdn: `+226051122${10 + (at % 90)}`,
    }));
    const batch = await plantBatch(place.admin, {
      account,
      status: "SENDING",
      messages: ["SENT"],
      rejections,
    });
    const { rows, is_more } = await page(`/batches/${batch}/rows`);
    expect([is_more, (rows as unknown[]).length]).toEqual([true, 50]);
  });
});

test("a number that is none is refused with the count of its digits", async () => {
  const refused = await ask("GET", "/messages?number=7012345");
  expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
    ...[422, "INVALID_MSISDN", "«\u00a07012345\u00a0» a 7 chiffres au lieu de 8"],
  ]);
});
