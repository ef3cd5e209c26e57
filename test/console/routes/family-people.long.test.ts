/** Everybody of a file and its corrections, each once: the page and the file of one line a person come to the same. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Corrections, correctionsFixture } from "./corrections-fixture.ts";
import type { Json, SendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let bosses = 0;
let first: string;
let { became, sent, wantedOf, order } = {} as Corrections;

beforeEach(async () => {
  ({ sending, first, became, sent, wantedOf, order } = await correctionsFixture());
});
afterEach(() => sending.place.close());

/** The lines of a French file, by the names of its columns. */
function linesIn(text: string): Record<string, string>[] {
  const [head = "", ...lines] = text.replace("\ufeff", "").trimEnd().split("\r\n");
  const heads = head.split(";");
  return lines.map((line) =>
    Object.fromEntries(line.split(";").map((cell, place) => [heads[place] ?? "", cell.replace(/^'/, "")])),
  );
}

async function fileOf(batch: string): Promise<Record<string, string>[]> {
  bosses += 1;
  const { get } = await sending.place.entered(`boss${bosses}@example.bf`, "ACCOUNT_ADMIN", sending.account);
  const { json } = await get(`/api/batches/${batch}/people.csv`, { "accept-language": "fr" });
  return linesIn(String(json.text));
}

async function togetherOf(batch: string): Promise<Json> {
  return (await sending.ask("GET", `/batches/${batch}/report`)).json.together as Json;
}

/** A correction that fails for one, reaches one, and has a row that nobody can read and a number that nobody serves. */
async function corrected(): Promise<string> {
  const added = ["Ida;05110004", "Zoe;51", "Max;+33612345678"].map((row) => row.split(";"));
  const rows = added.map(([name, number]) => `;;;;;${number};${name};\r\n`).join("");
  const second = await sentCorrected(first, (file) => file.replace(";511000;", ";05110007;") + rows);
  await became(second, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  await became(second, "05110007", "DELIVERED");
  return second;
}

test("the file has a line for each person, and its states come to what the page says", async () => {
  const second = await corrected();
  const lines = await fileOf(second);
  const count = (has: string) => lines.filter((line) => line["A le texte"] === has).length;
  const together = await togetherOf(second);
  expect(together).toMatchObject({ people: 5, reached: 2, under_way: 0, nothing: 3, never_sent: 2 });
  expect([lines.length, count("Oui"), count("En cours"), count("Non")]).toEqual([5, 2, 0, 3]);
  const states = (state: string) => lines.filter((line) => line.État === state).length;
  expect([states("Livré"), states("Échoué"), states("Non envoyé")]).toEqual([2, 1, 2]);
  expect(await fileOf(first)).toEqual(lines);
});

test("tags that are called as what every object has are columns like any other, in both files", async () => {
  const body = "Bonjour {nom} {constructor}, {__proto__}.";
  const wanted = { ...(await wantedOf(["Awa;05110008", "Bob;51"])), body, missing_attributes: "empty" };
  const { json } = await order(wanted, "90000000");
  const { get } = await sending.place.entered("tags@example.bf", "ACCOUNT_ADMIN", sending.account);
  for (const file of ["people.csv", "left-out.csv"]) {
    const answer = await get(`/api/batches/${String(json.batch_id)}/${file}`);
    expect(answer.status).toBe(200);
    const [head = "", ...lines] = String(answer.json.text).split("\r\n");
    expect(head).toContain("constructor;__proto__");
    expect(lines.join("\n")).toContain("51");
  }
});

test("whoever took a file may take the next, as often as they like", async () => {
  const { get } = await sending.place.entered("often@example.bf", "ACCOUNT_ADMIN", sending.account);
  for (let times = 0; times < 10; times += 1) {
    const { status } = await get(`/api/batches/${first}/people.csv`);
    const missed = await get(`/api/batches/${first}/left-out.csv`);
    expect([status, missed.status]).toEqual([200, 200]);
  }
});

test("it says of each the row, the batch, why they have nothing and what helps", async () => {
  const second = await corrected();
  const lines = await fileOf(second);
  const of = (number: string) => lines.find((line) => line.Numéro === number);
  expect(of("+22605110001")).toMatchObject({ État: "Livré", Numéro: "+22605110001", Motif: "", Lot: first });
  expect(of("+22605110004")).toMatchObject({
    "A le texte": "Non",
    État: "Échoué",
    "Code du motif": "EXPIRED_AT_OPERATOR",
    Lot: second,
    Numéro: "+22605110004",
    Texte: "Bonjour Ida",
    "Ligne du fichier": "3",
    "Ce qui aide": "Renvoyer",
  });
  expect(of("51")).toMatchObject({
    État: "Non envoyé",
    Numéro: "51",
    "Ligne du fichier": "4",
    "Ce qui aide": "Corriger le numéro",
    "Code du motif": "LIGNE_ILLISIBLE",
    Lot: second,
    Texte: "",
  });
  expect(lines.find((line) => line.Numéro === "+33612345678")).toMatchObject({
    État: "Non envoyé",
    "Ce qui aide": "Corriger le numéro",
  });
});

test("the page names those who have nothing, with their row, the reason and what helps", async () => {
  const second = await corrected();
  const { waiting, reads_values, nothing } = await togetherOf(second);
  expect([reads_values, nothing]).toEqual([true, 3]);
  expect(waiting).toMatchObject([
    { number: "+22605110004", text: "Bonjour Ida", line: 3, batch_id: second, helps: "Renvoyer" },
    { number: "+33612345678", helps: "Corriger le numéro" },
    { number: "51", line: 4, values: { nom: "Zoe" }, helps: "Corriger le numéro" },
  ]);
});

test("what stood in rows and what was said is for those who read texts", async () => {
  const second = await corrected();
  const { get } = await sending.place.entered("ops@example.bf", "OPERATIONS");
  const { together } = (await get(`/api/batches/${second}/report`)).json as { together: Json };
  expect(together.reads_values).toBe(false);
  expect((together.waiting as Json[]).map(({ values }) => values)).toEqual([null, null, null]);
  const { json } = await get(`/api/batches/${second}/people.csv`);
  for (const hidden of ["Ida", "Zoe", "Bonjour"]) expect(String(json.text)).not.toContain(hidden);
  expect(String(json.text)).toContain("+22605110004");
});

test("whoever a batch was called off for has nothing, and counts", async () => {
  const second = await sentCorrected(
    first,
    (file) => `${file.replace(";511000;", ";05110007;")};;;;;05220008;Zoe;\r\n`,
  );
  await became(second, "05110007", "DELIVERED");
  await became(second, "05220008", "CANCELLED");
  expect(await togetherOf(second)).toMatchObject({ people: 4, reached: 2, nothing: 2, never_sent: 0 });
  expect((await fileOf(second)).filter((line) => line["A le texte"] === "Non").length).toBe(2);
});

test("a refusal that came after a failure says what helps", async () => {
  const second = await sentCorrected(
    first,
    (file) => `${file.replace(";511000;", ";05110007;")};;;;;05110004;Ida;\r\n`,
  );
  await became(second, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  await sending.place.context.store.write((tx) => {
    const id = tx.get<{ id: number }>("SELECT id FROM batches WHERE ulid = ?", second)?.id ?? 0;
    tx.run(
      "UPDATE messages SET status = 'DELIVERED', is_final = 1, is_money_closed = 1 WHERE batch_id = ? AND msisdn LIKE '%7'",
      id,
    );
  });
  const third = await sent(["Max;05220009"], second);
  await sending.place.context.store.write((tx) => {
    const id = tx.get<{ id: number }>("SELECT id FROM batches WHERE ulid = ?", third)?.id ?? 0;
    tx.run(
      "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, 9, '+22605110004', 'SUPPRESSED')",
      id,
    );
  });
  const { waiting } = await togetherOf(third);
  expect(waiting).toMatchObject([
    {
      number: "+22605110004",
      helps: "Rien\u00a0: un nouvel envoi n’y changera rien",
      why: expect.stringMatching(/^L’opérateur a renoncé.*\. La personne s’est désinscrite$/),
    },
  ]);
});

test("operators have each person once, by their last try, with what all texts to them cost", async () => {
  const second = await corrected();
  await sending.place.context.store.write((tx) => tx.run("UPDATE messages SET amount = 15"));
  const { lines } = await togetherOf(second);
  const people = (lines as { state: string; messages: number; segments: number }[]).map(
    ({ state, messages, segments }) => [state, messages, segments],
  );
  // Ida had two texts.
  expect(people).toEqual([
    ["DELIVERED", 2, 2],
    ["FAILED", 1, 2],
  ]);
});

test("the page of a batch is told how many were never sent to", async () => {
  const second = await corrected();
  const { json } = await sending.ask("GET", `/batches/${second}/people`);
  expect(json.together).toMatchObject({ people: 5, never_sent: 2 });
  const other = await sent(["Eve;05330001"]);
  expect((await sending.ask("GET", `/batches/${other}/people`)).json).toEqual({ together: null });
});

test("what is sent again has the line of the file that it came out of", async () => {
  const other = await sent(["Awa;05330001", "Bob;51", "Ida;05330004", "Max;05330005"]);
  await became(other, "05330001", "DELIVERED");
  await became(other, "05330004", "DELIVERED");
  await became(other, "05330005", "FAILED", "EXPIRED_AT_OPERATOR");
  const { context } = sending.place;
  await context.store.write((tx) => tx.run("UPDATE batches SET ended_at = 1 WHERE ulid = ?", other));
  const again = await sending.ask("POST", `/batches/${other}/again`);
  expect([again.status, again.json.detail]).toEqual([200, undefined]);
  const lines = await fileOf(String(again.json.batch_id));
  expect(lines.map((line) => [line.Numéro, line["Ligne du fichier"], line["A le texte"]])).toEqual([
    ["+22605330001", "2", "Oui"],
    ["+22605330004", "4", "Oui"],
    ["+22605330005", "5", "En cours"],
    ["51", "3", "Non"],
  ]);
});

/** Brings the list of who got nothing of a batch again, as somebody corrected it. */
async function sentCorrected(of: string, correct: (file: string) => string): Promise<string> {
  const french = { "accept-language": "fr" };
  const { text } = await sending.ask("GET", `/batches/${of}/left-out.csv`, undefined, undefined, french);
  const { json: file } = await sending.bring(new Uint8Array(Buffer.from(correct(text))));
  const { json } = await order({ ...(await wantedOf([], of)), file: file.file_id }, of.slice(-8));
  expect(json.detail).toBeUndefined();
  sending.place.admin.clock.setBy(1000);
  return String(json.batch_id);
}

test("a row of a corrected list has the line of the file that it stood in first, and what stood beside it there", async () => {
  const second = await sent(["Ada;05330001", "Eve;05330002", "Max;51", "Zoe;52", "Tom;53", "Eve;05330002"]);
  await became(second, "05330001", "DELIVERED");
  await became(second, "05330002", "DELIVERED");
  // Whoever may not read texts gets a list without names, and brings it back so.
  const third = await sentCorrected(second, (file) =>
    file
      .replace(";51;Max", ";05330007;Max")
      .replace(";52;Zoe", ";52;")
      .replace(/\r\n[^\r]*;53;Tom[^\r]*/, ""),
  );
  await became(third, "05330007", "FAILED", "UNKNOWN_SUBSCRIBER");
  expect(await togetherOf(third)).toMatchObject({
    people: 5,
    nothing: 3,
    repeats: 1,
    waiting: [
      { number: "+22605330007", line: 4 },
      { number: "53", line: 6, values: { nom: "Tom" } },
      { number: "52", line: 5, values: { nom: "Zoe" } },
    ],
  });
  const lines = (await fileOf(second)).map((line) => [line.Numéro, line["Ligne du fichier"], line.nom]);
  expect(lines).toEqual([
    // Of who was sent a text, and was not left out before, nothing but the text is kept.
    ["+22605330001", "2", ""],
    ["+22605330002", "3", ""],
    ["+22605330007", "4", "Max"],
    ["53", "6", "Tom"],
    ["52", "5", "Zoe"],
  ]);
});

test("a text that never left has no SMS among those of its operator", async () => {
  const other = await sent(["Awa;05330001", "Ida;05330004"]);
  await became(other, "05330001", "FAILED", "SENDER_NOT_REGISTERED");
  await sending.place.context.store.write((tx) =>
    tx.run("UPDATE messages SET amount = 0 WHERE msisdn = '+22605330001'"),
  );
  await became(other, "05330004", "DELIVERED");
  const again = await sent(["Awa;05330001"], other);
  await became(again, "05330001", "DELIVERED");
  const { lines } = await togetherOf(again);
  expect(lines).toMatchObject([{ state: "DELIVERED", messages: 2, segments: 2 }]);
});
