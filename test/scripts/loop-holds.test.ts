import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writtenHolds } from "../../scripts/loop-holds/written.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-holds-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The longest hold of a program that lives a little after it has held its event loop. */
async function longestOf(held: string) {
  const program = join(directory, "program.ts");
  writeFileSync(program, `setTimeout(() => { ${held} }, 100); setTimeout(() => {}, 600);`);
  const holds = writtenHolds(directory);
  const child = Bun.spawn([process.execPath, program], { env: { ...process.env, ...holds.env } });
  expect(await child.exited).toBe(0);
  const longest = holds.since().toSorted((a, b) => b.ms - a.ms)[0];
  expect(holds.since()).toEqual([]);
  return longest ?? { ms: 0, ownMs: 0, cpuMs: 0 };
}

test("a hold that computes is told with the time that it had of a core", async () => {
  const used = "(process.cpuUsage().user + process.cpuUsage().system) / 1000";
  const { ms, ownMs, cpuMs } = await longestOf(`const until = ${used} + 80; while (${used} < until);`);
  expect(cpuMs).toBeGreaterThan(50);
  expect(ownMs).toBeGreaterThan(50);
  expect(ms).toBeGreaterThanOrEqual(ownMs);
});

test("a hold that waits, as for the disk, has no more of a core than it used", async () => {
  const { ownMs, cpuMs } = await longestOf(
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);",
  );
  expect(ownMs).toBeGreaterThan(150);
  expect(cpuMs).toBeLessThan(100);
});
