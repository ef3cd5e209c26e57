import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyReceipt, type ReceiptOutcome } from "../../../src/channels/sms/delivery-receipts.ts";
import type { Receipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import { numbersAgree } from "../../../src/channels/sms/receipt-keys.ts";
import { recordAccepted } from "../../../src/channels/sms/submit-results.ts";
import {
  dropOldUnmatchedReceipts,
  findUnmatchedReceipts,
  listUnmatchedReceipts,
  readLastUnmatchedId,
} from "../../../src/channels/sms/unmatched-receipts.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { type FactSession, openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
beforeEach(() => {
  rig = tenants(config);
});
afterEach(() => rig.close());

/** A batch whose messages were all claimed; their ids. */
async function claimed(numbers: readonly string[], body = "Bonjour"): Promise<number[]> {
  const batchId = await rig.send(await rig.account(), "OTP", numbers, { body });
  const ids = rig.messagesOf(batchId).map(({ id }) => id);
  await facts((session) => {
    for (const messageId of ids) session.apply({ kind: "claimed", messageId });
  });
  return ids;
}

function facts<T>(work: (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => T) {
  return rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    const result = work(session, tx);
    session.close();
    return result;
  });
}

function accepted(
  messageId: number,
  remoteId: string,
  parts: readonly number[] = [1],
  operatorCode = "orange",
) {
  return facts((session, tx) =>
    recordAccepted(tx, session, { messageId, parts, operator: operatorCode, remoteId, receipts: true }),
  );
}

function receipt(
  id: string | null,
  change: Partial<Receipt> = {},
  msisdn = "22670000001",
  operatorCode = "orange",
): Promise<ReceiptOutcome> {
  return facts((session, tx) => taken(tx, session, { id, ...change }, msisdn, operatorCode));
}

/** So many receipts of the same id in one transaction; what became of the last. */
function receipts(
  count: number,
  id: string | null,
  changeOpenAccount: (place: number) => Partial<Receipt> = () => ({}),
): Promise<ReceiptOutcome | null> {
  return facts((session, tx) => {
    let last: ReceiptOutcome | null = null;
    for (let each = 0; each < count; each++) {
      last = taken(tx, session, { id, ...changeOpenAccount(each) }, "22670000001", "orange");
    }
    return last;
  });
}

function taken(
  tx: Tx,
  session: FactSession,
  change: Partial<Receipt>,
  msisdn: string,
  operatorCode: string,
): ReceiptOutcome {
  const plain = { id: null, state: "DELIVERED", rawStat: "DELIVRD", errorCode: null, text: null } as const;
  const incoming = {
    operator: operatorCode,
    receipt: { ...plain, isMarked: true, ...change },
    msisdn,
  };
  return applyReceipt(tx, session, incoming, rig.clock.nowMs());
}

const statusOf = (number: string) => rig.message(number).status;

