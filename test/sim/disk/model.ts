/**
 * Random lives of a small product on a simulated disk, and a model of what must be there after each crash. The product keeps
 * numbered transactions: each writes its number into some cells and adds an entry of some length. What a crash leaves must be
 * the transactions up to some number, whole: at least to the last that was acknowledged as durable.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Chance } from "../../../src/core/chance.ts";
import { DATABASE_FILE } from "../../../src/db/connections.ts";
import { isSyncFailure } from "../../../src/db/errors.ts";
import { type Disk, type KillAt, openDisk } from "./disk.ts";
import { Killed } from "./killed.ts";

/** How a product may go wrong. */
export type Mistake =
  | "none"
  /** It says that a commit is durable that was not synced. */
  | "acknowledges too early"
  /** It goes on after a sync that failed. */
  | "goes on after a failed sync"
  /** It begins on the log that it finds, and does not write it anew. */
  | "trusts the log";

type Transaction = { readonly cells: readonly number[]; readonly octets: number };

type Model = {
  /** All that were ever tried, by number from 1; those that a crash took are forgotten. */
  tried: Transaction[];
  /** The last that is there for certain; that is there as long as the power holds. */
  durable: number;
  committed: number;
  /** No later one can be there. */
  most: number;
};

const CELLS = 40;

/** Lives one after the other in `directory`; what was found wrong, null where nothing was. */
export function livesOf(
  directory: string,
  lives: number,
  chance: Chance,
  mistake: Mistake,
): { readonly wrong: string | null; readonly disk: Disk } {
  const disk = openDisk(directory, "empty");
  const model: Model = { tried: [], durable: 0, committed: 0, most: 0 };
  for (let life = 1; life <= lives; life++) {
    const how = chance.fraction() < 0.4 ? "process" : "power";
    const wrong = untilItsEnd(() => {
      if (chance.fraction() < 0.15) disk.killAt({ commits: 0, where: "in a checkpoint", onKill: () => {} });
      const db = opened(disk, mistake);
      const told = judged(db, model, mistake);
      disk.killAt(null);
      if (told === null) lived(disk, db, model, chance, mistake);
      return told;
    });
    disk.crash(how, chance);
    if (wrong !== null) return { wrong: `life ${life}: ${wrong}`, disk };
    if (how === "power") model.committed = model.durable;
  }
  const wrong = untilItsEnd(() => judged(opened(disk, mistake), model, mistake));
  disk.crash("process", chance);
  return { wrong, disk };
}

/** A life ends when it is killed or when its disk fails. */
function untilItsEnd(life: () => string | null): string | null {
  try {
    return life();
  } catch (error) {
    if (error instanceof Killed || isSyncFailure(error)) return null;
    return String(error);
  }
}

function opened(disk: Disk, mistake: Mistake): Database {
  const db = disk.openDatabase(join(disk.directory, DATABASE_FILE), {
    create: true,
    readwrite: true,
    strict: true,
  });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run("PRAGMA synchronous = FULL");
  if (mistake !== "trusts the log") db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.run("CREATE TABLE IF NOT EXISTS cells (cell INTEGER PRIMARY KEY, number INTEGER, filling BLOB)");
  db.run("CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, octets INTEGER, filling BLOB)");
  return db;
}

