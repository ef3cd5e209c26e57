/** What many runs reached together, as a table for people. */
import { UNIVERSE } from "./coverage-universe.ts";

/** By name: in how many runs, and how often in all. */
export type Reached = Map<string, { readonly runs: number; readonly times: number }>;

/** Adds what one run reached. */
export function addReached(total: Reached, run: ReadonlyMap<string, number>): void {
  for (const [name, times] of run) {
    const known = total.get(name) ?? { runs: 0, times: 0 };
    total.set(name, { runs: known.runs + (times > 0 ? 1 : 0), times: known.times + times });
  }
}

/** Names of the universe that no run reached. */
export function neverReached(total: Reached): readonly string[] {
  return UNIVERSE.filter((name) => (total.get(name)?.times ?? 0) === 0);
}

/** A line a name, kind by kind; pairs of faults are told by their number. What was never reached comes last. */
export function coverageTable(total: Reached, runs: number): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const name of [...total.keys()].sort()) {
    const kind = kindOf(name);
    if (kind !== PAIRS) kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  const lines = [...kinds].flatMap(([kind, names]) => [
    "",
    kind,
    ...names.map((name) => lineOf(name, total)),
  ]);
  const missing = neverReached(total);
  const pairs = UNIVERSE.filter((name) => kindOf(name) === PAIRS);
  const missingPairs = missing.filter((name) => kindOf(name) === PAIRS);
  return [
    `${runs} runs reached ${UNIVERSE.length - missing.length} of ${UNIVERSE.length} names`,
    ...lines,
    "",
    `pairs of faults in one run: ${pairs.length - missingPairs.length} of ${pairs.length}`,
    ...(missing.length === 0 ? [] : ["", "never reached", ...missing.map((name) => `  ${name}`)]),
  ];
}

const PAIRS = "faults";

function kindOf(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

function lineOf(name: string, total: Reached): string {
  const { runs, times } = total.get(name) ?? { runs: 0, times: 0 };
  const what = name.slice(name.indexOf(":") + 2);
  return `  ${what.padEnd(60)} ${String(runs).padStart(7)} runs ${String(times).padStart(9)} times`;
}
