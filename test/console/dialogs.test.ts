/** Whatever opens over a page can be left by a button that says so, and not by the Escape key alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const UI = join(import.meta.dir, "../../src/console/ui");

test("every file with a dialog has a button that cancels or closes it", () => {
  const files = readdirSync(UI, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  const having = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(UI, file), "utf8")));
  expect(having(/<(Form|Reason)?Dialog\b|<Confirm\b/).length).toBeGreaterThan(12);
  // The others are this one with a form, and have its buttons.
  const withDialog = having(/<Dialog\b/);
  expect(withDialog).toContain("kit/dialog.tsx");
  // Recovery codes are closed by saying that they were kept.
  const leavable = having(/\bcancel\}|\bclose\}|\bcodesKept\}/);
  expect(withDialog.filter((file) => !leavable.includes(file))).toEqual([]);
});
