import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dir, "../../src/db/migrations");

test("what was in doubt before the fifth step is still in doubt, and found by the end of its number, after it", () => {
  const db = new Database(":memory:", { strict: true });
  const steps = readdirSync(FOLDER)
    .sort()
    .map((file) => readFileSync(join(FOLDER, file), "utf8"));
  for (const step of steps.slice(0, 4)) db.run(step);
  const message = (id: number, status: string, unansweredAt: number | null) =>
    db
      .query(
        `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, encoding, segments,
           price, not_before, unanswered_at, unanswered_until, created_at, submitted_at)
         VALUES (?1, ?1, 1, 1, ?1, '+2267000000' || ?1, 'orange', ?2, 'GSM7', 1, 15, 0, ?3, ?3, 0, 5)`,
      )
      .run(id, status, unansweredAt);
  message(1, "SUBMITTED", 9);
  message(2, "SUBMITTED", null);
  message(3, "SENT", null);
  db.run(steps[4]!);
  expect(
    db.query("SELECT message_id, operator, outcome, written_at, doubt_key FROM unaccepted_submits").all(),
  ).toEqual([
    { message_id: 1, operator: "orange", outcome: "UNANSWERED", written_at: 5, doubt_key: "70000001" },
  ]);
  const plan = db
    .query<{ detail: string }, []>(
      "EXPLAIN QUERY PLAN SELECT id FROM messages WHERE status = 'SUBMITTED' AND msisdn = '+22670000002'",
    )
    .all();
  expect(plan[0]?.detail).toContain("messages_submitted");
  db.close();
});
