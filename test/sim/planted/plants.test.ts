import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../tidy/source.ts";
import { planted } from "./plant.ts";
import { PLANTS } from "./plants.ts";

test("every planted bug still has its place in the source, and changes it", () => {
  for (const { edits } of PLANTS) {
    for (const edit of edits) {
      const text = readFileSync(join(ROOT, edit.file), "utf8");
      expect(planted(text, edit)).not.toBe(text);
    }
  }
});

test("every planted bug has a name of its own, and stands in the table with the seed that finds it", () => {
  const names = PLANTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const table = readFileSync(join(ROOT, "test/sim/planted/README.md"), "utf8");
  expect(names.filter((name) => !new RegExp(`^\\| ${name} \\|.*\\| \\d+ \\|`, "m").test(table))).toEqual([]);
});
