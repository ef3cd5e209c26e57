import { expect, test } from "vitest";
import { opening, wholeRun } from "../scene.ts";
import { found } from "./found.ts";
import { BOOKS } from "./of-books.ts";

test("a run that keeps every promise has no finding, whichever rule looks", () => {
  expect(found(wholeRun(), ...BOOKS)).toBe("");
});

test("a run in which nobody asked for anything has no finding", () => {
  expect(found(opening(["alpha", "beta"]), ...BOOKS)).toBe("");
});
