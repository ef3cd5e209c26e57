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

/** What no seed has shown yet: holes in the simulation or in what judges it. The list may only shrink. */
const OPEN: readonly string[] = [];

test("every planted bug has a name of its own, and stands in the table with the seed that finds it", () => {
  const names = PLANTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const table = readFileSync(join(ROOT, "test/sim/planted/README.md"), "utf8");
  const found = (name: string) => new RegExp(`^\\| ${name} \\|.*\\| \\d+ \\|`, "m").test(table);
  const open = (name: string) => new RegExp(`^\\| ${name} \\|.*\\| not found \\|`, "m").test(table);
  expect(names.filter((name) => !found(name))).toEqual(names.filter((name) => OPEN.includes(name)));
  expect(OPEN.filter((name) => !open(name))).toEqual([]);
});
