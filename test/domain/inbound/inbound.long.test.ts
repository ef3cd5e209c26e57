import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSenderReader } from "../../../src/admin/operations/msisdn.ts";
import { receivedText } from "../../../src/channels/sms/read-deliver-sm.ts";
import { approveSender, requestSender, senderByName } from "../../../src/domain/accounts/senders.ts";
import { isSuppressed, readSuppressions } from "../../../src/domain/accounts/suppressions.ts";
import {
  countIncompleteTexts,
  expireIncompleteTexts,
  type InboundRules,
  receiveInbound,
} from "../../../src/domain/inbound/inbound.ts";
import { forgetOldTexts, listTexts } from "../../../src/domain/inbound/inbound-texts.ts";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { recordOperatorRename, rememberAccounts } from "../../../src/domain/messages/operator-codes.ts";
import { type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";
import { encodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { encodeUcs2 } from "../../../src/text/ucs2.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(
  document({
    operators: {
      orange: operator({ prefixes: ["22670"], price: 15 }),
      moov: operator({ prefixes: ["22671"], price: 15 }),
    },
  }),
);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM = "22670000001";
const MSISDN = "+22670000001";

let rig: Tenants;
let rules: InboundRules;
beforeEach(() => {
  rig = tenants(config);
  rules = {
    alphabetOf: (_, connection) => (connection === 2 ? "latin1" : "gsm"),
    readNumber: createSenderReader(config),
    onKept: () => {},
  };
});
afterEach(() => rig.close());

const take = (fields: Partial<ShortMessage>, from = { operator: "orange", connection: 1 }) =>
  rig.store.write((tx) =>
    receiveInbound(
      tx,
      rules,
      from,
      receivedText(shortMessage({ sourceAddr: FROM, sourceAddrTon: 1, destinationAddr: "3210", ...fields })),
      rig.clock.nowMs(),
    ),
  );

const say = (text: string, fields: Partial<ShortMessage> = {}) =>
  take({ shortMessage: encodeGsm(text)!, ...fields });

const ALL = { operator: null, fromMs: 0, beforeId: null };
const kept = () => listTexts(rig.store.read, ALL, 100);
const texts = () => kept().map(({ text }) => text);

/** One part of a long text: 8-bit reference unless wide. */
const part = (reference: number, total: number, number: number, body: Uint8Array, wide = false) => ({
  esmClass: 0x40,
  shortMessage: Uint8Array.of(
    ...(wide
      ? [6, 8, 4, reference >> 8, reference & 255, total, number]
      : [5, 0, 3, reference, total, number]),
    ...body,
  ),
});

const tidy = () => expireIncompleteTexts(rig.store, rules, rig.clock.nowMs());

describe("an inbound text", () => {
  test("is kept with its sender's number, as it came and as E.164", async () => {
    expect(await say("Bonjour, où est mon colis ?")).toEqual({ kind: "kept", optedOut: false });
    expect(kept()).toMatchObject([
      {
        operator: "orange",
        source: "+22670000001",
        destination: "3210",
        msisdn: MSISDN,
        text: "Bonjour, où est mon colis ?",
        parts: 1,
        missing: 0,
        times: 1,
        keyword: null,
        optedOutOf: null,
      },
    ]);
  });

  test("is read in the default alphabet of the connection that brought it", async () => {
    const octets = new Uint8Array(Buffer.from("ça", "latin1"));
    await take({ shortMessage: octets }, { operator: "orange", connection: 2 });
    await take({ shortMessage: octets, dataCoding: 3 });
    expect(texts()).toEqual(["ça", "ça"]);
  });

  test("that is no text is kept as octets", async () => {
    await take({ shortMessage: Uint8Array.of(1, 2, 255), dataCoding: 4 });
    expect(kept()).toMatchObject([{ text: null, octets: Uint8Array.of(1, 2, 255) }]);
  });

  test("from a short code or a name has no number, and opts nobody out", async () => {
    await say("STOP", { sourceAddr: "Orange", sourceAddrTon: 5 });
    await say("STOP", { sourceAddr: "888", sourceAddrTon: 3 });
    expect(kept().map(({ msisdn }) => msisdn)).toEqual([null, null]);
    expect(rig.count("suppressions")).toBe(0);
  });

  test("in message_payload, and an empty one, are kept too", async () => {
    await take({ tlvs: { messagePayload: encodeGsm("par le bas")! } });
    await take({});
    expect(texts()).toEqual(["", "par le bas"]);
  });

  test("that comes again within the hour is counted, not doubled; a later one is another", async () => {
    await say("OUI");
    await rig.clock.advance(30_000);
    expect(await say("OUI")).toMatchObject({ kind: "again" });
    expect(kept()).toMatchObject([{ text: "OUI", times: 2 }]);
    await say("OUI", { sourceAddr: "22670000002" });
    await rig.clock.advance(2 * HOUR_MS);
    await say("OUI");
    expect(kept().map(({ times }) => times)).toEqual([1, 1, 2]);
  });

  test("is forgotten when it came before an instant, the oldest first, a step at a time", async () => {
    for (let number = 0; number < 150; number++) await say(`text ${number}`);
    const beforeMs = rig.clock.nowMs();
    await rig.clock.advance(1000);
    await say("later");
    const forget = () => rig.store.write((tx) => forgetOldTexts(tx, beforeMs + 1, 100));
    expect([await forget(), await forget(), await forget()]).toEqual([100, 50, 0]);
    expect(texts()).toEqual(["later"]);
  });
});

describe("a long inbound text", () => {
  test("is put together whatever the order of its parts, an escape or a surrogate pair cut in two", async () => {
    const octets = encodeGsm("prix 5 € net")!;
    const cut = octets.indexOf(0x1b) + 1;
    expect(await take(part(9, 2, 2, octets.slice(cut)))).toMatchObject({ kind: "part" });
    expect(kept()).toEqual([]);
    expect(await take(part(9, 2, 1, octets.slice(0, cut)))).toMatchObject({ kind: "kept" });
    const wide = encodeUcs2("ah 😀 oui");
    await take({ ...part(700, 2, 1, wide.slice(0, 8), true), dataCoding: 8 });
    await take({ ...part(700, 2, 2, wide.slice(8), true), dataCoding: 8 });
    expect(texts()).toEqual(["ah 😀 oui", "prix 5 € net"]);
    expect(kept()[0]).toMatchObject({ parts: 2, missing: 0 });
  });

  test("is put together by optional parameters as well", async () => {
    const sar = (number: number, text: string) =>
      say(text, { tlvs: { sarMsgRefNum: 5, sarTotalSegments: 3, sarSegmentSeqnum: number } });
    await sar(3, "trois");
    await sar(1, "un ");
    await sar(2, "deux ");
    expect(texts()).toEqual(["un deux trois"]);
  });

  test("takes no part twice, not even after it was whole", async () => {
    await take(part(9, 2, 1, encodeGsm("un ")!));
    await take(part(9, 2, 1, encodeGsm("un ")!));
    await take(part(9, 2, 2, encodeGsm("deux")!));
    await take(part(9, 2, 2, encodeGsm("deux")!));
    expect(texts()).toEqual(["un deux"]);
    expect(await countIncompleteTexts(rig.store.read, rig.clock, null)).toBe(0);
  });

  test("does not mix with another sender's, nor with the next text under its reference", async () => {
    await take(part(9, 2, 1, encodeGsm("un ")!));
    await take({ ...part(9, 2, 2, encodeGsm("autre")!), sourceAddr: "22670000002" });
    expect(await countIncompleteTexts(rig.store.read, rig.clock, "orange")).toBe(2);
    await take(part(9, 2, 1, encodeGsm("nouveau ")!));
    await take(part(9, 2, 2, encodeGsm("texte")!));
    expect(texts()).toEqual(["nouveau texte", "un  […] "]);
    await take(part(9, 2, 1, encodeGsm("encore ")!));
    await take(part(9, 2, 2, encodeGsm("un")!));
    expect(texts()[0]).toBe("encore un");
  });

  test("has at most 255 parts, each no longer than a short message: what says else is a text of its own", async () => {
    const endless = { sarMsgRefNum: 5, sarTotalSegments: 4_000_000_000 };
    for (let each = 1; each <= 3; each++) {
      await say(`endless ${each}`, { tlvs: { ...endless, sarSegmentSeqnum: each } });
    }
    const payload = Buffer.from("long ".repeat(10_000));
    await say("", {
      tlvs: { sarMsgRefNum: 6, sarTotalSegments: 255, sarSegmentSeqnum: 1, messagePayload: payload },
    });
    expect(await countIncompleteTexts(rig.store.read, rig.clock, null)).toBe(0);
    expect(texts().slice(1)).toEqual(["endless 3", "endless 2", "endless 1"]);
    expect(texts()[0]).toBe(payload.toString());
  });

  test("that waits is counted once among thousands of parts, of its operator alone", async () => {
    // Two parts of three each; every third text is whole for the table, and each has its place in the order of the key.
    await rig.store.write((tx) => {
      for (let each = 0; each < 1_501; each++) {
        for (const number of each % 7 === 0 ? [1] : [1, 2]) {
          tx.run(
            `INSERT INTO inbound_parts
               (operator, source, destination, reference, total, part, data_coding, octets, is_whole, received_at)
             VALUES ($operator, $source, '1234', 9, 3, $number, 0, x'', $isWhole, 0)`,
            {
              operator: each % 2 === 0 ? "moov" : "orange",
              source: `226700${each}`,
              number,
              isWhole: each % 3 === 0 ? 1 : 0,
            },
          );
        }
      }
    });
    const open = Array.from({ length: 1_501 }, (_, each) => each).filter((each) => each % 3 !== 0);
    const ofOrange = open.filter((each) => each % 2 === 1);
    const counted = (operator: string | null) => countIncompleteTexts(rig.store.read, rig.clock, operator);
    expect(await counted(null)).toBe(open.length);
    expect(await counted("orange")).toBe(ofOrange.length);
    expect(await counted("moov")).toBe(open.length - ofOrange.length);
    expect(await counted("telecel")).toBe(0);
  });

  test("that misses parts is kept as it is after a day, and says how many", async () => {
    await take(part(9, 4, 2, encodeGsm("deux ")!));
    await take(part(9, 4, 4, encodeGsm("quatre")!));
    await rig.clock.advance(DAY_MS);
    await tidy();
    expect(kept()).toEqual([]);
    await rig.clock.advance(1);
    await tidy();
    expect(kept()).toMatchObject([{ text: " […] deux  […] quatre", parts: 4, missing: 2 }]);
    expect(rig.count("inbound_parts")).toBe(0);
  });
});

describe("over an SMSC account that operators share, a subscriber's text comes by any session", () => {
  const moov = { operator: "moov", connection: 1 };
  const ofOne = ["orange", "moov"].map((code) => ({
    operator: code,
    account: "bendre@one.example.net:2775",
  }));
  beforeEach(() => rig.store.write((tx) => rememberAccounts(tx, ofOne, rig.clock.nowMs())));

  test("its parts by several: it is whole", async () => {
    await take(part(9, 2, 1, encodeGsm("un ")!));
    expect(await take(part(9, 2, 2, encodeGsm("deux")!), moov)).toMatchObject({ kind: "kept" });
    expect(kept()).toMatchObject([{ text: "un deux", operator: "moov", missing: 0 }]);
    expect(await countIncompleteTexts(rig.store.read, rig.clock, null)).toBe(0);
  });

  test("sent again by another: it is counted, not doubled", async () => {
    await say("OUI");
    expect(await take({ shortMessage: encodeGsm("OUI")! }, moov)).toMatchObject({ kind: "again" });
    expect(kept()).toMatchObject([{ text: "OUI", times: 2 }]);
  });

  test("STOP by another than the marketing left by: it is for the account that sent", async () => {
    const accountId = await rig.account();
    const batchId = await rig.send(accountId, "MARKETING", ["70000001"]);
    const claims = rig.messagesOf(batchId).map(({ id }) => ({ kind: "claimed" as const, messageId: id }));
    await rig.store.write((tx) => void applyFacts(tx, claims, rig.clock.nowMs()));
    await take({ shortMessage: encodeGsm("STOP")! }, moov);
    expect(isSuppressed(rig.store.read, accountId, MSISDN, "MARKETING")).toBe(true);
    expect(readSuppressions(rig.store.read, 0, "", 10)).toEqual([]);
  });
});

describe("an opt-out", () => {
  const listed = (accountId: number) => readSuppressions(rig.store.read, accountId, "", 10);
  /** Sends a number a text that left for the operator. */
  const sendTo = async (accountId: number, messageClass: "MARKETING" | "OTP", national = "70000001") => {
    const batchId = await rig.send(accountId, messageClass, [national]);
    const claims = rig.messagesOf(batchId).map(({ id }) => ({ kind: "claimed" as const, messageId: id }));
    await rig.store.write((tx) => void applyFacts(tx, claims, rig.clock.nowMs()));
  };
  const own = (accountId: number, name: string) =>
    rig.store.write((tx) => {
      requestSender(tx, accountId, name, 0);
      approveSender(tx, senderByName(tx, accountId, name)!.id);
    });

  // Keeps: behaviour 4.42
  test("to a short code is for every account that sent the number marketing through the operator in 30 days", async () => {
    const [recent, long, otp, elsewhere] = [
      await rig.account(),
      await rig.account(),
      await rig.account(),
      await rig.account(),
    ];
    await sendTo(long!, "MARKETING");
    await rig.clock.advance(30 * DAY_MS + 1);
    await sendTo(recent!, "MARKETING");
    await sendTo(otp!, "OTP");
    await sendTo(elsewhere!, "MARKETING", "71000001");
    expect(await say("Stop svp")).toEqual({ kind: "kept", optedOut: true });
    expect(listed(recent!)).toMatchObject([
      { msisdn: MSISDN, messageClass: "MARKETING", source: "KEYWORD", note: "STOP to 3210 through orange" },
    ]);
    for (const other of [long!, otp!, elsewhere!, 0]) expect(listed(other)).toEqual([]);
    expect(kept()[0]).toMatchObject({ keyword: "STOP" });
    expect(kept()[0]?.optedOutOf).toHaveLength(26);
  });

  // Keeps: behaviour 4.42
  test("is for an account that sent through the operator before it was given another code", async () => {
    const accountId = (await rig.account())!;
    await sendTo(accountId, "MARKETING");
    await rig.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'before'");
      recordOperatorRename(tx, "before", "orange", 1);
    });
    await say("STOP");
    expect(listed(accountId)).toMatchObject([{ msisdn: MSISDN, messageClass: "MARKETING" }]);
    expect(listed(0)).toEqual([]);
  });

  test.each([
    ["national, called international", "70000001", 1],
    ["national, called nothing", "70000001", 0],
    ["national", "70000001", 2],
    ["with 00, called international", "0022670000001", 1],
    ["with 00", "0022670000001", 0],
    ["international, called nothing", "22670000001", 0],
    ["international, called national", "22670000001", 2],
    ["with + and blanks, called international", "+226 70 00 00 01", 1],
    ["national with a zero, called international", "070000001", 1],
  ])("is heeded of a sender that the operator spells %s", async (_, sourceAddr, sourceAddrTon) => {
    await rig.account();
    expect(await say("STOP", { sourceAddr, sourceAddrTon })).toMatchObject({ optedOut: true });
    expect(listed(0)).toMatchObject([{ msisdn: MSISDN }]);
  });

  test("is heeded of a number of another country, and of none that is no number", async () => {
    await rig.account();
    await say("STOP", { sourceAddr: "33612345678", sourceAddrTon: 1 });
    await say("STOP", { sourceAddr: "33612345679", sourceAddrTon: 0 });
    for (const sourceAddr of ["888", "3210", "1234567", "99999999", "Orange"])
      for (const sourceAddrTon of [0, 1, 3]) await say("STOP", { sourceAddr, sourceAddrTon });
    expect(listed(0).map(({ msisdn }) => msisdn)).toEqual(["+33612345678", "+33612345679"]);
  });

  test("of a spelling that is a number of two countries is that of the subscriber of an operator here", async () => {
    // +70 000 001 is too short for a Russian number, +61 130 000 is an Australian one.
    const two = createSenderReader({
      defaults: { region: "BF" },
      operators: { moov: { prefixes: ["22661"] } },
    });
    expect(two("+61130000")).toBe("+22661130000");
    expect(createSenderReader({ defaults: { region: "BF" }, operators: {} })("+33612345678")).toBe(
      "+33612345678",
    );
  });

  const utf16 = (text: string) => encodeUcs2(text);
  const swapped = (text: string) => new Uint8Array(Buffer.from(utf16(text)).swap16());
  const text = "ARRÊT";
  const octetsBehind = (mark: readonly number[], octets: Uint8Array) => Uint8Array.of(...mark, ...octets);
  test.each([
    ["UCS-2", utf16(text), 0x08],
    ["UCS-2 of class 0", utf16(text), 0x18],
    ["UCS-2 of class 1", utf16(text), 0x19],
    ["UCS-2 of class 2", utf16(text), 0x1a],
    ["UCS-2 that is to be deleted", utf16(text), 0x48],
    ["UCS-2 of message waiting", utf16(text), 0xe0],
    ["UCS-2 under data_coding 0", utf16(text), 0x00],
    ["UCS-2 under data_coding 1", utf16(text), 0x01],
    ["UCS-2 under Latin-1", utf16(text), 0x03],
    ["UCS-2 behind its mark", octetsBehind([0xfe, 0xff], utf16(text)), 0x08],
    ["UCS-2 behind its mark under data_coding 0", octetsBehind([0xfe, 0xff], utf16(text)), 0x00],
    ["the low octet first, behind its mark", octetsBehind([0xff, 0xfe], swapped(text)), 0x08],
    ["the same of class 1", octetsBehind([0xff, 0xfe], swapped(text)), 0x19],
    ["the same under data_coding 0", octetsBehind([0xff, 0xfe], swapped(text)), 0x00],
    ["the low octet first, without a mark", swapped("STOP"), 0x08],
    ["GSM 7-bit that is to be deleted", encodeGsm("STOP")!, 0x40],
    ["GSM 7-bit of message waiting", encodeGsm("STOP")!, 0xd0],
  ])("is heeded in %s", async (_, octets, dataCoding) => {
    await rig.account();
    expect(await take({ shortMessage: octets, dataCoding })).toMatchObject({ optedOut: true });
    expect(kept()[0]!.text).toMatch(/^(ARRÊT|STOP)$/);
  });

  // Keeps: behaviour 4.43
  test("never stops OTP or TRANSACTIONAL", async () => {
    const accountId = await rig.account();
    await sendTo(accountId, "MARKETING");
    await say("STOP");
    const classes = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;
    expect(classes.map((one) => isSuppressed(rig.store.read, accountId, MSISDN, one))).toEqual([
      false,
      false,
      true,
    ]);
  });

  // Keeps: behaviour 4.42
  test("that nobody is meant by stands on the appliance-wide list", async () => {
    await rig.account();
    await say("ARRÊT".normalize("NFC"), { shortMessage: encodeUcs2("ARRÊT"), dataCoding: 8 });
    expect(listed(0)).toMatchObject([{ msisdn: MSISDN, messageClass: "MARKETING", source: "KEYWORD" }]);
    expect(kept()[0]).toMatchObject({ keyword: "ARRET", optedOutOf: "everywhere" });
  });

  // Keeps: behaviour 4.41
  test("to an account's own number is for that account, and of two that own it for the one that has sent", async () => {
    const [owner, other, marketer] = [await rig.account(), await rig.account(), await rig.account()];
    await own(owner!, "+22670009999");
    await own(other!, "22670009999");
    await sendTo(owner!, "OTP");
    await sendTo(marketer!, "MARKETING");
    await say("STOP", { destinationAddr: "22670009999" });
    expect([owner!, other!, marketer!, 0].map((id) => listed(id).length)).toEqual([1, 0, 0, 0]);
  });

  test("to an account's own number that has sent nothing lately is still for that account", async () => {
    const [owner, marketer] = [await rig.account(), await rig.account()];
    await own(owner!, "3210");
    await sendTo(marketer!, "MARKETING");
    await say("STOP");
    expect([owner!, marketer!, 0].map((id) => listed(id).length)).toEqual([1, 0, 0]);
  });

  test("to a sender that was not approved is nobody's own", async () => {
    const [squatter, marketer] = [await rig.account(), await rig.account()];
    await rig.store.write((tx) => requestSender(tx, squatter!, "3210", 0));
    await sendTo(marketer!, "MARKETING");
    await say("STOP");
    expect([squatter!, marketer!].map((id) => listed(id).length)).toEqual([0, 1]);
  });

  test("is recorded once, however often the operator sends it", async () => {
    await rig.account();
    await say("STOP");
    await say("STOP");
    expect(rig.count("suppressions")).toBe(1);
    const audit = rig.store.read.all<{ actor: string; action: string; subject: string }>(
      "SELECT actor, action, subject FROM audit_entries",
    );
    expect(audit).toEqual([{ actor: "recipient", action: "suppression add", subject: "everywhere" }]);
  });

  // Keeps: behaviour 4.40
  test("is not read into a sentence, nor into a text that is not whole", async () => {
    await rig.account();
    await say("Stop a la vente ambulante");
    await take(part(9, 2, 1, encodeGsm("STOP")!));
    await rig.clock.advance(DAY_MS + 1);
    await tidy();
    expect(rig.count("suppressions")).toBe(0);
  });
});
