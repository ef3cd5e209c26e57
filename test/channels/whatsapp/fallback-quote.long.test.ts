/** What a batch that may go on by SMS is quoted at is what is reserved for it, and its rows say why. */
import { afterEach, expect, test } from "vitest";
import { setOverride } from "../../../src/domain/submission/ported-numbers.ts";
import { quoter } from "../../../src/domain/submission/quote.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { type WhatsappRig, whatsappRig } from "./rig.ts";

const rigs: WhatsappRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

async function rigAt(price: number) {
  const rig = await whatsappRig({
    number: { price: { TRANSACTIONAL: price }, countries: ["226", "33"] },
    wording: "templates",
  });
  rigs.push(rig);
  await rig.sync();
  return rig;
}

const BODY = "Bonjour {nom}, votre commande {commande} est prête.";
const WORDS = [
  "ACME",
  "commande",
  "prête",
  "{nom}",
  "{commande}",
  "l’été",
  "ça",
  "…",
  "ɛ",
  "merci ".repeat(20),
];

async function quoteOf(rig: WhatsappRig, changes: Partial<BatchRequest>) {
  const accountId = await rig.account();
  const value = rig.request({ body: BODY, ...changes });
  const answer = await quoter(rig.base.intake)({ accountId, request: { ok: true, value } });
  if (answer.kind !== "quoted") throw new Error(JSON.stringify(answer));
  return answer.quote.sums;
}

test.each(seeds(4))(
  "the quote is what is reserved, its rows add up to it, and rewriting saves what it says (seed %d)",
  seeded(async (chance) => {
    const below = (most: number) => Math.floor(chance.fraction() * most);
    const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
    const rig = await rigAt(one([0, 5, 21, 40]));
    for (let trial = 0; trial < 40; trial++) {
      const words = Array.from({ length: 1 + below(12) }, () => one(WORDS));
      const body = one([undefined, words.join(" ")]);
      const changes: Partial<BatchRequest> = {
        textPolicy: one(["as_is", "rewrite", "gsm_only"]),
        fallback: { channel: "SMS", after_seconds: 60, ...(body === undefined ? {} : { body }) },
        recipients: Array.from({ length: 1 + below(5) }, (_, at) => ({
          msisdn: one([`+2267000${1000 + trial * 10 + at}`, `+336123${45000 + trial * 10 + at}`]),
          attributes: { nom: one(["Awa", "François", "ɔ"]), commande: 4521 },
        })),
      };
      const sums = await quoteOf(rig, changes);
      const rewritten = await quoteOf(rig, { ...changes, textPolicy: "rewrite" });
      if (changes.textPolicy !== "gsm_only") expect(sums.rewritten.amount).toBe(rewritten.amount);
      const plain = await quoteOf(rig, { ...changes, textPolicy: "as_is" });
      if (changes.textPolicy !== "gsm_only")
        expect(sums.rewritten.saved).toBe(plain.amount - rewritten.amount);
      expect(sums.by_operator.reduce((sum, { amount }) => sum + amount, 0)).toBe(sums.amount);
      for (const { price, segments, amount, fallback_amount } of sums.by_operator) {
        expect(price * segments + fallback_amount).toBe(amount);
      }
      const answer = await rig.submit({ body: BODY, ...changes });
      if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
      expect(rig.base.batch(answer.batch.id)).toMatchObject({
        accepted: sums.accepted,
        rejected: sums.rejected,
        reserved_amount: sums.amount,
        total_segments: sums.total_segments,
      });
    }
  }),
);

test("no SMS follows where a ported number is of nobody here, of several recipients as of one", async () => {
  const rig = await rigAt(5);
  const [ported, other] = ["70000001", "70000002"].map((msisdn) => ({
    msisdn,
    attributes: { nom: "Awa", commande: 1 },
  }));
  const fallback = { channel: "SMS", after_seconds: 60 } as const;
  const amountOf = async (...recipients: (typeof ported)[]) =>
    (await quoteOf(rig, { fallback, recipients: recipients.flatMap((each) => each ?? []) })).amount;
  const withSms = await amountOf(ported);
  expect(withSms).toBeGreaterThan(5);
  await rig.base.store.write((tx) => setOverride(tx, { digits: "22670000001", isPrefix: false }, null, 1));
  expect(await amountOf(ported)).toBe(5);
  expect(await amountOf(ported, other)).toBe(5 + withSms);
});

test("what makes the SMS dear is told, with the place it stands in", async () => {
  const rig = await rigAt(5);
  const recipients = [{ msisdn: "70000001", attributes: { nom: "François", commande: 1 } }];
  const sums = await quoteOf(rig, {
    recipients,
    fallback: { channel: "SMS", after_seconds: 60, body: `{nom}, c’est prêt. ${"Merci. ".repeat(8)}` },
  });
  expect(sums).toMatchObject({
    amount: 30,
    total_segments: 1,
    encodings: { UTF8: 1 },
    by_operator: [
      { operator: "whatsapp:main", price: 5, messages: 1, segments: 1, amount: 30, fallback_amount: 25 },
    ],
    rewritten: { total_segments: 1, amount: 15, saved: 15 },
  });
  expect(sums.characters.map(({ character, in: place }) => [character, place]).sort()).toEqual([
    ["ç", "attribute:nom"],
    ["ê", "fallback.body"],
    ["’", "fallback.body"],
  ]);
});
