/** Sending from the console, over HTTP: files that people have, what they would cost, and sending once. */
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bookOf, said, workbookOf, zipOf } from "../../domain/imports/workbook-of.ts";
import { processWorkedMs } from "../../fuzz/search.ts";
import { BATCH, KEY, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let place: SendFixture["place"];
let account: string;
let cookie: string;
let ask: SendFixture["ask"];
let bring: SendFixture["bring"];
beforeEach(async () => {
  sending = await sendFixture();
  ({ place, account, cookie, ask, bring } = sending);
});
afterEach(() => place.close());

const CSV = latin1(
  "Pr\xe9nom;T\xe9l\xe9phone;Solde\r\nAwa;05112233;1500\r\nFran\xe7oise;7,6E+07;20\r\nSalif;05112244;300\r\nIdrissa;demain;1\r\n",
);

/** Why requests were refused, as the audit has it. */
async function refusedFiles(): Promise<unknown[]> {
  // Behind a write that came later they are all there.
  await place.context.store.write(() => {});
  return place
    .audits()
    .filter(({ action }) => action === "request refused")
    .map(({ detail }) => (JSON.parse(detail) as { cause: unknown }).cause);
}

describe("a file", () => {
  test("as French Excel writes it is told column by column, and each bad row in the reader's words", async () => {
    const { status, json } = await bring(CSV);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      headings: ["Prénom", "Téléphone", "Solde"],
      column: 1,
      tags: ["Prénom", null, "Solde"],
      recipients: 2,
      bad: 2,
      isHeadless: false,
      samples: [["Awa", "05112233", "1500"], ["Françoise", "7,6E+07", "20"], expect.anything()],
      bad_rows: [
        { line: 3, cause: expect.stringContaining("Excel a abrégé ce numéro en 7,6E+07") },
        { line: 5, cause: expect.stringContaining("n’est pas un numéro") },
      ],
      first: [{ msisdn: "+22605112233", attributes: { Prénom: "Awa", Solde: "1500" } }, expect.anything()],
    });
    const left = await ask("GET", `/send/${account}/files/${json.file_id}/left-out.csv`);
    expect(left.text.split("\r\n").length).toBe(4);
    expect(left.text).toContain("7,6E+07");
  });

  test("whose columns do not say where the numbers are is asked about, and looked at again", async () => {
    const { json } = await bring(latin1("a;b\r\nAwa;05112233\r\n"));
    expect(json).toMatchObject({ column: null, recipients: 0, headings: ["a", "b"] });
    const again = await ask("GET", `/send/${account}/files/${json.file_id}?column=1`);
    expect(again.json).toMatchObject({ column: 1, recipients: 1, tags: ["a", null] });
  });

  test("with title lines and several sheets is told as what it is, and looked at as it is chosen", async () => {
    const book = bookOf(
      ["Lisez-moi"],
      ["2026", ["Clients"], ["Prénom", "tel"], ["Awa", "05112233"], ["B", "x"]],
      ["Novembre", ["Tél", "25301122"], ["Prénom", "tel"], ["Ali", "05112244"]],
    );
    const { status, json } = await bring(book);
    expect([status, json]).toMatchObject([
      200,
      {
        sheets: ["Lisez-moi", "2026", "Novembre"],
        sheet: 1,
        heading_row: 2,
        titles: { code: "TITLE_LINES", count: 1, text: "Clients" },
        recipients: 1,
        bad: 1,
        bad_rows: [{ line: 4 }],
      },
    ]);
    const path = `/send/${account}/files/${json.file_id}`;
    const left = await ask("GET", `${path}/left-out.csv`);
    expect(left.text).toContain("bendre_row;Prénom;tel");
    const other = await ask("GET", `${path}?sheet=2&heading_row=2`);
    expect(other.json).toMatchObject({ sheet: 2, heading_row: 2, first: [{ msisdn: "+22605112244" }] });
    expect((await ask("GET", `${path}?sheet=2&heading_row=9`)).json.code).toBe("INVALID_FILE");
    expect((await ask("GET", `${path}?sheet=7`)).json.code).toBe("INVALID_FILE");
    const wanted = { ...BATCH, file: json.file_id, sheet: 2, heading_row: 2 };
    const { json: quote } = await ask("POST", `/send/${account}/quote`, wanted);
    expect(quote).toMatchObject({ accepted: 1, bad: 0, first: [{ text: "Bonjour Ali" }] });
    const sent = await ask("POST", `/send/${account}`, { ...wanted, key: KEY });
    expect(sent.status).toBe(200);
    // Its one recipient stands in row 3.
    expect(place.context.store.read.get("SELECT runs FROM imports")).toMatchObject({ runs: "[[0,3]]" });
  });

  test("is its session's alone, and can be forgotten", async () => {
    const { json } = await bring(CSV);
    const path = `/send/${account}/files/${json.file_id}`;
    const other = await sending.entered("second@example.bf");
    expect((await ask("GET", path, undefined, other)).status).toBe(404);
    expect((await ask("GET", path)).status).toBe(200);
    expect((await ask("DELETE", path)).status).toBe(200);
    expect((await ask("GET", path)).status).toBe(404);
  });

  test("of 500 MB is refused by its head alone, and stands in the audit", async () => {
    const { hostname, port } = new URL(place.origin);
    const told = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = "";
      socket.on("data", (data) => {
        text += data.toString();
        if (text.includes('"request_id"')) {
          resolve(text);
          socket.destroy();
        }
      });
      socket.on("error", reject);
      socket.write(
        `POST /console/api/send/${account}/files HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${place.origin}\r\n` +
          `Cookie: ${cookie}\r\nContent-Length: 524288000\r\n\r\n`,
      );
    });
    expect(told).toContain("413");
    expect(told).toContain("16 Mo au plus");
    expect(await refusedFiles()).toEqual(["FILE_REFUSED"]);
  });

  test("that says no length is counted as it comes, and refused above the most", async () => {
    const piece = new Uint8Array(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (out) => {
        sent += 1;
        if (sent > 500) out.close();
        else out.enqueue(piece);
      },
    });
    const answer = await fetch(`${place.origin}/console/api/send/${account}/files`, {
      method: "POST",
      headers: { cookie, origin: place.origin },
      body,
    }).catch(() => null);
    // The connection is closed while it is still being sent: not every client reads the answer then.
    expect(answer?.status ?? 413).toBe(413);
    expect(sent).toBeLessThan(100);
  });

  test.each([
    ["that unpacks to too much", workbookOf([said("tel"), said("7".repeat(80_000_000))])],
    ["whose tags never end", workbookOf([], { "xl/worksheets/sheet9.xml": "<c".repeat(2_000_000) })],
    ["that is an old workbook", latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
    ["that is an archive of something else", zipOf({ mimetype: "x" })],
    ["of a thousand columns too many", latin1(`${"a,".repeat(2000)}tel\n`)],
    ["without anything", latin1("\r\n \r\n")],
  ])(
    "%s is refused in a moment, and stands in the audit",
    async (_, bytes) => {
      const workedMs = processWorkedMs();
      const { status, json } = await bring(bytes);
      expect([status, json.code]).toEqual([422, "INVALID_FILE"]);
      expect(await refusedFiles()).toEqual(["FILE_REFUSED"]);
      expect(processWorkedMs() - workedMs).toBeLessThan(10_000);
    },
    60_000,
  );

  test.each([
    ["one text in each of its cells", sharedBomb()],
    ["entities that stand for entities", entityBomb()],
  ])(
    "with %s takes neither time nor room, and has nobody",
    async (_, bytes) => {
      const workedMs = processWorkedMs();
      const { status, text, json } = await bring(bytes);
      expect([status, json.recipients]).toEqual([200, 0]);
      expect(text.length).toBeLessThan(50_000);
      expect(processWorkedMs() - workedMs).toBeLessThan(10_000);
    },
    60_000,
  );
});

