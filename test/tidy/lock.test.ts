import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, textOf } from "./source.ts";

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
});
