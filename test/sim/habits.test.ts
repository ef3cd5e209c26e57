import { describe, expect, test } from "vitest";
import { habitsFrom } from "./habits.ts";
import { stillClock } from "./kit.ts";

describe("habits", () => {
  const world = () => {
    const clock = stillClock();
    return { clock, habits: habitsFrom({ refuse: 0, swallow: 0 }, clock) };
  };

  test("of two moods that overlap, each ends by itself and leaves nothing behind", () => {
    const { clock, habits } = world();
    habits.during({ refuse: 1 }, 100);
    clock.pass(50);
    habits.during({ refuse: 0.5, swallow: 1 }, 100);
    expect(habits.now()).toEqual({ refuse: 0.5, swallow: 1 });
    clock.pass(60);
    expect(habits.now()).toEqual({ refuse: 0.5, swallow: 1 });
    clock.pass(60);
    expect(habits.now()).toEqual({ refuse: 0, swallow: 0 });
  });

  test("change below a mood, and show when it is over", () => {
    const { clock, habits } = world();
    habits.during({ refuse: 1 }, 100);
    habits.change({ refuse: 0.2, swallow: 0.3 });
    expect(habits.now()).toEqual({ refuse: 1, swallow: 0.3 });
    clock.pass(100);
    expect(habits.now()).toEqual({ refuse: 0.2, swallow: 0.3 });
  });

  test("are calm for good: no mood lasts, and the end of one brings nothing back", () => {
    const { clock, habits } = world();
    habits.change({ swallow: 1 });
    habits.during({ refuse: 1 }, 100);
    habits.calm({ swallow: 0 });
    expect(habits.now()).toEqual({ refuse: 0, swallow: 0 });
    clock.pass(200);
    expect(habits.now()).toEqual({ refuse: 0, swallow: 0 });
  });
});
