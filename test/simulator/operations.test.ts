import { afterEach, describe, expect, test } from "vitest";
import { phrase, said } from "../../src/i18n/phrase.ts";
import type { SmscOptions } from "../../src/simulator/server.ts";
import type { BindKind } from "../../src/smpp/pdu.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { testClock } from "../kit/test-clock.ts";
import { type Esme, esme, receiptText, submit } from "./esme.ts";

const opened: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function bound(
  options: Partial<SmscOptions> = {},
  kind: BindKind = "transceiver",
): Promise<{ smsc: TestSmsc; link: Esme }> {
  const smsc = await testSmsc(options);
  opened.push(smsc.stop);
  const link = await esme(smsc.port);
  opened.push(link.close);
  await link.bind(kind);
  return { smsc, link };
}

const text = (words: string) => Buffer.from(`${words}\0`, "latin1");
const address = (number: string, ton = 1, npi = 1) => Buffer.concat([Buffer.of(ton, npi), text(number)]);
const SENDER = address("MAVOIX", 5, 0);

/** A whole PDU of any command. */
function pdu(id: number, sequence: number, ...body: Uint8Array[]): Uint8Array {
  const header = Buffer.alloc(16);
  const octets = Buffer.concat([header, ...body]);
  octets.writeUInt32BE(octets.length, 0);
  octets.writeUInt32BE(id, 4);
  octets.writeUInt32BE(sequence, 12);
  return new Uint8Array(octets);
}

const query = (sequence: number, id: string, source = address("", 0, 0)) =>
  pdu(0x03, sequence, text(id), source);
const cancel = (sequence: number, id: string, source = SENDER, to = address("")) =>
  pdu(0x08, sequence, text(""), text(id), source, to);
const replace = (sequence: number, id: string, words: string) =>
  pdu(
    0x07,
    sequence,
    text(id),
    SENDER,
    text(""),
    text(""),
    Buffer.of(1, 0, words.length),
    Buffer.from(words),
  );

const statusOf = (frame: Buffer) => frame.readUInt32BE(8);
const bodyOf = (frame: Buffer) => frame.toString("latin1", 16);

/** Submits a text and gives the id that it was accepted under. */
async function accepted(link: Esme, to = "22670123456", sequence = 2): Promise<string> {
  link.write(submit(sequence, to));
  const [answer] = await link.until("submit_sm_resp");
  return answer?.messageId ?? "";
}

describe("query_sm", () => {
  test("tells that a message is under way", async () => {
    const clock = testClock();
    const { link } = await bound({ clock, quirks: { receiptDelayMs: 60_000 } });
    const id = await accepted(link);
    link.writeOctets(query(3, id));
    const before = await link.frame(0x8000_0003);
    expect([statusOf(before), bodyOf(before)]).toEqual([0, `${id}\0\0\x01\0`]);
  });

  test("tells the end of a message with its date", async () => {
    const { link } = await bound({ clock: testClock() });
    const id = await accepted(link);
    await link.until("deliver_sm");
    link.writeOctets(query(3, id, SENDER));
    expect(bodyOf(await link.frame(0x8000_0003))).toBe(`${id}\x00260302090000000+\0\x02\0`);
  });

  test.each([
    ["an id that nobody has", "77", SENDER],
    ["an id of another sender's", null, address("AUTRE", 5, 0)],
  ])("of %s is refused", async (_, id, source) => {
    const { link } = await bound();
    const own = await accepted(link);
    link.writeOctets(query(3, id ?? own, source));
    expect(statusOf(await link.frame(0x8000_0003))).toBe(0x0c);
  });

  test("on a link that is bound to receive only is refused", async () => {
    const { link } = await bound({}, "receiver");
    link.writeOctets(query(3, "1"));
    expect(statusOf(await link.frame(0x8000_0003))).toBe(0x04);
  });
});

describe("cancel_sm", () => {
  test("ends a message under way: it never reaches its handset, and its receipt says DELETED", async () => {
    const clock = testClock();
    const { smsc, link } = await bound({ clock, quirks: { receiptDelayMs: 60_000 } });
    const id = await accepted(link);
    link.writeOctets(cancel(3, id));
    expect(statusOf(await link.frame(0x8000_0008))).toBe(0);
    const [receipt] = await link.until("deliver_sm");
    expect(receiptText(receipt!.message)).toMatch(new RegExp(`^id:${id} .*stat:DELETED`));
    await clock.advance(60_000);
    expect(smsc.texts).toEqual([]);
    expect(link.received.filter(({ command }) => command === "deliver_sm").length).toBe(1);
    link.writeOctets(query(4, id));
    expect(bodyOf(await link.frame(0x8000_0003)).endsWith("+\0\x04\0")).toBe(true);
  });

  test("without an id ends every message between the two addresses, and no other", async () => {
    const clock = testClock();
    const { smsc, link } = await bound({ clock, quirks: { receiptDelayMs: 60_000 } });
    for (const [sequence, to] of [
      [2, "22670000001"],
      [3, "22670000001"],
      [4, "22670000002"],
    ] as const) {
      link.write(submit(sequence, to));
    }
    await link.until("submit_sm_resp", 3);
    link.writeOctets(cancel(5, "", SENDER, address("22670000001")));
    expect(statusOf(await link.frame(0x8000_0008))).toBe(0);
    await clock.advance(60_000);
    expect(smsc.texts.map(({ to }) => to)).toEqual(["22670000002"]);
  });

  test("of one that is over is refused, and so is one of nobody's", async () => {
    const { link } = await bound();
    const id = await accepted(link);
    await link.until("deliver_sm");
    link.writeOctets(cancel(3, id));
    expect(statusOf(await link.frame(0x8000_0008))).toBe(0x11);
    const { link: other } = await bound();
    other.writeOctets(cancel(3, "77"));
    expect(statusOf(await other.frame(0x8000_0008))).toBe(0x0c);
  });
});

