import { expect, test } from "vitest";
import { logFaults } from "./log-faults.ts";

const line = (level: string, message: string, more = {}) => JSON.stringify({ level, message, ...more });

test("an error and what is no line of the log are findings; warnings are none", () => {
  const bug = line("error", "an error that nobody handles");
  expect(logFaults([line("warn", "no link"), bug, "panic: oh no", ""], false)).toEqual([bug, "panic: oh no"]);
});

test("what a full disk explains is a finding only where there was none", () => {
  const full = line("error", "request failed", { error: "SQLiteError: database or disk is full" });
  expect(logFaults([full], true)).toEqual([]);
  expect(logFaults([full], false)).toEqual([full]);
});
