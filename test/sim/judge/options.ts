/** What `bun run sim` was asked for. */
import { parseArgs } from "node:util";

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
    },
  });
  const [from, to] = (values.seeds ?? values.seed ?? "1").split("-");
  const first = whole("--seed", from ?? "1");
  const minutes = values.minutes === undefined ? null : Number(values.minutes);
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
    isChild: values.child ?? false,
  };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${name}: a whole number, not "${text}"`);
  return number;
}
