import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { type Books, openBooks, ownDirectory } from "../kit/books.ts";
import { judgeDirectory } from "./judge.ts";

const directories: (() => void)[] = [];
afterEach(() => {
  for (const remove of directories.splice(0)) remove();
});

/** What is wrong with a copy of a directory in which `work` was done. */
async function judged(
  work: (books: Books) => Promise<readonly string[]>,
  harm?: (directory: string) => void,
) {
  const own = ownDirectory();
  directories.push(own.remove);
  const books = openBooks();
  const promises = await work(books);
  for (const name of ["bendre.db", "bendre.db-wal"])
    copyFileSync(join(books.store.directory, name), join(own.path, name));
  await books.close();
  harm?.(own.path);
  return judgeDirectory(own.path, systemClock, promises);
}

const batchOfTwo = async (books: Books): Promise<readonly string[]> => {
  const account = await books.account();
  const batch = await books.batch(account, { segments: [1, 1] });
  return [`account ${account.ulid}`, `entry topup:${account.ulid}:cash`, `batch ${batch.ulid} of 2`];
};

describe("what a power cut left is judged", () => {
  test("right when everything that was told is there", async () => {
    expect(await judged(batchOfTwo)).toEqual([]);
  });

  test("wrong when something that was told is missing, and it is named", async () => {
    const told = async (books: Books) => [...(await batchOfTwo(books)), "claimed +22670000001"];
    expect(await judged(told)).toEqual(["missing: claimed +22670000001"]);
  });

  test("wrong when a batch lost a message", async () => {
    const problems = await judged(async (books) => {
      const promises = await batchOfTwo(books);
      await books.store.write((tx) => tx.run("DELETE FROM messages WHERE position = 1"));
      return promises;
    });
    expect(problems.join()).toContain("missing: batch");
    expect(problems.join()).toContain("books: ");
  });

  test("wrong when a batch that was told is still being written", async () => {
    const problems = await judged(async (books) => {
      const { ulid } = await books.batch(await books.account(), { staysClosed: true });
      return [`batch ${ulid} of 1`];
    });
    expect(problems.join()).toContain("missing: batch");
  });

  test("wrong when the store does not open", async () => {
    const problems = await judged(batchOfTwo, (directory) => {
      rmSync(join(directory, "bendre.db-wal"));
      writeFileSync(join(directory, "bendre.db"), "no database at all, but text".repeat(1000));
    });
    expect(problems.join()).toMatch(/^the store does not open: /);
  });
});
