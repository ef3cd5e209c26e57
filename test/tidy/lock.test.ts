import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, isProgram, ROOT, specifiersOf, textOf } from "./source.ts";

describe("the lock file", () => {
  test("names no registry and no host to fetch from", () => {
    const lock = textOf("package-lock.json");
    expect(lock).not.toContain('"resolved"');
    expect(lock).not.toContain("://registry");
    const withoutFunding = JSON.stringify(JSON.parse(lock), (key, value: unknown) =>
      key === "funding" ? undefined : value,
    );
    expect(withoutFunding).not.toContain("://");
  });

  test("holds no package that warns on the Node that the README names, and package.json says the same", () => {
    const { packages } = JSON.parse(textOf("package-lock.json")) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const named = ["20.19.0", "22.13.0", "24.0.0"];
    expect(textOf("README.md")).toContain("Node 20.19 or newer (of Node 22: 22.13)");
    expect(packages[""]?.engines?.node).toBe("^20.19.0 || >=22.13.0");
    const wanted = Object.entries(packages).flatMap(([path, { engines }]) =>
      engines?.node === undefined ? [] : [[path, engines.node] as const],
    );
    expect(wanted.length).toBeGreaterThan(50);
    for (const version of named) {
      const warned = wanted.filter(([, range]) => !Bun.semver.satisfies(version, range));
      expect([version, warned]).toEqual([version, []]);
    }
  });

  test("is the only one", () => {
    const others = ["bun.lock", "bun.lockb", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json"];
    expect(others.filter((name) => existsSync(join(ROOT, name)))).toEqual([]);
  });

  test("pins the runtime and every dependency exactly", () => {
    const described = JSON.parse(textOf("package.json")) as Record<
      string,
      Record<string, string> | undefined
    >;
    const versions = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((group) =>
      Object.entries(described[group] ?? {}),
    );
    expect(versions.length).toBeGreaterThan(5);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("holds no dependency that no program uses", () => {
    const { dependencies } = JSON.parse(textOf("package.json")) as { dependencies: Record<string, string> };
    const used = filesBelow("src").filter(isProgram).flatMap(specifiersOf);
    const unused = Object.keys(dependencies).filter(
      (name) => !used.some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
    );
    expect(unused).toEqual([]);
    for (const name of [
      "elysia",
      "@elysiajs/swagger",
      "typebox",
      "libphonenumber-js",
      "ulid",
      "croner",
      "smpp",
    ])
      expect(dependencies).toHaveProperty([name]);
  });
});
