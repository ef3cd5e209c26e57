/** What many runs reached together, as a table for people. */
import { UNIVERSE } from "./coverage-universe.ts";

/** By name: in how many runs, and how often in all. */
export type Reached = Map<string, { readonly runs: number; readonly times: number }>;

export type TableOptions = {
  /** The sum alone; a line a group and what is missing; or a line a name too. */
  readonly coverage: "brief" | "by group" | "whole";
  /** Each pair of faults that never met. */
  readonly tellsPairs: boolean;
};

/** Adds what one run reached. */
export function addReached(total: Reached, run: Iterable<readonly [name: string, times: number]>): void {
  for (const [name, times] of run) {
    const known = total.get(name) ?? { runs: 0, times: 0 };
    total.set(name, { runs: known.runs + (times > 0 ? 1 : 0), times: known.times + times });
  }
}

/** Names of a universe that no run reached. */
export function neverReached(total: Reached, universe: readonly string[] = UNIVERSE): readonly string[] {
  return universe.filter((name) => (total.get(name)?.times ?? 0) === 0);
}

/** As long as it is asked for. Pairs of faults are told by their number, unless asked for one by one. */
export function coverageTable(
  total: Reached,
  runs: number,
  { coverage, tellsPairs }: TableOptions,
  universe: readonly string[] = UNIVERSE,
): readonly string[] {
  const missing = new Set(neverReached(total, universe));
  const sum = `${runs} runs reached ${universe.length - missing.size} of ${universe.length} names`;
  if (coverage === "brief") return [sum];
  const never = [...missing].filter((name) => kindOf(name) !== PAIRS || tellsPairs);
  return [
    ...(coverage === "whole" ? namesTold(total) : []),
    sum,
    ...groupsTold(total, missing, universe),
    ...(never.length === 0 ? [] : ["never reached", ...never.map((name) => `  ${name}`)]),
  ];
}

/** A line a group: how much of it was reached, and what of it one run alone reached. */
function groupsTold(total: Reached, missing: ReadonlySet<string>, universe: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const name of universe) groups.set(kindOf(name), [...(groups.get(kindOf(name)) ?? []), name]);
  return [...groups].map(([kind, names]) => {
    const reached = names.filter((name) => !missing.has(name));
    const rare = kind === PAIRS ? [] : reached.filter((name) => total.get(name)?.runs === 1);
    const once = rare.length === 0 ? "" : `   in one run alone: ${rare.map(whatOf).join("; ")}`;
    return `  ${kind.padEnd(16)} ${String(reached.length).padStart(4)} of ${names.length}${once}`;
  });
}

/** A line a name, kind by kind. */
function namesTold(total: Reached): string[] {
  const kinds = new Map<string, string[]>();
  for (const name of [...total.keys()].sort()) {
    const kind = kindOf(name);
    if (kind !== PAIRS) kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds].flatMap(([kind, names]) => [kind, ...names.map((name) => lineOf(name, total)), ""]);
}

/** Two faults in one run. */
const PAIRS = "faults";

function kindOf(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

function whatOf(name: string): string {
  return name.slice(name.indexOf(":") + 2);
}

function lineOf(name: string, total: Reached): string {
  const { runs, times } = total.get(name) ?? { runs: 0, times: 0 };
  return `  ${whatOf(name).padEnd(60)} ${String(runs).padStart(7)} runs ${String(times).padStart(9)} times`;
}
