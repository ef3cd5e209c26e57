/**
 * The one command: types, lint and format, sixty simulated seeds, then every test; says how long each
 * part took and closes with `N passed, N failed`. What is given to it is given to the tests: paths, or `--coverage`.
 *
 * The seeds follow from the source as it was committed: each change of it meets new ones, and a check that is repeated meets the
 * same, as many on a slow machine as on a fast one, so that what fails here fails there. `bun run sim --minutes N` draws others.
 */
import { seconds } from "./test-times.ts";

/** About a minute on two processors. */
const SIMULATED_SEEDS = 60;

const firstSeed = seedOfSource();
const seeds = `${firstSeed}-${firstSeed + SIMULATED_SEEDS - 1}`;

const steps: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["types", [process.execPath, "check", "--no-script"]],
  ["lint and format", [process.execPath, "scripts/lint.ts"]],
  ["simulation", [process.execPath, "scripts/sim.ts", "--seeds", seeds, "--brief"]],
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

/** The first seed for this source: from the name that git gives its tree, or any where there is no git. */
function seedOfSource(): number {
  const { stdout, exitCode } = Bun.spawnSync(["git", "rev-parse", "HEAD:src"], { stderr: "ignore" });
  const name = exitCode === 0 ? stdout.toString() : crypto.randomUUID();
  return 1_000_000 + (Number.parseInt(name.slice(0, 7), 16) % 1_000_000_000);
}
