import { expect, test } from "vitest";
import { slidingWindow } from "../../src/core/sliding-window.ts";

test("so many are given for a key in any stretch, and the wait is that until the oldest is out of it", () => {
  const window = slidingWindow(2, 1000);
  expect([window.take(1, 0), window.take(1, 400), window.take(1, 700)]).toEqual([null, null, 300]);
  expect(window.take(1, 999)).toBe(1);
  expect([window.take(1, 1000), window.take(1, 1001)]).toEqual([null, 399]);
});

test("what was refused does not count", () => {
  const window = slidingWindow(1, 1000);
  window.take(1, 0);
  for (const atMs of [200, 400, 600, 800]) expect(window.take(1, atMs)).toBe(1000 - atMs);
  expect(window.take(1, 1000)).toBeNull();
});

test("keys do not take from each other, however many there are", () => {
  const window = slidingWindow(1, 1000);
  for (let key = 0; key < 50; key++) expect(window.take(key, key * 100)).toBeNull();
  expect(window.take(49, 4950)).toBe(950);
  expect(window.take(0, 4950)).toBeNull();
});
