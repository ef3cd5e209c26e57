/** What becomes of what waits for a user: when its account is suspended or closed, when it is revoked, and when a number is erased. */
import { afterEach, describe, expect, test } from "vitest";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { bindOf, type SmppClient, type SmppRig, SYSTEM_ID, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const ID = SYSTEM_ID;
const account = () => ({ ACCOUNT: rig.client.accountId });
const DAY_MS = 86_400_000;
/** Enough for every step of a purge. */
const PURGE_MS = 60_000;
const WANTED = { registeredDelivery: 1 };
const part = (number: number): Partial<ShortMessage> => ({
  ...WANTED,
  esmClass: 0x40,
  shortMessage: Buffer.concat([
    concatenationHeader({ reference: 3, total: 2, part: number }),
    textOf(`${number}`),
  ]),
});

/** Whether a bind with the right password is refused. */
async function isRefused(): Promise<boolean> {
  const client = await rig.connect();
  return (await client.ask(bindOf("transceiver"), 50)).status === 0x0d;
}

const isUnbound = (client: SmppClient) => client.received.some(({ command }) => command === "unbind");

describe("a user", () => {
  test("whose account is suspended is unbound at once and may not bind, and its receipts wait", async () => {
    rig = await smppRig();
    const client = await rig.bind("transmitter");
    const { id } = await client.submit(WANTED);
    await rig.stage.clock.advance(10_000);
    await rig.stage.admin("account suspend", { ...account(), reason: "unpaid" });
    await client.until(client.isClosed, 50);
    expect(isUnbound(client)).toBe(true);
    expect(await isRefused()).toBe(true);
    expect(rig.status()?.refusals[0]?.reason).toBe("ACCOUNT_SUSPENDED");
    expect(rig.status()?.receipts.waiting).toBe(1);
    await rig.stage.admin("account resume", account());
    const again = await rig.bind();
    await again.until(() => again.delivered().length === 1);
    expect(again.delivered()[0]?.tlvs.receiptedMessageId).toBe(id);
  });

  test("that is revoked is unbound; what was accepted goes on, and its parts and receipts end", async () => {
    rig = await smppRig();
    const client = await rig.bind("transmitter");
    await client.submit(WANTED);
    await rig.stage.clock.advance(10_000);
    await client.submit(part(1));
    const { id } = await client.submit({ ...WANTED, shortMessage: textOf("goes on") });
    expect(rig.status()).toMatchObject({ receipts: { waiting: 1 }, partsWaiting: 1 });
    await rig.stage.admin("smpp revoke", { ID });
    await client.until(client.isClosed, 50);
    expect(isUnbound(client)).toBe(true);
    expect(rig.status()).toMatchObject({ receipts: { waiting: 0 }, partsWaiting: 0 });
    expect(await isRefused()).toBe(true);
    await rig.stage.clock.advance(20_000);
    expect(rig.stage.smsc.texts.map(({ text }) => text)).toContain("goes on");
    const found = await rig.stage.admin("message find", { "smpp-id": id ?? "" });
    expect(found.messages).toMatchObject([{ message_id: id, status: "DELIVERED" }]);
    expect(rig.status()?.receipts.waiting).toBe(0);
  });

  test("keeps its sessions when it gets a new password, unless that counts now; the old one counts for a day", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await rig.stage.admin("smpp password", { ID });
    expect((await client.submit()).status).toBe(0);
    expect(await isRefused()).toBe(false);
    await rig.stage.admin("smpp password", { ID, now: "true" });
    await client.until(client.isClosed, 50);
    expect(isUnbound(client)).toBe(true);
    expect(await isRefused()).toBe(true);
  });

  test("whose account is closed is revoked", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await rig.stage.admin("account close", { ...account(), force: "true" });
    await client.until(client.isClosed, 50);
    expect(isUnbound(client)).toBe(true);
    expect(await isRefused()).toBe(true);
    expect(await rig.stage.admin("smpp show", { ID })).toMatchObject({ status: "REVOKED", sessions: [] });
  });
});

test("an erasure takes a part that waits and a receipt for not final, and then hashes what users were answered", async () => {
  rig = await smppRig();
  const client = await rig.bind("transmitter");
  const { id } = await client.submit(WANTED);
  await rig.stage.clock.advance(10_000);
  const waiting = await client.submit(part(1));
  const MSISDN = "+22670123456";
  const exported = await rig.stage.admin("data export", { MSISDN });
  expect(exported).toMatchObject({
    smpp_answers: [{ id, destination: "22670123456" }],
    smpp_parts: [{ id: waiting.id, destination: "22670123456", state: "ENROUTE", octets: "31" }],
    smpp_receipts: [{ id, stat: "DELIVRD" }],
  });
  const sought = { MSISDN, yes: "true" };
  const refusal = await rig.stage.refusal("data erase", sought);
  expect(refusal.code).toBe("NOT_FINAL");
  expect(JSON.stringify(refusal.detail)).toContain(`${waiting.id} ENROUTE`);
  const receiver = await rig.bind("receiver");
  await receiver.until(() => receiver.delivered().length === 2, 5_000);
  await receiver.until(() => rig.status()?.receipts.waiting === 0);
  let erased: unknown = null;
  void rig.stage.admin("data erase", sought).then((answer) => {
    erased = answer.erased;
  });
  await receiver.until(() => erased !== null, 20);
  const { read } = rig.stage.context().store;
  const kept = read.all<{ destination: string }>("SELECT destination FROM smpp_follows");
  expect(kept.map(({ destination }) => destination)).toEqual([expect.stringMatching(/^erased:/)]);
  expect(read.all("SELECT 1 FROM smpp_parts")).toEqual([]);
});

test("the id of a message that was purged is nobody's, and nothing of it is left", async () => {
  rig = await smppRig({}, { receipt_hours: 1 });
  const client = await rig.bind("transmitter");
  const { id } = await client.submit(WANTED);
  await rig.stage.clock.advance(10_000);
  const rows = () =>
    rig.stage
      .context()
      .store.read.get<{ rows: number }>(
        "SELECT (SELECT count(*) FROM smpp_follows) + (SELECT count(*) FROM smpp_receipts) AS rows",
      )?.rows;
  expect(rows()).toBe(2);
  // A clock that jumps by a year is not believed.
  for (const days of [201, 200]) {
    await rig.stage.stop();
    rig.stage.clock.setBy(days * DAY_MS);
    await rig.stage.start();
    for (let passed = 0; passed < PURGE_MS; passed += 1000) await rig.stage.clock.advance(1000);
  }
  expect(rows()).toBe(0);
  expect(await rig.stage.admin("message find", { "smpp-id": id ?? "" })).toMatchObject({ messages: [] });
});
