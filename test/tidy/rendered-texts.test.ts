/** A phrase becomes a string where it leaves, or goes to a log, and the string is good for nothing else. */
import { expect, test } from "vitest";
import { filesBelow, textOf } from "./source.ts";

const RENDERED = /\b(?:english|renderIn|renderTo)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

test("what a phrase is rendered as is not compared, searched or taken apart", () => {
  const programs = filesBelow("src").filter(
    (file) => /(?<!\.d)\.tsx?$/.test(file) && !file.startsWith("src/i18n/"),
  );
  const calls = programs.flatMap((file) => {
    const text = textOf(file);
    return [...text.matchAll(RENDERED)].map((call) => ({
      file,
      call,
      behind: text.slice(call.index + call[0].length),
    }));
  });
  expect(calls.length).toBeGreaterThan(50);
  const wrong = calls.filter(({ behind }) => /^\s*(?:\??\.\w|===|!==|\[)/.test(behind));
  expect(wrong.map(({ file, call }) => `${file} ${call[0]}`)).toEqual([]);
});
