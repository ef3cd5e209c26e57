/** What holds for every batch holds for one of WhatsApp: the appliance whole, over HTTP, with a stand-in for the Cloud API. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/admin/commands.ts";
import { startWhatsappSim, type WhatsappSim } from "../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../src/simulator/whatsapp/settings.ts";
import { configOf, document } from "../config/sample.ts";
import { fated } from "../simulator/whatsapp/rig.ts";
import { type Batch, type Client, type Stage, stage } from "./stage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let whole: Stage;
let sim: WhatsappSim;
let client: Client;
let posted: string[];

beforeEach(async () => {
  posted = [];
  whole = await stage();
  const { clock, settings } = whole;
  sim = startWhatsappSim({
    clock,
    settings: {
      ...SIM_DEFAULTS,
      port: 0,
      appSecret: "S",
      verifyToken: "V",
      read: 0,
      webhook: `${whole.url()}/whatsapp/webhook`,
    },
    fate: () => fated([{ status: "sent" }, { status: "delivered" }]),
    onEvent: (event) => {
      if (event.kind === "post") posted.push(event.to);
    },
  });
  const { whatsapp } = configOf(
    document({
      whatsapp: {
        app_secret: "S",
        verify_token: "V",
        api: `http://127.0.0.1:${sim.port}`,
        numbers: {
          main: {
            phone_number_id: "1",
            waba_id: "2",
            token: "t",
            price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
          },
        },
      },
    }),
  );
  expect(settings.replace({ ...settings.now(), whatsapp })).toEqual([]);
  client = await whole.client();
  await whole.admin("sender register", {
    ACCOUNT: client.accountId,
    NAME: "ACME",
    operator: "whatsapp:main",
  });
  await whole.admin("whatsapp sync");
});
afterEach(async () => {
  await whole.close();
  await sim.stop();
});

test("a reading of templates that failed ends its command with 1, and tells why", async () => {
  const exitCode = ADMIN_COMMANDS.find(({ name }) => name === "whatsapp sync")?.exitCode;
  expect(exitCode?.(await whole.admin("whatsapp sync"))).toBe(0);
  await sim.stop();
  const failed = await whole.admin("whatsapp sync");
  expect(exitCode?.(failed)).toBe(1);
  expect(failed.syncs).toMatchObject([{ error: expect.anything() }]);
});

const ready = (msisdn: string, commande = 1) => ({ msisdn, attributes: { nom: "Awa", commande } });
const offer = (msisdn: string, offre = "tout") => ({ msisdn, attributes: { nom: "Awa", offre } });
const READY = { channel: "WHATSAPP", body: "Bonjour {nom}, votre commande {commande} est prête." };
const OFFER = {
  channel: "WHATSAPP",
  message_class: "MARKETING",
  body: "Bonjour {nom}, profitez de {offre} dès aujourd'hui chez nous.",
};
const reasons = ({ rejections }: Batch) => rejections.map(({ reason_code }) => reason_code);
const isOver = ({ status }: Batch) => ["SETTLED", "CANCELLED"].includes(status);
const inMs = (ms: number) => new Date(whole.clock.nowMs() + ms).toISOString();
const errorOf = async (batchId: string) => (await client.messages(batchId))[0]?.error;
const reserved = async () => (await client.balance()).reserved;

describe("a batch of WhatsApp", () => {
  test("with a time waits for it, and leaves then", async () => {
    const batch = await client.submit({
      ...READY,
      recipients: [ready("70000001")],
      scheduled_at: inMs(HOUR_MS),
    });
    expect(batch.status).toBe("SCHEDULED");
    await whole.clock.advance(HOUR_MS - 100);
    expect([posted, await reserved()]).toEqual([[], 5]);
    const ended = await client.until(batch.batch_id, isOver);
    expect(ended).toMatchObject({ status: "SETTLED", counts: { delivered: 1 }, charged_amount: 5 });
    expect(posted).toEqual(["22670000001"]);
  });

  test("that was called off costs nothing, and nothing of it leaves", async () => {
    const batch = await client.submit({
      ...READY,
      recipients: [ready("70000001")],
      scheduled_at: inMs(HOUR_MS),
    });
    await whole.admin("batch cancel", { BATCH: batch.batch_id, reason: "wrong list" });
    const ended = await client.until(batch.batch_id, isOver);
    expect(ended).toMatchObject({ status: "CANCELLED", released_amount: 5, charged_amount: 0 });
    await whole.clock.advance(2 * HOUR_MS);
    expect(posted).toEqual([]);
  });

  test("of marketing is kept to the account's hours, at acceptance and while it waits", async () => {
    const { accountId } = client;
    await whole.admin("account set", { ACCOUNT: accountId, "marketing-hours": "20:00-22:00" });
    const early = await client.submit({ ...OFFER, recipients: [offer("70000001")] });
    expect(reasons(early)).toEqual(["QUIET_HOURS"]);
    await whole.admin("account set", { ACCOUNT: accountId, "marketing-hours": "08:00-09:10" });
    sim.setTemplates(sim.templates().map((one) => ({ ...one, status: "PAUSED" })));
    const late = await client.submit({
      ...OFFER,
      recipients: [offer("70000001")],
      scheduled_at: inMs(MINUTE_MS),
    });
    await whole.admin("whatsapp sync");
    // The hours close at 09:10, the template goes on at 09:20.
    await whole.clock.advance(20 * MINUTE_MS);
    sim.setTemplates(sim.templates().map((one) => ({ ...one, status: "APPROVED" })));
    await whole.admin("whatsapp sync");
    await whole.clock.advance(MINUTE_MS);
    expect([posted, (await client.batch(late.batch_id)).status]).toEqual([[], "QUEUED"]);
    await whole.admin("account set", { ACCOUNT: accountId, "marketing-hours": "08:00-10:00" });
    await client.until(late.batch_id, isOver);
    expect(posted).toEqual(["22670000001"]);
  });

  test("counts for caps and ceilings together with SMS", async () => {
    const { accountId } = client;
    await whole.admin("account set", { ACCOUNT: accountId, "marketing-per-day": "1" });
    await client.submit({ message_class: "MARKETING", recipients: [{ msisdn: "70000001" }] });
    const capped = await client.submit({ ...OFFER, recipients: [offer("70000001"), offer("70000002")] });
    expect(reasons(capped)).toEqual(["FREQUENCY_CAP_DAILY"]);
    const sms = await client.submit({ message_class: "MARKETING", recipients: [{ msisdn: "70000002" }] });
    expect(reasons(sms)).toEqual(["FREQUENCY_CAP_DAILY"]);
    await whole.admin("account set", { ACCOUNT: accountId, "recipients-per-day": "3" });
    const over = await client.submit({ ...READY, recipients: [ready("70000003"), ready("70000004")] });
    expect(reasons(over)).toEqual(["RATE_LIMIT_PER_DAY"]);
  });

  test("leaves out who opted out, also of what was accepted before", async () => {
    const batch = await client.submit({
      ...OFFER,
      scheduled_at: inMs(HOUR_MS),
      recipients: [offer("70000001"), offer("70000002")],
    });
    await whole.admin("suppression add", {
      ACCOUNT: client.accountId,
      MSISDN: "70000001",
      class: "MARKETING",
    });
    await whole.clock.advance(HOUR_MS);
    const ended = await client.until(batch.batch_id, isOver);
    expect(ended).toMatchObject({
      counts: { delivered: 1, cancelled: 1 },
      charged_amount: 21,
      released_amount: 21,
    });
    expect(posted).toEqual(["22670000002"]);
    const next = await client.submit({ ...OFFER, recipients: [offer("70000001", "rien")] });
    expect(reasons(next)).toEqual(["SUPPRESSED"]);
  });

  test("of a suspended account waits, and leaves when it is let in again", async () => {
    const batch = await client.submit({
      ...READY,
      recipients: [ready("70000001")],
      scheduled_at: inMs(MINUTE_MS),
    });
    await whole.admin("account suspend", { ACCOUNT: client.accountId, reason: "unpaid" });
    await whole.clock.advance(10 * MINUTE_MS);
    expect(posted).toEqual([]);
    await whole.admin("account resume", { ACCOUNT: client.accountId });
    await client.until(batch.batch_id, isOver);
    expect(posted).toEqual(["22670000001"]);
  });

  test("whose number is switched off is given up when its validity is over, and released", async () => {
    const { settings } = whole;
    const config = settings.now();
    const { main } = config.whatsapp.numbers;
    if (!main) throw new Error("no number");
    const numbers = { main: { ...main, enabled: false } };
    expect(settings.replace({ ...config, whatsapp: { ...config.whatsapp, numbers } })).toEqual([]);
    const code = {
      channel: "WHATSAPP",
      message_class: "OTP",
      body: "*{code}* est votre code de vérification.",
    };
    const batch = await client.submit({
      ...code,
      recipients: [{ msisdn: "70000001", attributes: { code: "1" } }],
    });
    await whole.clock.advance(9 * MINUTE_MS);
    expect((await client.batch(batch.batch_id)).status).toBe("QUEUED");
    const ended = await client.until(batch.batch_id, isOver);
    expect(ended).toMatchObject({ status: "SETTLED", counts: { failed: 1 }, released_amount: 6 });
    expect(await errorOf(batch.batch_id)).toMatchObject({ code: "EXPIRED_IN_QUEUE" });
    expect(posted).toEqual([]);
  });

  test("of a test key goes to nobody, and ends as the last digits of each number say", async () => {
    const tried = await whole.inSandbox(client);
    const recipients = ["70000010", "70000081", "70000093"].map((msisdn) => ready(msisdn));
    const batch = await tried.submit({ ...READY, recipients });
    const ended = await tried.until(batch.batch_id, isOver);
    expect(ended).toMatchObject({
      counts: { delivered: 2, failed: 1 },
      charged_amount: 10,
      released_amount: 5,
    });
    expect(await tried.messages(batch.batch_id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ channel: "WHATSAPP", operator: "whatsapp:main", encoding: "UTF8" })),
    );
    expect(posted).toEqual([]);
  });
});
