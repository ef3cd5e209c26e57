/** The schema that the migrations make, as text; run as a program, it writes src/db/schema.sql anew. */
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { join } from "node:path";
import { LATEST_SCHEMA, takeSteps } from "../../src/db/migrate.ts";

export const SCHEMA_FILE = join(import.meta.dir, "../../src/db/schema.sql");

/** Tables, indexes and triggers as SQLite holds them after every migration, in order of type and name, and the rows that these put in. */
export function schemaText(): string {
  const db = new Database(":memory:", { strict: true });
  takeSteps(db, 0, LATEST_SCHEMA, 0);
  const objects = db
    .query<{ type: string; name: string; sql: string }, []>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
       ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name`,
    )
    .all();
  // The history is of each database by itself.
  const filled = objects.filter(({ type, name }) => type === "table" && name !== "schema_history");
  const rows = filled.flatMap(({ name }) => rowsOf(db, name));
  db.close();
  const head =
    "-- Written by `bun test/db/schema-text.ts`: the schema after every migration, which a new database begins with.\n\n";
  return `${head}${[...objects.map(({ sql }) => sql), ...rows].map((sql) => `${sql};\n`).join("\n")}`;
}

/** The rows of a table as statements that insert them. */
function rowsOf(db: Database, table: string): string[] {
  return db
    .query<Record<string, SQLQueryBindings>, []>(`SELECT * FROM ${table}`)
    .all()
    .map((row) => {
      const values = Object.values(row).map((value) =>
        typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`;
    });
}

if (import.meta.main) await Bun.write(SCHEMA_FILE, schemaText());
