import { describe, expect, test } from "vitest";
import {
  cutIntoRuns,
  MESSAGES_A_RUN,
  type PlanInput,
  type Planned,
  planner,
} from "../../../src/domain/submission/expand-recipients.ts";
import type { OperatorRoute } from "../../../src/domain/submission/intake-channel.ts";
import type { RequestRecipient } from "../../../src/domain/submission/recipients.ts";
import { smsTexts } from "../../../src/domain/submission/sms-intake.ts";
import { testClock } from "../../kit/test-clock.ts";

const ROUTES: Readonly<Record<string, OperatorRoute>> = {
  orange: { price: 15, maxSegments: 2 },
  moov: { price: 20, maxSegments: 255 },
};

function owner(digits: string): string | null {
  if (digits.startsWith("22670")) return "orange";
  if (digits.startsWith("22660")) return "moov";
  return digits.startsWith("22658") ? "telecel" : null;
}

function plan(
  body: string,
  recipients: readonly (string | RequestRecipient)[],
  changes: Partial<PlanInput> = {},
) {
  let ids = 0;
  return planner({
    body,
    region: "BF",
    terms: {
      owner,
      routeOf: (operator) => ROUTES[operator] ?? null,
      textFor: smsTexts({ body, otherTags: [], textPolicy: "as_is" }),
      warnings: () => [],
    },
    newId: () => `id-${++ids}`,
    clock: testClock(),
    missingAttributes: "empty",
    ...changes,
  }).plan(
    recipients.map((one) => (typeof one === "string" ? { msisdn: one, attributes: null } : one)),
    0,
  );
}

async function planned(...args: Parameters<typeof plan>): Promise<Planned> {
  const outcome = await plan(...args);
  if (!outcome.ok) throw new Error(outcome.refusal.code);
  return outcome.value;
}

const reasons = ({ rejections }: Planned) => rejections.map(({ position, reason }) => [position, reason]);

describe("the plan of a batch", () => {
  test("has a message for each recipient at the place it was submitted", async () => {
    const { drafts, rejections } = await planned("Bonjour", ["70000001", "+226 60 00 00 02"]);
    expect(rejections).toEqual([]);
    expect(drafts).toEqual([
      {
        ulid: "id-1",
        position: 0,
        msisdn: "+22670000001",
        operator: "orange",
        encoding: "GSM7",
        segments: 1,
        price: 15,
        text: null,
        clientReference: null,
        rendered: "Bonjour",
        written: "Bonjour",
        second: null,
        excess: 0,
      },
      {
        ulid: "id-2",
        position: 1,
        msisdn: "+22660000002",
        operator: "moov",
        encoding: "GSM7",
        segments: 1,
        price: 20,
        text: null,
        clientReference: null,
        rendered: "Bonjour",
        written: "Bonjour",
        second: null,
        excess: 0,
      },
    ]);
  });

  test("costs segments times the price of each operator", async () => {
    const { drafts } = await planned("é".repeat(161), ["70000001", "60000002"]);
    expect(drafts.map(({ segments, price }) => segments * price)).toEqual([2 * 15, 2 * 20]);
  });

  test("counts each rendered text for itself", async () => {
    const { drafts } = await planned("Cher {name}", [
      { msisdn: "70000001", attributes: { name: "Awa" } },
      { msisdn: "70000002", attributes: { name: "ç".repeat(66) } },
    ]);
    expect(drafts.map(({ encoding, segments, text }) => [encoding, segments, text])).toEqual([
      ["GSM7", 1, "Cher Awa"],
      ["UCS2", 2, `Cher ${"ç".repeat(66)}`],
    ]);
  });

  test("keeps a text of its own where composing changed the body", async () => {
    const { drafts } = await planned("cafe\u0301", ["70000001"]);
    expect(drafts[0]?.text).toBe("café");
  });
});

