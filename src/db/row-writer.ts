/** Writes rows by naming only the columns that change. */
import type { Param } from "./reader.ts";
import type { Tx } from "./writer.ts";

/**
 * Writes the changed fields of a row: `first` are the values of what is always written, `last` say which row it is. How many rows
 * were written; null where there was nothing to write.
 */
type RowWriter<Row> = (
  tx: Tx,
  before: Row,
  after: Row,
  first: readonly Param[],
  last: readonly Param[],
) => number | null;

/** The parts of its statements: `head` names the table, `always` what is written whatever changed, `where` which row. */
type RowSql<Row> = {
  readonly head: string;
  readonly always: readonly string[];
  /** The column of each field that may change. */
  readonly columns: Readonly<Partial<Record<keyof Row, string>>>;
  readonly where: string;
};

/**
 * Writes rows by naming only the columns that change, because SQLite checks an index as soon as a column of it is named. Each
 * statement that results is put together once.
 */
export function createRowWriter<Row extends Readonly<Record<keyof Row, Param>>>(
  sql: RowSql<Row>,
): RowWriter<Row> {
  const fields = Object.keys(sql.columns) as (keyof Row)[];
  const statements = new Map<number, string>();
  const statementOf = (changed: number): string => {
    const known = statements.get(changed);
    if (known !== undefined) return known;
    const sets = fields.filter((_, bit) => changed & (1 << bit)).map((field) => `${sql.columns[field]} = ?`);
    const statement = `${sql.head} ${[...sql.always, ...sets].join(", ")} ${sql.where}`;
    statements.set(changed, statement);
    return statement;
  };
  return (tx, before, after, first, last) => {
    const values: Param[] = [...first];
    let changed = 0;
    let bit = 1;
    for (const field of fields) {
      if (before[field] !== after[field]) {
        changed |= bit;
        values.push(after[field]);
      }
      bit *= 2;
    }
    if (values.length === 0) return null;
    values.push(...last);
    return tx.run(statementOf(changed), ...values);
  };
}
