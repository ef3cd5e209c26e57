import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";
import {
  type Answer,
  ok,
  type Received,
  type Receiver,
  startReceiver,
  status,
} from "../../webhooks/receiver.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two octets...").toString("base64")}`;

let receiver: Receiver;
let answer: (request: Received, number: number) => Answer;
let appliance: Stage;
const open = (language = "en") =>
  stage(
    {
      ...systemPlatform,
      https: {
        ...systemHttps,
        request: (target, address, init, isFresh) =>
          systemHttps.request(target, address, init, isFresh, TEST_AUTHORITY),
      },
    },
    { alerts: { webhook: `https://127.0.0.1:${receiver.port}/alarms`, secret: SECRET, language } },
  );
beforeEach(async () => {
  answer = () => ok;
  receiver = await startReceiver((...asked) => answer(...asked));
});
afterEach(async () => {
  await appliance.close();
  receiver.close();
});

/** What was told so far, as rule, state and subject. */
const told = () =>
  receiver.received.map(({ body }) => {
    const { rule, state, subject } = JSON.parse(body) as Record<string, string>;
    return `${rule} ${state} ${subject}`;
  });
/** Turns of the event loop in which a request on the loopback comes and goes, while no time passes. */
const TURNS = 200;
const rest = async () => {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
};
/** Lets time pass until so many alarms were posted, and their answers were heard. */
const until = async (count: number) => {
  while (receiver.received.length < count) {
    await appliance.clock.advance(1000);
    await rest();
  }
};
/** Waits until every answer was heard that takes an alarm, while no time passes: a request under way must not run into its time limit. */
const untilTaken = async () => {
  const waits = async () =>
    ((await appliance.admin("alert list")).deliveries as { outcome: string }[]).some(
      ({ outcome }) => outcome === "waiting",
    );
  while (await waits()) await rest();
};
const states = async () =>
  ((await appliance.admin("alert list")).alerts as { rule: string; state: string }[])
    .filter(({ state }) => state !== "ok")
    .map(({ rule, state }) => `${rule} ${state}`);

describe("an operator that goes away and comes back", () => {
  test("is told when it starts and when it ends, signed, with what to do and where to look", async () => {
    appliance = await open();
    await appliance.clock.advance(60_000);
    expect(receiver.received).toEqual([]);
    await appliance.smsc.stop();
    await until(1);
    expect(told()).toEqual(["operator_down start orange"]);
    const { headers, body } = receiver.received[0]!;
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    expect(headers["webhook-signature"]).toBe(
      new Webhook(SECRET).sign(headers["webhook-id"] ?? "", at, body),
    );
    expect(Object.keys(JSON.parse(body) as object)).toEqual([
      "rule",
      "state",
      "subject",
      "since",
      "detail",
      "action",
      "host",
      "url",
    ]);
    expect(JSON.parse(body)).toMatchObject({
      detail: expect.stringContaining("No connection to orange is up"),
      url: `${appliance.url()}/health`,
    });
    expect(await states()).toEqual(["operator_down firing"]);
    const health = JSON.parse((await appliance.page("/health")).body) as {
      data: { checks: { name: string; detail: string }[] };
    };
    expect(health.data.checks.find(({ name }) => name === "alarms")).toMatchObject({
      detail: "operator_down orange",
    });
  });

  test("is not told twice by a restart, and once a day while it lasts", async () => {
    appliance = await open("fr");
    await appliance.smsc.stop();
    await until(1);
    expect(receiver.received[0]!.body).toContain("Plus aucune connexion vers orange");
    await untilTaken();
    await appliance.stop();
    await appliance.start();
    await appliance.clock.advance(120_000);
    expect(told()).toEqual(["operator_down start orange"]);
    await appliance.clock.advance(24 * 3_600_000);
    // Others may be told within the day, such as that no backup was made.
    while (told().at(-1) !== "operator_down repeat orange") await until(receiver.received.length + 1);
    expect(told().filter((line) => line.startsWith("operator_down "))).toEqual([
      "operator_down start orange",
      "operator_down repeat orange",
    ]);
  });
});

describe("telling", () => {
  test("is tried again until it is taken, under the same id", async () => {
    answer = (_, number) => (number < 3 ? status(500) : ok);
    appliance = await open();
    await appliance.smsc.stop();
    await until(3);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(1);
    await untilTaken();
    await appliance.clock.advance(3_600_000);
    expect(receiver.received).toHaveLength(3);
  });

  test("stops while a rule is silenced, and what still lasts then is told", async () => {
    appliance = await open();
    const untilMs = appliance.clock.nowMs() + 600_000;
    await appliance.admin("alert silence", { RULE: "operator_down", until: new Date(untilMs).toISOString() });
    await appliance.smsc.stop();
    await appliance.clock.advance(300_000);
    expect(receiver.received).toEqual([]);
    expect(await states()).toEqual(["operator_down silenced"]);
    await until(1);
    expect(appliance.clock.nowMs()).toBeGreaterThanOrEqual(untilMs);
    const audit = (await appliance.admin("audit list", { limit: "1" })) as { entries: { action: string }[] };
    expect(audit.entries[0]).toMatchObject({ action: "alert silence", subject: "operator_down" });
  });

  test("is silenced until a time to come; one that is past ends a silence, and is refused where there is none", async () => {
    appliance = await open();
    const past = { RULE: "disk", until: "2020-01-01" };
    await expect(appliance.admin("alert silence", past)).rejects.toThrow("INVALID_TIME");
    await appliance.admin("alert silence", { RULE: "disk", until: "2h" });
    expect(await appliance.admin("alert silence", past)).toEqual({
      rule: "disk",
      until: "2020-01-01T00:00:00.000Z",
    });
    await expect(appliance.admin("alert silence", past)).rejects.toThrow("INVALID_TIME");
    await appliance.admin("alert silence", { RULE: "disk", until: "2h" });
    await appliance.clock.advance(2 * 3_600_000);
    await expect(appliance.admin("alert silence", past)).rejects.toThrow("INVALID_TIME.not_silenced");
  });

  test("is tried out by alert test, which says what came of it", async () => {
    appliance = await open();
    expect(await appliance.admin("alert test")).toEqual({
      channels: [{ channel: "webhook", recipient: "", delivered: true, outcome: phrase("alarm.told") }],
    });
    expect(told()).toEqual(["test start "]);
    answer = () => status(404);
    await expect(appliance.admin("alert test")).rejects.toThrow(/ALARM_NOT_TOLD.*404/);
    expect((await appliance.admin("alert list")).deliveries).toMatchObject([
      {
        rule: "test",
        channel: "webhook",
        outcome: "given_up",
        error: phrase("network.answered", { status: 404 }),
        by: "test",
      },
      { rule: "test", channel: "webhook", outcome: "told", error: null, attempts: 1, by: "test" },
    ]);
    expect(await states()).toEqual([]);
    appliance.settings.replace({
      ...appliance.settings.now(),
      alerts: { ...appliance.settings.now().alerts, webhook: "" },
    });
    await expect(appliance.admin("alert test")).rejects.toThrow("NO_CHANNEL");
    const inTwoHours = new Date(appliance.clock.nowMs() + 2 * 3_600_000).toISOString();
    expect(await appliance.admin("alert silence", { RULE: "disk", until: "2h" })).toEqual({
      rule: "disk",
      until: inTwoHours,
    });
    await expect(appliance.admin("alert silence", { RULE: "nothing", until: "2027-01-01" })).rejects.toThrow(
      "RULE_UNKNOWN",
    );
  });
});
