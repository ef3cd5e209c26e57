import { afterEach, describe, expect, test } from "vitest";
import { encodePdu } from "../../../src/smpp/pdu.ts";
import type { MessageTlvs, ShortMessage } from "../../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../../src/text/ucs2.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { type Answer, type SmppClient, type SmppRig, smppRig, submitOf, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const OK = { status: 0, id: expect.any(String) };

/** The batches of the account, the newest first, as the API has them. */
async function batches(): Promise<Record<string, unknown>[]> {
  const headers = { "x-api-key": rig.client.apiKey };
  const response = await fetch(`${rig.stage.url()}/public/v1/batches`, { headers });
  return ((await response.json()) as { data: { batches: Record<string, unknown>[] } }).data.batches;
}

async function messages(): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (const batch of (await batches()).toReversed())
    found.push(...(await rig.client.messages(String(batch.batch_id))));
  return found;
}

const reserved = async () => (await rig.client.balance()).reserved;

/** A part of a text, by a header of eight bits. */
const part = (
  text: string | Uint8Array,
  place: { reference: number; total: number; part: number },
  fields: Partial<ShortMessage> = {},
): Partial<ShortMessage> => {
  const octets = typeof text === "string" ? textOf(text) : text;
  return { esmClass: 0x40, shortMessage: Buffer.concat([concatenationHeader(place), octets]), ...fields };
};

describe("a whole text", () => {
  test("is a batch of one, paid for, under its id in the API", async () => {
    rig = await smppRig();
    const client = await rig.bind("transmitter");
    const answer = await client.submit({}, { clientReference: textOf("order-1042") });
    expect(answer).toEqual(OK);
    const [message] = await messages();
    expect(message).toMatchObject({
      message_id: answer.id,
      msisdn: "+22670123456",
      client_reference: "order-1042",
    });
    expect(await batches()).toMatchObject([{ sender: "ACME", message_class: "TRANSACTIONAL", accepted: 1 }]);
    const { balance, spendable } = await rig.client.balance();
    expect(balance - spendable + (1_000_000 - balance)).toBe(15);
  });

  test("is literal, and comes in every coding that it may", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const texts: readonly [number, Uint8Array, string][] = [
      [0, textOf("Bonjour !"), "Bonjour !"],
      [3, Uint8Array.of(0xe9, 0x80), "é€"],
      [8, encodeUcs2("salut {nom} 😀"), "salut {nom} 😀"],
    ];
    for (const [dataCoding, shortMessage] of texts)
      expect(await client.submit({ dataCoding, shortMessage })).toEqual(OK);
    const { smsc } = rig.stage;
    await client.until(() => smsc.texts.length === texts.length, 20);
    expect(smsc.texts.map(({ text }) => text)).toEqual(texts.map(([, , text]) => text));
  });

  test("carries ids in the form that its user has", async () => {
    rig = await smppRig({ ids: "hex" });
    const client = await rig.bind();
    const ids = [];
    for (const text of ["one", "two"]) ids.push((await client.submit({ shortMessage: textOf(text) })).id);
    expect(ids).toEqual(["00000001", "00000002"]);
    await rig.change({ ids: "decimal" });
    const decimal = [];
    for (const text of ["three", "four"])
      decimal.push((await client.submit({ shortMessage: textOf(text) })).id ?? "");
    expect(decimal.every((id) => /^\d{16}$/.test(id))).toBe(true);
    expect(Number(decimal[1])).toBeGreaterThan(Number(decimal[0]));
  });

  test("repeated within ten minutes has the first id, over another session and a restart too, and one price", async () => {
    rig = await smppRig();
    const first = await rig.bind();
    const { id } = await first.submit();
    const paid = await reserved();
    expect(await first.submit({ registeredDelivery: 1, destinationAddr: "+22670123456" })).toEqual({
      status: 0,
      id,
    });
    const both = [first, await rig.bind()].map((client) =>
      client.ask(submitOf({ shortMessage: textOf("twice at once") })),
    );
    const [one, other] = await Promise.all(both);
    expect(one).toMatchObject({ status: 0 });
    expect(other).toMatchObject({ messageId: one && "messageId" in one ? one.messageId : "" });
    await rig.stage.stop();
    await rig.stage.start();
    const again = await rig.bind();
    expect(await again.submit()).toEqual({ status: 0, id });
    expect((await batches()).length).toBe(2);
    expect(await reserved()).toBeLessThanOrEqual(paid + 15);
    await rig.stage.clock.advance(600_001);
    expect((await again.submit()).status).toBe(0x45);
  });

  test("of a sandbox's user costs nothing and goes to nobody", async () => {
    rig = await smppRig();
    const { store } = rig.stage.context();
    await rig.client.balance();
    const sandbox = await rig.stage.inSandbox(rig.client);
    await store.write((tx) => tx.run("UPDATE smpp_users SET account_id = -abs(account_id)"));
    const client = await rig.bind();
    expect(await client.submit({ sourceAddr: "TEST" })).toEqual(OK);
    expect((await rig.client.balance()).balance).toBe(1_000_000);
    expect(sandbox.accountId).toBe(rig.client.accountId);
  });
});

