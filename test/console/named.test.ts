import { expect, test } from "vitest";
import { type Naming, namedSubject } from "../../src/console/server/named.ts";

const NAMES: Readonly<Record<string, string>> = {
  orange: "Orange Burkina",
  W1: "api.faso.bf",
  A1: "Faso Shop",
};
const called = (one: string): string => NAMES[one] ?? one;
const naming: Naming = { operator: called, webhook: called, account: called };

test("of a connection it keeps its place, and of what nobody knows the id", () => {
  expect(namedSubject(naming, "orange 2")).toBe("Orange Burkina 2");
  expect(namedSubject(naming, "gone 1")).toBe("gone 1");
});
