/**
 * Random facts on random messages, applied through the one door to a real database and told again to a model that
 * knows only the decided rules (docs/behaviour.md sections 5 to 7). After every transaction both must agree.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Chance } from "../../../src/core/chance.ts";
import type { ChargeOn } from "../../../src/core/money.ts";
import { readWallet } from "../../../src/domain/ledger/wallet.ts";
import { postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import { cancelQueuedMessages, requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

const FUNDS = 1_000_000;
const COUNTED = ["submitted", "sent", "delivered", "failed", "cancelled"] as const;
type Counted = (typeof COUNTED)[number];

/** A message as the rules tell it, with none of the program's own words for it. */
type Told = {
  readonly id: number;
  readonly segments: number;
  readonly price: number;
  readonly rule: ChargeOn;
  status: "QUEUED" | "SUBMITTED" | "SENT" | "DELIVERED" | "FAILED" | "CANCELLED";
  isOver: boolean;
  isWaiting: boolean;
  isCalledOff: boolean;
  readonly reached: Set<Counted>;
  /** Per segment, the operator's ids and what their receipts said. */
  readonly ids: Map<number, Map<string, "none" | "delivered" | "failed">>;
  /** Null while its money is set aside. */
  charged: number | null;
};

function settleMoney(message: Told, charged: number): void {
  message.charged ??= charged;
}

function end(message: Told, status: Told["status"], reached: Counted | null): void {
  message.status = status;
  message.isOver = true;
  message.isWaiting = false;
  if (reached) message.reached.add(reached);
}

function failUnsent(message: Told): void {
  settleMoney(message, message.rule === "accepted" ? message.ids.size * message.price : 0);
  end(message, "FAILED", "failed");
}

function followReceipts(message: Told): void {
  if (message.status !== "SENT" || message.isOver) return;
  const perSegment = [...message.ids.values()].map((ids) => [...ids.values()]);
  const whole = message.segments * message.price;
  if (perSegment.some((said) => said.every((word) => word === "failed"))) {
    settleMoney(message, message.rule === "accepted" ? whole : 0);
    end(message, "FAILED", "failed");
  } else if (perSegment.every((said) => said.includes("delivered"))) {
    settleMoney(message, whole);
    end(message, "DELIVERED", "delivered");
  }
}

function tell(message: Told, fact: Fact): void {
  const back = () => {
    if (message.status !== "SUBMITTED") return;
    message.status = "QUEUED";
    message.isWaiting = false;
  };
  switch (fact.kind) {
    case "claimed":
      if (message.status !== "QUEUED" || message.isCalledOff) return;
      message.status = "SUBMITTED";
      message.reached.add("submitted");
      return;
    case "not_written":
    case "postponed":
      back();
      return;
    case "unanswered":
      if (fact.next === "resend") back();
      else if (message.status === "SUBMITTED") message.isWaiting = true;
      return;
    case "refused":
      if (message.status === "SUBMITTED") failUnsent(message);
      else if (message.status === "QUEUED" && message.reached.has("submitted")) failUnsent(message);
      return;
    case "outcome_unknown":
      if (message.status === "SUBMITTED" && message.isWaiting) failUnsent(message);
      return;
    case "given_up":
      if (message.status === "QUEUED") failUnsent(message);
      return;
    case "cancelled":
      if (message.status !== "QUEUED") return;
      settleMoney(message, message.rule === "accepted" ? message.ids.size * message.price : 0);
      end(message, "CANCELLED", "cancelled");
      return;
    case "part_accepted": {
      const ids = message.ids.get(fact.part) ?? new Map<string, "none">();
      if (ids.has(fact.remoteKey)) return;
      message.ids.set(fact.part, new Map(ids).set(fact.remoteKey, "none"));
      if (message.status !== "SUBMITTED" && message.status !== "QUEUED") return;
      if (message.ids.size < message.segments) return;
      message.status = "SENT";
      message.isWaiting = false;
      message.reached.add("sent");
      if (message.rule === "accepted" || fact.final) settleMoney(message, message.segments * message.price);
      if (fact.final) message.isOver = true;
      followReceipts(message);
      return;
    }
    case "receipt": {
      const ids = message.ids.get(fact.part);
      if (
        fact.verdict.kind === "pending" ||
        fact.verdict.kind === "again" ||
        ids?.get(fact.remoteKey) !== "none"
      )
        return;
      ids.set(fact.remoteKey, fact.verdict.kind);
      followReceipts(message);
      return;
    }
    case "receipt_overdue":
      if (message.status !== "SENT" || message.isOver) return;
      settleMoney(message, message.segments * message.price);
      end(message, "SENT", null);
      return;
  }
}

