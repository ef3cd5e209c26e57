import { expect, test } from "vitest";
import { leftOutRows } from "../../../src/domain/imports/rejected-rows.ts";
import { readRecipients } from "../../../src/domain/imports/spreadsheet.ts";

const isNumber = (text: string) => /^\d{8}$/.test(text);
const read = (text: string) =>
  isNumber(text.replaceAll(" ", "")) ? `+226${text.replaceAll(" ", "")}` : null;
const bytes = (text: string) => new TextEncoder().encode(text);
const rowsOf = (text: string, rejected: readonly (readonly [number, string])[] = []) => {
  const options = { column: null, isNumber };
  const outcome = leftOutRows(bytes(text), options, new Map(rejected), read);
  return outcome.ok ? outcome.value : outcome.refusal.detail;
};

test("rows that cannot be read or were rejected are told whole, in the order of the file", () => {
  const text = "nom;tel;ville\nAwa;70123456;Bobo\nSalif;;Ouaga\nIdrissa;70123457\n";
  expect(rowsOf(text, [[4, "SUPPRESSED"]])).toEqual({
    headings: ["nom", "tel", "ville"],
    msisdn: 1,
    rowId: null,
    rows: [
      {
        line: 3,
        id: null,
        cells: ["Salif", "", "Ouaga"],
        cause: { code: "NO_NUMBER", params: {} },
        reason: null,
        repeat: null,
      },
      {
        line: 4,
        id: null,
        cells: ["Idrissa", "70123457"],
        cause: null,
        reason: "SUPPRESSED",
        repeat: null,
      },
    ],
  });
});

test("a row that repeats a number says which row it repeats, and what reads otherwise there", () => {
  const text = "tel;nom;dette\n70123456;Hervé;22000\n70123456;Hervé;32000\n70123457;Eve;1\n70123457;Eve;1\n";
  const rejected = [
    [3, "DUPLICATE_IN_BATCH"],
    [5, "DUPLICATE_IN_BATCH"],
  ] as const;
  expect(rowsOf(text, rejected)).toMatchObject({
    rows: [
      { line: 3, repeat: { first: 2, differs: [{ column: "dette", first: "22000", here: "32000" }] } },
      { line: 5, repeat: { first: 4, differs: [] } },
    ],
  });
});

const OF = "01KJPWE3XGPVAR0EWXVB43ZH0H";
const origins = (text: string) => {
  const outcome = readRecipients(bytes(text), { column: null, isNumber });
  return outcome.ok ? outcome.value : outcome.refusal;
};

test("a row is known by its id, and one whose code was emptied is marked; what stands before the id fills in nothing", () => {
  const head = "Ligne du fichier;reason_code;Motif;bendre_row;tel;nom";
  const rows = [`3;DOUBLON;x;${OF}-3;70123456;Awa`, `4;;x;${OF}-4;70123457;Eve`, "9;;;;70123458;Ida"];
  expect(origins([head, ...rows].join("\n"))).toMatchObject({
    recipients: [{ attributes: { nom: "Awa" } }, { attributes: { nom: "Eve" } }, { msisdn: "70123458" }],
    origins: new Map([
      [2, { of: OF, line: 3, isMarked: false }],
      [3, { of: OF, line: 4, isMarked: true }],
    ]),
  });
});

test("without the column of codes no row is marked, and a column of one's own that is called so has no ids", () => {
  expect(origins(`tel;bendre_row\n70123456;${OF}-3\n`)).toMatchObject({
    origins: new Map([[2, { of: OF, line: 3, isMarked: false }]]),
  });
  expect(origins("tel;bendre_row;reason_code\n70123456;17;\n")).toMatchObject({ origins: new Map() });
});

test("a row that has an id keeps it", () => {
  expect(rowsOf(`bendre_row;tel\n${OF}-7;7012\n`)).toMatchObject({
    rowId: 0,
    rows: [{ line: 2, id: { of: OF, line: 7 } }],
  });
});

test("a file without names has none, and its first row may be among them", () => {
  expect(rowsOf("70123456\n7012\n", [[1, "QUIET_HOURS"]])).toMatchObject({
    headings: null,
    msisdn: 0,
    rows: [
      { line: 1, reason: "QUIET_HOURS" },
      { line: 2, cause: { code: "NOT_A_NUMBER", params: { written: "7012" } } },
    ],
  });
});
