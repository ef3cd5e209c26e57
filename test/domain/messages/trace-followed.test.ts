import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../../src/db/store.ts";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { createTraceLogger, type TraceRequest, UnknownMessage } from "../../../src/domain/messages/trace.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, refusedForGood } from "../../kit/facts.ts";
import { testLog } from "../../kit/test-log.ts";

let books: Books;
let rows: readonly number[];
let ids: readonly string[];
let store: Store | null = null;
beforeEach(async () => {
  books = openBooks();
  rows = (await books.batch(await books.account(), { segments: [1, 1, 1] })).messages;
  ids = rows.map((row) => String(books.messageRow(row).ulid));
  await books.store.close();
});
afterEach(async () => {
  await store?.close();
  store = null;
  rmSync(books.store.directory, { recursive: true });
});

/** The store opened anew by a server whose log has steps. */
function opened(asked: Partial<TraceRequest>) {
  const log = testLog();
  const plain = testLog();
  const look = createTraceLogger(plain, log, { level: "info", rooms: [], follow: [], ...asked });
  const slow = look && { steps: look.steps, slowMs: 10_000 };
  store = openStore(books.store.directory, books.clock, { onSyncFailure: () => {}, look: slow });
  look?.begin(store.read);
  const again = store;
  const apply = (...facts: Parameters<typeof applyFacts>[1][number][]) =>
    again.write((tx) => applyFacts(tx, facts, books.clock.nowMs()));
  /** What the log got that goes by the level, and the one that takes every line. */
  const steps = () => [...plain.lines, ...log.lines].filter(({ level }) => level === "debug");
  return { look, store, apply, steps, plain, always: log };
}

describe("a server in which nobody looks", () => {
  test("has no log of steps, so that none is built", () => {
    expect(opened({ level: "info", rooms: ["sms"] }).look).toBe(null);
  });
});

describe("the level debug", () => {
  test("tells every fact with what it did to its message, once it is durable", async () => {
    const { apply, steps } = opened({ level: "debug" });
    const [row = 0] = rows;
    await apply(claimed(row), partAccepted(row), delivered(row));
    expect(steps()).toMatchObject([
      {
        message: "fact",
        room: "messages",
        message_id: ids[0],
        fact: "claimed",
        from: "QUEUED",
        to: "SUBMITTED",
      },
      { fact: "part_accepted", from: "SUBMITTED", to: "SENT", part: 1 },
      { fact: "receipt", from: "SENT", to: "DELIVERED", part: 1, verdict: "delivered" },
    ]);
  });

  test("tells nothing of a transaction that came to nothing", async () => {
    const { store, steps } = opened({ level: "debug" });
    const failing = store.write((tx) => {
      applyFacts(tx, [claimed(rows[0] ?? 0)], books.clock.nowMs());
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(steps()).toEqual([]);
  });

  test("is asked at each step, for it may be another one by then", async () => {
    const { apply, plain, always } = opened({ level: "debug" });
    await apply(claimed(rows[0] ?? 0));
    expect(plain.lines).toHaveLength(1);
    expect(always.lines).toEqual([]);
  });

  test("tells nothing of rooms that were not asked for", async () => {
    const { apply, steps } = opened({ level: "debug", rooms: ["webhooks"] });
    await apply(claimed(rows[0] ?? 0));
    expect(steps()).toEqual([]);
  });
});

describe("a message that is followed", () => {
  test("is told at any level, and alone; several may be", async () => {
    const { apply, steps } = opened({ level: "error", follow: [ids[1] ?? "", ids[2] ?? ""] });
    await apply(...rows.map(claimed), refusedForGood(rows[2] ?? 0));
    expect(steps().map(({ message_id, fact }) => [message_id, fact])).toEqual([
      [ids[1], "claimed"],
      [ids[2], "claimed"],
      [ids[2], "refused"],
    ]);
  });

  test("must exist", () => {
    expect(() => opened({ follow: ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] })).toThrow(UnknownMessage);
  });
});
