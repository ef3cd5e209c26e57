import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, isProgram } from "./source.ts";

const PROGRAMS = filesBelow("src").filter(isProgram);

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
