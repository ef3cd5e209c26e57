import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS } from "../../../src/admin/operations/accounts.ts";
import type { SessionStatus } from "../../../src/channels/sms/operator-session.ts";
import { readiness } from "../../../src/core/health.ts";
import type { Reader } from "../../../src/db/reader.ts";
import type { Store } from "../../../src/db/store.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { recordCheck } from "../../../src/domain/ledger/books-check.ts";
import { paramsIn, phrase, said } from "../../../src/i18n/phrase.ts";
import { createDiskMonitor, systemSpaceOf } from "../../../src/ops/disk-monitor.ts";
import {
  booksCheck,
  databaseCheck,
  diskCheck,
  operatorsCheck,
  queueCheck,
  webhooksCheck,
} from "../../../src/ops/health/checks.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";
import { run } from "../../admin/operations/run-operation.ts";
import { testLog } from "../../kit/test-log.ts";

const HOUR_MS = 3_600_000;

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

describe("operators", () => {
  const bound = { state: "BOUND", downSinceMs: null, lastError: null } as SessionStatus;
  const down = {
    state: "WAITING",
    downSinceMs: 5000,
    lastError: said("the operator refuses the password"),
  } as SessionStatus;

  test("are well while every connection is bound", () => {
    const check = operatorsCheck(() => [{ operator: "orange", connections: [bound, bound] }]);
    expect(check.run()).toMatchObject({
      status: "ok",
      detail: phrase("health.operators", { bound: 2, connections: 2, operators: 1 }),
    });
  });

  test("of which there are none are told, for every number is refused then", () => {
    expect(operatorsCheck(() => []).run()).toMatchObject({
      status: "degraded",
      detail: phrase("health.operators.none"),
      action: phrase("health.operators.none.action"),
    });
  });

  test("that are away are named, with since when and why; one of two links is said apart", () => {
    const { run: look } = operatorsCheck(() => [
      { operator: "orange", connections: [bound, down] },
      { operator: "moov", connections: [{ ...down, downSinceMs: 1000 }] },
    ]);
    expect(look()).toMatchObject({ status: "degraded", sinceMs: 1000 });
    const why = said("the operator refuses the password");
    expect(look().detail).toEqual(
      phrase("health.operators.with", {
        counts: phrase("health.operators", { bound: 1, connections: 3, operators: 2 }),
        parts: [
          phrase("health.operators.away_in_part_because", {
            operator: "orange",
            since: 5000,
            down: 1,
            connections: 2,
            why,
          }),
          phrase("health.operators.away_because", { operator: "moov", since: 1000, why }),
        ],
      }),
    );
  });

  test("that left the configuration while messages wait for them are named, with what to do", () => {
    const { run: look } = operatorsCheck(
      () => [{ operator: "orange", connections: [bound] }],
      () => [{ operator: "telecel", messages: 50 }],
    );
    expect(look()).toMatchObject({
      status: "degraded",
      detail: {
        params: { parts: [phrase("health.operators.left", { count: 50, unconfigured: "telecel" })] },
      },
      action: phrase("health.operators.left.action"),
    });
    const one = operatorsCheck(
      () => [],
      () => [{ operator: "telecel", messages: 1 }],
    );
    expect(one.run().detail).toMatchObject({
      params: { parts: [phrase("health.operators.left", { count: 1, unconfigured: "telecel" })] },
    });
  });

  test("are named five at most", () => {
    const away = Array.from({ length: 40 }, (_, n) => ({ operator: `op${n}`, connections: [down] }));
    const { detail } = operatorsCheck(() => away).run();
    const parts = paramsIn(detail, "health.operators.with")?.parts ?? [];
    expect([parts.length, parts.at(-1)]).toEqual([6, phrase("health.operators.more", { count: 35 })]);
  });
});

