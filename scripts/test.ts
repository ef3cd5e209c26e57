/**
 * Runs `bun test` over the given paths, or over all tests of a tier with the quickest folders first, a process for each
 * processor and one more where the executable is driven; prints how long each folder took, and closes with one plain line, `N passed, N failed`.
 *
 *   bun scripts/test.ts             the first tier, `*.test.ts`: about two minutes
 *   bun scripts/test.ts --long      `*.long.test.ts`, which `bun run check` adds
 *   bun scripts/test.ts --e2e       `*.e2e.ts`, on dist/bendre, which must have been built
 *   bun scripts/test.ts --nightly   those in all combinations, `*.nightly.e2e.ts` and `*.nightly.test.ts`
 *
 * `--coverage` tells which lines of which rooms were run, but not what the executable and threads ran. Other words that begin
 * with a dash are the runner's.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { keepMemory } from "../test/kit/keep-memory.ts";
import { coverageTold, type FileCoverage, readLcov } from "./coverage.ts";
import { dealt, type FileTimes, quickFirst, seconds, timesTold } from "./test-times.ts";

/** What the last whole run took, for the order of the next. */
const LAST_TIMES = "node_modules/.cache/bendre/test-times.json";

/** Each may hold half a gigabyte. */
const MAX_PROCESSES = 4;

/** Milliseconds after which a test or its preparation hangs. Whoever drives the executable meets a busy machine at its slowest. */
const HANGING_MS = { alone: 60_000, driving: 300_000 } as const;

/** Which files each tier takes; the first takes what no other does. */
const TIERS = {
  first: (file: string) => /(?<!\.long|\.nightly)\.test\.ts$/.test(file),
  long: (file: string) => file.endsWith(".long.test.ts"),
  e2e: (file: string) => file.endsWith(".e2e.ts") && !file.endsWith(".nightly.e2e.ts"),
  // With it whatever drives the executable is run again, in all combinations (test/e2e/night.ts).
  nightly: (file: string) => file.endsWith(".e2e.ts") || file.endsWith(".nightly.test.ts"),
} as const;
type Tier = keyof typeof TIERS;

/** Half a minute or more of one process: begun first, else the others wait for them at the end. */
const SLOWEST: ReadonlySet<string> = new Set([
  "./test/sim/past/past.test.ts",
  "./test/ops/alerts/alerts.long.test.ts",
  "./test/scenarios/restore-channels.long.test.ts",
  "./test/scenarios/test-keys-apart.long.test.ts",
  "./test/e2e/big-batch.e2e.ts",
  "./test/e2e/console-access.e2e.ts",
  "./test/e2e/console-keyboard.e2e.ts",
  "./test/e2e/console-send.e2e.ts",
  "./test/e2e/console-walk.e2e.ts",
]);

/** A file system in memory, where Linux has it, and what the tests need of it. */
const IN_MEMORY = "/dev/shm";
const MEMORY_NEEDED = 2 * 1024 ** 3;

const given = process.argv.slice(2);
const tier = (["long", "e2e", "nightly"] as const).find((name) => given.includes(`--${name}`)) ?? "first";
const withCoverage = given.includes("--coverage");
const own: readonly string[] = [`--${tier}`, "--coverage"];
const { flags, paths } = sorted(given.filter((word) => !own.includes(word)));

const files =
  paths.length > 0 ? paths.map(asNamed) : slowestFirst(quickFirst(filesOf(tier), timesIn(LAST_TIMES)));
