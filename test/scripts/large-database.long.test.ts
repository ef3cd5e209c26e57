import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "bendre-large-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a script prints; it must succeed. */
function printed(...words: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, ...words]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return stdout.toString();
}

describe("the large database that speed is measured on", () => {
  test("is one that the appliance would have left, and is searched", () => {
    printed("scripts/large-database.ts", directory, "13000");
    const db = new Database(join(directory, "bendre.db"), { readonly: true });
    expect(
      db.query("SELECT count(*) AS messages, sum(is_money_closed) AS closed FROM messages").get(),
    ).toEqual({ messages: 13_000, closed: 13_000 });
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
    expect(printed("scripts/search-speed.ts", directory)).toMatch(/ms .*report delivery: \d+ rows/);
  });
});
