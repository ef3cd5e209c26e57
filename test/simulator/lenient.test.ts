import { afterEach, describe, expect, test } from "vitest";
import { ESM_UDHI, type ShortMessage } from "../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../src/text/ucs2.ts";
import { concatenationHeader } from "../../src/text/udh.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { type Esme, esme, submit } from "./esme.ts";

const opened: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function operator(isStrict: boolean): Promise<{ smsc: TestSmsc; link: Esme }> {
  const smsc = await testSmsc({ isStrict });
  opened.push(smsc.stop);
  const link = await esme(smsc.port);
  opened.push(link.close);
  await link.bind();
  return { smsc, link };
}

/** What each of these gets from a lenient and from a strict operator. */
async function statusesOf(isStrict: boolean, messages: readonly Partial<ShortMessage>[]): Promise<number[]> {
  const { smsc, link } = await operator(isStrict);
  for (const [index, fields] of messages.entries()) {
    link.write(submit(2 + index, fields.destinationAddr ?? "22670123456", fields));
  }
  const answers = await link.until("submit_sm_resp", messages.length);
  expect(smsc.stats().violations).toBe(answers.filter(({ status }) => status !== 0).length);
  return answers.toSorted((a, b) => a.sequence - b.sequence).map(({ status }) => status);
}

describe("an operator that is not strict", () => {
  test("takes every type of number and numbering plan, as real centres do", async () => {
    const messages: Partial<ShortMessage>[] = [
      { destAddrNpi: 0 },
      { destAddrTon: 0, destAddrNpi: 0 },
      { destAddrTon: 2, destAddrNpi: 8 },
      { sourceAddrNpi: 1 },
      { sourceAddrTon: 1, sourceAddrNpi: 0, sourceAddr: "1616" },
      { sourceAddrTon: 0, sourceAddr: "MAVOIX" },
      { sourceAddrTon: 0, sourceAddr: "" },
      { destinationAddr: "+22670123456" },
    ];
    expect(await statusesOf(false, messages)).toEqual(messages.map(() => 0));
    expect((await statusesOf(true, messages)).filter((status) => status === 0).length).toBe(2);
  });

  test("sends on what a foreign sender cut in two, and the handset shows it whole", async () => {
    const part = (place: number, octets: Uint8Array, dataCoding: number, reference: number) => ({
      dataCoding,
      esmClass: ESM_UDHI,
      shortMessage: Buffer.concat([concatenationHeader({ reference, total: 2, part: place }), octets]),
    });
    const emoji = encodeUcs2("Ça va 😀 ?");
    const half = emoji.length - 6;
    const messages = [
      part(1, emoji.subarray(0, half), 8, 1),
      part(2, emoji.subarray(half), 8, 1),
      part(1, Buffer.from("10 \x1b", "latin1"), 0, 2),
      part(2, Buffer.from("e", "latin1"), 0, 2),
    ];
    const { smsc, link } = await operator(false);
    for (const [index, fields] of messages.entries()) link.write(submit(2 + index, "22670123456", fields));
    const answers = await link.until("submit_sm_resp", 4);
    expect(answers.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    await smsc.until(({ texts }) => texts.length === 2);
    expect(smsc.texts.map(({ text }) => text)).toEqual(["Ça va 😀 ?", "10 €"]);
    expect(await statusesOf(true, messages)).toContain(0x43);
  });

  test("refuses what no centre could deliver", async () => {
    const messages: Partial<ShortMessage>[] = [
      { destinationAddr: "BONJOUR" },
      { sourceAddr: "x".repeat(21) },
      { shortMessage: new Uint8Array(161) },
      { validityPeriod: "demain" },
      { esmClass: ESM_UDHI, shortMessage: Uint8Array.of(5, 0, 3) },
    ];
    expect(await statusesOf(false, messages)).toEqual([0x0b, 0x0a, 0x01, 0x62, 0x43]);
  });
});

test("a client of SMPP 3.3 gets a bind response without optional parameters", async () => {
  const smsc = await testSmsc();
  opened.push(smsc.stop);
  const link = await esme(smsc.port);
  opened.push(link.close);
  const bind = { systemId: "old", password: "", systemType: "", interfaceVersion: 0x33 };
  link.write({
    command: "bind_transmitter",
    sequence: 1,
    status: 0,
    bind: { ...bind, addrTon: 0, addrNpi: 0, addressRange: "" },
  });
  expect(await link.until("bind_transmitter_resp")).toMatchObject([{ status: 0, scInterfaceVersion: null }]);
});
