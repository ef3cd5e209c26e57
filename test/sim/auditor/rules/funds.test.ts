import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, SUBMIT, wholeRun } from "../scene.ts";
import { found } from "./found.ts";
import { funds } from "./funds.ts";

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
});
