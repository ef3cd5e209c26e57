/** What a person is told before sending, over HTTP: who gets it, what is dear, the hours of marketing, doubles. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { priceSet } from "../../../src/admin/operations/prices.ts";
import { senderRegister } from "../../../src/admin/operations/senders.ts";
import { WALLET_OPERATIONS } from "../../../src/admin/operations/wallets.ts";
import { run } from "../../admin/operations/run-operation.ts";
import { said, workbookOf } from "../../domain/imports/workbook-of.ts";
import { BATCH, type Json, KEY, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
beforeEach(async () => {
  sending = await sendFixture();
});
afterEach(() => sending.place.close());

async function quoted(rows: readonly string[], wanted: Json, as = sending.cookie) {
  const { json } = await sending.bring(latin1(`${rows.join("\r\n")}\r\n`), as);
  const body = { ...BATCH, ...wanted, file: json.file_id };
  const quote = await sending.ask("POST", `/send/${sending.account}/quote`, body, as);
  expect([quote.status, quote.json.detail]).toEqual([200, undefined]);
  const left = await sending.ask(
    "GET",
    `/send/${sending.account}/files/${json.file_id}/left-out.csv`,
    undefined,
    as,
  );
  return { quote: quote.json, left: left.text };
}

test("people are shown who get the text, word for word, and none who get nothing", async () => {
  const rows = ["nom;tel", "Abroad;70112233", "Awa;05112233", "Awa;05112233", "Fran\xe7oise;05112244"];
  const { quote } = await quoted(rows, { body: "Bonjour {nom}", text_policy: "rewrite" });
  expect(quote.first).toEqual([
    { msisdn: "+22605112233", text: "Bonjour Awa", segments: 1 },
    { msisdn: "+22605112244", text: "Bonjour Francoise", segments: 1 },
  ]);
});

test("what stands in braces is filled in by the column headed so, and is told where none is", async () => {
  const rows = ["Nom complet;tel;Ville", "Awa Ba;05112233;Bobo", ";05112244;"];
  const { quote } = await quoted(rows, { body: "Cher { Nom complet }, {Vile} {une ville} {Ville }" });
  expect(quote).toMatchObject({
    first: [{ text: "Cher Awa Ba,  {une ville} Bobo" }, { text: "Cher ,  {une ville} " }],
    gaps: [{ tag: "Vile" }, { tag: "Nom_complet" }, { tag: "Ville" }],
    warnings: [
      { code: "MISSING_ATTRIBUTE", tag: "Vile", nearest: "Ville" },
      { code: "MISSING_ATTRIBUTE" },
      { code: "MISSING_ATTRIBUTE" },
      { code: "TEXT_IN_BRACES", tag: "une ville", recipients: 2 },
    ],
  });
  const long = await quoted(["tel;note", `05112233;${"a".repeat(2000)}`], { body: "{note}" });
  expect(long.quote).toMatchObject({ warnings: [{ code: "LONG_TEXT", recipients: 1, segments: 14 }] });
});

test("a column without a value is one all the same, and a file without headings is told nothing", async () => {
  const empty = await quoted(["Prix (F);tel", ";05112233"], { body: "A payer : {Prix (F)}" });
  expect(empty.quote).toMatchObject({ first: [{ text: "A payer : " }], gaps: [{ tag: "Prix_(F)" }] });
  const bare = await quoted(["05112233"], { body: "Offre {2 pour 1}" });
  expect(bare.quote).toMatchObject({ first: [{ text: "Offre {2 pour 1}" }], warnings: [] });
});

test("numbers that are not sent as a workbook shows them are told by their tag, before anybody pays", async () => {
  const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="3"/></cellXfs></styleSheet>';
  const whole = workbookOf(
    [
      said("tel") + said("solde") + said("autre"),
      '<c><v>22605112233</v></c><c s="1"><v>25000</v></c><c s="1"><v>9000</v></c>',
    ],
    { "xl/styles.xml": styles },
  );
  const brought = await sending.bring(whole);
  const body = { ...BATCH, body: "Solde: {solde}", file: brought.json.file_id };
  const quote = await sending.ask("POST", `/send/${sending.account}/quote`, body);
  expect(quote.json).toMatchObject({
    accepted: 1,
    formats: [{ column: "solde", rows: 1, line: 2, sent_as: "25000", format: "#,##0" }],
  });
});

test("rare characters are told as dear where they cost something, and nowhere else", async () => {
  const rows = ["nom;tel", "Fran\xe7oise;05112233", "A\xe7a;05112244", "Awa;05112255"];
  const cheap = await quoted(rows, { body: "Bonjour {nom}" });
  expect(cheap.quote).toMatchObject({
    encodings: { UCS2: 2 },
    dearer: { messages: 0, characters: [] },
    rewritten: { saved: 0 },
  });
  // 70 characters are one SMS of UCS-2, and one more is two.
  const body = `{nom}${"a".repeat(62)}`;
  const dear = await quoted(rows, { body });
  expect(dear.quote).toMatchObject({
    encodings: { UCS2: 2 },
    dearer: {
      messages: 1,
      characters: [{ character: "\xe7", in: "attribute:nom", messages: 1 }],
    },
  });
  const replaced = await quoted(rows, { body, text_policy: "rewrite" });
  expect(replaced.quote).toMatchObject({ dearer: { messages: 0 }, rewritten: { saved: 15 } });
});

test("marketing at night is told when it may leave, and with that time it is sent", async () => {
  sending.place.admin.clock.setBy(13 * 3_600_000);
  const night = await sending.entered("night@example.bf");
  const rows = ["tel", "05112233"];
  const marketing = { body: "Soldes", message_class: "MARKETING" };
  const { quote } = await quoted(rows, marketing, night);
  expect(quote).toMatchObject({
    accepted: 0,
    rejections_by_reason: { QUIET_HOURS: 1 },
    ends_at: null,
    opens_at: "2026-03-03T08:00",
  });
  const later = await quoted(rows, { ...marketing, scheduled_at: quote.opens_at }, night);
  expect(later.quote).toMatchObject({ accepted: 1, opens_at: null, starts_at: "2026-03-03T08:00:00.000Z" });
  const tooLate = await quoted(rows, { ...marketing, scheduled_at: "2026-03-05T21:00" }, night);
  expect(tooLate.quote).toMatchObject({ accepted: 0, opens_at: "2026-03-06T08:00" });
  const order = await quoted(rows, { body: "Prêt", message_class: "TRANSACTIONAL" }, night);
  expect(order.quote).toMatchObject({ accepted: 1, opens_at: null });
});

test("a double of a row that is refused is among those who get nothing, and is sent to once when it is corrected", async () => {
  const rows = ["nom;tel", ";05112233", "Awa;05 11 22 33", "Ali;05112244", "Ali;05112244"];
  const wanted = { body: "Bonjour {nom}", missing_attributes: "reject" };
  const { quote, left } = await quoted(rows, wanted);
  expect(quote).toMatchObject({
    accepted: 1,
    rejected: 3,
    rejections_by_reason: { DUPLICATE_IN_BATCH: 1, DUPLICATE_OF_REFUSED: 1, MISSING_ATTRIBUTE: 1 },
  });
  expect(quote.repeats).toEqual([
    { line: 3, first: 2, differs: [{ column: "nom", first: "", here: "Awa" }], is_first_sent: false },
    { line: 5, first: 4, differs: [], is_first_sent: true },
  ]);
  const lines = left.split("\r\n");
  expect(lines).toEqual([
    "\ufeffLigne du fichier;reason_code;Motif du non-envoi;bendre_row;nom;tel",
    expect.stringMatching(/^2;BALISE_SANS_VALEUR;Une balise du texte n’a pas de valeur;[^;]*-2;;'05112233$/),
    expect.stringMatching(/^3;DOUBLON_D_UN_REFUS;.*ligne 2.*;[^;]*-3;Awa;05 11 22 33$/),
    expect.stringMatching(
      /^5;DOUBLON;le numéro est déjà à la ligne 4, et tout le reste est pareil;[^;]*-5;Ali;'05112244$/,
    ),
    "",
  ]);
  // Both are corrected: one is sent to. The better one is kept: it is.
  const both = await quoted([lines[0]!.slice(1), `2;;;;Awa;05112233`, lines[2]!].map(ascii), wanted);
  expect(both.quote).toMatchObject({ accepted: 1, rejections_by_reason: { DUPLICATE_IN_BATCH: 1 } });
  const one = await quoted([lines[0]!.slice(1), lines[2]!].map(ascii), wanted);
  expect(one.quote).toMatchObject({ accepted: 1, rejected: 0 });
});

test("what it costs is told by operator and by how many SMS the texts take", async () => {
  const rows = ["nom;tel", "Awa;05112233", `${"a".repeat(200)};05112244`, "Eve;05112255"];
  const { quote } = await quoted(rows, { body: "Bonjour {nom}" });
  expect(quote).toMatchObject({
    amount: 60,
    total_segments: 4,
    by_operator: [{ name: "orange", price: 15, segments: 4, messages: 3, amount: 60, is_registered: true }],
    lengths: [
      { segments: 1, messages: 2 },
      { segments: 2, messages: 1 },
    ],
  });
});

test("whose operator does not know the sender is told by row before anything is sent, and nothing else is told of them", async () => {
  const price = { operator: "moov", messageClass: null, amount: 18 };
  expect(await priceSet(sending.place.context, sending.account, price)).toMatchObject({ ok: true });
  const long = `Fran\xe7oise${"a".repeat(60)}`;
  const rows = ["nom;tel", `${long};01112233`, "Abou;01112244", `${long};05112233`, "Awa;05112244", "Eve;12"];
  const { quote, left } = await quoted(rows, { body: "Bonjour {nom}" });
  expect(quote).toMatchObject({
    accepted: 4,
    by_operator: [
      { name: "moov", messages: 2, is_registered: false },
      { name: "orange", messages: 2, segments: 3, price: 15, amount: 45, is_registered: true },
    ],
    // What replacing saves is what the price of those who are reached falls by.
    rewritten: { saved: 15, amount: 30, total_segments: 2 },
    dearer: { messages: 1 },
    lengths: [
      { segments: 1, messages: 1 },
      { segments: 2, messages: 1 },
    ],
    first: [{ msisdn: "+22605112233" }, { msisdn: "+22605112244" }],
    left_lines: { by_reason: { UNREADABLE_ROW: [6] }, by_operator: { moov: [2, 3] } },
  });
  const lines = left.split("\r\n").map((line) => line.split(";").slice(0, 2).join(";"));
  expect(lines.slice(1, -1)).toEqual([
    "2;EXPEDITEUR_NON_ENREGISTRE",
    "3;EXPEDITEUR_NON_ENREGISTRE",
    "6;LIGNE_ILLISIBLE",
  ]);
  await senderRegister(sending.place.context, sending.account, "SHOP", "moov");
  const later = await quoted(rows, { body: "Bonjour {nom}" });
  expect(later.quote).toMatchObject({
    rewritten: { saved: 33 },
    left_lines: { by_operator: {} },
    by_operator: [{ is_registered: true }, { is_registered: true }],
  });
});

test("the lines of who is sent nothing are told by reason, the first of many", async () => {
  const doubles = Array.from({ length: 14 }, () => "05112233");
  const { quote } = await quoted(["tel", ...doubles], { body: "Bonjour" });
  expect(quote.left_lines).toEqual({
    by_reason: { DUPLICATE_IN_BATCH: Array.from({ length: 12 }, (_, place) => place + 3) },
    by_operator: {},
  });
});

/** What Windows-1252 has of a line. */
const ascii = (line: string) => line.replaceAll("’", "'");

