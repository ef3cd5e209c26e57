import { expect, test } from "vitest";
import { audit } from "./audit.ts";
import { addReached, coverageTable, neverReached, type Reached } from "./coverage-table.ts";
import { UNIVERSE } from "./coverage-universe.ts";
import { idOf } from "./scene.ts";
import { atRest, linkTo, oneText } from "./wire-scene.ts";

function reached() {
  const run = oneText();
  run.ask({ client: "alpha", path: `/batches/${idOf(2)}` }, { status: 404, json: { code: "NOT_FOUND" } });
  run.see({ kind: "fault", name: "drop", detail: "" });
  run.see({ kind: "fault", name: "kill", detail: "" });
  const link = linkTo(run, "one", 1);
  link.bind();
  link.submit();
  run.wait(20_000);
  link.answer(link.submit(), 0, "A1");
  link.receipt({ id: "A1", stat: "DELIVRD" });
  return audit(atRest(run).observations, []).reached;
}

test("a run tells what it reached: errors, ways of messages, answers, receipts, faults and their pairs", () => {
  const names = reached();
  for (const name of [
    "error: NOT_FOUND",
    "message: DELIVERED",
    "move: unanswered, sent again",
    "move: accepted whole, ended DELIVERED",
    "centre: answered 0x00",
    "centre: no answer",
    "deliver: receipt DELIVRD",
    "fault: drop",
    "faults: drop + kill",
  ])
    expect([name, names.get(name)]).toEqual([name, 1]);
  expect(names.get("figure: parts that may have reached a handset again")).toBe(1);
});

test("many runs are one table, and what none reached is told as missing", () => {
  const total: Reached = new Map();
  addReached(total, reached());
  addReached(total, reached());
  expect(total.get("error: NOT_FOUND")).toEqual({ runs: 2, times: 2 });
  const missing = neverReached(total);
  expect(missing).toContain("message code: NO_ROUTE");
  expect(missing).not.toContain("fault: kill");
  const table = coverageTable(total, 2, { coverage: "whole", tellsPairs: false });
  expect(table).toContain(`2 runs reached ${UNIVERSE.length - missing.length} of ${UNIVERSE.length} names`);
  expect(table.find((line) => line.includes("NOT_FOUND"))).toMatch(/2 runs +2 times/);
  expect(table.slice(table.indexOf("never reached"))).toContain("  message code: NO_ROUTE");
});

test("the universe names nothing twice", () => {
  expect(new Set(UNIVERSE).size).toBe(UNIVERSE.length);
});
