import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWallet } from "../../../src/domain/ledger/wallet.ts";
import { countOutcomes } from "../../../src/ops/alerts/delivery-rates.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
});
afterEach(() => books.close());

const wallet = () => {
  const { funds, reserved } = readWallet(books.store.read, account.id);
  return { funds, reserved };
};
const stampOf = (id: number) => books.messageRow(id).stamp_us;

describe("the door every fact comes through", () => {
  // Keeps: behaviour 5.10, 6.1, 6.2, 6.5, 6.11, 7.11, 7.16
  test("a message goes from the queue to delivered, its money with SENT, its counts one by one", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [2], price: 15 });
    const id = messages[0]!;
    expect(await books.apply(facts.claimed(id))).toEqual([
      { messageId: id, batchId, from: "QUEUED", to: "SUBMITTED", isFinal: false },
    ]);
    expect(books.batchRow(batchId)).toMatchObject({ status: "SENDING", submitted: 1, sent: 0 });
    await books.apply(facts.partAccepted(id, 1));
    expect(books.messageRow(id)).toMatchObject({ status: "SUBMITTED", amount: 0 });
    await books.apply(facts.partAccepted(id, 2));
    expect(books.messageRow(id)).toMatchObject({
      status: "SENT",
      amount: 30,
      is_money_closed: 1,
      is_final: 0,
    });
    expect(wallet()).toEqual({ funds: 970, reserved: 0 });
    await books.apply(facts.delivered(id, 1));
    expect(books.messageRow(id).status).toBe("SENT");
    await books.apply(facts.delivered(id, 2));
    expect(books.batchRow(batchId)).toMatchObject({
      status: "SETTLED",
      queued: 1,
      submitted: 1,
      sent: 1,
      delivered: 1,
      failed: 0,
      charged_amount: 30,
      released_amount: 0,
      ended_at: books.clock.nowMs(),
    });
  });

  test("of what is given up before it leaves nothing is told against its operator", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1, 1] });
    const [ours, theirs, throttled] = [messages[0]!, messages[1]!, messages[2]!];
    await books.apply(
      ...[facts.givenUp(ours, "SENDER_NOT_REGISTERED"), facts.claimed(theirs), facts.partAccepted(theirs)],
      ...[facts.undelivered(theirs), facts.givenUp(throttled, "OPERATOR_THROTTLED")],
    );
    expect([...countOutcomes(books.store.tally).values()]).toEqual([{ delivered: 0, failed: 2 }]);
  });

  // Keeps: behaviour 6.10
  test("a receipt that came although no response did passes through SENT, counted and charged, in one go", async () => {
    const { id: batchId, messages } = await books.batch(account);
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.partAccepted(id), facts.delivered(id));
    expect(books.batchRow(batchId)).toMatchObject({
      submitted: 1,
      sent: 1,
      delivered: 1,
      charged_amount: 15,
    });
  });

  // Keeps: behaviour 6.26
  test("a late receipt never moves a delivered message back, and is kept in its timeline", async () => {
    const { messages } = await books.batch(account, { segments: [1] });
    const id = messages[0]!;
    await books.apply(
      facts.claimed(id),
      facts.partAccepted(id, 1, "A"),
      facts.partAccepted(id, 1, "B"),
      facts.delivered(id, 1, "A"),
    );
    const before = books.messageRow(id);
    await books.apply(facts.undelivered(id, 1, "A"), facts.undelivered(id, 1, "B"));
    expect(books.messageRow(id)).toEqual(before);
    expect(books.notes(id)).toEqual([
      "accepted again: part 1 as B",
      "contradictory receipt: part 1 FAILED",
      "receipt after the end: part 1 FAILED",
    ]);
  });

  test("only the segments that were taken are charged when the others are refused for good", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [3], price: 10 });
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.partAccepted(id, 1), facts.partAccepted(id, 3));
    await books.apply(facts.refusedForGood(id));
    expect(books.messageRow(id)).toMatchObject({
      status: "FAILED",
      amount: 20,
      error_code: "OPERATOR_REJECTED",
    });
    expect(books.batchRow(batchId)).toMatchObject({
      charged_amount: 20,
      released_amount: 10,
      status: "SETTLED",
    });
    expect(wallet()).toEqual({ funds: 980, reserved: 0 });
  });

  // Keeps: behaviour 5.12
  test("with charge_on delivered, nothing is charged before delivery, and a failure releases all", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1], price: 10, chargeOn: "delivered" });
    const [one, other] = [messages[0]!, messages[1]!];
    await books.apply(
      facts.claimed(one),
      facts.partAccepted(one),
      facts.claimed(other),
      facts.partAccepted(other),
    );
    expect(wallet()).toEqual({ funds: 980, reserved: 20 });
    await books.apply(facts.delivered(one), facts.undelivered(other));
    expect(wallet()).toEqual({ funds: 990, reserved: 0 });
  });

  // Keeps: behaviour 6.42
  test("money that was charged is not decided anew when the message fails, not even by another rule", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [2], price: 10 });
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.partAccepted(id, 1), facts.partAccepted(id, 2));
    await books.store.write((tx) => tx.run("UPDATE batches SET charge_on = 'delivered'"));
    await books.apply(facts.undelivered(id, 1));
    expect(books.messageRow(id)).toMatchObject({ status: "FAILED", amount: 20, is_money_closed: 1 });
    expect(books.batchRow(batchId)).toMatchObject({ charged_amount: 20, released_amount: 0 });
    expect(wallet()).toEqual({ funds: 980, reserved: 0 });
  });

  test("a message that is claimed again is counted as submitted once", async () => {
    const { id: batchId, messages } = await books.batch(account);
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.notWritten(id), facts.claimed(id), facts.postponed(id, 9));
    await books.apply(facts.claimed(id), facts.resendUnanswered(id));
    expect(books.batchRow(batchId).submitted).toBe(1);
    expect(books.messageRow(id)).toMatchObject({ attempts: 3, resends: 1, not_before: 0, status: "QUEUED" });
  });

  test("the late answer to a message that waits to be sent again settles it", async () => {
    const { messages } = await books.batch(account);
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.resendUnanswered(id), facts.partAccepted(id));
    expect(books.messageRow(id)).toMatchObject({ status: "SENT", amount: 15 });
    expect(await books.apply(facts.claimed(id))).toMatchObject([{ from: "SENT", to: "SENT" }]);
  });

  test("an unanswered message waits, and then is given up and released", async () => {
    const { id: batchId, messages } = await books.batch(account);
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.waitUnanswered(id, books.clock.nowMs() + 5));
    await books.apply(facts.outcomeUnknown(id));
    expect(books.messageRow(id)).toMatchObject({
      status: "FAILED",
      error_code: "SUBMIT_OUTCOME_UNKNOWN",
      amount: 0,
    });
    expect(books.batchRow(batchId)).toMatchObject({ status: "SETTLED", released_amount: 15 });
  });

  test("a message whose receipt never came stays SENT, final, and says so", async () => {
    const { id: batchId, messages } = await books.batch(account);
    const id = messages[0]!;
    await books.apply(
      facts.claimed(id),
      facts.partAccepted(id),
      facts.receiptOverdue(id),
      facts.delivered(id),
    );
    expect(books.messageRow(id)).toMatchObject({
      status: "SENT",
      is_final: 1,
      error_code: "RECEIPT_NOT_RECEIVED",
    });
    expect(books.batchRow(batchId)).toMatchObject({ status: "SETTLED", delivered: 0, sent: 1 });
    expect(books.notes(id)).toEqual(["receipt after the end: part 1 DELIVERED"]);
  });

  test("the same response twice is one part; a fact that no longer fits changes neither row nor stamp", async () => {
    const { messages } = await books.batch(account, { segments: [2] });
    const id = messages[0]!;
    await books.apply(facts.claimed(id), facts.partAccepted(id, 1));
    const before = books.messageRow(id);
    await books.apply(
      facts.claimed(id),
      facts.partAccepted(id, 1),
      facts.outcomeUnknown(id),
      facts.givenUp(id),
      facts.cancelled(id),
      facts.receiptOverdue(id),
      facts.pending(id, 1),
    );
    expect(books.messageRow(id)).toEqual(before);
    expect(books.store.read.all("SELECT part FROM parts")).toEqual([{ part: 1 }]);
  });

  test("each change takes the next stamp of the account, in the order of the facts", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1] });
    const [one, other] = [messages[0]!, messages[1]!];
    await books.apply(facts.claimed(other), facts.claimed(one));
    expect(stampOf(one)).toBe(stampOf(other)! + 1);
    await books.apply(facts.notWritten(other));
    expect(stampOf(other)).toBe(stampOf(one)! + 1);
  });

  test("a fact about a message that does not exist is a bug, and its neighbours in the transaction leave nothing", async () => {
    const { messages } = await books.batch(account);
    const id = messages[0]!;
    const applied = books.apply(facts.claimed(id), facts.claimed(9999));
    expect(await applied.catch((error: Error) => error.message)).toBe("message 9999 exists");
    expect(books.messageRow(id).status).toBe("QUEUED");
  });
});
