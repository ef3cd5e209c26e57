import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChargeOn } from "../../../src/core/money.ts";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { MOVES, STATUSES, type Status } from "../../../src/domain/messages/message-status.ts";
import { type AcceptedPart, decide, type MessageState } from "../../../src/domain/messages/transitions.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

/** docs/behaviour.md#states-of-a-message, and the late answer to a message that waits to be sent again. */
const DECIDED: Record<Status, Status[]> = {
  QUEUED: ["SUBMITTED", "SENT", "FAILED", "CANCELLED"],
  SUBMITTED: ["QUEUED", "SENT", "FAILED"],
  SENT: ["QUEUED", "DELIVERED", "FAILED"],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
};

const NOW = 1_000_000;

/** States nothing leaves. SENT can be final too: where no receipt can come, or none came. */
const isTerminal = (status: Status): boolean => MOVES[status].length === 0;

function state(status: Status, changes: Partial<MessageState> = {}): MessageState {
  const isFinal = isTerminal(status);
  return {
    status,
    isFinal,
    isMoneyClosed: isFinal,
    segments: 2,
    price: 15,
    excess: 0,
    amount: 0,
    notBefore: 0,
    routesTried: 0,
    attempts: 1,
    resends: 0,
    unansweredAt: null,
    unansweredUntil: null,
    errorCode: null,
    operatorCode: null,
    submittedAt: NOW - 5,
    sentAt: null,
    deliveredAt: null,
    finalizedAt: isFinal ? NOW - 1 : null,
    ...changes,
  };
}

const part = (number: number, partState: AcceptedPart["state"] = "SENT"): AcceptedPart => ({
  part: number,
  state: partState,
  remoteKey: `K${number}`,
  errorCode: partState === "FAILED" ? "ABSENT_SUBSCRIBER" : null,
  operatorCode: null,
  attempt: null,
});

/** Where a message of two segments can stand; its first segment was accepted in all but the fresh ones. */
const PLACES = {
  "QUEUED fresh": { before: state("QUEUED", { attempts: 0, submittedAt: null }), parts: [] },
  "QUEUED again": { before: state("QUEUED"), parts: [part(1)] },
  "QUEUED sent back": {
    before: state("QUEUED", { sentAt: NOW - 3 }),
    parts: [{ ...part(1, "FAILED"), errorCode: null }, part(2, "DELIVERED")],
  },
  SUBMITTED: { before: state("SUBMITTED"), parts: [part(1)] },
  "SUBMITTED, nothing accepted": { before: state("SUBMITTED"), parts: [] },
  "SUBMITTED unanswered": {
    before: state("SUBMITTED", { unansweredAt: NOW - 2, unansweredUntil: NOW }),
    parts: [part(1)],
  },
  SENT: { before: state("SENT", { sentAt: NOW - 3 }), parts: [part(1), part(2, "DELIVERED")] },
  "SENT for good": {
    before: state("SENT", { sentAt: NOW - 3, isFinal: true, isMoneyClosed: true, amount: 30 }),
    parts: [part(1), part(2, "DELIVERED")],
  },
  DELIVERED: { before: state("DELIVERED", { sentAt: NOW - 3, amount: 30 }), parts: [part(1), part(2)] },
  FAILED: { before: state("FAILED", { errorCode: "OPERATOR_REJECTED", amount: 15 }), parts: [part(1)] },
  CANCELLED: { before: state("CANCELLED", { errorCode: "CANCELLED" }), parts: [part(1)] },
} as const satisfies Record<string, { before: MessageState; parts: readonly AcceptedPart[] }>;

type Place = keyof typeof PLACES;
const PLACE_NAMES = Object.keys(PLACES) as Place[];

const FACTS = {
  claimed: facts.claimed(1),
  "not written": facts.notWritten(1),
  postponed: facts.postponed(1, NOW + 1000),
  "postponed, a resend": {
    kind: "postponed",
    messageId: 1,
    notBeforeMs: NOW,
    operatorCode: "0x58",
    isResend: true,
  },
  rerouted: {
    kind: "rerouted",
    messageId: 1,
    routesTried: 1,
    notBeforeMs: 0,
    operatorCode: null,
  },
  "last part accepted": facts.partAccepted(1, 2, "K9"),
  "last part accepted, no receipts": facts.partAccepted(1, 2, "K9", true),
  "known part accepted again": facts.partAccepted(1, 1, "K8"),
  refused: facts.refusedForGood(1),
  "unanswered, resend": facts.resendUnanswered(1),
  "unanswered, wait": facts.waitUnanswered(1, NOW + 5),
  "outcome unknown": facts.outcomeUnknown(1),
  "receipt delivered": facts.delivered(1, 1, "K1"),
  "receipt failed": facts.undelivered(1, 1, "K1"),
  "receipt pending": facts.pending(1, 1, "K1"),
  "sent back": facts.sentBack(1, 1, "K1", NOW + 1000),
  "receipt overdue": facts.receiptOverdue(1),
  "second over": { kind: "second_over", messageId: 1 },
  "given up": facts.givenUp(1),
  cancelled: facts.cancelled(1),
} as const satisfies Record<string, Fact>;

