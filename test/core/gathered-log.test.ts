import { describe, expect, test } from "vitest";
import { rateLimitedLog } from "../../src/core/log.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

const MINUTE_MS = 60_000;

function gathering() {
  const clock = testClock();
  const log = testLog();
  return { clock, lines: log.lines, gathered: rateLimitedLog(log, clock) };
}

describe("the gathered log", () => {
  test("tells the first of a kind at once, and those of each minute after it in one line with their number", async () => {
    const { clock, lines, gathered } = gathering();
    gathered.note("error", "disk full", "the disk is full", { file: "a" });
    expect(lines).toEqual([{ level: "error", message: "the disk is full", file: "a", times: 1 }]);
    for (let each = 0; each < 12_450; each++)
      gathered.note("error", "disk full", "the disk is full", { file: "b" });
    expect(lines).toHaveLength(1);
    await clock.advance(MINUTE_MS);
    expect(lines.slice(1)).toEqual([
      { level: "error", message: "the disk is full", file: "b", times: 12_450, seconds: 60 },
    ]);
    gathered.note("error", "disk full", "the disk is full");
    await clock.advance(MINUTE_MS);
    expect(lines.slice(2)).toEqual([{ level: "error", message: "the disk is full", times: 1, seconds: 60 }]);
  });

  test("a kind that did not come for a minute starts anew", async () => {
    const { clock, lines, gathered } = gathering();
    gathered.note("warn", "refused", "refused");
    await clock.advance(MINUTE_MS);
    expect(clock.waiting()).toBe(0);
    gathered.note("warn", "refused", "refused");
    expect(lines).toEqual([
      { level: "warn", message: "refused", times: 1 },
      { level: "warn", message: "refused", times: 1 },
    ]);
  });

  test("one kind does not keep another from its first line", () => {
    const { lines, gathered } = gathering();
    gathered.note("warn", "0x58", "throttled");
    gathered.note("warn", "0x0A", "refused");
    expect(lines.map(({ message }) => message)).toEqual(["throttled", "refused"]);
  });

  test("closing tells what was counted and leaves no timer behind; what comes later is not lost", () => {
    const { clock, lines, gathered } = gathering();
    for (let each = 0; each < 3; each++) gathered.note("warn", "refused", "refused");
    gathered.close();
    expect(lines.map(({ times }) => times)).toEqual([1, 2]);
    expect(clock.waiting()).toBe(0);
    gathered.note("warn", "refused", "refused");
    expect(lines).toHaveLength(3);
    expect(clock.waiting()).toBe(0);
  });

  test("kinds without number are not told apart without end: beyond a hundred at a time they share their lines", async () => {
    const { clock, lines, gathered } = gathering();
    for (let each = 0; each < 10_000; each++) gathered.note("warn", `kind ${each}`, "what a peer varies");
    expect(lines).toHaveLength(101);
    expect(clock.waiting()).toBe(101);
    await clock.advance(MINUTE_MS);
    expect(lines.at(-1)).toEqual({
      level: "warn",
      message: "what a peer varies",
      times: 10_000 - 101,
      seconds: 60,
    });
  });
});
