/**
 * Puts each planted bug into a copy of the source, one at a time, and simulates until it is found:
 *
 *   bun scripts/planted.ts [--only NAME,NAME] [--seeds 1000] [--processes N] [--write]
 *   bun scripts/planted.ts [--only NAME,NAME] --at 3,77   on these seeds first; else on the one that the table names
 *   bun scripts/planted.ts --only NAME --story SEED     what the bug does on that seed, in the fewest steps
 *
 * What is not found there is looked for from seed 1 on. `--write` writes the table, test/sim/planted/README.md. Exits 1 when one is not
 * found.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Plant, planted } from "../test/sim/planted/plant.ts";
import { PLANTS } from "../test/sim/planted/plants.ts";
import { type Found, seedsIn, tableOf, withFound } from "../test/sim/planted/table.ts";

const ROOT = join(import.meta.dir, "..");
const TABLE = join(ROOT, "test/sim/planted/README.md");
/** What a simulation needs of the project. */
const COPIED = [
  "src",
  "test",
  "scripts",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
  "config.example.toml",
];
/** Small runs: a bug that shows in a hundred messages is found a hundred times as soon in a hundred runs. */
const USUAL_OPTIONS = ["--messages", "150"];
/** Rules named in the table. */
const MAX_RULES = 3;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    at: { type: "string" },
    seeds: { type: "string" },
    processes: { type: "string" },
    story: { type: "string" },
    write: { type: "boolean" },
  },
});
const wanted = values.only?.split(",") ?? PLANTS.map(({ name }) => name);
const last = Number(values.seeds ?? 1000);
const processes = ["--processes", values.processes ?? String(navigator.hardwareConcurrency)];
const before = new Map(seedsIn(readFileSync(TABLE, "utf8")));
const found: Found[] = [];
for (const plant of PLANTS.filter(({ name }) => wanted.includes(name))) {
  const beganMs = performance.now();
  if (values.story !== undefined) {
    await withCopy(plant, (copy) =>
      simulated(copy, plant, ["--seed", values.story ?? "", "--shrink"], "inherit"),
    );
    continue;
  }
  const result = await lookFor(plant);
  found.push(result);
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const where = result.seed === null ? "NOT FOUND" : `seed ${result.seed}`;
  console.log(`${where} in ${seconds} s  ${plant.name}: ${result.what}`);
  if (values.write) writeFileSync(TABLE, tableOf(PLANTS, withFound(readFileSync(TABLE, "utf8"), found)));
}
process.exit(found.every(({ seed }) => seed !== null) ? 0 : 1);

/** Simulates a copy with the bug in it, until a promise is broken that holds without it. */
function lookFor(plant: Plant): Promise<Found> {
  const { name } = plant;
  const known = before.get(name);
  const first = values.at?.split(",").map(Number) ?? (known === undefined ? [] : [known]);
  return withCopy(plant, async (copy) => {
    for (const seed of first) {
      const rules = await newlyBroken(copy, plant, seed);
      if (rules.length > 0) return { name, seed, what: rules.slice(0, MAX_RULES).join(", ") };
    }
    for (let from = 1; from <= last; ) {
      const span = ["--seeds", `${from}-${last}`, "--until-found", ...processes];
      const seed = firstBroken(await simulated(copy, plant, span));
      if (seed === null) break;
      const rules = await newlyBroken(copy, plant, seed);
      if (rules.length > 0) return { name, seed, what: rules.slice(0, MAX_RULES).join(", ") };
      from = seed + 1;
    }
    return { name, seed: null, what: "" };
  });
}

/** The rules that see something on a seed with the bug, and nothing without it. */
async function newlyBroken(copy: string, plant: Plant, seed: number): Promise<readonly string[]> {
  const rules = rulesIn(await simulated(copy, plant, ["--seed", String(seed)]));
  if (rules.length === 0) return [];
  const without = new Set(rulesIn(await simulated(ROOT, plant, ["--seed", String(seed)])));
  return rules.filter((rule) => !without.has(rule));
}

/** The lowest seed that broke a promise. */
function firstBroken(said: string): number | null {
  const broken = [...said.matchAll(/^seed (\d+): \d+ BROKEN/gm)].map(([, seed]) => Number(seed));
  return broken.length === 0 ? null : Math.min(...broken);
}

/** What findings are told of, each rule once, in the order they happened. */
function rulesIn(said: string): readonly string[] {
  return [...new Set([...said.matchAll(/^ {2}([a-z-]+) \(/gm)].map(([, rule = ""]) => rule))];
}

/** What a simulation of a source says. */
async function simulated(
  root: string,
  { options = [] }: Plant,
  words: readonly string[],
  out: "pipe" | "inherit" = "pipe",
): Promise<string> {
  const command = [process.execPath, join(root, "scripts/sim.ts"), ...USUAL_OPTIONS, ...options, ...words];
  const child = Bun.spawn(command, { cwd: root, stdout: out, stderr: out === "pipe" ? "ignore" : out });
  const said = out === "pipe" ? await new Response(child.stdout ?? null).text() : "";
  await child.exited;
  return said;
}

async function withCopy<T>(plant: Plant, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), "bendre-planted-"));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    for (const edit of plant.edits) {
      const path = join(copy, edit.file);
      writeFileSync(path, planted(readFileSync(path, "utf8"), edit));
    }
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
