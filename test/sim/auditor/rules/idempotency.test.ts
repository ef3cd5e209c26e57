import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, SUBMISSION, SUBMIT } from "../scene.ts";
import { askedFor } from "./asked-for.ts";
import { found } from "./found.ts";
import { idempotency } from "./idempotency.ts";

const REPLAYED = { ...accepted(idOf(1)), headers: { "idempotency-replayed": "true" } };
const OTHER = { ...SUBMIT, body: { ...SUBMISSION, body: "Au revoir" } };
const refusal = (code: string) => ({ status: 409, json: { code, status: 409 } });

function repeated(...answers: readonly Parameters<ReturnType<typeof opening>["ask"]>[]) {
  const run = opening();
  for (const [asked, answer] of answers) run.ask(asked, answer);
  return found(run, idempotency, askedFor);
}

describe("a submission under its key", () => {
  test("gets the first answer again, and 409 with another body", () => {
    const reused = refusal("IDEMPOTENCY_KEY_REUSED");
    expect(repeated([SUBMIT, accepted(idOf(1))], [SUBMIT, REPLAYED], [OTHER, reused])).toBe("");
  });

  test("may have been accepted by a try that nobody was answered for", () => {
    expect(repeated([SUBMIT, null], [SUBMIT, REPLAYED])).toBe("");
    expect(repeated([SUBMIT, null], [SUBMIT, accepted(idOf(1))])).toBe("");
    expect(repeated([SUBMIT, null], [SUBMIT, refusal("REQUEST_IN_PROGRESS")])).toBe("");
    expect(repeated([SUBMIT, null], [OTHER, refusal("IDEMPOTENCY_KEY_REUSED")])).toBe("");
  });

  test("is a finding where it gets another batch, or the same without being marked", () => {
    const second = { ...accepted(idOf(2)), headers: { "idempotency-replayed": "true" } };
    expect(repeated([SUBMIT, accepted(idOf(1))], [SUBMIT, second])).toContain("other words");
    expect(repeated([SUBMIT, accepted(idOf(1))], [SUBMIT, accepted(idOf(1))])).toContain(
      "without Idempotency",
    );
  });

  test("is a finding where another body is accepted too, or the same is refused", () => {
    expect(repeated([SUBMIT, accepted(idOf(1))], [OTHER, accepted(idOf(2))])).toContain("another body");
    const refused = { status: 402, json: { code: "INSUFFICIENT_FUNDS" } };
    expect(repeated([SUBMIT, accepted(idOf(1))], [SUBMIT, refused])).toContain("got 402");
  });

  test("is a finding where it is refused for a use that nobody made", () => {
    expect(repeated([SUBMIT, refusal("IDEMPOTENCY_KEY_REUSED")])).toContain("none can have");
    expect(repeated([SUBMIT, refusal("REQUEST_IN_PROGRESS")])).toContain("none does");
  });

  test("is a finding where it waits for a claim of a process that died", () => {
    const run = opening();
    run.ask(SUBMIT, null);
    run.see({ kind: "life", life: 1, what: "killed" });
    run.see({ kind: "life", life: 2, what: "ready" });
    run.ask(SUBMIT, refusal("REQUEST_IN_PROGRESS"));
    expect(found(run, idempotency)).toContain("none does");
  });

  test("is a finding where the account has a second batch of it", () => {
    const run = opening();
    run.ask(SUBMIT, null);
    run.ask(SUBMIT, accepted(idOf(1)));
    const row = (id: string) => ({
      batch_id: id,
      status: "QUEUED",
      accepted: 2,
      rejected: 0,
      sender: "BENDRE",
    });
    const batches = [row(idOf(2)), row(idOf(1))];
    run.command("batch list", { ACCOUNT: "alpha" }, { data: { account_id: idOf(900), batches } });
    expect(found(run, askedFor)).toContain(`has batch ${idOf(2)}`);
  });
});
