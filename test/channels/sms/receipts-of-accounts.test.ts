import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyReceipt,
  applyUnmatchedReceipts,
  type ReceiptOutcome,
} from "../../../src/channels/sms/delivery-receipts.ts";
import { recordAccepted, recordRefused, recordUnanswered } from "../../../src/channels/sms/submit-results.ts";
import { readLastUnmatchedId } from "../../../src/channels/sms/unmatched-receipts.ts";
import { toUnansweredFact } from "../../../src/dispatch/attempt.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

/** Two SMSC accounts of one operator, which give their ids each for itself: the first in hexadecimal, with receipts in decimal. */
const FIRST = "faso@one.example.net:2775";
const SECOND = "faso@two.example.net:2775";
const NUMBER = "70000001";
const OTHER_NUMBER = "70000002";
const HEXADECIMAL = "100000E1";
const DECIMAL = "268435681";

let rig: Tenants;
let isStarted = false;
beforeEach(() => {
  rig = tenants(config);
  isStarted = false;
});
afterEach(() => rig.close());

/** From now on nothing is remembered of what was written before. */
const startAgain = (): void => {
  isStarted = true;
};

type Work<T> = (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => T;

function facts<T>(work: Work<T>): Promise<T> {
  return rig.store.write((writer) => {
    const tx = isStarted ? { ...writer } : writer;
    const session = openFacts(tx, rig.clock.nowMs());
    const result = work(session, tx);
    session.close();
    return result;
  });
}

/** A message to a number, claimed; its id. */
async function claimed(number = NUMBER): Promise<number> {
  const body = `Bonjour ${rig.count("messages")}`;
  const batchId = await rig.send(await rig.account(), "MARKETING", [number], { body });
  const messageId = rig.messagesOf(batchId)[0]!.id;
  await facts((session, tx) =>
    session.apply({ kind: "claimed", messageId, unmatchedBefore: readLastUnmatchedId(tx) }),
  );
  return messageId;
}

const departed = (messageId: number, account: string, number = NUMBER) => ({
  messageId,
  msisdn: `+226${number}`,
  parts: [1],
  operator: "orange",
  sentSegment: {
    attempt: 1,
    connection: 1,
    sequence: 7,
    writtenAtMs: rig.clock.nowMs(),
    pduParameters: "{}",
    account,
    route: "",
    unmatchedBefore: readLastUnmatchedId(rig.store.read),
  },
});

const accepted = (
  messageId: number,
  remoteId: string,
  account: string,
  left = departed(messageId, account),
) => facts((session, tx) => recordAccepted(tx, session, { ...left, remoteId, receipts: true }));

/** Of a message whose submit was noted without its account. */
const acceptedUnnoted = (messageId: number, remoteId: string) =>
  facts((session, tx) =>
    recordAccepted(tx, session, { messageId, parts: [1], operator: "orange", remoteId, receipts: true }),
  );

const unanswered = (messageId: number, account: string, number = NUMBER) =>
  facts((session, tx) => {
    const nowMs = rig.clock.nowMs();
    recordUnanswered(tx, session, departed(messageId, account, number), nowMs, nowMs);
    const message = { messageId, messageClass: "MARKETING", resends: 0, expiresAt: 0 } as const;
    session.apply(toUnansweredFact(message, config.delivery.unanswered, nowMs));
  });

const receipt = (id: string, account: string, isOnItsWay = false, msisdn = `226${NUMBER}`) =>
  facts((session, tx): ReceiptOutcome => {
    const plain = { id, errorCode: null, isMarked: true, text: null };
    const incoming = {
      operator: "orange",
      account,
      msisdn,
      receipt: isOnItsWay
        ? { ...plain, state: "PENDING" as const, rawStat: "ENROUTE" }
        : { ...plain, state: "DELIVERED" as const, rawStat: "DELIVRD" },
    };
    return applyReceipt(tx, session, incoming, rig.clock.nowMs());
  });

const statusOf = (messageId: number): string | undefined =>
  rig.store.read.get<{ status: string }>("SELECT status FROM messages WHERE id = ?", messageId)?.status;

describe("an id in a receipt is first one that its own SMSC account gave", () => {
  // Keeps: behaviour 6.127
  test("in another form as well, though another account gave exactly this one to a message that waits", async () => {
    const [ours, others] = [await claimed(), await claimed()];
    await accepted(ours, HEXADECIMAL, FIRST);
    await accepted(others, DECIMAL, SECOND);
    expect(await receipt(DECIMAL, FIRST)).toBe("matched");
    expect([statusOf(ours), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
    expect(await receipt(DECIMAL, SECOND)).toBe("matched");
    expect([statusOf(ours), statusOf(others)]).toEqual(["DELIVERED", "DELIVERED"]);
  });

  test("after another start as well: what left for which account stands in the database", async () => {
    const [ours, others] = [await claimed(), await claimed()];
    await accepted(ours, HEXADECIMAL, FIRST);
    await accepted(others, DECIMAL, SECOND);
    startAgain();
    expect(await receipt(DECIMAL, FIRST)).toBe("matched");
    expect([statusOf(ours), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
  });

  // Keeps: behaviour 6.127
  test("while its response is still to come, too: the receipt waits for it", async () => {
    const [before, ours, others] = [await claimed(), await claimed(), await claimed()];
    await accepted(before, "100000E0", FIRST);
    await accepted(others, DECIMAL, SECOND);
    const left = departed(ours, FIRST);
    expect(await receipt(DECIMAL, FIRST)).toBe("unmatched");
    await accepted(ours, HEXADECIMAL, FIRST, left);
    expect([statusOf(ours), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("while a submit that left for it is in doubt, too; with the doubt over it is the other account's", async () => {
    const [doubted, others] = [await claimed(), await claimed()];
    await accepted(others, DECIMAL, SECOND);
    await unanswered(doubted, FIRST);
    expect(await receipt(DECIMAL, FIRST)).toBe("unmatched");
    await facts((session, tx) => {
      const answer = { kind: "refused", commandStatus: 0x45, isLate: true } as const;
      recordRefused(tx, departed(doubted, FIRST), answer, rig.clock.nowMs());
      session.apply({
        kind: "refused",
        messageId: doubted,
        error: { code: "OPERATOR_REJECTED", operatorCode: "0x00000045" },
      });
      applyUnmatchedReceipts(tx, session, "orange", { id: "", msisdn: `+226${NUMBER}` });
    });
    expect([statusOf(doubted), statusOf(others)]).toEqual(["FAILED", "DELIVERED"]);
  });

  test("when a receipt brought it instead of a response, too", async () => {
    const others = await claimed();
    await unanswered(others, SECOND);
    expect(await receipt(DECIMAL, SECOND, true)).toBe("matched");
    expect(statusOf(others)).toBe("SENT");
    const ours = await claimed();
    await accepted(ours, HEXADECIMAL, FIRST);
    expect(await receipt(DECIMAL, FIRST)).toBe("matched");
    expect([statusOf(ours), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
  });
});

describe("a receipt that masks its number names no other account's message", () => {
  const masked = (id: string, account: string) => receipt(id, account, false, "2267000****");

  // Keeps: behaviour 6.127
  test("while a submit that left for its own is in doubt, to whatever number", async () => {
    const [others, doubted] = [await claimed(), await claimed(OTHER_NUMBER)];
    await accepted(others, "A1", SECOND);
    await unanswered(doubted, FIRST, OTHER_NUMBER);
    expect(await masked("A1", FIRST)).toBe("unmatched");
    expect(statusOf(others)).toBe("SENT");
    expect(await masked("A1", SECOND)).toBe("matched");
    expect(statusOf(others)).toBe("DELIVERED");
  });

  test("so that a late response that brings the id gives it to its own", async () => {
    const [others, doubted] = [await claimed(), await claimed(OTHER_NUMBER)];
    await accepted(others, "A1", SECOND);
    const left = departed(doubted, FIRST, OTHER_NUMBER);
    await unanswered(doubted, FIRST, OTHER_NUMBER);
    expect(await masked("A1", FIRST)).toBe("unmatched");
    await accepted(doubted, "A1", FIRST, left);
    expect([statusOf(doubted), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("but does where what is in doubt left for that other account", async () => {
    const [others, doubted] = [await claimed(), await claimed(OTHER_NUMBER)];
    await accepted(await claimed(OTHER_NUMBER), "A2", FIRST);
    await accepted(others, "A1", SECOND);
    await unanswered(doubted, SECOND, OTHER_NUMBER);
    expect(await masked("A1", FIRST)).toBe("matched");
    expect(statusOf(others)).toBe("DELIVERED");
  });
});

describe("where its own account gave no such id, a receipt is about what left for another of the operator's", () => {
  // Keeps: behaviour 6.127
  test("as where one account only receives", async () => {
    const [sent, underWay] = [await claimed(), await claimed()];
    await accepted(sent, HEXADECIMAL, FIRST);
    expect(await receipt(DECIMAL, SECOND)).toBe("matched");
    expect([statusOf(sent), statusOf(underWay)]).toEqual(["DELIVERED", "SUBMITTED"]);
  });

  test("as where accounts share their ids and their receipts", async () => {
    const [sent, other] = [await claimed(), await claimed()];
    await accepted(sent, "A1", FIRST);
    await accepted(other, "A2", SECOND);
    expect(await receipt("A1", SECOND)).toBe("matched");
    expect([statusOf(sent), statusOf(other)]).toEqual(["DELIVERED", "SENT"]);
  });

  test("a submit in doubt that left for that other account keeps nothing waiting", async () => {
    const [sent, other, doubted] = [await claimed(), await claimed(), await claimed()];
    await accepted(sent, "A1", FIRST);
    await accepted(other, "A2", SECOND);
    await unanswered(doubted, FIRST);
    expect(await receipt("A1", SECOND)).toBe("matched");
    expect(statusOf(sent)).toBe("DELIVERED");
  });
});

test("what left before accounts were noted may be a receipt's of each account", async () => {
  const [old, others] = [await claimed(), await claimed()];
  await acceptedUnnoted(old, "A1");
  await accepted(others, "A1", SECOND);
  expect(await receipt("A1", FIRST)).toBe("matched");
  expect([statusOf(old), statusOf(others)]).toEqual(["DELIVERED", "SENT"]);
});
