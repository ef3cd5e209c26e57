import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, type Scene, SUBMISSION, SUBMIT, wholeRun } from "../scene.ts";
import { found } from "./found.ts";
import { rejections } from "./rejections.ts";
import { repetition } from "./repetition.ts";

const GOOD = "07000001";

/** One submission to these numbers, and what the answer rejects of them by place. */
function run(
  numbers: readonly string[],
  rejected: Readonly<Record<number, readonly [reason: string, msisdn: string | null]>>,
): string {
  const scene = opening();
  const recipients = numbers.map((msisdn) => ({ msisdn }));
  const rows = Object.entries(rejected).map(([index, [reason_code, msisdn]]) => ({
    index: Number(index),
    msisdn,
    reason_code,
  }));
  const counts = { accepted: numbers.length - rows.length, rejected: rows.length, rejections: rows };
  scene.ask(
    { ...SUBMIT, headers: { "idempotency-key": "k9" }, body: { ...SUBMISSION, recipients } },
    accepted(idOf(9), counts),
  );
  return found(scene, rejections);
}

describe("the recipients of a batch", () => {
  test("may be rejected for any reason, and as a duplicate after another place of the same number", () => {
    const told = {
      0: ["INVALID_MSISDN", null],
      2: ["DUPLICATE_IN_BATCH", "+22607000001"],
      3: ["UNROUTABLE_PREFIX", "+33612345678"],
      4: ["DUPLICATE_IN_BATCH", "+33612345678"],
    } as const;
    expect(run(["12", GOOD, "+226 07 00 00 01", "+33612345678", "0033612345678"], told)).toBe("");
  });

  test("are a finding where a number is accepted twice, or a duplicate of none", () => {
    expect(run([GOOD, GOOD], {})).toContain("must be DUPLICATE_IN_BATCH");
    const alone = { 1: ["DUPLICATE_IN_BATCH", "+22607000002"] } as const;
    expect(run([GOOD, "07000002"], alone)).toContain("no other place has +22607000002");
  });

  test("are a finding where the figures do not add up", () => {
    const scene = wholeRun({ answer: { rejected: 1 } });
    expect(found(scene, rejections)).toContain("lists 0");
  });
});

test("the same text does not reach the same number twice within a day", () => {
  const clock = (run: Scene) =>
    void run.ask(
      { client: "alpha", path: "/account/balance" },
      { status: 200, json: { data: { as_of: "2026-01-01T12:00:00Z" } } },
    );
  const again = (run: Scene) =>
    void run.ask({ ...SUBMIT, headers: { "idempotency-key": "k2" } }, accepted(idOf(2)));
  const shown = (changes: object) => (run: Scene) => {
    const rows = [0, 1].map((index) => ({ index, ...changes }));
    for (const { index, ...rest } of rows) {
      const message = {
        message_id: idOf(700 + index),
        batch_id: idOf(2),
        index,
        is_final: true,
        amount: 15,
        ...rest,
      };
      const json = { data: { status: "DELIVERED", ...message } };
      run.ask({ client: "alpha", path: `/messages/${idOf(700 + index)}` }, { status: 200, json });
    }
  };
  expect(found(wholeRun({ before: clock, during: again, after: shown({}) }), repetition)).toContain(
    "neither failed",
  );
  const failed = shown({ status: "FAILED", amount: 0 });
  expect(found(wholeRun({ before: clock, during: again, after: failed }), repetition)).toBe("");
});
