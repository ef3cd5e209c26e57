import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PagePiece, piecesOf, playedPage } from "../../scripts/questions/pages.ts";
import { QUESTION_PAGES } from "../../scripts/questions/question-pages.ts";
import { ROOT } from "../tidy/source.ts";

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

test.each(QUESTION_PAGES.map(({ file, language }) => [file, language] as const))(
  "%s shows what its commands print today: else bun scripts/questions.ts",
  async (file, language) => {
    const page = textOf(file);
    expect(await playedPage(page, language)).toBe(page);
  },
  60_000,
);

const pages = QUESTION_PAGES.map(({ file }) => piecesOf(textOf(file)));
const isBlock = (piece: PagePiece) => piece.kind === "block";
const commandsOf = (pieces: readonly PagePiece[]) =>
  pieces.flatMap((piece) => {
    if (piece.kind === "scene") return [piece.name];
    return isBlock(piece) ? [piece.command.replace(/--language \w+/, "--language")] : [];
  });

test("both pages ask the same commands at the same moments", () => {
  const [english = [], french = []] = pages.map(commandsOf);
  expect(french).toEqual(english);
  expect(english.length).toBeGreaterThan(30);
});

/** Names that stand before a value or over a column, of what the pages' own commands print. */
function namesIn(pieces: readonly PagePiece[]): Set<string> {
  const outputs = pieces.flatMap((piece) =>
    isBlock(piece) && piece.command.startsWith("bendre") && !piece.command.includes("--language")
      ? [piece.output]
      : [],
  );
  const lines = outputs.flatMap((output) => output.replaceAll("\u00a0", " ").split("\n"));
  const before = lines.flatMap((line) => /^ *([\p{L}(][^:"]{0,40}?) ?:(?: {2}|$)/u.exec(line)?.[1] ?? []);
  const rows = lines.map((line) => line.trim().split(/ {2,}/));
  const heads = rows
    .filter((cells) => cells.every((cell) => /^(\p{Lu}[\p{Lu}' .()]*|P\d\d)$/u.test(cell)))
    .flat();
  return new Set([...before, ...heads]);
}

/** The same in both languages. */
const SAME = ["messages", "segments", "MESSAGES", "SEGMENTS", "action", "PORT", "PART", "stat", "err"];

test("no name of the French page is English", () => {
  const [english = new Set<string>(), french = new Set<string>()] = pages.map(namesIn);
  expect(french.size).toBeGreaterThan(60);
  expect([...french].filter((name) => english.has(name) && !SAME.includes(name))).toEqual([]);
});