test("what the wallet holds is for whoever may read money; others are told whether it is enough, and what is missing", async () => {
  const { place, account, entered, ask } = sending;
  const admin = await entered("awa@example.bf", "ACCOUNT_ADMIN");
  const owner = await entered("owner@example.bf", "OWNER", null);
  const rows = ["tel", "05112233", "05112244"];
  const told = async (as: string) => {
    const { quote } = await quoted(rows, { body: "Bonjour" }, as);
    const { is_payable, spendable_before: before, spendable_after: after, missing } = quote;
    const own = await ask("GET", `/accounts/${account}`, undefined, as);
    return {
      is_payable,
      before,
      after,
      missing,
      detail: (quote.refusal as Json | null)?.detail,
      own: own.json,
    };
  };
  const enough = { is_payable: true, missing: null, detail: undefined };
  expect(await told(sending.cookie)).toMatchObject({
    ...enough,
    before: null,
    after: null,
    own: { wallet: null, credit_limit: null, low_balance: null },
  });
  for (const as of [admin, owner]) {
    expect(await told(as)).toMatchObject({
      ...enough,
      before: 100_000,
      after: 99_970,
      own: { wallet: { spendable: 100_000 } },
    });
  }
  await run(WALLET_OPERATIONS["wallet adjust"], place.context, {
    account,
    amount: -99_983,
    reason: "taken back",
    reference: "back-1",
  });
  const lacking = { is_payable: false, missing: 13 };
  expect(await told(sending.cookie)).toMatchObject({
    ...lacking,
    before: null,
    after: null,
    detail: "le portefeuille ne suffit pas pour cet envoi",
  });
  expect(await told(admin)).toMatchObject({
    ...lacking,
    before: 17,
    after: -13,
    detail:
      "le lot coûte 30\u00a0F\u00a0CFA et il reste 17\u00a0F\u00a0CFA à dépenser dans le portefeuille\u00a0: il manque 13\u00a0F\u00a0CFA",
  });
  const { json } = await sending.bring(latin1(`${rows.join("\r\n")}\r\n`));
  const body = { ...BATCH, body: "Bonjour", file: json.file_id, key: KEY };
  const sent = await ask("POST", `/send/${account}`, body);
  expect([sent.status, sent.json.detail]).toEqual([409, "le portefeuille ne suffit pas pour cet envoi"]);
  const { json: theirs } = await sending.bring(latin1(`${rows.join("\r\n")}\r\n`), admin);
  const pressed = await ask("POST", `/send/${account}`, { ...body, file: theirs.file_id }, admin);
  expect([pressed.status, pressed.json.detail]).toEqual([409, (await told(admin)).detail]);
  // What is owed has to be paid as well.
  await run(WALLET_OPERATIONS["wallet adjust"], place.context, {
    account,
    amount: -20,
    reason: "taken back",
    reference: "back-2",
  });
  expect(await told(admin)).toMatchObject({
    missing: 33,
    before: 0,
    detail:
      "le lot coûte 30\u00a0F\u00a0CFA et le portefeuille est à découvert de 3\u00a0F\u00a0CFA\u00a0: 0\u00a0F\u00a0CFA à dépenser, il manque 33\u00a0F\u00a0CFA",
  });
});

test("whoever has the text with letters replaced is not quoted, nor sent, the same with letters as written", async () => {
  const rows = ["nom;tel", "A\xefcha;05112233", "Awa;05112244"];
  const bring = async () => (await sending.bring(latin1(`${rows.join("\r\n")}\r\n`))).json.file_id;
  const wanted = { ...BATCH, body: "Bonjour {nom}" };
  const first = { ...wanted, text_policy: "rewrite", file: await bring(), key: KEY };
  expect((await sending.ask("POST", `/send/${sending.account}`, first)).status).toBe(200);
  const { quote } = await quoted(rows, { body: wanted.body });
  expect(quote).toMatchObject({ accepted: 0, rejections_by_reason: { DUPLICATE_RECENT_BODY: 2 } });
  const again = { ...wanted, file: await bring(), key: `${KEY}2` };
  const sent = await sending.ask("POST", `/send/${sending.account}`, again);
  expect(sent.json).toMatchObject({ is_replayed: false });
  expect((await quoted(rows, { body: "Au revoir {nom}" })).quote).toMatchObject({ accepted: 2 });
});
