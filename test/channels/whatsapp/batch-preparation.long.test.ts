import { afterEach, describe, expect, test } from "vitest";
import { intakeChannels } from "../../../src/app/channels.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { accepted } from "../../../src/core/refusals.ts";
import { setPrice } from "../../../src/domain/accounts/prices.ts";
import { addSuppression } from "../../../src/domain/accounts/suppressions.ts";
import { findMessage, messageObject } from "../../../src/domain/messages/message-view.ts";
import { quoter } from "../../../src/domain/submission/quote.ts";
import type { RequestRecipient } from "../../../src/domain/submission/recipients.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import { validator } from "../../../src/domain/submission/staging.ts";
import type { SubmissionAnswer } from "../../../src/domain/submission/submit.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { BUILT_IN_TEMPLATES, type SimTemplate } from "../../../src/simulator/whatsapp/templates.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { tenants } from "../../kit/tenants.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type RigOptions, type WhatsappRig, whatsappRig } from "./rig.ts";

const PRICES = { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 };
const DELIVERED: PostFate = fated([{ status: "sent" }, { status: "delivered" }]);

const rigs: WhatsappRig[] = [];

/** The channel with the templates of the stand-in. */
async function rigWith(options: RigOptions = {}) {
  const number = { price: PRICES, ...options.number };
  const rig = await whatsappRig({ fate: () => DELIVERED, ...options, number, wording: "templates" });
  rigs.push(rig);
  await rig.sync();
  return rig;
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const to = (msisdn: string, attributes: RequestRecipient["attributes"] = null): RequestRecipient => ({
  msisdn,
  attributes,
});
const READY: Partial<BatchRequest> = {
  body: "Bonjour {nom}, votre commande {commande} est prête.",
  recipients: [to("70000001", { nom: "Awa", commande: 4521 })],
};
const CODE: Partial<BatchRequest> = {
  messageClass: "OTP",
  body: "*{code}* est votre code de vérification.",
  recipients: [to("70000001", { code: "481516" })],
};
const OFFER: Partial<BatchRequest> = {
  messageClass: "MARKETING",
  body: "Bonjour {nom}, profitez de {offre} dès aujourd'hui chez nous.",
  recipients: [to("70000001", { nom: "Awa", offre: "20 % de remise" })],
};

const idOf = (answer: SubmissionAnswer): number => {
  if (answer.kind === "accepted") return answer.batch.id;
  throw new Error(JSON.stringify(answer));
};
const refusalOf = (answer: SubmissionAnswer) => {
  if (answer.kind !== "refused") throw new Error(answer.kind);
  return answer.refusal;
};
const faultOf = (answer: SubmissionAnswer) => {
  const { code, faults } = refusalOf(answer);
  expect(code).toBe("VALIDATION_FAILED");
  const [first] = faults ?? [];
  return first && { ...first, message: english(first.message) };
};
const named = (place: number, changes: Partial<SimTemplate>): SimTemplate => ({
  ...(BUILT_IN_TEMPLATES[place] as SimTemplate),
  ...changes,
});
const COMMANDE = 1;
const reasons = (answer: SubmissionAnswer) =>
  answer.kind === "accepted" ? answer.batch.rejections.map(({ reason }) => reason) : answer.kind;

describe("a batch of WhatsApp", () => {
  // Keeps: behaviour 12.7
  test.each([
    ["OTP", CODE, 6, "*481516* est votre code de vérification."],
    ["TRANSACTIONAL", READY, 5, "Bonjour Awa, votre commande 4521 est prête."],
    ["MARKETING", OFFER, 21, "Bonjour Awa, profitez de 20 % de remise dès aujourd'hui chez nous."],
  ] as const)(
    "of the class %s is reserved, posted, delivered and charged",
    async (_, request, price, text) => {
      const rig = await rigWith();
      const answer = await rig.submit(request);
      const batchId = idOf(answer);
      expect(rig.base.batch(batchId)).toMatchObject({ status: "QUEUED", accepted: 1 });
      expect((await rig.wallet()).reserved).toBe(price);
      await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
      expect(rig.posts).toMatchObject([{ to: "22670000001", text }]);
      expect(rig.base.batch(batchId)).toMatchObject({
        status: "SETTLED",
        delivered: 1,
        charged_amount: price,
        released_amount: 0,
      });
      const ulid = rig.store.read.get<{ ulid: string }>("SELECT ulid FROM messages")?.ulid ?? "";
      const row = findMessage(rig.store.read, await rig.account(), ulid);
      expect(row && messageObject(row)).toMatchObject({
        channel: "WHATSAPP",
        operator: "whatsapp:main",
        encoding: "UTF8",
        segments: 1,
        amount: price,
      });
    },
  );

  // Keeps: behaviour 12.1
  test("goes by the first number of the configuration that its sender is registered with", async () => {
    const other = { phone_number_id: "43", waba_id: "8", token: "t", price: { TRANSACTIONAL: 7 } };
    const rig = await rigWith({ more: { other } });
    await rig.account();
    await rig.store.write((tx) =>
      tx.run("DELETE FROM sender_registrations WHERE operator = 'whatsapp:main'"),
    );
    const batchId = idOf(await rig.submit(READY));
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.posts).toMatchObject([{ phone: "43" }]);
    expect(rig.messages(batchId)).toMatchObject([{ operator: "whatsapp:other", price: 7, amount: 7 }]);
  });

  // Keeps: behaviour 12.1
  test("whose sender no number knows is accepted whatever it says, and fails", async () => {
    const rig = await rigWith();
    await rig.account();
    await rig.store.write((tx) =>
      tx.run("DELETE FROM sender_registrations WHERE operator LIKE 'whatsapp:%'"),
    );
    const batchId = idOf(await rig.submit({ body: "Bonjour" }));
    expect((await rig.wallet()).reserved).toBe(5);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)).toMatchObject([{ error_code: "SENDER_NOT_REGISTERED", amount: 0 }]);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 5 });
    expect(rig.posts).toEqual([]);
  });

  // Keeps: behaviour 12.8
  test("leaves out who is in a country that the number does not write to", async () => {
    const rig = await rigWith({ number: { countries: ["225", "226"] } });
    const answer = await rig.submit({
      ...READY,
      // The last is of a range that nobody was given, and that no operator owns.
      recipients: ["+22670000001", "+2250700000001", "+33612345678", "123", "+22699000000"].map((msisdn) =>
        to(msisdn, { nom: "Awa", commande: 1 }),
      ),
    });
    expect(reasons(answer)).toEqual(["UNROUTABLE_PREFIX", "INVALID_MSISDN", "INVALID_MSISDN"]);
    const home = await rigWith();
    const abroad = { ...READY, recipients: [to("+2250700000001", { nom: "Awa", commande: 1 })] };
    expect(reasons(await home.submit(abroad))).toEqual(["UNROUTABLE_PREFIX"]);
  });

  // Keeps: behaviour 12.7
  test("costs what the account's own price says, and is refused where its class has none", async () => {
    const rig = await rigWith({ number: { price: { TRANSACTIONAL: 5 } } });
    expect(refusalOf(await rig.submit(CODE)).code).toBe("CONFIGURATION_ERROR");
    // Before the 202, however many there are.
    const recipients = Array.from({ length: 10_001 }, (_, at) => to(String(70_000_000 + at), { code: "1" }));
    expect(refusalOf(await rig.submit({ ...CODE, recipients })).code).toBe("CONFIGURATION_ERROR");
    const account = await rig.account();
    await rig.store.write((tx) =>
      setPrice(tx, account, { operator: "whatsapp:main", messageClass: "OTP", amount: 3 }, 0),
    );
    const batchId = idOf(await rig.submit(CODE));
    expect(rig.messages(batchId)).toMatchObject([{ price: 3 }]);
  });

  // Keeps: behaviour 12.7
  test("has what fails or is not billed released, whatever the account is charged on for SMS", async () => {
    const failed = fated([{ status: "failed", code: 131026 }]);
    const rig = await rigWith({
      fate: ({ to: user }) => (user.endsWith("1") ? failed : { ...DELIVERED, isBillable: false }),
    });
    const batchId = idOf(
      await rig.submit({
        ...READY,
        recipients: ["70000001", "70000002"].map((one) => to(one, { nom: "A", commande: 1 })),
      }),
    );
    await rig.until(() => rig.base.batch(batchId).status === "SETTLED");
    expect(rig.statuses(batchId)).toEqual(["FAILED", "DELIVERED"]);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 10 });
  });
});

