import { expect, test } from "vitest";
import { holds } from "../../src/dispatch/leases.ts";

test("a message whose next attempt began before the last one let go is held until the next one lets go", () => {
  const held = holds();
  held.hold(7);
  held.hold(7);
  held.release(7);
  expect(held.has(7)).toBe(true);
  held.release(7);
  expect(held.has(7)).toBe(false);
  held.release(7);
  held.hold(7);
  expect(held.has(7)).toBe(true);
  held.abandon(7);
  expect([held.has(7), held.isTaken(7)]).toEqual([false, true]);
});
