/** Files as people meant them: what programs leave empty, octets that are broken, numbers as they are shown, separators. */
import { describe, expect, test } from "vitest";
import { renderSheetHead, renderSheetLines } from "../../../src/core/csv.ts";
import { type ReadOptions, readRecipients } from "../../../src/domain/imports/spreadsheet.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { said, workbookOf } from "./workbook-of.ts";

const OPTIONS: ReadOptions = { column: null, isNumber: (text) => /^\+?[\d ]{8,}$/.test(text) };

function read(file: string | Uint8Array, isNumber = OPTIONS.isNumber) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const outcome = readRecipients(bytes, { ...OPTIONS, isNumber });
  if (!outcome.ok) return outcome.refusal.detail;
  const { recipients, bad, formats } = outcome.value;
  return { recipients, bad: bad.map(({ line, cause }) => ({ line, cause })), formats };
}

const valuesIn = (file: string | Uint8Array) => {
  const found = read(file);
  return "code" in found ? found : found.recipients.map(({ attributes }) => attributes ?? {});
};

describe("a cell of a workbook", () => {
  const HEAD = said("telephone") + said("nom");
  const SHARED = "<sst><si><t>Bonjour telephone</t></si><si><t>Awa</t></si></sst>";
  const bookOf = (...cells: readonly string[]) =>
    workbookOf([HEAD, ...cells.map((cell) => `<c><v>70123456</v></c>${cell}`)], {
      "xl/sharedStrings.xml": SHARED,
    });

  test.each([
    '<c r="B2" t="s"></c>',
    '<c r="B2" t="s"><v></v></c>',
    '<c r="B2" t="s"><v/></c>',
    '<c r="B2" t="s"><v> </v></c>',
    '<c r="B2" t="s"/>',
    '<c r="B2" t="b"></c>',
    '<c r="B2" t="n"><v/></c>',
    '<c r="B2"/>',
  ])("that says nothing is empty: %s", (cell) => {
    expect(valuesIn(bookOf(cell))).toEqual([{}]);
  });

  test.each([
    '<c r="B2" t="s"><v>7</v></c>',
    '<c r="B2" t="s"><v>-1</v></c>',
    '<c r="B2" t="s"><v>0x1</v></c>',
    '<c r="B2" t="s"><v>1.0</v></c>',
    '<c r="B2" t="b"><v>vrai</v></c>',
    '<c r="B2"><v>demain</v></c>',
    '<c r="B2"><v>0x1F</v></c>',
    '<c r="B2"><v>Infinity</v></c>',
    '<c r="B2" t="q"><v>1</v></c>',
  ])("that says what its type cannot be is told: %s", (cell) => {
    expect(read(bookOf(cell))).toMatchObject({
      recipients: [],
      bad: [
        { line: 2, cause: { code: "CELL_DAMAGED", params: { column: "nom", written: expect.any(String) } } },
      ],
    });
  });

  test("has attributes in quotes of either kind, and references that XML knows and no others", () => {
    const cells = [
      "<c r='B2' t='s'><v>1</v></c>",
      '<c r = "B3" t = "s"><v>1</v></c>',
      said("&amp;&lt;&#233;&#xE9;&constructor;&toString;&#x110000;"),
    ];
    expect(valuesIn(bookOf(...cells))).toEqual([
      ...[{ nom: "Awa" }, { nom: "Awa" }],
      { nom: "&<éé&constructor;&toString;&#x110000;" },
    ]);
  });
});

describe("a workbook's numbers", () => {
  const STYLES =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="0000"/>' +
    '<numFmt numFmtId="166" formatCode="mmm\\ yyyy"/><numFmt numFmtId="167" formatCode="#,##0&quot; FCFA&quot;"/>' +
    `<numFmt numFmtId="168" formatCode="${"[".repeat(60_000)}"/><numFmt numFmtId="169" formatCode="00000000"/></numFmts>` +
    '<cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="166"/><xf numFmtId="167"/>' +
    '<xf numFmtId="168"/><xf numFmtId="2"/><xf numFmtId="169"/></cellXfs></styleSheet>';
  const bookOf = (head: string, ...rows: readonly string[]) =>
    workbookOf([head, ...rows], { "xl/styles.xml": STYLES });

  test("are sent as they are shown: durations, zeros, per cent, 15 digits", () => {
    const head = ["tel", "duree", "code", "part", "prix"].map(said).join("");
    const cells = `<c><v>70123456</v></c><c s="1"><v>${26.5 / 24}</v></c><c s="2"><v>42</v></c><c s="3"><v>0.1</v></c><c><v>3.3000000000000003</v></c>`;
    expect(read(bookOf(head, cells))).toEqual({
      recipients: [
        { msisdn: "70123456", attributes: { duree: "26:30", code: "0042", part: "10%", prix: "3.3" } },
      ],
      bad: [],
      formats: [],
    });
  });

  test("that are sent otherwise are told by their column, with the first line, how many they are and what is sent", () => {
    const head = ["tel", "mois", "dette", "autre"].map(said).join("");
    const row =
      '<c><v>70123456</v></c><c s="4"><v>46357</v></c><c s="5"><v>25000</v></c><c s="6"><v>7</v></c>';
    expect(read(bookOf(head, "<c><v>70123457</v></c>", row, row))).toMatchObject({
      formats: [
        { column: "mois", rows: 2, line: 3, sent_as: "12/2026", format: "mmm\\ yyyy" },
        { column: "dette", rows: 2, line: 3, sent_as: "25000", format: '#,##0" FCFA"' },
        { column: "autre", rows: 2, line: 3, sent_as: "7" },
      ],
    });
  });

  test("that are phone numbers have the zeros that are shown, and are read as they are kept where they are shown as none", () => {
    const rows = [
      '<c s="8"><v>5112233</v></c>',
      '<c s="7"><v>70123456</v></c>',
      '<c s="3"><v>70123457</v></c>',
    ];
    const isNumber = (text: string) => /^\d{8}$/.test(text);
    expect(read(bookOf(said("tel"), ...rows), isNumber)).toMatchObject({
      recipients: ["05112233", "70123456", "70123457"].map((msisdn) => ({ msisdn })),
      formats: [],
    });
  });
});

