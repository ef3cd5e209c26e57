/** Corrections of corrections, over HTTP: rows are compared with every batch of the file, and each tells of the others. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Corrections, correctionsFixture } from "./corrections-fixture.ts";
import type { Json, SendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let first: string;
let { became, wantedOf, order, sent } = {} as Corrections;

beforeEach(async () => {
  ({ sending, first, became, wantedOf, order, sent } = await correctionsFixture());
});
afterEach(() => sending.place.close());

async function quoteOf(rows: readonly string[], of: string): Promise<Json> {
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, await wantedOf(rows, of));
  return json;
}

/** What is compared, as the page sends it: with what its quote told of. */
function asQuoted(wanted: Json, quote: Json): Json {
  const { as_of, batches } = quote.earlier as { as_of: number; batches: readonly { batch_id: string }[] };
  return { ...(wanted.corrected as Json), as_of, batches: batches.map(({ batch_id }) => batch_id) };
}

/** How many texts there are to a number. */
async function textsTo(number: string): Promise<number> {
  const sql = "SELECT count(*) AS texts FROM messages WHERE msisdn = ?";
  return sending.place.context.store.read.get<{ texts: number }>(sql, `+226${number}`)?.texts ?? 0;
}

const batchOf = async (id: string) => (await sending.ask("GET", `/batches/${id}`)).json;

test("the whole file brought from its second correction reaches nobody whom an earlier one reached", async () => {
  const second = await sent(["Bob;05110007"], first);
  await became(second, "05110007", "DELIVERED");
  const third = await sent(["Zoe;05110008"], second);
  const whole = ["Awa;05110001", "Ida;05110004", "Bob;05110007", "Zoe;05110008", "Max;05110009"];
  for (const of of [first, second, third]) {
    expect(await quoteOf(whole, of)).toMatchObject({
      accepted: 2,
      rejected: 3,
      rejections_by_reason: { SERVED_BEFORE: 3 },
      earlier: {
        fresh: 1,
        forgotten: 0,
        failed: { rows: 1 },
        batches: [{ batch_id: first }, { batch_id: second }, { batch_id: third }],
        served: {
          rows: 3,
          first: [
            { msisdn: "+22605110001", state: "DELIVERED", batch: 0 },
            { msisdn: "+22605110007", state: "DELIVERED", batch: 1 },
            { msisdn: "+22605110008", state: "UNDER_WAY", batch: 2 },
          ],
        },
      },
    });
  }
});

test("whoever was reached once has the text, also where another batch failed for them before or after", async () => {
  const second = await sent(["Ida;05110004", "Awa;05110001"], first);
  await became(second, "05110004", "DELIVERED");
  const { json } = await sending.ask("POST", `/send/${sending.account}`, {
    ...(await wantedOf(["Ada;05110001"], second, { sends_served: true })),
    key: "fedcba9876543210",
  });
  await became(String(json.batch_id), "05110001", "FAILED", "UNKNOWN_SUBSCRIBER");
  sending.place.admin.clock.setBy(1000);
  expect(await quoteOf(["Ida;05110004", "Awa;05110001"], first)).toMatchObject({
    accepted: 0,
    earlier: { served: { rows: 2 }, failed: { rows: 0 } },
  });
});