describe("a recipient is dropped", () => {
  // Keeps: behaviour 4.1, 4.2, 4.3, 4.4, 4.13
  test("for the first reason that applies, in the order of the rules", async () => {
    const long = { name: "x".repeat(400) };
    const result = await planned("{name}", [
      { msisdn: "abc", attributes: null },
      { msisdn: "abc", attributes: null },
      { msisdn: "25300000", attributes: long },
      { msisdn: "25300000", attributes: null },
      { msisdn: "70000001", attributes: { name: " \u00a0 " } },
      { msisdn: "70000001", attributes: long },
      { msisdn: "70000002", attributes: long },
      { msisdn: "60000003", attributes: long },
    ]);
    expect(reasons(result)).toEqual([
      [0, "INVALID_MSISDN"],
      // Two that are no numbers are not the same number.
      [1, "INVALID_MSISDN"],
      [2, "UNROUTABLE_PREFIX"],
      [3, "DUPLICATE_IN_BATCH"],
      [4, "RENDERED_BODY_EMPTY"],
      [5, "DUPLICATE_IN_BATCH"],
      [6, "TOO_MANY_SEGMENTS"],
    ]);
    expect(result.drafts.map(({ position }) => position)).toEqual([7]);
  });

  // Keeps: behaviour 4.23
  test("as a duplicate however its number is written, and the first occurrence is kept", async () => {
    const result = await planned("Bonjour", ["70 12 34 56", "+22670123456", "0022670123456", "70.12.34.57"]);
    expect(reasons(result)).toEqual([
      [1, "DUPLICATE_IN_BATCH"],
      [2, "DUPLICATE_IN_BATCH"],
    ]);
    expect(result.drafts.map(({ position }) => position)).toEqual([0, 3]);
  });

  test("with its normalised number, and with null when there is none", async () => {
    const { rejections } = await planned("Bonjour", ["abc", "25 30 00 00"]);
    expect(rejections.map(({ msisdn }) => msisdn)).toEqual([null, "+22625300000"]);
  });

  test("costs nothing", async () => {
    const result = await planned("{name}", [{ msisdn: "70000001", attributes: {} }, "abc"]);
    expect(result.drafts).toEqual([]);
  });

  // Keeps: behaviour 4.14
  test("for as many parts as one more than its operator takes", async () => {
    const two = await planned("a".repeat(306), ["70000001"]);
    expect(two.drafts[0]?.segments).toBe(2);
    const three = await planned("a".repeat(307), ["70000001"]);
    expect(reasons(three)).toEqual([[0, "TOO_MANY_SEGMENTS"]]);
    const endless = await planned("{a}", [{ msisdn: "70000001", attributes: { a: "a".repeat(1_000_000) } }]);
    expect(reasons(endless)).toEqual([[0, "TOO_MANY_SEGMENTS"]]);
  });
});

describe("an operator without a price", () => {
  test("makes a batch that reaches it a CONFIGURATION_ERROR", async () => {
    const outcome = await plan("Bonjour", ["70000001", "58000001"]);
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "CONFIGURATION_ERROR" } });
  });

  test("does not disturb a batch whose recipient there is dropped anyway", async () => {
    const result = await planned("{name}", [
      { msisdn: "58000001", attributes: null },
      { msisdn: "70000001", attributes: { name: "Awa" } },
    ]);
    expect(reasons(result)).toEqual([[0, "RENDERED_BODY_EMPTY"]]);
    expect(result.drafts).toHaveLength(1);
  });
});

test("planning 2000 recipients gives everybody else a turn in between", async () => {
  let elapsedMs = 0;
  let turns = 0;
  const clock = {
    ...testClock(),
    steadyMs: () => (elapsedMs += 1),
    soon: (callback: () => void) => {
      turns += 1;
      setImmediate(callback);
    },
  };
  const recipients = Array.from({ length: 2000 }, (_, index) => String(70_000_000 + index));
  const { drafts } = await planned("Bonjour", recipients, { clock });
  expect(drafts).toHaveLength(2000);
  expect(turns).toBeGreaterThan(100);
});

describe("what one transaction writes of a plan", () => {
  /** The positions of each run's messages and rejections. */
  const runs = (plan: Planned) =>
    [...cutIntoRuns(plan)].map(({ drafts, rejections }) =>
      [drafts, rejections].map((all) => all.map((one) => one.position)),
    );

  test("is at most so many messages, with what was rejected among them, in order and nothing twice", async () => {
    const recipients = Array.from({ length: 250 }, (_, index) =>
      index % 10 === 9 || index > 240 ? "abc" : String(70_000_000 + index),
    );
    const cut = runs(await planned("Bonjour", recipients));
    const counts = cut.map(([messages]) => messages!.length);
    expect(counts).toEqual([125, 92]);
    expect(Math.max(...counts)).toBe(MESSAGES_A_RUN);
    expect(cut.flatMap((run) => run.flat().sort((a, b) => a - b))).toEqual([...Array(250).keys()]);
  });

  test("is less where texts are long", async () => {
    const recipients = Array.from({ length: 6 }, (_, index) => ({
      msisdn: String(60_000_000 + index),
      attributes: { a: "x".repeat(30_000) },
    }));
    expect(runs(await planned("{a}", recipients))).toEqual([
      [[0, 1, 2], []],
      [[3, 4, 5], []],
    ]);
  });

  test("is one run when there is no message", async () => {
    expect(runs(await planned("Bonjour", []))).toEqual([[[], []]]);
    expect(runs(await planned("Bonjour", ["abc", "abd"]))).toEqual([[[], [0, 1]]]);
  });
});
