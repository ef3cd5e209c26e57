import { describe, expect, test } from "vitest";
import { createShutdownPlan, settleWithin } from "../../src/core/shutdown-plan.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

function planned() {
  const clock = testClock();
  const log = testLog();
  const done: string[] = [];
  const plan = createShutdownPlan({ clock, log, togetherMs: 7500, lastMs: 1500 });
  const note = (what: string) => done.push(`${clock.steadyMs()} ${what}`);
  return { clock, log, plan, done, note };
}

const never = () => new Promise<void>(() => {});

describe("the plan of stopping", () => {
  test("what must not happen any more ends first and at once; the store ends last", async () => {
    const { clock, plan, done, note } = planned();
    plan.last("store", () => void note("store"));
    plan.together("links", async () => {
      note("links begin");
      await new Promise<void>((resolve) => clock.after(2000, resolve));
      note("links end");
    });
    plan.together("requests", async () => {
      note("requests begin");
      await new Promise<void>((resolve) => clock.after(1000, resolve));
      note("requests end");
    });
    plan.first("claiming", () => note("claiming"));
    plan.first("listening", () => note("listening"));
    const ended = plan.run();
    expect(done).toEqual(["0 claiming", "0 listening", "0 links begin", "0 requests begin"]);
    await clock.advance(5000);
    expect(await ended).toEqual([]);
    expect(done.slice(4)).toEqual(["1000 requests end", "2000 links end", "2000 store"]);
    expect(clock.waiting()).toBe(0);
  });

  test("what hangs is named and left behind at the one deadline, however much of it there is; the store is closed all the same", async () => {
    const { clock, log, plan, done, note } = planned();
    plan.last("store", () => void note("store"));
    for (const name of ["a command", "a half-sent head", "a receiver", "an operator", "the books"]) {
      plan.together(name, never);
    }
    plan.together("jobs", () => void note("jobs"));
    const ended = plan.run();
    await clock.advance(7499);
    expect(done).toEqual(["0 jobs"]);
    await clock.advance(1);
    expect(await ended).toEqual(["a command", "a half-sent head", "a receiver", "an operator", "the books"]);
    expect(done).toEqual(["0 jobs", "7500 store"]);
    expect(log.lines.map(({ level, part }) => [level, part])).toEqual([
      ["warn", "a command"],
      ["warn", "a half-sent head"],
      ["warn", "a receiver"],
      ["warn", "an operator"],
      ["warn", "the books"],
    ]);
  });

  test("a part that throws keeps no other from its end, and is told", async () => {
    const { clock, log, plan, done, note } = planned();
    const broken = () => {
      throw new Error("broken");
    };
    plan.first("first", broken);
    plan.first("claiming", () => note("claiming"));
    plan.together("thrown", broken);
    plan.together("rejected", () => Promise.reject(new Error("refused")));
    plan.last("store", () => void note("store"));
    plan.last("sooner", broken);
    expect(await plan.run()).toEqual([]);
    expect(done).toEqual(["0 claiming", "0 store"]);
    expect(log.lines.map(({ part }) => part)).toEqual(["first", "thrown", "rejected", "sooner"]);
    expect(clock.waiting()).toBe(0);
  });

  test("what ends last has a time of its own, and everybody is told how much is left of his", async () => {
    const { clock, plan } = planned();
    const left: number[] = [];
    plan.together("all of it", async ({ leftMs }) => {
      left.push(leftMs());
      await new Promise<void>((resolve) => clock.after(3000, resolve));
      left.push(leftMs());
    });
    plan.last("store", ({ leftMs }) => {
      left.push(leftMs());
      return never();
    });
    const ended = plan.run();
    await clock.advance(4500);
    expect(await ended).toEqual(["store"]);
    expect(left).toEqual([7500, 4500, 1500]);
  });

  test("is carried out once, however often it is asked for", async () => {
    const { plan, done, note } = planned();
    plan.first("claiming", () => note("claiming"));
    await Promise.all([plan.run(), plan.run()]);
    expect(done).toEqual(["0 claiming"]);
  });
});

test("waiting with a limit leaves no timer behind, and passes a failure on", async () => {
  const clock = testClock();
  await settleWithin(clock, 1000, Promise.resolve());
  await expect(settleWithin(clock, 1000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  const late = settleWithin(clock, 1000, never());
  await clock.advance(1000);
  await late;
  expect(clock.waiting()).toBe(0);
});
