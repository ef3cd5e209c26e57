import { expect, test } from "vitest";
import { parsePrefixes } from "../../src/console/ui/pages/connect/parse-prefixes.ts";

const prefixes = (text: string) => parsePrefixes(text).prefixes.join(" ");
const misread = (text: string) => parsePrefixes(text).misread.map(({ piece, why }) => `${why}: ${piece}`);

test("prefixes are taken as sheets write them: from one to another, behind the country once, with an and", () => {
  for (const [text, read] of [
    ["+226 04 à 07, 44 à 46, 74 et 75", "04 05 06 07 44 45 46 74 75"],
    ["226 04 à 07, 44", "04 05 06 07 44"],
    ["(+226) 04-07", "04 05 06 07"],
    ["22654-22656; 22664–22665", "22654 22655 22656 22664 22665"],
    ["22604-07", "22604 22605 22606 22607"],
    ["64 to 66", "64 65 66"],
    ["04..06/44", "04 05 06 44"],
    ["05 06 07\n22654, 22655;\n+22664 0022665", "05 06 07 22654 22655 22664 22665"],
    ["- 04\n• 05.", "04 05"],
    ["07 XX XX XX, 54xxxxxx", "07 54"],
    ["04, 04 à 05", "04 05"],
    ["", ""],
  ] as const)
    expect([text, prefixes(text), misread(text)]).toEqual([text, read, []]);
});

test("a piece that is no prefix is named as it was typed, with why, and the others are understood", () => {
  for (const [text, read, ...pieces] of [
    ["+226 04 à 07, 44 à 46…", "04 05 06 07", "HALF: 44 à 46…"],
    ["04 à, 05", "05", "HALF: 04 à"],
    ["07 à 04, 05", "05", "BACKWARDS: 07 à 04"],
    ["64 à 3", "", "LENGTHS: 64 à 3"],
    ["000 à 999", "", "TOO_MANY: 000 à 999"],
    ["70123456789012345", "", "TOO_LONG: 70123456789012345"],
    ["Orange 74 … 77, 70.71", "74 75 76 77", "UNCLEAR: Orange", "UNCLEAR: 70.71"],
  ] as const)
    expect([text, prefixes(text), misread(text)]).toEqual([text, read, pieces]);
});
