/** Recipients of a file that were rejected, over HTTP: their line and what stood beside their number stay with the batch. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eraseRows } from "../../../src/domain/messages/import-rows.ts";
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
  "nom;tel;dette;ville\r\nAwa;05112233;7;Ouaga\r\n;05112244;9;Bobo\r\nEve;7,6E+07;1;\r\nIda;70112233;2;\r\nAli;05112233;3;\r\n",
);
const BODY = "Bonjour {nom}, {dette} F";

async function sent(isQuoted = true): Promise<string> {
  const { json } = await sending.bring(CLIENTS);
  const wanted = { ...BATCH, body: BODY, missing_attributes: "reject", file: json.file_id };
  if (isQuoted) await ask("POST", `/send/${account}/quote`, wanted);
  return String((await ask("POST", `/send/${account}`, { ...wanted, key: KEY })).json.batch_id);
}

const fileOf = async (batch: string, as?: string) =>
  (await ask("GET", `/batches/${batch}/left-out.csv`, undefined, as)).text;
const startsOf = (file: string) =>
  file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, "…").split(";"))
    .map(([index, line, , , , ...rest]) => [index, line, ...rest].join(";"));

describe("rejected rows", () => {
  test("are in the batch's file with their line and what the text asks for, and come back with it", async () => {
    const batch = await sent();
    const file = await fileOf(batch);
    expect(startsOf(file)).toEqual([
      "1;3;'+22605112244;;9;",
      "2;5;'+22670112233;Ida;2;",
      // A number that repeats the one that got it, and a row that nobody could read.
      "3;6;'05112233;Ali;3;",
      ";4;7,6E+07;Eve;1;",
    ]);
    const again = await sending.bring(
      new TextEncoder().encode(file.replace("'+22605112244;;9", "'+22605112244;Léa;9")),
    );
    expect((again.json.first as Json[])[0]).toMatchObject({
      msisdn: "+22605112244",
      attributes: { nom: "Léa", dette: "9" },
    });
    // No column that the text does not ask for is kept.
    expect(JSON.stringify(place.context.store.read.all("SELECT * FROM import_rows"))).not.toContain("Bobo");
  });

  test("are told once: as rejected, and not among those that nobody could read", async () => {
    const batch = await sent();
    const { json } = await ask("GET", `/batches/${batch}`);
    expect(json).toMatchObject({ rejected: 3, unreadable: 1, unreadable_rows: [{ line: 4 }] });
    expect(json.unreadable_rows).toHaveLength(1);
    const { json: left } = await ask("GET", "/left-out?number=70112233");
    expect(left.left_out).toMatchObject([{ reason_code: "UNROUTABLE_PREFIX", index: 2 }]);
    expect(left.left_out).toHaveLength(1);
  });

  test("are found by a name, with why they were rejected", async () => {
    const batch = await sent();
    const { json } = await ask("GET", "/left-out/rows?typed=ida");
    expect(json.rows).toMatchObject([
      { batch_id: batch, line: 5, cause: expect.stringContaining("opérateur") },
    ]);
    const { json: own } = await ask("GET", `/batches/${batch}/rows?row=ida`);
    expect(own.rows).toMatchObject([
      { index: 2, line: 5, code: "UNROUTABLE_PREFIX", values: { nom: "Ida" } },
    ]);
  });

  test("show staff their line, and nothing of what the text would have said", async () => {
    const batch = await sent();
    const staff = await sending.entered("support@example.bf", "SUPPORT", null);
    expect(startsOf(await fileOf(batch, staff))[1]).toBe("2;5;'+22670112233;;;");
  });

  test("keep neither number nor name once the number is erased, and become no unreadable row", async () => {
    const batch = await sent();
    const { store } = place.context;
    const row = store.read.get<{ batchId: number }>(
      "SELECT batch_id AS batchId FROM import_rows WHERE line = 5",
    );
    await store.write((tx) => eraseRows(tx, { name: "gone" }, [{ batchId: row!.batchId, line: 5 }]));
    expect(await fileOf(batch)).not.toContain("Ida");
    const { json } = await ask("GET", `/batches/${batch}`);
    expect(json.unreadable_rows).toHaveLength(1);
    expect((await ask("GET", "/left-out/rows?typed=ida")).json.rows).toEqual([]);
  });

  test("that nobody quoted have their line and their number alone", async () => {
    expect(startsOf(await fileOf(await sent(false))).slice(0, 2)).toEqual([
      "1;3;'+22605112244;;;",
      "2;5;'+22670112233;;;",
    ]);
  });
});