const isOneFile = files.length === 1 && files[0]?.endsWith(".ts") === true;
// Whoever drives the executable waits for it about a third of the time.
const isDriving = tier === "e2e" || tier === "nightly";
const processes = isOneFile ? 1 : Math.min(availableParallelism() + (isDriving ? 1 : 0), MAX_PROCESSES);
const startedAt = performance.now();
const scratch = mkdtempSync(join(tmpdir(), "bendre-tests-"));
// Only what runs the executable needs a disk: in memory the others take a quarter less time.
const isInMemory = !isDriving && hasRoom(IN_MEMORY);
const memory = isInMemory ? mkdtempSync(join(IN_MEMORY, "bendre-tests-")) : null;
// As /tmp is: some tests play another user.
if (memory !== null) chmodSync(memory, 0o1777);
const clear = () => {
  for (const directory of [scratch, memory])
    if (directory) rmSync(directory, { recursive: true, force: true });
};
// What is left in memory would hold it until the machine is started again.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    run.kill("SIGKILL");
    clear();
    process.exit(1);
  });
}
const timings = join(scratch, "times.json");
const run = Bun.spawn(
  [
    ...[process.execPath, "test", "--isolate"],
    ...["--timeout", String(isDriving ? HANGING_MS.driving : HANGING_MS.alone)],
    ...[`--timings=${timings}`, "--update-timings"],
    ...(processes > 1 ? [`--parallel=${processes}`] : []),
    ...(withCoverage ? ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${scratch}`] : []),
    ...flags,
    ...dealt(files, processes),
  ],
  {
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...process.env,
      ...keepMemory(),
      ...(memory === null ? {} : { TMPDIR: memory }),
      // What looks at more at night than in the check asks this (test/e2e/night.ts).
      BENDRE_TIER: tier,
    },
  },
);

let output = "";
async function pass(stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    to.write(text);
  }
}
await Promise.all([pass(run.stdout, process.stdout), pass(run.stderr, process.stderr)]);
const exitCode = await run.exited;

const times = timesIn(timings);
if (Object.keys(times).length > 1) {
  console.log([...timesTold(times), `${seconds(performance.now() - startedAt)}  all tests`].join("\n"));
}
if (paths.length === 0 && existsSync("node_modules")) {
  mkdirSync(join(LAST_TIMES, ".."), { recursive: true });
  writeFileSync(LAST_TIMES, JSON.stringify({ files: { ...timesIn(LAST_TIMES), ...times } }));
}
if (withCoverage) {
  const lcov = join(scratch, "lcov.info");
  const covered = existsSync(lcov) ? readLcov(readFileSync(lcov, "utf8")) : [];
  console.log(coverageTold(paths.length === 0 ? [...covered, ...unloaded(covered)] : covered).join("\n"));
}
clear();

const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
const passed = count("pass");
const failed = count("fail") + count("error") + count("errors");
console.log(`${passed} passed, ${failed} failed`);
process.exit(exitCode !== 0 ? exitCode : passed > 0 && failed === 0 ? 0 : 1);

function slowestFirst(ordered: readonly string[]): string[] {
  return [...ordered.filter((file) => SLOWEST.has(file)), ...ordered.filter((file) => !SLOWEST.has(file))];
}

function hasRoom(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= MEMORY_NEEDED;
  } catch {
    return false;
  }
}

function filesOf(of: Tier): string[] {
  return [...new Bun.Glob("./test/**/*.ts").scanSync()].filter(TIERS[of]);
}

/** The runner's own words, and the paths. The pattern of names follows its flag. */
function sorted(words: readonly string[]): { readonly flags: string[]; readonly paths: string[] } {
  const flags: string[] = [];
  const paths: string[] = [];
  for (const [index, word] of words.entries()) {
    const isValue = index > 0 && words[index - 1] === "-t";
    (word.startsWith("-") || isValue ? flags : paths).push(word);
  }
  return { flags, paths };
}

/** A file as the runner takes one whatever its name: end-to-end tests have names that it does not look for. */
function asNamed(path: string): string {
  return /^[^./].*\.ts$/.test(path) ? `./${path}` : path;
}

function timesIn(file: string): FileTimes {
  if (!existsSync(file)) return {};
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly files: FileTimes }).files;
}

/** Programs that are in no report, but for those that are types alone. */
function unloaded(covered: readonly FileCoverage[]): FileCoverage[] {
  const known = new Set(covered.map(({ file }) => file));
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  return [...new Bun.Glob("src/**/*.ts").scanSync()]
    .sort()
    .filter((file) => !known.has(file) && !file.endsWith(".d.ts"))
    .filter(
      (file) =>
        transpiler
          .transformSync(readFileSync(file, "utf8"))
          .replace(/^import .*$/gm, "")
          .trim() !== "",
    )
    .map((file) => ({ file, lines: null }));
}
