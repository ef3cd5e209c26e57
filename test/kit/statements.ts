/** Every statement that a process prepares, how often it ran, and how many rows it gave: the store's own connections tell. */
import { Database, type Statement } from "bun:sqlite";
import { vi } from "vitest";

export type StatementCount = { runs: number; rows: number };

export type StatementRecord = {
  /** By its SQL text. */
  readonly counts: ReadonlyMap<string, Readonly<StatementCount>>;
  /** Begins to count anew; what is prepared stays known. */
  readonly reset: () => void;
  readonly stop: () => void;
};

/** Records what every database that is opened from now on prepares. */
export function recordStatements(): StatementRecord {
  const counts = new Map<string, StatementCount>();
  const prepare = Database.prototype.prepare;
  const spy = vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database,
    sql: string,
    ...rest: unknown[]
  ) {
    const statement = (prepare as (...args: unknown[]) => Statement).call(this, sql, ...rest);
    const count = counts.get(sql) ?? { runs: 0, rows: 0 };
    counts.set(sql, count);
    const { get, all, run, iterate } = statement;
    const counted =
      <T>(rows: (result: T) => number, work: (...params: never[]) => T) =>
      (...params: never[]): T => {
        count.runs += 1;
        const result = work.apply(statement, params);
        count.rows += rows(result);
        return result;
      };
    return Object.assign(statement, {
      get: counted((row) => (row === null ? 0 : 1), get as never),
      all: counted((rows: unknown[]) => rows.length, all as never),
      run: counted((result: { changes: number }) => result.changes, run as never),
      iterate: counted(() => 0, iterate as never),
    });
  } as never);
  return {
    counts,
    reset: () => {
      for (const count of counts.values()) Object.assign(count, { runs: 0, rows: 0 });
    },
    stop: () => spy.mockRestore(),
  };
}
