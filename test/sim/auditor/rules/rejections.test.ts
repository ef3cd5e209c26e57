import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, type Scene, SUBMISSION, SUBMIT, wholeRun } from "../scene.ts";
import { ceilings } from "./ceilings.ts";
import { found } from "./found.ts";
import { reasons, repetition } from "./reasons.ts";
import { rejections } from "./rejections.ts";

const GOOD = "07000001";
const DONE = { data: {} };

/** One submission to these numbers, and what the answer rejects of them by place. */
function run(
  numbers: readonly string[],
  rejected: Readonly<Record<number, readonly [reason: string, msisdn: string | null]>>,
  more: { readonly body?: object; readonly before?: (scene: Scene) => void } = {},
): string {
  const scene = opening();
  more.before?.(scene);
  const recipients = numbers.map((msisdn) => ({ msisdn }));
  const rows = Object.entries(rejected).map(([index, [reason_code, msisdn]]) => ({
    index: Number(index),
    msisdn,
    reason_code,
  }));
  const counts = { accepted: numbers.length - rows.length, rejected: rows.length, rejections: rows };
  scene.ask(
    { ...SUBMIT, headers: { "idempotency-key": "k9" }, body: { ...SUBMISSION, ...more.body, recipients } },
    accepted(idOf(9), counts),
  );
  return found(scene, rejections, reasons, ceilings);
}

describe("what a submission decides by itself", () => {
  test("is told by the first reason that applies", () => {
    const told = {
      0: ["INVALID_MSISDN", null],
      2: ["DUPLICATE_IN_BATCH", "+22607000001"],
      3: ["UNROUTABLE_PREFIX", "+33612345678"],
      4: ["UNROUTABLE_PREFIX", "+22625491234"],
    } as const;
    expect(run(["12", GOOD, "+226 07 00 00 01", "+33612345678", "25491234"], told)).toBe("");
  });

  test("is a finding where it is told otherwise, or accepted", () => {
    expect(run(["12"], {})).toContain("must be INVALID_MSISDN");
    expect(run([GOOD, GOOD], {})).toContain("must be DUPLICATE_IN_BATCH");
    expect(run(["+33612345678"], {})).toContain("must be UNROUTABLE_PREFIX");
    expect(run([GOOD], { 0: ["INVALID_MSISDN", null] })).toContain("must be accepted");
    expect(run([GOOD], { 0: ["TOO_MANY_SEGMENTS", "+22607000001"] })).toContain("must be accepted");
    expect(run([GOOD], {}, { body: { body: "{x}" } })).toContain("must be RENDERED_BODY_EMPTY");
    const wrong = { 1: ["DUPLICATE_IN_BATCH", "+22607000002"] } as const;
    expect(run([GOOD, GOOD], wrong)).toContain("as +22607000002");
  });

  test("is a finding where the figures do not add up", () => {
    const scene = wholeRun({ answer: { rejected: 1 } });
    expect(found(scene, rejections)).toContain("lists 0");
  });
});

describe("a reason that is found in what was before", () => {
  const add = (scene: Scene) =>
    void scene.command("suppression add", { ACCOUNT: "alpha", MSISDN: GOOD, class: "all" }, DONE);

  test("SUPPRESSED is for those on the list, and for all of them", () => {
    expect(run([GOOD], { 0: ["SUPPRESSED", "+22607000001"] }, { before: add })).toBe("");
    expect(run([GOOD], { 0: ["SUPPRESSED", "+22607000001"] })).toContain("it stands on no list");
    expect(run([GOOD], {}, { before: add })).toContain("the number was suppressed");
    const removed = (scene: Scene) => {
      add(scene);
      scene.command("suppression remove", { ACCOUNT: "alpha", MSISDN: GOOD, class: "all" }, DONE);
    };
    expect(run([GOOD], { 0: ["SUPPRESSED", "+22607000001"] }, { before: removed })).toContain("no list");
  });

  test("QUIET_HOURS is for MARKETING in quiet hours, and for all of it", () => {
    const at = (time: string) => ({
      body: { message_class: "MARKETING", scheduled_at: `2026-01-02T${time}:00Z` },
      before: (scene: Scene) =>
        void scene.ask(
          { client: "alpha", path: "/account/balance" },
          { status: 200, json: { data: { as_of: "2026-01-01T12:00:00Z" } } },
        ),
    });
    const quiet = { 0: ["QUIET_HOURS", "+22607000001"] } as const;
    expect(run([GOOD], quiet, at("03:00"))).toBe("");
    expect(run([GOOD], {}, at("12:00"))).toBe("");
    expect(run([GOOD], quiet, at("12:00"))).toContain("permitted hours");
    expect(run([GOOD], {}, at("03:00"))).toContain("quiet hours");
    expect(run([GOOD], quiet)).toContain("MARKETING alone");
  });

  test("caps and ceilings are for those who have reached one", () => {
    const cap = { 0: ["FREQUENCY_CAP_DAILY", "+22607000001"] } as const;
    expect(run([GOOD], cap, { body: { message_class: "MARKETING" } })).toContain("has had 0 of 2");
    const minute = { 0: ["RATE_LIMIT_PER_MINUTE", "+22607000001"] } as const;
    expect(run([GOOD], minute)).toContain("of any number");
    const before = (scene: Scene) =>
      void scene.command("account set", { ACCOUNT: "alpha", "recipients-per-minute": "1" }, DONE);
    const two = { 1: ["RATE_LIMIT_PER_MINUTE", "+22607000002"] } as const;
    expect(run([GOOD, "07000002"], two, { before })).toBe("");
    expect(run([GOOD, "07000002"], {}, { before })).toContain("of 1");
  });

  test("DUPLICATE_RECENT_BODY is for a text that somebody was really accepted for", () => {
    const repeated = { 0: ["DUPLICATE_RECENT_BODY", "+22607000001"] } as const;
    const body = { body: "Bonjour Awa" };
    const first = (scene: Scene) => void scene.ask(SUBMIT, accepted(idOf(1)));
    expect(run([GOOD], repeated, { body, before: first })).toBe("");
    expect(run([GOOD], repeated, { body })).toContain("no other such message");
    const refused = (scene: Scene) =>
      void scene.ask(SUBMIT, { status: 402, json: { code: "INSUFFICIENT_FUNDS" } });
    expect(run([GOOD], repeated, { body, before: refused })).toContain("no other such message");
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
