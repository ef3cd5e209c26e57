/** A text by a number of WhatsApp outside all accounts, through the appliance whole and a stand-in for Meta. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { OperatorTestView } from "../../../src/channels/sms/test-messages.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { startWhatsappSim, type WhatsappSim } from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { configOf, document } from "../../config/sample.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";

const READY = "Bonjour Awa, votre commande 4521 est prête.";
const CODE = "whatsapp:main";

let whole: Stage;
let sim: WhatsappSim;
let texts: string[];
let fate: PostFate;
/** Requests of the appliance whose answer was not heard yet. */
let underWay: number;
const request: typeof systemHttps.request = async (...args) => {
  underWay += 1;
  try {
    return await systemHttps.request(...args);
  } finally {
    underWay -= 1;
  }
};
beforeEach(async () => {
  underWay = 0;
  whole = await stage({ ...systemPlatform, https: { ...systemHttps, request } });
  texts = [];
  fate = fated([{ status: "sent" }, { status: "delivered", afterMs: 1000 }]);
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
      if (event.kind === "post") texts.push(event.text);
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
});
afterEach(async () => {
  await whole.close();
  await sim.stop();
});

/** A busy machine answers late: no time passes before it has, or after so many turns of the event loop. */
const MAX_TURNS = 200_000;
const answered = async (): Promise<void> => {
  for (let turn = 0; turn === 0 || (underWay > sim.counts().unanswered && turn < MAX_TURNS); turn++)
    await new Promise((resolve) => setImmediate(resolve));
};

/** Lets time go by until a promise is there. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let isThere = false;
  const seen = promise.finally(() => {
    isThere = true;
  });
  while (!isThere) {
    await whole.clock.advance(50);
    await answered();
  }
  return seen;
}

type Args = Readonly<Record<string, string>>;
const asked = (args: Args) => ({ CODE, MSISDN: "70 00 00 01", ...args });
const tested = async (args: Args = {}) =>
  (await passing(whole.admin("operator test", asked({ text: READY, ...args })))) as OperatorTestView;
const refusedAs = async (args: Args) => (await passing(whole.refusal("operator test", asked(args)))).code;

describe("operator test of a number of WhatsApp", () => {
  test("posts one text of a template, and follows it to its delivery", async () => {
    const seen = await tested();
    expect(seen).toMatchObject({ operator: CODE, status: "DELIVERED", to: "+22670000001", error: null });
    expect([seen.connection, seen.operator_message_id?.startsWith("wamid.")]).toEqual([null, true]);
    for (const at of [seen.submitted_at, seen.answered_at, seen.receipt_at]) expect(at).not.toBeNull();
    expect(texts).toEqual([READY]);
    expect((await whole.admin("operator tests", { operator: CODE })).tests).toMatchObject([
      { status: "DELIVERED", message_id: seen.message_id },
    ]);
  });

  test("is told with Meta's code where Meta refuses it, and is not posted again", async () => {
    fate = { ...fated([]), answer: 131026, isTaken: false };
    expect(await tested()).toMatchObject({
      status: "FAILED",
      error: "OPERATOR_REJECTED",
      detail: phrase("message.trial.refused_by_meta", { code: 131026 }),
    });
    expect(texts).toHaveLength(1);
  });

  test("fails by the status that says so", async () => {
    fate = fated([{ status: "sent" }, { status: "failed", code: 131026, afterMs: 500 }]);
    expect(await tested()).toMatchObject({ status: "FAILED", error: "UNKNOWN_SUBSCRIBER" });
  });

  test("whose answer was lost is what its status says", async () => {
    fate = { ...fated([{ status: "delivered", afterMs: 3000 }]), isAnswered: false };
    expect(await tested()).toMatchObject({ status: "DELIVERED", error: null });
  });

  test("of which nothing more is told says what was waited for", async () => {
    fate = fated([]);
    expect(await tested({ wait: "5" })).toMatchObject({ status: "SENT", error: "NO_RECEIPT" });
  });

  test("is refused without a template's text, with a sender, and while the number is paused or stopped", async () => {
    expect(await refusedAs({})).toBe("INVALID_TEXT");
    expect(await refusedAs({ text: "Bonjour Awa" })).toBe("INVALID_TEXT");
    expect(await refusedAs({ text: "Bonjour , votre commande 4521 est prête." })).toBe("INVALID_TEXT");
    expect(await refusedAs({ text: READY, sender: "ACME" })).toBe("INVALID_SENDER");
    await whole.admin("operator pause", { CODE, reason: "works" });
    expect(await refusedAs({ text: READY })).toBe("OPERATOR_PAUSED");
    await whole.admin("operator resume", { CODE });
    fate = { ...fated([]), answer: 190, isTaken: false };
    expect(await tested()).toMatchObject({
      status: "FAILED",
      detail: phrase("message.trial.refused_by_meta", { code: 190 }),
    });
    expect(await refusedAs({ text: READY })).toBe("OPERATOR_DOWN");
    expect(texts).toHaveLength(1);
  });
});