describe("the body of a batch", () => {
  // Keeps: behaviour 12.2
  test("is told the nearest template and where it first differs, also above 10,000 recipients", async () => {
    const rig = await rigWith();
    const body = "Bonjour {nom}, ta commande {commande} est prête.";
    const fault = {
      path: "/body",
      template: { name: "commande_prete", language: "fr" },
      expected: "Bonjour {{nom}}, votre commande {{comman",
      found: "Bonjour {nom}, ta commande {commande} es",
    };
    expect(faultOf(await rig.submit({ ...READY, body }))).toMatchObject(fault);
    const recipients = Array.from({ length: 10_001 }, (_, at) => to(String(70_000_000 + at)));
    expect(faultOf(await rig.submit({ body, recipients }))).toMatchObject(fault);
    expect(rig.base.count("batches")).toBe(0);
  });

  // Keeps: behaviour 12.2
  test("is told why the template that it is the text of cannot be sent", async () => {
    const rig = await rigWith();
    expect(faultOf(await rig.submit({ ...READY, messageClass: "MARKETING" }))).toMatchObject({
      message:
        "is the text of commande_prete (fr), which cannot be sent: its category is UTILITY, and this class needs MARKETING",
      template: { name: "commande_prete", language: "fr" },
      expected: null,
    });
    rig.sim.setTemplates([named(COMMANDE, { status: "PAUSED" })]);
    await rig.sync();
    expect(faultOf(await rig.submit(READY))?.message).toContain("which cannot be sent: it is paused");
    rig.sim.setTemplates([]);
    await rig.clock.advance(1000);
    await rig.sync();
    expect(faultOf(await rig.submit(READY))?.message).toContain("which cannot be sent: it was deleted");
  });

  // Keeps: behaviour 12.3
  test("chooses among equal texts by the name that is asked for, else the newest", async () => {
    const rig = await rigWith();
    rig.sim.setTemplates([named(COMMANDE, {}), named(COMMANDE, { id: "2", name: "nouvelle" })]);
    await rig.clock.advance(1000);
    await rig.sync();
    idOf(await rig.submit(READY));
    const meant = { name: "commande_prete", language: "fr" };
    idOf(
      await rig.submit({
        ...READY,
        template: meant,
        recipients: [to("70000002", { nom: "B", commande: 1 })],
      }),
    );
    const notes = rig.rows("batch_channel_notes").map(({ note }) => JSON.parse(String(note)).name);
    expect(notes).toEqual(["nouvelle", "commande_prete"]);
    const unknown = await rig.submit({ ...READY, template: { name: "autre", language: "fr" } });
    expect(faultOf(unknown)?.message).toContain("the template with this text is nouvelle (fr)");
  });

  // Keeps: behaviour 12.4
  test("may be free text of OTP and TRANSACTIONAL where the number has leave to send it", async () => {
    const rig = await rigWith({ number: { direct_send: true } });
    const free = { body: "Bonjour {nom}, il pleut.", recipients: [to("70000001", { nom: "Awa" })] };
    const batchId = idOf(await rig.submit(free));
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.posts).toMatchObject([{ text: "Bonjour Awa, il pleut." }]);
    expect(faultOf(await rig.submit({ ...free, messageClass: "MARKETING" }))?.path).toBe("/body");
    // The text of a template that may not be sent is not free.
    expect(faultOf(await rig.submit({ ...OFFER, messageClass: "TRANSACTIONAL" }))?.path).toBe("/body");
    const long = { ...free, recipients: [to("70000002", { nom: "x".repeat(1100) })] };
    expect(reasons(await rig.submit(long))).toEqual(["RENDERED_BODY_TOO_LONG"]);
  });
});

