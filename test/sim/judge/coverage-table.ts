import type { Judged } from "./judge.ts";

/** What the runs reached, a line each: in how many of them, and how often. */
export function coverageLines(all: readonly Judged[]): string[] {
  const names = new Map<string, { runs: number; times: number }>();
  for (const { reached } of all) {
    for (const [name, times] of Object.entries(reached)) {
      const row = names.get(name) ?? { runs: 0, times: 0 };
      names.set(name, { runs: row.runs + 1, times: row.times + times });
    }
  }
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { runs, times }]) =>
        `${String(runs).padStart(7)} runs ${String(times).padStart(10)} ×  ${name}`,
    );
}
