import { expect, test } from "vitest";
import type { SearchHit } from "../../src/console/ui/api/contract.ts";
import { opensList, sortHits } from "../../src/console/ui/shell/search-choice.ts";

const AT = "2026-03-01T12:00:00Z";
const part: SearchHit = {
  kind: "no number",
  id: "9003",
  title: "9003",
  looked: 82,
  is_all: true,
  detail: "9003 has 4 digits instead of 8",
};
const sent = (title: string, id: string): SearchHit => ({
  kind: "sent",
  id,
  title,
  status: "DELIVERED",
  at: AT,
  why: null,
});
const row = (title: string): SearchHit => ({
  kind: "row",
  id: "B",
  typed: "9003",
  title,
  line: 3,
  at: AT,
  is_nearly: false,
  corrected: null,
});
const [awa, again, paul] = [sent("+22670119003", "1"), sent("+22670119003", "2"), sent("+22671229003", "3")];

test("a part of a number that fits several people opens the list of them first", () => {
  expect(sortHits([awa, paul, part])).toEqual([part, awa, paul]);
  expect(sortHits([awa, row("70 33 90 03"), part])[0]).toBe(part);
  expect(opensList([awa, paul, part])).toBe(true);
});

test("one person is opened at once, however many texts they had", () => {
  expect(sortHits([awa, again, part])).toEqual([awa, again, part]);
  expect(opensList([awa, part])).toBe(true);
});

test("where nothing was sent to it, what is wrong with the number is said", () => {
  for (const hits of [[part], [row("7,6E+07"), part]]) {
    expect(sortHits(hits)).toEqual(hits);
    expect(opensList(hits)).toBe(false);
  }
});
