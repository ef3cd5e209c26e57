import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { PLAIN } from "../../../src/simulator/quirks.ts";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type TestSmsc, testSmsc } from "../../kit/smsc.ts";
import { type SmtpServer, startSmtpServer } from "../../kit/smtp-server.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";

const PASSWORD = "the password of the mailbox";
const MIN = 60_000;

let server: SmtpServer;
let appliance: Stage;
let again: TestSmsc | null = null;
const smtp = () => ({
  host: "127.0.0.1",
  port: server.port,
  user: "bendre",
  password: PASSWORD,
  from: "bendre@example.test",
});
const open = (changes: object = {}, email = ["garde@example.test"]) =>
  stage(
    {
      ...systemPlatform,
      // The authority of the tests stands for a file that the configuration would name.
      sendMail: (to, ...rest) => systemPlatform.sendMail({ ...to, ca: TEST_AUTHORITY }, ...rest),
    },
    {
      alerts: {
        email,
        smtp: smtp(),
        ...changes,
      },
    },
  );
beforeEach(async () => {
  server = await startSmtpServer({ tls: "starttls", user: "bendre", password: PASSWORD });
});
afterEach(async () => {
  await appliance.close();
  await again?.stop();
  again = null;
  await server.close();
});

/** Turns of the event loop in which a mail is handed over on the loopback, while no time passes. */
const rest = async () => {
  for (let turn = 0; turn < 600; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number) => {
  const step = ms > MIN ? 30_000 : 5000;
  for (let passed = 0; passed < ms; passed += step) {
    await appliance.clock.advance(step);
    await rest();
  }
};
/** Lets time pass until a condition holds. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await pass(5000);
};
const subjects = () =>
  server.taken.map(({ headers }) => plain(headers.subject ?? "").replace(/\[bendre [^\]]+\] /, ""));
/** French has blanks at which no line breaks. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const deliveries = async () =>
  ((await appliance.admin("alert list")).deliveries as Record<string, unknown>[]).map(
    ({ rule, state, recipient, outcome }) => [rule, state, recipient, outcome].join(" "),
  );
/** The operator is there again, at the same address. */
const operatorReturns = async () => {
  const { clock, smsc } = appliance;
  again = await testSmsc({ clock, chance: seededChance(2), quirks: PLAIN, port: smsc.port });
};
const isAway = () => {
  server.answer = (line) => (line.startsWith("EHLO") ? "421 4.3.2 closed for now" : null);
};
const isBack = () => {
  server.answer = () => null;
};

describe("an alarm by mail", () => {
  test("comes when it starts and when it ends, to each address, with since when and what to do", async () => {
    appliance = await open({ language: "fr" }, ["garde@example.test", "chef@example.test"]);
    await appliance.smsc.stop();
    await until(() => server.taken.length === 2);
    expect(server.taken.map(({ to }) => to[0])).toEqual(["garde@example.test", "chef@example.test"]);
    expect(subjects()[0]).toBe("ALARME : plus aucune connexion vers orange");
    const { isSecure, user } = server.taken[0]!;
    const text = plain(server.taken[0]!.text);
    expect({ isSecure, user }).toEqual({ isSecure: true, user: "bendre" });
    expect(text).toContain("Plus aucune connexion vers orange : rien ne part vers ses numéros.");
    expect(text).toMatch(/Depuis : lundi 2 mars 2026.*09:00:\d\d \(Africa\/Ouagadougou\)/);
    expect(text).toContain("À faire : « bendre operator status » donne les dernières erreurs.");
    expect(text).toContain(`État : ${appliance.url()}/health`);
    expect(await deliveries()).toEqual([
      "operator_down start chef@example.test told",
      "operator_down start garde@example.test told",
    ]);
    await operatorReturns();
    await until(() => server.taken.length === 4);
    expect(subjects().slice(2)).toEqual(Array(2).fill("RÉSOLU : plus aucune connexion vers orange"));
    expect(plain(server.taken[2]!.text)).toMatch(
      /C’est résolu[\s\S]*Depuis : lundi[\s\S]*Jusqu’à : lundi[\s\S]*Durée : \d/,
    );
    expect(server.taken[2]!.text).not.toContain("À faire");
    await pass(10 * MIN);
    expect(server.taken).toHaveLength(4);
  });

  test("that could not be told is told once the mail server is back, once, and not while it is away", async () => {
    appliance = await open();
    isAway();
    await appliance.smsc.stop();
    await until(() => server.lines.length >= 3);
    expect(server.taken).toEqual([]);
    expect(await deliveries()).toEqual(["operator_down start garde@example.test waiting"]);
    await appliance.stop();
    await appliance.start();
    await pass(MIN);
    isBack();
    await until(() => server.taken.length > 0);
    await pass(20 * MIN);
    expect(subjects()).toEqual(["ALARM: no connection to orange is up"]);
    expect(await deliveries()).toEqual(["operator_down start garde@example.test told"]);
  });

  test("that began and ended while the mail server was away is told as over, from when to when, in one mail", async () => {
    appliance = await open();
    isAway();
    await appliance.smsc.stop();
    await until(() => server.lines.length >= 2);
    await operatorReturns();
    await until(() => appliance.log().some((line) => line.message === "alarm" && line.state === "end"));
    await pass(30 * MIN);
    isBack();
    await until(() => server.taken.length > 0);
    await pass(60 * MIN);
    expect(subjects()).toEqual(["OVER: no connection to orange is up"]);
    const { text } = server.taken[0]!;
    expect(text).toMatch(/Since: Monday.*2 March 2026.*09:00:\d\d[\s\S]*Until: Monday.*09:0\d:\d\d/);
    expect(await deliveries()).toEqual([
      "operator_down end garde@example.test told",
      "operator_down start garde@example.test joined",
    ]);
  });

  test("is kept to ourselves by a silence that was asked for while it waited, and dropped when it is over by then", async () => {
    appliance = await open();
    isAway();
    await appliance.smsc.stop();
    await until(() => server.lines.length >= 2);
    const untilMs = appliance.clock.nowMs() + 30 * MIN;
    await appliance.admin("alert silence", { RULE: "operator_down", until: new Date(untilMs).toISOString() });
    isBack();
    await pass(10 * MIN);
    expect(server.taken).toEqual([]);
    await operatorReturns();
    await pass(40 * MIN);
    expect(server.taken).toEqual([]);
    expect(await deliveries()).toEqual(["operator_down start garde@example.test dropped"]);
  });

  test("tells nobody the password: not in the log, not in alert list, not in alert test", async () => {
    appliance = await open({ smtp: { ...smtp(), password: "another password" } });
    await appliance.smsc.stop();
    await until(() => server.lines.some((line) => line.startsWith("AUTH")));
    await pass(MIN);
    const refusal = JSON.stringify(await appliance.refusal("alert test"));
    expect(refusal).toContain("ALARM_NOT_TOLD");
    expect(refusal).toContain("535 5.7.8");
    const shown = [appliance.log(), await appliance.admin("alert list"), refusal].map((each) =>
      JSON.stringify(each),
    );
    expect(shown[0]).toContain("an alarm could not be told");
    for (const each of shown) {
      expect(each).toContain("535 5.7.8");
      expect(each).not.toContain("another password");
      expect(each).not.toContain(Buffer.from("\0bendre\0another password").toString("base64"));
    }
    expect(shown[0]).not.toContain("garde@example.test");
  });

  test("is tried out by alert test, at every address", async () => {
    appliance = await open({}, ["garde@example.test", "chef@example.test"]);
    expect(await appliance.admin("alert test")).toEqual({
      channels: ["garde@example.test", "chef@example.test"].map((recipient) => ({
        channel: "email",
        recipient,
        delivered: true,
        outcome: phrase("alarm.told"),
      })),
    });
    expect(subjects()).toEqual(["TEST: this is a test", "TEST: this is a test"]);
  });
});
