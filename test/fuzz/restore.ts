import type { Store } from "../../src/db/store.ts";

type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/**
 * Puts the rows of a store back to what they are now, where anything was written meanwhile, and says whether any had changed: an
 * input must not depend on those before it. Ids that are kept in memory go on.
 */
export function restorer(store: Store): () => Promise<boolean> {
  const names = store.read
    .all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .map(({ name }) => name);
  const tables = names.map((name) => {
    const rows = store.read.all<Row>(`SELECT * FROM ${name}`);
    const columns = Object.keys(rows[0] ?? {});
    const places = columns.map(() => "?").join();
    return { name, rows, insert: `INSERT INTO ${name} (${columns.join()}) VALUES (${places})` };
  });
  // A ledger that only grows has guards, which stand aside for the moment.
  const guards = store.read.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE%'",
  );
  const hasChanged = () =>
    tables.some(({ name, rows }) => !Bun.deepEquals(store.read.all<Row>(`SELECT * FROM ${name}`), rows));
  let version = store.version();
  return async () => {
    const found = store.version();
    // A checkpoint gives another version too.
    if (found === version || !hasChanged()) {
      version = found;
      return false;
    }
    await store.write((tx) => {
      tx.get("PRAGMA defer_foreign_keys = ON");
      for (const { name } of guards) tx.run(`DROP TRIGGER ${name}`);
      for (const { name } of tables) tx.run(`DELETE FROM ${name}`);
      for (const { rows, insert } of tables) for (const row of rows) tx.run(insert, ...Object.values(row));
      for (const { sql } of guards) tx.run(sql);
    }, "with the next");
    version = store.version();
    return true;
  };
}
