/** Lints and checks the format with Biome, taken as its platform package; `--write` mends what can be mended. */
import { existsSync } from "node:fs";

const platform = `${process.platform}-${process.arch}`;
const biome = `node_modules/@biomejs/cli-${platform}/biome`;
if (!existsSync(biome)) {
  console.log(`lint skipped: Biome has no package installed for ${platform}`);
  process.exit(0);
}
const write = process.argv.includes("--write") ? ["--write"] : [];
const run = Bun.spawnSync([biome, "check", ...write, "."], { stdout: "inherit", stderr: "inherit" });
process.exit(run.exitCode);
