/** A repeated text is answered as the first time, but where the first came to nothing: then it is a new one. */
import { afterEach, describe, expect, test } from "vitest";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { type SmppClient, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const pieces = ["Votre colis est arrive. ", "Il vous attend au guichet."];

async function sendParts(client: SmppClient): Promise<readonly (string | null)[]> {
  const ids: (string | null)[] = [];
  for (const [index, text] of pieces.entries()) {
    const header = concatenationHeader({ reference: 7, total: pieces.length, part: index + 1 });
    const shortMessage = Buffer.concat([header, textOf(text)]);
    const answer = await client.submit({ esmClass: 0x40, shortMessage, registeredDelivery: 1 });
    expect(answer.status).toBe(0);
    ids.push(answer.id);
  }
  return ids;
}

async function sendWhole(client: SmppClient): Promise<readonly (string | null)[]> {
  const { status, id } = await client.submit({ registeredDelivery: 1 });
  expect(status).toBe(0);
  return [id];
}

const reserved = async () => (await rig.client.balance()).reserved;
const charged = async () => 1_000_000 - (await rig.client.balance()).balance;

describe.each([
  ["a whole text", sendWhole],
  ["a text in parts", sendParts],
] as const)("%s", (_name, send) => {
  test("that failed is a new one, with an id, a price and a receipt of its own", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    rig.stage.smsc.change({ refusePercent: 100, refuseStatus: 0x45 });
    const first = await send(client);
    await client.until(() => client.delivered().length === first.length, 100);
    expect(client.delivered().every(({ tlvs }) => tlvs.messageState !== 2)).toBe(true);
    expect(await charged()).toBe(0);
    rig.stage.smsc.change({ refusePercent: 0 });
    const second = await send(client);
    expect(second.some((id) => first.includes(id))).toBe(false);
    await client.until(() => client.delivered().length === 2 * first.length, 100);
    const told = client.delivered().slice(first.length);
    expect(told.map(({ tlvs }) => tlvs.receiptedMessageId).toSorted()).toEqual(second.toSorted());
    expect(told.every(({ tlvs }) => tlvs.messageState === 2)).toBe(true);
    expect(await charged()).toBe(15);
  });

  test("that was cancelled is a new one", async () => {
    rig = await smppRig();
    await rig.stage.admin("operator pause", { CODE: "orange", reason: "works" });
    const client = await rig.bind();
    const first = await send(client);
    await rig.stage.clock.advance(10);
    const cancelled = await client.ask({
      command: "cancel_sm",
      operation: {
        serviceType: "",
        messageId: first[0] ?? "",
        sourceAddrTon: 0,
        sourceAddrNpi: 0,
        sourceAddr: "ACME",
        destAddrTon: 1,
        destAddrNpi: 1,
        destinationAddr: "22670123456",
      },
    });
    expect(cancelled.status).toBe(0);
    expect(await reserved()).toBe(0);
    const second = await send(client);
    expect(second.some((id) => first.includes(id))).toBe(false);
    expect(await reserved()).toBe(15);
    expect(await send(client)).toEqual(second);
    expect(await reserved()).toBe(15);
  });
});

describe("a repetition whose own time is over by then", () => {
  const soon = { validityPeriod: "260302090200000+" };

  test("of a whole text gets the first id: what was accepted in time is not refused afterwards", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const planned = { scheduleDeliveryTime: "260302090100000+" };
    const first = await client.submit(planned);
    expect(first.status).toBe(0);
    await rig.stage.clock.advance(7 * 60_000);
    expect(await client.submit(planned)).toMatchObject({ status: 0, id: first.id });
    expect(await client.submit({ ...planned, destinationAddr: "22670123458" })).toMatchObject({
      status: 0x61,
    });
  });

  test("of a part gets the first id as well; another text's part is refused, with the parts before it", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const part = (reference: number, number: number) => {
      const header = concatenationHeader({ reference, total: 2, part: number });
      const shortMessage = Buffer.concat([header, textOf(pieces[number - 1] ?? "")]);
      return client.submit({ ...soon, esmClass: 0x40, shortMessage, registeredDelivery: 1 });
    };
    const first = [await part(7, 1), await part(7, 2), await part(8, 1)];
    expect(first.map(({ status }) => status)).toEqual([0, 0, 0]);
    await rig.stage.clock.advance(3 * 60_000);
    expect(await part(7, 2)).toMatchObject({ status: 0, id: first[1]?.id });
    expect(await part(8, 1)).toMatchObject({ status: 0, id: first[2]?.id });
    expect(await part(8, 2)).toMatchObject({ status: 0x62 });
    const isRejected = () => client.delivered().some(({ tlvs }) => tlvs.receiptedMessageId === first[2]?.id);
    await client.until(isRejected, 100);
  });
});
