/**
 * Puts each planted bug into a copy of the source, one at a time, and simulates until it is found:
 *
 *   bun run planted [--only NAME,NAME] [--seeds 1000] [--write]
 *
 * `--write` writes the table, test/sim/planted/README.md. Exits 1 when one is not found.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Plant, planted } from "../test/sim/planted/plant.ts";
import { PLANTS } from "../test/sim/planted/plants.ts";
import { type Found, tableOf, withFound } from "../test/sim/planted/table.ts";

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

const { values } = parseArgs({
  options: { only: { type: "string" }, seeds: { type: "string" }, write: { type: "boolean" } },
});
const wanted = values.only?.split(",") ?? PLANTS.map(({ name }) => name);
const seeds = values.seeds ?? "1000";
const found: Found[] = [];
for (const plant of PLANTS.filter(({ name }) => wanted.includes(name))) {
  const result = await lookFor(plant);
  found.push(result);
  console.log(`${result.seed === null ? "NOT FOUND" : `seed ${result.seed}`}  ${plant.name}: ${result.what}`);
}
if (values.write) writeFileSync(TABLE, tableOf(PLANTS, withFound(readFileSync(TABLE, "utf8"), found)));
process.exit(found.every(({ seed }) => seed !== null) ? 0 : 1);

/** Simulates a copy with the bug in it, until a promise is broken. */
async function lookFor(plant: Plant): Promise<Found> {
  const copy = mkdtempSync(join(tmpdir(), "bendre-planted-"));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    for (const edit of plant.edits) {
      const path = join(copy, edit.file);
      writeFileSync(path, planted(readFileSync(path, "utf8"), edit));
    }
    const words = ["--seeds", `1-${seeds}`, "--until-found", ...(plant.options ?? [])];
    const child = Bun.spawn([process.execPath, join(copy, "scripts/sim.ts"), ...words], {
      cwd: copy,
      stdout: "pipe",
      stderr: "ignore",
    });
    const said = await new Response(child.stdout).text();
    await child.exited;
    const [, seed] = /^seed (\d+): \d+ BROKEN/m.exec(said) ?? [];
    const [, rule] = /^ {2}([a-z-]+) \(/m.exec(said) ?? [];
    return { name: plant.name, seed: seed === undefined ? null : Number(seed), what: rule ?? "" };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
