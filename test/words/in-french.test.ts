/** Sentences that are made in English where something is known have their French, whatever they are about. */
import { expect, test } from "vitest";
import { areasOf } from "../../scripts/phrases/phrase-types.ts";
import { SENTENCES_IN_FRENCH } from "../../src/words/french-sentences.ts";
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

/** Put together of words that do not stand beside each other in a program. */
const PUT_TOGETHER = ["late refusal"];

test("nothing is said in French that programs no longer say", () => {
  const programs = files("src").filter((file) => !/^src\/(words|cli\/words\/french)/.test(file));
  const code = programs
    .map(textOf)
    .join("\n")
    .replaceAll(/(["'`])\s*\+\s*(["'`])/g, "")
    .replaceAll(/\\(["'`$])/g, "$1");
  /** Pieces of a sentence that stand together wherever it is made. */
  const piecesOf = (sentence: string) =>
    sentence
      .split(/\{\}|[:;(),"']|\bof\b|\bby\b/)
      .map((piece) => piece.trim())
      .filter((piece) => /\p{L}{3}/u.test(piece) && piece.length > 9);
  const sentences = Object.keys(SENTENCES_IN_FRENCH);
  const gone = sentences.filter((sentence) => !piecesOf(sentence).every((piece) => code.includes(piece)));
  const isPutTogether = (sentence: string) => PUT_TOGETHER.some((begin) => sentence.startsWith(begin));
  expect(gone.filter((sentence) => !isPutTogether(sentence))).toEqual([]);
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
