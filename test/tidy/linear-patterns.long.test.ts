import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type CountedPattern, hostileTexts, readPattern, stepsOf } from "../kit/pattern-steps.ts";
import { filesBelow, isProgram, textOf } from "./source.ts";

/**
 * Every pattern of the source takes time that grows with the length of the text and no faster, whatever stands in the text: what
 * clients, operators, Meta, files, the configuration and people type is matched somewhere, and one quadratic pattern over 64 KB holds everybody up.
 * Steps are counted (pattern-steps.ts), so nothing here depends on a clock.
 */

type Found = {
  readonly place: string;
  readonly file: string;
  readonly source: string;
  readonly flags: string;
};

const BETWEEN_PREFIXES = String.raw`(?:(?<=[\s\d])(?:à|a|au|to)(?=[\s\d,;/]|$)|-|–|—|…|\.{2,3})`;
const CODE_OF_KEY = String.raw`("(?:\\.|[^"\\])*"|[^.[]+)`;

/** What is built while running is not read off the source: each place says what it builds, as it may be at its worst. */
const BUILT: Readonly<Record<string, readonly (readonly [source: string, flags: string])[]>> = {
  "src/core/csv.ts": [
    ["[^;\\r\\n]*", "y"],
    ['" *(?=[;\\r\\n]|$)', "y"],
  ],
  "src/core/number-matcher.ts": [
    [soughtNumberPattern(), ""],
    [soughtNumberPattern(), "g"],
  ],
  "src/config/load-config.ts": [["^\\s*\\[\\s*storage\\s*\\]", ""]],
  "src/console/server/send/mixed-dates.ts": [["\\b(?:(\\d{4}-\\d\\d-\\d\\d)|(\\d\\d?/\\d\\d?))\\b", "g"]],
  "src/console/ui/pages/connect/parse-prefixes.ts": [
    [`[^\\s,;/…–—-]+(?:[^\\S\\n]*${BETWEEN_PREFIXES}(?:[^\\S\\n]*[^\\s,;/…–—-]+)?)*|[^\\s,;/]+`, "giu"],
    [`^(\\d+)\\s*${BETWEEN_PREFIXES}\\s*(\\d+)$`, "iu"],
    [`^(?:${BETWEEN_PREFIXES}[\\s\\d]*\\d|\\d.*${BETWEEN_PREFIXES}|à|au|to)$`, "iu"],
  ],
  "src/console/ui/words/setting-names.ts": [
    [`^operators\\.${CODE_OF_KEY}$`, ""],
    [`^operators\\.${CODE_OF_KEY}\\.connections\\[(\\d+)\\]$`, ""],
    [`^whatsapp\\.numbers\\.${CODE_OF_KEY}$`, ""],
    [`^operators\\.${CODE_OF_KEY}\\.`, ""],
    [`^(whatsapp\\.numbers)\\.${CODE_OF_KEY}\\.`, ""],
  ],
  "src/docs/site/routes.ts": [["^/docs(?:/(?:en|fr))?(/.*)?$", ""]],
  "src/docs/site/search.ts": [["(?<![\\p{L}\\p{N}])mot", "u"]],
};

/** Over texts of our own alone, which are as long as we wrote them: why. */
const PAGES = "a page of ours, in which what somebody typed stands with its marks escaped";
const OUR_OWN_TEXTS: readonly (readonly [file: string, source: string, why: string])[] = [
  [
    "src/docs/site/layout.ts",
    String.raw`(<(?:pre|code|script|textarea)\b[\s\S]*?<\/(?:pre|code|script|textarea)>|<[^>]*>)`,
    PAGES,
  ],
];

const { literals, built } = patternsOfSource();

function soughtNumberPattern(): string {
  const between = "[ .\\u00a0\\u202f-]?";
  return `(?<![\\d+])\\+?(?:0{1,2}${between})?(?:2${between})?${[..."70123456"].join(between)}(?!\\d)`;
}

/** The patterns that are written out, and the places where others are built. */
function patternsOfSource(): {
  readonly literals: readonly Found[];
  readonly built: readonly { file: string; text: string }[];
} {
  const written: Found[] = [];
  const made: { file: string; text: string }[] = [];
  for (const file of filesBelow("src").filter(isProgram)) {
    const text = textOf(file);
    const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
    const look = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        written.push({
          place: `${file}:${line}`,
          file,
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
        });
      }
      const isBuilt =
        (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp";
      if (isBuilt) made.push({ file, text: node.getText() });
      ts.forEachChild(node, look);
    };
    look(tree);
  }
  return { literals: written, built: made };
}

