/**
 * The store on a disk that refuses, fails and dies: random jobs, of which some throw, and what each of them was told compared
 * with what is there. A job that was told that it is done is there, once; one that was refused is not.
 */
import type { Chance } from "../../../src/core/chance.ts";
import { isSyncFailure } from "../../../src/db/errors.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import type { Durability, Tx } from "../../../src/db/writer.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type Disk, openDisk } from "./disk.ts";
import { Killed } from "./killed.ts";

type Told = "done" | "refused" | "nothing";
type Item = { readonly id: number; told: Told; effects: number; order: number; readonly durable: Durability };
type Run = {
  readonly disk: Disk;
  readonly chance: Chance;
  readonly items: Item[];
  order: number;
  ids: number;
};

class OwnFault extends Error {}

/** So many lives of the store in `directory`; what was found wrong, null where nothing was. */
export async function storeLives(directory: string, lives: number, chance: Chance): Promise<string | null> {
  const run: Run = { disk: openDisk(directory), chance, items: [], order: 0, ids: 0 };
  let wrong: string | null = null;
  for (let life = 1; life <= lives && wrong === null; life++) {
    const how = await lived(run);
    wrong = await judged(run, how);
  }
  return wrong;
}

/** A clock on which time passes with every look, so that transactions are cut anywhere. */
function restlessClock(chance: Chance) {
  const clock = testClock();
  let nowMs = 0;
  return { ...clock, steadyMs: () => (nowMs += chance.fraction() < 0.2 ? 3 : 0) };
}

function opened({ disk, chance }: Run, onSyncFailure: () => void): Store {
  return openStore(disk.directory, restlessClock(chance), { openDatabase: disk.openDatabase, onSyncFailure });
}

/** One life; whether a process died or the power was lost. */
async function lived(run: Run): Promise<"process" | "power"> {
  const { disk, chance } = run;
  const store = opened(run, disk.kill);
  await store.write((tx) =>
    tx.run("CREATE TABLE IF NOT EXISTS things (id INTEGER PRIMARY KEY, filling BLOB)"),
  );
  if (chance.fraction() < 0.7) {
    const where = (["before", "inside", "after"] as const)[Math.floor(chance.fraction() * 3)] ?? "after";
    disk.killAt({ commits: 1 + Math.floor(chance.fraction() * 40), where, onKill: () => {} });
  }
  const rounds = 3 + Math.floor(chance.fraction() * 5);
  for (let round = 0; round < rounds; round++) {
    const part = chance.fraction();
    disk.refuse(part < 0.3 ? "full" : part < 0.4 ? "read only" : "well", chance);
    if (chance.fraction() < 0.03) disk.failNextSync();
    await Promise.all(Array.from({ length: Math.floor(chance.fraction() * 12) }, () => asked(run, store)));
  }
  disk.refuse("well", chance);
  const how = chance.fraction() < 0.5 ? "process" : "power";
  if (chance.fraction() < 0.2) await store.close().catch(() => {});
  disk.crash(how, chance);
  return how;
}

async function asked(run: Run, store: Store): Promise<void> {
  const { chance } = run;
  const durable: Durability = chance.fraction() < 0.5 ? "at once" : "with the next";
  const items = Array.from(
    { length: chance.fraction() < 0.6 ? 1 : 1 + Math.floor(chance.fraction() * 6) },
    () => {
      const item: Item = { id: ++run.ids, told: "nothing", effects: 0, order: 0, durable };
      run.items.push(item);
      return item;
    },
  );
  const faulty = new Set(items.filter(() => chance.fraction() < 0.1));
  const statements = 1 + Math.floor(chance.fraction() * 3);
  const work = (tx: Tx, some: readonly Item[]) =>
    some.map((item) => {
      tx.run("INSERT INTO things (id, filling) VALUES (?, zeroblob(?))", item.id, 10 * (item.id % 300));
      for (let more = 1; more < statements; more++)
        tx.run("UPDATE things SET filling = zeroblob(?) WHERE id = ?", 700 * more, item.id);
      tx.afterCommit(() => {
        item.effects += 1;
      });
      if (faulty.has(item)) throw new OwnFault("its own fault");
      return item.id;
    });
  const [single] = items;
  const outcomes =
    items.length === 1 && single
      ? await Promise.allSettled([store.write((tx) => work(tx, [single])[0], durable)])
      : await store.writeEach(items, work, durable);
  for (const [index, item] of items.entries()) tell(run, item, outcomes[index]);
}

function tell(run: Run, item: Item, outcome: PromiseSettledResult<unknown> | undefined): void {
  if (outcome?.status === "fulfilled") {
    item.told = outcome.value === item.id ? "done" : "refused";
    item.order = ++run.order;
    return;
  }
  const reason: unknown = outcome?.reason;
  // Of a job that was under way when the process died or the disk failed, nobody knows.
  item.told = reason instanceof Killed || isSyncFailure(reason) ? "nothing" : "refused";
}

async function judged(run: Run, how: "process" | "power"): Promise<string | null> {
  const store = opened(run, () => {});
  const there = new Set(store.read.all<{ id: number }>("SELECT id FROM things").map(({ id }) => id));
  await store.close();
  run.disk.crash("process", run.chance);
  const { items } = run;
  const lastSafe = Math.max(
    0,
    ...items
      .filter((item) => item.told === "done" && (how === "process" || item.durable === "at once"))
      .map(({ order }) => order),
  );
  for (const item of items) {
    const isThere = there.has(item.id);
    if (item.told === "refused" && isThere) return `${item.id} was refused, and is there`;
    if (item.told === "done" && item.order <= lastSafe && !isThere) return `${item.id} was done, and is gone`;
    if (item.told === "done" && item.effects !== 1)
      return `the effect of ${item.id} came ${item.effects} times`;
    if (item.told === "refused" && item.effects > 0) return `${item.id} was refused, and had its effect`;
  }
  // Whatever the crash took is settled; the next life is judged by what is there now.
  run.items.splice(
    0,
    items.length,
    ...items
      .filter(({ id }) => there.has(id))
      .map((item) => ({ ...item, told: "done" as const, order: 0, effects: 1 })),
  );
  return null;
}
