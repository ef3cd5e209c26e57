import { describe, expect, test } from "vitest";
import { type ReadOptions, readRecipients } from "../../../src/domain/imports/spreadsheet.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { said, workbookOf, zipOf } from "./workbook-of.ts";

const OPTIONS: ReadOptions = { column: null, isNumber: (text) => /^\+?[\d ]{8,}$/.test(text) };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(file: string | Uint8Array, options: Partial<ReadOptions> = {}) {
  const bytes = typeof file === "string" ? bytesOf(file) : file;
  const outcome = readRecipients(bytes, { ...OPTIONS, ...options });
  if (!outcome.ok) return outcome.refusal.detail;
  const { columns: _, formats: __, titles: ____, bad, ...read } = outcome.value;
  return { ...read, bad: bad.map(({ cells: ___, ...told }) => told) };
}

const AWA = { msisdn: "70123456", attributes: { prenom: "Awa" } };

describe("CSV", () => {
  test.each([
    ["commas", "numero,prenom\n70123456,Awa\n"],
    ["semicolons, as spreadsheets in French write", "prenom;Téléphone\r\nAwa;70123456\r\n"],
    ["tabs", "Phone number\tprenom\n70123456\tAwa"],
    ["quotes, and the apostrophe that keeps digits", 'prenom,MSISDN\n"Awa","\'70123456"'],
    ["a byte order mark", "\ufeffmsisdn;prenom\n70123456;Awa"],
  ])("with %s", (_, text) => {
    expect(read(text)).toMatchObject({ recipients: [AWA], lines: [2], bad: [] });
  });

  test("the line by which Excel is told the separator is none of the file's names", () => {
    expect(read("sep=;\r\nprenom;msisdn\r\nAwa;70123456\r\n")).toMatchObject({
      recipients: [AWA],
      lines: [3],
    });
    expect(read(Buffer.from("\ufeffsep=;\r\nprenom;msisdn\r\nAwa;70123456", "utf16le"))).toMatchObject({
      recipients: [AWA],
    });
  });

  test("what we put before the columns of a file that comes back fills in no text", () => {
    const heads = ["Place dans le lot", "Ligne du fichier", "reason_code", "Motif", "bendre_row"];
    expect(read(`${heads.join(";")};msisdn;prenom\n1;2;ANY;pourquoi;;70123456;Awa\n`)).toMatchObject({
      recipients: [AWA],
    });
    // Whoever moved the ids to the end keeps their own columns.
    expect(read("msisdn;prenom;bendre_row\n70123456;Awa;\n")).toMatchObject({ recipients: [AWA] });
    // A column of their own that is called so is theirs.
    expect(read("msisdn;Motif du non-envoi\n70123456;Awa\n")).toMatchObject({
      recipients: [{ attributes: { "Motif_du_non-envoi": "Awa" } }],
    });
  });

  test("a quote that is not closed refuses the file, and its line is named", () => {
    const text = 'msisdn;nom\n70123456;"Awa"\n70123457;"Salif\n70123458;Fati\n';
    expect(read(text)).toEqual(phrase("refusal.INVALID_FILE.quote_open", { line: 3 }));
  });

  test.each([
    ["UTF-16, little end first", Buffer.from("\ufeffnuméro\tprenom\n70123456\tAwa", "utf16le")],
    ["UTF-16, big end first", Buffer.from("\ufeffnuméro\tprenom\n70123456\tAwa", "utf16le").swap16()],
    ["Windows-1252", Buffer.from("num\xe9ro;prenom\n70123456;Awa", "latin1")],
  ])("in %s", (_, bytes) => {
    expect(read(bytes)).toMatchObject({ recipients: [AWA] });
  });

  test("each row that is no recipient is named with its line and its cause", () => {
    const rows = [
      "msisdn;nom",
      "70123456;A",
      ";B",
      "7,6E+07;C",
      "22670123456,00;D",
      "demain;E",
      '70123457;"F\nG"',
      "70123458;H;surplus",
      "70123459",
    ];
    expect(read(rows.join("\n"))).toEqual({
      recipients: [
        { msisdn: "70123456", attributes: { nom: "A" } },
        { msisdn: "70123457", attributes: { nom: "F\nG" } },
        { msisdn: "70123459" },
      ],
      count: 3,
      lines: [2, 7, 10],
      origins: new Map(),
      bad: [
        { line: 3, cause: { code: "NO_NUMBER", params: {} } },
        { line: 4, cause: { code: "NUMBER_SHORTENED", params: { written: "7,6E+07" } } },
        { line: 5, cause: { code: "NUMBER_WITH_DECIMALS", params: { written: "22670123456,00" } } },
        { line: 6, cause: { code: "NOT_A_NUMBER", params: { written: "demain" } } },
        { line: 9, cause: { code: "TOO_MANY_CELLS", params: { cells: 3, columns: 2 } } },
      ],
    });
  });

  test("columns are named as tags can be, and a reference is one of the recipient", () => {
    const file = "Numéro de téléphone,Prénom client,client_reference\n70123456,Awa,c-1";
    expect(read(file)).toMatchObject({
      recipients: [{ msisdn: "70123456", attributes: { Prénom_client: "Awa" }, client_reference: "c-1" }],
    });
  });

  test("a file without names is a list of numbers", () => {
    expect(read("70123456\n70123457\n")).toMatchObject({
      recipients: [{ msisdn: "70123456" }, { msisdn: "70123457" }],
    });
  });

  test("the column of the numbers is asked for where it is not clear, and may be said", () => {
    expect(read("tel,mobile\n70123456,70123457")).toEqual(
      phrase("refusal.INVALID_FILE.column_which", { columns: '"tel", "mobile"' }),
    );
    expect(read("tel,mobile\n70123456,70123457", { column: "Mobile" })).toMatchObject({
      recipients: [{ msisdn: "70123457", attributes: { tel: "70123456" } }],
    });
    expect(read("a,b\nx,y")).toEqual(phrase("refusal.INVALID_FILE.column_unnamed", { columns: '"a", "b"' }));
    expect(read("msisdn,nom\n70123456,A", { column: "telphone" })).toEqual(
      phrase("refusal.INVALID_FILE.column_unknown", { name: "telphone", columns: '"msisdn", "nom"' }),
    );
    expect(read("msisdn,nom,nom\n70123456,A,B")).toEqual(
      phrase("refusal.INVALID_FILE.column_twice", { name: "nom" }),
    );
  });

  test("a hundred thousand recipients are read, one more is not; nobody is none", () => {
    const many = (count: number) => `msisdn\n${"70123456\n".repeat(count)}`;
    expect(read(many(100_000))).toMatchObject({ bad: [] });
    expect(read(many(100_001))).toEqual(phrase("refusal.INVALID_FILE.recipients", { most: 100_000 }));
    expect(read("msisdn,nom\n")).toEqual(phrase("refusal.INVALID_FILE.no_recipients"));
  });
});

