/** What pages, files and the search tell of a file and its corrections together, over HTTP. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatherNumberData, readSoughtNumber } from "../../../src/admin/operations/erasure/number-data.ts";
import { english } from "../../../src/i18n/text.ts";
import { type Corrections, correctionsFixture } from "./corrections-fixture.ts";
import type { Json, SendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let first: string;
let { became, sent, wantedOf, order } = {} as Corrections;

beforeEach(async () => {
  ({ sending, first, became, sent, wantedOf, order } = await correctionsFixture());
});
afterEach(() => sending.place.close());

test("the report of a file and its corrections says who still has nothing, each person once, by their last try", async () => {
  const second = await sentCorrected(
    first,
    (file) => `${file.replace(";511000;", ";05110007;")};;;;;05110004;Ida;\r\n;;;;;51;Zoe;\r\n`,
  );
  await became(second, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  await became(second, "05110007", "DELIVERED");
  // Zoe's row comes back as it was, and is one person.
  const third = await sentCorrected(second, (file) => `${file};;;;;05110009;Max;\r\n`);
  await became(third, "05110009", "DELIVERED");
  for (const id of [first, second, third]) {
    const { json } = await sending.ask("GET", `/batches/${id}/report`);
    expect(json.together).toMatchObject({
      people: 5,
      reached: 3,
      under_way: 0,
      nothing: 2,
      forgotten: 0,
      reasons: [
        { code: "EXPIRED_AT_OPERATOR", people: 1, was_never_sent: false },
        { code: "UNREADABLE_ROW", people: 1, was_never_sent: true },
      ],
    });
  }
});

test("the file of all of them has who was never sent to once, and a name of its own", async () => {
  const second = await sent(["Bob;51", "Ida;05110007"], first);
  const { get } = await sending.place.entered("boss@example.bf", "ACCOUNT_ADMIN", sending.account);
  const file = (query: string) =>
    get(`/api/batches/${second}/report.csv${query}`, { "accept-language": "fr" });
  const [one, all] = [await file(""), await file("?together=true")];
  const nameOf = ({ headers }: typeof one) => String(headers.get("content-disposition"));
  expect([nameOf(one).includes("-essais.csv"), nameOf(all).includes("-essais.csv")]).toEqual([false, true]);
  const unread = (json: Json) => String(json.text).split("LIGNE_ILLISIBLE").length - 1;
  expect([unread(one.json), unread(all.json)]).toEqual([1, 1]);
});

test("a row that was not sent tells of the text that a correction of it sent since", async () => {
  const rows = async () => (await sending.ask("GET", `/batches/${first}/rows`)).json.rows;
  expect(await rows()).toMatchObject([{ written: "511000", corrected: null }]);
  const second = await sentCorrected(
    first,
    (file) => `${file.replace(";511000;", ";05110007;")};;;;;05220008;Zoe;\r\n`,
  );
  await became(second, "05110007", "DELIVERED");
  const corrected = {
    batch_id: second,
    msisdn: "+22605110007",
    status: "DELIVERED",
    message_id: expect.any(String),
    at: expect.any(String),
  };
  expect(await rows()).toMatchObject([{ written: "511000", corrected }]);
  const { json } = await sending.ask("GET", "/search?q=511000");
  expect((json.hits as Json[]).filter(({ kind }) => kind === "row")).toMatchObject([
    { id: first, line: 4, corrected },
  ]);
});

test("a number that a batch and its corrections left out is told once by the search", async () => {
  const second = await sent(["Awa;05110001", "Zoe;05220008"], first);
  await sent(["Awa;05110001", "Ada;05220009"], second);
  const { json } = await sending.ask("GET", "/search?q=05110001");
  expect(json.hits).toMatchObject([
    { kind: "number" },
    { kind: "sent", title: "+22605110001", status: "DELIVERED" },
    { kind: "left out", id: second },
  ]);
});

test("a row that repeats a number is not told as corrected by what goes to that number: it was the other row's text", async () => {
  const second = await sent(["Ada;05330001", "Eve;05330001", "Tom;05330002"], first);
  await became(second, "05330001", "FAILED", "UNREACHABLE");
  const third = await sent(["Ada;05330001"], second);
  await became(third, "05330001", "DELIVERED");
  const { json } = await sending.ask("GET", `/batches/${second}/rows`);
  expect(json.rows).toMatchObject([{ code: "DUPLICATE_IN_BATCH", line: 3, corrected: null }]);
  const found = (await sending.ask("GET", "/search?q=330001")).json.hits as Json[];
  expect(found.filter(({ kind }) => kind === "row")).toMatchObject([
    { id: second, line: 3, corrected: null },
  ]);
});

test("of those that failed it is told by cause who has the text since, who may get it, and who still has nothing", async () => {
  const rows = ["Ada;05330001", "Eve;05330002", "Tom;05330003", "Lea;05330004"];
  const second = await sent(rows);
  for (const number of ["05330001", "05330002", "05330003"])
    await became(second, number, "FAILED", "EXPIRED_AT_OPERATOR");
  await became(second, "05330004", "FAILED", "UNKNOWN_SUBSCRIBER");
  const causes = async () => (await sending.ask("GET", `/batches/${second}/failures`)).json.failures;
  expect(await causes()).toMatchObject([
    { code: "EXPIRED_AT_OPERATOR", messages: 3, reached: 0, pending: 0, nothing: 3, is_passing: true },
    { code: "UNKNOWN_SUBSCRIBER", messages: 1, reached: 0, nothing: 1, is_passing: false },
  ]);
  const third = await sent(rows.slice(0, 3), second);
  await became(third, "05330001", "DELIVERED");
  await became(third, "05330003", "FAILED", "EXPIRED_AT_OPERATOR");
  expect(await causes()).toMatchObject([
    { code: "EXPIRED_AT_OPERATOR", messages: 3, reached: 1, pending: 1, nothing: 1, is_passing: true },
    { code: "UNKNOWN_SUBSCRIBER", messages: 1, nothing: 1 },
  ]);
  // Who still has nothing comes first, and advice is about them alone.
  await became(third, "05330002", "DELIVERED");
  const fourth = await sent(["Tom;05330003"], third);
  await became(fourth, "05330003", "DELIVERED");
  expect(await causes()).toMatchObject([
    { code: "UNKNOWN_SUBSCRIBER", messages: 1, nothing: 1 },
    {
      code: "EXPIRED_AT_OPERATOR",
      messages: 3,
      reached: 3,
      pending: 0,
      nothing: 0,
      is_passing: false,
    },
  ]);
});

test("whether another try helps is told of the operators of those who still have nothing", async () => {
  const second = await sent(["Ada;05330001", "Eve;05330002"]);
  await became(second, "05330001", "FAILED", "SENDER_NOT_REGISTERED");
  await became(second, "05330002", "FAILED", "SENDER_NOT_REGISTERED");
  await sending.place.context.store.write((tx) =>
    tx.run("UPDATE messages SET operator = 'moov' WHERE msisdn = '+22605330002'"),
  );
  const third = await sent(["Ada;05330001"], second);
  await became(third, "05330001", "DELIVERED");
  const { json } = await sending.ask("GET", `/batches/${second}/failures`);
  expect(json.failures).toMatchObject([{ messages: 2, reached: 1, nothing: 1, is_passing: false }]);
});

/** Brings the file of who got nothing of a batch again, as somebody corrected it. */
async function sentCorrected(of: string, correct: (file: string) => string): Promise<string> {
  const file = await sending.ask("GET", `/batches/${of}/left-out.csv`, undefined, undefined, FRENCH);
  return sentFile(correct(file.text), of);
}

