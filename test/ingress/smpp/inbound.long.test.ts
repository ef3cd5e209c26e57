import { afterEach, expect, test } from "vitest";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { decodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { decodeUcs2 } from "../../../src/text/ucs2.ts";
import { parseUserData } from "../../../src/text/udh.ts";
import { type SmppClient, type SmppRig, smppRig } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const WRITER = "22670123456";

/** A subscriber writes to a sender, and the text is kept. */
async function write(text: string, to = "ACME"): Promise<void> {
  const count = async () => ((await rig.stage.admin("inbound list")).texts as unknown[]).length;
  const before = await count();
  if (!rig.stage.smsc.sendMo(WRITER, to, text)) throw new Error("nobody is bound to the operator");
  while ((await count()) === before) await rig.stage.clock.advance(20);
}

async function delivered(client: SmppClient, count: number, stepMs = 100): Promise<readonly ShortMessage[]> {
  await client.until(() => client.delivered().length >= count, stepMs);
  return client.delivered();
}

const waiting = () => rig.status()?.receipts.waiting;

test("a text that comes in is delivered as one deliver_sm, over one session of each user that asked for texts", async () => {
  rig = await smppRig({ inbound: true });
  await rig.addUser("other", { inbound: true });
  await rig.addUser("deaf");
  const clients = [await rig.bind(), await rig.bind()];
  const [other, deaf] = [await rig.bindAs("other"), await rig.bindAs("deaf")];
  await write("Où est mon colis ?");
  const [message] = await delivered(other, 1);
  expect(message).toMatchObject({
    sourceAddr: WRITER,
    sourceAddrTon: 1,
    sourceAddrNpi: 1,
    destinationAddr: "ACME",
    destAddrTon: 5,
    esmClass: 0,
    dataCoding: 0,
    tlvs: {},
  });
  expect(decodeGsm(message?.shortMessage ?? new Uint8Array())).toBe("Où est mon colis ?");
  await rig.stage.clock.advance(60_000);
  expect(clients.flatMap((client) => client.delivered())).toHaveLength(1);
  expect([other, deaf].map((client) => client.delivered().length)).toEqual([1, 0]);
  expect(waiting()).toBe(0);
});

test("what the alphabet of data_coding 0 has not goes as data_coding 8, and what is longer than 254 octets in message_payload", async () => {
  rig = await smppRig({ inbound: true, alphabet: "latin1" });
  const client = await rig.bind();
  const texts = [
    "Où êtes-vous ?",
    "Voilà",
    "Je suis arrivé à la forêt de Banfora, et j'attends. ".repeat(6).trim(),
  ];
  for (const text of texts) await write(text);
  const [other, own, long] = await delivered(client, 3);
  expect(other).toMatchObject({ dataCoding: 8, tlvs: {} });
  expect(own).toMatchObject({ dataCoding: 0, tlvs: {} });
  expect(long).toMatchObject({ dataCoding: 8, shortMessage: new Uint8Array() });
  expect([
    decodeUcs2(other?.shortMessage ?? new Uint8Array()),
    Buffer.from(own?.shortMessage ?? []).toString("latin1"),
    decodeUcs2(long?.tlvs.messagePayload ?? new Uint8Array()),
  ]).toEqual(texts);
});

test("a client of 3.3, which knows no message_payload, gets a long text in parts, and again from the first where one fails", async () => {
  rig = await smppRig({ inbound: true });
  const client = await rig.bind("receiver", 0x33);
  const long = "Le colis est au guichet de Ouaga 2000. ".repeat(10).trim();
  client.answerWith((before) => (before === 1 ? 0x14 : 0));
  await write(long);
  await client.until(() => waiting() === 0, 1_000);
  const parts = client.delivered().map(({ esmClass, tlvs, dataCoding, shortMessage }) => {
    expect({ esmClass, dataCoding, tlvs }).toEqual({ esmClass: 0x40, dataCoding: 0, tlvs: {} });
    const { concatenation, body } = parseUserData(shortMessage);
    return { part: concatenation?.part, text: decodeGsm(body) };
  });
  expect(parts.map(({ part }) => part)).toEqual([1, 2, 1, 2, 3]);
  const last = parts.slice(2);
  expect(last.map(({ text }) => text).join("")).toBe(long);
});

test("texts wait for the next bind as receipts do, over a restart too, and are taken once", async () => {
  rig = await smppRig({ inbound: true });
  await write("premier");
  await write("deuxieme");
  expect(rig.status()).toMatchObject({ receipts: { waiting: 2 } });
  await rig.stage.stop();
  await rig.stage.start();
  const transmitter = await rig.bind("transmitter");
  const client = await rig.bind("receiver");
  const texts = (await delivered(client, 2)).map(({ shortMessage }) => decodeGsm(shortMessage));
  expect(texts).toEqual(["premier", "deuxieme"]);
  await rig.stage.clock.advance(60_000);
  expect([transmitter, client].map((one) => one.delivered().length)).toEqual([0, 2]);
});

test("a text that is refused for good is tried three times, and counted as given up", async () => {
  rig = await smppRig({ inbound: true });
  const client = await rig.bind();
  client.answerWith(0x45);
  await write("refuse");
  await delivered(client, 3, 1_000);
  await client.until(() => waiting() === 0, 1_000);
  await rig.stage.clock.advance(400_000);
  expect(client.delivered()).toHaveLength(3);
  expect(rig.status()?.receipts.givenUp).toBe(1);
});

test("a text to a sender of several accounts, or of none, goes to nobody", async () => {
  rig = await smppRig({ inbound: true });
  const client = await rig.bind();
  await write("a personne", "3210");
  const second = await rig.stage.client();
  expect(second.accountId).not.toBe(rig.client.accountId);
  await write("a tous");
  await rig.stage.clock.advance(60_000);
  expect(client.delivered()).toEqual([]);
  expect(waiting()).toBe(0);
});

test("STOP is obeyed before its text is delivered", async () => {
  rig = await smppRig({ inbound: true });
  const client = await rig.bind();
  await write("STOP");
  const { suppressions } = await rig.stage.admin("suppression list", { ACCOUNT: rig.client.accountId });
  expect(suppressions).toMatchObject([{ msisdn: `+${WRITER}`, message_class: "MARKETING" }]);
  const [message] = await delivered(client, 1);
  expect(decodeGsm(message?.shortMessage ?? new Uint8Array())).toBe("STOP");
});

test("a text that waits for a user is taken for not final by an erasure, and stands in what is exported", async () => {
  rig = await smppRig({ inbound: true });
  await write("mon secret");
  const exported = await rig.stage.admin("data export", { MSISDN: `+${WRITER}` });
  expect(exported.smpp_receipts).toEqual([{ id: "1", stat: null }]);
  const sought = { MSISDN: `+${WRITER}`, yes: "true" };
  expect((await rig.stage.refusal("data erase", sought)).code).toBe("NOT_FINAL");
  const client = await rig.bind();
  await delivered(client, 1);
  await client.until(() => waiting() === 0);
  let erased: unknown = null;
  void rig.stage.admin("data erase", sought).then((answer) => {
    erased = answer.erased;
  });
  await client.until(() => erased !== null, 20);
  expect(erased).toMatchObject({ inbound_texts: 1 });
});