type ToldBatch = TestBatch & {
  readonly account: TestAccount;
  readonly told: Told[];
  isCancelling: boolean;
  status: "QUEUED" | "SENDING" | "SETTLED" | "CANCELLED";
};

/** What the messages of a batch make of it at the end of a transaction. */
function followMessages(batch: ToldBatch): void {
  if (batch.status === "SETTLED" || batch.status === "CANCELLED") return;
  const isMoneyClosed = batch.told.every((message) => message.charged !== null);
  if (batch.isCancelling) {
    if (isMoneyClosed) batch.status = "CANCELLED";
  } else if (isMoneyClosed && batch.told.every((message) => message.isOver)) batch.status = "SETTLED";
  else if (batch.told.some((message) => message.reached.has("submitted"))) batch.status = "SENDING";
}

let books: Books;
let batches: ToldBatch[];
beforeEach(() => {
  books = openBooks();
  batches = [];
});
afterEach(() => books.close());

async function newBatch(account: TestAccount, chance: Chance): Promise<void> {
  const rule: ChargeOn = chance.fraction() < 0.5 ? "accepted" : "delivered";
  const price = Math.floor(chance.fraction() * 20);
  const segments = Array.from({ length: 1 + Math.floor(chance.fraction() * 8) }, () =>
    Math.max(1, Math.floor(chance.fraction() * 4)),
  );
  const isStaged = chance.fraction() < 0.5;
  const batch = await books.batch(account, { segments, price, chargeOn: rule, isStaged });
  const told = batch.messages.map(
    (id, index): Told => ({
      id,
      segments: segments[index] ?? 1,
      price,
      rule,
      status: "QUEUED",
      isOver: false,
      isWaiting: false,
      isCalledOff: false,
      reached: new Set(),
      ids: new Map(),
      charged: null,
    }),
  );
  batches.push({ ...batch, account, told, isCancelling: false, status: "QUEUED" });
}

/** Anything that can be learnt of a message, whether or not it fits where the message stands. */
function anyFact(message: Told, chance: Chance): Fact {
  const { id } = message;
  const some = <T>(of: readonly T[]): T => of[Math.floor(chance.fraction() * of.length)]!;
  const known = [...message.ids].flatMap(([part, ids]) => [...ids.keys()].map((key) => ({ part, key })));
  const wasClaimed = message.reached.has("submitted");
  const part = 1 + Math.floor(chance.fraction() * message.segments);
  const key = `M${id}P${part}N${Math.floor(chance.fraction() * 3)}`;
  const draws: (() => Fact)[] = [
    () => facts.claimed(id),
    () => facts.claimed(id),
    () => facts.notWritten(id),
    () => facts.postponed(id, Math.floor(chance.fraction() * 1000)),
    () => facts.refusedForGood(id),
    () => facts.resendUnanswered(id),
    () => facts.waitUnanswered(id, 99),
    () => facts.outcomeUnknown(id),
    () => facts.receiptOverdue(id),
    () => (chance.fraction() < 0.3 ? facts.givenUp(id) : facts.claimed(id)),
    () => (chance.fraction() < 0.3 ? facts.cancelled(id) : facts.claimed(id)),
  ];
  if (wasClaimed) {
    const accept = () => facts.partAccepted(id, part, key, chance.fraction() < 0.05);
    draws.push(accept, accept, accept, accept, accept, accept);
  }
  if (known.length > 0) {
    const receipt = (make: typeof facts.delivered) => () => {
      const of = some(known);
      return make(id, of.part, of.key);
    };
    draws.push(receipt(facts.delivered), receipt(facts.delivered), receipt(facts.undelivered));
    draws.push(receipt(facts.pending));
  }
  return some(draws)();
}