async function sentFile(text: string, of: string): Promise<string> {
  sending.place.admin.clock.setBy(1000);
  const { json: file } = await sending.bring(new Uint8Array(Buffer.from(text)));
  const wanted = { ...(await wantedOf([], of)), file: file.file_id };
  const key = `${text.length}${sending.place.admin.clock.nowMs()}`.slice(-8);
  const { json } = await order(wanted, key);
  expect(json.detail).toBeUndefined();
  sending.place.admin.clock.setBy(1000);
  return String(json.batch_id);
}

const FRENCH = { "accept-language": "fr" };

async function correctedIn(batch: string) {
  const { rows } = (await sending.ask("GET", `/batches/${batch}/rows`)).json as { rows: Json[] };
  return rows.map(({ line, corrected }) => [line, (corrected as Json | null)?.msisdn ?? null]);
}

test("a row whose number is lost is told as corrected by the row of the corrected file that has its line", async () => {
  const second = await sent(["Ada;05330001", "Eve;7,6E+07", "Tom;7,6E+07"]);
  const third = await sentCorrected(second, (file) =>
    file.replace(";7,6E+07;Eve", ";05330007;Eve").replace(";7,6E+07;Tom", ";05330008;Tom"),
  );
  await became(third, "05330007", "DELIVERED");
  expect(await correctedIn(second)).toEqual([
    [3, "+22605330007"],
    [4, "+22605330008"],
  ]);
  const found = (await sending.ask("GET", "/search?q=7%2C6E%2B07")).json.hits as Json[];
  expect(found.filter(({ kind, id }) => kind === "row" && id === second)).toMatchObject([
    { line: expect.any(Number), corrected: { batch_id: third } },
  ]);
});

