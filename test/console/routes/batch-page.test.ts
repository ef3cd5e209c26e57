/** One batch and one message of it, over HTTP: whose they are, what they are called, why messages failed and what that cost. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import type { Role } from "../../../src/domain/accounts/roles.ts";
import { recordNote, tracedMessage } from "../../../src/domain/messages/trace.ts";
import { type Locale, phrase } from "../../../src/i18n/phrase.ts";
import { renderIn } from "../../../src/i18n/text.ts";
import type { MoneyWords } from "../../../src/i18n/words.gen.d.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { wordsIn } from "../../kit/page-words.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

const MONEY_EN = wordsIn<MoneyWords>("en", "money");
const MONEY_FR = wordsIn<MoneyWords>("fr", "money");

let place: ConsoleFixture;
let account: string;
let batch: string;

beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  account = await place.admin.account();
  batch = await plantBatch(place.admin, {
    account,
    status: "SENDING",
    messages: ["SENT", "SENT", "SENT", "SENT"],
  });
  await place.context.store.write((tx) => {
    tx.run("UPDATE batches SET client_reference = 'rappel mars', failed = 3 WHERE ulid = ?", batch);
    tx.run(
      "UPDATE messages SET status = 'FAILED', is_final = 1, error_code = 'UNKNOWN_SUBSCRIBER' WHERE position < 2",
    );
    tx.run(
      "UPDATE messages SET status = 'FAILED', is_final = 1, error_code = 'EXPIRED_AT_OPERATOR', amount = 0 WHERE position = 2",
    );
  });
});
afterEach(() => place.close());

const visitor = async (role: Role, of: string | null = null) =>
  place.entered(`${role.toLowerCase().replaceAll("_", "-")}@example.bf`, role, of);

test("why messages of a batch failed is told by cause, with what they cost and whether another try may help", async () => {
  const { get } = await visitor("ACCOUNT_READER", account);
  const { json } = await get(`/api/batches/${batch}/failures`, { "accept-language": "fr" });
  expect(json.failures).toEqual([
    {
      code: "UNKNOWN_SUBSCRIBER",
      detail: "Le numéro n’est pas en service.",
      messages: 2,
      amount: 30,
      reached: 0,
      pending: 0,
      nothing: 2,
      is_passing: false,
    },
    {
      code: "EXPIRED_AT_OPERATOR",
      detail: expect.any(String),
      messages: 1,
      amount: 0,
      reached: 0,
      pending: 0,
      nothing: 1,
      is_passing: true,
    },
  ]);
  const stranger = await visitor("ACCOUNT_ADMIN", await place.admin.account());
  expect((await stranger.get(`/api/batches/${batch}/failures`)).status).toBe(404);
  const operations = await visitor("OPERATIONS");
  const poor = await operations.get(`/api/batches/${batch}/failures`);
  expect(poor.json.failures).toMatchObject([{ messages: 2, amount: null }, { amount: null }]);
});

test("a batch and a message say whose they are, and what their client calls them", async () => {
  const { get } = await visitor("SUPPORT");
  const { name } = (await get(`/api/accounts/${account}`)).json as { name: string };
  expect((await get(`/api/batches/${batch}`)).json).toMatchObject({ account: name });
  const list = (await get(`/api/messages?batch=${batch}`)).json as { messages: { message_id: string }[] };
  const life = await get(`/api/messages/${list.messages[0]?.message_id}`);
  expect(life.json).toMatchObject({
    account: name,
    batch_client_reference: "rappel mars",
    operator_name: "orange",
    events: expect.arrayContaining([expect.objectContaining({ event: "accepted", is_of_detail: false })]),
  });
});

test("what was told twice of a segment is told once, with its segment", async () => {
  const { get } = await visitor("SUPPORT");
  const list = (await get(`/api/messages?batch=${batch}`)).json as { messages: { message_id: string }[] };
  const id = list.messages[0]?.message_id ?? "";
  const detail = phrase("message.note.part_state", { part: 2, state: "FAILED" });
  await place.context.store.write((tx) => {
    for (const nowMs of [1_000, 2_000]) {
      recordNote(
        tx,
        tracedMessage(place.context.store.read, id)?.id ?? 0,
        { what: "receipt_after_end", detail },
        nowMs,
      );
    }
  });
  const life = await get(`/api/messages/${id}`);
  const told = (life.json as { events: { event: string }[] }).events.filter(
    ({ event }) => event === "receipt_after_end",
  );
  expect(told).toEqual([expect.objectContaining({ segment: "2", segment_state: "FAILED" })]);
});

test("the name of a batch stands in the statement, and the search finds the batch by it", async () => {
  const { get } = await visitor("OWNER");
  const { json } = await get(`/api/accounts/${account}/statement`);
  expect(json.entries).toContainEqual(
    expect.objectContaining({ kind: "RESERVE", batch_id: batch, batch_reference: "rappel mars" }),
  );
  const found = await get(`/api/search?q=${encodeURIComponent("rappel mars")}`);
  expect(found.json.hits).toContainEqual({ kind: "batch", id: batch, title: "rappel mars" });
});

test("errors that only WhatsApp knows are no filter where nothing goes by it", async () => {
  const { get } = await visitor("SUPPORT");
  const { errors } = (await get("/api/names")).json as { errors: { code: string; detail: string }[] };
  expect(errors.map(({ code }) => code)).not.toContain("WINDOW_CLOSED");
  expect(errors.map(({ detail }) => detail)).toEqual(
    errors.map(({ detail }) => detail).toSorted((a, b) => a.localeCompare(b, "en")),
  );
});

test("a statement calls its entries alike on the page and in its file", () => {
  const entries = (locale: Locale) => ({
    TOPUP: renderIn(locale, phrase("sheet.entry.TOPUP")),
    ADJUSTMENT: renderIn(locale, phrase("sheet.entry.ADJUSTMENT")),
    RESERVE: renderIn(locale, phrase("sheet.entry.RESERVE")),
    CHARGE: renderIn(locale, phrase("sheet.entry.CHARGE")),
    RELEASE: renderIn(locale, phrase("sheet.entry.RELEASE")),
  });
  expect(entries("fr")).toEqual(MONEY_FR.money.entries);
  expect(entries("en")).toEqual(MONEY_EN.money.entries);
});

test("files of the console are in the reader's words and by the clocks of the account", async () => {
  const { get } = await visitor("OWNER");
  const french = { "accept-language": "fr" };
  const statement = await get(`/api/accounts/${account}/statement.csv`, french);
  // By the account and the day, for a folder that has many.
  expect(statement.headers.get("content-disposition")).toMatch(
    /"releve-[a-z][a-z0-9-]*-2026-\d\d-\d\d\.csv"/,
  );
  const [head, ...lines] = String(statement.json.text).replace("\ufeff", "").split("\r\n");
  expect(head).toMatch(/^Quand \(Africa\/Ouagadougou\);Écriture;Montant sans signe;/);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^\d\d\/\d\d\/2026 \d\d:\d\d:\d\d;Mis de côté pour un lot;60;0;60;rappel mars;;;[0-9A-Z]{26}$/,
    ),
  );
  const report = await get("/api/reports/delivery.csv?by=class&from=2026-01-01", french);
  expect(String(report.json.text).replace("\ufeff", "")).toMatch(/^Classe;Code;Acceptés;Partis;Livrés;/);
});
