import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { validator } from "../../src/domain/submission/staging.ts";
import { operator } from "../config/sample.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  submission,
  submitTo,
  type Tenant,
} from "../ingress/api/fixture.ts";
import { quoteOf, tryQuotes } from "../kit/quote-trials.ts";
import { seeded, seeds } from "../kit/seeds.ts";

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await httpFixture({
    api: { requests_per_second: 100_000, burst: 1_000_000 },
    operators: {
      moov: operator({ prefixes: ["22660"], price: 20 }),
      telecel: operator({ prefixes: ["22658"] }),
    },
  });
});
afterAll(() => fixture.close());

type Quote = Readonly<Record<string, unknown>>;

async function quoted(tenant: Tenant, changes: Readonly<Record<string, unknown>>): Promise<Quote> {
  const { status, body } = await quoteOf(fixture, tenant, submission(changes));
  expect([status, body.code]).toEqual([200, undefined]);
  return body.data ?? {};
}

const to = (...attributes: readonly (Readonly<Record<string, unknown>> | null)[]) =>
  attributes.map((each, index) => ({ msisdn: String(70_000_000 + index), attributes: each }));

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    msisdn: String(70_000_000 + index),
    attributes: { nom: index % 2 === 0 ? "Awa" : "François" },
  }));

describe("a quote", () => {
  // Keeps: behaviour 4.81
  test.each(seeds(3))(
    "says to the franc what the submission then comes to (seed %d)",
    seeded(async (chance) => {
      const ends = await tryQuotes(fixture, chance, 100);
      expect([...ends.keys()].filter((end) => end.startsWith("5"))).not.toContain("500 INTERNAL_ERROR");
      expect(ends.get("202 QUEUED") ?? 0).toBeGreaterThan(0);
    }),
  );

  // Keeps: behaviour 4.82
  test("writes nothing and uses nothing up", async () => {
    const tenant = await fixture.tenant();
    const beside = new Database(join(fixture.store.directory, "bendre.db"), { readonly: true });
    const version = () => beside.query("PRAGMA data_version").get();
    const changes = () => fixture.store.write((tx) => tx.get("SELECT total_changes() AS changes"));
    const before = [version(), await changes()];
    const scheduled_at = new Date(fixture.clock.nowMs() + 3_600_000).toISOString();
    for (const fields of [{}, { recipients: many(600) }, { recipients: many(10_001) }, { scheduled_at }])
      await quoted(tenant, { message_class: "MARKETING", body: "Bonjour {nom}", ...fields });
    expect([version(), await changes()]).toEqual(before);
    beside.close();
  });

  // Keeps: behaviour 4.83
  test("reads all of a large submission, and says what it will come to once it is validated", async () => {
    const tenant = await fixture.tenant();
    const request = { body: "Reçu {nom} de {Ville}", recipients: [...many(10_001), { msisdn: "12" }] };
    const quote = await quoted(tenant, request);
    expect(quote).toMatchObject({ status: "VALIDATING", accepted: 10_001, rejected: 1, amount: 10_001 * 15 });
    const response = await submitTo(fixture, tenant, "large-quote", submission(request));
    const { data } = (await response.json()) as { data: { batch_id: string } };
    await validator(fixture.intake).next();
    const fetched = await getFrom(fixture, tenant, `/batches/${data.batch_id}`);
    const { accepted, rejected, total_segments, amount, warnings, rejections } = quote;
    expect((await fetched.json()) as { data: Quote }).toMatchObject({
      data: { accepted, rejected, total_segments, reserved_amount: amount, warnings, rejections },
    } as never);
  });

  // Keeps: behaviour 4.84
  test("is one at a time for an account, and others are not held up by it", async () => {
    const [mine, other] = [await fixture.tenant(), await fixture.tenant()];
    const large = submission({ recipients: many(5000) });
    const first = quoteOf(fixture, mine, large);
    const second = quoteOf(fixture, mine, large);
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    const again = quoteOf(fixture, mine, large);
    expect((await quoteOf(fixture, other, submission())).status).toBe(200);
    expect((await again).status).toBe(200);
  });

  // Keeps: behaviour 4.85
  test("needs the scope of a submission and no idempotency key, and hides the balance from a key that may not read it", async () => {
    const tenant = await fixture.tenant(["MESSAGES_SEND"]);
    expect(await quoted(tenant, {})).toMatchObject({ spendable_before: null, spendable_after: null });
    await fixture.store.write((tx) =>
      tx.run("UPDATE wallets SET funds = 7 WHERE account_id = ?", tenant.accountId),
    );
    expect(await quoted(tenant, {})).toMatchObject({
      is_payable: false,
      refusal: {
        code: "INSUFFICIENT_FUNDS",
        detail: "the batch costs 15 XOF, more than the wallet can spend",
      },
      spendable_after: null,
    });
    const reader = await fixture.key(tenant.accountId, ["MESSAGES_READ", "ACCOUNT_READ"]);
    expect((await quoteOf(fixture, reader, submission())).body.code).toBe("INSUFFICIENT_SCOPE");
    const sender = await fixture.key(tenant.accountId, ["MESSAGES_SEND", "ACCOUNT_READ"]);
    expect(await quoted(sender, {})).toMatchObject({
      spendable_before: 7,
      spendable_after: -8,
      refusal: { detail: expect.stringContaining("7 XOF can be spent") },
    });
  });

  test("says when it starts, in UTC, and nothing where nobody is accepted", async () => {
    const tenant = await fixture.tenant();
    const now = new Date(fixture.clock.nowMs()).toISOString();
    expect((await quoted(tenant, {})).starts_at).toBe(now);
    expect(
      await quoted(tenant, { scheduled_at: "2027-01-05T09:30", timezone: "Europe/Paris" }),
    ).toMatchObject({ status: "SCHEDULED", starts_at: "2027-01-05T08:30:00.000Z" });
    expect(await quoted(tenant, { recipients: [{ msisdn: "x" }] })).toMatchObject({
      status: "REJECTED",
      starts_at: null,
      amount: 0,
      rejections_by_reason: { INVALID_MSISDN: 1 },
    });
  });

  test("lists the first thousand rejections, and counts all", async () => {
    const quote = await quoted(await fixture.tenant(), { recipients: Array(1500).fill({ msisdn: "x" }) });
    expect(quote.rejections_by_reason).toEqual({ INVALID_MSISDN: 1500 });
    expect((quote.rejections as { index: number }[]).map(({ index }) => index)).toEqual([
      ...Array(1000).keys(),
    ]);
  });
});

