/** What is kept of the rows of a file that are no recipients. */
import { expect, test } from "vitest";
import { MAX_UNREADABLE_KEPT } from "../../../src/domain/imports/row-reader.ts";
import { readRecipients } from "../../../src/domain/imports/spreadsheet.ts";
import { toUnreadableRows } from "../../../src/domain/imports/stored-rows.ts";
import { english } from "../../../src/i18n/text.ts";

const isNumber = (text: string) => /^\d{8}$/.test(text);
const keptOf = (text: string, ...tags: readonly string[]) => {
  const read = readRecipients(new TextEncoder().encode(text), { column: null, isNumber });
  if (!read.ok) throw new Error(english(read.refusal.detail));
  return toUnreadableRows(read.value.bad, read.value.columns, {
    tags: new Set(tags),
    soughtBy: () => null,
    originOf: (line) => (line === 4 ? { batch: 7, line: 9 } : null),
  });
};

test("a row keeps its number as it is written, its cause, and of its columns what the text asks for alone", () => {
  const text = "nom;tel;dette;client_reference\nAwa;70123456;1;a\nSalif;' 7012;'-5;b\n;demain;2;\n";
  expect(keptOf(text, "nom", "dette")).toEqual([
    {
      line: 3,
      status: "UNREADABLE",
      cause: { code: "NOT_A_NUMBER", params: { written: "7012" } },
      position: null,
      written: "7012",
      msisdn: null,
      cells: { nom: "Salif", dette: "-5" },
      client_reference: "b",
      of: null,
    },
    {
      line: 4,
      status: "UNREADABLE",
      cause: { code: "NOT_A_NUMBER", params: { written: "demain" } },
      position: null,
      written: "demain",
      msisdn: null,
      cells: { dette: "2" },
      client_reference: null,
      of: { batch: 7, line: 9 },
    },
  ]);
  expect(keptOf(text).map(({ cells }) => cells)).toEqual([null, null]);
});

test("values that are too long are not kept, and of too many rows or too much of them the first are", () => {
  const long = "x".repeat(3000);
  expect(keptOf(`tel;nom\n70123456;A\n7;${long}\n`, "nom")).toMatchObject([{ line: 3, cells: null }]);
  const many = ["tel", ...Array.from({ length: MAX_UNREADABLE_KEPT + 5 }, () => "7"), "70123456"].join("\n");
  expect(keptOf(many)).toHaveLength(MAX_UNREADABLE_KEPT);
  const wide = Array.from({ length: 3000 }, () => `7;${"x".repeat(1900)}`);
  const kept = keptOf(["tel;nom", "70123456;A", ...wide].join("\n"), "nom");
  expect(kept.length).toBeGreaterThan(900);
  expect(JSON.stringify(kept).length).toBeLessThan(2.2 * 1024 * 1024);
});

test("what no database can hold is left out of them", () => {
  const [row] = keptOf(`tel;nom\n70123456;A\n7\u0000;a\u0000b\n`, "nom");
  expect(row).toMatchObject({ written: "7", cells: { nom: "ab" } });
});
