/**
 * Fuzzing with a memory: `bun run fuzz [inputs] [seed] [--target NAME] [--each] [--keep]`.
 *
 * A million inputs over all targets (test/fuzz/targets.ts) from seed 1 unless told otherwise; `--each` makes it so many a
 * target, `--target` picks some. Inputs are made of those that are kept in test/fuzz/corpus, by changes; what reaches an
 * outcome or a piece of code that nothing reached before joins them for the run, and with `--keep` for good. What fails is made small
 * and kept in test/fuzz/failures, where the tests find it. `bun run fuzz --repeat FILE` runs one kept input alone, and
 * `bun run fuzz --target NAME --input TEXT` one that is typed.
 * The same seed, corpus and number of inputs give the same run. Exits 1 at a failure.
 */
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { keepInput, keptInputs, readInput } from "../test/fuzz/corpus.ts";
import { failureOf, processWorkedMs, type Report, search } from "../test/fuzz/search.ts";
import { octetsOf, type Target } from "../test/fuzz/target.ts";
import { TARGETS } from "../test/fuzz/targets.ts";
import { watched } from "./fuzz/watch.ts";

/** More than these are not kept: a folder that nobody can look through keeps nothing. */
const MAX_KEPT = 60;

const nowMs = () => performance.now();

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: "string", multiple: true },
    each: { type: "boolean" },
    keep: { type: "boolean" },
    repeat: { type: "string" },
    input: { type: "string" },
  },
});
process.exit(await asked());

async function asked(): Promise<number> {
  if (flags.repeat !== undefined) {
    const target = targetOf(basename(dirname(flags.repeat)));
    return repeat(target, readInput(target, flags.repeat));
  }
  const [name = ""] = flags.target ?? [];
  return flags.input === undefined ? fuzz() : repeat(targetOf(name), octetsOf(flags.input));
}

async function fuzz(): Promise<number> {
  const targets = flags.target ? flags.target.map(targetOf) : TARGETS;
  const wanted = Number(positionals[0] ?? 1_000_000);
  const inputs = flags.each ? wanted : Math.ceil(wanted / targets.length);
  const seed = Number(positionals[1] ?? 1);
  let failures = 0;
  for (const target of targets) {
    const kept = (["corpus", "failures"] as const).flatMap((shelf) => keptInputs(target, shelf));
    const watch = watched(target);
    const report = await search({
      target,
      inputs,
      seed,
      nowMs,
      workedMs: processWorkedMs,
      kept: kept.map(({ input }) => input),
      onInput: watch.onInput,
    });
    watch.stop();
    tell(target, report, kept.length);
    failures += report.failures.length;
  }
  return failures === 0 ? 0 : 1;
}

function tell(target: Target, report: Report, kept: number): void {
  const { inputs, ms, known, found, failures, slowest } = report;
  const rate = Math.round((inputs / ms) * 1000);
  const verdict = failures.length === 0 ? "holds" : `FAILS ${failures.length} ×`;
  console.log(
    `${verdict}  ${target.name}: ${inputs} inputs in ${(ms / 1000).toFixed(1)} s, ${rate} a second; ` +
      `${known} outcomes known, ${found.length} new; slowest ${slowest.ms.toFixed(1)} ms`,
  );
  if (flags.keep) {
    for (const { input, signature } of found.slice(0, Math.max(0, MAX_KEPT - kept)))
      keepInput(target, "corpus", input, signature);
  }
  for (const { what, message, input, times } of failures) {
    const file = keepInput(target, "failures", input, what);
    console.log(`  ${times} ×: ${message.split("\n").slice(0, 8).join("\n    ").slice(0, 800)}`);
    console.log(`  again: bun run fuzz --repeat ${file}`);
  }
}

/** Runs one input, and says what came of it. */
async function repeat(target: Target, input: Uint8Array): Promise<number> {
  const trial = await target.open();
  const failure = await failureOf(trial, input);
  console.log(failure === null ? `holds: ${await trial.run(input)}` : `FAILS: ${failure}`);
  await trial.close();
  return failure === null ? 0 : 1;
}

function targetOf(name: string): Target {
  const target = TARGETS.find((known) => known.name === name);
  if (target) return target;
  console.error(`no target ${name}: ${TARGETS.map((known) => known.name).join(", ")}`);
  return process.exit(2);
}
