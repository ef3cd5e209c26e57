/** WhatsApp in the played morning: a stand-in for Meta's API, a batch that goes on as SMS where it must, and what users say. */
import { startWhatsappSim, type WhatsappSim } from "../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../src/simulator/whatsapp/settings.ts";
import { fated } from "../simulator/whatsapp/rig.ts";
import { type Asker, answerTo, dataOf, sent, shownAnswer, typedLine } from "./asking.ts";
import { API, type ApiRequest } from "./requests.ts";

const MINUTE_MS = 60_000;
const MAX_WAITS = 500;
const SECRETS = { appSecret: "a secret of the app", verifyToken: "a word" };

/** Numbers that are written to, by what becomes of them. */
const READ = "70666661";
const NOT_THERE = "70666662";
const SILENT = "70666663";

const DELIVERED_MS = 2000;
const READ_MS = 10_000;

const FATES: Readonly<Record<string, ReturnType<typeof fated>>> = {
  [READ]: fated([
    { status: "sent" },
    { status: "delivered", toldAfterMs: DELIVERED_MS },
    { status: "read", toldAfterMs: READ_MS },
  ]),
  [NOT_THERE]: fated([{ status: "failed", code: 131026 }]),
  [SILENT]: fated([{ status: "sent" }]),
};

const READY = {
  sender: "PHARMA",
  channel: "WHATSAPP",
  body: "Bonjour {nom}, votre commande {commande} est prête.",
  message_class: "TRANSACTIONAL",
};
const FALLBACK = { channel: "SMS", after_seconds: 60, body: "PHARMA : commande {commande} prete." };
const to = (...numbers: readonly string[]) =>
  numbers.map((msisdn) => ({ msisdn, attributes: { nom: "Awa", commande: "4521" } }));
const post = (body: unknown, key: string): ApiRequest => ({
  path: `${API}/batches`,
  method: "POST",
  headers: { "idempotency-key": key },
  body,
});

/** Asked before the batch leaves, or instead of it. */
const BEFORE: readonly ApiRequest[] = [
  { path: `${API}/templates` },
  { path: `${API}/sender-ids` },
  { path: `${API}/batches/quote`, method: "POST", body: { ...READY, recipients: to(READ) } },
  {
    path: `${API}/batches/quote`,
    method: "POST",
    body: { ...READY, fallback: FALLBACK, recipients: [...to(READ, "50111112"), { msisdn: NOT_THERE }] },
  },
  post({ ...READY, body: "Bonjour à tous.", recipients: to(READ) }, "no template"),
  post({ ...READY, message_class: "OTP", recipients: to(READ) }, "no price"),
  post({ ...READY, fallback: { ...FALLBACK, body: "{autre}" }, recipients: to(READ) }, "other tag"),
  post({ ...READY, fallback: { ...FALLBACK, after_seconds: 1 }, recipients: to(READ) }, "too soon"),
  post({ ...READY, template: { name: "autre", language: "fr" }, recipients: to(READ) }, "other template"),
];

/** Asked once everything has ended. */
const AFTER: readonly ApiRequest[] = [
  { path: `${API}/batches/$BY_WHATSAPP` },
  { path: `${API}/messages?status_changed_since=2026-03-01T00:00:00Z&batch_id=$BY_WHATSAPP` },
];

/** What anybody may post to the webhook, who is not Meta. */
const CALLS: readonly ApiRequest[] = [
  {
    path: "/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=another&hub.challenge=1",
    isAnonymous: true,
  },
  {
    path: "/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=a+word&hub.challenge=1",
    isAnonymous: true,
  },
  { path: "/whatsapp/webhook", method: "POST", text: "{}", isAnonymous: true },
  {
    path: "/whatsapp/webhook",
    method: "POST",
    headers: { "x-hub-signature-256": "sha256=00" },
    text: "{}",
    isAnonymous: true,
  },
];

export type PlayedWhatsapp = { readonly told: readonly string[]; readonly stop: () => Promise<void> };

/** Plays all of it. The stand-in answers until it is stopped. */
export async function playWhatsapp(asker: Asker): Promise<PlayedWhatsapp> {
  const { world } = asker;
  const sim = startWhatsappSim({
    clock: world.clock,
    settings: {
      ...SIM_DEFAULTS,
      ...SECRETS,
      port: 0,
      read: 0,
      pairMs: 0,
      webhook: `http://127.0.0.1:${world.portOf(8080)}/whatsapp/webhook`,
    },
    fate: ({ to: number }) => FATES[number.slice(-READ.length)] ?? null,
  });
  try {
    return { told: await playWith(asker, sim), stop: sim.stop };
  } catch (error) {
    await sim.stop();
    throw error;
  }
}

async function playWith(asker: Asker, sim: WhatsappSim): Promise<string[]> {
  const { world } = asker;
  const told: string[] = [];
  const ask = async (requests: readonly ApiRequest[]): Promise<void> => {
    for (const request of requests) told.push(await answerTo(asker, request));
  };
  await ask(CALLS.slice(0, 1));
  world.edit("[compat]\n", `${settingsFor(sim)}[compat]\n`);
  told.push(await typedLine(asker, "config reload"));
  await dataOf(world, "sender register pharma PHARMA --operator whatsapp:main");
  told.push(await typedLine(asker, "whatsapp sync"));
  await ask(CALLS);
  await ask(BEFORE);
  told.push(await playedBatch(asker, sim));
  sim.text(`226${READ}`, "Merci");
  await sim.told();
  sim.preference(`226${READ}`, "stop");
  await sim.told();
  await world.pass(1000);
  await ask(AFTER);
  return told;
}

/** A batch and what becomes of it. Time stands still while something is on its way over HTTP, and goes on when it was heard. */
async function playedBatch(asker: Asker, sim: WhatsappSim): Promise<string> {
  const { world, known } = asker;
  const request = post(
    { ...READY, fallback: FALLBACK, recipients: to(READ, NOT_THERE, SILENT) },
    "by whatsapp",
  );
  const answer = await sent(asker, request);
  const [, batchId = ""] = /"batch_id":"([^"]+)"/.exec(await answer.clone().text()) ?? [];
  known.set("$BY_WHATSAPP", batchId);
  const feed = `${API}/messages?status_changed_since=2026-03-01T00:00:00Z&batch_id=${batchId}`;
  const areTaken = async (): Promise<boolean> => {
    const text = await (await sent(asker, { path: feed })).text();
    return text.split('"submitted_at":null').length === 1;
  };
  await heard(async () => sim.counts().accepted === 3 && (await areTaken()));
  await world.clock.advance(0);
  await sim.told();
  await world.pass(DELIVERED_MS);
  await sim.told();
  await world.pass(READ_MS - DELIVERED_MS);
  await sim.told();
  await world.pass(2 * MINUTE_MS);
  return shownAnswer(asker, request, answer);
}

/** Waits until something was heard that comes without time going on. */
async function heard(isSo: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; !(await isSo()); waits++) {
    if (waits > MAX_WAITS) throw new Error("it was never heard");
    await Bun.sleep(20);
  }
}

function settingsFor({ port }: WhatsappSim): string {
  return `[whatsapp]
app_secret = "${SECRETS.appSecret}"
verify_token = "${SECRETS.verifyToken}"
api = "http://127.0.0.1:${port}"
response_timeout_seconds = 600
[whatsapp.numbers.main]
phone_number_id = "42"
waba_id = "7"
token = "a-token"
[whatsapp.numbers.main.price]
TRANSACTIONAL = 5
MARKETING = 21
`;
}
