import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveTemplates } from "../../../src/channels/whatsapp/template-rows.ts";
import { readTemplate } from "../../../src/channels/whatsapp/template-text.ts";
import { registerSender, senderByName } from "../../../src/domain/accounts/senders.ts";
import { getFrom, type HttpFixture, httpFixture, type Tenant } from "./fixture.ts";

const number = (id: string, waba: string) => ({
  phone_number_id: id,
  waba_id: waba,
  token: "t0ken",
  price: { OTP: 6, TRANSACTIONAL: 5 },
});
const whatsapp = {
  app_secret: "S",
  verify_token: "V",
  api: "http://127.0.0.1:9",
  numbers: { main: number("1", "71"), other: number("2", "72") },
};
const template = (name: string, category: string, text: string, more: object = {}) =>
  readTemplate({
    name,
    language: "fr",
    status: "APPROVED",
    category,
    components: [{ type: "BODY", text }],
    ...more,
  })!;

const MOVES = Date.parse("2027-01-02T03:04:05Z");

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture({ whatsapp });
  tenant = await fixture.tenant(["MESSAGES_SEND", "SENDER_IDS_READ"]);
  const { store, clock } = fixture;
  await store.write((tx) => {
    const ours = [
      template("rappel", "UTILITY", "Bonjour {{nom}}", {
        parameter_format: "NAMED",
        quality_score: { score: "GREEN" },
      }),
      template("code", "AUTHENTICATION", "Votre code est {{1}}.", { status: "PAUSED" }),
    ];
    const at = { beganMs: clock.nowMs(), nowMs: clock.nowMs() };
    saveTemplates(tx, "71", ours, at);
    tx.run("UPDATE whatsapp_templates SET moves_to = 'MARKETING', moves_at = ? WHERE name = 'rappel'", MOVES);
    saveTemplates(tx, "72", [template("autre", "MARKETING", "Soldes")], at);
  });
});
afterAll(() => fixture.close());

const register = (operator: string) =>
  fixture.store.write((tx) => {
    const { id } = senderByName(tx, tenant.accountId, "ACME")!;
    registerSender(tx, id, operator, fixture.clock.nowMs());
  });
const data = async (path: string) => {
  const answer = await getFrom(fixture, tenant, path);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
};

describe("GET /templates", () => {
  test("is empty while no sender of the account is registered with a number", async () => {
    expect(await data("/templates")).toEqual({ templates: [], is_sandbox: false });
    expect(await data("/sender-ids")).toMatchObject({ sender_ids: [{ sender: "ACME", channels: ["SMS"] }] });
  });

  test("has the templates of the numbers that a sender is registered with, and why one cannot be used", async () => {
    await register("whatsapp:main");
    const synced_at = new Date(fixture.clock.nowMs()).toISOString();
    expect(await data("/templates")).toEqual({
      templates: [
        {
          name: "code",
          language: "fr",
          status: "PAUSED",
          category: "AUTHENTICATION",
          body: "Votre code est {{1}}.",
          parameters: ["1"],
          parameter_format: "POSITIONAL",
          quality: null,
          number: "whatsapp:main",
          is_usable: false,
          synced_at,
          is_sandbox: false,
          why_not: "it is paused",
          moves_to: null,
          moves_at: null,
        },
        {
          name: "rappel",
          language: "fr",
          status: "APPROVED",
          category: "UTILITY",
          body: "Bonjour {{nom}}",
          parameters: ["nom"],
          parameter_format: "NAMED",
          quality: "GREEN",
          number: "whatsapp:main",
          is_usable: true,
          why_not: null,
          synced_at,
          is_sandbox: false,
          moves_to: "MARKETING",
          moves_at: "2027-01-02T03:04:05.000Z",
        },
      ],
      is_sandbox: false,
    });
    expect(await data("/sender-ids")).toMatchObject({
      sender_ids: [{ operators: ["orange", "whatsapp:main"], channels: ["SMS", "WHATSAPP"] }],
    });
  });

  test("wants the scope MESSAGES_SEND", async () => {
    const reader = await fixture.key(tenant.accountId, ["MESSAGES_READ"]);
    expect((await getFrom(fixture, reader, "/templates")).status).toBe(403);
  });
});
