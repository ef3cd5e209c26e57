import { expect, test } from "vitest";
import { plural } from "../../src/console/ui/format.ts";

test("none and one are singular in French, and one alone is in English", () => {
  const rows = { one: "# ligne", other: "# lignes" };
  expect([0, 1, 2].map((count) => plural("fr", count, rows))).toEqual(["0 ligne", "1 ligne", "2 lignes"]);
  const forms = { one: "# row", other: "# rows" };
  expect([0, 1, 2].map((count) => plural("en", count, forms))).toEqual(["0 rows", "1 row", "2 rows"]);
});
