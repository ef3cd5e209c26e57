import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { PLAIN } from "../../../src/simulator/quirks.ts";
import { split } from "../../../src/text/segments.ts";
import { type TestSmsc, testSmsc } from "../../kit/smsc.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";

const MIN = 60_000;
/** A number of orange: the operator whose connections these tests cut. */
const OURS = "+22670000009";
/** As it is kept once it was told. */
const SHORT = "+226…09";

let appliance: Stage;
let moov: TestSmsc;
let returned: TestSmsc | null;

/** Two operators: orange, which owns the number that alarms go to, and moov. */
const open = async (alerts: object = {}, delivery: object = {}) => {
  appliance = await stage(systemPlatform, {
    alerts: { sms: [OURS], language: "fr", ...alerts },
    delivery: { unanswered: delivery },
  });
  const { clock, settings } = appliance;
  moov = await testSmsc({ clock, chance: seededChance(3), quirks: PLAIN });
  returned = null;
  const config = settings.now();
  const orange = config.operators.orange!;
  const connections = orange.connections.map((each) => ({ ...each, port: moov.port }));
  settings.replace({
    ...config,
    operators: { orange, moov: { ...orange, prefixes: ["22660"], connections } },
  });
  await pass(10_000);
};
beforeEach(() => {
  returned = null;
});
afterEach(async () => {
  await appliance.close();
  await moov.stop();
  await returned?.stop();
});

