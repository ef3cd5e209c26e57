/** The schema that the migrations make, as text; run as a program, it writes schema.sql anew. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { applyMigrations } from "../../src/db/migrate.ts";

export const SCHEMA_FILE = join(import.meta.dir, "schema.sql");

/** Tables, indexes and triggers as SQLite holds them after every migration, in order of type and name. */
export function schemaText(): string {
  const db = new Database(":memory:", { strict: true });
  applyMigrations(db, 0);
  const objects = db
    .query<{ sql: string }, []>(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
       ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name`,
    )
    .all();
  db.close();
  const head = "-- Written by `bun test/db/schema-text.ts`: the schema after every migration.\n\n";
  return `${head}${objects.map(({ sql }) => `${sql};\n`).join("\n")}`;
}

if (import.meta.main) await Bun.write(SCHEMA_FILE, schemaText());
