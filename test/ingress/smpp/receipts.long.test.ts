import { afterEach, describe, expect, test } from "vitest";
import { ERROR_CODE } from "../../../src/simulator/message-states.ts";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { type SmppClient, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const WANTED = { registeredDelivery: 1 };
const lineOf = ({ shortMessage }: ShortMessage) => Buffer.from(shortMessage).toString("latin1");

async function receiptsOf(client: SmppClient, count: number, stepMs = 100): Promise<readonly ShortMessage[]> {
  await client.until(() => client.delivered().length >= count, stepMs);
  return client.delivered();
}

describe("a receipt", () => {
  test("has the addresses swapped as they were written, the text of Appendix B, and the same in parameters", async () => {
    rig = await smppRig({ receiptText: 20 });
    const client = await rig.bind();
    const written = { destAddrTon: 0, destAddrNpi: 9, destinationAddr: "70123456", sourceAddrTon: 5 };
    const { id } = await client.submit({ ...WANTED, ...written }, { userMessageReference: 77 });
    const [receipt] = await receiptsOf(client, 1);
    expect(receipt).toMatchObject({
      sourceAddrTon: 0,
      sourceAddrNpi: 9,
      sourceAddr: "70123456",
      destAddrTon: 5,
      destinationAddr: "ACME",
      esmClass: 0x04,
      dataCoding: 0,
      tlvs: { receiptedMessageId: id, messageState: 2, userMessageReference: 77 },
    });
    expect(receipt && lineOf(receipt)).toMatch(
      new RegExp(
        `^id:${id} sub:001 dlvrd:001 submit date:2603020900 done date:2603020\\d{3} stat:DELIVRD err:000 text:Bonjour$`,
      ),
    );
  });

  test("says the operator's own error, in the text and as network_error_code of GSM", async () => {
    rig = await smppRig();
    rig.stage.smsc.change({ deliveredPercent: 0 });
    const client = await rig.bind();
    await client.submit(WANTED);
    const [receipt] = await receiptsOf(client, 1);
    const [, error = ""] = /stat:UNDELIV err:(\d{3}) /.exec(receipt ? lineOf(receipt) : "") ?? [];
    expect(Number(error)).toBe(ERROR_CODE.UNDELIV);
    expect([...(receipt?.tlvs.networkErrorCode ?? [])]).toEqual([3, 0, ERROR_CODE.UNDELIV]);
  });

  test("has no parameters for a client of 3.3", async () => {
    rig = await smppRig();
    const client = await rig.bind("transceiver", 0x33);
    await client.submit(WANTED);
    const [receipt] = await receiptsOf(client, 1);
    expect(receipt?.tlvs).toEqual({});
    expect(receipt && lineOf(receipt)).toMatch(/stat:DELIVRD err:000 text:$/);
  });

  test("comes for whom it was asked: none, all, failures, successes, and at SENT before the final one", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const ids: (string | null)[] = [];
    for (const registeredDelivery of [0, 1, 2, 3, 0x11])
      ids.push(
        (await client.submit({ registeredDelivery, shortMessage: textOf(`text ${registeredDelivery}`) })).id,
      );
    await receiptsOf(client, 4);
    await rig.stage.clock.advance(5_000);
    const told = client.delivered().map((receipt) => [receipt.tlvs.receiptedMessageId, receipt.esmClass]);
    const [, all, , successes, both] = ids;
    expect(told.filter(([id]) => id === both)).toEqual([
      [both, 0x20],
      [both, 0x04],
    ]);
    expect(told.map(([id]) => id).toSorted()).toEqual([all, successes, both, both].toSorted());
  });

  test("comes for each part that asked", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const place = { reference: 3, total: 2 };
    const part = (number: number) => ({
      ...WANTED,
      esmClass: 0x40,
      shortMessage: Buffer.concat([
        concatenationHeader({ ...place, part: number }),
        textOf(`part ${number} `),
      ]),
    });
    const ids = [(await client.submit(part(1))).id, (await client.submit(part(2))).id];
    const receipts = await receiptsOf(client, 2);
    expect(receipts.map(({ tlvs }) => tlvs.receiptedMessageId).toSorted()).toEqual(ids.toSorted());
  });

  test("goes over the session that submitted, or over another that can receive", async () => {
    rig = await smppRig();
    const [one, other] = [await rig.bind(), await rig.bind()];
    for (const text of ["a", "b", "c"]) await other.submit({ ...WANTED, shortMessage: textOf(text) });
    await receiptsOf(other, 3);
    expect(one.delivered()).toEqual([]);
    await other.ask({ command: "unbind" });
    await other.until(other.isClosed);
    const transmitter = await rig.bind("transmitter");
    await transmitter.submit({ ...WANTED, shortMessage: textOf("d") });
    await receiptsOf(one, 1);
  });

  test("waits for the next bind, over a restart too", async () => {
    rig = await smppRig();
    const first = await rig.bind("transmitter");
    const { id } = await first.submit(WANTED);
    await rig.stage.clock.advance(10_000);
    await rig.stage.stop();
    await rig.stage.start();
    const again = await rig.bind("receiver");
    const [receipt] = await receiptsOf(again, 1);
    expect(receipt?.tlvs.receiptedMessageId).toBe(id);
    await rig.stage.clock.advance(60_000);
    expect(again.delivered()).toHaveLength(1);
  });

  test("comes again after a passing status and after silence, and not after it was taken", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    client.answerWith(0x14);
    await client.submit(WANTED);
    await receiptsOf(client, 1);
    const tookMs = rig.stage.clock.steadyMs();
    client.answerWith(0);
    await receiptsOf(client, 2);
    expect(rig.stage.clock.steadyMs() - tookMs).toBeGreaterThanOrEqual(4_900);
    await rig.stage.clock.advance(60_000);
    expect(client.delivered()).toHaveLength(2);
  });

  test("that is refused for good is tried three times", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    client.answerWith(0x45);
    await client.submit(WANTED);
    await receiptsOf(client, 3, 1_000);
    await rig.stage.clock.advance(400_000);
    expect(client.delivered()).toHaveLength(3);
  });

  test("of many is in flight no more than the window at once", async () => {
    rig = await smppRig({ window: 2 });
    const client = await rig.bind();
    client.answerWith(null);
    for (const text of ["a", "b", "c", "d"]) await client.submit({ ...WANTED, shortMessage: textOf(text) });
    await rig.stage.clock.advance(5_000);
    expect(client.delivered()).toHaveLength(2);
    expect(rig.status()?.sessions).toHaveLength(1);
  });
});

