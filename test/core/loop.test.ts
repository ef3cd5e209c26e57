import { describe, expect, test } from "vitest";
import { type LoopOptions, startLoop } from "../../src/core/loop.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

function started(runOnce: LoopOptions["runOnce"], everyMs = 1000, longestBackoffMs = 8000) {
  const clock = testClock();
  const log = testLog();
  return { clock, log, loop: startLoop({ name: "job", clock, log, everyMs, longestBackoffMs, runOnce }) };
}

/** A run that ends when the test says so. */
function heldRuns() {
  const ends: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const run = async (): Promise<undefined> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => ends.push(resolve));
    underWay -= 1;
    return undefined;
  };
  return { run, begun: () => ends.length, end: () => ends.at(-1)?.(), most: () => most };
}

describe("a background job", () => {
  test("runs at once, and then at its interval counted from the end of the run before", async () => {
    const at: number[] = [];
    const { clock, loop } = started(() => {
      at.push(clock.steadyMs());
      return undefined;
    });
    await clock.advance(3500);
    expect(at).toEqual([0, 1000, 2000, 3000]);
    await loop.stop();
  });

  test("runs again at once while there is more to do", async () => {
    let left = 5;
    const { clock, loop } = started(() => {
      left -= 1;
      return left > 0;
    });
    await clock.advance(1);
    expect(left).toBe(0);
    await loop.stop();
  });

  test("runs as soon as it is woken, and not a second time when its interval would have ended", async () => {
    const at: number[] = [];
    const { clock, loop } = started(() => {
      at.push(clock.steadyMs());
      return undefined;
    });
    await clock.advance(400);
    loop.wake();
    loop.wake();
    await clock.advance(700);
    expect(at).toEqual([0, 400]);
    await clock.advance(300);
    expect(at).toEqual([0, 400, 1400]);
    await loop.stop();
  });

  test("never runs twice at a time; woken meanwhile, it runs once more when the run under way ends", async () => {
    const runs = heldRuns();
    const { clock, loop } = started(runs.run);
    await clock.advance(0);
    loop.wake();
    loop.wake();
    await clock.advance(5000);
    expect(runs.begun()).toBe(1);
    runs.end();
    await clock.advance(0);
    expect([runs.begun(), runs.most()]).toEqual([2, 1]);
    const stopping = loop.stop();
    runs.end();
    await stopping;
  });

  test("backs off twice as long after each failure, up to its longest, whether it throws or rejects", async () => {
    const at: number[] = [];
    const { clock, log, loop } = started(() => {
      at.push(clock.steadyMs());
      if (at.length % 2 === 0) throw new Error("disk is full");
      return Promise.reject(new Error("disk is full"));
    });
    await clock.advance(31_000);
    expect(at).toEqual([0, 2000, 6000, 14_000, 22_000, 30_000]);
    expect(log.lines[0]).toEqual({
      level: "error",
      message: "background job failed",
      job: "job",
      error: "Error: disk is full",
      at: expect.stringMatching(/^src\/core\/loop\.ts:\d+/),
      failures: 1,
    });
    await loop.stop();
  });

  test("is not hurried out of its back-off, and returns to its interval after a success", async () => {
    const at: number[] = [];
    const { clock, loop } = started(() => {
      at.push(clock.steadyMs());
      if (at.length === 1) throw new Error("once");
      return undefined;
    });
    await clock.advance(0);
    loop.wake();
    await clock.advance(1999);
    expect(at).toEqual([0]);
    await clock.advance(1001);
    expect(at).toEqual([0, 2000, 3000]);
    await loop.stop();
  });

  test("stop waits for the run under way, and nothing runs after it", async () => {
    const runs = heldRuns();
    const { clock, loop } = started(runs.run);
    await clock.advance(0);
    let isStopped = false;
    const stopping = loop.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(100);
    expect(isStopped).toBe(false);
    runs.end();
    await stopping;
    loop.wake();
    await clock.advance(10_000);
    expect([runs.begun(), clock.waiting()]).toEqual([1, 0]);
  });

  test("a long run is told that it is waited for, so that it can end early", async () => {
    const runs = heldRuns();
    let isStopping = () => false;
    const { clock, loop } = started((told) => {
      isStopping = told;
      return runs.run();
    });
    await clock.advance(0);
    expect(isStopping()).toBe(false);
    const stopping = loop.stop();
    expect(isStopping()).toBe(true);
    runs.end();
    await stopping;
  });

  test("stopped before its first run, it never runs", async () => {
    const runs = heldRuns();
    const { clock, loop } = started(runs.run);
    await loop.stop();
    await clock.advance(5000);
    expect(runs.begun()).toBe(0);
  });
});
