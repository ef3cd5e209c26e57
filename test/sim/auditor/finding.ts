import type { History } from "./history.ts";

/** A promise that was not kept, told so that a person can follow it. */
export type Finding = {
  /** The rule's short, stable name. */
  readonly rule: string;
  /** The sentence of the specification that was broken. */
  readonly promise: string;
  /** What happened, with ids and times. */
  readonly what: string;
  readonly atMs: number;
  /** Ids of what it is about: requests, batches, messages, accounts. */
  readonly about: readonly string[];
};

/** Looks at one promise. Where the specification leaves several outcomes open, it accepts all of them and nothing else. */
export type Rule = (history: History) => readonly Finding[];

/** What a rule found, in one line of code: the same rule and promise, each time another story. */
export function finder(
  rule: string,
  promise: string,
): (atMs: number, what: string, ...about: string[]) => Finding {
  return (atMs, what, ...about) => ({ rule, promise, what, atMs, about });
}

/** A moment as the stories tell it: seconds since the run began. */
export function at(atMs: number): string {
  return `${(atMs / 1000).toFixed(3)} s`;
}
