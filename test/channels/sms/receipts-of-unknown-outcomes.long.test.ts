import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyReceipt,
  type ReceiptOutcome,
  textAgrees,
} from "../../../src/channels/sms/delivery-receipts.ts";
import type { Receipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import type { SentSegment } from "../../../src/channels/sms/sent-segments.ts";
import {
  expireUnknownOutcomes,
  recordAccepted,
  recordUnanswered,
  recoverClaim,
} from "../../../src/channels/sms/submit-results.ts";
import { readLastUnmatchedId } from "../../../src/channels/sms/unmatched-receipts.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { toUnansweredFact } from "../../../src/dispatch/attempt.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
const HOUR_MS = 3_600_000;

let rig: Tenants;
let accountId: number;
beforeEach(async () => {
  rig = tenants(config);
  accountId = await rig.account();
});
afterEach(() => rig.close());

type Work<T> = (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => T;

function facts<T>(work: Work<T>): Promise<T> {
  return rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    const result = work(session, tx);
    session.close();
    return result;
  });
}

/** A message that was claimed and handed to the operator; its id. */
async function claimed(
  number: string,
  { messageClass = "MARKETING" as MessageClass, body = "Bonjour Awa" } = {},
): Promise<number> {
  const batchId = await rig.send(accountId, messageClass, [number], { body });
  const messageId = rig.messagesOf(batchId)[0]!.id;
  await claim(messageId);
  return messageId;
}

const claim = (messageId: number) =>
  facts((session, tx) =>
    session.apply({ kind: "claimed", messageId, unmatchedBefore: readLastUnmatchedId(tx) }),
  );

const rowOf = (messageId: number) =>
  rig.store.read.get<{ msisdn: string; status: string; amount: number; error_code: string | null }>(
    "SELECT * FROM messages WHERE id = ?",
    messageId,
  )!;

const sentSegment = (attempt = 1): SentSegment => ({
  attempt,
  connection: 1,
  sequence: 7,
  writtenAtMs: rig.clock.nowMs(),
  unmatchedBefore: readLastUnmatchedId(rig.store.read),
  pduParameters: "{}",
  account: "bendre@one.example.net:2775",
  route: "",
});

/** Nobody answered the submits of these parts, and so the attempt ended. */
function unanswered(
  messageId: number,
  { messageClass = "MARKETING" as MessageClass, submits = [[1]], resends = 0 } = {},
) {
  const nowMs = rig.clock.nowMs();
  return facts((session, tx) => {
    for (const parts of submits) {
      const departed = { messageId, msisdn: rowOf(messageId).msisdn, parts, operator: "orange" };
      recordUnanswered(tx, session, { ...departed, sentSegment: sentSegment() }, nowMs, nowMs);
    }
    const message = { messageId, messageClass, resends, expiresAt: nowMs + HOUR_MS };
    session.apply(toUnansweredFact(message, config.delivery.unanswered, nowMs));
  });
}

function accepted(messageId: number, remoteId: string, parts = [1], isLate = false) {
  return facts((session, tx) =>
    recordAccepted(tx, session, {
      messageId,
      parts,
      operator: "orange",
      remoteId,
      receipts: true,
      sentSegment: sentSegment(),
      isLate,
    }),
  );
}

function receipt(id: string, change: Partial<Receipt> = {}, msisdn = "22670000001"): Promise<ReceiptOutcome> {
  const read: Receipt = {
    id,
    state: "DELIVERED",
    rawStat: "DELIVRD",
    errorCode: null,
    isMarked: true,
    text: null,
    ...change,
  };
  return facts((session, tx) =>
    applyReceipt(tx, session, { operator: "orange", receipt: read, msisdn }, rig.clock.nowMs()),
  );
}

