/** A client tries WhatsApp with a test key: where nobody has connected a number, and where somebody has. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { startWhatsappSim, type WhatsappSim } from "../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../src/simulator/whatsapp/settings.ts";
import { BUILT_IN_TEMPLATES as SIMULATED } from "../../src/simulator/whatsapp/templates.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let here: Stage;
let live: Client;
let tried: Client;

async function open(tables: Readonly<Record<string, unknown>> = {}) {
  here = await stage(undefined, tables);
  live = await here.client();
  tried = await here.inSandbox(live);
}
beforeEach(() => open());
afterEach(() => here.close());

const NUMBER = {
  phone_number_id: "1",
  waba_id: "2",
  token: "t",
  price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
};
const WHATSAPP = {
  whatsapp: { app_secret: "s", verify_token: "v", api: "http://127.0.0.1:1", numbers: { main: NUMBER } },
};

const ORDER = {
  sender: "TEST",
  channel: "WHATSAPP",
  message_class: "TRANSACTIONAL",
  body: "Bonjour {nom}, votre commande {commande} est prête.",
};
const to = (digits: string) => ({
  msisdn: `+226700000${digits}`,
  attributes: { nom: "Awa", commande: `45${digits}` },
});

type Answer = { readonly data: { readonly batch_id: string; readonly rejected: number } };

async function submit({ apiKey }: Client, body: object, key = crypto.randomUUID()) {
  const headers = { "x-api-key": apiKey, "idempotency-key": key, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${here.url()}/public/v1/batches`, init);
  return { status: response.status, json: (await response.json()) as Answer };
}

async function listed({ apiKey }: Client) {
  const answer = await fetch(`${here.url()}/public/v1/templates`, { headers: { "x-api-key": apiKey } });
  const { data } = (await answer.json()) as {
    data: { templates: readonly { name: string; number: string; is_usable: boolean; body: string }[] };
  };
  return data;
}

/** The messages of a batch, once it has ended. */
async function ended(body: object) {
  const { status, json } = await submit(tried, body);
  expect([status, json.data.rejected]).toEqual([202, 0]);
  await tried.until(json.data.batch_id, (batch) => batch.status === "SETTLED");
  return (await tried.messages(json.data.batch_id)) as readonly Readonly<Record<string, unknown>>[];
}

describe("where no number is connected", () => {
  const CASES = [
    ["OTP", "*{code}* est votre code de vérification."],
    ["TRANSACTIONAL", "Bonjour {nom}, votre commande {commande} est prête."],
    ["TRANSACTIONAL", "Bonjour {nom}, nous vous attendons le {jour} à {heure}. À bientôt !"],
    ["MARKETING", "Bonjour {nom}, profitez de {offre} dès aujourd'hui chez nous."],
  ] as const;

  test.each(CASES)("a test key sends one of four templates: %s, %s", async (message_class, body) => {
    const attributes = {
      code: "482913",
      nom: "Awa",
      commande: "4521",
      jour: "3",
      heure: "9 h",
      offre: "20 %",
    };
    const recipients = [{ msisdn: "+22670000001", attributes }];
    const [message] = await ended({ ...ORDER, message_class, body, recipients });
    expect(message).toMatchObject({
      channel: "WHATSAPP",
      operator: "whatsapp:test",
      status: "DELIVERED",
      is_sandbox: true,
      segments: 1,
      encoding: "UTF8",
      amount: 0,
    });
  });

  test("another text is refused with the nearest template, and a live key with CONFIGURATION_ERROR", async () => {
    const recipients = [to("01")];
    const other = await submit(tried, {
      ...ORDER,
      body: "Bonjour {nom}, votre commande est prête.",
      recipients,
    });
    expect(other).toMatchObject({
      status: 422,
      json: { errors: [{ path: "/body", template: { name: "commande_prete" } }] },
    });
    const ofAnotherClass = await submit(tried, { ...ORDER, message_class: "MARKETING", recipients });
    expect(ofAnotherClass.status).toBe(422);
    const asked = await submit(live, { ...ORDER, sender: "ACME", recipients });
    expect(asked).toMatchObject({ status: 500, json: { code: "CONFIGURATION_ERROR" } });
  });

  test("the four are listed, as they are sent", async () => {
    const { templates } = await listed(tried);
    expect(templates.map(({ name, number, is_usable }) => [name, number, is_usable])).toEqual(
      ["code_de_verification", "commande_prete", "offre_du_jour", "rendez_vous"].map((name) => [
        ...[name, "whatsapp:test", true],
      ]),
    );
    expect(templates[1]).toMatchObject({
      body: "Bonjour {{nom}}, votre commande {{commande}} est prête.",
      category: "UTILITY",
      language: "fr",
      parameters: ["nom", "commande"],
      parameter_format: "NAMED",
      why_not: null,
      is_sandbox: true,
    });
    expect((await listed(live)).templates).toEqual([]);
  });

  test("a sender that is registered with no number fails as it would live", async () => {
    const [message] = await ended({ ...ORDER, sender: "ACME", recipients: [to("01")] });
    expect(message).toMatchObject({ status: "FAILED", error: { code: "SENDER_NOT_REGISTERED" } });
  });
});

