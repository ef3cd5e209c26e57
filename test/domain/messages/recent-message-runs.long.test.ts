import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Chance } from "../../../src/core/chance.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import type { Tx } from "../../../src/db/writer.ts";
import {
  blankSendsToNumber,
  createSendCache,
  deleteSendRuns,
  deleteSendRunsBefore,
  recordSendRun,
} from "../../../src/domain/messages/recent-messages.ts";
import { ownDirectory } from "../../kit/books.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { testClock } from "../../kit/test-clock.ts";

type Run = Parameters<typeof recordSendRun>[1];
type Send = { readonly recipient: number; readonly text: number };
type Remembered = { readonly run: Run; readonly sends: readonly Send[] };

let directory: ReturnType<typeof ownDirectory>;
let store: Store;
beforeEach(() => {
  directory = ownDirectory();
  store = openStore(directory.path, testClock());
});
afterEach(async () => {
  await store.close();
  directory.remove();
});

const remember = (tx: Tx, { run, sends }: Remembered) =>
  recordSendRun(tx, run, Float64Array.from(sends.flatMap(({ recipient, text }) => [recipient, text])));
const inTable = (recipient: number, isMarketing: number) =>
  store.read
    .all<{ id: number }>(
      "SELECT message_id AS id FROM recent_messages WHERE recipient_key = ? AND is_marketing = ?",
      recipient,
      isMarketing,
    )
    .map(({ id }) => id);
const count = (table: string) => store.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

/** The messages that are found of a recipient, each once, in order. */
const found = (recipient: number, isMarketing: number) =>
  store.write((tx) => {
    const { withFirst, areOthers } = createSendCache(tx);
    const others = inTable(recipient, isMarketing);
    if (!areOthers) expect(others).toEqual([]);
    const ids = [...withFirst(isMarketing, recipient)].map(({ run, index }) => run.firstId + index);
    return [...new Set([...ids, ...others])].sort((a, b) => a - b);
  });

const RECIPIENTS = 6;
const ANYBODY = 1e9;
const FAR_MS = 1e12;

/** A world in which runs are remembered and forgotten, and what should be found in it. */
function world(chance: Chance) {
  const kept = new Map<number, Remembered>();
  let nextId = 1;
  const draw = (most: number) => Math.floor(chance.fraction() * most);
  const newRun = (count: number, anybody = false): Remembered => {
    const run: Run = { firstId: nextId, plannedAt: draw(1000), isMarketing: draw(2) };
    nextId += count + draw(3);
    const recipient = (index: number) => (anybody ? ANYBODY + run.firstId + index : draw(RECIPIENTS));
    const sends = Array.from({ length: count }, (_, index) => ({
      recipient: recipient(index),
      text: draw(3),
    }));
    return { run: anybody ? { ...run, plannedAt: FAR_MS } : run, sends };
  };
  const expected = (wanted: number, isMarketing: number) =>
    [...kept.values()]
      .filter(({ run }) => run.isMarketing === isMarketing)
      .flatMap(({ run, sends }) =>
        sends.flatMap(({ recipient }, index) => (recipient === wanted ? [run.firstId + index] : [])),
      )
      .sort((a, b) => a - b);
  return { kept, draw, newRun, expected };
}

describe("runs of sends", () => {
  test.each(seeds(4))(
    "are found as they were written, whatever was undone, forgotten, erased, moved or begun anew (seed %d)",
    seeded(async (chance) => {
      const { kept, draw, newRun, expected } = world(chance);
      const erase = (tx: Tx, recipient: number) => {
        blankSendsToNumber(tx, recipient);
        tx.run("DELETE FROM recent_messages WHERE recipient_key = ?", recipient);
      };
      const eraseOne = async (erased: number): Promise<void> => {
        await store.write((tx) => erase(tx, erased));
        for (const [id, { run, sends }] of kept) {
          const left = sends.map((send) => (send.recipient === erased ? { ...send, recipient: -1 } : send));
          kept.set(id, { run, sends: left });
        }
      };
      const fails = (tx: Tx) => {
        remember(tx, newRun(1 + draw(3)));
        if (draw(2) === 0 && kept.size > 0) deleteSendRuns(tx, [...kept.keys()].slice(0, 2));
        if (draw(2) === 0) erase(tx, draw(RECIPIENTS));
        if (draw(2) === 0) remember(tx, newRun(2000, true));
        throw new Error("undone");
      };
      const step = async (): Promise<void> => {
        const one = newRun(1 + draw(4));
        const write = store.write((tx) => remember(tx, one));
        // What shares its transaction fails.
        const other = draw(3) === 0 ? store.write(fails).catch(() => {}) : null;
        await write;
        await other;
        kept.set(one.run.firstId, one);
        if (draw(8) === 0) await eraseOne(draw(RECIPIENTS));
        const [gone] = draw(6) === 0 ? [...kept.keys()].slice(draw(kept.size)) : [];
        if (gone === undefined) return;
        await store.write((tx) => {
          deleteSendRuns(tx, [gone]);
          for (const index of kept.get(gone)?.sends.keys() ?? [])
            tx.run("DELETE FROM recent_messages WHERE message_id = ?", gone + index);
        });
        kept.delete(gone);
      };
      for (let round = 0; round < 4; round++) {
        for (let steps = 0; steps < 25; steps++) await step();
        // Enough for all that is in memory to be on its way, and then to be there.
        if (round === 1) await store.write((tx) => remember(tx, newRun(65_536, true)));
        if (round > 1)
          for (let more = 0; more < 5; more++) await store.write((tx) => remember(tx, newRun(5000, true)));
        for (const again of [false, true]) {
          if (again) {
            await store.close();
            store = openStore(directory.path, testClock());
          }
          for (let recipient = 0; recipient < RECIPIENTS; recipient++)
            for (const kind of [0, 1])
              expect(await found(recipient, kind)).toEqual(expected(recipient, kind));
        }
      }
    }),
    60_000,
  );

  test("that are many go into the table in order of recipients, and are found all the time", async () => {
    const { newRun } = world(seededChance(1));
    const mine: Remembered = {
      run: { firstId: 900_000_000, plannedAt: 5, isMarketing: 0 },
      sends: [{ recipient: 7, text: 1 }],
    };
    await store.write((tx) => remember(tx, mine));
    await store.write((tx) => remember(tx, newRun(65_536, true)));
    for (let more = 0; count("recent_message_runs") > 1 + more || more === 0; more++) {
      expect(await found(7, 0)).toEqual([900_000_000]);
      await store.write((tx) => remember(tx, newRun(4000, true)));
      if (more > 20) throw new Error("they never went");
    }
    expect(inTable(7, 0)).toEqual([900_000_000]);
    expect(count("recent_messages")).toBe(65_537);
  });

  test("of a kind are forgotten by their planned time, so many at once", async () => {
    const at = (firstId: number, plannedAt: number, isMarketing = 1): Remembered => ({
      run: { firstId, plannedAt, isMarketing },
      sends: [{ recipient: 7, text: 1 }],
    });
    for (const each of [at(1, 10), at(2, 20), at(3, 30), at(4, 10, 0)])
      await store.write((tx) => remember(tx, each));
    const forget = (limit: number) => store.write((tx) => deleteSendRunsBefore(tx, 1, 25, limit));
    expect([await forget(1), await forget(5), await forget(5)]).toEqual([1, 1, 0]);
    expect([await found(7, 1), await found(7, 0), count("recent_message_runs")]).toEqual([[3], [4], 2]);
  });
});
