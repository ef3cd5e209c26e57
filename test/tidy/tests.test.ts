import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, specifiersOf } from "./source.ts";

const TESTS = filesBelow("test").filter((file) => file.endsWith(".ts"));

/** What vitest and the runner both have (test/README.md). */
const SHARED = new Set([
  ...["describe", "test", "it", "expect", "vi"],
  ...["beforeAll", "afterAll", "beforeEach", "afterEach"],
]);

describe("the tests", () => {
  test("import from vitest only what the runner has too, and never from the runner itself", () => {
    for (const file of TESTS) {
      const imported = [...codeOf(file, "kept").matchAll(/import \{([^}]*)\} from "vitest"/g)].flatMap(
        ([, names = ""]) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter(Boolean),
      );
      expect([file, imported.filter((name) => !SHARED.has(name))]).toEqual([file, []]);
      expect([file, specifiersOf(file).filter((specifier) => specifier === "bun:test")]).toEqual([file, []]);
    }
  });

  test("use no member that only one of the two has", () => {
    const missing =
      /\bexpect\.(poll|soft)\b|\btest\.extend\b|\bvi\.(waitFor|waitUntil|hoisted|stubEnv|stubGlobal|setSystemTime|advanceTimersByTimeAsync)\b/;
    expect(TESTS.filter((file) => missing.test(codeOf(file, "emptied")))).toEqual([]);
  });

  test("have functions without parameters: the runner would wait for a `done` that never comes", () => {
    const withParameter =
      /\b(test|it|beforeAll|afterAll|beforeEach|afterEach)\((?:"",\s*)?(?:async\s*)?(?:\(\s*[\w{[]|\w+\s*=>)/;
    expect(TESTS.filter((file) => withParameter.test(codeOf(file, "emptied")))).toEqual([]);
  });

  test("are all run: none is left out or alone", () => {
    const left = /\b(describe|test|it)\.(only|skip|todo)\b/;
    expect(TESTS.filter((file) => left.test(codeOf(file, "emptied")))).toEqual([]);
  });
});
