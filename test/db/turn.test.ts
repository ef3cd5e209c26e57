import { expect, test } from "vitest";
import { createNextJob } from "../../src/db/writer.ts";

/** What is taken into one transaction when each job lasts so long. */
function taken(ahead: readonly string[], inTurn: readonly string[], eachMs: number): string {
  const next = createNextJob(ahead, inTurn);
  const jobs: string[] = [];
  for (let job = next(0); job !== null; job = next(jobs.length * eachMs)) jobs.push(job);
  return jobs.join(" ");
}

const MANY = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const URGENT = ["A", "B", "C"];

test.each([
  ["those that go ahead come first, each in its order", ["A", "B"], ["1", "2"], 0, "A B 1 2"],
  ["four milliseconds are a transaction", [], MANY, 1, "1 2 3 4"],
  ["one that goes ahead makes it short", ["A"], MANY, 1, "A 1"],
  ["one in turn has its turn, however long those ahead took", URGENT, MANY, 9, "A 1"],
  ["and however many they are", [...URGENT, ...URGENT], MANY, 0.5, "A B C A 1"],
  ["where none waits in turn, all go ahead", URGENT, [], 0.5, "A B C"],
  ["one is taken, however long the transaction took to begin", [], MANY, 99, "1"],
  ["of none there is none", [], [], 1, ""],
] as const)("%s", (_, ahead, inTurn, eachMs, expected) => {
  expect(taken(ahead, inTurn, eachMs)).toBe(expected);
});
