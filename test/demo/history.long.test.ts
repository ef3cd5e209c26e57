import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "../../src/admin/reports/ledger-verification.ts";
import { readInSnapshots } from "../../src/db/connections.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { playHistory } from "../../src/demo/history.ts";
import { demoConfig } from "../../src/demo/scenario.ts";
import { configOf } from "../config/sample.ts";
import { testClock } from "../kit/test-clock.ts";

const NOW_MS = Date.UTC(2026, 10, 30, 12);
const DAY_MS = 86_400_000;
const NOWHERE = new Map(["orange", "moov", "telecel"].map((code) => [code, 1] as const));

describe("the month before the demonstration", () => {
  const directory = mkdtempSync(join(tmpdir(), "bendre-history-"));
  let store: Store;

  beforeAll(async () => {
    await playHistory(configOf(demoConfig({ directory, port: 0, ports: NOWHERE })), "en", NOW_MS);
    store = openStore(directory, testClock(NOW_MS));
  });
  afterAll(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  test("has traffic on each of its thirty days, and none after it", () => {
    const days = store.read.all<{ day: string }>(
      "SELECT DISTINCT date(created_at / 1000, 'unixepoch') AS day FROM messages ORDER BY day",
    );
    expect(days.length).toBeGreaterThanOrEqual(30);
    const last = store.read.get<{ at: number }>("SELECT max(finalized_at) AS at FROM messages");
    expect(last?.at).toBeLessThanOrEqual(NOW_MS);
    expect(last?.at).toBeGreaterThan(NOW_MS - DAY_MS);
  });

  test("went over every operator, and not all of it arrived", () => {
    const ends = store.read.all<{ operator: string; status: string }>(
      "SELECT DISTINCT operator, status FROM messages",
    );
    for (const operator of NOWHERE.keys())
      for (const status of ["DELIVERED", "FAILED"]) expect(ends).toContainEqual({ operator, status });
  });

  test("is paid to the franc", () => {
    const { messages, differences } = readInSnapshots(directory, verifyLedger);
    expect(messages).toBeGreaterThan(2000);
    expect(differences).toEqual([]);
  });

  test("is written in the language that was asked for", () => {
    const bodies = store.read.all<{ body: string }>("SELECT DISTINCT body FROM batches");
    expect(bodies.length).toBeGreaterThan(4);
    expect(bodies.filter(({ body }) => /Bonjour|votre|jusqu/.test(body))).toEqual([]);
  });
});
