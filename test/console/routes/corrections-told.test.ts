/** What pages, files and the search tell of a file and its corrections together, over HTTP. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Corrections, correctionsFixture } from "./corrections-fixture.ts";
import type { Json, SendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let first: string;
let { became, sent } = {} as Corrections;

beforeEach(async () => {
  ({ sending, first, became, sent } = await correctionsFixture());
});
afterEach(() => sending.place.close());

test("the report of a file and its corrections says who still has nothing, each person once, by their last try", async () => {
  const second = await sent(["Ida;05110004", "Bob;05110007", "Zoe;51"], first);
  await became(second, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  await became(second, "05110007", "DELIVERED");
  const third = await sent(["Zoe;51", "Max;05110009"], second);
  await became(third, "05110009", "DELIVERED");
  for (const id of [first, second, third]) {
    const { json } = await sending.ask("GET", `/batches/${id}/report`);
    expect(json.together).toMatchObject({
      ...{ people: 5, reached: 3, under_way: 0, nothing: 2, forgotten: 0 },
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
  const second = await sent(["Bob;05110007", "Zoe;05220008"], first);
  await became(second, "05110007", "DELIVERED");
  const corrected = {
    ...{ batch_id: second, msisdn: "+22605110007", status: "DELIVERED" },
    ...{ message_id: expect.any(String), at: expect.any(String) },
  };
  expect(await rows()).toMatchObject([{ written: "511000", corrected }]);
  const { json } = await sending.ask("GET", "/search?q=511000");
  expect((json.hits as Json[]).filter(({ kind }) => kind === "row")).toMatchObject([
    { id: first, line: 4, corrected },
  ]);
  // Two that may be meant: which of them it was is told by nobody.
  await sent(["Bob;05110009"], second);
  expect(await rows()).toMatchObject([{ corrected: null }]);
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
    { ...{ code: "EXPIRED_AT_OPERATOR", messages: 3, reached: 0, pending: 0, nothing: 3 }, is_passing: true },
    { ...{ code: "UNKNOWN_SUBSCRIBER", messages: 1, reached: 0, nothing: 1 }, is_passing: false },
  ]);
  const third = await sent(rows.slice(0, 3), second);
  await became(third, "05330001", "DELIVERED");
  await became(third, "05330003", "FAILED", "EXPIRED_AT_OPERATOR");
  expect(await causes()).toMatchObject([
    { ...{ code: "EXPIRED_AT_OPERATOR", messages: 3, reached: 1, pending: 1, nothing: 1 }, is_passing: true },
    { code: "UNKNOWN_SUBSCRIBER", messages: 1, nothing: 1 },
  ]);
  // Who still has nothing comes first, and advice is about them alone.
  await became(third, "05330002", "DELIVERED");
  const fourth = await sent(["Tom;05330003"], third);
  await became(fourth, "05330003", "DELIVERED");
  expect(await causes()).toMatchObject([
    { code: "UNKNOWN_SUBSCRIBER", messages: 1, nothing: 1 },
    {
      ...{ code: "EXPIRED_AT_OPERATOR", messages: 3, reached: 3, pending: 0, nothing: 0 },
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
