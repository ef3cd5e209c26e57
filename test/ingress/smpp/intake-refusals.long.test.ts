/** What the intake refuses of a customer's submit, over sockets: the status on the wire, and the reason that administrators are told. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { type SmppClient, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
let client: SmppClient;
beforeEach(async () => {
  rig = await smppRig({ classesBy: "service_type", reasons: true });
  client = await rig.bind();
});
afterEach(() => rig.close());

const account = (changes: Readonly<Record<string, string>>) =>
  rig.stage.admin("account set", { ACCOUNT: rig.client.accountId, ...changes });
let texts = 0;
/** Submits another text each time; its status, and the reason where it is refused. */
async function submit(fields: Partial<ShortMessage> = {}): Promise<readonly [number, string | null]> {
  texts += 1;
  const { status, id } = await client.submit({ shortMessage: textOf(`Text ${texts}`), ...fields });
  if (status === 0) return [status, null];
  expect(id).toBe("");
  return [status, rig.status()?.refusals[0]?.reason ?? null];
}
const MARKETING = { serviceType: "MKT" };

describe("for good", () => {
  test("is what went to the number lately, and who opted out", async () => {
    const same = { shortMessage: textOf("The same text") };
    expect(await submit(same)).toEqual([0, null]);
    await rig.stage.clock.advance(601_000);
    expect(await submit(same)).toEqual([0x45, "DUPLICATE_RECENT_BODY"]);
    await rig.stage.admin("suppression add", {
      ACCOUNT: rig.client.accountId,
      MSISDN: "+22670123456",
      class: "ALL",
    });
    expect(await submit()).toEqual([0x45, "SUPPRESSED"]);
  });

  test("is marketing outside its hours, and beyond its caps", async () => {
    await account({ "marketing-hours": "20:00-21:00" });
    expect(await submit(MARKETING)).toEqual([0x45, "QUIET_HOURS"]);
    await account({ "marketing-hours": "00:00-24:00", "marketing-per-day": "1" });
    expect(await submit(MARKETING)).toEqual([0, null]);
    expect(await submit(MARKETING)).toEqual([0x45, "FREQUENCY_CAP_DAILY"]);
    await account({ "marketing-per-day": "0", "marketing-per-week": "1" });
    expect(await submit(MARKETING)).toEqual([0x45, "FREQUENCY_CAP_WEEKLY"]);
    expect(await submit()).toEqual([0, null]);
  });

  test("is a class that the account may not send, what is beyond its day, and a text outside GSM 03.38 of who sends nothing else", async () => {
    await account({ classes: "OTP,TRANSACTIONAL" });
    expect(await submit(MARKETING)).toEqual([0x45, "CLASS_NOT_ALLOWED"]);
    await account({ "recipients-per-day": "1" });
    expect(await submit()).toEqual([0, null]);
    expect(await submit()).toEqual([0x45, "RATE_LIMIT_PER_DAY"]);
    await account({ "recipients-per-day": "0", "text-policy": "gsm_only" });
    const chinese = { dataCoding: 8, shortMessage: new Uint8Array([0x4f, 0x60]) };
    expect(await submit(chinese)).toEqual([0x45, "NOT_GSM7"]);
  });

  test("is what the wallet does not pay: prepaid, in debt, and beyond the credit", async () => {
    const ACCOUNT = rig.client.accountId;
    await rig.stage.admin("wallet adjust", { ACCOUNT, AMOUNT: "-1000000", reason: "empty" });
    expect(await submit()).toEqual([0x45, "INSUFFICIENT_FUNDS"]);
    await rig.stage.admin("wallet adjust", { ACCOUNT, AMOUNT: "-10", reason: "owes" });
    expect(await submit()).toEqual([0x45, "WALLET_IN_DEBIT"]);
    await account({ billing: "postpaid", "credit-limit": "20" });
    expect(await submit()).toEqual([0x45, "CREDIT_LIMIT_EXCEEDED"]);
  });
});

test("for now is what is beyond the minute, and what the appliance itself fails in; the same is taken afterwards", async () => {
  await account({ "recipients-per-minute": "1" });
  expect(await submit()).toEqual([0, null]);
  const next = { shortMessage: textOf("The next") };
  expect(await submit(next)).toEqual([0x58, "RATE_LIMIT_PER_MINUTE"]);
  await account({ "recipients-per-minute": "0" });
  await rig.stage.clock.advance(1);
  const { store } = rig.stage.context();
  await store.write((tx) => tx.run("ALTER TABLE smpp_follows RENAME TO away"));
  expect(await submit(next)).toEqual([0x08, "INTERNAL_ERROR"]);
  await store.write((tx) => tx.run("ALTER TABLE away RENAME TO smpp_follows"));
  expect(await submit(next)).toEqual([0, null]);
  // Two texts at 15, each set aside or charged by now.
  const { balance, reserved } = await rig.client.balance();
  expect(reserved + 1_000_000 - balance).toBe(30);
});
