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

type Of = "ms" | "cpuMs";

/**
 * The hold with the most time, or with the most time of a core, of a program that lives a little after it has held its event loop:
 * a machine with other work may hold it longer at another moment.
 */
async function mostOf(most: Of, held: string) {
  const program = join(directory, "program.ts");
  writeFileSync(program, `setTimeout(() => { ${held} }, 100); setTimeout(() => {}, 600);`);
  const holds = writtenHolds(directory);
  const child = Bun.spawn([process.execPath, program], { env: { ...process.env, ...holds.env } });
  expect(await child.exited).toBe(0);
  const longest = holds.since().toSorted((a, b) => b[most] - a[most])[0];
  expect(holds.since()).toEqual([]);
  return longest ?? { ms: 0, ownMs: 0, cpuMs: 0 };
}

test("a hold that computes is told with the time that it had of a core", async () => {
  const used = "(process.cpuUsage().user + process.cpuUsage().system) / 1000";
  const { ms, ownMs, cpuMs } = await mostOf("cpuMs", `const until = ${used} + 80; while (${used} < until);`);
  expect(cpuMs).toBeGreaterThan(50);
  expect(ownMs).toBeGreaterThan(50);
  expect(ms).toBeGreaterThanOrEqual(ownMs);
});

test("a hold that waits, as for the disk, has no more of a core than it used", async () => {
  const { ownMs, cpuMs } = await mostOf(
    "ms",
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);",
  );
  expect(ownMs).toBeGreaterThan(150);
  expect(cpuMs).toBeLessThan(100);
});
