import { type Clock, isoUtc } from "../base/clock.ts";
import type { NewId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { startLoop } from "../base/loop.ts";
import { API_PATH, api } from "./api.ts";
import { DEMO_NUMBER, DEMO_OPERATORS } from "./operators.ts";
import { francs, statusLine, walletFigures } from "./report.ts";
import { BY_SMS, BY_WHATSAPP } from "./samples.ts";
import type { DemoStage } from "./stage.ts";

const POLL_MS = 250;

export type LiveOptions = {
  readonly stage: DemoStage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly print: (line: string) => void;
  readonly untilStop: Promise<void>;
};

/** Says how to send, sends a first batch of each channel itself, and shows every change of a status and of the wallet until told to stop. */
export async function showLive({ stage, clock, log, newId, print, untilStop }: LiveOptions): Promise<number> {
  const client = api(stage.url, stage.apiKey);
  for (const line of welcome(stage)) print(line);

  let cursor = isoUtc(clock.nowMs());
  let wallet = walletFigures(await client.balance());
  print(`wallet  ${wallet}`);
  const watch = startLoop({
    name: "demo watch",
    clock,
    log,
    everyMs: POLL_MS,
    runOnce: async () => {
      const page = await client.feed(cursor, null);
      cursor = page.next_status_changed_since;
      for (const message of page.messages) print(statusLine(message));
      const found = walletFigures(await client.balance());
      if (found !== wallet) print(`wallet  ${found}`);
      wallet = found;
      return page.has_more;
    },
  });
  try {
    for (const sample of [BY_SMS, BY_WHATSAPP]) {
      const { accepted, reserved_amount, batch_id } = await client.submit(
        { ...sample, sender: stage.sender, message_class: "TRANSACTIONAL" },
        newId(),
      );
      print(`sent    batch ${batch_id}: ${accepted} messages, ${francs(reserved_amount)} reserved`);
    }
    await untilStop;
  } finally {
    await watch.stop();
  }
  print("stopped; nothing is left behind");
  return 0;
}

/** The first screen: what runs, and commands to paste into another terminal. */
function welcome({ url, apiKey, testKey, sender }: DemoStage): readonly string[] {
  const base = `${url}${API_PATH}`;
  const bearer = `-H 'Authorization: Bearer ${apiKey}'`;
  const batch = {
    sender,
    body: "Bonjour {prenom}, ça marche !",
    message_class: "OTP",
    recipients: [{ msisdn: "76 00 00 42", attributes: { prenom: "Aïcha" } }],
  };
  const chat = {
    ...{ sender, channel: "WHATSAPP", message_class: "TRANSACTIONAL", body: BY_WHATSAPP.body },
    recipients: [{ msisdn: "76 00 00 42", attributes: { nom: "Aïcha", commande: "4525" } }],
  };
  return [
    "bendre demo: the whole appliance, three simulated operators, a stand-in for WhatsApp and a temporary database",
    "",
    `API            ${base}`,
    `documentation  ${url}/docs`,
    `operators      ${[...DEMO_OPERATORS, DEMO_NUMBER].map(({ name, price }) => `${name} (${price} XOF)`).join(", ")}`,
    "",
    "Send a text from another terminal:",
    "",
    `  curl -sS ${bearer} -H "Idempotency-Key: demo-$(date +%s)" \\`,
    `    -H 'Content-Type: application/json' ${base}/batches \\`,
    `    -d '${JSON.stringify(batch)}'`,
    "",
    "The same by WhatsApp, where the text is one of three templates:",
    "",
    `  curl -sS ${bearer} -H "Idempotency-Key: demo-$(date +%s)" \\`,
    `    -H 'Content-Type: application/json' ${base}/batches \\`,
    `    -d '${JSON.stringify(chat)}'`,
    "",
    "With a test key nothing reaches an operator, and nothing is paid:",
    "",
    `  curl -sS -H 'Authorization: Bearer ${testKey}' ${base}/account/balance`,
    "",
    "Ask for the balance, and for what changed:",
    "",
    `  curl -sS ${bearer} ${base}/account/balance`,
    `  curl -sS ${bearer} '${base}/messages?status_changed_since=2026-01-01T00:00:00Z'`,
    "",
    "A number's last digits choose its outcome: 76 09 90 01 is not delivered, 76 09 90 05 is refused,",
    '76 09 90 06 is throttled once ("bendre smsc --help" lists them all). Ctrl-C stops.',
    "",
  ];
}
