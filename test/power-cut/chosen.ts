/** Which of the states of a log are tried when there are more than there is time for. */
import type { Chance } from "../../src/core/chance.ts";
import type { CrashState } from "./crash-states.ts";

/** The numbers of those that are tried, and of those the executable is started on. */
export type Chosen = {
  readonly all: number;
  readonly tried: ReadonlySet<number>;
  readonly started: ReadonlySet<number>;
};

/**
 * Chooses so many: half of them of those that are always tried, spread evenly over the log, and half of those that were drawn;
 * where there are fewer of one kind, more of the other.
 */
export function choose(
  states: Iterable<Pick<CrashState, "isDrawn">>,
  most: number,
  started: number,
  chance: Chance,
): Chosen {
  const always: number[] = [];
  const drawn: number[] = [];
  for (const { isDrawn } of states) (isDrawn ? drawn : always).push(always.length + drawn.length);
  const first = spread(always, Math.max(Math.ceil(most / 2), most - drawn.length));
  const tried = [...first, ...sample(drawn, most - first.length, chance)].sort((one, other) => one - other);
  return {
    all: always.length + drawn.length,
    tried: new Set(tried),
    started: new Set(spread(tried, started)),
  };
}

/** So many of them, evenly spread, the last among them. */
function spread(numbers: readonly number[], most: number): readonly number[] {
  if (numbers.length <= most) return numbers;
  return Array.from(
    { length: Math.max(0, most) },
    (_, index) => numbers[Math.ceil(((index + 1) * numbers.length) / most) - 1] ?? 0,
  );
}

function sample(numbers: readonly number[], most: number, chance: Chance): readonly number[] {
  if (numbers.length <= most) return numbers;
  let needed = Math.max(0, most);
  return numbers.filter((_, index) => {
    const isIn = chance.fraction() < needed / (numbers.length - index);
    if (isIn) needed -= 1;
    return isIn;
  });
}
