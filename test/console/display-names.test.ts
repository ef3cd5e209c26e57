import { expect, test } from "vitest";
import { type NameResolver, resolveSubjectName } from "../../src/console/server/display-names.ts";

const NAMES: Readonly<Record<string, string>> = {
  orange: "Orange Burkina",
  W1: "api.faso.bf",
  A1: "Faso Shop",
};
const called = (one: string): string => NAMES[one] ?? one;
const naming: NameResolver = { operator: called, webhook: called, account: called };

test("of a connection it keeps its place, and of what nobody knows the id", () => {
  expect(resolveSubjectName(naming, "orange 2")).toBe("Orange Burkina 2");
  expect(resolveSubjectName(naming, "gone 1")).toBe("gone 1");
});