describe("query_sm and cancel_sm", () => {
  const about = (messageId: string | null) => ({
    serviceType: "",
    messageId: messageId ?? "",
    sourceAddrTon: 5,
    sourceAddrNpi: 0,
    sourceAddr: "ACME",
    destAddrTon: 1,
    destAddrNpi: 1,
    destinationAddr: "22670123456",
  });
  const query = (client: SmppClient, id: string | null) =>
    client.ask({ command: "query_sm", operation: about(id) });
  const cancel = (client: SmppClient, id: string | null) =>
    client.ask({ command: "cancel_sm", operation: about(id) });
  const LATER = { scheduleDeliveryTime: "000001000000000R" };

  test("take a token each, as a part does: what would wait for more than two seconds is refused", async () => {
    rig = await smppRig({ throughput: 2, window: 100 });
    const client = await rig.bind();
    const asked = Array.from({ length: 9 }, (_, place) =>
      client.send({ command: place % 2 === 0 ? "query_sm" : "cancel_sm", operation: about("nothing") }),
    );
    const statuses: number[] = [];
    for (const sequence of asked) statuses.push((await client.responseTo(sequence, 50)).status);
    // Two at once, four in two seconds, and the rest is too late.
    expect(statuses.slice(0, 6)).toEqual([0x67, 0x11, 0x67, 0x11, 0x67, 0x11]);
    expect(statuses.slice(7)).toEqual([0x58, 0x58]);
  });

  test("tell the state of what the user submitted itself, and know nothing of others", async () => {
    rig = await smppRig();
    await rig.addUser("other");
    const client = await rig.bind();
    const { id } = await client.submit({ ...WANTED, ...LATER });
    expect(await query(client, id)).toMatchObject({
      status: 0,
      messageId: id,
      messageState: 1,
      finalDate: "",
    });
    const sent = await client.submit({ ...WANTED, shortMessage: textOf("now") });
    await receiptsOf(client, 1);
    const answer = await query(client, sent.id);
    expect(answer).toMatchObject({ status: 0, messageState: 2 });
    expect("finalDate" in answer && answer.finalDate).toMatch(/^260302\d{9}\+$/);
    expect((await query(client, "nothing")).status).toBe(0x67);
    await rig.stage
      .context()
      .store.write((tx) => tx.run("UPDATE smpp_follows SET user_id = user_id + 1 WHERE reply_id = ?", id));
    expect((await query(client, id)).status).toBe(0x67);
    expect((await cancel(client, id)).status).toBe(0x11);
  });

  test("call off what waits, with its money back and the receipt DELETED, and not what has left", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const { id } = await client.submit({ ...WANTED, ...LATER });
    expect((await rig.client.balance()).reserved).toBe(15);
    expect((await cancel(client, id)).status).toBe(0);
    expect((await rig.client.balance()).reserved).toBe(0);
    const [receipt] = await receiptsOf(client, 1);
    expect(receipt && lineOf(receipt)).toContain("stat:DELETED");
    expect(await query(client, id)).toMatchObject({ status: 0, messageState: 4 });
    expect((await cancel(client, id)).status).toBe(0x11);
    expect((await cancel(client, "")).status).toBe(0x11);
  });

  test("know a part that waits, and call its whole text off", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const header = concatenationHeader({ reference: 3, total: 2, part: 1 });
    const { id } = await client.submit({
      ...WANTED,
      esmClass: 0x40,
      shortMessage: Buffer.concat([header, textOf("part")]),
    });
    expect(await query(client, id)).toMatchObject({ status: 0, messageState: 1 });
    expect((await cancel(client, id)).status).toBe(0);
    const [receipt] = await receiptsOf(client, 1);
    expect(receipt && lineOf(receipt)).toContain("stat:DELETED");
  });
});
