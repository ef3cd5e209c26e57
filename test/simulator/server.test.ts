import { afterEach, describe, expect, test } from "vitest";
import type { SmscOptions } from "../../src/simulator/server.ts";
import { COMMAND_IDS, decodePdu, encodePdu } from "../../src/smpp/pdu.ts";
import { ESM_RECEIPT, ESM_UDHI } from "../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../src/text/ucs2.ts";
import { concatenationHeader } from "../../src/text/udh.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { testClock } from "../kit/test-clock.ts";
import { type Esme, esme, receiptText, submit } from "./esme.ts";

const opened: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function operator(options: Partial<SmscOptions> = {}): Promise<TestSmsc> {
  const smsc = await testSmsc(options);
  opened.push(smsc.stop);
  return smsc;
}

async function client(smsc: TestSmsc): Promise<Esme> {
  const link = await esme(smsc.port);
  opened.push(link.close);
  return link;
}

async function bound(smsc: TestSmsc): Promise<Esme> {
  const link = await client(smsc);
  await link.bind();
  return link;
}

describe("binding", () => {
  test("anybody may bind when no user is named", async () => {
    const link = await client(await operator());
    expect(await link.bind()).toMatchObject({ status: 0, scInterfaceVersion: 0x34 });
  });

  test("a wrong password and an unknown system_id are told apart, and the link is closed", async () => {
    const smsc = await operator({ users: [{ systemId: "bendre", password: "secret" }] });
    const guesser = await client(smsc);
    expect(await guesser.bind("transceiver", "bendre", "guess")).toMatchObject({ status: 0x0e });
    await guesser.closed;
    const stranger = await client(smsc);
    expect(await stranger.bind("transceiver", "autre")).toMatchObject({ status: 0x0f });
    await stranger.closed;
    const user = await client(smsc);
    expect(await user.bind()).toMatchObject({ status: 0 });
  });

  test("a second bind on a link is refused and counted", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    expect(await link.bind("transmitter")).toMatchObject({ status: 0x05 });
    expect(smsc.stats().violations).toBe(1);
  });

  test("a submit before the bind, or on a receiver, is refused and counted", async () => {
    const smsc = await operator();
    const early = await client(smsc);
    early.write(submit(1, "22670123456"));
    expect(await early.until("submit_sm_resp")).toMatchObject([{ status: 0x04, messageId: null }]);
    const receiver = await client(smsc);
    await receiver.bind("receiver");
    receiver.write(submit(2, "22670123456"));
    expect(await receiver.until("submit_sm_resp")).toMatchObject([{ status: 0x04 }]);
    expect(smsc.stats()).toMatchObject({ violations: 2, refused: 2, accepted: 0 });
  });

  test("enquire_link and unbind are answered, and an unknown command is refused", async () => {
    const link = await bound(await operator());
    link.write({ command: "enquire_link", sequence: 7, status: 0 });
    expect(await link.until("enquire_link_resp")).toMatchObject([{ sequence: 7, status: 0 }]);
    link.writeOctets(Uint8Array.of(0, 0, 0, 16, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 8));
    expect(await link.until("generic_nack")).toMatchObject([{ sequence: 8, status: 0x03 }]);
    link.write({ command: "unbind", sequence: 9, status: 0 });
    expect(await link.until("unbind_resp")).toMatchObject([{ sequence: 9, status: 0 }]);
    await link.closed;
  });

  test("a link that never binds, and one that stays silent, are closed", async () => {
    const clock = testClock();
    const smsc = await operator({ clock });
    const mute = await client(smsc);
    const sleeper = await bound(smsc);
    await clock.advance(60_000);
    await mute.closed;
    await sleeper.until("enquire_link");
    await clock.advance(60_000);
    await sleeper.closed;
    await smsc.until(({ stats }) => stats().links === 0);
  });

  test("octets that make no PDU close the link", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    link.writeOctets(new Uint8Array(16).fill(0xff));
    await link.closed;
    expect(smsc.stats().violations).toBe(1);
  });
});

