import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../../src/db/writer.ts";
import {
  operatorFamily,
  recordOperatorRename,
  resolveOperatorCode,
  unretireCodes,
} from "../../../src/domain/messages/operator-codes.ts";
import { type Books, openBooks } from "../../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const write = <T>(job: Job<T>) => books.store.write(job);
const codes = (operator: string) => write((tx) => operatorFamily(tx, operator));
const rename = (from: string, to: string) => write((tx) => recordOperatorRename(tx, from, to, 1));

describe("an operator that goes by another code", () => {
  test("is looked for under its own code first, then under those it had", async () => {
    expect(await codes("b")).toEqual(["b"]);
    await rename("a", "b");
    expect(await codes("b")).toEqual(["b", "a"]);
    expect(await codes("a")).toEqual(["a", "b"]);
    expect(resolveOperatorCode(books.store.read, "a")).toBe("b");
    expect(resolveOperatorCode(books.store.read, "c")).toBe("c");
  });

  test("is found under every code of a chain, and under those of operators that were joined", async () => {
    await rename("a", "b");
    await rename("x", "b");
    await rename("b", "c");
    expect(await codes("c")).toEqual(["c", "a", "b", "x"]);
    expect(resolveOperatorCode(books.store.read, "a")).toBe("c");
  });

  test("may have its first code back", async () => {
    await rename("a", "b");
    await rename("b", "a");
    expect(await codes("a")).toEqual(["a", "b"]);
    expect(await codes("b")).toEqual(["b", "a"]);
  });

  test("stands for itself when its old code is configured again", async () => {
    await rename("a", "b");
    expect(await write((tx) => unretireCodes(tx, ["a", "b"]))).toBe(1);
    expect(await codes("b")).toEqual(["b"]);
    expect(resolveOperatorCode(books.store.read, "a")).toBe("a");
  });

  test("is not renamed by a change that was rolled back", async () => {
    const failing = write((tx) => {
      recordOperatorRename(tx, "a", "b", 1);
      expect(operatorFamily(tx, "b")).toEqual(["b", "a"]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await codes("b")).toEqual(["b"]);
  });
});
