import { describe, expect, test } from "vitest";
import { scheduler } from "./scheduler.ts";

describe("the time of a simulated world", () => {
  test("who asks for turn after turn, each of which takes time, keeps nobody waiting whose time has come", () => {
    const time = scheduler();
    const seen: string[] = [];
    const work = (left: number): void => {
      seen.push("work");
      time.spend(2);
      if (left > 0) time.soon(() => work(left - 1));
    };
    time.after(1, () => seen.push("first"));
    time.after(5, () => seen.push("second"));
    time.soon(() => work(3));
    while (time.step());
    expect(seen).toEqual(["work", "first", "work", "work", "second", "work"]);
  });

  test("a turn comes after what is due when it is asked for, and before what that asks for", () => {
    const time = scheduler();
    const seen: string[] = [];
    time.after(1, () => {
      time.soon(() => seen.push("turn"));
      time.after(0, () => seen.push("later"));
    });
    time.after(1, () => seen.push("beside"));
    while (time.step());
    expect(seen).toEqual(["beside", "turn", "later"]);
  });
});
