import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { openReader } from "../../src/db/connections.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { openQueuedWriter, type Tx } from "../../src/db/writer.ts";
import { ownDirectory } from "../kit/books.ts";
import { seeded, seeds } from "../kit/seeds.ts";
import { testClock } from "../kit/test-clock.ts";

/** A clock whose turns of the event loop can be counted, and whose steady time a job can let pass. */
function countingClock() {
  const seen = { turns: 0, steadyMs: 0, thrown: [] as unknown[] };
  const clock: Clock = {
    ...testClock(),
    steadyMs: () => seen.steadyMs,
    soon: (callback) => {
      seen.turns += 1;
      setImmediate(() => {
        try {
          callback();
        } catch (error) {
          seen.thrown.push(error);
        }
      });
    },
  };
  return { clock, seen };
}

let directory: ReturnType<typeof ownDirectory>;
let store: Store;
let seen: ReturnType<typeof countingClock>["seen"];
beforeEach(async () => {
  directory = ownDirectory();
  const counting = countingClock();
  seen = counting.seen;
  store = openStore(directory.path, counting.clock);
  await store.write((tx) => tx.run("CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT"));
  seen.turns = 0;
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

const put = (n: number) => store.write((tx) => tx.insert("INSERT INTO t (n) VALUES (?)", n));
const rows = () => store.read.all<{ n: number }>("SELECT n FROM t ORDER BY n").map((row) => row.n);
const commits = () => store.read.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
const reason = (error: unknown) => (error as Error).message;

describe("the one writer", () => {
  test("what a job did beside its rows is undone with them, the last first, and alone", async () => {
    const seen: string[] = [];
    const job = (name: string, fails: boolean) =>
      store.write((tx) => {
        for (const part of [1, 2]) {
          seen.push(`${name}${part}`);
          tx.onRollback(() => seen.push(`not ${name}${part}`));
        }
        if (fails) throw new Error("it fails");
      });
    await Promise.allSettled([job("a", false), job("b", true), job("c", false)]);
    const together = ["a1", "a2", "b1", "b2", "not b2", "not b1", "not a2", "not a1"];
    const apart = ["a1", "a2", "b1", "b2", "not b2", "not b1", "c1", "c2"];
    expect(seen).toEqual([...together, ...apart]);
    await job("d", false);
    expect(seen.slice(-2)).toEqual(["d1", "d2"]);
  });

  test("the version changes with what changed something, and with nothing else", async () => {
    const before = store.version();
    await store.write((tx) => tx.run("DELETE FROM t WHERE n = 5"));
    await store.write((tx) => tx.all("SELECT n FROM t"));
    expect(store.version()).toBe(before);
    await put(1);
    expect(store.version()).not.toBe(before);
  });

  test("jobs that wait together share one transaction, in the order they came", async () => {
    const before = commits();
    seen.turns = 0;
    const order: string[] = [];
    const written = await Promise.all(
      [3, 1, 2].map((n) =>
        store.write((tx) => {
          order.push(`job ${n}`);
          tx.afterCommit(() => order.push(`durable ${n}`));
          return tx.insert("INSERT INTO t (n) VALUES (?)", n);
        }),
      ),
    );
    expect(written).toEqual([3, 1, 2]);
    expect(order).toEqual(["job 3", "job 1", "job 2", "durable 3", "durable 1", "durable 2"]);
    expect(seen.turns).toBe(1);
    expect(commits() - before).toBe(1);
    expect(rows()).toEqual([1, 2, 3]);
  });

  test("jobs that go ahead are done before those that wait in turn, and one that throws is rejected alone", async () => {
    const order: string[] = [];
    const job =
      (name: string, throws = false) =>
      (tx: Tx) => {
        order.push(name);
        if (throws) throw new Error(name);
        return tx.insert("INSERT INTO t DEFAULT VALUES");
      };
    const results = await Promise.allSettled([
      store.write(job("one")),
      store.write(job("first"), "at once", "ahead"),
      store.write(job("second", true), "at once", "ahead"),
      store.writeEach(["two"], (tx) => [job("two")(tx)]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    // What shared the transaction is done again, each for itself; the others wait for it.
    expect(order).toEqual(["first", "second", "first", "second", "one", "two"]);
    expect(rows()).toHaveLength(3);
  });

  test("a job sees what the jobs before it in the same transaction wrote, and its own", async () => {
    const count = () =>
      store.write((tx) => {
        tx.insert("INSERT INTO t DEFAULT VALUES");
        return tx.get<{ n: number }>("SELECT count(*) AS n FROM t")?.n;
      });
    expect(await Promise.all([count(), count()])).toEqual([1, 2]);
  });

  test("a transaction that has lasted four milliseconds is committed, and the rest waits for the next turn", async () => {
    const slow = (n: number) =>
      store.write((tx) => {
        seen.steadyMs += 2;
        tx.insert("INSERT INTO t (n) VALUES (?)", n);
        tx.afterCommit(() => committed.push([n, seen.turns]));
      });
    const committed: number[][] = [];
    await Promise.all([1, 2, 3, 4, 5].map(slow));
    expect(committed).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
    ]);
  });

  test("a job that throws is rejected alone and leaves nothing, while its neighbours commit", async () => {
    const outcomes = await Promise.allSettled([
      put(1),
      store.write((tx) => {
        tx.insert("INSERT INTO t (n) VALUES (20)");
        throw new Error("refused");
      }),
      put(3),
      put(3),
      put(5),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]?.status === "rejected" && reason(outcomes[1].reason)).toBe("refused");
    expect(rows()).toEqual([1, 3, 5]);
  });

  test("what was to follow a commit doesn't follow a rollback, and follows a repeated job once", async () => {
    const followed: string[] = [];
    const outcomes = await Promise.allSettled([
      store.write((tx) => tx.afterCommit(() => followed.push("good"))),
      store.write((tx) => {
        tx.afterCommit(() => followed.push("bad"));
        throw new Error("refused");
      }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected"]);
    expect(followed).toEqual(["good"]);
  });

  test("what follows a commit finds it durable, and before the caller is told", async () => {
    const order: string[] = [];
    await store
      .write((tx) => {
        tx.insert("INSERT INTO t (n) VALUES (7)");
        tx.afterCommit(() => order.push(`effect sees ${rows()}`));
      })
      .then(() => order.push("caller"));
    expect(order).toEqual(["effect sees 7", "caller"]);
  });

  test("an effect that throws doesn't make a durable job run again, nor keep the other effects from theirs", async () => {
    let runs = 0;
    let others = 0;
    await Promise.all([
      store.write((tx) => {
        runs += 1;
        tx.afterCommit(() => {
          throw new Error("a bug");
        });
      }),
      store.write((tx) => {
        tx.afterCommit(() => {
          others += 1;
        });
      }),
    ]);
    await put(1);
    expect([runs, others]).toEqual([1, 1]);
    expect(seen.thrown.map(reason)).toEqual(["a bug"]);
  });

  test("a reader sees nothing of the transaction under way", async () => {
    const seenMeanwhile = await store.write((tx) => {
      tx.insert("INSERT INTO t (n) VALUES (9)");
      return [rows(), tx.all<{ n: number }>("SELECT n FROM t").map((row) => row.n)];
    });
    expect(seenMeanwhile).toEqual([[], [9]]);
    expect(rows()).toEqual([9]);
  });

  test("a reader can't write", () => {
    expect(() => store.read.all("INSERT INTO t (n) VALUES (1)")).toThrow();
    expect(rows()).toEqual([]);
  });

  test("a write asked for by an effect joins a later transaction", async () => {
    let second: Promise<number> | null = null;
    await store.write((tx) =>
      tx.afterCommit(() => {
        second = put(2);
      }),
    );
    expect(await second).toBe(2 as never);
  });

  test("close waits for what was asked for before it", async () => {
    const asked = [1, 2, 3].map(put);
    await store.close();
    expect(await Promise.all(asked)).toEqual([1, 2, 3]);
    store = openStore(directory.path, testClock());
    expect(rows()).toEqual([1, 2, 3]);
  });

  test("a write after the close is refused, and its neighbours too, instead of waiting for ever", async () => {
    await store.close();
    const outcomes = await Promise.allSettled([put(1), put(2)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    store = openStore(directory.path, testClock());
    expect(rows()).toEqual([]);
  });
});

describe("a job that throws", () => {
  /** Jobs asked for together, each of which says its name whenever it is run; those named are refused. */
  const runsOf = async (jobs: readonly string[], guilty: readonly string[]) => {
    const runs: string[] = [];
    const { turns } = seen;
    const outcomes = await Promise.allSettled(
      jobs.map((name) =>
        store.write((tx) => {
          runs.push(name);
          tx.insert("INSERT INTO t DEFAULT VALUES");
          if (guilty.includes(name)) throw new Error(name);
        }),
      ),
    );
    const refused = jobs.filter((_, index) => outcomes[index]?.status === "rejected");
    return { runs: runs.join(" "), refused, transactions: seen.turns - turns };
  };

  test("runs once where it was alone", async () => {
    expect(await runsOf(["bad"], ["bad"])).toEqual({ runs: "bad", refused: ["bad"], transactions: 1 });
  });

  test("runs twice like those it shared a transaction with, which then still share one; those behind it run once", async () => {
    const outcome = await runsOf(["a", "bad", "c", "d"], ["bad"]);
    expect(outcome).toEqual({ runs: "a bad a bad c d", refused: ["bad"], transactions: 3 });
    expect(rows().length).toBe(3);
  });

  test("runs no more often where others throw too", async () => {
    const outcome = await runsOf(["bad", "b", "worse", "d", "worst"], ["bad", "worse", "worst"]);
    expect(outcome).toMatchObject({ runs: "bad b worse b worse d worst d worst", transactions: 5 });
    expect(rows().length).toBe(2);
  });
});

describe("items of one job", () => {
  /** Puts numbers into the table in one job; 0 is refused. */
  const putAll = (numbers: readonly number[], runs: string[] = []) =>
    store.writeEach(numbers, (tx, some) => {
      runs.push(some.join(" "));
      return some.map((n) => {
        if (n === 0) throw new Error("nothing");
        tx.afterCommit(() => runs.push(`${n} durable`));
        return tx.insert("INSERT INTO t (n) VALUES (?)", n);
      });
    });

  test("share it, and each has its own outcome", async () => {
    const runs: string[] = [];
    const outcomes = await putAll([3, 1, 2], runs);
    expect(outcomes).toEqual([3, 1, 2].map((value) => ({ status: "fulfilled", value })));
    expect(runs).toEqual(["3 1 2", "3 durable", "1 durable", "2 durable"]);
    expect(await putAll([])).toEqual([]);
  });

  test("are tried each for itself where one throws: each runs twice, and the others share one commit", async () => {
    const runs: string[] = [];
    const { turns } = seen;
    const neighbour: string[] = [];
    const [, outcomes] = await Promise.all([
      store.write((tx) => neighbour.push(`run ${tx.all("SELECT n FROM t").length}`)),
      putAll([4, 0, 5, 4], runs),
    ]);
    expect(runs).toEqual(["4 0 5 4", "4", "0", "5", "4", "4 durable", "5 durable"]);
    expect(neighbour).toEqual(["run 0", "run 0"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    expect(rows()).toEqual([4, 5]);
    expect(seen.turns - turns).toBe(2);
  });
});

describe("what need not be on the disk before a later commit is", () => {
  const FULL = 2;
  const NORMAL = 1;
  /** How the transaction of a job is synced (sqlite.org/pragma.html#pragma_synchronous). */
  const sync = (tx: Tx) => tx.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous;

  test("does not wait for it, and what comes after does", async () => {
    const synced: unknown[] = [];
    synced.push(await store.write(sync));
    synced.push(await store.write(sync, "with the next"));
    synced.push(await store.write(sync, "with the next"));
    synced.push(await store.write(sync));
    expect(synced).toEqual([FULL, NORMAL, NORMAL, FULL]);
  });

  test("waits with others that must be", async () => {
    const together = [
      store.write(sync, "with the next"),
      store.write(sync),
      store.write(sync, "with the next"),
    ];
    expect(await Promise.all(together)).toEqual([FULL, FULL, FULL]);
    const alone = [store.write(sync, "with the next"), store.write(sync, "with the next")];
    expect(await Promise.all(alone)).toEqual([NORMAL, NORMAL]);
  });

  test("is run again alone as it was asked for when a neighbour threw", async () => {
    const failing = store.write(() => {
      throw new Error("no");
    });
    const soon = store.write(sync, "with the next");
    await expect(failing).rejects.toThrow("no");
    expect(await soon).toBe(NORMAL);
    expect(await store.write(sync)).toBe(FULL);
  });
});

describe("a disk that fails to sync", () => {
  const fault = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC" });

  /** A writer on a database of its own, whose commits and checkpoints fail as they are told to. */
  function failing() {
    const db = new Database(":memory:");
    db.run("CREATE TABLE t (n INTEGER)");
    const fails = { commit: false, checkpoint: false };
    /** Commits that the disk has no room for, and how often somebody was told so. */
    const full = { commits: 0, told: 0 };
    const told: unknown[] = [];
    const prepare = db.prepare.bind(db);
    db.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (sql === "COMMIT") {
        const run = statement.run.bind(statement);
        statement.run = (() => {
          if (fails.commit) throw fault;
          if (full.commits-- > 0) throw Object.assign(new Error("full"), { code: "SQLITE_FULL" });
          return run();
        }) as typeof statement.run;
      }
      return statement;
    }) as typeof db.prepare;
    const keeper = {
      isLong: () => fails.checkpoint,
      copy: () => {
        throw fault;
      },
    };
    const writer = openQueuedWriter(db, testClock(), {
      keeper,
      onSyncFailure: (error) => told.push(error),
      onDiskFailure: () => {
        full.told += 1;
      },
    });
    const insert = (n: number) => writer.write((tx) => tx.run("INSERT INTO t VALUES (?)", n));
    const rows = () => db.query("SELECT n FROM t ORDER BY n").all();
    return { fails, full, told, writer, insert, rows };
  }

  test("commits nothing any more: whatever waits is refused, once, and its owner is told to end", async () => {
    const { fails, told, writer, insert, rows } = failing();
    await writer.write((tx) => tx.run("INSERT INTO t VALUES (0)"), "with the next");
    fails.commit = true;
    const waiting = await Promise.allSettled([insert(1), insert(2)]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // The disk says it once: the next sync succeeds, and what was written before it may be gone all the same.
    fails.commit = false;
    await expect(insert(3)).rejects.toThrow("disk I/O error");
    expect([told, rows()]).toEqual([[fault], [{ n: 0 }]]);
    await writer.idle();
  });

  test("while the log is copied too: what was committed stands, nothing is committed after it", async () => {
    const { fails, told, insert, rows } = failing();
    fails.checkpoint = true;
    expect(await insert(1)).toBe(1);
    await expect(insert(2)).rejects.toThrow("disk I/O error");
    expect([told, rows()]).toEqual([[fault], [{ n: 1 }]]);
  });

  test("whoever waited for a commit goes on before the log is copied, and the next commit comes after that", async () => {
    const order: string[] = [];
    const keeper = {
      isLong: () => order.length === 1,
      copy: () => void order.push("copied"),
    };
    const writer = openQueuedWriter(new Database(":memory:"), testClock(), { keeper });
    const noted = (what: string) =>
      writer.write(() => void order.push(`in ${what}`)).then(() => order.push(what));
    await noted("first").then(() => noted("second"));
    await writer.idle();
    expect(order).toEqual(["in first", "first", "copied", "in second", "second"]);
  });

  test("any other error of a commit is nobody's: each job is tried once more in a transaction of its own", async () => {
    const { told, writer, insert, rows, full } = failing();
    const runs: number[] = [];
    const counted = (n: number) =>
      writer.write((tx) => {
        runs.push(n);
        return tx.run("INSERT INTO t VALUES (?)", n);
      });
    full.commits = 2;
    const outcomes = await Promise.allSettled([counted(1), counted(2), counted(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(runs).toEqual([1, 2, 3, 1, 2, 3]);
    expect(full.told).toBe(1);
    expect(await insert(4)).toBe(1);
    expect([told, rows()]).toEqual([[], [{ n: 2 }, { n: 3 }, { n: 4 }]]);
  });

  test("a full disk is the job's that it refuses, and what shared its transaction is tried alone", async () => {
    const { told, writer, insert, rows, full } = failing();
    const refused = writer.write(() => {
      throw Object.assign(new Error("full"), { code: "SQLITE_FULL" });
    });
    const neighbour = insert(1);
    await expect(refused).rejects.toThrow("full");
    expect(await neighbour).toBe(1);
    expect([told, full.told, rows()]).toEqual([[], 1, [{ n: 1 }]]);
  });

  test("any other error of a commit is its job's alone", async () => {
    const { told, writer, insert } = failing();
    await expect(
      writer.write(() => {
        throw Object.assign(new Error("full"), { code: "SQLITE_FULL" });
      }),
    ).rejects.toThrow("full");
    expect(await insert(1)).toBe(1);
    expect(told).toEqual([]);
  });
});

describe("the writer, whatever throws and whatever the disk takes", () => {
  test.each(seeds(12))(
    "tells everybody, and what it told as written is what stands, in the order it was asked for (seed %d)",
    seeded(async (chance) => {
      const db = new Database(":memory:");
      db.run("CREATE TABLE t (at INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER)");
      const draw = (oneIn: number) => chance.fraction() * oneIn < 1;
      const full = () => Object.assign(new Error("full"), { code: "SQLITE_FULL" });
      const prepare = db.prepare.bind(db);
      db.prepare = ((sql: string) => {
        const statement = prepare(sql);
        const run = statement.run.bind(statement);
        if (sql === "COMMIT" || sql === "BEGIN IMMEDIATE") {
          statement.run = (() => {
            if (draw(6)) throw full();
            return run();
          }) as typeof statement.run;
        }
        return statement;
      }) as typeof db.prepare;
      const writer = openQueuedWriter(db, testClock());
      let next = 0;
      const followed: number[] = [];
      const put = (tx: Tx, n: number) => {
        tx.run("INSERT INTO t (n) VALUES (?)", n);
        tx.afterCommit(() => followed.push(n));
        if (draw(5)) throw draw(2) ? full() : new Error("refused");
        return n;
      };
      const wave = async (): Promise<number[]> => {
        const asked = Array.from({ length: 1 + Math.floor(chance.fraction() * 8) }, async () => {
          const durable = draw(2) ? "at once" : "with the next";
          const numbers = Array.from({ length: Math.floor(chance.fraction() * 5) }, () => next++);
          if (numbers.length === 1) {
            const [outcome] = await Promise.allSettled([writer.write((tx) => put(tx, numbers[0]!), durable)]);
            return outcome.status === "fulfilled" ? [outcome.value] : [];
          }
          const work = (tx: Tx, some: readonly number[]) => some.map((n) => put(tx, n));
          const outcomes = await writer.writeEach(numbers, work, durable);
          expect(outcomes.length).toBe(numbers.length);
          return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
        });
        return (await Promise.all(asked)).flat();
      };
      const written: number[] = [];
      for (let round = 0; round < 10; round++) written.push(...(await wave()));
      await writer.idle();
      const stands = db
        .query<{ n: number }, []>("SELECT n FROM t ORDER BY at")
        .all()
        .map(({ n }) => n);
      expect(stands).toEqual(written.sort((a, b) => a - b));
      expect(followed).toEqual(stands);
    }),
  );
});

describe("the log", () => {
  const pages = () => statSync(join(directory.path, "bendre.db-wal")).size / 4120;
  const text = "x".repeat(3000);
  const writeSome = async (count: number) => {
    for (let n = 0; n < count; n += 50) {
      await store.write((tx) => {
        for (let row = 0; row < 50; row++) tx.run("INSERT INTO u (t) VALUES (?)", text);
      });
    }
  };

  test("stays below its bound while nobody reads for long", async () => {
    await store.write((tx) => tx.run("CREATE TABLE u (n INTEGER PRIMARY KEY, t TEXT)"));
    await writeSome(3000);
    expect(pages()).toBeLessThan(1500);
  });

  test("grows while somebody reads, and shrinks again once he does not", async () => {
    await store.write((tx) => tx.run("CREATE TABLE u (n INTEGER PRIMARY KEY, t TEXT)"));
    await writeSome(10);
    const reader = openReader(directory.path);
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM u").get();
    await writeSome(3000);
    expect(pages()).toBeGreaterThan(3000);
    reader.run("COMMIT");
    reader.close();
    await writeSome(1100);
    expect(pages()).toBeLessThan(2100);
  });
});