describe("the alphabet of a file", () => {
  const rows = Array.from({ length: 50 }, (_, at) => `701234${at + 10};Zoé`);
  const file = (lines: readonly string[]) => Buffer.from(["msisdn;prénom", ...lines].join("\n"));
  /** A file of UTF-8 with one octet of another program in its third line. */
  const broken = Buffer.concat([
    file(rows.slice(0, 1)),
    Buffer.from("\n70123499;Zo\xe9\n", "latin1"),
    Buffer.from(rows.slice(1).join("\n")),
  ]);
  const CAUSE = { code: "CHARACTER_LOST", params: { column: "prénom" } };

  test.each([
    ["", broken],
    [" and a mark in front", Buffer.concat([Buffer.from("\ufeff"), broken])],
  ])("is UTF-8 though an octet of it is broken%s, and its row is told", (_, bytes) => {
    expect(read(bytes)).toEqual({
      recipients: rows.map((row) => ({ msisdn: row.slice(0, 8), attributes: { prénom: "Zoé" } })),
      bad: [{ line: 3, cause: CAUSE }],
      formats: [],
    });
  });

  test("is Windows-1252 where next to nothing is UTF-8, as «CAFÉ» between such marks is by chance", () => {
    const text = ["msisdn;prénom", "70123456;Zoé", "70123457;Éric dit «CAFÉ»"].join("\n");
    expect(valuesIn(Buffer.from(text, "latin1"))).toEqual([{ prénom: "Zoé" }, { prénom: "Éric dit «CAFÉ»" }]);
  });

  test("is none that the name of a column can be read in: that is told, and not that the column is not there", () => {
    const bytes = Buffer.concat([
      Buffer.from("\ufeffmsisdn;pr"),
      Buffer.from([0xe9]),
      Buffer.from("nom\n70123456;Zoé\n"),
    ]);
    expect(read(bytes)).toEqual(
      phrase("refusal.INVALID_FILE.column_lost", { line: 1, column: 2, name: "pr\ufffdnom" }),
    );
  });
});

test("a text that a file of ours guards from spreadsheets comes back as it was, and nobody else's is changed", () => {
  const dit = "Bonjour, -10 %\n- ce soir";
  const heads = ["Ligne du fichier", "reason_code", "bendre_row", "tel", "dit"];
  const ours = renderSheetHead("fr", [heads]) + renderSheetLines("fr", [["2", "", "", "70123456", dit]]);
  expect(ours).toContain("Bonjour, '-10 %");
  expect(valuesIn(ours)).toEqual([{ dit }]);
  expect(valuesIn("tel;dit\n70123456;Bonjour, '-10 %\n")).toEqual([{ dit: "Bonjour, '-10 %" }]);
});

describe("the separator of a file", () => {
  const AWA = [{ msisdn: "70123456", attributes: { nom: "Awa" } }];

  test.each([
    ["stands outside of quotes", '"nom";telephone;"dette, en francs"\nAwa;70123456;\n', AWA],
    [
      "cuts all rows alike",
      "nom;telephone;dette, en francs\nAwa;70123456;\nAwa;70123456;\n",
      [...AWA, ...AWA],
    ],
    ["is no comma of a text in every row", "telephone;nom\n70123456;Awa\n70123456;Awa\n", [...AWA, ...AWA]],
    ["is the comma where semicolons are of texts", 'telephone,nom,"x;y"\n70123456,Awa\n', AWA],
    ["is the tab among both", "telephone\tnom\t\n70123456\tAwa\t\n", AWA],
  ])("%s", (_, text, recipients) => {
    expect(read(text)).toMatchObject({ recipients, bad: [] });
  });

  test("is found though the first name has a comma in quotes", () => {
    expect(read('"Nom, prénom";telephone;nom\n"Traoré, Awa";70123456;Awa\n')).toMatchObject({
      recipients: [{ msisdn: "70123456", attributes: { "Nom,_prénom": "Traoré, Awa", nom: "Awa" } }],
    });
    expect(read("Nom, prénom;telephone\nTraoré, Awa;70123456\nSalif;70123457\n")).toMatchObject({
      recipients: [{ msisdn: "70123456" }, { msisdn: "70123457" }],
    });
  });
});
