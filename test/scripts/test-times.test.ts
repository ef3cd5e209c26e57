import { describe, expect, test } from "vitest";
import { dealt, quickFirst, timesTold } from "../../scripts/test-times.ts";

const BEFORE = {
  "test/domain/submission/expand-recipients.test.ts": 9000,
  "test/smpp/pdu.test.ts": 20,
  "test/smpp/pace.test.ts": 30,
};

describe("the order of the tests", () => {
  test("gives each process, which takes a row of them, its share of the first ones first", () => {
    expect(dealt(["1", "2", "3", "4", "5"], 2)).toEqual(["1", "3", "5", "2", "4"]);
    expect(dealt(["1", "2"], 1)).toEqual(["1", "2"]);
  });

  test("is that of their folders, the quickest of the last time first, and what is new before them", () => {
    const files = [
      "./test/domain/submission/plan.test.ts",
      "./test/smpp/pdu.test.ts",
      "./test/smpp/pace.test.ts",
      "./test/new/x.test.ts",
    ];
    expect(quickFirst(files, BEFORE)).toEqual([
      "./test/new/x.test.ts",
      "./test/smpp/pace.test.ts",
      "./test/smpp/pdu.test.ts",
      "./test/domain/submission/plan.test.ts",
    ]);
  });

  test("is by name where nothing was measured", () => {
    expect(quickFirst(["./test/b/b.test.ts", "./test/a/a.test.ts"], {})).toEqual([
      "./test/a/a.test.ts",
      "./test/b/b.test.ts",
    ]);
  });
});

test("what the tests took is told by folder, the slowest last, and then the slowest files", () => {
  expect(timesTold(BEFORE)).toEqual([
    "time by folder",
    "   0.1 s  test/smpp",
    "   9.0 s  test/domain/submission",
    "slowest files",
    "   9.0 s  test/domain/submission/expand-recipients.test.ts",
    "   0.0 s  test/smpp/pace.test.ts",
    "   0.0 s  test/smpp/pdu.test.ts",
  ]);
});
