import { expect, test } from "vitest";
import { Leases } from "../../src/dispatch/leases.ts";

test("a message whose next attempt began before the last one let go is held until the next one lets go", () => {
  const held = new Leases();
  held.acquire(7);
  held.acquire(7);
  held.release(7);
  expect(held.has(7)).toBe(true);
  held.release(7);
  expect(held.has(7)).toBe(false);
  held.release(7);
  held.acquire(7);
  expect(held.has(7)).toBe(true);
  held.releaseTaken(7);
  expect([held.has(7), held.isTaken(7)]).toEqual([false, true]);
});
