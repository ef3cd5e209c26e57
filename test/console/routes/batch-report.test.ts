/** How one batch went, over HTTP: every row once, by operator, by what became of it and why, with what it cost. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { accountByUlid } from "../../../src/domain/accounts/accounts.ts";
import type { Role } from "../../../src/domain/accounts/roles.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
let account: string;
let batch: string;

beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  account = await place.admin.account();
  const messages = ["SENT", "SENT", "SENT", "SENT", "SENT"] as const;
  batch = await plantBatch(place.admin, { account, status: "SENDING", messages });
  await place.context.store.write((tx) => {
    const change = (set: string, position: number) =>
      tx.run(`UPDATE messages SET submitted_at = 1000, ${set} WHERE position = ?`, position);
    tx.run("UPDATE batches SET client_reference = 'rappel mars' WHERE ulid = ?", batch);
    change("status = 'DELIVERED', is_final = 1, delivered_at = 3000, amount = 15", 0);
    change("status = 'DELIVERED', is_final = 1, delivered_at = 65000, amount = 15", 1);
    change("status = 'FAILED', is_final = 1, error_code = 'UNKNOWN_SUBSCRIBER', amount = 15", 2);
    change("operator = 'moov', amount = 15", 3);
    change("operator = 'moov', amount = 15", 4);
    const id = tx.get<{ id: number }>("SELECT id FROM batches WHERE ulid = ?", batch)?.id ?? 0;
    tx.run("UPDATE batches SET unreadable = 2 WHERE id = ?", id);
    tx.run("INSERT INTO rejections (batch_id, position, reason) VALUES (?, 9, 'SUPPRESSED')", id);
  });
});
afterEach(() => place.close());

const visitor = async (role: Role, of: string | null = null) =>
  place.entered(`${role.toLowerCase().replaceAll("_", "-")}@example.bf`, role, of);

test("the report of a batch has every row once, and how fast they arrived", async () => {
  const { get } = await visitor("ACCOUNT_ADMIN", account);
  const { json } = await get(`/api/batches/${batch}/report`, { "accept-language": "fr" });
  const whole = { segments: 1, amount: 15 };
  expect(json).toMatchObject({
    batch_id: batch,
    client_reference: "rappel mars",
    gone: 0,
    account: expect.any(String),
    account_id: account,
    sender: "SHOP",
    message_class: "MARKETING",
    sent_at: "2026-03-02T09:00:00+00:00",
    text: "Bonjour",
    first_left_at: "1970-01-01T00:00:01.000Z",
    last_delivered_at: "1970-01-01T00:01:05.000Z",
    lines: [
      { operator: "moov", state: "NO_RECEIPT", error: null, messages: 2, segments: 2, amount: 30 },
      { operator: "orange", state: "DELIVERED", messages: 2, segments: 2, amount: 30 },
      { ...whole, state: "FAILED", messages: 1, detail: "Le numéro n’est pas en service." },
    ],
    left_out: [
      { reason: "SUPPRESSED", rows: 1 },
      { reason: "UNREADABLE_ROW", rows: 2 },
    ],
    course: [
      { seconds: 10, delivered: 1 },
      { seconds: 60, delivered: 1 },
      { seconds: 300, delivered: 2 },
    ],
  });
});

test("its file opens in the reader's spreadsheet, and is the same", async () => {
  const { get } = await visitor("ACCOUNT_ADMIN", account);
  const { json, headers } = await get(`/api/batches/${batch}/report.csv`, { "accept-language": "fr" });
  expect(headers.get("content-disposition")).toMatch(
    /"rapport-du-lot-[a-z0-9-]+-\d{4}-\d\d-\d\d-rappel-mars\.csv"/,
  );
  const name = accountByUlid(place.context.store.read, account)?.name;
  const [head, ...lines] = String(json.text).replace("\ufeff", "").split("\r\n");
  expect(head).toBe(
    "Lot;Votre nom pour le lot;Compte;Expéditeur;Classe;Envoyé le;Opérateur;Code de l’opérateur;État;Motif;Code du motif;Textes;Nombre de SMS;Débité (F CFA);Texte",
  );
  const whose = `${batch};rappel mars;${name};SHOP;Marketing;02/03/2026 09:00:00`;
  expect(lines).toEqual([
    `${whose};moov;moov;Parti, sans accusé;;;2;2;30;Bonjour`,
    `${whose};orange;orange;Livré;;;2;2;30;Bonjour`,
    `${whose};orange;orange;Échoué;Le numéro n’est pas en service.;UNKNOWN_SUBSCRIBER;1;1;15;Bonjour`,
    `${whose};;;Non envoyé;La personne s’est désinscrite;DESINSCRIT;1;0;0;Bonjour`,
    `${whose};;;Non envoyé;La ligne est illisible;LIGNE_ILLISIBLE;2;0;0;Bonjour`,
    "",
  ]);
});

test("the codes of its rows are those of the list of rows that were not sent, in either language", async () => {
  const { get } = await visitor("ACCOUNT_ADMIN", account);
  const codes = async (language: string) => {
    const { json } = await get(`/api/batches/${batch}/report.csv`, { "accept-language": language });
    return ["SUPPRESSED", "UNREADABLE_ROW", "DESINSCRIT", "LIGNE_ILLISIBLE"].filter((code) =>
      String(json.text).includes(code),
    );
  };
  expect(await codes("fr")).toEqual(["DESINSCRIT", "LIGNE_ILLISIBLE"]);
  expect(await codes("en")).toEqual(["SUPPRESSED", "UNREADABLE_ROW"]);
});

test("amounts are for those who see money, and the report for whose batch it is", async () => {
  const poor = await visitor("OPERATIONS");
  expect((await poor.get(`/api/batches/${batch}/report`)).json.lines).toMatchObject([
    { amount: null },
    { amount: null },
    { amount: null },
  ]);
  // Staff say why they read a text: a report asks nobody.
  expect((await poor.get(`/api/batches/${batch}/report`)).json).toMatchObject({ text: null, sender: "SHOP" });
  expect(String((await poor.get(`/api/batches/${batch}/report.csv`)).json.text)).not.toContain("Bonjour");
  const stranger = await visitor("ACCOUNT_ADMIN", await place.admin.account());
  for (const path of ["report", "report.csv"])
    expect((await stranger.get(`/api/batches/${batch}/${path}`)).status).toBe(404);
});

test("messages that are not kept any more are told as gone", async () => {
  await place.context.store.write((tx) => tx.run("DELETE FROM messages WHERE position < 2"));
  const { get } = await visitor("ACCOUNT_ADMIN", account);
  expect((await get(`/api/batches/${batch}/report`)).json).toMatchObject({ gone: 2, course: [] });
});