describe("a receipt with an id that nobody gave", () => {
  test("settles the one message to its number that nobody answered: charged and delivered", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    expect(await receipt("X1")).toBe("matched");
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 15 });
    expect(rig.batch(1)).toMatchObject({ sent: 1, delivered: 1, status: "SETTLED", charged_amount: 15 });
    expect(rig.notes(id)).toEqual(["unanswered: waiting", "named by a receipt: X1"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
    // And a second one of it is the same one again.
    expect(await receipt("X1")).toBe("matched");
    expect(rig.batch(1).charged_amount).toBe(15);
  });

  test("that came while the answer was still waited for settles it when the wait is over, and it is not sent again", async () => {
    const id = await claimed("70000001", { messageClass: "OTP" });
    await rig.clock.advance(1000);
    expect(await receipt("X1")).toBe("unmatched");
    await rig.clock.advance(19_000);
    const nowMs = rig.clock.nowMs();
    await facts((session, tx) => {
      const departed = { messageId: id, msisdn: "+22670000001", parts: [1], operator: "orange" };
      recordUnanswered(tx, session, { ...departed, sentSegment: null }, nowMs - 20_000, nowMs);
      const message = { messageId: id, messageClass: "OTP", resends: 0, expiresAt: nowMs + HOUR_MS } as const;
      session.apply(toUnansweredFact(message, config.delivery.unanswered, nowMs));
    });
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 15, resends: 0 });
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("settles one that waits to be sent again, which then stays here", async () => {
    const id = await claimed("70000001", { messageClass: "OTP" });
    await unanswered(id, { messageClass: "OTP" });
    expect(rowOf(id).status).toBe("QUEUED");
    await receipt("X1");
    expect(rowOf(id).status).toBe("DELIVERED");
    const again = await claim(id);
    expect([again.from, again.to]).toEqual(["DELIVERED", "DELIVERED"]);
  });

  test("that says failed charges all the same: the operator had it", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await receipt("X1", { state: "UNDELIVERABLE", rawStat: "UNDELIV", errorCode: "001" });
    expect(rowOf(id)).toMatchObject({ status: "FAILED", error_code: "UNKNOWN_SUBSCRIBER", amount: 15 });
  });

  test("settles what a crash left in doubt", async () => {
    const id = await claimed("70000001");
    await recoverLeases(
      { store: rig.store, recoverClaim: recoverClaim(settingsHolder(config)) },
      rig.clock.nowMs(),
    );
    expect(await receipt("X1")).toBe("matched");
    expect(rowOf(id).status).toBe("DELIVERED");
  });

  test("that is parked when the process starts again settles what the crash left", async () => {
    const id = await claimed("70000001");
    await rig.clock.advance(10);
    expect(await receipt("X1")).toBe("unmatched");
    await recoverLeases(
      { store: rig.store, recoverClaim: recoverClaim(settingsHolder(config)) },
      rig.clock.nowMs(),
    );
    expect(rowOf(id).status).toBe("DELIVERED");
  });

  test("that was parked before the claim settles nothing of what a crash left, whatever the clock said", async () => {
    expect(await receipt("X1")).toBe("unmatched");
    const id = await claimed("70000001");
    await recoverLeases(
      { store: rig.store, recoverClaim: recoverClaim(settingsHolder(config)) },
      rig.clock.nowMs() - HOUR_MS,
    );
    expect(rowOf(id).status).toBe("SUBMITTED");
    expect(rig.count("unmatched_receipts")).toBe(1);
  });

  test("is noted only, once the wait is over and the money released", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await rig.clock.advance(24 * HOUR_MS);
    await expireUnknownOutcomes(rig.store, config, rig.clock.nowMs());
    expect(await receipt("X1")).toBe("matched");
    expect(rowOf(id)).toMatchObject({ status: "FAILED", error_code: "SUBMIT_OUTCOME_UNKNOWN", amount: 0 });
    expect(rig.notes(id).slice(-2)).toEqual([
      "accepted again: part 1 as X1",
      "receipt after the end: part 1 DELIVERED",
    ]);
  });

  test("is expected for 72 hours after the wait, not for ever", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await rig.clock.advance(96 * HOUR_MS + 1);
    while (await expireUnknownOutcomes(rig.store, config, rig.clock.nowMs()));
    expect(await receipt("X1")).toBe("unmatched");
    expect(rowOf(id).status).toBe("FAILED");
  });
});

