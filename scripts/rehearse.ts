/**
 * Rehearses the built executable against one simulated operator for each quirk there is:
 * `bun scripts/rehearse.ts [--only part-of-a-name] [--messages 1000]`. Needs `bun run build` before; takes some minutes.
 *
 * A row is `bendre smsc` with the quirk, `bendre serve`, and a client that submits all classes and follows the feed.
 * Then the feed, the wallet, the ledger and the operator's own account must agree: every message in the right state,
 * nothing sent twice but what was decided, window and throughput never exceeded. Exits 1 if anything differs.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { builtExecutable, scratchDirectory } from "./rehearse/executable.ts";
import { ROWS } from "./rehearse/rows.ts";
import { prepareRehearsal, runRow } from "./rehearse/run-row.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, messages: { type: "string", default: "1000" } },
});
const count = Number(values.messages);
const rows = ROWS.filter(({ name }) => name.includes(values.only));
if (rows.length === 0) throw new Error(`no quirk has ${JSON.stringify(values.only)} in its name`);
if (!Number.isInteger(count) || count < 1 || count > 90_000) throw new Error("--messages takes 1 to 90000");

const WIDTHS = [32, 7, 42, 7];
const MAX_SHOWN = 8;
const line = (...cells: string[]) =>
  cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join("  ")
    .trimEnd();

const directory = scratchDirectory("rehearse");
const rehearsal = prepareRehearsal(builtExecutable(), directory, count);
console.log(line("quirk", "seconds", `where ${count} messages ended`, "repeats", "verdict"));
let failed = 0;
for (const [index, row] of rows.entries()) {
  const beganAt = performance.now();
  const { statuses, repeats, problems } = await runRow(rehearsal, row, String(index));
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  const ended = Object.entries(statuses).map(([status, number]) => `${status} ${number}`);
  const verdict = problems.length === 0 ? "right" : "WRONG";
  console.log(line(row.name, seconds, ended.join(", "), String(repeats), verdict));
  for (const problem of problems.slice(0, MAX_SHOWN)) console.log(`    ${problem}`);
  if (problems.length > 0) failed += 1;
}
console.log(`${rows.length - failed} right, ${failed} wrong`);
if (failed === 0) rmSync(directory, { recursive: true, force: true });
else console.log(`what the wrong ones left is in ${directory}`);
process.exit(failed === 0 ? 0 : 1);