type FactName = keyof typeof FACTS;
const FACT_NAMES = Object.keys(FACTS) as FactName[];
const RULES: ChargeOn[] = ["accepted", "delivered"];

/** Every pair that moves a message, and where to; each pair that is not here leaves the status as it was. */
const EXPECTED: Record<Place, Partial<Record<FactName, Status>>> = {
  "QUEUED fresh": { claimed: "SUBMITTED", "given up": "FAILED", cancelled: "CANCELLED" },
  "QUEUED again": {
    claimed: "SUBMITTED",
    "last part accepted": "SENT",
    "last part accepted, no receipts": "SENT",
    refused: "FAILED",
    "given up": "FAILED",
    cancelled: "CANCELLED",
  },
  "QUEUED sent back": {
    claimed: "SUBMITTED",
    // No channel that sends back has a second part; what is lost of one part is lost of all.
    "last part accepted": "FAILED",
    "last part accepted, no receipts": "SENT",
    "known part accepted again": "SENT",
    "receipt delivered": "DELIVERED",
    refused: "FAILED",
    "given up": "FAILED",
    cancelled: "CANCELLED",
  },
  SUBMITTED: {
    "not written": "QUEUED",
    postponed: "QUEUED",
    "postponed, a resend": "QUEUED",
    "last part accepted": "SENT",
    "last part accepted, no receipts": "SENT",
    refused: "FAILED",
    "unanswered, resend": "QUEUED",
  },
  "SUBMITTED, nothing accepted": {
    "not written": "QUEUED",
    postponed: "QUEUED",
    "postponed, a resend": "QUEUED",
    rerouted: "QUEUED",
    refused: "FAILED",
    "unanswered, resend": "QUEUED",
  },
  "SUBMITTED unanswered": {
    "not written": "QUEUED",
    postponed: "QUEUED",
    "postponed, a resend": "QUEUED",
    "last part accepted": "SENT",
    "last part accepted, no receipts": "SENT",
    refused: "FAILED",
    "unanswered, resend": "QUEUED",
    "outcome unknown": "FAILED",
  },
  SENT: { "receipt delivered": "DELIVERED", "receipt failed": "FAILED", "sent back": "QUEUED" },
  "SENT for good": {},
  DELIVERED: {},
  FAILED: {},
  CANCELLED: {},
};

type Step = { place: Place; name: FactName; rule: ChargeOn; result: ReturnType<typeof decide> };

const ACCEPTED = { chargeOn: "accepted", cancelReason: null } as const;

/** Every pair there is, under both rules; a receipt needs a segment that was accepted. */
function everyStep(): Step[] {
  return PLACE_NAMES.flatMap((place) =>
    FACT_NAMES.filter((name) => FACTS[name].kind !== "receipt" || PLACES[place].parts.length > 0).flatMap(
      (name) =>
        RULES.map((rule) => {
          const { before, parts } = PLACES[place];
          return {
            place,
            name,
            rule,
            result: decide(before, parts, FACTS[name], { chargeOn: rule, cancelReason: null }, NOW),
          };
        }),
    ),
  );
}

/** The statuses a message goes through at one step, the first being where it stood. */
function pathOf({ place, result }: Step): Status[] {
  const { before } = PLACES[place];
  const path: Status[] = [before.status];
  // What was SENT before is not counted so again.
  const isBack = before.status === "QUEUED" && before.sentAt !== null;
  const again: Status[] = isBack && result.after.status === "DELIVERED" ? ["SENT"] : [];
  for (const next of [...again, ...result.reached, result.after.status])
    if (next !== path.at(-1)) path.push(next);
  return path;
}

describe("the table of moves", () => {
  // Keeps: behaviour 6.1
  test("is the decided one", () => {
    expect(MOVES).toEqual(DECIDED);
  });

  test("knows the states that nothing leaves", () => {
    expect(STATUSES.filter(isTerminal)).toEqual(["DELIVERED", "FAILED", "CANCELLED"]);
  });
});

