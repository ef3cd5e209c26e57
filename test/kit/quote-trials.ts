/** Random submissions that are quoted and then sent: what the quote said must be what came of it, to the franc. */
import { strictEqual } from "node:assert";
import { deepStrictEqual } from "node:assert/strict";
import type { Chance } from "../../src/core/chance.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../src/core/text-rules.ts";
import { changeAccount } from "../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../src/domain/accounts/message-class.ts";
import { addSuppression } from "../../src/domain/accounts/suppressions.ts";
import { type HttpFixture, submission, submitTo, type Tenant } from "../ingress/api/fixture.ts";

type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body: { readonly data?: Json } & Json };

/** How many trials ended how: "202 QUEUED", "402 INSUFFICIENT_FUNDS", … */
export type Ends = Map<string, number>;

/** Random draws of a trial. */
function dice(chance: Chance) {
  const below = (most: number) => Math.floor(chance.fraction() * most);
  return {
    below,
    is: (share: number) => chance.fraction() < share,
    one: <T>(of: readonly T[]): T => of[below(of.length)] as T,
  };
}
type Dice = ReturnType<typeof dice>;

const WORDS = [
  ..."Bonjour,votre reçu,est prêt,l’école,« Sœur »,10 000\u202fF,…,merci,ɛ,😀,{nom},{Prénom},{montant},{x},[, été à Ouagadougou".split(
    ",",
  ),
];

function bodyOf(d: Dice): string {
  const words = Array.from({ length: 1 + d.below(d.is(0.1) ? 150 : 12) }, () => d.one(WORDS));
  return words.join(" ");
}

function recipientOf(d: Dice, span: number): Json {
  const msisdn = d.is(0.9)
    ? String(d.one([70_000_000, 70_000_000, 60_000_000]) + d.below(span))
    : d.one(["x", "25300000", "+33612345678", "58000001", "+22670000001", "70 00 00 02"]);
  if (d.is(0.2)) return { msisdn, attributes: null };
  const value = () =>
    d.one([null, "", 0, false, 1500, "Awa", "François", "Noël", "œuvre", "ɔ", "…".repeat(60)]);
  const names = ["nom", "Prénom", "prenom", "montant", "x"].filter(() => d.is(0.7));
  return { msisdn, attributes: Object.fromEntries(names.map((name) => [name, value()])) };
}

function requestOf(d: Dice, nowMs: number): Json {
  const count = d.is(0.03) ? 240 + d.below(300) : 1 + d.below(15);
  const some = (share: number, fields: () => Json) => (d.is(share) ? fields() : {});
  const aheadMs = d.one([60_000, 3_600_000, 9 * 3_600_000, 40 * 3_600_000, -60_000]);
  return submission({
    body: bodyOf(d),
    message_class: d.one(MESSAGE_CLASSES),
    recipients: Array.from({ length: count }, () => recipientOf(d, count > 100 ? 2000 : 40)),
    ...some(0.3, () => ({ text_policy: d.one(TEXT_POLICIES) })),
    ...some(0.3, () => ({ missing_attributes: d.one(MISSING_ATTRIBUTES) })),
    ...some(0.2, () => ({ scheduled_at: new Date(nowMs + aheadMs).toISOString() })),
    ...some(0.02, () => ({ sender: "NOBODY" })),
    ...some(0.01, () => ({ channel: "WHATSAPP" })),
    ...some(0.01, () => ({ body: " " })),
    ...some(0.01, () => ({ recipients: [] })),
    ...some(0.01, () => ({ recipients: [{ msisdn: 7 }] })),
  });
}

/** An account whose rules, lists and wallet are drawn. */
async function tenantOf(fixture: HttpFixture, d: Dice): Promise<Tenant> {
  const tenant = await fixture.tenant();
  const id = tenant.accountId;
  const isPostpaid = d.is(0.3);
  await fixture.store.write((tx) => {
    changeAccount(tx, id, {
      ...(isPostpaid ? { billingMode: "POSTPAID", creditLimit: d.one([0, 400, 100_000]) } : {}),
      textPolicy: d.one(TEXT_POLICIES),
      missingAttributes: d.one(MISSING_ATTRIBUTES),
      marketingHours: d.one(["00:00-24:00", "08:00-20:00", "12:00-13:00"]),
      marketingPerDay: d.one([0, 1, 2]),
      marketingPerWeek: d.one([0, 3]),
      recipientsPerDay: d.one([0, 0, 0, 30, 300]),
      recipientsPerMinute: d.one([0, 0, 20]),
      classes: d.is(0.1) ? ["OTP"] : MESSAGE_CLASSES,
    });
    tx.run(
      "UPDATE wallets SET funds = ? WHERE account_id = ?",
      d.one([0, 90, 2000, 100_000, 1_000_000, 1_000_000, -100]),
      id,
    );
    for (let number = 0; number < 40; number++) {
      if (!d.is(0.1)) continue;
      const msisdn = `+226${70_000_000 + number}`;
      const messageClass = d.one(MESSAGE_CLASSES);
      addSuppression(tx, { accountId: id, msisdn, messageClass, source: "ADMIN", note: null }, 0);
    }
  });
  return tenant;
}