describe("replace_sm", () => {
  test("gives a message under way another text", async () => {
    const clock = testClock();
    const { smsc, link } = await bound({ clock, quirks: { receiptDelayMs: 60_000 } });
    const id = await accepted(link);
    link.writeOctets(replace(3, id, "Bonsoir"));
    expect(statusOf(await link.frame(0x8000_0007))).toBe(0);
    await clock.advance(60_000);
    expect(smsc.texts.map(({ text: words }) => words)).toEqual(["Bonsoir"]);
  });

  test("of one that is over is refused", async () => {
    const { link } = await bound();
    const id = await accepted(link);
    await link.until("deliver_sm");
    link.writeOctets(replace(3, id, "Bonsoir"));
    expect(statusOf(await link.frame(0x8000_0007))).toBe(0x13);
  });
});

describe("submit_multi", () => {
  const words = Buffer.from("Bonjour");
  const multi = (sequence: number, destinations: Uint8Array[]) =>
    pdu(
      0x21,
      sequence,
      text(""),
      SENDER,
      Buffer.of(destinations.length),
      ...destinations,
      Buffer.of(0, 0, 0),
      text(""),
      text(""),
      Buffer.of(1, 0, 0, 0, words.length),
      words,
    );
  const to = (number: string) => Buffer.concat([Buffer.of(1), address(number)]);
  const list = (name: string) => Buffer.concat([Buffer.of(2), text(name)]);

  test("is a message to each number under one id, and its answer tells who was not taken and why", async () => {
    const { smsc, link } = await bound();
    link.writeOctets(multi(3, [to("22670000001"), to("22670099005"), list("LISTE"), to("22670000002")]));
    const answer = await link.frame(0x8000_0021);
    expect(statusOf(answer)).toBe(0);
    const [id = ""] = bodyOf(answer).split("\0");
    expect(id).not.toBe("");
    const unsuccessful = Buffer.concat([
      Buffer.of(2, 0, 0),
      text("LISTE"),
      Buffer.of(0, 0, 0, 0x34),
      address("22670099005"),
      Buffer.of(0, 0, 0, 0x0b),
    ]);
    expect(new Set(answer.subarray(16 + id.length + 1))).toEqual(new Set(unsuccessful));
    const receipts = await link.until("deliver_sm", 2);
    expect(receipts.map((one) => one.message.sourceAddr).sort()).toEqual(["22670000001", "22670000002"]);
    for (const receipt of receipts) expect(receiptText(receipt.message)).toContain(`id:${id} `);
    expect(smsc.texts.map((one) => one.text)).toEqual(["Bonjour", "Bonjour"]);
  });

  test("of which nobody is taken is refused as a whole", async () => {
    const { link } = await bound();
    link.writeOctets(multi(3, [to("22670099005")]));
    const answer = await link.frame(0x8000_0021);
    expect([statusOf(answer), answer.length]).toEqual([0x0b, 16]);
  });

  test("to nobody is refused", async () => {
    const { link } = await bound();
    link.writeOctets(multi(3, []));
    expect(statusOf(await link.frame(0x8000_0021))).toBe(0x33);
  });
});

test("data_sm is a message like another, answered with its id", async () => {
  const { smsc, link } = await bound();
  const sent = submit(3, "22670123456", {
    shortMessage: new Uint8Array(0),
    tlvs: { messagePayload: Buffer.from("Bonjour") },
  });
  link.write({ ...sent, command: "data_sm" } as typeof sent);
  const [answer] = await link.until("data_sm_resp");
  expect(answer).toMatchObject({ sequence: 3, status: 0 });
  expect(receiptText((await link.until("deliver_sm"))[0]!.message)).toContain(`id:${answer?.messageId} `);
  expect(smsc.texts.map((one) => one.text)).toEqual(["Bonjour"]);
});

test("alert_notification has no answer, and an operation that is cut short a generic_nack", async () => {
  const { smsc, link } = await bound();
  link.writeOctets(pdu(0x102, 3, address("22670123456"), address("3333")));
  link.writeOctets(pdu(0x03, 4, Buffer.from("no end")));
  expect(await link.until("generic_nack")).toMatchObject([{ sequence: 4, status: 0x02 }]);
  link.writeOctets(pdu(0x0001_0203, 5));
  expect(await link.until("generic_nack", 2)).toMatchObject([{ sequence: 4 }, { sequence: 5, status: 0x03 }]);
  expect(smsc.stats().broken).toEqual([
    { what: phrase("simulator.rule.operation_cut"), times: 1 },
    { what: said("a command that is not spoken here"), times: 1 },
  ]);
});