describe("where a number has templates", () => {
  let sim: WhatsappSim;
  beforeEach(async () => {
    await here.close();
    sim = startWhatsappSim({ clock: systemClock, settings: { ...SIM_DEFAULTS, port: 0 } });
    const [, ready] = SIMULATED;
    sim.setTemplates([
      { ...ready!, name: "rappel", components: [{ type: "BODY", text: "Rappel pour {{nom}}." }] },
    ]);
    const { whatsapp } = WHATSAPP;
    await open({ whatsapp: { ...whatsapp, api: `http://127.0.0.1:${sim.port}` } });
    await here.admin("whatsapp sync", {});
  });
  afterEach(() => sim.stop());

  test("TEST sends those, and the built-in ones still; those are listed", async () => {
    expect((await listed(tried)).templates).toMatchObject([{ name: "rappel", number: "whatsapp:main" }]);
    for (const body of [ORDER.body, "Rappel pour {nom}."]) {
      const [message] = await ended({ ...ORDER, body, recipients: [to("01")] });
      expect(message).toMatchObject({ status: "DELIVERED", operator: "whatsapp:main", amount: 5 });
    }
    const other = await submit(tried, { ...ORDER, body: "Rappel de {nom}.", recipients: [to("02")] });
    expect(other).toMatchObject({
      status: 422,
      json: { errors: [{ path: "/body", template: { name: "rappel" } }] },
    });
  });

  test("a sender of the account is what it is live: known to no number, its messages fail; to one, the built-in ones are none", async () => {
    const recipients = [to("01")];
    const [message] = await ended({ ...ORDER, sender: "ACME", recipients });
    expect(message).toMatchObject({ status: "FAILED", error: { code: "SENDER_NOT_REGISTERED" }, amount: 0 });
    await here.admin("sender register", { ACCOUNT: live.accountId, NAME: "ACME", operator: "whatsapp:main" });
    const refused = await submit(tried, { ...ORDER, sender: "ACME", recipients: [to("02")] });
    expect(refused.status).toBe(422);
  });
});

describe("an ending", () => {
  beforeEach(async () => {
    await here.close();
    await open(WHATSAPP);
  });

  test.each([
    ["00", "DELIVERED", null, 5],
    ["80", "DELIVERED", null, 5],
    ["81", "FAILED", "UNKNOWN_SUBSCRIBER", 0],
    ["85", "FAILED", "EXPIRED_AT_OPERATOR", 0],
    ["87", "FAILED", "OPERATOR_REJECTED", 0],
    ["88", "DELIVERED", null, 5],
    ["89", "FAILED", "SENDER_NOT_REGISTERED", 0],
    ["90", "SENT", "RECEIPT_NOT_RECEIVED", 0],
    ["91", "DELIVERED", null, 5],
    ["92", "FAILED", "SUBMIT_OUTCOME_UNKNOWN", 0],
  ] as const)(
    "%s is %s, and costs what it would: only what is delivered",
    async (digits, status, code, amount) => {
      const [message] = await ended({ ...ORDER, recipients: [to(digits)] });
      expect(message).toMatchObject({ status, is_final: true, operator: "whatsapp:main", amount });
      expect((message?.error as { readonly code: string } | null)?.code ?? null).toBe(code);
    },
  );

  test("91 is sent once: the answer comes late", async () => {
    const { json } = await submit(tried, { ...ORDER, recipients: [to("91")] });
    await tried.until(json.data.batch_id, (batch) => batch.status === "SETTLED");
    const { message_id } = (await tried.messages(json.data.batch_id))[0] as { readonly message_id: string };
    const trace = JSON.stringify(await here.admin("message trace", { MESSAGE: message_id }));
    expect(trace).toContain("unanswered");
    expect(trace).toContain('"resends":0');
  });
});