describe("what spreadsheets do to numbers", () => {
  const isNumber = (text: string) => /^0[1-7]\d{6}$/.test(text);

  test("a number that a zero before it would complete lacks a digit: which one, nobody guesses", () => {
    expect(read("tel\n5112233\n9112233\n05112233\n", { isNumber })).toEqual({
      recipients: [{ msisdn: "05112233" }],
      count: 1,
      lines: [4],
      origins: new Map(),
      bad: [
        { line: 2, cause: { code: "DIGIT_MISSING", params: { written: "5112233" } } },
        { line: 3, cause: { code: "NOT_A_NUMBER", params: { written: "9112233" } } },
      ],
    });
  });

  test("the mark of a text before digits or a sign is no part of a value; before a word it is", () => {
    const text = "tel;dette;lieu\n'05112233;'-5;'s Hertogenbosch\n";
    const attributes = { dette: "-5", lieu: "'s Hertogenbosch" };
    expect(read(text, { isNumber })).toMatchObject({ recipients: [{ msisdn: "05112233", attributes }] });
  });
});

describe("workbooks", () => {
  test("numbers, texts in one place or in runs, dates and true or false are read as people wrote them", () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\/mm\\/yyyy;@"/><numFmt numFmtId="165" formatCode="[Red]0&quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const shared =
      "<sst><si><t>numero</t></si><si><r><t>Fatou </t></r><r><t>&amp; Awa</t></r><rPh><t>x</t></rPh></si><si/></sst>";
    const rows = [
      `<c r="A1" t="s"><v>0</v></c>${["nom", "jour", "heure", "dette", "ok", "jours"].map(said).join("")}`,
      '<c r="A2"><v>2.2670123456E10</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" s="1"><v>46357</v></c>' +
        '<c r="D2" s="2"><v>46357.354166666664</v></c><c r="E2"><v>12.5</v></c><c r="F2" t="b"><v>1</v></c><c r="G2" s="3"><v>3</v></c>',
    ];
    const book = workbookOf(rows, { "xl/styles.xml": styles, "xl/sharedStrings.xml": shared });
    expect(read(book)).toMatchObject({
      recipients: [
        {
          msisdn: "22670123456",
          attributes: {
            nom: "Fatou & Awa",
            jour: "01/12/2026",
            heure: "01/12/2026 08:30",
            dette: "12.5",
            ok: "true",
            jours: "3",
          },
        },
      ],
      lines: [2],
    });
  });

  test("places are kept where cells are left out, and a formula that failed is named", () => {
    const rows = [
      said("nom") + said("x") + said("tel"),
      '<c r="C2"><v>70123456</v></c>',
      "",
      '<c r="C4" t="e"><v>#N/A</v></c>',
    ];
    expect(read(workbookOf(rows))).toEqual({
      recipients: [{ msisdn: "70123456" }],
      count: 1,
      lines: [2],
      origins: new Map(),
      bad: [{ line: 4, cause: { code: "FORMULA_FAILED", params: { result: "#N/A" } } }],
    });
  });

  test("one that unpacks to more than it may is refused before it is unpacked, whatever sizes it tells", () => {
    const bomb = workbookOf([said("tel"), said("7".repeat(30_000_000))]);
    expect(bomb.length).toBeLessThan(100_000);
    // The sizes that it tells: little.
    const lying = Buffer.from(bomb);
    for (let at = lying.indexOf("PK\x01\x02"); at >= 0; at = lying.indexOf("PK\x01\x02", at + 4)) {
      lying.writeUInt32LE(100, at + 24);
    }
    for (const file of [bomb, lying]) {
      expect(read(file, { mostUnpackedBytes: 1_000_000 })).toEqual(
        phrase("refusal.INVALID_FILE.workbook", { why: phrase("fault.workbook.large") }),
      );
    }
  });

  test("what is no workbook says so", () => {
    expect(read(zipOf({ mimetype: "application/vnd.oasis" }))).toEqual(
      phrase("refusal.INVALID_FILE.workbook", { why: phrase("fault.workbook.none") }),
    );
    expect(read(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toEqual(phrase("refusal.INVALID_FILE.old"));
    const book = workbookOf([said("tel")]);
    expect(read(book.subarray(0, book.length - 30))).toMatchObject({ code: "refusal.INVALID_FILE.workbook" });
    for (let cut = 0; cut < book.length; cut += 7) {
      const broken = Buffer.from(book);
      broken.fill(0xff, cut, Math.min(cut + 7, broken.length));
      expect(read(broken)).toBeTypeOf("object");
    }
  });
});