describe("a submit", () => {
  test("reaches the handset and is told by a receipt in text and parameters", async () => {
    const clock = testClock(Date.UTC(2026, 2, 2, 9, 5));
    const smsc = await operator({ clock, quirks: { receiptDelayMs: 120_000 } });
    const link = await bound(smsc);
    link.write(
      submit(2, "22670123456", { shortMessage: Buffer.from("Votre code est 1234, valable 5 minutes") }),
    );
    const [response] = await link.until("submit_sm_resp");
    expect(smsc.texts).toEqual([]);
    await clock.advance(60_000);
    link.write({ command: "enquire_link_resp", sequence: 1, status: 0 });
    await clock.advance(60_000);
    const [deliver] = await link.until("deliver_sm");
    const id = response?.messageId ?? "";
    expect(id).toMatch(/^\d+$/);
    expect(receiptText(deliver!.message)).toBe(
      `id:${id} sub:001 dlvrd:001 submit date:2603020905 done date:2603020907 stat:DELIVRD err:000 text:Votre code est 1234,`,
    );
    expect(deliver?.message).toMatchObject({
      esmClass: ESM_RECEIPT,
      sourceAddr: "22670123456",
      destinationAddr: "MAVOIX",
      tlvs: { receiptedMessageId: id, messageState: 2 },
    });
    expect(smsc.texts).toEqual([
      {
        from: "MAVOIX",
        to: "22670123456",
        parts: 1,
        alphabet: "GSM7",
        text: "Votre code est 1234, valable 5 minutes",
      },
    ]);
  });

  test("in parts shows as one text, whatever their order", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    const pieces = ["Où êtes-", "vous, ", "Aïcha ?"];
    for (const index of [2, 0, 1]) {
      const header = concatenationHeader({ reference: 9, total: 3, part: index + 1 });
      const octets = Buffer.concat([header, encodeUcs2(pieces[index] ?? "")]);
      link.write(
        submit(index + 2, "22670123456", { esmClass: ESM_UDHI, dataCoding: 8, shortMessage: octets }),
      );
    }
    await link.until("deliver_sm", 3);
    expect(smsc.texts).toMatchObject([{ parts: 3, alphabet: "UCS2", text: "Où êtes-vous, Aïcha ?" }]);
  });

  test("that breaks a rule is refused and counted", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    link.write(submit(2, "+22670123456"));
    link.write(submit(3, "22670123456", { sourceAddr: "" }));
    link.write(submit(4, "22670123456", { shortMessage: new Uint8Array(161) }));
    link.write(submit(5, "22670123456", { dataCoding: 8, shortMessage: new Uint8Array(142) }));
    link.write(submit(6, "22670123456", { sourceAddr: "TWELVELETTRS" }));
    const responses = await link.until("submit_sm_resp", 5);
    expect(responses.map(({ status }) => status)).toEqual([0x0b, 0x0a, 0x01, 0x01, 0x0a]);
    expect(smsc.stats()).toMatchObject({ submits: 5, refused: 5, violations: 5, texts: 0 });
  });

  test("is swallowed now and then: accepted, received, never answered", async () => {
    const smsc = await operator({ quirks: { swallowEvery: 2 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3, 4]) link.write(submit(sequence, `2267012345${sequence}`));
    const responses = await link.until("submit_sm_resp", 2);
    expect(responses.map(({ sequence }) => sequence)).toEqual([2, 4]);
    await link.until("deliver_sm", 3);
    expect(smsc.stats()).toMatchObject({ accepted: 3, unanswered: 1 });
  });

  test("is refused with the status asked for, with a body when asked for", async () => {
    const smsc = await operator({ quirks: { refusePercent: 100, refuseStatus: 0x400 } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    await link.until("submit_sm_resp");
    smsc.change({ refusalBody: true });
    link.write(submit(3, "22670123456"));
    const refusals = await link.until("submit_sm_resp", 2);
    expect(refusals).toMatchObject([
      { status: 0x400, messageId: null },
      { status: 0x400, messageId: "" },
    ]);
  });

  test("above the window is counted", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { windowCheck: 2, responseDelayMs: 10 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3, 4]) link.write(submit(sequence, "22670123456"));
    await smsc.until(({ stats }) => stats().submits === 3);
    expect(smsc.stats()).toMatchObject({ violations: 1, accepted: 3, mostUnansweredOnLink: 3 });
  });

  test("above the allowance of a second is throttled until the second is over", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { throttlePerSecond: 2 } });
    const link = await bound(smsc);
    for (const sequence of [2, 3, 4]) link.write(submit(sequence, "22670123456"));
    const first = await link.until("submit_sm_resp", 3);
    expect(first.map(({ status }) => status)).toEqual([0, 0, 0x58]);
    await clock.advance(1000);
    link.write(submit(5, "22670123456"));
    expect((await link.until("submit_sm_resp", 4)).at(3)?.status).toBe(0);
  });

  test("to 99012 costs the link once; its receipt comes to the next bind", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    link.write(submit(2, "22670199012"));
    await link.closed;
    const next = await bound(smsc);
    const [receipt] = await next.until("deliver_sm");
    expect(receiptText(receipt!.message)).toContain("stat:DELIVRD");
    expect(smsc.stats()).toMatchObject({ dropped: 1, accepted: 1, unanswered: 1 });
  });

  test("behind one that costs the link is never read", async () => {
    const smsc = await operator({ quirks: { dropAfter: 2 } });
    const link = await bound(smsc);
    const three = [2, 3, 4].map((sequence) => encodePdu(submit(sequence, "22670123456")));
    link.writeOctets(Buffer.concat(three));
    await link.closed;
    expect(smsc.stats()).toMatchObject({ submits: 2, accepted: 2, dropped: 1, unanswered: 1 });
  });

  test("gets its id in the format asked for", async () => {
    const smsc = await operator({ quirks: { idFormat: "hex_response_decimal_receipt" } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const [response] = await link.until("submit_sm_resp");
    const [receipt] = await link.until("deliver_sm");
    expect(receipt?.message.tlvs.receiptedMessageId).toBe(
      String(Number.parseInt(response?.messageId ?? "", 16)),
    );
  });
});

