/**
 * A disk that refuses to be written. SQLite writes a transaction's pages when it commits, or before when they are many; so
 * it fails at COMMIT, and then undoes all of it, or at a statement, which it may undo alone
 * (sqlite.org/lang_transaction.html#automatic_rollback).
 */
import type { Chance } from "../../../src/core/chance.ts";
import type { Connection } from "./connection.ts";
import { type DiskErrorCode, diskError } from "./disk-errors.ts";
import type { StatementKind } from "./statement-kind.ts";

export type DiskState = "well" | "full" | "read only";

export type Refusals = {
  readonly set: (state: DiskState, chance: Chance) => void;
  /** What is opened while the disk is read-only cannot write, whatever becomes of the disk. */
  readonly opened: (connection: Connection) => void;
  /** Called before each call; throws what SQLite would throw. */
  readonly check: (connection: Connection, kind: StatementKind) => void;
};

/** How a transaction fares: which of its statements fails, its commit, or nothing. */
type Fate = { left: number | "commit" | "well"; readonly undoesAll: boolean };

/** Refuses as it is told; `count` is told what was refused. */
export function refusals(count: (name: string) => void): Refusals {
  let state: DiskState = "well";
  let draw: Chance | null = null;
  const unwritable = new WeakSet<Connection>();
  const fates = new WeakMap<Connection, Fate>();
  return {
    set: (next, chance) => {
      state = next;
      draw = chance;
    },
    opened: (connection) => {
      if (state === "read only") unwritable.add(connection);
    },
    check: (connection, kind) => {
      const refusal =
        unwritable.has(connection) && isWriting(kind)
          ? { code: "SQLITE_READONLY" as const, where: `at ${kind.kind}`, undoesAll: false }
          : state === "well" || draw === null
            ? null
            : refusalOf(state, draw, fates, connection, kind);
      if (!refusal) return;
      fates.delete(connection);
      if (refusal.undoesAll && connection.isInTransaction()) connection.run("ROLLBACK");
      count(`${refusal.code} ${refusal.where}`);
      throw diskError(refusal.code);
    },
  };
}

type Refusal = { readonly code: DiskErrorCode; readonly where: string; readonly undoesAll: boolean };

function refusalOf(
  state: "full" | "read only",
  chance: Chance,
  fates: WeakMap<Connection, Fate>,
  connection: Connection,
  kind: StatementKind,
): Refusal | null {
  const code = state === "full" ? "SQLITE_FULL" : "SQLITE_IOERR_WRITE";
  const refusal = (where: string, undoesAll = false): Refusal => ({ code, where, undoesAll });
  const fate = fates.get(connection);
  switch (kind.kind) {
    case "begin":
      fates.set(connection, fateOf(state, chance));
      return null;
    case "write":
      if (!connection.isInTransaction()) return chance.fraction() < 0.8 ? refusal("at a statement") : null;
      if (!fate || typeof fate.left === "string") return null;
      fate.left -= 1;
      if (fate.left > 0) return null;
      return refusal(fate.undoesAll ? "at a statement, undoing all" : "at a statement", fate.undoesAll);
    case "commit":
      return fate && fate.left !== "well" ? refusal("at a commit", true) : null;
    case "checkpoint":
      return chance.fraction() < 0.6 ? refusal("at a checkpoint") : null;
    case "journal mode":
      // The index of the log is made when it is first needed, and needs room.
      if (state === "read only" || chance.fraction() > 0.3) return null;
      return { code: "SQLITE_IOERR_SHMSIZE", where: "at the opening", undoesAll: false };
    case "read":
    case "rollback":
    case "synchronous":
      return null;
  }
}

function isWriting(kind: StatementKind): boolean {
  return kind.kind === "write" || (kind.kind === "begin" && kind.writes);
}

/** A full disk lets small transactions through now and then; nothing is written to one that is read-only. */
function fateOf(state: "full" | "read only", chance: Chance): Fate {
  const part = chance.fraction();
  const undoesAll = chance.fraction() < 0.6;
  if (state === "read only") return { left: "commit", undoesAll };
  if (part < 0.2) return { left: "well", undoesAll };
  if (part < 0.65) return { left: "commit", undoesAll };
  return { left: 1 + Math.floor(chance.fraction() ** 2 * 12), undoesAll };
}
