import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../src/db/store.ts";
import { ownDirectory } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";

let directory: ReturnType<typeof ownDirectory>;
let store: Store;
beforeEach(async () => {
  directory = ownDirectory();
  store = openStore(directory.path, testClock());
  await store.write((tx) => {
    tx.run("CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT");
    for (const n of [1, 2, 3]) tx.run("INSERT INTO t (n) VALUES (?)", n);
  });
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

const count = () => store.read.get<{ n: number }>("SELECT count(*) AS n FROM t")?.n;
const add = (n: number) => store.write((tx) => tx.run("INSERT INTO t (n) VALUES (?)", n));

describe("what a statement is given", () => {
  test("is a value for each `?`, or a record with a value for each `$name`", () => {
    const sql = "SELECT n FROM t WHERE n >= $from AND n <= $to AND n <> $from + 1";
    expect(store.read.all(sql, { from: 1, to: 3 })).toEqual([{ n: 1 }, { n: 3 }]);
    expect([...store.read.each(sql, { to: 2, from: 2, other: 5 })]).toEqual([{ n: 2 }]);
  });

  test("is refused where a name or a value is missing, in place of taking it for NULL or for what was given before", async () => {
    expect(store.read.get("SELECT $a AS a, $b AS b", { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
    expect(() => store.read.get("SELECT $a AS a, $b AS b", { a: 1 })).toThrow('Missing parameter "b"');
    expect(() => store.read.get("SELECT $a AS a, $b AS b")).toThrow("is given its parameters");
    expect(() => store.read.get("SELECT ? AS a, ? AS b", 1)).toThrow("expected 2 values");
    const insert = store.write((tx) => tx.run("INSERT INTO t (n) VALUES ($n)", { m: 4 }));
    await expect(insert).rejects.toThrow('Missing parameter "n"');
    await expect(store.write((tx) => tx.run("INSERT INTO t (n) VALUES ($n)"))).rejects.toThrow("is given");
    expect(count()).toBe(3);
  });
});

describe("reading", () => {
  test("the first row or null, every row, or row by row", () => {
    expect(store.read.get("SELECT n FROM t WHERE n = ?", 2)).toEqual({ n: 2 });
    expect(store.read.get("SELECT n FROM t WHERE n = ?", 9)).toBeNull();
    expect(store.read.all("SELECT n FROM t WHERE n > ? ORDER BY n", 1)).toEqual([{ n: 2 }, { n: 3 }]);
    expect([...store.read.each("SELECT n FROM t ORDER BY n")]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test("what a caller was told is durable is seen by its very next read, whatever was read before in the same turn", async () => {
    for (let n = 4; n < 30; n++) {
      expect(count()).toBe(n - 1);
      await add(n);
      expect(count()).toBe(n);
    }
  });

  test("row by row leaves room for other reads in between", () => {
    const seen: number[] = [];
    for (const { n } of store.read.each<{ n: number }>("SELECT n FROM t ORDER BY n")) {
      seen.push(n);
      expect(store.read.get("SELECT n FROM t WHERE n = ?", n)).toEqual({ n });
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test("left half read, it does not keep the reader in the past", async () => {
    for (const row of store.read.each("SELECT n FROM t ORDER BY n")) {
      expect(row).toEqual({ n: 1 });
      break;
    }
    await add(4);
    expect(count()).toBe(4);
  });

  test("a statement that can't be read is told to its caller, and the next read works", () => {
    expect(() => store.read.get("SELECT n FROM nowhere")).toThrow("no such table");
    expect(count()).toBe(3);
  });
});