describe("a receipt with an id that nobody gave settles nothing", () => {
  const settlesNothing = async (id: number, change: Partial<Receipt> = {}, msisdn = "22670000001") => {
    expect(await receipt("X1", change, msisdn)).toBe("unmatched");
    expect(rowOf(id).status).toBe("SUBMITTED");
  };

  test("when its number is another's, or none", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    for (const number of ["22670000002", "0000001", "ACME", ""]) await settlesNothing(id, {}, number);
  });

  test("when only its text makes it one: a subscriber may have typed it", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await settlesNothing(id, { isMarked: false });
  });

  test("when two messages to the number are in doubt", async () => {
    const id = await claimed("70000001", { body: "un" });
    await unanswered(id);
    const other = await claimed("70000001", { body: "deux" });
    await unanswered(other);
    await settlesNothing(id);
    expect(rowOf(other).status).toBe("SUBMITTED");
  });

  test("while another message to the number waits for its answer, and does when that has one", async () => {
    const id = await claimed("70000001", { body: "un" });
    await unanswered(id);
    const other = await claimed("70000001", { body: "deux" });
    await settlesNothing(id);
    await accepted(other, "Y2");
    expect([rowOf(id).status, rowOf(other).status]).toEqual(["DELIVERED", "SENT"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("when it came before the submit left", async () => {
    expect(await receipt("X1")).toBe("unmatched");
    await rig.clock.advance(1);
    const id = await claimed("70000001");
    await unanswered(id);
    expect(rowOf(id).status).toBe("SUBMITTED");
    expect(rig.count("unmatched_receipts")).toBe(1);
  });

  test("when its text is another message's", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await settlesNothing(id, { text: "Salut Issa, ca va" });
    expect(await receipt("X2", { text: "Bonjour Awa" })).toBe("matched");
  });

  test("when a message that ended in doubt lately may have been meant", async () => {
    const old = await claimed("70000001", { body: "un" });
    await unanswered(old);
    await rig.clock.advance(24 * HOUR_MS);
    await expireUnknownOutcomes(rig.store, config, rig.clock.nowMs());
    const id = await claimed("70000001", { body: "deux" });
    await unanswered(id);
    await settlesNothing(id);
    expect(rowOf(old).status).toBe("FAILED");
  });

  test("once its late answer came under another id", async () => {
    const id = await claimed("70000001");
    await unanswered(id);
    await accepted(id, "Y1", [1], true);
    expect(await receipt("X1")).toBe("unmatched");
    expect(rowOf(id).status).toBe("SENT");
  });
});

describe("of several messages or segments in doubt", () => {
  test("the receipt's text tells which message it is about", async () => {
    const one = await claimed("70000001", { body: "Votre code est 1234" });
    await unanswered(one);
    const two = await claimed("70000001", { body: "Votre colis est la" });
    await unanswered(two);
    expect(await receipt("X1", { text: "Votre colis est l" })).toBe("matched");
    expect([rowOf(one).status, rowOf(two).status]).toEqual(["SUBMITTED", "DELIVERED"]);
  });

  test("nothing tells, once they are too many to look at all of them", async () => {
    const ids: number[] = [];
    for (let each = 0; each < 13; each++) {
      ids.push(await claimed("70000001", { messageClass: "OTP", body: `Votre code est ${1000 + each}` }));
      await unanswered(ids.at(-1) ?? 0);
    }
    expect(await receipt("X1", { text: "Votre code est 1012" })).toBe("unmatched");
    expect(new Set(ids.map((id) => rowOf(id).status))).toEqual(new Set(["SUBMITTED"]));
    await accepted(ids[0] ?? 0, "Y1", [1], true);
    expect(rowOf(ids[12] ?? 0).status).toBe("DELIVERED");
  });

  test("each receipt takes one segment, and the message is delivered with the last", async () => {
    const id = await claimed("70000001", { body: "a".repeat(400) });
    await accepted(id, "P2", [2]);
    await unanswered(id, { submits: [[1], [3]] });
    await receipt("P2");
    await receipt("X1");
    expect(rowOf(id).status).toBe("SUBMITTED");
    await receipt("X3");
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 45 });
  });

  test("a receipt that may be either's waits, and is the other's when another receipt has told whose one is", async () => {
    const one = await claimed("70000001", { body: "Votre code est 1234" });
    await unanswered(one);
    const two = await claimed("70000001", { body: "Votre colis est la" });
    await unanswered(two);
    expect(await receipt("X1", { state: "EXPIRED", rawStat: "EXPIRED" })).toBe("unmatched");
    expect(await receipt("X2", { text: "Votre colis est l" })).toBe("matched");
    expect([rowOf(one).status, rowOf(two).status]).toEqual(["FAILED", "DELIVERED"]);
    expect(rig.count("unmatched_receipts")).toBe(0);
  });

  test("the receipt of a submit that carried all segments settles all of them", async () => {
    const id = await claimed("70000001", { body: "a".repeat(400) });
    await unanswered(id, { submits: [[1, 2, 3]] });
    await receipt("X1");
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 45 });
  });

  test("one that may be of a copy in parts settles no submit that carried all segments", async () => {
    const messageClass = "OTP";
    const id = await claimed("70000001", { messageClass, body: "a".repeat(300) });
    await unanswered(id, { messageClass, submits: [[1, 2]] });
    await claim(id);
    expect(await receipt("X1")).toBe("unmatched");
    await unanswered(id, { messageClass, submits: [[1]], resends: 1 });
    expect(await receipt("X2")).toBe("unmatched");
    expect(rowOf(id).status).not.toBe("DELIVERED");
  });

  test("one that may be of a segment still under way settles no other segment", async () => {
    const messageClass = "OTP";
    const id = await claimed("70000001", { messageClass, body: "a".repeat(300) });
    const nowMs = rig.clock.nowMs();
    const departed = { messageId: id, msisdn: "+22670000001", parts: [1], operator: "orange" };
    await facts((session, tx) =>
      recordUnanswered(tx, session, { ...departed, sentSegment: sentSegment() }, nowMs, nowMs),
    );
    expect(await receipt("X2")).toBe("unmatched");
  });

  test("one that a late response names for another segment leaves the first in doubt again", async () => {
    const id = await claimed("70000001", { body: "a".repeat(300) });
    await unanswered(id, { submits: [[1], [2]] });
    expect(await receipt("X2")).toBe("matched");
    await accepted(id, "X2", [2], true);
    expect(rig.store.read.all("SELECT part, smsc_id, state FROM parts WHERE message_id = ?", id)).toEqual([
      { part: 2, smsc_id: "X2", state: "DELIVERED" },
    ]);
    expect(rowOf(id).status).toBe("SUBMITTED");
    expect(await receipt("X1")).toBe("matched");
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 30 });
  });

  test("one that a late response names for another segment completes the text, where the first has an id of its own by then", async () => {
    const id = await claimed("70000001", { body: "a".repeat(300) });
    await unanswered(id, { submits: [[1], [2]] });
    expect(await receipt("X2")).toBe("matched");
    await accepted(id, "X1", [1], true);
    expect(rowOf(id).status).toBe("SUBMITTED");
    await accepted(id, "X2", [2], true);
    expect(rowOf(id).status).toBe("SENT");
    const inDoubt = "SELECT 1 FROM unaccepted_submits WHERE message_id = ? AND number_key IS NOT NULL";
    expect(rig.store.read.all(inDoubt, id)).toEqual([]);
    expect(await receipt("X1")).toBe("matched");
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 30 });
  });

  test("none settles a segment of a text that is submitted again, or was: two copies of one would pass for two segments", async () => {
    const messageClass = "TRANSACTIONAL";
    const id = await claimed("70000001", { messageClass, body: "a".repeat(300) });
    await unanswered(id, { messageClass, submits: [[1], [2]] });
    expect(rowOf(id).status).toBe("QUEUED");
    expect(await receipt("X1")).toBe("unmatched");
    await claim(id);
    await unanswered(id, { messageClass, submits: [[1], [2]], resends: 3 });
    expect(rowOf(id).status).toBe("SUBMITTED");
    expect(await receipt("X2")).toBe("unmatched");
    expect(rig.store.read.all("SELECT part FROM parts WHERE message_id = ?", id)).toEqual([]);
  });

  test("none settles the segment without an id while a copy of one that has its id is in doubt", async () => {
    const id = await claimed("70000001", { body: "a".repeat(300) });
    await unanswered(id, { submits: [[1], [2], [2]] });
    await accepted(id, "X2", [2]);
    expect(await receipt("Y2")).toBe("unmatched");
    expect(rowOf(id).status).toBe("SUBMITTED");
  });

  test("the first copy's receipt counts when the second was accepted under another id", async () => {
    const id = await claimed("70000001", { messageClass: "OTP" });
    await unanswered(id, { messageClass: "OTP" });
    await claim(id);
    await accepted(id, "Y1");
    expect(await receipt("X1")).toBe("matched");
    await receipt("Y1", { state: "EXPIRED", rawStat: "EXPIRED" });
    expect(rowOf(id)).toMatchObject({ status: "DELIVERED", amount: 15 });
  });
});

test.each([
  ["Bonjour Awa, votre co", "Bonjour Awa, votre commande", true],
  ["Re?u: 5 000 F", "Reçu: 5 000 F", true],
  ["Bonjour Issa", "Bonjour Awa", false],
  ["...", "Bonjour Awa", true],
  ["Bonjour Awa and more of it", "Bonjour Awa", true],
])("the text %s may be of %s: %s", (told, ours, expected) => {
  expect(textAgrees(told, ours)).toBe(expected);
});