describe("receipts", () => {
  test("of a transmitter come to a receiver of the same system_id, never of another", async () => {
    const smsc = await operator();
    const transmitter = await client(smsc);
    await transmitter.bind("transmitter");
    const stranger = await client(smsc);
    await stranger.bind("receiver", "autre");
    transmitter.write(submit(2, "22670123456"));
    await transmitter.until("submit_sm_resp");
    expect(smsc.stats().receiptsWaiting).toBe(1);
    const receiver = await client(smsc);
    await receiver.bind("receiver");
    await receiver.until("deliver_sm");
    expect(stranger.received.filter(({ command }) => command === "deliver_sm")).toEqual([]);
  });

  test("that were not acknowledged are sent again at the next bind, acknowledged ones are not", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    for (const [sequence, to] of [
      [2, "22670000001"],
      [3, "22670000002"],
    ] as const) {
      link.write(submit(sequence, to));
    }
    const [first] = await link.until("deliver_sm", 2);
    link.write({ command: "deliver_sm_resp", sequence: first!.sequence, status: 0, messageId: "" });
    await smsc.until(({ stats }) => stats().receiptsAcknowledged === 1);
    smsc.dropLinks();
    await link.closed;
    const next = await bound(smsc);
    const [again] = await next.until("deliver_sm");
    expect(again?.message.sourceAddr).toBe("22670000002");
    next.write({ command: "deliver_sm_resp", sequence: again!.sequence, status: 0, messageId: "" });
    await smsc.until(({ stats }) => stats().receiptsWaiting === 0);
    expect(smsc.stats()).toMatchObject({ receiptsSent: 3, receiptsAcknowledged: 2 });
  });

  test("refused for the moment are sent again, refused for good are not", async () => {
    const clock = testClock();
    const smsc = await operator({ clock });
    const link = await bound(smsc);
    link.write(submit(2, "22670000001"));
    link.write(submit(3, "22670000002"));
    const [busy, refused] = await link.until("deliver_sm", 2);
    link.write({ command: "deliver_sm_resp", sequence: busy!.sequence, status: 0x14, messageId: "" });
    link.write({ command: "deliver_sm_resp", sequence: refused!.sequence, status: 0x65, messageId: "" });
    await smsc.until(({ stats }) => stats().receiptsAcknowledged === 2);
    await clock.advance(2000);
    const [, , again] = await link.until("deliver_sm", 3);
    expect(again?.message.sourceAddr).toBe("22670000001");
    await smsc.until(({ stats }) => stats().receiptsWaiting === 1);
  });

  test("may overtake their response", async () => {
    const smsc = await operator({ quirks: { receiptBeforeResponse: true } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    await link.until("submit_sm_resp");
    expect(link.received.map(({ command }) => command)).toEqual([
      "bind_transceiver_resp",
      "deliver_sm",
      "submit_sm_resp",
    ]);
  });

  test("may be text alone", async () => {
    const smsc = await operator({ quirks: { noTlvs: true } });
    const link = await client(smsc);
    expect(await link.bind()).toMatchObject({ scInterfaceVersion: null });
    link.write(submit(2, "22670123456"));
    expect((await link.until("deliver_sm"))[0]?.message.tlvs).toEqual({});
  });

  test("may come as data_sm, and are acknowledged all the same", async () => {
    const smsc = await operator({ quirks: { dataSmReceipts: true } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const [data] = await link.until("data_sm");
    link.write({ command: "data_sm_resp", sequence: data!.sequence, status: 0, messageId: "" });
    await smsc.until(({ stats }) => stats().receiptsAcknowledged === 1);
    smsc.sendMo("22670123456", "3333", "STOP");
    await link.until("deliver_sm");
    expect(smsc.stats().violations).toBe(0);
  });

  test("may come with others about what nobody sent", async () => {
    const smsc = await operator({ quirks: { strayReceipts: 2 } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const ids = (await link.until("deliver_sm", 3)).map(({ message }) => message.tlvs.receiptedMessageId);
    expect(new Set(ids).size).toBe(3);
    expect(ids.filter((id) => id?.startsWith("stray-")).length).toBe(2);
  });

  test("may come on another link than their submit, or on their own when there is no other", async () => {
    const smsc = await operator({ quirks: { receiptsElsewhere: true } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    await link.until("deliver_sm");
    const other = await bound(smsc);
    link.write(submit(3, "22670123457"));
    expect(await other.until("deliver_sm")).toMatchObject([{ message: { sourceAddr: "22670123457" } }]);
  });

  test("wait for their acknowledgement a hundred at a time, or as many as there are", async () => {
    for (const receiptWindow of [100, 0]) {
      const clock = testClock();
      const smsc = await operator({ clock, quirks: { receiptWindow, receiptDelayMs: 1_000 } });
      const link = await bound(smsc);
      for (let each = 0; each < 300; each++) link.write(submit(2 + each, "22670123456"));
      await link.until("submit_sm_resp", 300);
      await clock.advance(1_000);
      const atOnce = receiptWindow || 300;
      await link.until("deliver_sm", atOnce);
      expect(smsc.stats()).toMatchObject({ receiptsSent: atOnce, receiptsWaiting: 300 });
    }
  });

  test("that are not acknowledged in time come again, and a late acknowledgement is no violation", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { receiptAckTimeoutMs: 500 } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const [first] = await link.until("deliver_sm");
    await clock.advance(500);
    const [, again] = await link.until("deliver_sm", 2);
    for (const { sequence } of [first!, again!]) {
      link.write({ command: "deliver_sm_resp", sequence, status: 0, messageId: "" });
    }
    await smsc.until(({ stats }) => stats().receiptsAcknowledged === 2);
    expect(smsc.stats()).toMatchObject({ receiptsWaiting: 0, violations: 0 });
  });

  test("that are acknowledged late are not repeated for ever", async () => {
    const clock = testClock();
    const smsc = await operator({ clock, quirks: { receiptAckTimeoutMs: 500 } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const [first] = await link.until("deliver_sm");
    await clock.advance(500);
    link.write({ command: "deliver_sm_resp", sequence: first!.sequence, status: 0, messageId: "" });
    await smsc.until(({ stats }) => stats().receiptsAcknowledged === 1);
    await clock.advance(5_000);
    expect(smsc.stats().receiptsSent).toBe(2);
  });

  test("may follow an intermediate notification", async () => {
    const smsc = await operator({ quirks: { enrouteReceipts: true } });
    const link = await bound(smsc);
    link.write(submit(2, "22670123456"));
    const receipts = await link.until("deliver_sm", 2);
    expect(receipts.map(({ message }) => message.tlvs.messageState)).toEqual([1, 2]);
  });

  test("that nobody was sent are a violation when acknowledged", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    link.write({ command: "deliver_sm_resp", sequence: 99, status: 0, messageId: "" });
    await smsc.until(({ stats }) => stats().violations === 1);
  });
});

describe("a text from a handset", () => {
  test("comes as deliver_sm to whoever bound last", async () => {
    const smsc = await operator();
    expect(smsc.sendMo("22670123456", "3333", "STOP")).toBe(false);
    const link = await bound(smsc);
    expect(smsc.sendMo("22670123456", "3333", "STOP")).toBe(true);
    const [deliver] = await link.until("deliver_sm");
    expect(deliver?.message).toMatchObject({ esmClass: 0, dataCoding: 0, destinationAddr: "3333" });
    expect(receiptText(deliver!.message)).toBe("STOP");
  });

  test.each([
    ["ucs2_class", 0x19, encodeUcs2("STOP")],
    ["ucs2_as_default", 0x00, encodeUcs2("STOP")],
    ["ucs2_little_endian", 0x08, new Uint8Array(Buffer.from(encodeUcs2("\ufeffSTOP")).swap16())],
  ] as const)(
    "travels as %s where the operator codes it so",
    async (textCoding, dataCoding, shortMessage) => {
      const smsc = await operator({ quirks: { textCoding } });
      const link = await bound(smsc);
      smsc.sendMo("22670123456", "3333", "STOP");
      const [deliver] = await link.until("deliver_sm");
      expect(deliver?.message).toMatchObject({ dataCoding, shortMessage });
    },
  );

  test.each([
    ["national", "70123456"],
    ["double_zero", "0022670123456"],
  ] as const)(
    "comes from a number that is spelt %s and called international",
    async (numberSpelling, sourceAddr) => {
      const smsc = await operator({ quirks: { numberSpelling } });
      const link = await bound(smsc);
      smsc.sendMo("22670123456", "3333", "STOP");
      const [deliver] = await link.until("deliver_sm");
      expect(deliver?.message).toMatchObject({ sourceAddr, sourceAddrTon: 1 });
    },
  );

  test("has a broken optional parameter behind it where the operator writes one", async () => {
    const smsc = await operator({ quirks: { brokenParameters: true } });
    const link = await bound(smsc);
    smsc.sendMo("22670123456", "3333", "STOP");
    const [deliver] = await link.until("deliver_sm");
    expect(receiptText(deliver!.message)).toBe("STOP");
    expect(decodePdu(await link.frame(COMMAND_IDS.deliver_sm))).toMatchObject({ isBroken: true });
  });

  test("travels as UCS-2 when it has to", async () => {
    const smsc = await operator();
    const link = await bound(smsc);
    smsc.sendMo("22670123456", "3333", "ARRÊT");
    const [deliver] = await link.until("deliver_sm");
    expect(deliver?.message.dataCoding).toBe(8);
    expect(deliver?.message.shortMessage).toEqual(encodeUcs2("ARRÊT"));
  });
});

test("a stopped operator unbinds, closes every link and frees its port", async () => {
  const smsc = await testSmsc();
  const link = await esme(smsc.port);
  await link.bind();
  await smsc.stop();
  await link.closed;
  const next = await testSmsc({ port: smsc.port });
  expect(next.port).toBe(smsc.port);
  await next.stop();
});
