import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readInSnapshots } from "../../src/db/connections.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { ownDirectory } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";

const directory = ownDirectory();
let store: Store;
beforeEach(() => {
  store = openStore(directory.path, testClock());
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

const COUNT = "SELECT count(*) AS n FROM audit_entries";
const ENTRY =
  "INSERT INTO audit_entries (at, actor, action, subject, detail) VALUES (1, 'a', 'b', 'c', '{}')";

test("a moment does not see what is committed meanwhile, and is let go of before the next, which does", async () => {
  const second = openSecondWriter();
  const seen = readInSnapshots(directory.path, (inSnapshot) => [
    ...inSnapshot((read) => {
      const before = read.get<{ n: number }>(COUNT)?.n;
      second.insert();
      return [before, read.get<{ n: number }>(COUNT)?.n];
    }),
    second.checkpointed(),
    inSnapshot((read) => read.get<{ n: number }>(COUNT)?.n),
  ]);
  expect(seen).toEqual([0, 0, true, 1]);
  expect(store.read.get<{ n: number }>(COUNT)?.n).toBe(1);
  expect(second.checkpointed()).toBe(true);
  second.close();
});

function openSecondWriter() {
  const db = new Database(`${directory.path}/bendre.db`);
  return {
    insert: () => db.run(ENTRY),
    /** Whether nobody holds an older moment of the database. */
    checkpointed: () => db.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0,
    close: () => db.close(),
  };
}
