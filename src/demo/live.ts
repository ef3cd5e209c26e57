/**
 * Screen of `bendre demo`: commands to paste, a sample batch for each channel, and each change of a message's status and of
 * the wallet.
 */
import { type Clock, isoUtc } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { startLoop } from "../core/loop.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { API_PATH, api, type DemoBalance } from "./api.ts";
import type { DemoLanguage } from "./past-clients.ts";
import { francs, type Print, statusLine, walletFigures } from "./report.ts";
import { BY_SMS, BY_WHATSAPP, DEMO_NUMBER, DEMO_OPERATORS } from "./scenario.ts";
import type { DemoStage } from "./setup.ts";

const POLL_MS = 250;

type LiveOptions = {
  readonly stage: DemoStage;
  readonly language: DemoLanguage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly print: Print;
  readonly untilStop: Promise<void>;
};

/** Prints how to send, sends a first batch of each channel, and shows every change of a status and of the wallet until told to stop. */
export async function showLive({
  stage,
  language,
  clock,
  log,
  newId,
  print,
  untilStop,
}: LiveOptions): Promise<number> {
  const client = api(stage);
  for (const line of welcome(stage, language)) print(line);

  let cursor = isoUtc(clock.nowMs());
  let wallet = await client.balance();
  print(walletLine(wallet));
  const watch = startLoop({
    name: "demo watch",
    clock,
    log,
    everyMs: POLL_MS,
    runOnce: async () => {
      const page = await client.feed(cursor, null);
      cursor = page.next_status_changed_since;
      for (const message of page.messages) print(statusLine(message));
      const found = await client.balance();
      if (!isSame(found, wallet)) print(walletLine(found));
      wallet = found;
      return page.has_more;
    },
  });
  try {
    for (const sample of [BY_SMS[language], BY_WHATSAPP[language]]) {
      const { accepted, reserved_amount, batch_id } = await client.submit(sample, newId());
      print(
        phrase("simulator.demo.sent", {
          batch: batch_id,
          messages: accepted,
          amount: francs(reserved_amount),
        }),
      );
    }
    await untilStop;
  } finally {
    await watch.stop();
  }
  print(phrase("simulator.demo.stopped"));
  return 0;
}

function walletLine(balance: DemoBalance): Phrase {
  return phrase("simulator.demo.wallet", { figures: walletFigures(balance) });
}

function isSame(one: DemoBalance, other: DemoBalance): boolean {
  return (
    one.balance === other.balance && one.reserved === other.reserved && one.spendable === other.spendable
  );
}

/** The text to try first. */
const FIRST_TEXT: Readonly<Record<DemoLanguage, string>> = {
  fr: "Votre code est {code}. Ça marche !",
  en: "Your code is {code}. It works!",
};

/** The first screen: what runs, and commands to paste into another terminal. */
function welcome(
  { url, visitorKey, testKey, smpp, sender, consoleLink }: DemoStage,
  language: DemoLanguage,
): readonly (Phrase | string)[] {
  const base = `${url}${API_PATH}`;
  const curl = (key: string) => `  curl -sS -H 'Authorization: Bearer ${key}'`;
  const submission = (name: string, batch: object) => [
    `${curl(visitorKey)} -H "Idempotency-Key: ${name}-$(date +%s)" \\`,
    `    -H 'Content-Type: application/json' ${base}/batches \\`,
    `    -d '${JSON.stringify(batch)}'`,
  ];
  const [somebody] = BY_WHATSAPP[language].recipients;
  const batch = {
    sender,
    body: FIRST_TEXT[language],
    message_class: "OTP",
    recipients: [{ msisdn: "76 00 00 42", attributes: { code: "4711" } }],
  };
  const chat = {
    sender,
    channel: "WHATSAPP",
    message_class: "TRANSACTIONAL",
    body: BY_WHATSAPP[language].body,
    recipients: [{ ...somebody, msisdn: "76 00 00 42" }],
  };
  const operators = [...DEMO_OPERATORS, DEMO_NUMBER]
    .map(({ name, price }) => `${name} (${price} XOF)`)
    .join(", ");
  return [
    phrase("simulator.demo.title"),
    "",
    ...(consoleLink === null ? [] : [phrase("simulator.demo.console", { url: consoleLink })]),
    phrase("simulator.demo.api", { url: base }),
    phrase("simulator.demo.documentation", { url: `${url}/docs/${language}/` }),
    phrase("simulator.demo.smpp", {
      address: smpp.address,
      system_id: smpp.systemId,
      password: smpp.password,
    }),
    phrase("simulator.demo.operators", { operators }),
    "",
    phrase("simulator.demo.send"),
    "",
    ...submission("sms", batch),
    "",
    phrase("simulator.demo.send.whatsapp"),
    "",
    ...submission("whatsapp", chat),
    "",
    phrase("simulator.demo.test_key"),
    "",
    `${curl(testKey)} ${base}/account/balance`,
    "",
    phrase("simulator.demo.ask"),
    "",
    `${curl(visitorKey)} ${base}/account/balance`,
    `${curl(visitorKey)} '${base}/messages?status_changed_since=2026-01-01T00:00:00Z'`,
    "",
    phrase("simulator.demo.digits"),
    phrase("simulator.demo.digits.more"),
    "",
  ];
}
