/**
 * All that must hold before a change lands: the tests of `npm test`, types, lint and format, the build, the long tests, sixty
 * simulated seeds, and the executable end to end. Closes with `N passed, N failed`.
 *
 * The seeds follow from the source as it was committed: each change of it meets new ones, and a check that is repeated meets the
 * same, as many on a slow machine as on a fast one, so that what fails here fails there. `bun run sim --minutes N` draws others.
 */
import { program, runSteps } from "./steps.ts";

/** About a minute on two processors. */
const SIMULATED_SEEDS = 60;

const firstSeed = seedOfSource();
const seeds = `${firstSeed}-${firstSeed + SIMULATED_SEEDS - 1}`;

await runSteps([
  { name: "tests", command: program("test.ts") },
  [
    { name: "lint and format", command: program("lint.ts") },
    { name: "types", command: [process.execPath, "run", "typecheck"] },
    { name: "build", command: [process.execPath, "build.ts"] },
  ],
  { name: "long tests", command: program("test.ts", "--long") },
  [
    { name: "executable", command: program("test.ts", "--e2e") },
    // Browsers leave a processor idle now and then.
    { name: "simulation", command: program("sim.ts", "--seeds", seeds, "--brief"), isBackground: true },
  ],
]);

/** The first seed for this source: from the name that git gives its tree, or any where there is no git. */
function seedOfSource(): number {
  const { stdout, exitCode } = Bun.spawnSync(["git", "rev-parse", "HEAD:src"], { stderr: "ignore" });
  const name = exitCode === 0 ? stdout.toString() : crypto.randomUUID();
  return 1_000_000 + (Number.parseInt(name.slice(0, 7), 16) % 1_000_000_000);
}
