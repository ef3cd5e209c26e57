import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { biomeFor } from "../../scripts/lint.ts";
import { ROOT, textOf } from "../tidy/source.ts";

describe("Biome's binary", () => {
  test("is that of the platform, with glibc or musl", () => {
    const linux = { platform: "linux", arch: "x64" };
    const glibc = "node_modules/@biomejs/cli-linux-x64/biome";
    const musl = "node_modules/@biomejs/cli-linux-x64-musl/biome";
    expect(biomeFor(linux, (path) => path === glibc)).toEqual({ binary: glibc });
    expect(biomeFor(linux, (path) => path === musl)).toEqual({ binary: musl });
  });

  test("that is missing is told with the words that install it, in the version of the others", () => {
    const found = biomeFor({ platform: "darwin", arch: "arm64" }, () => false);
    const { optionalDependencies } = JSON.parse(textOf("package.json"));
    const version = optionalDependencies["@biomejs/cli-linux-x64"];
    expect("missing" in found && found.missing).toContain(
      `npm install --no-save @biomejs/cli-darwin-arm64@${version}`,
    );
    const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("@biomejs/"));
    expect(new Set(versions.map(([, each]) => each))).toEqual(new Set([version]));
  });

  test("that is missing is a failure, never a pass", () => {
    const empty = mkdtempSync(join(tmpdir(), "bendre-lint-"));
    const run = Bun.spawnSync([process.execPath, join(ROOT, "scripts/lint.ts")], { cwd: empty });
    rmSync(empty, { recursive: true });
    expect([run.exitCode, run.stderr.toString()]).toEqual([
      1,
      expect.stringContaining(`nothing was linted: Biome is not installed for ${process.platform}-`),
    ]);
  });
});
