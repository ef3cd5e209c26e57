/** What the page of alarms says while none has rung: of a password that is refused, and of a pause. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { STATUS } from "../../../src/smpp/status.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";

const MIN = 60_000;

let appliance: Stage;
beforeEach(async () => {
  appliance = await stage();
});
afterEach(() => appliance.close());

const pass = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 1000) await appliance.clock.advance(1000);
};
const ringing = async () => {
  const { alerts } = (await appliance.admin("alert list")) as { alerts: { rule: string; state: string }[] };
  return alerts.filter(({ state }) => state === "firing").map(({ rule }) => rule);
};
const ORANGE = { CODE: "orange" };

test("a password that the operator goes on refusing rings", async () => {
  appliance.smsc.change({ refuseBinds: 1000, refuseBindStatus: STATUS.RINVPASWD });
  await appliance.admin("operator reconnect", ORANGE);
  await pass(20_000);
  expect(await ringing()).toEqual([]);
  await pass(MIN);
  expect(await ringing()).toEqual(["operator_down"]);
});

test("a pause does not ring by itself, nor for what is not urgent; OTPs and transactional messages that it holds do", async () => {
  const client = await appliance.client();
  await appliance.admin("operator pause", { ...ORANGE, reason: "works" });
  await client.submit({ recipients: [{ msisdn: "70200001" }], message_class: "MARKETING" });
  await pass(17 * MIN);
  expect(await ringing()).toEqual([]);
  await client.submit({ recipients: [{ msisdn: "70200002" }], message_class: "OTP" });
  await pass(2 * MIN);
  expect(await ringing()).toEqual(["otp_waits"]);
  await client.submit({ recipients: [{ msisdn: "70200003" }], message_class: "TRANSACTIONAL" });
  await pass(14 * MIN);
  expect(await ringing()).not.toContain("transactional_waits");
  await pass(2 * MIN);
  expect(await ringing()).toContain("transactional_waits");
});
