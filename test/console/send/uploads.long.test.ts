/** Who has a file read, and how many at a time: nobody takes all the places. */
import { expect, test } from "vitest";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { type StartThread, startThread } from "../../../src/core/thread.ts";
import { testClock } from "../../kit/test-clock.ts";

const question = {
  kind: "preview",
  file: { bytes: new TextEncoder().encode("tel\n05112233\n"), isParsed: false },
  column: null,
  numbers: { defaults: { region: "BF" }, operators: { orange: { prefixes: ["05"] } } },
} as const;

test("one person has two files read at a time, and others come to their turn all the same", async () => {
  const desk = createUploads(testClock());
  let begun = 0;
  const start: StartThread = (path) => {
    begun += 1;
    return startThread(path);
  };
  const read = async (user: number) => {
    const outcome = await desk.read<"preview">({ user, account: null }, start, question);
    return outcome.ok ? outcome.value.recipients : outcome.refusal.code;
  };
  const greedy = Array.from({ length: 9 }, () => read(1));
  const others = [read(2), read(2), read(3), read(4)];
  expect(await Promise.all(greedy)).toEqual([1, 1, ...Array<string>(7).fill("RATE_LIMITED")]);
  expect(await Promise.all(others)).toEqual([1, 1, 1, 1]);
  expect(begun).toBe(6);
  expect(await read(1)).toBe(1);
});
