/**
 * Runs `bun test` over the given paths, or all of them with the quickest folders first, a process for each processor; tells how
 * long each folder took, and closes with one plain line, `N passed, N failed`.
 *
 * `--e2e` runs the end-to-end tests on dist/bendre, which must have been built. `--coverage` tells which lines of which rooms
 * were run, but not what the executable and threads ran. Other words that begin with a dash are the runner's.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { coverageTold, type FileCoverage, readLcov } from "./coverage.ts";
import { dealt, type FileTimes, quickFirst, seconds, timesTold } from "./test-times.ts";

/** What the last whole run took, for the order of the next. */
const LAST_TIMES = "node_modules/.cache/bendre/test-times.json";

/** Each may hold half a gigabyte. */
const MAX_PROCESSES = 4;

const given = process.argv.slice(2);
const isEndToEnd = given.includes("--e2e");
const withCoverage = given.includes("--coverage");
const { flags, paths } = sorted(given.filter((word) => word !== "--e2e" && word !== "--coverage"));
const isWhole = paths.length === 0 && !isEndToEnd;

const found = new Bun.Glob(isEndToEnd ? "./test/e2e/*.e2e.ts" : "./test/**/*.test.ts");
const files = paths.length > 0 ? paths.map(asNamed) : quickFirst([...found.scanSync()], timesIn(LAST_TIMES));
// The executable of end-to-end tests has the machine to itself.
const isOneFile = files.length === 1 && files[0]?.endsWith(".ts") === true;
const processes = isEndToEnd || isOneFile ? 1 : Math.min(availableParallelism(), MAX_PROCESSES);
const startedAt = performance.now();
const scratch = mkdtempSync(join(tmpdir(), "bendre-tests-"));
const timings = join(scratch, "times.json");
const run = Bun.spawn(
  [
    ...[process.execPath, "test", "--isolate", "--timeout", "60000"],
    ...[`--timings=${timings}`, "--update-timings"],
    ...(processes > 1 ? [`--parallel=${processes}`] : []),
    ...(withCoverage ? ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${scratch}`] : []),
    ...flags,
    ...dealt(files, processes),
  ],
  { stdout: "pipe", stderr: "pipe" },
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
if (isWhole && exitCode === 0 && existsSync("node_modules")) {
  mkdirSync(join(LAST_TIMES, ".."), { recursive: true });
  writeFileSync(LAST_TIMES, readFileSync(timings));
}
if (withCoverage) {
  const lcov = join(scratch, "lcov.info");
  const covered = existsSync(lcov) ? readLcov(readFileSync(lcov, "utf8")) : [];
  console.log(coverageTold(isWhole ? [...covered, ...unloaded(covered)] : covered).join("\n"));
}
rmSync(scratch, { recursive: true, force: true });

const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
const passed = count("pass");
const failed = count("fail") + count("error") + count("errors");
console.log(`${passed} passed, ${failed} failed`);
process.exit(exitCode !== 0 ? exitCode : passed > 0 && failed === 0 ? 0 : 1);

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