const pass = async (ms: number) => {
  const step = ms > MIN ? 10_000 : 1000;
  for (let passed = 0; passed < ms; passed += step) {
    await appliance.clock.advance(step);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
};
const until = async (isSo: () => boolean) => {
  for (let waited = 0; !isSo(); waited += 1000) {
    if (waited > 120 * MIN) throw new Error("it did not come about");
    await pass(1000);
  }
};
const orangeReturns = async () => {
  const { clock, smsc } = appliance;
  returned = await testSmsc({ clock, chance: seededChance(2), quirks: PLAIN, port: smsc.port });
};
/** What the phone of whoever is on duty shows: what came over each operator. */
const phone = () =>
  [...moov.texts, ...appliance.smsc.texts, ...(returned?.texts ?? [])]
    .filter(({ to }) => to === OURS.slice(1))
    .map(({ text }) => text);
const deliveries = async () =>
  ((await appliance.admin("alert list")).deliveries as Record<string, unknown>[]).map(
    ({ channel, state, recipient, outcome, error }) => [channel, state, recipient, outcome, error],
  );
const submitted = () => moov.events.filter(({ kind }) => kind === "submit").length;

describe("an alarm by SMS", () => {
  test("goes over an operator that works when the number's own does not, and over its own when it does", async () => {
    await open();
    const client = await appliance.client();
    await appliance.smsc.stop();
    await until(() => moov.texts.length === 1);
    const [told] = moov.texts;
    expect(told).toMatchObject({ to: OURS.slice(1), from: "Bendre", parts: 1 });
    expect(told!.text).toMatch(
      /^\S+ ALARME 02\/03 09:\d\d : plus aucune connexion vers orange\. Voir : bendre alert list$/,
    );
    expect(split(told!.text)).toMatchObject({ encoding: "GSM7" });
    await orangeReturns();
    await until(() => phone().length === 2);
    expect(returned!.texts[0]!.text).toMatch(/RÉSOLU 02\/03 09:\d\d-02\/03 09:\d\d : plus aucune connexion/);
    await pass(10 * MIN);
    expect(await deliveries()).toEqual([
      ["sms", "end", SHORT, "told", null],
      ["sms", "start", SHORT, "told", null],
    ]);
    expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
    expect((await appliance.admin("message find", {})).messages).toEqual([]);
    expect(JSON.stringify(appliance.log())).not.toContain(OURS.slice(1));
  });

  test("goes over the operator that the number was ported to, while that works", async () => {
    await open();
    const test = async () => {
      const told = appliance.admin("alert test");
      await pass(5000);
      await told;
    };
    await test();
    expect([appliance.smsc.texts.length, moov.texts.length]).toEqual([1, 0]);
    await appliance.admin("route override", { NUMBER: OURS, OPERATOR: "moov" });
    await test();
    expect([appliance.smsc.texts.length, moov.texts.length]).toEqual([1, 1]);
  });

  test("goes over the next operator where one does not take it, and again later where none does", async () => {
    await open();
    moov.change({ refusePercent: 100 });
    await appliance.smsc.stop();
    await until(() => appliance.log().some(({ message }) => message === "an alarm could not be told"));
    expect(await deliveries()).toEqual([
      ["sms", "start", OURS, "waiting", phrase("alarm.untold.by.refused", { operator: "moov" })],
    ]);
    moov.change({ refusePercent: 0 });
    await until(() => phone().length === 1);
    await pass(20 * MIN);
    expect(phone()).toHaveLength(1);
  });

  test("comes no more often than is allowed; what waited is told together, and is true", async () => {
    await open({ sms_per_hour: 1 });
    await appliance.smsc.stop();
    await until(() => phone().length === 1);
    await orangeReturns();
    await pass(50 * MIN);
    expect(phone()).toHaveLength(1);
    await pass(15 * MIN);
    expect(phone()).toHaveLength(2);
    expect(phone()[1]).toContain("RÉSOLU");
    expect(await appliance.refusal("alert test")).toMatchObject({
      code: "ALARM_NOT_TOLD",
      detail: { params: { error: { code: "alarm.untold.too_many" } } },
    });
  });

  test("is in doubt when nobody answers, and goes by the rule for unanswered submits", async () => {
    await open({}, { TRANSACTIONAL: "wait" });
    moov.change({ swallowEvery: 1 });
    await appliance.smsc.stop();
    await until(() => submitted() === 1);
    await pass(30 * MIN);
    expect(submitted()).toBe(1);
    expect(await deliveries()).toEqual([["sms", "start", SHORT, "told", null]]);
    await appliance.close();
    await moov.stop();

    await open({}, { TRANSACTIONAL: "resend" });
    moov.change({ swallowEvery: 1 });
    await appliance.smsc.stop();
    await until(() => submitted() === 1);
    moov.change({ swallowEvery: 0 });
    await until(() => submitted() === 2);
    await pass(30 * MIN);
    expect(submitted()).toBe(2);
  });

  test.each([
    ["wait", 0],
    ["resend", 1],
  ] as const)("that a process had claimed when it died goes by that rule too: %s", async (rule, again) => {
    await open({}, { TRANSACTIONAL: rule });
    moov.change({ swallowEvery: 1 });
    await appliance.smsc.stop();
    await until(() => submitted() === 1);
    await appliance.stop();
    // What a death leaves: a text that was claimed, and nothing of what came of it.
    const database = new Database(join(appliance.settings.now().storage.directory, "bendre.db"));
    database.run("UPDATE operator_tests SET outcome = NULL, submitted_at = NULL");
    database.run("UPDATE notifications SET outcome = NULL, ended_at = NULL, recipient = ?", [OURS]);
    database.close();
    moov.change({ swallowEvery: 0 });
    await appliance.start();
    await pass(30 * MIN);
    expect(submitted()).toBe(1 + again);
  });

  test("is tried out by alert test, and is none of the tests that an administrator may make in an hour", async () => {
    await open({ sms_per_hour: 20 });
    const asked: Promise<Record<string, unknown>>[] = [];
    for (let count = 0; count < 11; count++) asked.push(appliance.admin("alert test"));
    let isOver = false;
    void Promise.all(asked).finally(() => {
      isOver = true;
    });
    await until(() => isOver);
    expect((await asked[0]!).channels).toEqual([
      { channel: "sms", recipient: OURS, delivered: true, outcome: phrase("alarm.told") },
    ]);
    expect(phone()).toHaveLength(11);
    expect(phone()[0]).toMatch(/^\S+ ESSAI : ceci est un essai$/);
    const tested = appliance.admin("operator test", { CODE: "orange", MSISDN: "22670000001", wait: "0" });
    await pass(2000);
    expect(await tested).toMatchObject({ operator: "orange" });
  });
});
