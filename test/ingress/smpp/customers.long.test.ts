/** What customers may write, and what becomes of it: commands, versions, senders, classes, times, and what the audit keeps of binds. */
import { afterEach, describe, expect, test } from "vitest";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { bindOf, PASSWORD, type SmppRig, SYSTEM_ID, smppRig, submitOf, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

type Found = Readonly<Record<string, unknown>>;

/** The batch of each text, the oldest first. */
async function batches(): Promise<readonly Found[]> {
  const { batches: found } = (await rig.stage.admin("batch find")) as { batches: Found[] };
  return found.toReversed();
}

const OK = { status: 0, id: expect.any(String) };

describe("a client", () => {
  test("of 5.0 is answered as one of 3.4, and what is passed over changes nothing", async () => {
    rig = await smppRig();
    const client = await rig.connect();
    expect(await client.ask({ command: "enquire_link" })).toMatchObject({
      command: "enquire_link_resp",
      status: 0,
    });
    const bind = bindOf("transceiver", PASSWORD, SYSTEM_ID, 0x50);
    if (!("bind" in bind)) throw new Error("it is no bind");
    const asked = { ...bind, bind: { ...bind.bind, systemType: "VMA", addressRange: "^226", addrTon: 1 } };
    expect(await client.ask(asked)).toMatchObject({ status: 0, scInterfaceVersion: 0x34 });
    expect(await client.submit({ priorityFlag: 3, serviceType: "CMT", registeredDelivery: 0x0c })).toEqual(
      OK,
    );
    expect(await batches()).toMatchObject([{ message_class: "TRANSACTIONAL", accepted: 1 }]);
  });

  test("that sends data_sm is answered as for submit_sm, and the two know each other's repetitions", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const message = shortMessage({
      sourceAddr: "ACME",
      destAddrTon: 1,
      destinationAddr: "22670123456",
      tlvs: { messagePayload: textOf("Bonjour") },
    });
    const answer = await client.ask({ command: "data_sm", message });
    expect(answer).toMatchObject({ command: "data_sm_resp", status: 0 });
    const id = "messageId" in answer ? answer.messageId : null;
    expect(await client.submit()).toEqual({ status: 0, id });
    expect(await batches()).toHaveLength(1);
  });

  test("that receives alone submits nothing, and one that is not bound neither", async () => {
    rig = await smppRig();
    const receiver = await rig.bind("receiver");
    const stranger = await rig.connect();
    for (const client of [receiver, stranger])
      expect(await client.ask(submitOf())).toMatchObject({ status: 0x04 });
    expect(await batches()).toEqual([]);
  });
});

