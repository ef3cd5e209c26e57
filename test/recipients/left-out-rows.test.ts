import { expect, test } from "vitest";
import { leftOutRows } from "../../src/recipients/left-out-rows.ts";
import { readRecipients } from "../../src/recipients/recipients.ts";

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
    ...{ headings: ["nom", "tel", "ville"], msisdn: 1 },
    rows: [
      { line: 3, cells: ["Salif", "", "Ouaga"], cause: "it has no number", reason: null, repeat: null },
      { line: 4, cells: ["Idrissa", "70123457"], cause: null, reason: "SUPPRESSED", repeat: null },
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

test("a row that a file of who got nothing tells as sent already is refused, until its code is taken out by hand", () => {
  const head = "Ligne du fichier;Code du motif;Motif du non-envoi;tel";
  const outcome = (line: string) =>
    readRecipients(bytes(`${head}\n${line}\n7;;;70123457\n`), { column: null, isNumber });
  for (const code of ["DUPLICATE_IN_BATCH", "DOUBLON"]) {
    expect(outcome(`3;${code};;70123456`)).toMatchObject({
      value: {
        recipients: [{ msisdn: "70123457" }],
        bad: [{ line: 2, cause: expect.stringContaining("gets the text already") }],
      },
    });
  }
  expect(outcome("3;DOUBLON_D_UN_REFUS;;70123456")).toMatchObject({ value: { bad: [] } });
  expect(outcome("3;;;70123456")).toMatchObject({ value: { bad: [], recipients: [{}, {}] } });
  expect(outcome("3;DUPLICATE_OF_REFUSED;;70123456")).toMatchObject({ value: { bad: [] } });
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