/** A text of thirty thousand characters, once, and 60,000 rows that point at it. */
function sharedBomb(): Uint8Array {
  const rows = Array.from({ length: 60_000 }, () => '<c t="s"><v>0</v></c><c t="s"><v>0</v></c>');
  rows[0] = said("tel") + said("nom");
  const long = "7".repeat(40_000);
  return workbookOf(rows, { "xl/sharedStrings.xml": `<sst><si><t>${long}</t></si></sst>` });
}

/** Billion laughs. */
function entityBomb(): Uint8Array {
  const names = "abcdefghij";
  const entities = [...names].map(
    (name, at) => `<!ENTITY ${name} "${`&${names[at - 1] ?? "x"};`.repeat(10)}">`,
  );
  const sheet = `<!DOCTYPE s [${entities.join("")}]><worksheet><sheetData><row r="1">${said("tel")}</row><row r="2">${said("&j;")}</row></sheetData></worksheet>`;
  return workbookOf([], { "xl/worksheets/sheet9.xml": sheet });
}

describe("what it would cost", () => {
  test("is told with those left out, by their line, and when it is out", async () => {
    const { json } = await bring(
      latin1(
        "nom;tel\r\nAwa;05112233\r\nA\xe7a;05112244\r\nB;70112233\r\n;05112233\r\n;x\r\nLéa;+33612345678\r\n;701234\r\n",
      ),
    );
    const wanted = { ...BATCH, body: "Bonjour {nom}", file: json.file_id };
    const { status, json: quote } = await ask("POST", `/send/${account}/quote`, wanted);
    expect([status, quote.detail]).toEqual([200, undefined]);
    expect(quote).toMatchObject({
      accepted: 2,
      rejected: 3,
      bad: 2,
      amount: 30,
      is_payable: true,
      missing: null,
      spendable_before: null,
      spendable_after: null,
      ends_at: null,
      down: [{ operator: "orange", name: "orange", is_paused: false }],
      characters: [{ character: "ç", in: "attribute:nom", messages: 1, replacement: "c" }],
      rejections_by_reason: { DUPLICATE_IN_BATCH: 1, UNROUTABLE_PREFIX: 2 },
    });
    const id = String(json.file_id);
    const left = await ask("GET", `/send/${account}/files/${id}/left-out.csv`);
    expect(left.text).toBe(
      [
        "\ufeffLigne du fichier;reason_code;Motif du non-envoi;bendre_row;nom;tel",
        `4;NUMERO_NON_DESSERVI;Aucun opérateur d’ici ne dessert ce numéro;${id}-4;B;70112233`,
        `5;DOUBLON;le numéro est déjà à la ligne 2, avec une autre valeur dans nom (Awa);${id}-5;;'05112233`,
        `6;LIGNE_ILLISIBLE;«\u00a0x\u00a0» n’est pas un numéro de téléphone;${id}-6;;x`,
        `7;NUMERO_NON_DESSERVI;indicatif d’un pays non desservi (+33);${id}-7;Léa;'+33612345678`,
        `8;LIGNE_ILLISIBLE;«\u00a0701234\u00a0» a 6 chiffres au lieu de 8;${id}-8;;701234`,
        "",
      ].join("\r\n"),
    );
  });

  test("in a file of who gets nothing, corrected, is asked again with all its columns and no more", async () => {
    const { json } = await bring(
      latin1("nom;tel;dette\r\nAwa;demain;-5\r\nB;70112233;0012\r\nC;05112244;1\r\n"),
    );
    const wanted = { ...BATCH, body: "Bonjour {nom}, {dette}", file: json.file_id };
    await ask("POST", `/send/${account}/quote`, wanted);
    const left = await ask("GET", `/send/${account}/files/${json.file_id}/left-out.csv`);
    const corrected = left.text.replaceAll("demain", "05112233").replace("70112233", "05112255");
    const again = await bring(new TextEncoder().encode(corrected));
    expect(again.json).toMatchObject({
      recipients: 2,
      bad: 0,
      first: [
        { msisdn: "+22605112233", attributes: { nom: "Awa", dette: "-5" } },
        { msisdn: "+22605112255", attributes: { nom: "B", dette: "0012" } },
      ],
    });
    const second = await ask("GET", `/send/${account}/files/${again.json.file_id}/left-out.csv`);
    expect(second.text).toBe(
      "\ufeffLigne du fichier;reason_code;Motif du non-envoi;bendre_row;nom;tel;dette\r\n",
    );
  });

  test("to an English reader: commas, and a file without names gets one for its numbers", async () => {
    const { json } = await bring(latin1("05112233,Awa\r\n123,Salif\r\n"));
    const left = await ask("GET", `/send/${account}/files/${json.file_id}/left-out.csv`, undefined, cookie, {
      "accept-language": "en",
    });
    expect(left.text).toBe(
      [
        "\ufeffLine in the file,reason_code,Why it was not sent,bendre_row,number,column 2",
        `2,UNREADABLE_ROW,"""123"" has 3 digits instead of 8",${String(json.file_id)}-2,123,Salif`,
        "",
      ].join("\r\n"),
    );
    const again = await bring(new TextEncoder().encode(left.text.replace(",123,", ",05112244,")));
    expect(again.json).toMatchObject({ recipients: 1, bad: 0, first: [{ msisdn: "+22605112244" }] });
  });

  test("names tags that are empty for some, with the first lines", async () => {
    const rows = Array.from({ length: 8 }, (_, at) => `${at % 4 === 0 ? "Awa" : ""};0511${2200 + at}`);
    const { json } = await bring(latin1(["prénom;tel", ...rows, ""].join("\r\n")));
    const wanted = { ...BATCH, body: "Bonjour {prénom} de {ville}", file: json.file_id };
    const { json: quote } = await ask("POST", `/send/${account}/quote`, wanted);
    expect(quote.gaps).toEqual([
      { tag: "ville", rows: 8, lines: [2, 3, 4, 5, 6] },
      { tag: "prénom", rows: 6, lines: [3, 4, 5, 7, 8] },
    ]);
    const plain = await ask("POST", `/send/${account}/quote`, { ...wanted, body: "Bonjour" });
    expect(plain.json.gaps).toEqual([]);
  });

  test("names tags whose dates a spreadsheet rewrote, with a row of each way", async () => {
    const { json } = await bring(
      latin1("Échéance;tel\r\n30/11;05112233\r\n30-nov;05112244\r\n05/12;05112255\r\n"),
    );
    const wanted = { ...BATCH, body: "Payez avant le {Échéance}", file: json.file_id };
    const { json: quote } = await ask("POST", `/send/${account}/quote`, wanted);
    expect(quote.dates).toEqual([
      { tag: "Échéance", usual: { value: "30/11", line: 2 }, other: { value: "30-nov", line: 3 } },
    ]);
    const plain = await ask("POST", `/send/${account}/quote`, { ...wanted, body: "Bonjour" });
    expect(plain.json.dates).toEqual([]);
  });

  test("is no more known of a file that went", async () => {
    const wanted = { ...BATCH, file: "01K00000000000000000000000" };
    expect((await ask("POST", `/send/${account}/quote`, wanted)).status).toBe(404);
  });
});