describe("what is refused", () => {
  test("has the status of its reason and no body; for clients that read it the reason stands behind an empty id", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const refused: readonly [number, Partial<ShortMessage>, MessageTlvs?][] = [
      [0x01, { shortMessage: textOf("  ") }],
      [0x43, { esmClass: 0x02 }],
      [0x45, { dataCoding: 0x04 }],
      [0x54, { replaceIfPresentFlag: 1 }],
      [0x63, { smDefaultMsgId: 1 }],
      [0x61, { scheduleDeliveryTime: "250302090000000+" }],
      [0x62, { validityPeriod: "250302090000000+" }],
      [0xc4, {}, { clientReference: textOf(" ") }],
      [0x0a, { sourceAddr: "OTHERS" }],
      [0x0b, { destinationAddr: "22612" }],
      [0x0b, { destinationAddr: "22679000000" }],
    ];
    for (const [status, fields, tlvs] of refused)
      expect(await client.submit(fields, tlvs)).toEqual({ status, id: null });
    await rig.change({ reasons: true });
    expect(await client.submit({ sourceAddr: "OTHERS" })).toEqual({ status: 0x0a, id: "" });
    expect(rig.status()?.refusals[0]).toMatchObject({
      commandStatus: 0x0a,
      reason: "SENDER_NOT_APPROVED",
    });
  });

  test("for want of money is not remembered: once there is some, the same is taken", async () => {
    rig = await smppRig();
    const poor = await rig.stage.client({ funds: 0 });
    await rig.stage
      .context()
      .store.write((tx) =>
        tx.run("UPDATE smpp_users SET account_id = (SELECT id FROM accounts WHERE ulid = ?)", poor.accountId),
      );
    const client = await rig.bind();
    expect((await client.submit()).status).toBe(0x45);
    await rig.stage.admin("wallet topup", { ACCOUNT: poor.accountId, AMOUNT: "1000", reference: "cash" });
    expect(await client.submit()).toEqual(OK);
  });

  test("by its own response are replace_sm and submit_multi", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    for (const commandId of [0x07, 0x21]) {
      const octets = Buffer.from(
        encodePdu({ command: "enquire_link", sequence: 900 + commandId, status: 0 }),
      );
      octets.writeUInt32BE(commandId, 4);
      client.octets(octets);
      expect((await client.responseTo(900 + commandId)).status).toBe(0x03);
    }
  });
});