async function ask({ http }: HttpFixture, { apiKey }: Tenant, path: string, body?: Json): Promise<Answer> {
  const response = await fetch(`${http.url}/public/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

export const quoteOf = (fixture: HttpFixture, tenant: Tenant, body: Json) =>
  ask(fixture, tenant, "/batches/quote", body);

/** Quotes and sends `count` random submissions; throws where the two differ. */
export async function tryQuotes(fixture: HttpFixture, chance: Chance, count: number): Promise<Ends> {
  const d = dice(chance);
  const ends: Ends = new Map();
  let tenant = await tenantOf(fixture, d);
  for (let trial = 0; trial < count; trial++) {
    if (d.is(0.2)) tenant = await tenantOf(fixture, d);
    if (d.is(0.3)) await fixture.clock.advance(d.one([1000, 30_000, 3_600_000]));
    const request = requestOf(d, fixture.clock.nowMs());
    const before = await ask(fixture, tenant, "/account/balance");
    const quote = await quoteOf(fixture, tenant, request);
    const again = await quoteOf(fixture, tenant, request);
    if (quote.status === 200) deepStrictEqual(again, quote, "a quote changes nothing");
    const response = await submitTo(fixture, tenant, `trial-${trial}-${chance.fraction()}`, request);
    const sent: Answer = { status: response.status, body: (await response.json()) as Answer["body"] };
    agree(quote, sent, before, JSON.stringify(request));
    if (sent.status === 202) asWritten(fixture, quote.body.data ?? {}, sent.body.data ?? {});
    const end = `${sent.status} ${sent.body.code ?? sent.body.data?.status}`;
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  return ends;
}

/** Whether money was refused before all recipients were priced, as those of a batch that is written in steps may be. */
const isPartlyPriced = ({ body }: Answer): boolean => String(body.detail).includes("at least");

/** What a quote said and what came of the submission. */
function agree(quote: Answer, sent: Answer, before: Answer, request: string): void {
  const { data: told = {}, ...problem } = quote.body;
  if (sent.status === 202) {
    const { batch_id: _, reserved_amount, ...batch } = sent.body.data ?? {};
    const { status, accepted, rejected, rejections, total_segments, currency, warnings, is_sandbox } = told;
    const same = { status, accepted, rejected, rejections, currency, total_segments, warnings, is_sandbox };
    deepStrictEqual([told.is_payable, told.refusal, same], [true, null, batch], request);
    strictEqual(told.amount, reserved_amount, request);
  } else if (sent.status === 402 && isPartlyPriced(sent) && quote.body.code === "CONFIGURATION_ERROR") {
    // What the account can't pay is refused before the rest of it is looked at; a quote looks at all of it.
    return;
  } else if (sent.status === 402) {
    const refusal = told.refusal as { code: string; detail: string };
    deepStrictEqual([quote.status, told.is_payable, refusal.code], [200, false, sent.body.code], request);
    if (!isPartlyPriced(sent)) strictEqual(refusal.detail, sent.body.detail);
  } else {
    const { request_id: _a, ...mine } = problem;
    const { request_id: _b, ...theirs } = sent.body;
    deepStrictEqual([quote.status, mine], [sent.status, theirs], request);
    return;
  }
  const spendable = Number(before.body.data?.spendable);
  deepStrictEqual(
    [told.spendable_before, told.spendable_after],
    [spendable, spendable - Number(told.amount)],
    request,
  );
}

/** What stands in the books of a batch is what its quote said of operators and encodings. */
function asWritten({ store }: HttpFixture, told: Json, sent: Json): void {
  const rows = store.read.all<{ operator: string; price: number; messages: number; segments: number }>(
    `SELECT m.operator, m.price, count(*) AS messages, sum(m.segments) AS segments
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ? GROUP BY m.operator ORDER BY m.operator`,
    String(sent.batch_id),
  );
  deepStrictEqual(
    told.by_operator,
    rows.map(({ operator, price, messages, segments }) => ({
      operator,
      price,
      messages,
      segments,
      amount: segments * price,
      fallback_amount: 0,
    })),
  );
  const encodings = { GSM7: 0, UCS2: 0 };
  for (const { encoding, messages } of store.read.all<{ encoding: "GSM7" | "UCS2"; messages: number }>(
    `SELECT m.encoding, count(*) AS messages
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ? GROUP BY m.encoding`,
    String(sent.batch_id),
  ))
    encodings[encoding] = messages;
  deepStrictEqual(told.encodings, encodings);
  strictEqual((told.characters as unknown[]).length > 0, encodings.UCS2 > 0);
}
