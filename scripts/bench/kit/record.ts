/** The history of figures: one line a goal and recording, by commit. */
import { appendFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import type { Product } from "./appliance.ts";
import type { Summary } from "./summary.ts";

const HISTORY = resolve(import.meta.dirname, "../history.jsonl");

/** What was measured, when and on what. */
export type Where = {
  readonly commit: string;
  readonly at: string;
  readonly product: Product["kind"];
  readonly machine: string;
  /** The source is not as it was committed. */
  readonly isChanged: boolean;
};

export function where(product: Product["kind"]): Where {
  const git = (...words: string[]) =>
    Bun.spawnSync(["git", ...words])
      .stdout.toString()
      .trim();
  const [first] = cpus();
  return {
    commit: git("rev-parse", "--short", "HEAD"),
    at: new Date().toISOString(),
    product,
    machine: `${cpus().length} × ${first?.model.trim() ?? "unknown"}`,
    isChanged: git("status", "--porcelain", "--", "src") !== "",
  };
}

/** Appends what was measured to the history, which is committed. */
export function record({ commit, at, product, machine }: Where, summaries: readonly Summary[]): void {
  for (const { letter, size, rounds, figures } of summaries) {
    const spreads = Object.entries(figures).map(([name, { median, least, most }]) => [
      name,
      [median, least, most],
    ]);
    const line = {
      commit,
      at,
      product,
      machine,
      goal: letter,
      size,
      rounds,
      figures: Object.fromEntries(spreads),
    };
    appendFileSync(HISTORY, `${JSON.stringify(line)}\n`);
  }
}