test("a row that is corrected at the second try is told as that, and by the last text that went to its number", async () => {
  const second = await sent(["Ada;05330001", "Eve;7,6E+07", "Tom;51"]);
  const third = await sentCorrected(second, (file) => file.replace(";51;Tom", ";05330008;Tom"));
  await became(third, "05330008", "FAILED", "EXPIRED_AT_OPERATOR");
  expect(await correctedIn(second)).toEqual([
    [3, null],
    [4, "+22605330008"],
  ]);
  const fourth = await sentCorrected(third, (file) => file.replace(";7,6E+07;Eve", ";05330007;Eve"));
  const fifth = await sent(["Tom;05330008"], third);
  await became(fifth, "05330008", "DELIVERED");
  const { rows } = (await sending.ask("GET", `/batches/${second}/rows`)).json as { rows: Json[] };
  expect(rows).toMatchObject([
    { line: 3, corrected: { batch_id: fourth, msisdn: "+22605330007" } },
    { line: 4, corrected: { batch_id: fifth, status: "DELIVERED" } },
  ]);
});

test("a row that repeats a number is told as corrected once somebody had it sent, and by its own text alone", async () => {
  const second = await sent(["Ada;05330001", "Eve;05330001", "Tom;05330002"]);
  await became(second, "05330001", "DELIVERED");
  const third = await sentCorrected(second, (file) => file.replace(";DOUBLON;", ";;"));
  expect(await correctedIn(second)).toEqual([[3, "+22605330001"]]);
  expect((await sending.ask("GET", `/batches/${third}`)).json).toMatchObject({ accepted: 1 });
});

test("a text that went out for one row is never told as another's, whatever its digits", async () => {
  const second = await sent(["Ada;05330001", "Eve;5330007", "Tom;51"]);
  // Tom's number is what Eve's would be with a digit more.
  const third = await sentCorrected(second, (file) =>
    file
      .split("\r\n")
      .filter((row) => !row.includes(";Eve"))
      .join("\r\n")
      .replace(";51;Tom", ";05330007;Tom"),
  );
  await became(third, "05330007", "DELIVERED");
  expect(await correctedIn(second)).toEqual([
    [3, null],
    [4, "+22605330007"],
  ]);
});

test("a file of who got nothing tells its rows from whichever batch of the family it is brought", async () => {
  const second = await sent(["Ada;05330001", "Eve;7,6E+07"]);
  const third = await sent(["Tom;05330002", "Lea;51"], second);
  const file = await sending.ask("GET", `/batches/${second}/left-out.csv`, undefined, undefined, FRENCH);
  await sentFile(file.text.replace(";7,6E+07;Eve", ";05330007;Eve"), third);
  // Both have a line 3.
  expect(await correctedIn(second)).toEqual([[3, "+22605330007"]]);
  expect(await correctedIn(third)).toEqual([[3, null]]);
});

test("a row without an id is a new row, whatever its digits", async () => {
  const second = await sent(["Ada;05330001", "Eve;5330007"]);
  const third = await sent(["Eve;05330007"], second);
  await became(third, "05330007", "DELIVERED");
  expect(await correctedIn(second)).toEqual([[3, null]]);
  const { json } = await sending.ask("GET", `/batches/${second}/report`);
  expect(json.together).toMatchObject({ people: 3, nothing: 1 });
});

test("a row that was rejected is told as corrected by what went to its number", async () => {
  const second = await sent(["Ada;05330001", "Eve;70330002"]);
  const { context } = sending.place;
  const third = await sent(["Tom;05330003"], second);
  await context.store.write((tx) =>
    tx.run("UPDATE messages SET msisdn = '+22670330002' WHERE msisdn = '+22605330003'"),
  );
  const { rows } = (await sending.ask("GET", `/batches/${second}/rows`)).json as { rows: Json[] };
  expect(rows).toMatchObject([{ line: 3, code: "UNROUTABLE_PREFIX", corrected: { batch_id: third } }]);
});

test("the list that was taken before anything was sent is of the batch that was sent since", async () => {
  const { json: file } = await sending.bring(Buffer.from("nom;tel\r\nAda;05330001\r\nEve;51\r\n"));
  const { text } = await sending.ask("GET", `/send/${sending.account}/files/${file.file_id}/left-out.csv`);
  const { json } = await order({ ...(await wantedOf([])), file: file.file_id }, "before00");
  const second = String(json.batch_id);
  const third = await sentFile(text.replace(";51", ";05330007"), second);
  await became(third, "05330007", "DELIVERED");
  expect(await correctedIn(second)).toEqual([[3, "+22605330007"]]);
  expect((await sending.ask("GET", `/batches/${second}/people`)).json.together).toMatchObject({ people: 2 });
});

test("what stood in a row whose number was lost is known of the number that it was corrected to, and erased with it", async () => {
  const second = await sent(["Ada;05330001", "Eve;7,6E+07"]);
  await sentCorrected(second, (file) => file.replace(";7,6E+07;Eve", ";05330007;Eve"));
  const { context } = sending.place;
  const number = readSoughtNumber(context, "05330007");
  if (!number.ok) throw new Error(english(number.refusal.detail));
  const { unreadable } = await gatherNumberData(context, number.value);
  expect(unreadable).toMatchObject([
    { status: "UNREADABLE", written: "7,6E+07", cells: { nom: "Eve" } },
    { status: "ACCEPTED", msisdn: "+22605330007", cells: null },
  ]);
});
