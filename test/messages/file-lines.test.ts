import { afterEach, beforeEach, expect, test } from "vitest";
import { dropFileLines, fileLinesOf, keepFileLines, runsOf } from "../../src/messages/file-lines.ts";
import { type Books, openBooks } from "../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const kept = (batch: number, ...lines: readonly number[]) =>
  books.store.write((tx) => keepFileLines(tx, batch, Uint32Array.from(lines)));

test("lines that follow each other are one run", () => {
  expect(runsOf(Uint32Array.from([2, 3, 4, 7, 8, 12]))).toEqual([
    ...[
      [0, 2],
      [3, 7],
      [5, 12],
    ],
  ]);
  expect(runsOf(new Uint32Array())).toEqual([]);
});

test("each place has the line that it was kept with, and one of another batch has none", async () => {
  const lines = [2, 3, 4, 7, 8, 12];
  await kept(1, ...lines);
  const lineOf = fileLinesOf(books.store.read, 1);
  expect(lines.map((_, position) => lineOf(position))).toEqual(lines);
  expect(fileLinesOf(books.store.read, 2)(0)).toBeNull();
});

test("a file with more gaps than are kept has no lines, and none are told by halves", () => {
  expect(runsOf(Uint32Array.from({ length: 10_001 }, (_, place) => 2 * place))).toBeNull();
});

test("they go with what else is known of who was in the batch", async () => {
  await kept(1, 2);
  await kept(2, 2);
  await books.store.write((tx) => dropFileLines(tx, "[1]"));
  expect([fileLinesOf(books.store.read, 1)(0), fileLinesOf(books.store.read, 2)(0)]).toEqual([null, 2]);
});