type Remembered = { readonly counts: readonly number[]; readonly finals: readonly string[] };

/** What may only grow, and what may never change again. */
function remember(batch: ToldBatch): Remembered {
  const row = books.batchRow(batch.id);
  return {
    counts: [row.queued, ...COUNTED.map((name) => row[name]), row.charged_amount, row.released_amount],
    finals: batch.messages.map((id) => {
      const { is_final, is_money_closed, status, amount } = books.messageRow(id);
      return `${is_final ? status : ""} ${is_money_closed ? amount : ""}`;
    }),
  };
}

function checkRemembered(batch: ToldBatch, before: Remembered): void {
  const after = remember(batch);
  for (const [index, count] of before.counts.entries())
    expect(after.counts[index]!).toBeGreaterThanOrEqual(count);
  for (const [index, was] of before.finals.entries()) {
    const [status, amount] = was.split(" ");
    const [statusNow, amountNow] = (after.finals[index] ?? "").split(" ");
    if (status !== "") expect(statusNow).toBe(status!);
    if (amount !== "") expect(amountNow).toBe(amount!);
  }
}

/** The database against the model: every message, every batch. */
function checkBatch(batch: ToldBatch): void {
  for (const message of batch.told) {
    const row = books.messageRow(message.id);
    expect({
      id: row.id,
      status: row.status,
      isFinal: row.is_final === 1,
      charged: row.is_money_closed === 1 ? row.amount : null,
    }).toEqual({
      id: message.id,
      status: message.status,
      isFinal: message.isOver,
      charged: message.charged,
    });
  }
  const sum = (of: (message: Told) => number) =>
    batch.told.reduce((total, message) => total + of(message), 0);
  const row = books.batchRow(batch.id);
  expect(row.status).toBe(batch.status);
  for (const name of COUNTED) expect(row[name]).toBe(sum((message) => (message.reached.has(name) ? 1 : 0)));
  expect(row.queued).toBe(batch.told.length);
  expect(row.unfinished).toBe(sum((message) => (message.isOver ? 0 : 1)));
  expect(row.unclosed).toBe(sum((message) => (message.charged === null ? 1 : 0)));
  const squared = batch.told.filter((message) => message.charged !== null);
  const reservedOf = (message: Told) => message.segments * message.price;
  const charged = squared.reduce((total, message) => total + (message.charged ?? 0), 0);
  expect(row.reserved_amount).toBe(sum(reservedOf));
  expect(row.charged_amount).toBe(charged);
  expect(row.charged_amount + row.released_amount).toBe(
    squared.reduce((total, message) => total + reservedOf(message), 0),
  );
}

/** The wallet against the batches, and against the ledger with what is not folded yet. */
function checkWallet(account: TestAccount): void {
  const { funds, reserved } = readWallet(books.store.read, account.id);
  const rows = batches.filter((batch) => batch.account === account).map(({ id }) => books.batchRow(id));
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  expect(reserved).toBe(sum((row) => row.reserved_amount - row.charged_amount - row.released_amount));
  expect(funds + reserved).toBe(FUNDS - sum((row) => row.charged_amount));
  const booked = (book: string) =>
    books.store.read.get<{ n: number | null }>(
      `SELECT sum(amount * ((credit = ?1) - (debit = ?1))) AS n FROM ledger WHERE account_id = ?2`,
      book,
      account.id,
    )?.n ?? 0;
  expect(booked("FUNDS") + sum((row) => row.released_amount - row.posted_released)).toBe(funds);
  expect(booked("EARNED")).toBe(sum((row) => row.posted_charged));
  expect(booked("CASH") + booked("FUNDS") + booked("RESERVED") + booked("EARNED")).toBe(0);
}

