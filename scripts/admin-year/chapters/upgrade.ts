import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configure } from "../configuration.ts";
import { comesTrue, machineAt, type Platform } from "../machine.ts";
import { operatorOf } from "../operators.ts";
import { worldClock } from "../world-clock.ts";
import type { Chapter, Year } from "../year.ts";

const RELEASED = join(import.meta.dir, "../../../test/db/released");

/** A colleague brings machines that run older versions: each is upgraded, and sends what waited in it. */
export const upgrade: Chapter = async (year) => {
  for (const name of readdirSync(RELEASED).sort()) await upgradeFrom(year, name);
};

async function upgradeFrom(year: Year, name: string): Promise<void> {
  const { story, executable, place, clockLibrary } = year;
  const version = name.replace(".sql", "");
  const clock = worldClock(clockLibrary, join(place, `clock-${version}`));
  const machine = machineAt({ name: version, root: join(place, `of-${version}`), executable, clock, story });
  const found = lay(machine, join(RELEASED, name));
  story.saw(`a database of ${version}: ${found.messages} messages, ${found.due} of them for later`);
  // It was on its own in its time: shortly before what waits is due.
  clock.set(new Date(found.dueMs - 60_000));
  const orange = await operatorOf("orange", [...clock.prefix, executable], ["--strict"]);
  await machine.install();
  configure({ ...year, machine, orange, moov: orange }, 0);
  await machine.serve();
  const { backups } = await machine.bendre("backup", "list");
  story.promise(
    JSON.stringify(backups).includes("before-"),
    "it made a backup of what it was, before",
    backups,
  );
  const all = async () => (await machine.quietly("ledger", "check")) as { messages?: number };
  story.promise(
    (await all()).messages === found.messages,
    "every message is there, and the books agree",
    await all(),
  );
  clock.set(new Date(found.dueMs + 1000));
  await machine.pass(0.01);
  const isSent = await comesTrue(() => orange.texts().length === found.due);
  story.promise(isSent, `what waited leaves at its time: ${found.due}`, orange.texts());
  await machine.stop();
  await orange.kill();
  await tooOld(machine, year);
}

/** Puts a database where the machine will have it, and says what is in it. */
function lay(machine: Platform, file: string): { messages: number; due: number; dueMs: number } {
  mkdirSync(machine.data, { recursive: true, mode: 0o700 });
  const db = new Database(join(machine.data, "bendre.db"), { create: true });
  db.run(readFileSync(file, "utf8"));
  db.run("PRAGMA journal_mode = WAL");
  const count = (sql: string) => Number(db.query(sql).values()[0]?.[0] ?? 0);
  const found = {
    messages: count("SELECT count(*) FROM messages"),
    due: count("SELECT count(*) FROM messages WHERE status = 'QUEUED'"),
    dueMs: count("SELECT max(scheduled_at) FROM batches WHERE status = 'SCHEDULED'"),
  };
  db.close();
  return found;
}

/** A still newer executable has had the data: this one says so, and that starting again does not help. */
async function tooOld(machine: Platform, { story }: Year): Promise<void> {
  const db = new Database(join(machine.data, "bendre.db"));
  db.run(
    "UPDATE schema_history SET executable = '99.0.0' WHERE version = (SELECT max(version) FROM schema_history)",
  );
  db.run(`PRAGMA user_version = ${Number(db.query("PRAGMA user_version").values()[0]?.[0]) + 1}`);
  db.close();
  const { exitCode, told } = await machine.failsToServe();
  story.saw(told);
  story.promise(
    exitCode === 3 && told.includes("99.0.0"),
    "data of a newer version are refused by name, with 3",
    exitCode,
  );
}