describe("the queue", () => {
  const plant = async (messageClass: string, changes = "status = status", account?: string) => {
    const id = await plantBatch(fixture, {
      account: account ?? (await fixture.account()),
      status: "QUEUED",
      messages: ["QUEUED"],
    });
    await fixture.context.store.write((tx) =>
      tx.run(`UPDATE batches SET message_class = ?, ${changes} WHERE ulid = ?`, messageClass, id),
    );
  };
  const look = () => queueCheck(fixture.context.store.read, fixture.clock).run();

  test("is late when an OTP waits for more than a minute, or a TRANSACTIONAL for a quarter of an hour", async () => {
    const sinceMs = fixture.clock.nowMs();
    await plant("OTP");
    await plant("TRANSACTIONAL");
    await plant("MARKETING");
    await fixture.clock.advance(60_000);
    expect(look().status).toBe("ok");
    await fixture.clock.advance(1);
    expect(look()).toMatchObject({ status: "degraded", sinceMs });
    const late = (message_class: string, seconds: number) =>
      phrase("health.queue.late.class", { message_class, seconds, since: sinceMs });
    expect(look().detail).toEqual(phrase("health.queue.late", { parts: [late("OTP", 60)] }));
    await fixture.clock.advance(HOUR_MS);
    expect(look().detail).toEqual(
      phrase("health.queue.late", { parts: [late("OTP", 3660), late("TRANSACTIONAL", 3660)] }),
    );
  });

  test("is not late for what nobody expects to leave: not due, called off, of a suspended account", async () => {
    const suspended = await fixture.account();
    await plant("OTP", "status = 'SCHEDULED', scheduled_at = created_at + 1000000000000");
    await plant("OTP", "cancel_reason = 'CANCELLED'");
    await plant("OTP", "status = status", suspended);
    granted(
      await run(ACCOUNT_OPERATIONS["account suspend"], fixture.context, {
        account: suspended,
        reason: "unpaid",
      }),
    );
    await fixture.clock.advance(HOUR_MS);
    expect(look().status).toBe("ok");
    await plant("OTP");
    await fixture.clock.advance(HOUR_MS);
    expect(look().status).toBe("degraded");
  });

  test("is looked at in pieces when thousands of batches wait, and the oldest is found all the same", async () => {
    const account = await fixture.account();
    for (let each = 0; each < 3; each++) await plant("MARKETING", "status = status", account);
    await fixture.context.store.write((tx) => {
      for (let copy = 10; copy < 1210; copy++) {
        tx.run(
          `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
             created_at, expires_at, charge_on, first_message_id)
           SELECT ?1, substr('B' || printf('%025d', ?1), 1, 26), account_id, status, sender, channel, message_class,
             body, is_test, timezone, created_at, expires_at, charge_on, ?1 FROM batches ORDER BY id LIMIT 1`,
          copy,
        );
        tx.run(
          `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, encoding, segments,
             price, not_before, created_at)
           SELECT ?1, 'M' || ?1, account_id, ?1, 0, msisdn, operator, status, encoding, segments, price, not_before,
             created_at FROM messages ORDER BY id LIMIT 1`,
          copy,
        );
      }
      tx.run("UPDATE batches SET message_class = 'OTP' WHERE id = 1200");
    });
    await fixture.clock.advance(HOUR_MS);
    const check = queueCheck(fixture.context.store.read, fixture.clock);
    const looks = Array.from({ length: 10 }, () => check.run().status);
    expect(looks.slice(0, 4)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(looks.slice(4)).toEqual(["degraded", "degraded", "degraded", "degraded", "degraded", "degraded"]);
  });

  test("is searched by index alone", async () => {
    const plans: string[] = [];
    const { read, directory } = fixture.context.store;
    await plant("OTP");
    const explain = (sql: string) => {
      const db = new Database(join(directory, "bendre.db"));
      const statement = db.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`);
      plans.push(...statement.all().map(({ detail }) => detail));
      statement.finalize();
      db.close();
    };
    const explaining: Reader = {
      ...read,
      all: (sql, ...params) => {
        explain(sql);
        return read.all(sql, ...params);
      },
    };
    queueCheck(explaining, fixture.clock).run();
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter((detail) => /SCAN (messages|b|batches)\b/.test(detail))).toEqual([]);
  });
});

/** Asks for more pages than the database may have (SQLITE_FULL), and leaves it as it was. */
function fillUp(tx: Tx): void {
  const { page_count: most } = tx.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
  tx.get(`PRAGMA max_page_count = ${most}`);
  try {
    tx.run("CREATE TABLE too_large AS SELECT zeroblob(10000000) AS bytes");
  } finally {
    tx.get("PRAGMA max_page_count = 1000000");
  }
}

describe("the database", () => {
  const failing = (store: Store) => {
    let error: Error | null = null;
    let writes = 0;
    return {
      fail: (next: Error | null) => {
        error = next;
      },
      writes: () => writes,
      whenDiskFails: store.whenDiskFails,
      write: ((job) => {
        writes += 1;
        return error ? Promise.reject(error) : store.write(job);
      }) as Store["write"],
    };
  };

  test("is proved by a commit at most every ten seconds while somebody asks, which changes nothing", async () => {
    const { store } = fixture.context;
    const door = failing(store);
    const ready = readiness();
    const check = databaseCheck({ store: door, clock: fixture.clock, log: testLog(), readiness: ready });
    for (let second = 0; second < 30; second++) {
      expect(check.run().status).toBe("ok");
      await fixture.clock.advance(1000);
    }
    expect(door.writes()).toBe(3);
    await fixture.clock.advance(HOUR_MS);
    expect(door.writes()).toBe(3);
    expect(store.read.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  test("that cannot be written makes the appliance not ready until a commit succeeds again", async () => {
    const door = failing(fixture.context.store);
    const ready = readiness();
    const log = testLog();
    const check = databaseCheck({ store: door, clock: fixture.clock, log, readiness: ready });
    door.fail(new Error("database or disk is full"));
    check.run();
    await fixture.clock.advance(0);
    const sinceMs = fixture.clock.nowMs();
    expect(ready.reasons()).toEqual([phrase("readiness.database")]);
    await fixture.clock.advance(60_000);
    expect(check.run()).toMatchObject({ status: "down", sinceMs });
    expect(check.run().detail).toMatchObject({
      code: "health.database.down",
      params: { error: expect.stringContaining("database or disk is full") },
    });
    expect(door.writes()).toBeGreaterThan(50);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    door.fail(null);
    await fixture.clock.advance(1000);
    await fixture.context.store.write(() => {});
    expect(ready.reasons()).toEqual([]);
    expect(check.run().status).toBe("ok");
  });

  test("is proved at once when the disk does not take a write, asked or not", async () => {
    const { store } = fixture.context;
    const door = failing(store);
    const ready = readiness();
    databaseCheck({ store: door, clock: fixture.clock, log: testLog(), readiness: ready });
    await fixture.clock.advance(5000);
    const full = () => store.write((tx) => fillUp(tx));
    await expect(full()).rejects.toThrow(/full/);
    await fixture.clock.advance(0);
    expect([door.writes(), ready.reasons()]).toEqual([1, []]);
    door.fail(new Error("database or disk is full"));
    await fixture.clock.advance(1000);
    await expect(full()).rejects.toThrow(/full/);
    await fixture.clock.advance(0);
    expect(ready.reasons()).toEqual([phrase("readiness.database")]);
    door.fail(null);
    await fixture.clock.advance(1000);
    await store.write(() => {});
    expect(ready.reasons()).toEqual([]);
  });

  test("that answers nothing for seconds is told", async () => {
    const write = (() => new Promise(() => {})) as Store["write"];
    const check = databaseCheck({
      store: { write, whenDiskFails: () => {} },
      clock: fixture.clock,
      log: testLog(),
      readiness: readiness(),
    });
    check.run();
    await fixture.clock.advance(7000);
    expect(check.run()).toMatchObject({
      status: "degraded",
      detail: phrase("health.database.slow", { seconds: 7 }),
    });
  });
});

describe("the disk", () => {
  test("is measured where the data lies", () => {
    const { freeBytes, totalBytes } = systemSpaceOf(fixture.context.store.directory);
    expect(totalBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  });

  const roomOn = (space: () => { freeBytes: number; totalBytes: number }, reserve: number) => {
    const ready = readiness();
    const { store } = fixture.context;
    const deps = { store, clock: fixture.clock, log: testLog(), readiness: ready };
    const settings = { now: () => ({ storage: { reserve_megabytes: reserve } }) };
    return { ready, room: createDiskMonitor({ ...deps, settings, machine: { spaceOf: space } }) };
  };

  test("with little room is degraded; below the reserve, or below a megabyte without one, the appliance is not ready", () => {
    let freeBytes = 0;
    const levels = (reserve: number, ...frees: readonly number[]) => {
      const { ready, room } = roomOn(() => ({ freeBytes, totalBytes: 1e12 }), reserve);
      const check = diskCheck(room);
      return frees.map((megabytes) => {
        freeBytes = megabytes * 1024 * 1024;
        const { status } = check.run();
        return `${megabytes} ${status} ${ready.reasons().length === 0 ? "" : "not "}ready ${room.mayClaim() ? "sends" : "waits"}`;
      });
    };
    expect(levels(256, 512, 511, 256, 255, 128, 127, 0, 512)).toEqual([
      ...["512 ok ready sends", "511 degraded ready sends", "256 degraded ready sends"],
      ...["255 down not ready sends", "128 down not ready sends", "127 down not ready waits"],
      ...["0 down not ready waits", "512 ok ready sends"],
    ]);
    expect(levels(0, 512, 511, 1, 0)).toEqual([
      ...["512 ok ready sends", "511 degraded ready sends", "1 degraded ready sends"],
      "0 down not ready sends",
    ]);
  });

  test("is measured when a write fails, asked or not; what cannot be measured stays as it was", async () => {
    const { store } = fixture.context;
    let freeBytes: number | null = 1e12;
    const { ready, room } = roomOn(() => {
      if (freeBytes === null) throw new Error("no such disk");
      return { freeBytes, totalBytes: 1e12 };
    }, 256);
    await expect(store.write((tx) => fillUp(tx))).rejects.toThrow(/full/);
    expect(ready.reasons()).toEqual([]);
    freeBytes = 1000;
    await expect(store.write((tx) => fillUp(tx))).rejects.toThrow(/full/);
    expect(ready.reasons()).toEqual([phrase("readiness.disk_full")]);
    freeBytes = null;
    room.refresh();
    expect(ready.reasons()).toEqual([phrase("readiness.disk_full")]);
    freeBytes = 1e12;
    await fixture.clock.advance(1000);
    expect(ready.reasons()).toEqual([]);
    expect(fixture.clock.waiting()).toBe(0);
  });
});

describe("the books", () => {
  const checked = (differences: number, failure: string | null = null) =>
    fixture.context.store.write((tx) => {
      const check = { checkedAtMs: fixture.clock.nowMs(), entries: 1, batches: 0, messages: 0 };
      recordCheck(tx, { ...check, differences, detail: "", failure });
    });

  test("are well before they were ever checked, and degraded from a check that found differences", async () => {
    const { run: look } = booksCheck(fixture.context.store.read, fixture.clock);
    expect(look()).toMatchObject({ status: "ok", detail: phrase("health.books.not_yet") });
    await checked(2);
    const sinceMs = fixture.clock.nowMs();
    await fixture.clock.advance(HOUR_MS);
    expect(look()).toMatchObject({
      status: "degraded",
      sinceMs,
      detail: phrase("health.books.differ", { at: sinceMs, count: 2 }),
    });
    await checked(0);
    expect(look().status).toBe("ok");
    await checked(0, "the disk could not be read");
    expect(look().detail).toMatchObject({
      code: "health.books.failed",
      params: { failure: "the disk could not be read" },
    });
  });

  test("are degraded once no check was made for more than 26 hours", async () => {
    const { run: look } = booksCheck(fixture.context.store.read, fixture.clock);
    await checked(0);
    await fixture.clock.advance(26 * HOUR_MS);
    expect(look().status).toBe("ok");
    await fixture.clock.advance(1);
    expect(look()).toMatchObject({ status: "degraded", detail: { code: "health.books.overdue" } });
  });
});

test("webhooks are degraded while an endpoint that is enabled fails again and again", async () => {
  const account = await fixture.account();
  const { store } = fixture.context;
  const { run: look } = webhooksCheck(store.read);
  expect(look()).toMatchObject({ status: "ok", detail: phrase("health.webhooks", { count: 0 }) });
  await store.write((tx) => {
    const accountId = tx.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", account)!.id;
    for (const ulid of ["01ARZ3NDEKTSV4RRFFQ69GAAAA", "01ARZ3NDEKTSV4RRFFQ69GAAAB"]) {
      tx.insert(
        `INSERT INTO webhook_endpoints (ulid, account_id, url, description, events, status, created_at, feed_cursor_us,
           event_cursor) VALUES (?, ?, 'https://example.net/', '', 'MESSAGE_TERMINAL', 'ENABLED', 1, 0, 0)`,
        ulid,
        accountId,
      );
    }
    tx.run("UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE ulid LIKE '%B'");
  });
  expect(look()).toMatchObject({
    status: "degraded",
    detail: phrase("health.webhooks.failing", {
      failing: 1,
      enabled: 2,
      endpoint: "01ARZ3NDEKTSV4RRFFQ69GAAAB",
    }),
  });
});