/** Repetitions of what is hostile, and twice as many. */
const TIMES = 64;
/** Twice the length may take so many times the steps: a quadratic pattern takes four times as many. */
const MAX_GROWTH = 2.6;
/** What a text of no length costs. */
const BASE_STEPS = 100;

/** The texts over which a pattern takes more than its share of steps, shortened. */
function slowTexts(pattern: CountedPattern): readonly string[] {
  return hostileTexts(pattern).flatMap((pumped) => {
    const [once, twice] = [stepsOf(pattern, pumped(TIMES)), stepsOf(pattern, pumped(2 * TIMES))];
    const isLinear = Number.isFinite(twice) && twice <= MAX_GROWTH * (once + BASE_STEPS);
    return isLinear ? [] : [JSON.stringify(pumped(3)).slice(0, 80)];
  });
}

const slow = (source: string, flags = ""): boolean => slowTexts(readPattern(source, flags)).length > 0;

describe("the patterns of the source", () => {
  test("each take time that grows with the text's length and no faster", { timeout: 300_000 }, () => {
    expect(literals.length).toBeGreaterThan(400);
    const isOurs = (found: Found) =>
      OUR_OWN_TEXTS.some(([file, source]) => file === found.file && source === found.source);
    const faults = literals.flatMap((found) => {
      const { place, source, flags } = found;
      if (isOurs(found)) return [];
      const [text] = slowTexts(readPattern(source, flags));
      return text === undefined ? [] : [`${place} /${source}/${flags} over ${text}`];
    });
    expect(faults).toEqual([]);
  });

  test("that are built while running are named here with what they come to, and are linear too", () => {
    const files = new Set(built.map(({ file }) => file));
    expect([...files].filter((file) => BUILT[file] === undefined)).toEqual([]);
    const counted = (file: string) => built.filter((one) => one.file === file).length;
    const others = Object.entries(BUILT).filter(([file, patterns]) => counted(file) !== patterns.length);
    expect(others.map(([file]) => file)).toEqual([]);
    const faults = Object.entries(BUILT).flatMap(([file, patterns]) =>
      patterns.flatMap(([source, flags]) => (slow(source, flags) ? [`${file} /${source}/${flags}`] : [])),
    );
    expect(faults).toEqual([]);
  });

  test("over texts of our own are still there", () => {
    const isThere = (named: string, pattern: string) =>
      literals.some(({ file, source }) => file === named && source === pattern);
    expect(OUR_OWN_TEXTS.filter(([file, source]) => !isThere(file, source))).toEqual([]);
  });
});

describe("the counting of steps", () => {
  test.each([
    ["\\0+$", ""],
    ["\\s+$", ""],
    ["\\s*;", ""],
    ["(a+)+b", ""],
    ["(a|aa)+$", ""],
    ["(\\d+)[\\d.]* x", ""],
    ["<[^>]*>", "g"],
    ['"(?:\\\\.|[^"\\\\])*"', "g"],
    ["<!DOCTYPE[^>[]*(?:\\[[^\\]]*\\])?\\s*>", "sy"],
    ["\\{\\{\\s*([^{}]+?)\\s*\\}\\}", "g"],
    ["(?<=\\s*)x", ""],
    ["^\\s*(\\S*)\\s*(.*?)\\s*$", "s"],
  ])("finds that /%s/%s is slow", (source, flags) => {
    expect(slow(source, flags)).toBe(true);
  });

  test.each([
    ["^\\d+$", ""],
    ["(?<!\\s)\\s+$", ""],
    ["[^,;]+", "g"],
    ['"[^"]*(?:"|$)', "g"],
    ['(?=[=+\\-@])(?<=[;\\t][\\s"]*)', "g"],
    ["^(\\w+)(?!\\w) ?(.*)$", ""],
    ["\\p{Cc}+", "gu"],
  ])("finds that /%s/%s is not", (source, flags) => {
    expect(slow(source, flags)).toBe(false);
  });

  test.each([
    ["a|b", "xbz", 1],
    ["^a.c$", "abc", 1],
    ["(?<year>\\d{4})-\\k<year>", "2026-2026", 1],
    ["a{2,3}?b", "aaab", 1],
  ])("reads /%s/ as the engine does", (source, text) => {
    expect(stepsOf(readPattern(source, ""), text)).toBeGreaterThan(0);
    expect(new RegExp(source).test(text)).toBe(true);
  });
});
