/** Sentences that are made in English where something is known have their French, whatever they are about. */
import { expect, test } from "vitest";
import { areasOf } from "../../scripts/phrases/phrase-types.ts";
import { inFrench } from "../../src/words/in-french.ts";
import { filesBelow, textOf } from "../tidy/source.ts";

const missing = (sentences: Iterable<string>) => [...sentences].filter((text) => inFrench(text) === null);

/** Texts of a program that stand behind such words, `"x1"` in place of their values. */
function textsBehind(words: string, ...files: string[]): string[] {
  const call = new RegExp(
    `${words}\\s*((?:(?:\`[^\`]*\`|"(?:[^"\\\\]|\\\\.)*"|'[^']*')(?:\\s*\\+\\s*)?)+)`,
    "g",
  );
  const piece = /`([^`]*)`|"((?:[^"\\]|\\.)*)"|'([^']*)'/g;
  return files
    .flatMap((file) => [...textOf(file).matchAll(call)])
    .map(([, written = ""]) => [...written.matchAll(piece)].map(([, a, b, c]) => a ?? b ?? c ?? "").join(""))
    .map((text) => text.replaceAll(/(?<!\\)\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '"x1"').replaceAll("\\$", "$"))
    .filter((text) => /\p{L}{2}/u.test(text.replaceAll('"x1"', "")));
}

const files = (room: string) => filesBelow(room).filter((file) => file.endsWith(".ts"));

test("nothing is said in French that programs no longer say", () => {
  const programs = files("src").filter((file) => !/^src\/(words|cli\/words\/french)/.test(file));
  const code = programs
    .map(textOf)
    .join("\n")
    .replaceAll(/(["'`])\s*\+\s*(["'`])/g, "")
    .replaceAll(/\\(["'`$])/g, "$1");
  const values = Object.values(areasOf("en").get("value") ?? {});
  expect(values.filter((word) => !code.includes(`"${word}"`))).toEqual([]);
});

test("why a backup cannot be used is said in French", () => {
  const written = [
    ...textsBehind("why(?::| \\?\\?)", "src/store/copy.ts", ...files("src/upkeep/backup")),
    ...textsBehind("return", "src/upkeep/backup/backup-work.ts"),
    ...textsBehind("\\breturn", "src/store/copy.ts"),
  ];
  expect(missing(written)).toEqual([]);
});
