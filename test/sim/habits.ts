import type { Clock } from "../../src/core/clock.ts";

/** How somebody behaves: always so, and otherwise for a while. */
export type Habits<T extends object> = {
  readonly now: () => T;
  /** Always so, from now on. */
  readonly change: (habits: Partial<T>) => void;
  /** So for a while: of two moods the later one counts, and each ends by itself, whatever the other does. */
  readonly during: (habits: Partial<T>, forMs: number) => void;
  /** Always so from now on, and no mood lasts. */
  readonly calm: (habits: Partial<T>) => void;
};

/** Habits that begin as these. */
export function habitsFrom<T extends object>(first: T, clock: Clock): Habits<T> {
  let always = first;
  let moods: readonly Partial<T>[] = [];
  let now = first;
  const mix = (): void => {
    now = Object.assign({}, always, ...moods);
  };
  return {
    now: () => now,
    change: (habits) => {
      always = { ...always, ...habits };
      mix();
    },
    during: (habits, forMs) => {
      const mood = { ...habits };
      moods = [...moods, mood];
      mix();
      clock.after(forMs, () => {
        moods = moods.filter((each) => each !== mood);
        mix();
      });
    },
    calm: (habits) => {
      moods = [];
      always = { ...always, ...habits };
      mix();
    },
  };
}