describe("a text", () => {
  test("without a sender has the user's, and is refused where there is none", async () => {
    rig = await smppRig({ sender: "ACME" });
    const client = await rig.bind();
    expect(await client.submit({ sourceAddr: "" })).toEqual(OK);
    expect(await batches()).toMatchObject([{ sender: "ACME" }]);
    await rig.change({ sender: null });
    expect(await client.submit({ sourceAddr: "", shortMessage: textOf("other") })).toEqual({
      status: 0x0a,
      id: null,
    });
  });

  test("of an international number as its sender has that number, with its sign too", async () => {
    rig = await smppRig();
    const named = { ACCOUNT: rig.client.accountId, NAME: "+22625300000" };
    await rig.stage.admin("sender request", named);
    await rig.stage.admin("sender approve", named);
    const client = await rig.bind();
    const number = { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: "22625300000" };
    expect(await client.submit(number)).toEqual(OK);
    expect(await batches()).toMatchObject([{ sender: "+22625300000" }]);
    expect((await client.submit({ ...number, sourceAddrTon: 0, shortMessage: textOf("b") })).status).toBe(
      0x0a,
    );
  });

  test("has the class of its service_type where the user has it so, else that of the user", async () => {
    rig = await smppRig({ messageClass: "OTP", classesBy: "service_type" });
    const client = await rig.bind();
    for (const [at, serviceType] of ["", "TRX", "OTP"].entries())
      expect(await client.submit({ serviceType, shortMessage: textOf(`text ${at}`) })).toEqual(OK);
    expect((await client.submit({ serviceType: "CMT", shortMessage: textOf("none") })).status).toBe(0x15);
    const classes = (await batches()).map(({ message_class }) => message_class);
    expect(classes).toEqual(["OTP", "TRANSACTIONAL", "OTP"]);
  });

  test("is sent when it is scheduled for, and given up when its validity is over, with its money back", async () => {
    rig = await smppRig();
    await rig.stage.admin("operator pause", { CODE: "orange", reason: "works" });
    const client = await rig.bind();
    const wanted = { registeredDelivery: 1 };
    const later = await client.submit({ ...wanted, scheduleDeliveryTime: "000000010000000R" });
    expect(later).toEqual(OK);
    expect(await batches()).toMatchObject([
      { status: "SCHEDULED", scheduled_at: "2026-03-02T10:00:00+00:00" },
    ]);
    const short = await client.submit({
      ...wanted,
      validityPeriod: "000000000200000R",
      shortMessage: textOf("short"),
    });
    expect((await rig.client.balance()).reserved).toBe(30);
    await client.until(() => client.delivered().length === 1, 5_000);
    expect(client.delivered()[0]?.tlvs).toMatchObject({ receiptedMessageId: short.id, messageState: 3 });
    expect((await rig.client.balance()).reserved).toBe(15);
  });

  test("that another user of the account sent is refused as a repetition of the body", async () => {
    rig = await smppRig();
    await rig.addUser("other");
    const [client, other] = [await rig.bind(), await rig.bindAs("other")];
    expect(await client.submit()).toEqual(OK);
    await rig.change({ reasons: true });
    expect(await other.submit()).toEqual({ status: 0x45, id: null });
    const accepted = (await batches()).map((batch) => batch.accepted);
    expect(accepted).toEqual([1, 0]);
  });

  test("weighs what we send, whatever data_coding said", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const utf16 = Buffer.from("Bonjour a tous", "utf16le").swap16();
    expect(await client.submit({ dataCoding: 8, shortMessage: utf16 })).toEqual(OK);
    expect(await batches()).toMatchObject([{ total_segments: 1 }]);
    await client.until(() => rig.stage.smsc.texts.length === 1, 20);
    const found = (await rig.stage.admin("message find")) as { messages: Found[] };
    expect(found.messages).toMatchObject([{ encoding: "GSM7", segments: 1 }]);
  });
});

test("a stop answers what is on the disk, and the rest with 0x14; both are told apart after the next start", async () => {
  rig = await smppRig({ window: 100 });
  const client = await rig.bind();
  const texts = Array.from({ length: 30 }, (_, at) => ({ shortMessage: textOf(`text ${at}`) }));
  const sequences = texts.map((fields) => client.send(submitOf(fields)));
  await rig.stage.stop();
  await client.until(client.isClosed);
  const answers = client.received.filter(({ command }) => command === "submit_sm_resp");
  const taken = new Map(answers.map((answer) => [answer.sequence, answer]));
  for (const { status } of answers) expect([0, 0x14]).toContain(status);
  await rig.stage.start();
  const again = await rig.bind();
  for (const [at, fields] of texts.entries()) {
    const before = taken.get(sequences[at] ?? 0);
    const answer = await again.submit(fields);
    expect(answer.status).toBe(0);
    if (before?.status === 0 && "messageId" in before) expect(answer.id).toBe(before.messageId);
  }
  expect(await batches()).toHaveLength(texts.length);
});

test("the audit has each bind, with where it came from", async () => {
  rig = await smppRig();
  for (const kind of ["transmitter", "receiver"] as const) await rig.bind(kind);
  await rig.stage.clock.advance(1_000);
  const { entries } = (await rig.stage.admin("audit list")) as { entries: Found[] };
  const told = entries.filter(({ action }) => action === "smpp bind").toReversed();
  const entry = { actor: SYSTEM_ID, subject: SYSTEM_ID };
  expect(told).toMatchObject([
    { ...entry, detail: { peer: "127.0.0.1", bind: "transmitter", tls: false } },
    { ...entry, detail: { peer: "127.0.0.1", bind: "receiver", tls: false } },
  ]);
});
