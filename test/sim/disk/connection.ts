/** A real connection of `bun:sqlite` whose every call passes somebody who may look at it, refuse it or end it. */
import type { Database, Statement } from "bun:sqlite";
import { kindOf, type StatementKind } from "./statement-kind.ts";

export type Connection = {
  readonly path: string;
  readonly db: Database;
  readonly isReadonly: boolean;
  /** Past everybody who looks. */
  readonly run: (sql: string) => void;
  readonly isInTransaction: () => boolean;
  /** Lets go of its statements, which would keep the files open, and closes it. */
  readonly close: () => void;
  /** Of the statements that follow: when a commit is synced. */
  synchronous: "FULL" | "NORMAL" | "OFF";
  isClosed: boolean;
};

/** Who looks: does the call, or throws instead of it or after it. */
export type Guard = <T>(connection: Connection, kind: StatementKind, call: () => T) => T;

/** Puts `guard` between the caller and a database that was just opened. */
export function guarded(
  path: string,
  db: Database,
  isReadonly: boolean,
  guard: Guard,
  onClose: (connection: Connection) => void,
): Connection {
  const statements = new Set<Statement>();
  const raw = {
    run: db.run.bind(db) as (sql: string, ...params: never[]) => unknown,
    prepare: db.prepare.bind(db) as (sql: string) => Statement,
    close: db.close.bind(db),
  };
  const connection: Connection = {
    path,
    db,
    isReadonly,
    run: (sql) => void raw.run(sql),
    isInTransaction: () => db.inTransaction,
    close: () => {
      if (connection.isClosed) return;
      connection.isClosed = true;
      for (const statement of statements) statement.finalize();
      statements.clear();
      raw.close();
    },
    synchronous: "FULL",
    isClosed: false,
  };
  const prepare = (sql: string): Statement => {
    const statement = guard(connection, { kind: "read" }, () => raw.prepare(sql));
    statements.add(statement);
    return guardedStatement(statement, (call) => guard(connection, kindOf(sql), call));
  };
  const run = (sql: string, ...params: never[]) =>
    guard(connection, kindOf(sql), () => raw.run(sql, ...params));
  const kept = new Map<string, Statement>();
  Object.assign(db, {
    run,
    exec: run,
    prepare,
    query: (sql: string) => {
      const statement = kept.get(sql) ?? prepare(sql);
      kept.set(sql, statement);
      return statement;
    },
    transaction: (work: (...given: never[]) => unknown) => transactions(db, run, work),
    close: () =>
      guard(connection, { kind: "read" }, () => {
        connection.close();
        onClose(connection);
      }),
  });
  return connection;
}

function guardedStatement(statement: Statement, guard: <T>(call: () => T) => T): Statement {
  const { get, all, run, values, iterate } = statement;
  const kind =
    (work: (...params: never[]) => unknown) =>
    (...params: never[]) =>
      guard(() => work.apply(statement, params));
  return Object.assign(statement, {
    get: kind(get),
    all: kind(all),
    run: kind(run),
    values: kind(values),
    iterate: kind(iterate),
  } as never);
}

/** `Database.transaction` prepares its own statements, past everybody who looks: so it is done again here. */
function transactions(
  db: Database,
  run: (sql: string) => unknown,
  work: (...given: never[]) => unknown,
): unknown {
  const begun =
    (begin: string) =>
    (...given: never[]) => {
      run(begin);
      try {
        const result = work(...given);
        run("COMMIT");
        return result;
      } catch (error) {
        if (db.inTransaction) run("ROLLBACK");
        throw error;
      }
    };
  const plain = begun("BEGIN");
  return Object.assign(plain, {
    default: plain,
    deferred: begun("BEGIN DEFERRED"),
    immediate: begun("BEGIN IMMEDIATE"),
    exclusive: begun("BEGIN EXCLUSIVE"),
  });
}
