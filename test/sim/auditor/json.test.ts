import { expect, test } from "vitest";
import { jsonReaders } from "./json.ts";

test("what was read is kept while little else was read, and read again with the same value when it was let go", () => {
  let times = 0;
  const reader = jsonReaders(40);
  const read = reader(() => {
    times += 1;
    return '{"a":[1]}';
  });
  expect([read(), read(), times]).toEqual([{ a: [1] }, { a: [1] }, 1]);
  for (let other = 0; other < 10; other++) reader(() => `[${other},"a text"]`)();
  expect([read(), times]).toEqual([{ a: [1] }, 2]);
});

test("what is too long to be kept is read, and what is no JSON has no value", () => {
  const reader = jsonReaders(4);
  expect(reader(() => "[1,2,3,4,5]")()).toEqual([1, 2, 3, 4, 5]);
  expect([reader(() => "{")(), reader(() => null)()]).toEqual([undefined, undefined]);
});