function checkStamps(account: TestAccount): void {
  const own = books.store.read.all<{ stamp: number }>(
    "SELECT stamp_us AS stamp FROM messages WHERE account_id = ? AND stamp_us IS NOT NULL",
    account.id,
  );
  expect(new Set(own.map(({ stamp }) => stamp)).size).toBe(own.length);
}

describe("random facts in random order", () => {
  // Keeps: behaviour 5.17, 6.36, 6.42
  test.each(seeds(6))(
    "message by message, batch by batch and franc by franc, the books follow the rules (seed %d)",
    seeded(async (chance) => {
      const accounts = [await books.account({ funds: FUNDS }), await books.account({ funds: FUNDS })];
      for (let each = 0; each < 6; each++) await newBatch(accounts[each % 2]!, chance);
      for (let round = 0; round < 120; round++) {
        const before = batches.map(remember);
        if (chance.fraction() < 0.3) await books.clock.advance(1);
        const touched = batches.filter(() => chance.fraction() < 0.5);
        const learnt: Fact[] = [];
        for (const batch of touched) {
          for (let each = 0; each < 3; each++) {
            const message = batch.told[Math.floor(chance.fraction() * batch.told.length)]!;
            const fact = anyFact(message, chance);
            tell(message, fact);
            learnt.push(fact);
          }
        }
        await books.apply(...learnt);
        for (const batch of touched) followMessages(batch);
        const one = batches[Math.floor(chance.fraction() * batches.length)]!;
        if (chance.fraction() < 0.2)
          await books.store.write((tx) => postBatchMovements(tx, one.id, books.clock.nowMs()));
        if (chance.fraction() < 0.02 && (await callOffAll(one))) {
          for (const message of one.told) {
            message.isCalledOff = true;
            tell(message, facts.cancelled(message.id));
          }
          one.isCancelling = true;
          followMessages(one);
        }
        for (const [index, batch] of batches.entries()) {
          checkBatch(batch);
          checkRemembered(batch, before[index]!);
        }
        accounts.forEach(checkWallet);
        accounts.forEach(checkStamps);
      }
      await endEverything();
      for (const batch of batches) {
        checkBatch(batch);
        const row = books.batchRow(batch.id);
        expect(["SETTLED", "CANCELLED"]).toContain(row.status);
        expect(row.charged_amount + row.released_amount).toBe(row.reserved_amount);
        expect([row.posted_charged, row.posted_released]).toEqual([row.charged_amount, row.released_amount]);
      }
      for (const account of accounts) {
        checkWallet(account);
        expect(readWallet(books.store.read, account.id).reserved).toBe(0);
      }
    }),
  );
});

/** Calls a batch off and cancels what waits; false when it had ended. */
function callOffAll(batch: ToldBatch): Promise<boolean> {
  return books.store.write((tx) => {
    const nowMs = books.clock.nowMs();
    if (!requestCancellation(tx, batch.id, "CANCELLED", null, nowMs)) return false;
    cancelQueuedMessages(tx, { id: batch.id, reason: "CANCELLED" }, nowMs, 1000);
    return true;
  });
}

/** Time runs out for whatever is still open. */
async function endEverything(): Promise<void> {
  for (const batch of batches) {
    for (const message of batch.told) {
      const last = [
        facts.givenUp(message.id),
        facts.waitUnanswered(message.id, 1),
        facts.outcomeUnknown(message.id),
        facts.receiptOverdue(message.id),
      ];
      for (const fact of last) tell(message, fact);
      await books.apply(...last);
    }
    followMessages(batch);
  }
}
