/** A part of the administrator's year, and less of everything; the whole is `bun scripts/admin-year.ts`. */
import { expect, test } from "vitest";
import { playYear } from "../../scripts/admin-year/play.ts";
import { EXECUTABLE } from "./executable.ts";

test("what was sold, and what it cost, outlives the machine that burns down and the messages that are forgotten", async () => {
  const lines: string[] = [];
  const played = await playYear({
    executable: EXECUTABLE,
    size: { campaign: 30, isShort: true },
    print: (line) => lines.push(line),
    only: ["the machine burns down", "the taxman"],
  });
  if (played === null) {
    process.stderr.write("SKIPPED: the clock of the year needs gcc\n");
    return;
  }
  expect([played.broken, lines.filter((line) => line.includes("✓")).length > 40]).toEqual([[], true]);
});