describe("values", () => {
  // Keeps: behaviour 12.5
  test("are sent without white space that Meta refuses, and rejected when nothing or too much is left", async () => {
    const rig = await rigWith();
    const answer = await rig.submit({
      ...READY,
      recipients: [
        to("70000001", { nom: "  Awa \n\t Ouédraogo ", commande: 1 }),
        to("70000002", { nom: " ", commande: 1 }),
        to("70000003", { commande: 1 }),
        to("70000004", { nom: "x".repeat(1024), commande: 1 }),
      ],
    });
    expect(reasons(answer)).toEqual([
      "RENDERED_VALUE_EMPTY",
      "RENDERED_VALUE_EMPTY",
      "RENDERED_BODY_TOO_LONG",
    ]);
    await rig.until(() => rig.posts.length === 1);
    expect(rig.posts).toMatchObject([
      { text: "Bonjour Awa Ouédraogo, votre commande 1 est prête.", code: null },
    ]);
  });

  test("stand in tags of any text where an attribute is called so, also when they are posted", async () => {
    const rig = await rigWith();
    const body = "Bonjour { nom }, votre commande {Numéro de commande} est prête.";
    const asked = { ...READY, body, otherTags: ["nom", "Numéro de commande"] };
    const attributes = { nom: "Awa", "Numéro de commande": 7 };
    const text = "Bonjour {{1}}, votre commande {{2}} est prête.";
    rig.sim.setTemplates([
      named(COMMANDE, { components: [{ type: "BODY", text }], parameter_format: "POSITIONAL" }),
    ]);
    await rig.sync();
    expect(reasons(await rig.submit({ ...asked, recipients: [to("70000001", attributes)] }))).toEqual([]);
    await rig.until(() => rig.posts.length === 1);
    expect(rig.posts).toMatchObject([{ text: "Bonjour Awa, votre commande 7 est prête." }]);
  });

  // Keeps: behaviour 12.5
  test("that are missing are told as such where the batch asks for it", async () => {
    const rig = await rigWith();
    const missing = {
      ...READY,
      missingAttributes: "reject",
      recipients: [to("70000001", { nom: "" })],
    } as const;
    expect(reasons(await rig.submit(missing))).toEqual(["MISSING_ATTRIBUTE"]);
  });

  test("of a code have 15 characters at most", async () => {
    const rig = await rigWith();
    const codes = ["1".repeat(15), "1".repeat(16)].map((code, at) => to(`7000000${at}`, { code }));
    expect(reasons(await rig.submit({ ...CODE, recipients: codes }))).toEqual(["RENDERED_BODY_TOO_LONG"]);
  });

  test("stand where their numbers say, whatever the order in which they appear", async () => {
    const swapped = { components: [{ type: "BODY", text: "{{2}} F reçus de {{1}}." }] };
    const rig = await rigWith();
    rig.sim.setTemplates([named(COMMANDE, { ...swapped, parameter_format: "POSITIONAL" })]);
    await rig.sync();
    const recipients = [to("70000001", { montant: 15, qui: "Awa" })];
    idOf(await rig.submit({ body: "{montant} F reçus de {qui}.", recipients }));
    await rig.until(() => rig.posts.length === 1);
    expect(rig.posts).toMatchObject([{ text: "15 F reçus de Awa.", code: null }]);
  });
});

