/** What is read of messages of WhatsApp, through the appliance whole and a stand-in for Meta. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXACT_ENGLISH, phrase } from "../../../src/i18n/phrase.ts";
import { withTexts } from "../../../src/i18n/text.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { startWhatsappSim, type WhatsappSim } from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { configOf, document } from "../../config/sample.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";

const CODE = "whatsapp:main";
const TEXT = "Bonjour Awa, votre commande 4521 est prête.";

let whole: Stage;
let sim: WhatsappSim;
let client: Client;
let fate: PostFate;
let wamids: string[];
beforeEach(async () => {
  wamids = [];
  whole = await stage();
  sim = startWhatsappSim({
    clock: whole.clock,
    settings: {
      ...SIM_DEFAULTS,
      port: 0,
      webhook: `${whole.url()}/whatsapp/webhook`,
      appSecret: "S",
      verifyToken: "V",
    },
    fate: () => fate,
    onEvent: (event) => {
      if (event.kind === "post" && event.wamid !== null) wamids.push(event.wamid);
    },
  });
  const main = { phone_number_id: "1", waba_id: "2", token: "t", price: { TRANSACTIONAL: 5 } };
  const api = `http://127.0.0.1:${sim.port}`;
  const table = { app_secret: "S", verify_token: "V", api, numbers: { main } };
  whole.settings.replace({
    ...whole.settings.now(),
    whatsapp: configOf(document({ whatsapp: table })).whatsapp,
  });
  await whole.admin("whatsapp sync");
  client = await whole.client();
  await whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: CODE });
});
afterEach(async () => {
  await whole.close();
  await sim.stop();
});

/** Lets time go by until something is so. */
const until = async (isSo: () => Promise<boolean>, stepMs = 50) => {
  for (let step = 0; !(await isSo()); step++) {
    if (step > 3000) throw new Error("it never came");
    await whole.clock.advance(stepMs);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
};
const send = async () => {
  const { batch_id } = await client.submit({
    channel: "WHATSAPP",
    body: "Bonjour {nom}, votre commande {commande} est prête.",
    recipients: [{ msisdn: "70000001", attributes: { nom: "Awa", commande: 4521 } }],
  });
  return batch_id;
};
const only = async (batchId: string) => (await client.messages(batchId))[0]!;
const traced = async (batchId: string, more = {}) => {
  const { message_id } = await only(batchId);
  return whole.admin("message trace", { MESSAGE: String(message_id), ...more });
};
const told = (trace: Record<string, unknown>) =>
  (withTexts(trace.events, EXACT_ENGLISH) as { event: string; detail: string }[]).map(
    ({ event, detail }) => `${event}: ${detail}`,
  );

describe("a message of WhatsApp that was read", () => {
  beforeEach(async () => {
    fate = fated([
      { status: "sent" },
      { status: "delivered", afterMs: 1000 },
      { status: "read", afterMs: 3000 },
    ]);
  });

  test("is traced with its channel, its template, its post and its statuses, and nothing of SMPP", async () => {
    const batchId = await send();
    await until(async () => (await only(batchId)).read_at !== null);
    const trace = await traced(batchId);
    const wamid = wamids.at(-1);
    expect(wamid).toMatch(/^wamid\./);
    expect(trace).toMatchObject({
      channel: "WHATSAPP",
      operator: CODE,
      encoding: "UTF8",
      segments: 1,
      status: "DELIVERED",
      template: { name: "commande_prete", language: "fr" },
      text: phrase("message.text_hidden", { characters: 43 }),
    });
    expect(told(trace)).toEqual([
      "accepted: queued; 5 XOF reserved",
      "claimed: claim 1",
      `post: 1 by whatsapp:main: Meta accepted it; id ${wamid}; reported since: sent, delivered, read`,
      "SENT: Meta has it",
      "status: the message is DELIVERED",
      "DELIVERED: final",
      "squared: 5 XOF charged",
      "read: by the recipient",
    ]);
    expect(JSON.stringify(trace)).not.toContain("deliver_sm");
  });

  test("stands in the export of what is known of its number, with its text and when it was read", async () => {
    const batchId = await send();
    await until(async () => (await only(batchId)).read_at !== null);
    const { messages } = await whole.admin("data export", { MSISDN: "70000001" });
    expect(messages).toMatchObject([{ channel: "WHATSAPP", text: TEXT }]);
    expect(told((messages as Record<string, unknown>[])[0]!)).toContain("read: by the recipient");
  });

  test("is a line of the invoice by its number", async () => {
    const batchId = await send();
    await until(async () => (await only(batchId)).read_at !== null);
    const invoice = await whole.admin("wallet invoice", { ACCOUNT: client.accountId });
    expect(invoice.lines).toMatchObject([
      { channel: "WHATSAPP", operator: CODE, message_class: "TRANSACTIONAL", charged: 5 },
    ]);
  });
});

test("a post that was refused is traced with Meta's code", async () => {
  fate = { ...fated([]), answer: 131026, isTaken: false };
  const batchId = await send();
  await until(async () => (await only(batchId)).status === "FAILED");
  expect(told(await traced(batchId))).toContain("post: 1 by whatsapp:main: Meta refused it; code 131026");
});

test("a post without an answer is listed as unanswered, under its number, and traced as such", async () => {
  fate = { ...fated([]), isAnswered: false };
  const batchId = await send();
  const listed = async () => (await whole.admin("operator unanswered")).messages as object[];
  await until(async () => (await listed()).length > 0);
  const messages = await listed();
  expect(messages).toMatchObject([
    {
      operator: CODE,
      message_class: "TRANSACTIONAL",
      msisdn: "+22670000001",
      resends: 0,
      next: phrase("message.next.waits_for_status"),
    },
  ]);
  expect((await whole.admin("operator unanswered", { operator: CODE })).messages).toHaveLength(1);
  expect((await whole.admin("operator unanswered", { operator: "orange" })).messages).toEqual([]);
  expect(told(await traced(batchId))).toContain("post: 1 by whatsapp:main: no answer, Meta may have it");
});

test("what a stopped number held until its validity was over has expired in the queue", async () => {
  fate = { ...fated([]), answer: 190, isTaken: false };
  const { whatsapp, delivery, ...others } = whole.settings.now();
  whole.settings.replace({
    ...others,
    whatsapp: { ...whatsapp, sync_minutes: 1440 },
    delivery: { ...delivery, validity_minutes: { ...delivery.validity_minutes, TRANSACTIONAL: 30 } },
  });
  const batchId = await send();
  const stopped = async () =>
    JSON.stringify((await whole.admin("operator status")).numbers).includes("STOPPED");
  await until(stopped);
  expect(await only(batchId)).toMatchObject({ status: "QUEUED" });
  expect((await whole.admin("queue show")).queues).toMatchObject([
    { operator: CODE, messages: 0, held: { number_stopped: 1 } },
  ]);
  await until(async () => (await only(batchId)).status === "FAILED", 20_000);
  expect(await only(batchId)).toMatchObject({
    status: "FAILED",
    amount: 0,
    error: { code: "EXPIRED_IN_QUEUE" },
  });
});

test("what waits for its template is told as held by it", async () => {
  fate = fated([]);
  await whole.admin("operator pause", { CODE, reason: "works" });
  await send();
  sim.setTemplates(sim.templates().map((each) => ({ ...each, status: "PAUSED" })));
  await whole.clock.advance(1000);
  await whole.admin("whatsapp sync");
  const held = async () => ((await whole.admin("queue show")).queues as { held: object }[])[0]?.held;
  expect(await held()).toEqual({ operator_paused: 1 });
  await whole.admin("operator resume", { CODE });
  expect(await held()).toEqual({ template_held: 1 });
});
