import { expect, test } from "vitest";
import { causePhrase } from "../../src/core/import-row.ts";
import { phrase, said } from "../../src/i18n/phrase.ts";

const LONG = "1".repeat(60);

test("a cause says what stands there, as much of it as is shown", () => {
  const written = phrase("row.written", { text: "demain" });
  expect(causePhrase({ code: "NOT_A_NUMBER", params: { written: "demain" } })).toEqual(
    phrase("row.cause.NOT_A_NUMBER", { written }),
  );
  expect(causePhrase({ code: "NOT_A_NUMBER", params: { written: LONG } })).toEqual(
    phrase("row.cause.NOT_A_NUMBER", { written: phrase("row.written_cut", { text: LONG.slice(0, 40) }) }),
  );
});

test("a cause of a cell says in which column it is, but for that of the numbers", () => {
  const lost = phrase("row.cause.CHARACTER_LOST");
  expect(causePhrase({ code: "CHARACTER_LOST", params: {} })).toEqual(lost);
  expect(causePhrase({ code: "CHARACTER_LOST", params: { column: "nom" } })).toEqual(
    phrase("row.in_column", { column: "nom", what: lost }),
  );
});

test("a number that repeats one names the columns that differ, few of them", () => {
  const of = (columns: readonly string[]) =>
    causePhrase({ code: "DUPLICATE_IN_BATCH", params: { first: 2, columns } });
  expect(of([])).toEqual(phrase("row.cause.DUPLICATE_IN_BATCH.same", { line: 2 }));
  expect(of(["a", "b", "c", "d"])).toEqual(
    phrase("row.cause.DUPLICATE_IN_BATCH.other", { line: 2, columns: "a, b, c…" }),
  );
});

test("what a former version kept is shown as it was, and what says no more than its code is nothing", () => {
  expect(causePhrase({ code: "SAID", params: { said: "it has no number" } })).toEqual(
    said("it has no number"),
  );
  expect(causePhrase({ code: "UNREADABLE_ROW", params: {} })).toBe(null);
  expect(causePhrase({ code: "DUPLICATE_IN_BATCH", params: {} })).toBe(null);
  expect(causePhrase({ code: "SUPPRESSED", params: {} })).toBe(null);
  expect(causePhrase(null)).toBe(null);
});
