import { expect, test } from "vitest";
import { leftOutRows } from "../../src/recipients/left-out-rows.ts";

const isNumber = (text: string) => /^\d{8}$/.test(text);
const rowsOf = (text: string, rejected: readonly (readonly [number, string])[] = []) => {
  const options = { column: null, isNumber };
  const outcome = leftOutRows(new TextEncoder().encode(text), options, new Map(rejected));
  return outcome.ok ? outcome.value : outcome.refusal.detail;
};

test("rows that cannot be read or were rejected are told whole, in the order of the file", () => {
  const text = "nom;tel;ville\nAwa;70123456;Bobo\nSalif;;Ouaga\nIdrissa;70123457\n";
  expect(rowsOf(text, [[4, "SUPPRESSED"]])).toEqual({
    ...{ headings: ["nom", "tel", "ville"], msisdn: 1 },
    rows: [
      { line: 3, cells: ["Salif", "", "Ouaga"], cause: "it has no number", reason: null },
      { line: 4, cells: ["Idrissa", "70123457"], cause: null, reason: "SUPPRESSED" },
    ],
  });
});

test("a row that repeats a number is not among them: sent again, it would be paid a second time", () => {
  const text = "tel\n70123456\n70123456\n70123457\n";
  const rejected = [
    [3, "DUPLICATE_IN_BATCH"],
    [4, "SUPPRESSED"],
  ] as const;
  expect(rowsOf(text, rejected)).toMatchObject({ rows: [{ line: 4, reason: "SUPPRESSED" }] });
});

test("a file without names has none, and its first row may be among them", () => {
  expect(rowsOf("70123456\n7012\n", [[1, "QUIET_HOURS"]])).toMatchObject({
    ...{ headings: null, msisdn: 0 },
    rows: [
      { line: 1, reason: "QUIET_HOURS" },
      { line: 2, cause: '"7012" is not a phone number' },
    ],
  });
});
