import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import {
  DELIVERY_KEYS,
  type DeliveryQuery,
  type DeliveryTimeline,
  deliveryReport,
  reportDeliveryTimeline,
} from "../../../src/admin/reports/delivery.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Reader } from "../../../src/db/reader.ts";
import { startSearchUpkeep } from "../../../src/ops/search-upkeep.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, undelivered } from "../../kit/facts.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { adminConfig, codeOf, granted } from "../operations/fixture.ts";

let books: Books;
let context: AdminContext;
beforeEach(() => {
  books = openBooks();
  const { store, clock, newId } = books;
  context = {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
});
afterEach(() => books.close());

const NOTHING = { by: null, account: null, from: null, to: null };
const course = async (query: Partial<DeliveryQuery>, of = context): Promise<DeliveryTimeline> =>
  granted(await reportDeliveryTimeline(of, { ...NOTHING, ...query }));

async function told(): Promise<void> {
  const timezone = () => "Africa/Ouagadougou";
  const round = startSearchUpkeep(books.store, books.clock, timezone, { notWorthIt: 0, restMs: 0 });
  while (await round(() => false)) {
    // Until there is nothing left.
  }
}

/** Some messages of a sender; the first `arrived` of them are delivered after so many seconds, the others are not. */
async function send(sender: string, count: number, arrived: number, seconds: number): Promise<void> {
  const account = await books.account();
  const batch = await books.batch(account, { segments: Array<number>(count).fill(1) });
  await books.store.write((tx) => {
    tx.run("UPDATE batches SET sender = ? WHERE id = ?", sender, batch.id);
  });
  await books.apply(...batch.messages.map((id) => claimed(id)));
  await books.apply(...batch.messages.map((id) => partAccepted(id)));
  await books.clock.advance(seconds * 1000);
  await books.apply(
    ...batch.messages.map((id, place) => (place < arrived ? delivered(id) : undelivered(id))),
  );
}

async function twoDays(): Promise<void> {
  await send("SHOP", 10, 9, 4);
  await send("BANK", 4, 4, 60);
  await books.clock.advance(86_400_000);
  await send("SHOP", 10, 5, 30);
}

describe("how what became of messages went from day to day", () => {
  test.each(DELIVERY_KEYS)("by %s has the figures of the report, told or not", async (by) => {
    await twoDays();
    for (const isTold of [false, true]) {
      if (isTold) await told();
      const plain = granted(await deliveryReport(context, { ...NOTHING, by }));
      const { rows, totals } = await course({ by });
      const named = (all: readonly { readonly key: string | null }[]) =>
        [...all].sort((one, other) => ((one.key ?? "") < (other.key ?? "") ? -1 : 1));
      expect(named(rows)).toEqual(named(plain.rows));
      expect(totals).toEqual(plain.totals);
    }
  });

  test("has a line for each of the largest, with a figure for each day and nothing where there was none", async () => {
    await twoDays();
    const { days, rows, lines } = await course({ by: "sender" });
    expect(days).toHaveLength(2);
    expect(rows.map(({ key, accepted }) => [key, accepted])).toEqual([
      ["SHOP", 20],
      ["BANK", 4],
    ]);
    expect(lines).toMatchObject([
      { key: "SHOP", accepted: [10, 10], share: [0.9, 0.5] },
      { key: "BANK", accepted: [4, 0], share: [1, null], p50: [expect.closeTo(60, -1), null] },
    ]);
    for (const sender of ["A", "B", "C", "D", "E"]) await send(sender, 30, 30, 1);
    expect((await course({ by: "sender" })).lines.map(({ key }) => key)).toEqual(["A", "B", "C", "D"]);
  });

  test("by day is one line of all, and by error has no line of those without one", async () => {
    await twoDays();
    const { lines } = await course({ by: "day" });
    expect(lines).toMatchObject([{ key: null, accepted: [14, 10] }]);
    const errors = await course({ by: "error" });
    expect(errors.rows.map(({ key }) => key)).toContain(null);
    expect(errors.lines.map(({ key }) => key)).not.toContain(null);
    expect(errors.lines).toMatchObject([{ accepted: [1, 5] }]);
  });

  test("is of a sender or a class alone where one is asked for", async () => {
    await twoDays();
    expect((await course({ sender: "BANK" })).totals.accepted).toBe(4);
    expect((await course({ sender: "NOBODY" })).rows).toEqual([]);
    const { rows } = await course({ by: "class" });
    const [known] = rows;
    expect((await course({ messageClass: known?.key ?? "" })).totals.accepted).toBe(24);
    expect(codeOf(await reportDeliveryTimeline(context, { ...NOTHING, by: "moon" }))).toBe("INVALID_KEY");
  });

  test("reads no table from end to end: what it asks for is found by an index", async () => {
    await twoDays();
    await told();
    const asked = new Set<string>();
    await course({ by: "operator" }, { ...context, store: { ...books.store, read: noting(asked) } });
    expect([...asked].some((sql) => sql.includes("delivery_figures"))).toBe(true);
    const read = [...asked].flatMap((sql) =>
      books.store.read
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$\w+|\?\d*/g, "1")}`)
        .map(({ detail }) => detail),
    );
    // Accounts are asked each for what changed since the figures were told; restores are a handful.
    const grown = /^SCAN (?!accounts\b|restores\b|json_each\b|\(|CONSTANT)/;
    expect(read.filter((detail) => grown.test(detail) || detail.includes("TEMP B-TREE"))).toEqual([]);
    expect(read.some((detail) => /SEARCH f /.test(detail))).toBe(true);
  });
});

/** The store's reader, noting every statement. */
function noting(asked: Set<string>): Reader {
  return new Proxy(books.store.read, {
    get: (reader, name) => {
      const value = reader[name as keyof Reader] as unknown;
      if (typeof value !== "function") return value;
      return (...words: readonly unknown[]) => {
        if (typeof words[0] === "string" && /^\s*SELECT/i.test(words[0])) asked.add(words[0]);
        return (value as (...all: readonly unknown[]) => unknown).apply(reader, [...words]);
      };
    },
  });
}