describe("sending", () => {
  test("twice under the key of one form is sending once, also when two presses meet", async () => {
    const { json } = await bring(CSV);
    const wanted = { ...BATCH, file: json.file_id, key: KEY };
    const [one, two] = await Promise.all([
      ask("POST", `/send/${account}`, wanted),
      ask("POST", `/send/${account}`, wanted),
    ]);
    const third = await ask("POST", `/send/${account}`, wanted);
    const batches = place.context.store.read.all<{ ulid: string; accepted: number }>(
      "SELECT ulid, accepted FROM batches",
    );
    expect(batches).toEqual([{ ulid: third.json.batch_id as string, accepted: 2 }]);
    expect([one, two].some(({ json: { batch_id } }) => batch_id === third.json.batch_id)).toBe(true);
    expect(third.json.is_replayed).toBe(true);
    const reused = await ask("POST", `/send/${account}`, { ...wanted, body: "Another" });
    expect([reused.status, reused.json.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    const line = place.audits().findLast(({ action }) => action === "batch send");
    expect(line?.actor).toContain("salif@example.bf");
  });

  test("the same file brought again under the same key is the same batch", async () => {
    const first = await bring(CSV);
    const sent = await ask("POST", `/send/${account}`, { ...BATCH, file: first.json.file_id, key: KEY });
    const second = await bring(CSV);
    const again = await ask("POST", `/send/${account}`, { ...BATCH, file: second.json.file_id, key: KEY });
    expect(again.json).toEqual({ batch_id: sent.json.batch_id, is_replayed: true });
  });
});
