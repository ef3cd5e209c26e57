import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, type Scene, SUBMIT, wholeRun } from "../scene.ts";
import { found } from "./found.ts";
import { funds } from "./funds.ts";

const NO_MONEY = { status: 402, json: { code: "INSUFFICIENT_FUNDS", status: 402 } };

function refusedWith(money: number, before: (run: Scene) => void = () => {}): string {
  const run = opening(["alpha"], money);
  before(run);
  run.ask(SUBMIT, NO_MONEY);
  return found(run, funds);
}

describe("money for a submission", () => {
  test("is there where it is accepted", () => {
    expect(found(wholeRun(), funds)).toBe("");
    const run = opening(["alpha"], 34);
    run.ask(SUBMIT, accepted(idOf(1)));
    expect(found(run, funds)).toContain("had 34 XOF at most");
  });

  test("may come from a top-up whose outcome was lost", () => {
    const run = opening(["alpha"], 0);
    run.command("wallet topup", { ACCOUNT: "alpha", AMOUNT: "35", reference: "x" }, null);
    run.ask(SUBMIT, accepted(idOf(1)));
    expect(found(run, funds)).toBe("");
  });

  test("is missing where it is refused", () => {
    expect(refusedWith(34)).toBe("");
    expect(refusedWith(35)).toContain("it costs 35 XOF at most");
  });

  test("may be held by a submission whose answer was lost", () => {
    const lost = (run: Scene) => void run.ask({ ...SUBMIT, headers: { "idempotency-key": "k0" } }, null);
    expect(refusedWith(69, lost)).toBe("");
    expect(refusedWith(70, lost)).toContain("all else 35");
  });
});
