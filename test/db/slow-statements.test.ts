import { expect, test } from "vitest";
import { createTraceLog } from "../../src/core/log.ts";
import { traceSlow } from "../../src/db/reader.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

test("a statement that takes as long is told with its text and none of its values", () => {
  const clock = testClock();
  const log = testLog();
  const steps = createTraceLog({
    log,
    followLog: log,
    rooms: ["store"],
    followed: new Map(),
    idOf: () => null,
  });
  let takesMs = 0;
  let steady = 0;
  const timed = { ...clock, steadyMs: () => steady };
  const answer = <T>(value: T) => {
    steady += takesMs;
    return value;
  };
  const statement = {
    get: () => answer({ n: 1 }),
    all: () => answer([]),
    run: () => answer({ changes: 1, lastInsertRowid: 1 }),
    iterate: () => answer([].values()),
  };
  const statements = traceSlow(() => statement, "writer", timed, { steps, slowMs: 50 });
  const sql = "UPDATE messages\n     SET text = ?  WHERE id = ?";
  expect(statements(sql).get("quick secret")).toEqual({ n: 1 });
  takesMs = 50;
  expect(statements(sql).run("slow secret", 7)).toEqual({ changes: 1, lastInsertRowid: 1 });
  statements(`SELECT ${"x, ".repeat(500)}`).all();
  expect(log.lines.map(({ message, ms, connection }) => [message, ms, connection])).toEqual([
    ["slow statement", 50, "writer"],
    ["slow statement", 50, "writer"],
  ]);
  expect(log.lines[0]?.statement).toBe("UPDATE messages SET text = ? WHERE id = ?");
  expect(String(log.lines[1]?.statement).length).toBeLessThanOrEqual(300);
  expect(JSON.stringify(log.lines)).not.toContain("secret");
});