test("of who failed twice the latest cause is told", async () => {
  const second = await sent(["Ida;05110004"], first);
  await became(second, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  expect(await quoteOf(["Ida;05110004"], first)).toMatchObject({
    earlier: { failed: { rows: 1, causes: [{ code: "EXPIRED_AT_OPERATOR" }] } },
  });
});

test("a correction that another one overtook is not sent: the figures were of before", async () => {
  const wanted = await wantedOf(["Bob;05110007"], first);
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  await sent(["Bob;05110007"], first);
  const late = { ...wanted, corrected: asQuoted(wanted, json) };
  const refused = await order(late, "late0000");
  expect([refused.status, refused.json.code]).toEqual([409, "CORRECTED_SINCE"]);
  expect(refused.json.detail).toContain("une autre correction de ce lot est partie entre-temps");
  expect(await quoteOf(["Bob;05110007"], first)).toMatchObject({
    accepted: 0,
    earlier: { served: { rows: 1 } },
  });
});

test("a press that is repeated because nobody answered is the same correction, and is sent once", async () => {
  const wanted = await wantedOf(["Bob;05110007"], first);
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  sending.place.admin.clock.setBy(1000);
  const pressed = { ...wanted, corrected: asQuoted(wanted, json) };
  const { json: once } = await order(pressed, "pressed0");
  sending.place.admin.clock.setBy(1000);
  expect((await order(pressed, "pressed0")).json).toEqual({ batch_id: once.batch_id, is_replayed: true });
});

test("a press is repeated as well after somebody else corrected the batch once more", async () => {
  const pressed = await wantedOf(["Bob;05110007"], first);
  const { json: once } = await order(pressed, "pressed1");
  await sent(["Max;05110009"], first);
  expect((await order(pressed, "pressed1")).json).toEqual({ batch_id: once.batch_id, is_replayed: true });
});

test("each batch tells of the others, and what they came to together", async () => {
  const second = await sent(["Bob;05110007", "Awa;05110001"], first);
  const alone = await sent(["Leo;05110010"]);
  const family = [
    { batch_id: first, corrects: null, accepted: 2, left: 1, amount: 0 },
    { batch_id: second, corrects: first, accepted: 1, left: 1 },
  ];
  for (const id of [first, second]) {
    expect((await batchOf(id)).family).toMatchObject(family);
    expect((await sending.ask("GET", `/batches/${id}/report`)).json.family).toMatchObject(family);
  }
  expect((await batchOf(alone)).family).toEqual([]);
  const linesOf = async (query: string) => {
    const { text } = await sending.ask("GET", `/batches/${second}/report.csv${query}`);
    return text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(";")[0]);
  };
  expect(new Set(await linesOf(""))).toEqual(new Set([second]));
  expect(new Set(await linesOf("?together=true"))).toEqual(new Set([first, second]));
});

test("what is sent again to those who failed counts as a correction", async () => {
  await became(first, "05110004", "FAILED", "EXPIRED_AT_OPERATOR");
  const { context } = sending.place;
  const ended = "UPDATE batches SET ended_at = created_at, text_policy = 'rewrite' WHERE ulid = ?";
  await context.store.write((tx) => tx.run(ended, first));
  sending.place.admin.clock.setBy(1000);
  const { status, json } = await sending.ask("POST", `/batches/${first}/again`);
  expect([status, json.detail]).toEqual([200, undefined]);
  // Whoever corrects that one's rows goes on from the text that was written, and not from what it was sent again as.
  const { json: text } = await sending.ask("POST", `/batches/${json.batch_id}/text`, {});
  expect(text).toMatchObject({ text: "Bonjour {nom}", text_policy: "rewrite" });
  await became(String(json.batch_id), "05110004", "DELIVERED");
  sending.place.admin.clock.setBy(1000);
  expect(await quoteOf(["Ida;05110004"], first)).toMatchObject({
    accepted: 0,
    earlier: { served: { rows: 1 } },
  });
});