describe("a text in parts", () => {
  const TEXT = "Votre colis est arrive. Il vous attend au guichet jusqu'a samedi, de huit heures a midi.";
  const pieces = [TEXT.slice(0, 30), TEXT.slice(30, 60), TEXT.slice(60)];
  const send = (client: SmppClient, number: number, fields: Partial<ShortMessage> = {}, reference = 7) =>
    client.submit(part(pieces[number - 1] ?? "", { reference, total: 3, part: number }, fields));

  test("is one message with one price, whatever the order and the session, and each part has its own id", async () => {
    rig = await smppRig();
    const [one, other] = [await rig.bind(), await rig.bind()];
    const answers: Answer[] = [await send(one, 3), await send(other, 1)];
    expect(await batches()).toEqual([]);
    expect(await reserved()).toBe(0);
    answers.push(await send(one, 2));
    expect(answers.every(({ status }) => status === 0)).toBe(true);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
    const [batch] = await batches();
    expect(batch).toMatchObject({ accepted: 1, total_segments: 1 });
  });

  test("has the class, schedule, validity and reference of its part 1, whichever came last", async () => {
    rig = await smppRig({ classesBy: "service_type" });
    const client = await rig.bind();
    const ofFirst: Partial<ShortMessage> = {
      serviceType: "OTP",
      scheduleDeliveryTime: "000000010000000R",
      validityPeriod: "000000010500000R",
    };
    const place = { reference: 7, total: 2 };
    await client.submit(part(pieces[1] ?? "", { ...place, part: 2 }, { serviceType: "MKT" }), {
      clientReference: textOf("second"),
    });
    const first = part(pieces[0] ?? "", { ...place, part: 1 }, ofFirst);
    expect(await client.submit(first, { clientReference: textOf("first") })).toEqual(OK);
    const [batch] = await batches();
    expect(batch).toMatchObject({ message_class: "OTP", scheduled_at: "2026-03-02T10:00:00+00:00" });
    const [message] = await rig.client.messages(String(batch?.batch_id));
    expect(message).toMatchObject({ client_reference: "first" });
    const { store } = rig.stage.context();
    const found = store.read.get("SELECT expires_at AS expiresAt FROM batches");
    expect(found).toEqual({ expiresAt: Date.parse("2026-03-02T10:05:00Z") });
  });

  test("waits over a restart, and a part that is repeated has its first id", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const first = await send(client, 1);
    expect(await send(client, 1)).toEqual(first);
    await rig.stage.stop();
    await rig.stage.start();
    const again = await rig.bind();
    await send(again, 2);
    const last = await send(again, 3);
    expect(await send(again, 3)).toEqual(last);
    expect(await send(again, 1)).toEqual(first);
    expect((await batches()).length).toBe(1);
  });

  test("is decoded once its octets are joined", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const octets = encodeUcs2("a😀b");
    const place = { reference: 9, total: 2 };
    await client.submit(part(octets.subarray(0, 3), { ...place, part: 1 }, { dataCoding: 8 }));
    expect(await client.submit(part(octets.subarray(3), { ...place, part: 2 }, { dataCoding: 8 }))).toEqual(
      OK,
    );
  });

  test("that is refused for good ends with its earlier parts, and only those get receipts", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const wanted = { registeredDelivery: 1, sourceAddr: "OTHERS" };
    const first = await send(client, 1, wanted);
    const second = await send(client, 2, wanted);
    expect(await send(client, 3, wanted)).toEqual({ status: 0x0a, id: null });
    await client.until(() => client.delivered().length === 2, 100);
    const lines = client.delivered().map(({ shortMessage }) => Buffer.from(shortMessage).toString());
    expect(lines.map((line) => /id:(\S+) .*stat:(\S+) /.exec(line)?.slice(1))).toEqual([
      [first.id, "REJECTD"],
      [second.id, "REJECTD"],
    ]);
    expect(await batches()).toEqual([]);
  });

  test("ends where a part is refused for what it says itself", async () => {
    rig = await smppRig({ classesBy: "service_type" });
    const client = await rig.bind();
    const wanted = { registeredDelivery: 1 };
    const refused: readonly [number, Partial<ShortMessage>, MessageTlvs?][] = [
      [0x01, { shortMessage: concatenationHeader({ reference: 20, total: 3, part: 2 }) }],
      [0x01, {}, { messagePayload: textOf("twice") }],
      [0x43, { esmClass: 0x42 }],
      [0x45, { protocolId: 0x40 }],
      [0x54, { replaceIfPresentFlag: 1 }],
      [0x63, { smDefaultMsgId: 1 }],
      [0x61, { scheduleDeliveryTime: "250302090000000+" }],
      [0x62, { validityPeriod: "250302090000000+" }],
      [0x15, { serviceType: "CMT" }],
      [0xc4, {}, { clientReference: textOf(" ") }],
    ];
    for (const [at, [status, fields, tlvs]] of refused.entries()) {
      const reference = 20 + at;
      const first = await send(client, 1, wanted, reference);
      const header = concatenationHeader({ reference, total: 3, part: 2 });
      const shortMessage = Buffer.concat([header, textOf(at === 0 ? "" : "part two")]);
      const answer = await client.submit({ ...wanted, esmClass: 0x40, shortMessage, ...fields }, tlvs);
      expect([at, answer]).toEqual([at, { status, id: null }]);
      await client.until(() => client.delivered().length === at + 1, 100);
      const { tlvs: told } = client.delivered()[at] ?? { tlvs: null };
      expect([at, told]).toMatchObject([at, { receiptedMessageId: first.id, messageState: 8 }]);
    }
    // What was refused is forgotten: the same reference begins anew, and no part is missing.
    for (const number of [1, 2, 3]) expect(await send(client, number, {}, 29)).toEqual(OK);
    expect((await batches()).length).toBe(1);
    expect(rig.status()?.partsWaiting).toBe(0);
  });

  test("of which a part is refused for now waits on, and is taken when that part comes again", async () => {
    rig = await smppRig({ window: 1 });
    await rig.stage.admin("account set", { ACCOUNT: rig.client.accountId, "recipients-per-minute": "1" });
    const client = await rig.bind();
    const wanted = { registeredDelivery: 1 };
    const all = [1, 2, 3].map((number) => {
      const place = { reference: 7, total: 3, part: number };
      return client.send(submitOf(part(pieces[number - 1] ?? "", place, wanted)));
    });
    const statuses: number[] = [];
    for (const sequence of all) statuses.push((await client.responseTo(sequence)).status);
    expect(statuses).toEqual([0, 0x14, 0x14]);
    expect(await send(client, 2, wanted)).toEqual(OK);
    expect(await client.submit({ destinationAddr: "22670999999" })).toEqual(OK);
    expect(await send(client, 3, wanted)).toEqual({ status: 0x58, id: null });
    expect(rig.status()?.partsWaiting).toBe(2);
    await rig.stage.clock.advance(61_000);
    expect(await send(client, 3, wanted)).toEqual(OK);
    await client.until(() => client.delivered().length === 3, 100);
    expect(client.delivered().map(({ tlvs }) => tlvs.messageState)).toEqual([2, 2, 2]);
    expect((await batches()).map(({ accepted }) => accepted)).toEqual([1, 0, 1]);
  });

  test("alone for too long expires, unpaid", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const { id } = await send(client, 1, { registeredDelivery: 1 });
    await client.until(() => client.delivered().length === 1, 5_000);
    const [receipt] = client.delivered();
    expect(Buffer.from(receipt?.shortMessage ?? []).toString()).toContain(`id:${id} sub:001 dlvrd:000`);
    expect(receipt?.tlvs.messageState).toBe(3);
    expect(rig.stage.clock.steadyMs()).toBeGreaterThanOrEqual(600_000);
    expect(await reserved()).toBe(0);
  });

  test("with other octets under the same number begins anew", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await client.submit(part("old one", { reference: 7, total: 2, part: 1 }, { registeredDelivery: 1 }));
    await client.submit(part("new one, ", { reference: 7, total: 2, part: 1 }));
    expect(await client.submit(part("and its end", { reference: 7, total: 2, part: 2 }))).toEqual(OK);
    await client.until(() => client.delivered().length === 1, 100);
    expect(client.delivered()[0]?.tlvs.messageState).toBe(3);
  });

  test("that came before as a whole is the first message", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const whole = await client.submit({ shortMessage: textOf(TEXT) });
    for (const number of [1, 2]) expect((await send(client, number)).status).toBe(0);
    expect(await send(client, 3)).toEqual({ status: 0, id: whole.id });
    expect((await batches()).length).toBe(1);
  });
});
