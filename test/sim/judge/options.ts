/** What `bun run sim` was asked for. */
import { parseArgs } from "node:util";
import { systemChance } from "../../../src/core/chance.ts";

export type SimOptions = {
  /** Seeds from the first to the last; Infinity with `minutes`. */
  readonly first: number;
  readonly last: number;
  readonly minutes: number | null;
  readonly messages: number;
  readonly faults: readonly string[] | null;
  /** Steps that are kept; null for all. */
  readonly only: readonly number[] | null;
  readonly shrinks: boolean;
  /** The rule whose finding is told or made small; null for the first finding. */
  readonly rule: string | null;
  readonly tellsStory: boolean;
  readonly tellsLog: boolean;
  /** No more seeds once one has failed. */
  readonly untilFound: boolean;
  readonly processes: number;
  /** What many runs reached: its sum alone, by group, or name by name. */
  readonly coverage: "brief" | "by group" | "whole";
  /** Each pair of faults that never met. */
  readonly tellsPairs: boolean;
  /** A failing plan is kept under this name, and runs in every test from then on. */
  readonly keep: string | null;
  /** A plan that was kept is run in place of a seed's. */
  readonly past: string | null;
  /** Reads seeds from its standard input. */
  readonly isChild: boolean;
};

/** @throws with words when a word is not understood. */
export function simOptions(words: readonly string[]): SimOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: "string" },
      seeds: { type: "string" },
      minutes: { type: "string" },
      messages: { type: "string" },
      faults: { type: "string" },
      only: { type: "string" },
      processes: { type: "string" },
      shrink: { type: "boolean" },
      story: { type: "boolean" },
      log: { type: "boolean" },
      "until-found": { type: "boolean" },
      rule: { type: "string" },
      child: { type: "boolean" },
      coverage: { type: "boolean" },
      brief: { type: "boolean" },
      pairs: { type: "boolean" },
      keep: { type: "string" },
      past: { type: "string" },
    },
  });
  const minutes = values.minutes === undefined ? null : Number(values.minutes);
  const unless = minutes === null ? "1" : String(newSeed());
  const [from, to] = (values.seeds ?? values.seed ?? unless).split("-");
  const first = whole("--seed", from ?? "1");
  return {
    first,
    last: minutes === null ? whole("--seeds", to ?? String(first)) : Number.POSITIVE_INFINITY,
    minutes,
    messages: whole("--messages", values.messages ?? "1000"),
    faults: values.faults === undefined ? null : values.faults.split(",").filter((name) => name !== ""),
    only: values.only === undefined ? null : values.only.split(",").map((index) => whole("--only", index)),
    shrinks: values.shrink ?? false,
    rule: values.rule ?? null,
    tellsStory: values.story ?? false,
    tellsLog: values.log ?? false,
    untilFound: values["until-found"] ?? false,
    processes: whole("--processes", values.processes ?? String(navigator.hardwareConcurrency)),
    coverage: values.coverage ? "whole" : values.brief ? "brief" : "by group",
    tellsPairs: values.pairs ?? false,
    keep: values.keep ?? null,
    past: values.past ?? null,
    isChild: values.child ?? false,
  };
}

/** One that nobody has tried. */
function newSeed(): number {
  return Math.floor(systemChance.fraction() * 2 ** 40);
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${name}: a whole number, not "${text}"`);
  return number;
}