describe("every status and every fact", () => {
  for (const place of PLACE_NAMES) {
    test(`${place}: each fact moves it as decided, or not at all`, () => {
      for (const step of everyStep().filter((each) => each.place === place)) {
        const expected = EXPECTED[place][step.name] ?? PLACES[place].before.status;
        expect([step.name, step.rule, step.result.after.status]).toEqual([step.name, step.rule, expected]);
      }
    });
  }

  test("no fact makes a move that is not in the table, not even on the way", () => {
    for (const step of everyStep()) {
      const path = pathOf(step);
      for (const [index, to] of path.slice(1).entries()) expect(MOVES[path[index]!]).toContain(to);
    }
  });

  test("every move of the table is made by some fact", () => {
    const made = new Set(everyStep().map((step) => pathOf(step).slice(0, 2).join(" → ")));
    for (const from of STATUSES) for (const to of MOVES[from]) expect(made).toContain(`${from} → ${to}`);
  });

  test("what is final keeps its status, error, money and times", () => {
    for (const { place, result } of everyStep()) {
      if (PLACES[place].before.isFinal) expect(result.after).toBe(PLACES[place].before);
    }
  });

  test("what ends has a moment of its end and its money squared; what doesn't has no such moment", () => {
    for (const { place, result } of everyStep()) {
      if (PLACES[place].before.isFinal) continue;
      const { isFinal, isMoneyClosed, finalizedAt } = result.after;
      expect(finalizedAt).toBe(isFinal ? NOW : null);
      if (isFinal) expect(isMoneyClosed).toBe(true);
    }
  });

  test("a wait for an answer is over as soon as the message moves", () => {
    for (const { place, result } of everyStep()) {
      const { status, unansweredAt, unansweredUntil } = result.after;
      if (status === PLACES[place].before.status) continue;
      expect([unansweredAt, unansweredUntil]).toEqual([null, null]);
    }
  });

  test("what was sent back and has arrived all the same is delivered, charged once, and was SENT before", () => {
    const { before, parts } = PLACES["QUEUED sent back"];
    const {
      after,
      reached,
      part: written,
    } = decide(before, parts, FACTS["receipt delivered"], ACCEPTED, NOW);
    expect(after).toMatchObject({ status: "DELIVERED", sentAt: NOW - 3, deliveredAt: NOW, amount: 30 });
    expect([reached, written?.state]).toEqual([["DELIVERED"], "DELIVERED"]);
  });

  test("a batch that was called off has nothing claimed", () => {
    const { before } = PLACES["QUEUED fresh"];
    const { after } = decide(before, [], FACTS.claimed, { ...ACCEPTED, cancelReason: "CANCELLED" }, NOW);
    expect(after).toBe(before);
  });

  test("a receipt that comes before the last response ends the message with that response", () => {
    const early = decide(
      PLACES.SUBMITTED.before,
      [part(1, "FAILED")],
      FACTS["last part accepted"],
      ACCEPTED,
      NOW,
    );
    expect(early.reached).toEqual(["SENT", "FAILED"]);
    expect(early.after).toMatchObject({ status: "FAILED", errorCode: "ABSENT_SUBSCRIBER", amount: 30 });
  });

  test("a receipt for a segment nobody knows is a bug", () => {
    expect(() => decide(PLACES.SENT.before, [part(1)], facts.delivered(1, 1, "K7"), ACCEPTED, NOW)).toThrow(
      "a receipt was matched to a part of its message",
    );
  });
});

describe("the table and the database", () => {
  let books: Books;
  let messageId: number;
  beforeEach(async () => {
    books = openBooks();
    const batch = await books.batch(await books.account(), { segments: [2] });
    messageId = batch.messages[0]!;
  });
  afterEach(() => books.close());

  /** Whether the database takes a message in this state; nothing of it stays. */
  const isTaken = async (message: MessageState): Promise<boolean> => {
    const undone = new Error("undone");
    const outcome = await books.store
      .write((tx) => {
        tx.run(
          `UPDATE messages SET status = ?, is_final = ?, is_money_closed = ?, amount = ?, unanswered_at = ?,
             unanswered_until = ? WHERE id = ?`,
          message.status,
          message.isFinal,
          message.isMoneyClosed,
          message.amount,
          message.unansweredAt,
          message.unansweredUntil,
          messageId,
        );
        throw undone;
      })
      .catch((error: unknown) => error);
    if (outcome !== undone && !String(outcome).includes("constraint")) throw outcome;
    return outcome === undone;
  };

  test("the database takes every state that a fact leads to", async () => {
    for (const { place, name, result } of everyStep()) {
      expect([place, name, await isTaken(result.after)]).toEqual([place, name, true]);
    }
  });

  test("the database refuses what the table does not allow, and only that", async () => {
    for (const status of STATUSES) {
      for (const isFinal of [false, true]) {
        for (const isMoneyClosed of [false, true]) {
          for (const unanswered of [null, NOW]) {
            const allowed =
              (!isTerminal(status) || isFinal) &&
              ((status !== "QUEUED" && status !== "SUBMITTED") || !isFinal) &&
              (!isFinal || isMoneyClosed) &&
              (unanswered === null || status === "SUBMITTED");
            const message = state(status, {
              isFinal,
              isMoneyClosed,
              unansweredAt: unanswered,
              unansweredUntil: unanswered,
            });
            const words = [status, isFinal, isMoneyClosed, unanswered];
            expect([...words, await isTaken(message)]).toEqual([...words, allowed]);
          }
        }
      }
    }
  });

  test("the database refuses a status the table does not have, and a charge above the reservation", async () => {
    expect(await isTaken({ ...state("SENT"), status: "LOST" as Status })).toBe(false);
    expect(await isTaken(state("SENT", { amount: 30 }))).toBe(true);
    expect(await isTaken(state("SENT", { amount: 31 }))).toBe(false);
    expect(await isTaken(state("SENT", { amount: -1 }))).toBe(false);
  });
});
