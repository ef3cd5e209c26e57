import { describe, expect, test } from "vitest";
import { type Invocable, parse } from "../../src/cli/parse.ts";
import { english } from "../../src/i18n/text.ts";

const COMMANDS: readonly Invocable[] = [
  {
    name: "wallet adjust",

    positionals: [{ name: "ACCOUNT" }, { name: "AMOUNT" }],
    flags: [
      { name: "reason", value: "TEXT", isRequired: true },
      { name: "mode", value: "MODE", choices: ["a", "b"] },
      { name: "dry", value: null },
    ],
  },
  { name: "wallet show", positionals: [], flags: [] },
  {
    name: "list add",

    positionals: [{ name: "ACCOUNT" }, { name: "NUMBER" }],
    flags: [{ name: "everywhere", value: null, replaces: "ACCOUNT" }],
  },
  { name: "smsc", positionals: [], flags: [], takesAll: true },
];
const typed = (...words: string[]) => parse(words, COMMANDS);
const argsOf = (...words: string[]) => {
  const parsed = typed(...words);
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return parsed.args;
};
const problemOf = (...words: string[]) => {
  const parsed = typed(...words);
  return parsed.kind === "wrong" ? english(parsed.problem) : null;
};

describe("reading a command line", () => {
  test("flags may stand anywhere behind the command, with a space or an equals sign", () => {
    const expected = { ACCOUNT: "A", AMOUNT: "5", reason: "x y" };
    expect(argsOf("wallet", "adjust", "A", "5", "--reason", "x y")).toEqual(expected);
    expect(argsOf("wallet", "adjust", "--reason=x y", "A", "5")).toEqual(expected);
    expect(argsOf("wallet", "adjust", "A", "--reason", "x y", "5")).toEqual(expected);
    expect(argsOf("wallet", "adjust", "A", "5", "--reason=x y", "--dry")).toEqual({ ...expected, dry: "" });
  });

  test("a negative amount is no flag, as a place and as a value", () => {
    expect(argsOf("wallet", "adjust", "A", "-500", "--reason", "-1")).toEqual({
      ACCOUNT: "A",
      AMOUNT: "-500",
      reason: "-1",
    });
  });

  test("behind -- everything is a place", () => {
    expect(argsOf("wallet", "adjust", "--reason", "r", "--", "--A", "5").ACCOUNT).toBe("--A");
  });

  test("a flag may stand in place of a positional, wherever it is typed", () => {
    expect(argsOf("list", "add", "A", "5")).toEqual({ ACCOUNT: "A", NUMBER: "5" });
    const everywhere = { everywhere: "", NUMBER: "5" };
    expect(argsOf("list", "add", "--everywhere", "5")).toEqual(everywhere);
    expect(argsOf("list", "add", "5", "--everywhere")).toEqual(everywhere);
    expect(problemOf("list", "add", "--everywhere", "A", "5")).toBe('unexpected "5"');
    expect(problemOf("list", "add", "--everywhere")).toBe("NUMBER is missing");
    expect(problemOf("list", "add", "5")).toBe("NUMBER is missing");
  });

  test("the flags that every command takes are told apart from its own", () => {
    const parsed = typed("wallet", "show", "--json", "--config", "c.toml");
    expect(parsed).toMatchObject({ kind: "run", args: {}, common: { json: true, config: "c.toml" } });
  });

  test("a command that reads its words itself gets them untouched, --help included", () => {
    expect(typed("smsc", "--port", "1", "--help")).toMatchObject({
      kind: "pass",
      words: ["--port", "1", "--help"],
    });
  });

  test("what is asked about is what is explained", () => {
    const names = (...words: string[]) => {
      const parsed = typed(...words);
      return parsed.kind === "help" ? parsed.topic.map((command) => command.name) : null;
    };
    expect(names("help")).toEqual([]);
    expect(names("-h")).toEqual([]);
    expect(names("help", "wallet")).toEqual(["wallet adjust", "wallet show"]);
    expect(names("wallet", "--help")).toEqual(["wallet adjust", "wallet show"]);
    expect(names("help", "wallet", "show")).toEqual(["wallet show"]);
    expect(names("wallet", "show", "--nonsense=1")).toBeNull();
  });

  test.each([
    [["wallet", "adjust", "A", "5", "--reason"], "--reason needs a value: TEXT"],
    [["wallet", "adjust", "A", "5", "--reason", "--dry"], "--reason needs a value: TEXT"],
    [["wallet", "adjust", "A", "5", "--reason", "x", "--reason", "y"], "--reason was given twice"],
    [["wallet", "adjust", "A", "5", "--reason", "x", "--dry=1"], "--dry takes no value"],
    [["wallet", "adjust", "A", "5", "--reason", "x", "--mode", "c"], "--mode must be one of a, b"],
    [["wallet", "adjust", "A", "5"], "--reason TEXT is missing"],
    [["wallet", "adjust", "", "5", "--reason", "x"], "ACCOUNT is missing"],
    [["wallet", "adust"], 'unknown command "wallet adust"; did you mean "wallet adjust"?'],
    [["zzzzzz"], 'unknown command "zzzzzz"'],
    [
      ["--config", "c.toml", "serve"],
      '"--config" is not a command: flags come after one, as in "bendre serve --config FILE"',
    ],
  ])("%j is wrong: %s", (words, problem) => {
    expect(problemOf(...words)).toBe(problem);
  });
});
