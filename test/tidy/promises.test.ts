import { describe, expect, test } from "vitest";
import { REJECTION_REASONS } from "../../src/domain/submission/rejections.ts";
import { DOCUMENTS } from "../scenarios/documents.ts";
import { COMMAND, LIST, readPromises, weigh } from "../scenarios/promises.ts";
import { tagsOf } from "../scenarios/tags.ts";
import { textOf } from "./source.ts";

describe("the sentences that src/docs promises", () => {
  const { faults, list } = readPromises();

  test("are each kept by a test, and every tag names one", () => {
    expect(faults).toEqual([]);
  });

  test("speak of every rejection reason", () => {
    const said = DOCUMENTS.flatMap(({ sentences }) => sentences.map(({ says }) => says)).join("\n");
    expect(REJECTION_REASONS.filter((reason) => !said.includes(reason))).toEqual([]);
  });

  test("stand in the list as the tests have them", () => {
    expect(textOf(LIST) === list ? "current" : `${LIST} is out of date: ${COMMAND}`).toBe("current");
  });
});

describe("the tags of a test file", () => {
  const read = (...lines: string[]) => tagsOf("a.test.ts", lines.join("\n"));

  test("name sentences right above a test, on one line or two", () => {
    const { tests, faults } = read(
      'describe("doors", () => {',
      "  // Keeps: public-api 4.1.3, 8.2",
      "  // Keeps: behaviour 3.7",
      '  test("a door opens", () => {});',
      '  test("another closes", () => {});',
      "});",
    );
    expect(faults).toEqual([]);
    expect(tests).toEqual([
      {
        file: "a.test.ts",
        name: "doors › a door opens",
        keeps: ["public-api 4.1.3", "public-api 8.2", "behaviour 3.7"],
      },
    ]);
  });

  test("stand above tables of tests too, whose title comes after the table", () => {
    const { tests } = read(
      "// Keeps: public-api 1.1",
      "test.each([",
      '  ["one", (a) => b(a)("x")],',
      '])("with %s", () => {});',
    );
    expect(tests[0]?.name).toBe("with %s");
    const plain = read("// Keeps: public-api 1.1", "test.each(ROWS)(", '  "with %s",', "  () => {});");
    expect(plain.tests[0]?.name).toBe("with %s");
  });

  test("above no test, or of another form, are faults", () => {
    expect(read("// Keeps: public-api 1.1", "const a = 1;").faults.length).toBe(1);
    expect(read("// Keeps: public-api 1.1", "", 'test("x", () => {});').faults.length).toBe(1);
    expect(read("// Keeps: public-api 1.1").faults.length).toBe(1);
    expect(read("// keeps: public-api 1.1", 'test("x", () => {});').faults.length).toBe(1);
    expect(read("// Keeps: 1.1", 'test("x", () => {});').faults.length).toBe(1);
  });
});

describe("a sentence", () => {
  const keeper = (...keeps: string[]) => [{ file: "a.test.ts", name: "t", keeps }];
  const documents = [
    {
      name: "api",
      sentences: [
        { id: "1.1", says: "A." },
        { id: "1.2", says: "B.", awaits: "webhooks" },
      ],
    },
  ];

  test("kept by no test is a fault, unless it awaits something", () => {
    expect(weigh(documents, [], []).faults).toEqual(["api 1.1 (A.): no test keeps it"]);
    expect(weigh(documents, keeper("api 1.1"), []).faults).toEqual([]);
  });

  test("that awaits something and is kept is a fault", () => {
    expect(weigh(documents, keeper("api 1.1", "api 1.2"), []).faults.join()).toContain("awaits nothing");
  });

  test("that does not exist, or stands twice, is a fault", () => {
    expect(weigh(documents, keeper("api 1.1", "api 9.9"), []).faults.join()).toContain("no such sentence");
    const twice = [{ name: "api", sentences: [...documents[0]!.sentences, { id: "1.1", says: "C." }] }];
    expect(weigh(twice, keeper("api 1.1"), []).faults.join()).toContain("two sentences have this id");
  });
});