describe("of what makes texts UCS-2 a quote", () => {
  // Keeps: behaviour 4.86
  test("names each character and its place, what replaces it, and how many messages have it", async () => {
    const quote = await quoted(await fixture.tenant(), {
      body: "Reçu l’{nom} 漢",
      recipients: to({ nom: "Noël" }, { nom: "François😀" }, { nom: "Awa" }),
    });
    const row = (character: string, place: string, messages: number, replacement: string | null) =>
      expect.objectContaining({ character, in: place, messages, replacement });
    expect(quote.characters).toEqual([
      row("ç", "body", 3, "c"),
      row("’", "body", 3, "'"),
      row("漢", "body", 3, null),
      row("ë", "attribute:nom", 1, "e"),
      row("ç", "attribute:nom", 1, "c"),
      row("😀", "attribute:nom", 1, null),
    ]);
    expect((quote.characters as Quote[]).map(({ code_point, name }) => [code_point, name])).toEqual([
      ["U+00E7", "LATIN SMALL LETTER C WITH CEDILLA"],
      ["U+2019", "RIGHT SINGLE QUOTATION MARK"],
      ["U+6F22", null],
      ["U+00EB", "LATIN SMALL LETTER E WITH DIAERESIS"],
      ["U+00E7", "LATIN SMALL LETTER C WITH CEDILLA"],
      ["U+1F600", "GRINNING FACE"],
    ]);
  });

  test("speaks of texts as they would be sent, and lists fifty rows at most", async () => {
    const tenant = await fixture.tenant();
    expect((await quoted(tenant, { body: "Reçu", text_policy: "rewrite" })).characters).toEqual([]);
    expect((await quoted(tenant, { body: "漢", text_policy: "gsm_only" })).characters).toEqual([]);
    const letters = Array.from({ length: 80 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    expect((await quoted(tenant, { body: letters })).characters).toHaveLength(50);
  });

  test("names one that only came of two pieces as the body's", async () => {
    const quote = await quoted(await fixture.tenant(), {
      body: "{nom}\u0327a",
      recipients: to({ nom: "c" }),
    });
    expect(quote.characters).toEqual([expect.objectContaining({ character: "ç", in: "body", messages: 1 })]);
  });

  // Keeps: behaviour 4.87
  test("says what rewriting saves, with examples, whatever policy was asked for", async () => {
    const tenant = await fixture.tenant();
    const body =
      "Votre reçu est prêt : passez à l’agence avant la fin du mois, merci de votre confiance. {nom}";
    const recipients = to({ nom: "Awa" }, { nom: "Issa" }, { nom: "漢" }, { nom: "Ali" }, { nom: "Zoé" });
    const asIs = await quoted(tenant, { body, recipients });
    expect([asIs.total_segments, asIs.amount]).toEqual([10, 150]);
    expect(asIs.rewritten).toMatchObject({ total_segments: 6, amount: 90, saved: 60 });
    const { examples } = asIs.rewritten as { examples: { before: string; after: string }[] };
    expect(examples.map(({ before, after }) => [before.slice(6, 20), after.slice(-5)])).toEqual([
      ["reçu est prêt ", ". Awa"],
      ["reçu est prêt ", " Issa"],
      ["reçu est prêt ", ". Ali"],
    ]);
    const rewritten = await quoted(tenant, { body, recipients, text_policy: "rewrite" });
    expect(rewritten).toMatchObject({ total_segments: 6, amount: 90, rewritten: asIs.rewritten } as never);
    const plain = await quoted(tenant, { body: "Reçu", text_policy: "rewrite" });
    expect(plain.rewritten).toMatchObject({ examples: [{ before: "Reçu", after: "Recu" }] });
  });
});