describe("a receipt finds its message", () => {
  // Keeps: behaviour 6.33, 6.34
  test("by the id exactly as it was given, whatever number the receipt names", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "A-1.b");
    expect(await receipt("A-1.b", {}, "ACME")).toBe("matched");
    expect(statusOf("70000001")).toBe("DELIVERED");
  });

  test.each([
    ["other letter case", "00b8be19", "00B8BE19"],
    ["leading zeros away", "00B8BE19", "B8BE19"],
    ["leading zeros added", "B8BE19", "000000B8BE19"],
    ["spaces around it", "12345", " 12345 "],
    ["hexadecimal told as decimal", "b8be19", "12107289"],
    ["decimal told as hexadecimal", "12107289", "B8BE19"],
    ["digits that are hexadecimal, told as decimal", "10", "16"],
    ["64 bits and beyond what a double holds", "18446744073709551615", "ffffffffffffffff"],
  ])("by a canonical form: %s", async (_, given, told) => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, given);
    expect(await receipt(told)).toBe("matched");
    expect(statusOf("70000001")).toBe("DELIVERED");
  });

  // Keeps: behaviour 6.34
  test("by a canonical form only when its number agrees", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "b8be19");
    expect(await receipt("12107289", {}, "22670000002")).toBe("unmatched");
    expect(statusOf("70000001")).toBe("SENT");
  });

  // Keeps: behaviour 6.34
  test("by a canonical form only when that names one message", async () => {
    const [first = 0] = await claimed(["70000001"], "one");
    const [second = 0] = await claimed(["70000001"], "two");
    await accepted(first, "10");
    await accepted(second, "16");
    const statuses = () => [1, 2].map((batchId) => rig.messagesOf(batchId)[0]?.status);
    // The first by its zeros, or the second told in hexadecimal.
    expect(await receipt("010")).toBe("unmatched");
    expect(statuses()).toEqual(["SENT", "SENT"]);
    // Exactly the second, though it could be the first told in decimal.
    expect(await receipt("16")).toBe("matched");
    expect(statuses()).toEqual(["SENT", "DELIVERED"]);
    // The first told in hexadecimal, and nobody else.
    expect(await receipt("a")).toBe("matched");
    expect(statuses()).toEqual(["DELIVERED", "DELIVERED"]);
  });

  test("the youngest of those whose number agrees, when the operator uses ids again", async () => {
    const [old = 0, other = 0, young = 0] = await claimed(["70000001", "70000002", "70000003"]);
    for (const id of [old, other, young]) await accepted(id, "7");
    expect(await receipt("7", {}, "22670000002")).toBe("matched");
    expect(statusOf("70000002")).toBe("DELIVERED");
    expect(await receipt("7", {}, "elsewhere")).toBe("matched");
    expect([statusOf("70000001"), statusOf("70000003")]).toEqual(["SENT", "DELIVERED"]);
  });

  test("of several to a number that wait under one id, by the sender it names, and else the youngest", async () => {
    const [old = 0] = await claimed(["70000001"], "one");
    const [young = 0] = await claimed(["70000001"], "two");
    await rig.store.write((tx) => tx.run("UPDATE batches SET sender = 'SHOP' WHERE id = 1"));
    for (const id of [old, young]) await accepted(id, "7");
    const statuses = () => [1, 2].map((batchId) => rig.messagesOf(batchId)[0]?.status);
    const toSender = (otherNumber: string, remoteId: string) =>
      facts((session, tx) =>
        applyReceipt(
          tx,
          session,
          {
            operator: "orange",
            receipt: {
              id: remoteId,
              state: "DELIVERED",
              rawStat: "DELIVRD",
              errorCode: null,
              text: null,
              isMarked: true,
            },
            msisdn: "22670000001",
            otherNumber,
          },
          rig.clock.nowMs(),
        ),
      );
    expect(await toSender("SHOP", "7")).toBe("matched");
    expect(statuses()).toEqual(["DELIVERED", "SENT"]);
    const [third = 0] = await claimed(["70000001"], "three");
    await accepted(third, "7");
    expect(await toSender("REWRITTEN", "7")).toBe("matched");
    expect([...statuses(), rig.messagesOf(3)[0]?.status]).toEqual(["DELIVERED", "SENT", "DELIVERED"]);
  });

  // Keeps: behaviour 6.33
  test("among the messages of its own operator", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "7");
    expect(await receipt("7", {}, "22670000001", "moov")).toBe("unmatched");
    expect(statusOf("70000001")).toBe("SENT");
  });

  test("or names none, can't be used, and is kept to be seen", async () => {
    const [id = 0] = await claimed(["70000001"]);
    expect(await receipt(null)).toBe("unusable");
    expect(rig.count("unmatched_receipts")).toBe(1);
    // An operator whose responses bring no id either.
    await accepted(id, "");
    expect(statusOf("70000001")).toBe("SENT");
    expect(rig.count("unmatched_receipts")).toBe(1);
  });
});

