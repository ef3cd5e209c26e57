import { expect, test } from "vitest";
import { opening, type Scene } from "../scene.ts";
import { found } from "./found.ts";
import { toldTimes } from "./told-times.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** A balance is read whose time is ahead of the first clock of the run by so much. */
function look(run: Scene, aheadMs = 0): void {
  const elapsedMs = run.observations.at(-1)?.atMs ?? 0;
  const as_of = new Date(START_MS + elapsedMs + aheadMs).toISOString();
  run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: { as_of } } });
  run.wait();
}

function verdict(does: (run: Scene) => void): string {
  const run = opening();
  look(run);
  does(run);
  return found(run, toldTimes);
}

test("a time that is that of the clock is no finding, and another one is", () => {
  expect(verdict((run) => look(run))).toBe("");
  expect(verdict((run) => look(run, HOUR_MS))).toContain("told-times");
});

test("a clock that is set by an hour is the time, and one that is put back is not ahead any more", () => {
  const after = (aheadMs: number, ...sets: readonly number[]) =>
    verdict((run) => {
      for (const byMs of sets) run.see({ kind: "clock", byMs });
      look(run, aheadMs);
    });
  expect(after(HOUR_MS, HOUR_MS)).toBe("");
  expect(after(HOUR_MS, HOUR_MS, -HOUR_MS)).toContain("told-times");
});

test("a clock that jumps by seven hours is not believed before ten minutes or a command", () => {
  const jump = (run: Scene) => run.see({ kind: "clock", byMs: 7 * HOUR_MS });
  const soonAfter = (aheadMs: number) => (run: Scene) => {
    jump(run);
    run.wait();
    look(run, aheadMs);
  };
  expect(verdict(soonAfter(0))).toBe("");
  expect(verdict(soonAfter(7 * HOUR_MS))).toContain("told-times");
  const accepted = (run: Scene) => {
    jump(run);
    run.command("clock accept", {}, { data: {} });
    look(run, 7 * HOUR_MS);
  };
  expect(verdict(accepted)).toBe("");
});

test("a top-up is dated when it was paid in", () => {
  const paid = (aheadMs: number) => (run: Scene) => {
    const atMs = run.observations.at(-1)?.atMs ?? 0;
    run.command("wallet topup", { ACCOUNT: "alpha", AMOUNT: "5", reference: "late" }, { data: {} });
    const entry = { cause: "topup:a:late", at: new Date(START_MS + atMs + aheadMs).toISOString() };
    run.command("wallet statement", { ACCOUNT: "alpha" }, { data: { entries: [entry] } });
  };
  expect(verdict(paid(0))).toBe("");
  expect(verdict(paid(HOUR_MS))).toContain("the top-up late");
});
