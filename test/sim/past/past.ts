/**
 * What simulations found in the past, and must not find again. A seed says what a run is only as long as the workload draws as it
 * did; so the plan itself is kept, made small, beside what it showed: `bun run sim --seed 17 --shrink --keep NAME`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../auditor/finding.ts";
import type { Plan } from "../plan.ts";

export type PastFailure = {
  /** The rule that saw it, and what it said. */
  readonly rule: string;
  readonly what: string;
  readonly plan: Plan;
};

const KEPT = join(import.meta.dir, "kept");

/** The names of all that are kept, in order. */
export function pastNames(): readonly string[] {
  return readdirSync(KEPT)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
}

/** @throws when there is none of that name. */
export function pastFailure(name: string): PastFailure {
  return JSON.parse(readFileSync(fileOf(name), "utf8")) as PastFailure;
}

/** Keeps a plan that fails, so that it always runs. @throws when the name is taken, or says nothing. */
export function keepFailure(name: string, { rule, what }: Finding, plan: Plan): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw new Error(`--keep: words with dashes, not "${name}"`);
  if (existsSync(fileOf(name))) throw new Error(`--keep: "${name}" is kept already`);
  mkdirSync(KEPT, { recursive: true });
  const failure: PastFailure = { rule, what, plan };
  writeFileSync(fileOf(name), `${JSON.stringify(failure, null, 1)}\n`);
}

function fileOf(name: string): string {
  return join(KEPT, `${name}.json`);
}
