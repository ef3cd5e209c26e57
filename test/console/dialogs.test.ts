/** Whatever opens over a page can be left by a button that says so, and not by the Escape key alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const UI = join(import.meta.dir, "../../src/console/ui");

test("every file with a dialog has a button that cancels or closes it", () => {
  const files = readdirSync(UI, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  const withDialog = files.filter((file) => /<Dialog\b/.test(readFileSync(join(UI, file), "utf8")));
  expect(withDialog.length).toBeGreaterThan(12);
  const leavable = /\bcancel\}|\bclose\}/;
  expect(withDialog.filter((file) => !leavable.test(readFileSync(join(UI, file), "utf8")))).toEqual([]);
});
