/** Rows of the files that batches were sent out of: lines of recipients, and rows that were not plainly accepted. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ImportRow } from "../../../src/core/import-row.ts";
import {
  addEarlierRows,
  createFirstRowResolver,
  createLineReader,
  dropImports,
  eraseRows,
  insertImport,
  readLinkedRows,
  readRow,
  readRows,
  rowsByPlace,
  toRuns,
} from "../../../src/domain/messages/import-rows.ts";
import { type Books, openBooks } from "../../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const kept = (batch: number, ...lines: readonly number[]) =>
  books.store.write((tx) =>
    insertImport(tx, batch, { ulid: null, lines: Uint32Array.from(lines), leftOut: 0, rows: [] }),
  );

test("lines that follow each other are one run", () => {
  expect(toRuns(Uint32Array.from([2, 3, 4, 7, 8, 12]))).toEqual([
    ...[
      [0, 2],
      [3, 7],
      [5, 12],
    ],
  ]);
  expect(toRuns(new Uint32Array())).toEqual([]);
});

test("each place has the line that it was kept with, and one of another batch has none", async () => {
  const lines = [2, 3, 4, 7, 8, 12];
  await kept(1, ...lines);
  const lineOf = createLineReader(books.store.read, 1);
  expect(lines.map((_, position) => lineOf(position))).toEqual(lines);
  expect(createLineReader(books.store.read, 2)(0)).toBeNull();
});

test("a file with more gaps than are kept has no lines, and none are told by halves", () => {
  expect(toRuns(Uint32Array.from({ length: 10_001 }, (_, place) => 2 * place))).toEqual([]);
});

test("they go with what else is known of who was in the batch", async () => {
  await kept(1, 2);
  await kept(2, 2);
  await books.store.write((tx) => dropImports(tx, "[1]"));
  expect([createLineReader(books.store.read, 1)(0), createLineReader(books.store.read, 2)(0)]).toEqual([
    null,
    2,
  ]);
});

const ROW: ImportRow = {
  line: 3,
  status: "UNREADABLE",
  cause: { code: "NOT_A_NUMBER", params: { written: "7012" } },
  position: null,
  written: "7012",
  msisdn: "+2267012",
  cells: { nom: "Awa" },
  client_reference: "a",
  of: null,
};
const keep = (batch: number, ...rows: readonly ImportRow[]) =>
  books.store.write((tx) => insertImport(tx, batch, { ulid: null, lines: null, leftOut: 0, rows }));

test("a row is kept as it is: what became of it, why, and what stood in it", async () => {
  const double: ImportRow = {
    ...ROW,
    line: 4,
    status: "DUPLICATE",
    cause: { code: "DUPLICATE_IN_BATCH", params: { first: 2, columns: ["nom"] } },
    position: 2,
    of: { batch: 1, line: 9 },
  };
  await keep(5, ROW, double);
  const { read } = books.store;
  expect(readRows(read, 5, ["UNREADABLE", "DUPLICATE"], 0, 10)).toEqual([
    { ...ROW, batchId: 5 },
    { ...double, batchId: 5 },
  ]);
  expect(readRows(read, 5, ["UNREADABLE"], 4, 10)).toEqual([]);
  expect([...rowsByPlace(read, 5, 0, 5).keys()]).toEqual([2]);
  expect(readLinkedRows(read, 5)).toEqual([{ batch: 5, line: 4, position: 2, of: { batch: 1, line: 9 } }]);
});

test("a row of a correction of a correction is the row of the first file", async () => {
  await keep(5, { ...ROW, of: { batch: 2, line: 8 } });
  await keep(7, { ...ROW, line: 2, of: { batch: 5, line: 3 } });
  const firstOf = createFirstRowResolver(books.store.read, [2, 5, 7]);
  expect(firstOf({ batch: 7, line: 2 })).toEqual({ batch: 2, line: 8 });
  expect(firstOf({ batch: 7, line: 3 })).toEqual({ batch: 7, line: 3 });
});

test("what stood in the row of an earlier file is the same person's, and comes first", async () => {
  await keep(2, ROW);
  await keep(5, { ...ROW, of: { batch: 2, line: 3 } });
  const accepted: ImportRow = {
    ...ROW,
    line: 9,
    status: "ACCEPTED",
    cause: null,
    position: 0,
    written: "70120000",
    msisdn: "+22670120000",
    cells: null,
    client_reference: null,
    of: { batch: 5, line: 3 },
  };
  await keep(7, accepted);
  const { read } = books.store;
  const row = readRow(read, { batch: 7, line: 9 });
  expect(addEarlierRows(read, row ? [row] : []).map(({ batchId, line }) => [batchId, line])).toEqual([
    [2, 3],
    [5, 3],
    [7, 9],
  ]);
});

test("of an erased number nothing stays in its row but what became of it", async () => {
  await keep(5, ROW);
  await books.store.write((tx) => eraseRows(tx, { name: "gone" }, [{ batchId: 5, line: 3 }]));
  expect(readRow(books.store.read, { batch: 5, line: 3 })).toEqual({
    batchId: 5,
    line: 3,
    status: "UNREADABLE",
    cause: { code: "UNREADABLE_ROW", params: {} },
    position: null,
    written: "gone",
    msisdn: null,
    cells: null,
    client_reference: null,
    of: null,
  });
});
