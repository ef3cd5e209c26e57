import { describe, expect, test } from "vitest";
import { historyOf } from "../history.ts";
import { accepted, delivered, idOf, opening, page, SETTINGS, SUBMISSION } from "../scene.ts";
import { ways } from "./ways.ts";

const BATCH = idOf(1);
const NUMBER = {
  phone_number_id: "100",
  waba_id: "7",
  token: "t",
  throughput: 2,
  price: { TRANSACTIONAL: 5 },
};

/** A batch of two by WhatsApp that may go on as an SMS, and how its messages are shown in the end. */
function run(rows: readonly object[], isOff = false) {
  const scene = opening();
  scene.see({ kind: "settings", document: { ...SETTINGS, whatsapp: { numbers: { main: NUMBER } } } });
  const fallback = { channel: "SMS", after_seconds: 60, body: "SMS {name}" };
  const body = { ...SUBMISSION, channel: "WHATSAPP", fallback };
  const asked = { client: "alpha", method: "POST", headers: { "idempotency-key": "k" } } as const;
  scene.ask({ ...asked, path: "/batches", body }, accepted(BATCH));
  if (isOff) scene.ask({ ...asked, path: `/batches/${BATCH}/cancel` }, { status: 202, json: { data: {} } });
  scene.wait(120_000);
  scene.see({ kind: "rest" });
  const shown = rows.map((row, index) => delivered(BATCH, index, { channel: "WHATSAPP", ...row }));
  scene.ask({ client: "alpha", path: "/messages?status_changed_since=2025-01-01T00:00:00Z" }, page(shown));
  return ways(historyOf(scene.observations)).map(({ what }) => what);
}

const way = (channel: string, status: string) => ({ channel, status, error: null });
const BY_WHATSAPP = { operator: "whatsapp:main", channels: [way("WHATSAPP", "DELIVERED")] };
const BY_SMS = { channels: [way("WHATSAPP", "FAILED"), way("SMS", "DELIVERED")] };
const NOBODY_THERE = {
  operator: "whatsapp:main",
  status: "FAILED",
  error: { code: "UNKNOWN_SUBSCRIBER" },
  channels: [way("WHATSAPP", "FAILED")],
};

test("who has it by the one way or the other breaks nothing", () => {
  expect(run([BY_WHATSAPP, BY_SMS])).toEqual([]);
});

describe("ways-stayed", () => {
  test("sees a message that ends where it could have gone on", () => {
    expect(run([BY_WHATSAPP, NOBODY_THERE])).toEqual([expect.stringContaining("UNKNOWN_SUBSCRIBER")]);
  });

  test("lets one end whose batch somebody called off, and one that had opted out", () => {
    expect(run([BY_WHATSAPP, NOBODY_THERE], true)).toEqual([]);
    const optedOut = { ...NOBODY_THERE, error: { code: "RECIPIENT_OPTED_OUT" } };
    expect(run([BY_WHATSAPP, optedOut])).toEqual([]);
  });
});

describe("ways-shown", () => {
  test.each([
    [
      "ways in the wrong order",
      { channels: [way("SMS", "DELIVERED"), way("WHATSAPP", "FAILED")] },
      "no order of use",
    ],
    ["none for the one that carries it", { channels: [way("WHATSAPP", "FAILED")] }, "carried by SMS"],
    ["another end", { channels: [way("WHATSAPP", "FAILED"), way("SMS", "FAILED")] }, "it ended DELIVERED"],
  ])("sees %s", (_, row, why) => {
    expect(run([BY_WHATSAPP, row])).toEqual([expect.stringContaining(why)]);
  });

  test("sees a message that is less far than the way that it left", () => {
    const back = {
      status: "QUEUED",
      is_final: false,
      channels: [way("WHATSAPP", "SENT"), way("SMS", "QUEUED")],
    };
    expect(run([BY_WHATSAPP, back])).toEqual([expect.stringContaining("stayed SENT")]);
  });
});
