import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { debianPackage } from "../../scripts/package/debian.ts";
import { cycloneDx, ingredients, licencesText } from "../../scripts/package/inventory.ts";
import { layoutBelow } from "../../src/ops/install/layout.ts";

const ROOT = resolve(import.meta.dir, "../..");
const PACKAGE: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

describe("the list of what is inside", () => {
  const inside = ingredients(ROOT);

  test("has every package that the program is built from in its version, and the runtime, and no tool of ours", () => {
    const names = inside.map(({ name, version }) => `${name}@${version}`);
    const wanted = Object.entries(PACKAGE.dependencies).map(([name, version]) => `${name}@${version}`);
    expect(wanted.filter((one) => !names.includes(one))).toEqual([]);
    expect(inside.some(({ name }) => name === "bun")).toBe(true);
    expect(inside.some(({ name }) => name === "vitest")).toBe(false);
  });

  test("has a licence for each, and its text wherever the package brings one", () => {
    expect(inside.filter(({ licence }) => licence === "unknown")).toEqual([]);
    const text = licencesText(inside);
    for (const name of Object.keys(PACKAGE.dependencies)) expect(text).toContain(`\n## ${name} `);
    expect(text).toContain("Permission is hereby granted, free of charge");
  });

  test("is the same each time, each entry once, with the digest that the lock file holds it to", () => {
    const at = "2026-01-01T00:00:00.000Z";
    const list = cycloneDx(inside, "1.2.3", at);
    expect(cycloneDx(ingredients(ROOT), "1.2.3", at)).toBe(list);
    const { bomFormat, components } = JSON.parse(list);
    expect(bomFormat).toBe("CycloneDX");
    const refs = components.map((one: Record<string, unknown>) => one["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { name, hashes } of components) {
      if (name !== "bun") expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    }
  });
});

const WITH_DPKG = Bun.which("dpkg") !== null && Bun.which("dpkg-deb") !== null;

// Where there is no dpkg these are told as skipped.
describe.skipIf(!WITH_DPKG)("the package for Debian", () => {
  let scratch: string;
  let root: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), "bendre-package-"));
    root = join(scratch, "root");
    for (const directory of ["info", "updates", "triggers"]) {
      mkdirSync(join(root, "var/lib/dpkg", directory), { recursive: true });
    }
    writeFileSync(join(root, "var/lib/dpkg/status"), "");
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  /** Makes the package of a version, whose executable only says which it is. */
  const built = (version: string, name = version): string => {
    const executable = join(scratch, "executable");
    writeFileSync(executable, `#!/bin/sh\necho ${version}\n`);
    const file = join(scratch, `${name}.deb`);
    debianPackage({
      executable,
      example: readFileSync(join(ROOT, "config.example.toml"), "utf8"),
      licences: "licences",
      version,
      architecture: process.arch === "arm64" ? "arm64" : "amd64",
      epoch: 1_700_000_000,
      scratch: join(scratch, "tree"),
      file,
    });
    return file;
  };
  const dpkg = (...words: string[]): void => {
    const around = [`--root=${root}`, "--force-script-chrootless", "--force-not-root", "--force-depends"];
    const path = `${process.env.PATH}:/usr/sbin:/sbin`;
    const done = spawnSync("dpkg", [...around, ...words], {
      encoding: "utf8",
      env: { ...process.env, PATH: path },
    });
    expect([done.status, done.status === 0 ? "" : done.stderr]).toEqual([0, ""]);
  };
  const at = (path: string): string => join(root, path);
  const modeOf = (path: string): string => (statSync(at(path)).mode & 0o7777).toString(8);
  const textOf = (path: string): string => readFileSync(at(path), "utf8");

  test("is installed, upgraded, removed and purged, and keeps what is a person's", () => {
    dpkg("--install", built("1.0.0"));
    expect(textOf("usr/bin/bendre")).toContain("echo 1.0.0");
    expect(textOf("usr/lib/systemd/system/bendre.service")).toContain("ExecStart=/usr/bin/bendre serve");
    const { config, environment, data } = layoutBelow("/");
    expect([config, environment, data].map(modeOf)).toEqual(["640", "600", "700"]);
    expect(textOf(config)).toContain('\ndirectory = "/var/lib/bendre"\n');

    for (const path of [config, environment, `${data}/bendre.db`]) appendFileSync(at(path), "# mine\n");
    dpkg("--install", built("1.1.0"));
    expect(textOf("usr/bin/bendre")).toContain("echo 1.1.0");
    for (const path of [config, environment, `${data}/bendre.db`]) expect(textOf(path)).toMatch(/# mine\n$/);

    dpkg("--remove", "bendre");
    expect(existsSync(at("usr/bin/bendre"))).toBe(false);
    expect(existsSync(at("usr/lib/systemd/system/bendre.service"))).toBe(false);
    for (const path of [config, environment, `${data}/bendre.db`]) expect(textOf(path)).toMatch(/# mine\n$/);

    dpkg("--purge", "bendre");
    expect([config, environment, "/etc/bendre"].filter((path) => existsSync(at(path)))).toEqual([]);
    expect(textOf(`${data}/bendre.db`)).toBe("# mine\n");
  });

  test("is the same to the octet when it is made again", () => {
    const [one, other] = [built("1.0.0", "one"), built("1.0.0", "other")];
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
    const listed = spawnSync("dpkg-deb", ["--contents", one], { encoding: "utf8" }).stdout.trim().split("\n");
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.filter((line) => !/ root\/root .* 2023-11-1[45] /.test(line))).toEqual([]);
  });
});
