import { describe, expect, test } from "vitest";
import { exportedTypesOf, functionsLongerThan } from "./definitions.ts";
import { codeOf, filesBelow, isProgram } from "./source.ts";

const PROGRAMS = filesBelow("src").filter(isProgram);

/** A function of more lines holds more than one idea. */
const MOST_LINES = 70;

/** Those that are longer all the same. Take out what was taken apart; nothing is added. */
const LONGER: readonly string[] = [];

/** Exported types whose name stands in two files. Take out what was given a name of its own; nothing is added. */
const NAMED_TWICE: readonly string[] = [];

describe("a function holds one idea", () => {
  test(`none takes more than ${MOST_LINES} lines but those on the list, and the list holds no other`, () => {
    const found = PROGRAMS.flatMap((file) => functionsLongerThan(file, MOST_LINES));
    expect(found.map(({ file, name }) => `${file} ${name}`)).toEqual([...LONGER]);
  });
});

describe("a name says it once", () => {
  test("no two files export a type of the same name but those on the list, and the list holds no other", () => {
    const owners = new Map<string, string[]>();
    for (const file of PROGRAMS)
      for (const name of exportedTypesOf(file)) owners.set(name, [...(owners.get(name) ?? []), file]);
    const twice = [...owners].filter(([, files]) => files.length > 1).map(([name]) => name);
    expect(twice.sort()).toEqual([...NAMED_TWICE]);
  });
});

describe("what is exported is asked for", () => {
  test("each function and constant that a file exports is named in another", () => {
    const files = [...PROGRAMS, "build.ts", ...["test", "scripts"].flatMap(filesBelow)].filter(isProgram);
    const filesNaming = new Map<string, Set<string>>();
    for (const file of files) {
      for (const [word] of codeOf(file, "kept").matchAll(/\w+/g)) {
        const naming = filesNaming.get(word) ?? new Set();
        filesNaming.set(word, naming.add(file));
      }
    }
    const exported = PROGRAMS.flatMap((file) =>
      [...codeOf(file, "kept").matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
        ([, name = ""]) => ({ file, name }),
      ),
    );
    expect(exported.length).toBeGreaterThan(500);
    const forNobody = exported.filter(({ name }) => (filesNaming.get(name)?.size ?? 0) < 2);
    expect(forNobody.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
  });
});