describe("an operator that uses its ids again", () => {
  test("never hits a message to another number", async () => {
    const [old = 0, young = 0] = await claimed(["70000001", "70000002"]);
    await accepted(old, "7");
    expect(await receipt("7", {}, "22670000002")).toBe("unmatched");
    expect(statusOf("70000001")).toBe("SENT");
    await accepted(young, "7");
    expect([statusOf("70000001"), statusOf("70000002")]).toEqual(["SENT", "DELIVERED"]);
  });

  test("while the response of the new message is due: its early receipt is not taken for the old one's", async () => {
    const [old = 0] = await claimed(["70000001"], "un");
    await accepted(old, "7");
    await receipt("7", { state: "EXPIRED", rawStat: "EXPIRED" });
    await rig.clock.advance(1000);
    const [young = 0] = await claimed(["70000001"], "deux");
    expect(await receipt("7")).toBe("unmatched");
    expect(rig.notes(old)).toEqual([]);
    await accepted(young, "7");
    expect([old, young].map((id) => rig.messagesOf(id)[0]?.status)).toEqual(["FAILED", "DELIVERED"]);
  });

  test("and doubles a receipt just then: it is the old one's again once the new message has another id", async () => {
    const [old = 0] = await claimed(["70000001"], "un");
    await accepted(old, "7");
    await receipt("7");
    await rig.clock.advance(1000);
    const [young = 0] = await claimed(["70000001"], "deux");
    expect(await receipt("7")).toBe("unmatched");
    await accepted(young, "8");
    expect([old, young].map((id) => rig.messagesOf(id)[0]?.status)).toEqual(["DELIVERED", "SENT"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("never settles a message with a receipt that came before it left", async () => {
    expect(await receipt("7")).toBe("unmatched");
    await rig.clock.advance(60_000);
    const [id = 0] = await claimed(["70000001"]);
    await facts((session, tx) =>
      recordAccepted(tx, session, {
        messageId: id,
        parts: [1],
        operator: "orange",
        remoteId: "7",
        receipts: true,
        sentSegment: {
          attempt: 1,
          connection: 1,
          sequence: 1,
          writtenAtMs: rig.clock.nowMs(),
          unmatchedBefore: readLastUnmatchedId(rig.store.read),
          pduParameters: "{}",
          account: "bendre@one.example.net:2775",
          route: "",
        },
      }),
    );
    expect(statusOf("70000001")).toBe("SENT");
  });
});

describe("the form of an operator's ids", () => {
  const sent = async (count: number, idOf: (index: number) => string): Promise<void> => {
    const numbers = Array.from({ length: count }, (_, index) => String(70_000_000 + index));
    const ids = await claimed(numbers);
    for (const [index, id] of ids.entries()) await accepted(id, idOf(index));
  };
  const forms = () =>
    rig.store.read.all<{ form: string; matches: number }>("SELECT form, matches FROM receipt_id_forms");

  test("is learnt from receipts that can be read in one way only, and survives in the database", async () => {
    await sent(30, (index) => (0xa0 + index).toString(16));
    for (let index = 0; index < 12; index++) {
      expect(await receipt(String(0xa0 + index), {}, `2267000${String(index).padStart(4, "0")}`)).toBe(
        "matched",
      );
    }
    expect(forms()).toEqual([{ form: "decimal", matches: 12 }]);
  });

  test("once learnt, tells apart two messages to one number that the receipt could mean", async () => {
    await sent(12, (index) => (0xa0 + index).toString(16));
    for (let index = 0; index < 12; index++) {
      await receipt(String(0xa0 + index), {}, `2267000${String(index).padStart(4, "0")}`);
    }
    const [one = 0] = await claimed(["70000099"], "un");
    const [two = 0] = await claimed(["70000099"], "deux");
    await accepted(one, "10");
    await accepted(two, "16");
    // 16 is the second exactly, and the first in decimal: this operator reports in decimal.
    expect(await receipt("16", {}, "22670000099")).toBe("matched");
    expect([2, 3].map((batchId) => rig.messagesOf(batchId)[0]?.status)).toEqual(["DELIVERED", "SENT"]);
  });

  test("is not asked of operators that keep to one: nothing is written for them", async () => {
    await sent(3, (index) => `00${index}`);
    for (let index = 0; index < 3; index++) await receipt(`00${index}`, {}, `2267000000${index}`);
    expect(forms()).toEqual([]);
  });
});

test("a receipt whose addresses were left as they were finds its message by the other one", async () => {
  const [id = 0] = await claimed(["70000001"]);
  await accepted(id, "b8be19");
  const outcome = await facts((session, tx) =>
    applyReceipt(
      tx,
      session,
      {
        operator: "orange",
        receipt: {
          id: "12107289",
          state: "DELIVERED",
          rawStat: "DELIVRD",
          errorCode: null,
          isMarked: true,
          text: null,
        },
        msisdn: "22625000000",
        otherNumber: "22670000001",
      },
      rig.clock.nowMs(),
    ),
  );
  expect(outcome).toBe("matched");
});

test.each([
  ["+22670000001", "22670000001", true],
  ["+22670000001", "70000001", true],
  ["+22670000001", "0022670000001", true],
  ["+22670000001", "+226 70 00 00 01", true],
  ["+22670000001", "22670000002", false],
  ["+22670000001", "0000001", false],
  ["+22670000001", "ACME", false],
  ["+22670000001", "", false],
])("%s and %s agree: %s", (ours, theirs, expected) => {
  expect(numbersAgree(ours, theirs)).toBe(expected);
});

describe("a receipt that comes before the response", () => {
  // Keeps: behaviour 6.32
  test("is parked and applied when the response brings the id", async () => {
    const [id = 0] = await claimed(["70000001"]);
    expect(await receipt("abc")).toBe("unmatched");
    expect(statusOf("70000001")).toBe("SUBMITTED");
    await accepted(id, "abc");
    expect(rig.message("70000001")).toMatchObject({ status: "DELIVERED", amount: 15 });
    expect(rig.count("unmatched_receipts")).toBe(0);
    expect(rig.batch(1)).toMatchObject({ sent: 1, delivered: 1, status: "SETTLED" });
  });

  test.each([
    ["12107289", "00b8be19"],
    ["B8BE19", "12107289"],
    ["000123", "123"],
  ])("as %s is applied to the id %s", async (told, given) => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt(told);
    await accepted(id, given);
    expect(statusOf("70000001")).toBe("DELIVERED");
  });

  test("for another number stays parked", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt("12107289", {}, "22670000002");
    await accepted(id, "b8be19");
    expect(statusOf("70000001")).toBe("SENT");
    expect(rig.count("unmatched_receipts")).toBe(1);
  });

  test("and names other numbers alone is not tried with each response under an id that is used again", async () => {
    for (let each = 100; each < 160; each++) await receipt("7", {}, `22670000${each}`);
    await receipt("7");
    await receipt("7", {}, "ACME");
    const tried = findUnmatchedReceipts(rig.store.read, ["orange"], { id: "7", msisdn: "+22670000001" });
    expect(tried.map(({ msisdn }) => msisdn)).toEqual(["22670000001", "ACME"]);
  });

  test("is listed with the newest first, whatever the ids look like", async () => {
    for (const id of ["9", "30", "200"]) await receipt(id);
    const listed = async (limit: number) =>
      (await listUnmatchedReceipts(rig.store.read, rig.clock, "orange", limit)).map((parked) => parked.id);
    expect(await listed(10)).toEqual(["200", "30", "9"]);
    expect(await listed(1)).toEqual(["200"]);
  });

  // Keeps: behaviour 5.10, 6.12
  test("of a message that failed tells why, and the message stays charged", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt("abc", { state: "UNDELIVERABLE", rawStat: "UNDELIV", errorCode: "027" });
    await accepted(id, "abc");
    expect(rig.message("70000001")).toMatchObject({
      status: "FAILED",
      error_code: "ABSENT_SUBSCRIBER",
      operator_code: "027",
      amount: 15,
    });
  });

  test("of every part of a long message waits for the last response", async () => {
    const [id = 0] = await claimed(["70000001"], "a".repeat(400));
    for (const part of ["p1", "p2", "p3"]) await receipt(part);
    await accepted(id, "p1", [1]);
    await accepted(id, "p2", [2]);
    expect(statusOf("70000001")).toBe("SUBMITTED");
    await accepted(id, "p3", [3]);
    expect(rig.message("70000001")).toMatchObject({ status: "DELIVERED", amount: 45 });
  });

  test("several for one id are applied in the order they came: the first final one wins", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt("abc", { state: "PENDING", rawStat: "ENROUTE" });
    await receipt("abc", { state: "EXPIRED", rawStat: "EXPIRED" });
    await receipt("abc");
    await accepted(id, "abc");
    expect(rig.message("70000001")).toMatchObject({ status: "FAILED", error_code: "EXPIRED_AT_OPERATOR" });
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("again and again is two rows, the first and the newest, and the first still wins", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt("abc");
    await receipt("abc", { state: "EXPIRED", rawStat: "EXPIRED" });
    expect(await receipts(300, "abc")).toBe("unmatched");
    expect(rig.count("unmatched_receipts")).toBe(3);
    await accepted(id, "abc");
    expect(statusOf("70000001")).toBe("DELIVERED");
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("that names no message at all is kept to be seen, the newest thousand", async () => {
    expect(await receipts(1_010, null, (each) => ({ rawStat: `STAT${each}` }))).toBe("unusable");
    expect(rig.count("unmatched_receipts")).toBe(1_000);
    const [newest] = await listUnmatchedReceipts(rig.store.read, rig.clock, null, 1);
    expect(newest?.rawStat).toBe("STAT1009");
  });

  // Keeps: behaviour 6.32
  test("is kept for 72 hours", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await receipt("abc");
    const drop = () => rig.store.write((tx) => dropOldUnmatchedReceipts(tx, rig.clock.nowMs()));
    await rig.clock.advance(72 * 3_600_000);
    expect(await drop()).toBe(0);
    await rig.clock.advance(1);
    expect(await drop()).toBe(1);
    await accepted(id, "abc");
    expect(statusOf("70000001")).toBe("SENT");
  });
});

describe("what a receipt says", () => {
  test("twice counts once", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "abc");
    await receipt("abc");
    const before = rig.message("70000001");
    expect(await receipt("abc")).toBe("matched");
    expect(rig.message("70000001")).toEqual(before);
    expect(rig.notes(id)).toEqual([]);
    expect(rig.batch(1)).toMatchObject({ delivered: 1, charged_amount: 15 });
  });

  // Keeps: behaviour 6.26
  test("first wins for status and money; the contradiction is in the timeline only", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "abc");
    await receipt("abc", { state: "EXPIRED", rawStat: "EXPIRED" });
    const before = rig.message("70000001");
    await receipt("abc");
    expect(rig.message("70000001")).toEqual(before);
    expect(before).toMatchObject({ status: "FAILED", amount: 15 });
    expect(rig.notes(id)).toEqual(["contradictory receipt: part 1 DELIVERED"]);
  });

  // Keeps: behaviour 6.22
  test("in words nobody knows is noted and waited on", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "abc");
    await receipt("abc", { state: "PENDING", rawStat: "PONDERING" });
    expect(rig.message("70000001")).toMatchObject({ status: "SENT", is_final: 0 });
    expect(rig.notes(id)).toEqual(["receipt: PONDERING"]);
    await receipt("abc");
    expect(statusOf("70000001")).toBe("DELIVERED");
  });

  // Keeps: behaviour 6.76
  test("again and again is counted in one row, and what is said in ever other words ends in one as well", async () => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "abc");
    await receipts(500, "abc", (each) => ({
      state: "PENDING",
      rawStat: each % 2 === 0 ? "ENROUTE" : "BUFFRED",
    }));
    expect(rig.count("message_notes")).toBe(2);
    await receipts(500, "abc", (each) => ({ state: "PENDING", rawStat: `WORD${each}` }));
    expect(rig.count("message_notes")).toBe(51);
    expect(rig.notes(id).at(-1)).toBe("more of it: notes that cannot be told apart");
    await receipt("abc");
    await receipts(500, "abc", () => ({ state: "EXPIRED", rawStat: "EXPIRED" }));
    expect(rig.count("message_notes")).toBe(51);
    expect(statusOf("70000001")).toBe("DELIVERED");
  });

  // Keeps: behaviour 6.21
  test.each([
    ["EXPIRED", null, "EXPIRED_AT_OPERATOR"],
    ["DELETED", null, "DELETED_AT_OPERATOR"],
    ["REJECTED", "013", "REJECTED_AT_OPERATOR"],
    ["UNDELIVERABLE", "001", "UNKNOWN_SUBSCRIBER"],
    ["UNDELIVERABLE", "0006", "ABSENT_SUBSCRIBER"],
    ["UNDELIVERABLE", "34", "NETWORK_ERROR"],
    ["UNDELIVERABLE", "21b", "UNDELIVERABLE"],
    ["FAILED", null, "UNDELIVERABLE"],
    ["SKIPPED", "000", "UNDELIVERABLE"],
  ] as const)("%s with the operator's code %s is %s", async (state, errorCode, expected) => {
    const [id = 0] = await claimed(["70000001"]);
    await accepted(id, "abc");
    await receipt("abc", { state, errorCode });
    expect(rig.message("70000001")).toMatchObject({
      status: "FAILED",
      error_code: expected,
      operator_code: errorCode,
    });
  });

  test("under one id for all parts of a long message is said of all of them", async () => {
    const [id = 0] = await claimed(["70000001"], "a".repeat(400));
    await accepted(id, "whole", [1, 2, 3]);
    await receipt("whole");
    expect(statusOf("70000001")).toBe("DELIVERED");
  });
});