describe("a template that changes after a batch was accepted", () => {
  const later = async (status: Partial<SimTemplate>[], request = READY) => {
    const rig = await rigWith();
    const scheduledAt = new Date(rig.clock.nowMs() + 60_000).toISOString();
    const batchId = idOf(await rig.submit({ ...request, scheduledAt }));
    const begin = async (): Promise<void> => {
      await rig.clock.advance(59_000);
      await rig.store.write((tx) => tx.run("UPDATE batches SET status = 'QUEUED' WHERE id = ?", batchId));
      rig.line().delivery.offer(batchId);
    };
    rig.sim.setTemplates(status.map((changes) => named(COMMANDE, changes)));
    await rig.clock.advance(1000);
    await rig.sync();
    return { rig, batchId, begin };
  };

  // Keeps: behaviour 12.6
  test("and is paused lets it wait, and leave when it goes on", async () => {
    const { rig, batchId, begin } = await later([{ status: "PAUSED" }]);
    await begin();
    await rig.pass(60_000, 1000);
    expect(rig.statuses(batchId)).toEqual(["QUEUED"]);
    rig.sim.setTemplates([named(COMMANDE, {})]);
    await rig.sync();
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED", 100);
    expect(rig.posts).toHaveLength(1);
  });

  test("and stays paused lets it expire", async () => {
    const { rig, batchId, begin } = await later([{ status: "PAUSED" }]);
    await begin();
    await rig.pass(1441 * 60_000, 60_000);
    expect(rig.messages(batchId)).toMatchObject([{ status: "FAILED", error_code: "EXPIRED_IN_QUEUE" }]);
    expect(rig.base.batch(batchId)).toMatchObject({ status: "SETTLED", released_amount: 5 });
  });

  // Keeps: behaviour 12.6
  test.each([
    ["disabled", [{ status: "DISABLED" }]],
    ["rejected", [{ status: "REJECTED" }]],
    ["deleted", []],
    ["moved to another category", [{ category: "MARKETING" }]],
    ["changed", [{ components: [{ type: "BODY", text: "Bonjour {{nom}}, {{commande}} vous attend." }] }]],
  ] as const)("and is %s fails it, and releases it", async (_, status) => {
    const { rig, batchId, begin } = await later([...status]);
    await begin();
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)).toMatchObject([{ error_code: "TEMPLATE_UNAVAILABLE", amount: 0 }]);
    expect(rig.base.batch(batchId)).toMatchObject({
      status: "SETTLED",
      charged_amount: 0,
      released_amount: 5,
    });
    expect(rig.posts).toEqual([]);
  });
});

