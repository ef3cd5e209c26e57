/**
 * The one command: types, lint and format, a minute of seeds that nobody has simulated before, then every test; says how long each
 * part took and closes with `N passed, N failed`. What is given to it is given to the tests: paths, or `--coverage`.
 */
import { seconds } from "./test-times.ts";

const steps: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["types", [process.execPath, "check", "--no-script"]],
  ["lint and format", [process.execPath, "scripts/lint.ts"]],
  ["simulation", [process.execPath, "scripts/sim.ts", "--minutes", "1", "--brief"]],
  ["tests", [process.execPath, "scripts/test.ts", ...process.argv.slice(2)]],
];

for (const [name, command] of steps) {
  console.log(`== ${name}`);
  const startedAt = performance.now();
  const run = Bun.spawnSync([...command], { stdout: "inherit", stderr: "inherit" });
  if (run.exitCode !== 0) {
    console.error(`== ${name} failed`);
    process.exit(1);
  }
  // The tests tell their own times, and their count is the last line.
  if (name !== "tests") console.log(`${seconds(performance.now() - startedAt)}  ${name}`);
}
