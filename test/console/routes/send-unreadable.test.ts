/** Rows of a file that cannot be read, over HTTP: what is known of them once the batch is paid. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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

describe("rows that cannot be read", () => {
  const SPOILT = latin1(
    "nom;tel;dette\r\nAwa;05112233;7\r\nAli;5112244;9\r\nEve;7,6E+07;1\r\nIda;70112233;2\r\n",
  );
  const BODY = "Bonjour {nom}, {dette} F";
  const sent = async (message_class = "TRANSACTIONAL") => {
    const { json } = await bring(SPOILT);
    const wanted = { ...BATCH, body: BODY, message_class, file: json.file_id, key: KEY };
    return String((await ask("POST", `/send/${account}`, wanted)).json.batch_id);
  };
  const fileOf = async (batch: string, as = cookie) =>
    (await ask("GET", `/batches/${batch}/left-out.csv`, undefined, as)).text;

  test("stay with the batch, are counted, and are a file that is corrected and brought again", async () => {
    const batch = await sent();
    const { json } = await ask("GET", `/batches/${batch}`);
    expect(json).toMatchObject({
      accepted: 1,
      rejected: 1,
      unreadable: 2,
      rejections_by_reason: { UNROUTABLE_PREFIX: 1 },
      unreadable_rows: [
        {
          line: 3,
          cause: expect.stringContaining("il manque un chiffre à «\u00a05112244\u00a0» (7 au lieu de 8)"),
        },
        {
          line: 4,
          cause:
            "Excel a abrégé ce numéro en 7,6E+07, ses autres chiffres sont perdus\u00a0: mettez la cellule au format Texte et retapez le numéro",
        },
      ],
    });
    const file = await fileOf(batch);
    expect(file.split("\r\n").map((line) => line.replace(/;".*";/, ";…;"))).toEqual([
      "\ufeffPlace dans le lot;Ligne du fichier;reason_code;Motif du non-envoi;bendre_row;numéro;nom;dette;client_reference",
      `1;5;NUMERO_NON_DESSERVI;Aucun opérateur d’ici ne dessert ce numéro;${batch}-5;'+22670112233;;;`,
      `;3;LIGNE_ILLISIBLE;…;${batch}-3;5112244;Ali;9;`,
      expect.stringContaining(";4;LIGNE_ILLISIBLE;"),
      "",
    ]);
    const corrected = file.replace(";5112244;", ";05112244;");
    expect((await bring(new TextEncoder().encode(corrected))).json).toMatchObject({
      first: [{ msisdn: "+22670112233" }, { msisdn: "+22605112244", attributes: { nom: "Ali", dette: "9" } }],
    });
  });

  test("are found by the number that they would be, with and without the zero that was lost", async () => {
    const batch = await sent();
    for (const typed of ["05112244", "5112244", "+226 05 11 22 44"]) {
      const { json } = await ask("GET", `/search?q=${encodeURIComponent(typed)}`);
      expect(json.hits).toContainEqual(
        expect.objectContaining({ kind: "left out", id: batch, reason: "UNREADABLE_ROW" }),
      );
      const page = await ask("GET", `/left-out?number=${encodeURIComponent(typed)}`);
      expect(page.json.left_out).toMatchObject([
        { batch_id: batch, line: 3, index: null, cause: expect.stringContaining("il manque un chiffre") },
      ]);
    }
    const other = await place.admin.account();
    const stranger = (await place.entered("eve@example.bf", "ACCOUNT_READER", other)).cookie;
    expect((await ask("GET", "/search?q=05112244", undefined, stranger)).json.hits).toMatchObject([
      { kind: "number" },
    ]);
    expect((await ask("GET", `/batches/${batch}/left-out.csv`, undefined, stranger)).status).toBe(404);
  });

  test("show staff what stands in the place of the number, and nothing of what the text would have said", async () => {
    const batch = await sent();
    const staff = await sending.entered("support@example.bf", "SUPPORT", null);
    const file = await fileOf(batch, staff);
    expect(file).toContain(";5112244;");
    // The columns are named, so that whoever knows the values can add them; what stood in them is not told.
    expect(file).toContain(";numéro;nom;dette;client_reference");
    expect(file).not.toMatch(/Ali|;9;/);
  });

  test("said again under the key of the form are not kept twice, and those of a refused batch not at all", async () => {
    await sent();
    await sent();
    const kept = () => place.context.store.read.all("SELECT * FROM import_rows");
    expect(kept()).toHaveLength(2);
    const { json } = await bring(SPOILT);
    const poor = { ...BATCH, sender: "OTHER", file: json.file_id, key: "fedcba9876543210" };
    expect((await ask("POST", `/send/${account}`, poor)).status).toBe(409);
    expect(kept()).toHaveLength(2);
  });

  test("beyond those that one transaction writes are kept too", async () => {
    const rows = Array.from({ length: 900 }, () => "Ali;51122;9");
    const { json } = await bring(latin1(["nom;tel;dette", "Awa;05112233;7", ...rows, ""].join("\r\n")));
    const wanted = { ...BATCH, file: json.file_id, key: KEY };
    const batch = String((await ask("POST", `/send/${account}`, wanted)).json.batch_id);
    const { json: shown } = await ask("GET", `/batches/${batch}`);
    expect(shown.unreadable).toBe(900);
    expect((shown.unreadable_rows as unknown[]).length).toBe(20);
    expect((await fileOf(batch)).split("\r\n")).toHaveLength(902);
  });

  test("that repeat a number whose first row was refused are in the batch's file with it", async () => {
    const twice = latin1("nom;tel\r\nAwa;70112233\r\nEve;05112233\r\nAli;70112233\r\nIda;05112233\r\n");
    const { json } = await bring(twice);
    const wanted = { ...BATCH, body: "Bonjour {nom}", file: json.file_id, key: KEY };
    const batch = String((await ask("POST", `/send/${account}`, wanted)).json.batch_id);
    const file = await fileOf(batch);
    expect(file.split("\r\n").map((line) => line.split(";").slice(0, 3).join())).toEqual([
      expect.stringContaining("Place dans le lot"),
      ...["0,2,NUMERO_NON_DESSERVI", "2,4,DOUBLON_D_UN_REFUS", "3,5,DOUBLON", ""],
    ]);
  });

  test("that repeat a number which got the text are named with the row that counted, and are never paid again as they are", async () => {
    const debts = latin1("nom;tel;dette\r\nHerv\xe9;05112233;22000\r\nHerv\xe9;05 11 22 33;32000\r\n");
    const { json } = await bring(debts);
    const wanted = { ...BATCH, body: BODY, file: json.file_id, key: KEY };
    const batch = String((await ask("POST", `/send/${account}`, wanted)).json.batch_id);
    const { json: shown } = await ask("GET", `/batches/${batch}`);
    expect(shown).toMatchObject({
      accepted: 1,
      rejected: 1,
      unreadable: 0,
      unreadable_rows: [],
      repeated_rows: [
        { line: 3, cause: "le numéro est déjà à la ligne 2, avec une autre valeur dans dette" },
      ],
    });
    const file = await fileOf(batch);
    expect(file.split("\r\n")[1]).toBe(
      `1;3;DOUBLON;le numéro est déjà à la ligne 2, avec une autre valeur dans dette;${batch}-3;05 11 22 33;Hervé;32000;`,
    );
    // As it is, the row is left out, by whichever door it comes; with its code taken out it is sent.
    const quoteOf = async (rows: string) => {
      const { json: again } = await bring(new TextEncoder().encode(rows));
      expect(again).toMatchObject({ bad: 0, of_batch: batch });
      return (await ask("POST", `/send/${account}/quote`, { ...BATCH, body: BODY, file: again.file_id }))
        .json;
    };
    expect(await quoteOf(`${file};4;;;;05112244;Eve;1;\r\n`)).toMatchObject({
      accepted: 1,
      rejected: 1,
      rejections_by_reason: { SERVED_BEFORE: 1 },
      earlier: { fresh: 1, served: { rows: 1 } },
    });
    expect(await quoteOf(file.replace("DOUBLON", ""))).toMatchObject({
      accepted: 1,
      first: [{ text: "Bonjour Hervé, 32000 F" }],
      earlier: { unlocked: 1 },
    });
    // Staff see which rows, and nothing of what stood in them.
    const staff = await fileOf(batch, await sending.entered("support@example.bf", "SUPPORT", null));
    expect(staff).toContain(";3;DOUBLON;");
    expect(staff).not.toMatch(/Hervé|32000/);
  });

  test("are among those that the list of batches says were not sent", async () => {
    const batch = await sent();
    const { batches } = (await ask("GET", "/batches")).json as { batches: unknown[] };
    expect(batches).toMatchObject([{ batch_id: batch, rejected: 1, unreadable: 2 }]);
  });
});