describe("what holds for every batch holds for one of WhatsApp", () => {
  test("an opt-out, a repetition and a cap, whichever channel the others went by", async () => {
    const rig = await rigWith();
    const account = await rig.account();
    await rig.store.write((tx) =>
      addSuppression(
        tx,
        {
          accountId: account,
          msisdn: "+22670000009",
          messageClass: "MARKETING",
          source: "ADMIN",
          note: null,
        },
        0,
      ),
    );
    const text = "Bonjour Awa, profitez de tout dès aujourd'hui chez nous.";
    await rig.base.send(account, "MARKETING", ["70000001"], { body: text });
    const answer = await rig.submit({
      ...OFFER,
      recipients: ["70000009", "70000001", "70000002", "70000002"].map((one) =>
        to(one, { nom: "Awa", offre: "tout" }),
      ),
    });
    expect(reasons(answer)).toEqual(["SUPPRESSED", "DUPLICATE_RECENT_BODY", "DUPLICATE_IN_BATCH"]);
  });

  test("a quote of it is what is reserved", async () => {
    const rig = await rigWith();
    const accountId = await rig.account();
    const { intake } = rig.base;
    const request = {
      ...READY,
      recipients: ["70000001", "70000002", "20490000"].map((one) => to(one, { nom: "A", commande: 1 })),
    };
    const quoted = await quoter(intake)({ accountId, request: accepted(rig.request(request)) });
    if (quoted.kind !== "quoted") throw new Error(JSON.stringify(quoted));
    const { sums } = quoted.quote;
    expect(sums).toMatchObject({
      accepted: 2,
      rejected: 1,
      amount: 10,
      total_segments: 2,
      encodings: { UTF8: 2 },
      characters: [],
      by_operator: [
        { operator: "whatsapp:main", price: 5, messages: 2, segments: 2, amount: 10, fallback_amount: 0 },
      ],
      rewritten: { total_segments: 2, amount: 10, saved: 0, examples: [] },
    });
    expect(sums.encodings).toEqual({ UTF8: 2 });
    idOf(await rig.submit(request));
    expect((await rig.wallet()).reserved).toBe(sums.amount);
  });

  test("and a quote warn of a move of their template that Meta has announced, and no other batch does", async () => {
    const rig = await rigWith();
    const accountId = await rig.account();
    const moves = (to: string, name: string) =>
      rig.store.write((tx) =>
        tx.run(
          "UPDATE whatsapp_templates SET moves_to = ?, moves_at = 1800000000000 WHERE name = ?",
          to,
          name,
        ),
      );
    await moves("MARKETING", "commande_prete");
    const recipients = ["70000001", "70000002", "1"].map((one) => to(one, { nom: "A", commande: 1 }));
    const request = { ...READY, recipients };
    const warning = {
      code: "TEMPLATE_MOVES",
      tag: "",
      nearest: null,
      recipients: 2,
      detail: phrase("warning.template_moves", {
        name: "commande_prete",
        language: "fr",
        category: "MARKETING",
        at: 1_800_000_000_000,
      }),
    };
    const quoted = await quoter(rig.base.intake)({ accountId, request: accepted(rig.request(request)) });
    expect(quoted).toMatchObject({ quote: { warnings: [warning] } });
    const answer = await rig.submit(request);
    expect(answer).toMatchObject({ batch: { warnings: [warning] } });
    const [kept] = rig.rows("batches").filter(({ id }) => id === idOf(answer));
    expect(JSON.parse(String(kept?.warnings))).toEqual([warning]);
    expect(await rig.submit(CODE)).toMatchObject({ batch: { warnings: [] } });
    await moves("AUTHENTICATION", "code_de_verification");
    expect(await rig.submit({ ...CODE, recipients: [to("70000003", { code: "1" })] })).toMatchObject({
      batch: { warnings: [] },
    });
  });

  test("one above 10,000 recipients is validated after its answer, by the template that was matched", async () => {
    const rig = await rigWith();
    const recipients = Array.from({ length: 10_001 }, (_, at) =>
      to(String(70_000_000 + at), at === 7 ? { nom: "A" } : { nom: "A", commande: at }),
    );
    const batchId = idOf(await rig.submit({ ...READY, recipients }));
    expect(rig.base.batch(batchId).status).toBe("VALIDATING");
    await validator({ ...rig.base.intake, onQueued: () => {} }).next();
    expect(rig.base.batch(batchId)).toMatchObject({ status: "QUEUED", accepted: 10_000, rejected: 1 });
    expect((await rig.wallet()).reserved).toBe(50_000);
  });

  test("nothing is left of one that cannot be paid, small or staged", async () => {
    const rig = await rigWith();
    const account = await rig.account();
    await rig.store.write((tx) => tx.run("UPDATE wallets SET funds = 9 WHERE account_id = ?", account));
    for (const count of [2, 600]) {
      const recipients = Array.from({ length: count }, (_, at) =>
        to(String(70_000_000 + at), { nom: "A", commande: at }),
      );
      expect(refusalOf(await rig.submit({ ...READY, recipients })).code).toBe("INSUFFICIENT_FUNDS");
    }
    for (const table of ["batches", "messages", "batch_channel_notes"]) expect(rig.base.count(table)).toBe(0);
  });

  test("one whose last number left the configuration before it was validated fails as not configured", async () => {
    const rig = await rigWith();
    const recipients = Array.from({ length: 10_001 }, (_, at) => to(String(70_000_000 + at)));
    const batchId = idOf(await rig.submit({ ...READY, recipients }));
    const config = rig.config();
    const settings = settingsHolder({ ...config, whatsapp: { ...config.whatsapp, numbers: {} } });
    const { store, log } = { ...rig.base.intake };
    const channels = intakeChannels({ settings, store, log });
    await validator({ ...rig.base.intake, settings, channels }).next();
    expect(rig.base.batch(batchId)).toMatchObject({ status: "FAILED", failure_code: "CONFIGURATION_ERROR" });
  });

  test("an SMS has no template", async () => {
    const rig = await rigWith();
    const template = { name: "commande_prete", language: "fr" };
    expect(faultOf(await rig.submit({ ...READY, channel: "SMS", template }))?.path).toBe("/template");
  });

  test("where no number is configured it is refused, and asking again is useless", async () => {
    const base = tenants(
      configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })),
    );
    const accountId = await base.account();
    await expect(base.send(accountId, "OTP", ["70000001"], { channel: "WHATSAPP" })).rejects.toThrow(
      "CONFIGURATION_ERROR",
    );
    await base.close();
  });
});