/** What a life does, to its end or to the death that was drawn for it. */
function lived(disk: Disk, db: Database, model: Model, chance: Chance, mistake: Mistake): void {
  const where = (["before", "inside", "after", "in a checkpoint"] as const)[
    Math.floor(chance.fraction() * 4)
  ];
  if (where) disk.killAt({ commits: 1 + Math.floor(chance.fraction() * 14), where, onKill: () => {} });
  const steps = 4 + Math.floor(chance.fraction() * 14);
  for (let step = 0; step < steps; step++) {
    const part = chance.fraction();
    if (part < 0.08) db.run(`PRAGMA wal_checkpoint(${chance.fraction() < 0.7 ? "PASSIVE" : "TRUNCATE"})`);
    else if (part < 0.11) disk.failNextSync();
    else if (part < 0.16) {
      // It writes nothing, so it syncs nothing either.
      db.run("PRAGMA synchronous = FULL");
      db.run("BEGIN IMMEDIATE");
      db.run("COMMIT");
    } else {
      const isSynced = chance.fraction() < 0.5;
      db.run(`PRAGMA synchronous = ${isSynced ? "FULL" : "NORMAL"}`);
      commit(db, model, chance, {
        where,
        isSynced: isSynced || mistake === "acknowledges too early",
        mistake,
      });
    }
  }
}

type Trial = {
  readonly where: KillAt["where"] | undefined;
  readonly isSynced: boolean;
  readonly mistake: Mistake;
};

function commit(db: Database, model: Model, chance: Chance, { where, isSynced, mistake }: Trial): void {
  const acknowledged = (): void => {
    model.committed = model.tried.length;
    if (isSynced) model.durable = model.tried.length;
  };
  try {
    model.most = model.tried.length + 1;
    transact(db, model, chance);
  } catch (error) {
    const isKilled = error instanceof Killed;
    if (isKilled && where === "before") model.most -= 1;
    if (isKilled && where === "after") acknowledged();
    if (isKilled || mistake !== "goes on after a failed sync") throw error;
    // To this product a commit that failed is one that may be there.
    return;
  }
  acknowledged();
}

function transact(db: Database, model: Model, chance: Chance): void {
  const cells = Array.from({ length: 1 + Math.floor(chance.fraction() * 5) }, () =>
    Math.floor(chance.fraction() * CELLS),
  );
  const octets = Math.floor(chance.fraction() ** 4 * 20_000);
  model.tried.push({ cells, octets });
  const number = model.tried.length;
  db.run("BEGIN IMMEDIATE");
  db.prepare("INSERT INTO entries VALUES (?, ?, zeroblob(?))").run(number, octets, octets);
  const write = db.prepare(
    "INSERT INTO cells VALUES (?, ?, zeroblob(900)) ON CONFLICT (cell) DO UPDATE SET number = excluded.number",
  );
  for (const cell of cells) write.run(cell, number);
  db.run("COMMIT");
}

/** Compares what is there with what must be; takes what is there for the truth from here on. */
function judged(db: Database, model: Model, mistake: Mistake): string | null {
  const sound = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (sound?.integrity_check !== "ok") return `damaged: ${sound?.integrity_check}`;
  const entries = db.query<{ number: number; octets: number; length: number }, []>(
    "SELECT number, octets, length(filling) AS length FROM entries ORDER BY number",
  );
  const there = entries.all();
  const reached = there.length;
  if (
    there.some(
      ({ number, octets, length }, at) =>
        number !== at + 1 || octets !== length || model.tried[at]?.octets !== octets,
    )
  )
    return "entries are not those that were written, in their order";
  if (reached < model.durable)
    return `${model.durable} was durable, and ${reached} is the last that is there`;
  if (reached < model.committed)
    return `${model.committed} was committed, and ${reached} is the last that is there`;
  if (reached > model.most) return `${reached} is there, and was never committed`;
  const expected = new Map<number, number>();
  for (const [at, { cells }] of model.tried.slice(0, reached).entries())
    for (const cell of cells) expected.set(cell, at + 1);
  const cells = db
    .query<{ cell: number; number: number }, []>("SELECT cell, number FROM cells ORDER BY cell")
    .all();
  const isHalf =
    cells.length !== expected.size || cells.some(({ cell, number }) => expected.get(cell) !== number);
  if (isHalf) return "a transaction is there by half";
  model.tried = model.tried.slice(0, reached);
  model.committed = reached;
  // The log that was found was made durable before anything else, or is not known to be.
  if (mistake !== "trusts the log") model.durable = reached;
  return null;
}
