import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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

test("fields that are packed into a spread literal are refused, in objects and in JSX", () => {
  const found = biomeFor(process, existsSync);
  const folder = mkdtempSync(join(tmpdir(), "bendre-lint-"));
  for (const path of ["biome.json", "scripts/lint"])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, "src"));
  const packed = `...${"{ a }"}`;
  const source = [
    "export const a = 1;",
    `export const b = { c: 2, ${packed} };`,
    `export const C = () => <p {${packed}} {...b} />;`,
    "",
  ].join("\n");
  writeFileSync(join(folder, "src/packed.tsx"), source);
  const run = Bun.spawnSync([resolve("binary" in found ? found.binary : ""), "lint", "."], { cwd: folder });
  rmSync(folder, { recursive: true });
  const told = run.stderr.toString() + run.stdout.toString();
  expect(told).toContain("src/packed.tsx:2:29 plugin");
  expect(told).toContain("src/packed.tsx:3:31 plugin");
});
