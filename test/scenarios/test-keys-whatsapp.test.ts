/** A client tries WhatsApp with a test key: where nobody has connected a number, and where somebody has. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
  ...{ phone_number_id: "1", waba_id: "2", token: "t" },
  price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
};
const WHATSAPP = {
  whatsapp: { app_secret: "s", verify_token: "v", api: "http://127.0.0.1:1", numbers: { main: NUMBER } },
};

const ORDER = {
  ...{ sender: "TEST", channel: "WHATSAPP", message_class: "TRANSACTIONAL" },
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
      ...{ channel: "WHATSAPP", operator: "whatsapp:test", status: "DELIVERED", is_sandbox: true },
      ...{ segments: 1, encoding: "UTF8", amount: 0 },
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

  test("a sender that is registered with no number fails as it would live", async () => {
    const [message] = await ended({ ...ORDER, sender: "ACME", recipients: [to("01")] });
    expect(message).toMatchObject({ status: "FAILED", error: { code: "SENDER_NOT_REGISTERED" } });
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
