/**
 * Lints and checks the format with Biome, taken as its platform's package; `--write` mends what can be mended. Where no
 * Biome is installed it fails and says how to get it: what was not linted must not pass.
 */
import { existsSync } from "node:fs";
import packageFile from "../package.json" with { type: "json" };

export type Platform = { readonly platform: string; readonly arch: string };

/** The binary that `exists` for a platform, or the words for whoever has none. */
export function biomeFor(
  { platform, arch }: Platform,
  exists: (path: string) => boolean,
): { readonly binary: string } | { readonly missing: string } {
  const names = [`cli-${platform}-${arch}`, `cli-${platform}-${arch}-musl`];
  const binary = names
    .map((name) => `node_modules/@biomejs/${name}/biome${platform === "win32" ? ".exe" : ""}`)
    .find(exists);
  if (binary !== undefined) return { binary };
  const version = packageFile.optionalDependencies["@biomejs/cli-linux-x64"];
  const missing = [
    `nothing was linted: Biome is not installed for ${platform}-${arch}. Get it with`,
    "  npm ci",
    "or, on a machine whose package the lock file does not hold, with",
    `  npm install --no-save @biomejs/${names[0]}@${version}`,
    `(where libc is musl: @biomejs/${names[1]}@${version}).`,
  ];
  return { missing: missing.join("\n") };
}

if (import.meta.main) {
  const found = biomeFor(process, existsSync);
  if ("missing" in found) {
    console.error(found.missing);
    process.exit(1);
  }
  const write = process.argv.includes("--write") ? ["--write"] : [];
  const run = Bun.spawnSync([found.binary, "check", ...write, "."], { stdout: "inherit", stderr: "inherit" });
  process.exit(run.exitCode);
}
