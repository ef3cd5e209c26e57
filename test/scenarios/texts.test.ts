import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AccountChanges, changeAccount } from "../../src/domain/accounts/accounts.ts";
import { validator } from "../../src/domain/submission/staging.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  submission,
  submitTo,
  type Tenant,
} from "../ingress/api/fixture.ts";
import { quoteOf } from "../kit/quote-trials.ts";

let fixture: HttpFixture;
let tenant: Tenant;
let keys = 0;
beforeAll(async () => {
  fixture = await httpFixture();
});
beforeEach(async () => {
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

type Told = {
  readonly batch_id: string;
  readonly total_segments: number;
  readonly rejections: readonly { readonly index: number; readonly reason_code: string }[];
  readonly warnings: readonly Record<string, unknown>[];
};

async function send(changes: Readonly<Record<string, unknown>>): Promise<Told> {
  keys += 1;
  const response = await submitTo(fixture, tenant, `texts-${keys}`, submission(changes));
  expect(response.status).toBe(202);
  return ((await response.json()) as { data: Told }).data;
}

const to = (...attributes: readonly (Readonly<Record<string, unknown>> | null)[]) =>
  attributes.map((each, index) => ({ msisdn: String(70_000_000 + index), attributes: each }));

const reasons = ({ rejections }: Told) =>
  rejections.map(({ index, reason_code }) => `${index} ${reason_code}`);

async function fetched({ batch_id }: Told): Promise<Record<string, unknown>> {
  const response = await getFrom(fixture, tenant, `/batches/${batch_id}`);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

const texts = ({ batch_id }: Told) =>
  fixture.store.read
    .all<{ text: string }>(
      `SELECT coalesce(m.text, b.body) AS text FROM messages m JOIN batches b ON b.id = m.batch_id
       WHERE b.ulid = ? ORDER BY m.id`,
      batch_id,
    )
    .map(({ text }) => text);

const account = (changes: AccountChanges) =>
  fixture.store.write((tx) => changeAccount(tx, tenant.accountId, changes));

/** Two parts in UCS-2, one once it is rewritten. */
const FRENCH =
  "Votre reçu est prêt : passez à l’agence avant la fin du mois, merci de votre confiance. Sœur Awa";

describe("a tag without a value", () => {
  // Keeps: behaviour 4.73
  test("drops the recipient where the batch rejects that, and is empty otherwise", async () => {
    const recipients = to({ nom: "Awa" }, { nom: "" }, { nom: null }, {}, null, { nom: 0 }, { nom: false });
    const rejecting = await send({ body: "Bonjour {nom}", missing_attributes: "reject", recipients });
    expect(reasons(rejecting)).toEqual([2, 3, 4].map((index) => `${index} MISSING_ATTRIBUTE`));
    const open = await send({ body: "Bonsoir {nom}", recipients });
    expect(reasons(open)).toEqual([]);
    expect(texts(open)).toEqual(["Awa", "", "", "", "", "0", "false"].map((nom) => `Bonsoir ${nom}`));
  });

  // Keeps: behaviour 4.79, 4.80
  test("is told as a warning in the 202 and when the batch is fetched", async () => {
    const told = await send({
      body: "Bonjour {Nom}",
      recipients: [...to({ nom: "Awa" }, { nom: "Issa" }), { msisdn: "12", attributes: null }],
    });
    expect(told.warnings).toEqual([
      {
        code: "MISSING_ATTRIBUTE",
        detail: expect.stringContaining("{Nom}"),
        tag: "Nom",
        nearest: "nom",
        recipients: 2,
      },
      {
        code: "UNUSED_ATTRIBUTE",
        detail: expect.stringContaining('"nom"'),
        tag: "nom",
        nearest: "Nom",
        recipients: 2,
      },
    ]);
    expect((await fetched(told)).warnings).toEqual(told.warnings);
    const fine = await send({ body: "Bonsoir {nom}", recipients: to({ nom: "Awa", ville: "Bobo" }) });
    expect([fine.warnings, (await fetched(fine)).warnings]).toEqual([[], []]);
  });

  test("is told of a batch of which it leaves nobody, and of one that is written in steps", async () => {
    const nobody = await send({
      body: "{Nom}",
      missing_attributes: "reject",
      recipients: to({ nom: "Awa" }),
    });
    expect(await fetched(nobody)).toMatchObject({
      status: "REJECTED",
      warnings: [{ tag: "Nom" }, { tag: "nom" }],
    });
    const steps = await send({ body: "Cher {Nom}", recipients: to(...Array(600).fill({ nom: "Awa" })) });
    expect(steps.warnings[0]).toMatchObject({ tag: "Nom", recipients: 600 });
    expect((await fetched(steps)).warnings).toEqual(steps.warnings);
  });
});

describe("braces", () => {
  // Keeps: behaviour 4.25
  test("are filled in where a recipient has an attribute called so, for all of them", async () => {
    const told = await send({
      body: "Cher {Nom complet}, { solde } F, {voir site}",
      recipients: to({ "Nom complet": "Awa Ba" }, { solde: 5 }, null),
    });
    expect(texts(told)).toEqual([
      "Cher Awa Ba,  F, {voir site}",
      "Cher , 5 F, {voir site}",
      "Cher ,  F, {voir site}",
    ]);
    expect(told.warnings).toMatchObject([
      { code: "MISSING_ATTRIBUTE", tag: "solde", recipients: 2 },
      { code: "MISSING_ATTRIBUTE", tag: "Nom complet", recipients: 2 },
      { code: "TEXT_IN_BRACES", tag: "voir site", nearest: null, recipients: 3 },
    ]);
    expect((await fetched(told)).warnings).toEqual(told.warnings);
  });

  test("count as such for a recipient that has none of it, and as text where nobody has", async () => {
    const recipients = to({ nom: "Awa" }, {});
    const body = "Bonsoir {nom complet}";
    const told = await send({ body, missing_attributes: "reject", recipients });
    expect([reasons(told), texts(told)]).toEqual([[], [body, body]]);
    expect(told.warnings).toMatchObject([{ code: "TEXT_IN_BRACES", tag: "nom complet", nearest: null }]);
    const one = to({ "nom complet": "Awa" }, { nom: "Issa" });
    const dropped = await send({ body, missing_attributes: "reject", recipients: one });
    expect([reasons(dropped), texts(dropped)]).toEqual([["1 MISSING_ATTRIBUTE"], ["Bonsoir Awa"]]);
  });

  // Keeps: behaviour 4.88
  test("say nothing in a batch without attributes", async () => {
    const told = await send({ body: "Offre {2 pour 1}", recipients: to(null, {}) });
    expect([told.warnings, texts(told)]).toEqual([[], ["Offre {2 pour 1}", "Offre {2 pour 1}"]]);
  });

  test("are quoted as they are sent", async () => {
    const body = submission({
      body: "Reçu {Nom complet} {Nom complett}",
      recipients: to({ "Nom complet": "François" }),
    });
    expect((await quoteOf(fixture, tenant, body)).body.data).toMatchObject({
      warnings: [{ code: "TEXT_IN_BRACES", tag: "Nom complett", nearest: "Nom complet", recipients: 1 }],
      characters: [
        { character: "ç", in: "body" },
        { character: "ç", in: "attribute:Nom complet" },
      ],
    });
  });

  test("that are tags have the body rewritten in each text, and not once", async () => {
    const told = await send({
      body: "Reçu {le nom}",
      text_policy: "rewrite",
      recipients: to({ "le nom": "Awa" }, {}),
    });
    expect(texts(told)).toEqual(["Recu Awa", "Recu "]);
  });
});

describe("a long text", () => {
  // Keeps: behaviour 4.88
  test("is told from eleven segments on, in the 202, the quote and the fetched batch", async () => {
    const body = "{corps}";
    const recipients = to(
      { corps: "a".repeat(153 * 10) },
      { corps: "b".repeat(153 * 13 + 1) },
      { corps: "c" },
    );
    const quoted = await quoteOf(fixture, tenant, submission({ body, recipients }));
    const told = await send({ body, recipients });
    expect(told.warnings).toMatchObject([{ code: "LONG_TEXT", recipients: 1, segments: 14 }]);
    expect((await fetched(told)).warnings).toEqual(told.warnings);
    expect(quoted.body.data?.warnings).toEqual(told.warnings);
  });
});

describe("the text policy", () => {
  // Keeps: behaviour 4.75, 4.77
  test("rewrite has a text sent in GSM-7 where it has no more segments then, and every guard sees it so", async () => {
    const asIs = await send({ body: FRENCH, recipients: to(null) });
    expect(asIs.total_segments).toBe(2);
    const once = await send({ body: FRENCH, text_policy: "rewrite", recipients: to(null) });
    expect([once.total_segments, texts(once)]).toEqual([
      1,
      ["Votre recu est pret : passez à l'agence avant la fin du mois, merci de votre confiance. Soeur Awa"],
    ]);
    const again = await send({ body: texts(once)[0] ?? "", recipients: to(null) });
    expect(reasons(again)).toEqual(["0 DUPLICATE_RECENT_BODY"]);
    const dearer = await send({ body: "…".repeat(70), text_policy: "rewrite", recipients: to(null) });
    expect([dearer.total_segments, texts(dearer)]).toEqual([1, ["…".repeat(70)]]);
  });

  // Keeps: behaviour 4.76
  test("gsm_only sends nothing that can't be GSM-7", async () => {
    const told = await send({
      body: "{texte}",
      text_policy: "gsm_only",
      recipients: to({ texte: "Reçu" }, { texte: "Ɛɛ" }, { texte: "…".repeat(70) }, { texte: "été" }),
    });
    expect(reasons(told)).toEqual(["1 NOT_GSM7"]);
    expect(texts(told)).toEqual(["Recu", "...".repeat(70), "été"]);
    expect(told.total_segments).toBe(4);
  });

  // Keeps: behaviour 4.78
  test("keeps a body without tags rewritten, and no text beside each message; unless a tag came of it", async () => {
    const plain = await send({ body: "Reçu", text_policy: "rewrite", recipients: to(null, null) });
    const stored = fixture.store.read.all(
      "SELECT m.text, b.body FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ?",
      plain.batch_id,
    );
    expect(stored).toEqual([
      { text: null, body: "Recu" },
      { text: null, body: "Recu" },
    ]);
    const braces = await send({
      body: "{a\u2010b} ç",
      text_policy: "rewrite",
      recipients: to({ "a-b": "x" }),
    });
    expect(texts(braces)).toEqual(["{a-b} c"]);
  });
});

describe("reasons of texts", () => {
  // Keeps: behaviour 4.72
  test("are told in their order", async () => {
    const long = "漢".repeat(255 * 67 + 1);
    const told = await send({
      body: "{a}{b}",
      text_policy: "gsm_only",
      missing_attributes: "reject",
      recipients: [
        { msisdn: "25300000", attributes: null },
        ...to(
          { a: " " },
          { a: "\u3000", b: " " },
          { a: long, b: "" },
          { a: "x".repeat(255 * 153 + 1), b: "" },
        ),
      ],
    });
    expect(reasons(told)).toEqual([
      "0 UNROUTABLE_PREFIX",
      "1 MISSING_ATTRIBUTE",
      "2 RENDERED_BODY_EMPTY",
      "3 NOT_GSM7",
      "4 TOO_MANY_SEGMENTS",
    ]);
  });
});

describe("what an account's batches ask where they don't say", () => {
  // Keeps: behaviour 4.74
  test("is what the account was given, and stands with the batch that it was in force for", async () => {
    const before = await send({ body: "Reçu 1", recipients: to(null) });
    await account({ textPolicy: "rewrite", missingAttributes: "reject" });
    const own = await send({ body: "Reçu {n}", recipients: to({ n: 2 }, null) });
    expect([texts(own), reasons(own)]).toEqual([["Recu 2"], ["1 MISSING_ATTRIBUTE"]]);
    const said = { text_policy: "as_is", missing_attributes: "empty" };
    const other = await send({ body: "Reçu {n}", ...said, recipients: to({ n: 3 }, null) });
    expect([texts(other), reasons(other)]).toEqual([["Reçu 3", "Reçu "], []]);
    expect(await fetched(before)).toMatchObject(said);
    expect(await fetched(other)).toMatchObject(said);
    expect(await fetched(own)).toMatchObject({ text_policy: "rewrite", missing_attributes: "reject" });
  });

  test("is refused in another word", async () => {
    keys += 1;
    const body = submission({ text_policy: "GSM", missing_attributes: "drop" });
    const response = await submitTo(fixture, tenant, `texts-${keys}`, body);
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    expect([response.status, errors]).toEqual([
      422,
      [
        { path: "/text_policy", message: "must be as_is, rewrite, gsm_only" },
        { path: "/missing_attributes", message: "must be empty or reject" },
      ],
    ]);
  });
});

describe("a batch that is validated after its 202", () => {
  const many = (attributes: Readonly<Record<string, unknown>>) =>
    Array.from({ length: 10_001 }, (_, index) => ({ msisdn: String(70_000_000 + index), attributes }));

  test("goes by what was in force then, and is told of its tags once it is validated, also after a start anew", async () => {
    await account({ textPolicy: "rewrite" });
    const told = await send({ body: "Reçu {Nom}", recipients: many({ nom: "Awa" }) });
    expect(told.warnings).toEqual([]);
    await account({ textPolicy: "as_is", missingAttributes: "reject" });
    let asked = 0;
    // Broken off in the middle, as a process that stops does, and begun again.
    await validator(fixture.intake).next(() => ++asked > 20);
    expect(await fetched(told)).toMatchObject({ status: "VALIDATING", warnings: [] });
    await validator(fixture.intake).next();
    expect(await fetched(told)).toMatchObject({
      status: "QUEUED",
      accepted: 10_001,
      text_policy: "rewrite",
      missing_attributes: "empty",
      warnings: [
        { code: "MISSING_ATTRIBUTE", tag: "Nom", nearest: "nom", recipients: 10_001 },
        { code: "UNUSED_ATTRIBUTE", tag: "nom", nearest: "Nom", recipients: 10_001 },
      ],
    });
    expect(new Set(texts(told))).toEqual(new Set(["Recu "]));
  });

  test("has tags that the last recipient alone shows to be such, also after a start anew", async () => {
    const body = "Suivi {Nom complet} {voir site}";
    const last = { msisdn: "70999999", attributes: { "Nom complet": "Awa", note: "x".repeat(50) } };
    const told = await send({ body, recipients: [...many({ nom_complet: "Issa" }).slice(1), last] });
    await validator(fixture.intake).next();
    expect(await fetched(told)).toMatchObject({
      status: "QUEUED",
      accepted: 10_001,
      warnings: [
        { code: "MISSING_ATTRIBUTE", tag: "Nom complet", nearest: "nom_complet", recipients: 10_000 },
        { code: "TEXT_IN_BRACES", tag: "voir site", recipients: 10_001 },
        { code: "UNUSED_ATTRIBUTE", tag: "nom_complet", nearest: "Nom complet", recipients: 10_000 },
      ],
    });
    expect([...new Set(texts(told))]).toEqual(["Suivi  {voir site}", "Suivi Awa {voir site}"]);
  });
});