test("of two colleagues who press at once one sends; the other's figures are of before", async () => {
  const wanted = [await wantedOf(["Bob;05110007"], first), await wantedOf(["Bob;05110007"], first)];
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted[0]);
  const pressed = wanted.map((one) => ({ ...one, corrected: asQuoted(one, json) }));
  const answers = await Promise.all(pressed.map((one, place) => order(one, `atonce0${place}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.code).toBe("CORRECTED_SINCE");
  expect(await textsTo("05110007")).toBe(1);
});

test("figures of before a batch that was begun earlier and taken later are of before too", async () => {
  const wanted = await wantedOf(["Bob;05110007"], first);
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  const other = await sent(["Max;05110009"], first);
  const { context } = sending.place;
  await context.store.write((tx) =>
    tx.run("UPDATE batches SET created_at = created_at - 3600000 WHERE ulid = ?", other),
  );
  const refused = await order({ ...wanted, corrected: asQuoted(wanted, json) }, "later000");
  expect([refused.status, refused.json.code]).toEqual([409, "CORRECTED_SINCE"]);
});

test("nothing is compared with a batch whose numbers are not known yet", async () => {
  const { context } = sending.place;
  await context.store.write((tx) =>
    tx.run("UPDATE batches SET status = 'VALIDATING', accepted = 0 WHERE ulid = ?", first),
  );
  expect(await quoteOf(["Awa;05110001"], first)).toMatchObject({ status: 409, code: "NOT_FINAL" });
  const { status, json } = await order(await wantedOf(["Awa;05110001"], first), "toosoon0");
  expect([status, json.code]).toEqual([409, "NOT_FINAL"]);
});

test("what failed is not sent again to whom a correction has reached since, or may still reach", async () => {
  const { context } = sending.place;
  const failed = await sent(["Awa;05110011", "Ida;05110012", "Bob;05110013", "Eve;05110014"]);
  for (const number of ["05110011", "05110012", "05110013", "05110014"])
    await became(failed, number, "FAILED", "EXPIRED_AT_OPERATOR");
  await context.store.write((tx) =>
    tx.run("UPDATE batches SET ended_at = created_at WHERE ulid = ?", failed),
  );
  const corrected = await sent(["Awa;05110011", "Ida;05110012", "Bob;05110013"], failed);
  await became(corrected, "05110011", "DELIVERED");
  await became(corrected, "05110012", "FAILED", "EXPIRED_AT_OPERATOR");
  const { json: quote } = await sending.ask("GET", `/batches/${failed}/again`);
  expect(quote).toMatchObject({ failed: 2, reached: 2, quote: { accepted: 2 } });
  const again = () => sending.ask("POST", `/batches/${failed}/again`);
  const { status, json } = await again();
  expect([status, json.detail, json.is_replayed]).toEqual([200, undefined, false]);
  expect(await textsTo("05110011")).toBe(2);
  expect(await textsTo("05110014")).toBe(2);
  expect((await again()).json).toEqual({ batch_id: json.batch_id, is_replayed: true });
});

test("the texts of a correction that was sent all the same go again to whom it failed for", async () => {
  const { context } = sending.place;
  const { json } = await order(await wantedOf(["Ada;05110001"], first, { sends_served: true }), "allsame0");
  const second = String(json.batch_id);
  await became(second, "05110001", "FAILED", "EXPIRED_AT_OPERATOR");
  await context.store.write((tx) =>
    tx.run("UPDATE batches SET ended_at = created_at WHERE ulid = ?", second),
  );
  expect((await sending.ask("GET", `/batches/${second}/again`)).json).toMatchObject({
    failed: 1,
    reached: 0,
  });
});

test("texts that are not kept any more are told: nobody knows whom they reached", async () => {
  const { context } = sending.place;
  await context.store.write((tx) => tx.run("DELETE FROM messages WHERE msisdn = '+22605110001'"));
  expect(await quoteOf(["Awa;05110001"], first)).toMatchObject({
    accepted: 1,
    earlier: { fresh: 1, forgotten: 1 },
  });
});

test("of a correction that was called off it is told how many never leave", async () => {
  const { context } = sending.place;
  const second = await sent(["Bob;05110007", "Max;05110009"], first);
  await context.store.write((tx) => tx.run("UPDATE batches SET cancelled = 1 WHERE ulid = ?", second));
  expect((await batchOf(first)).family).toMatchObject([{ cancelled: 0 }, { accepted: 2, cancelled: 1 }]);
});

test("a clock that went back does not put a correction before what it corrects", async () => {
  const second = await sent(["Bob;05110007"], first);
  const { context } = sending.place;
  await context.store.write((tx) =>
    tx.run("UPDATE batches SET created_at = created_at - 3600000 WHERE ulid = ?", second),
  );
  expect((await batchOf(second)).family).toMatchObject([{ batch_id: first }, { batch_id: second }]);
});

test("texts to a number that was erased are told like those: nobody knows whose they were", async () => {
  const { context } = sending.place;
  await context.store.write((tx) =>
    tx.run("UPDATE messages SET msisdn = 'erased:ab', text = '' WHERE msisdn = '+22605110001'"),
  );
  expect(await quoteOf(["Awa;05110001"], first)).toMatchObject({ earlier: { fresh: 1, forgotten: 1 } });
});

test("thirty batches of one file are compared, and then no more is corrected", async () => {
  const { context } = sending.place;
  const more = (count: number) =>
    context.store.write((tx) =>
      tx.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO corrections (batch_id, corrects) SELECT 1000 + i, (SELECT id FROM batches WHERE ulid = ?) FROM n`,
        ...[count, first],
      ),
    );
  await more(29);
  expect(await quoteOf(["Max;05110009"], first)).toMatchObject({ accepted: 1 });
  await context.store.write((tx) => tx.run("DELETE FROM corrections"));
  await more(30);
  expect(await quoteOf(["Max;05110009"], first)).toMatchObject({ status: 409, code: "TOO_MANY_CORRECTIONS" });
});

test("a list that is brought for a batch of another family is compared with its own", async () => {
  const second = await sent(["Ada;05330001", "Eve;05330001"]);
  await became(second, "05330001", "DELIVERED");
  const { text } = await sending.ask("GET", `/batches/${second}/left-out.csv`);
  const { json: file } = await sending.bring(Buffer.from(text));
  const wanted = { ...(await wantedOf([], first)), file: file.file_id };
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  expect(json).toMatchObject({
    accepted: 0,
    rejections_by_reason: { SERVED_BEFORE: 1 },
    earlier: { batches: [{ batch_id: second }] },
  });
});
