import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, isProgram } from "./source.ts";

const PROGRAMS = filesBelow("src").filter((file) => isProgram(file) && !file.endsWith(".d.ts"));

/** Every name, for a file that somebody takes whole: `import * as`, `import("…")`. */
const ALL = "*";

/** What files import from each file, by name. */
function importedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const note = (from: string, specifier: string, name: string): void => {
    const target = join(dirname(from), specifier);
    names.set(target, (names.get(target) ?? new Set()).add(name));
  };
  const files = [...PROGRAMS, "build.ts", ...["test", "scripts"].flatMap(filesBelow)].filter(isProgram);
  for (const file of files) {
    const code = codeOf(file, "kept");
    for (const [, list = "", specifier = ""] of code.matchAll(/\{([^{}]*)\}\s*from\s*"(\.[^"]+)"/g))
      for (const item of list.split(","))
        note(
          file,
          specifier,
          item
            .trim()
            .replace(/^type /, "")
            .replace(/ as .*$/, ""),
        );
    for (const [, whole = "", loaded = ""] of code.matchAll(
      /(?:\* as \w+|export \*)\s*from\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g,
    ))
      note(file, whole || loaded, ALL);
  }
  return names;
}

describe("what is exported is asked for", () => {
  test("each function, constant and type that a file exports is imported from it", () => {
    const imported = importedNames();
    const exported = PROGRAMS.flatMap((file) =>
      [
        ...codeOf(file, "kept").matchAll(
          /^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm,
        ),
      ].map(([, name = ""]) => ({ file, name })),
    );
    expect(exported.length).toBeGreaterThan(500);
    const forNobody = exported.filter(({ file, name }) => {
      const names = imported.get(file);
      return !names?.has(name) && !names?.has(ALL);
    });
    expect(forNobody.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
  });
});
