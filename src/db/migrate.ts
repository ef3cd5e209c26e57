/**
 * Brings the database schema to the version of this executable, all steps in one transaction. A database with a newer schema
 * is refused.
 */
import type { Database } from "bun:sqlite";
import afterRelease from "./migrations/0005-to-0008.sql" with { type: "text" };
import toLastNumbered from "./migrations/0008-to-0078.sql" with { type: "text" };
import names from "./migrations/0079-names.sql" with { type: "text" };
import batchSenders from "./migrations/0080-batch-senders.sql" with { type: "text" };
import dismissedTodos from "./migrations/0081-dismissed-todos.sql" with { type: "text" };
import routes from "./migrations/0082-routes.sql" with { type: "text" };
import routeCosts from "./migrations/0083-route-costs.sql" with { type: "text" };
import portedNumbers from "./migrations/0084-ported-numbers.sql" with { type: "text" };
import routeHours from "./migrations/0085-route-hours.sql" with { type: "text" };
import smppUsers from "./migrations/0086-smpp-users.sql" with { type: "text" };
import attemptsJudged from "./migrations/0087-attempts-judged.sql" with { type: "text" };
import partners from "./migrations/0088-partners.sql" with { type: "text" };
import smppTraffic from "./migrations/0089-smpp-traffic.sql" with { type: "text" };
import smppInbound from "./migrations/0090-smpp-inbound.sql" with { type: "text" };
import secondSms from "./migrations/0091-second-sms.sql" with { type: "text" };
import smppBatches from "./migrations/0092-smpp-batches.sql" with { type: "text" };
import newest from "./schema.sql" with { type: "text" };

type Step = { readonly from: number; readonly to: number; readonly sql: string };

/**
 * Every change of the schema that a database can still need, in order, listed by hand. 79 is the baseline. Before it databases may
 * be of the released 0.1.0 (5), of builds of that day which called themselves 0.1.0 (8), or of the last build that numbered its
 * changes one by one (78). What has landed is never edited: a new one follows it.
 */
const STEPS: readonly Step[] = [
  { from: 5, to: 8, sql: afterRelease },
  { from: 8, to: 78, sql: toLastNumbered },
  { from: 78, to: 79, sql: names },
  { from: 79, to: 80, sql: batchSenders },
  { from: 80, to: 81, sql: dismissedTodos },
  { from: 81, to: 82, sql: routes },
  { from: 82, to: 83, sql: routeCosts },
  { from: 83, to: 84, sql: portedNumbers },
  { from: 84, to: 85, sql: routeHours },
  { from: 85, to: 86, sql: smppUsers },
  { from: 86, to: 87, sql: attemptsJudged },
  { from: 87, to: 88, sql: partners },
  { from: 88, to: 89, sql: smppTraffic },
  { from: 89, to: 90, sql: smppInbound },
  { from: 90, to: 91, sql: secondSms },
  { from: 91, to: 92, sql: smppBatches },
];

/** The schema this executable knows; a database with a higher number is refused. */
export const LATEST_SCHEMA = STEPS.at(-1)?.to ?? 0;

/** The build that brings a database of any schema before the baseline to 78: the last whose migrations were numbered one by one. */
export const INTERMEDIATE_BUILD = { version: "0.1.0", commit: "7d375010", via: 78 };

/** Whether this executable can bring a database of an older schema to the newest; 0 is a new one. */
export function isUpgradable(schema: number): boolean {
  return schema === 0 || STEPS.some(({ from }) => from === schema);
}

/** What an upgrade notes for an executable that is too old: which executable upgraded the schema, and the backup made before. */
export type UpgradeNote = { readonly executable: string; readonly backup: string };

/** The schema of a database; 0 of a new one. */
export function readSchema(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/**
 * Migrates a database to the newest schema: all steps in one transaction, so that one which fails, or a crash, leaves it as it was.
 * A new database begins with the result of all of them, schema.sql. It must be of a schema that `isUpgradable`.
 */
export function applyMigrations(db: Database, nowMs: number, note: UpgradeNote | null = null): void {
  const current = readSchema(db);
  if (current >= LATEST_SCHEMA) return;
  db.transaction(() => {
    if (current === 0) {
      db.run(withoutLists(newest));
      noteStep(db, LATEST_SCHEMA, nowMs);
    } else takeSteps(db, current, nowMs);
    if (note) {
      db.query("UPDATE schema_history SET executable = ?, backup = ? WHERE version = ?").run(
        note.executable,
        note.backup,
        LATEST_SCHEMA,
      );
    }
    db.run(`PRAGMA user_version = ${LATEST_SCHEMA}`);
  }).immediate();
}

/** The steps from a schema to the newest, one after the other. */
function takeSteps(db: Database, current: number, nowMs: number): void {
  const first = STEPS.findIndex(({ from }) => from === current);
  if (first < 0) throw new Error(`no path from schema ${current}`);
  for (const { to, sql } of STEPS.slice(first)) {
    db.run(withoutLists(sql));
    noteStep(db, to, nowMs);
  }
}

function noteStep(db: Database, version: number, nowMs: number): void {
  db.query("INSERT INTO schema_history (version, applied_at) VALUES (?, ?)").run(version, nowMs);
}

/** What the last upgrade noted; null where none did, or the database is older than such notes. */
export function readUpgradeNote(db: Database): UpgradeNote | null {
  const columns = db
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('schema_history')")
    .all();
  if (!columns.some(({ name }) => name === "backup")) return null;
  return db
    .query<UpgradeNote, []>(
      "SELECT executable, backup FROM schema_history WHERE backup IS NOT NULL ORDER BY version DESC LIMIT 1",
    )
    .get();
}

const LISTED_CHECK = /(CHECK \()(\w+) (NOT )?IN \(((?:'[^']*',\s*){2,}'[^']*')\)/g;

/**
 * Rewrites each CHECK that a value is one of more than two as comparisons. A list costs its own table, which SQLite builds anew
 * each time that a row is written (sqlite3.c, sqlite3FindInIndex): half of what the row costs. A database that was made with
 * lists keeps them, and refuses the same values.
 */
export function withoutLists(sql: string): string {
  return sql.replace(
    LISTED_CHECK,
    (_, check: string, column: string, not: string | undefined, list: string) => {
      const [compares, joined] = not ? ["<>", " AND "] : ["=", " OR "];
      const each = list.split(/,\s*/).map((value) => `${column} ${compares} ${value}`);
      return `${check}(${each.join(joined)})`;
    },
  );
}
