import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { reportVolume, type VolumeQuery, type VolumeView } from "../../../src/admin/reports/volume.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Chance } from "../../../src/core/chance.ts";
import { startSearchUpkeep } from "../../../src/ops/search-upkeep.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { cancelled, claimed, delivered, partAccepted, undelivered } from "../../kit/facts.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { adminConfig, codeOf, granted } from "../operations/fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

function context(): AdminContext {
  const { store, clock, newId } = books;
  return {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
}

const ANY = { account: null, operator: null, messageClass: null, sender: null } as const;
const volume = async (query: Partial<VolumeQuery> & Pick<VolumeQuery, "span">): Promise<VolumeView> =>
  granted(await reportVolume(context(), { ...ANY, ...query }));

async function told(): Promise<void> {
  const timezone = () => "Africa/Ouagadougou";
  const round = startSearchUpkeep(books.store, books.clock, timezone, { notWorthIt: 0, restMs: 0 });
  while (await round(() => false)) {
    // Until there is nothing left.
  }
}

/** The same counted from the messages themselves; hours and days without any are left out. */
function plainly(span: VolumeQuery["span"], account: string | null) {
  const nowMs = books.clock.nowMs();
  const [pattern, fromMs] =
    span === "24h"
      ? ["%Y-%m-%dT%H:00:00.000Z", (Math.floor(nowMs / HOUR_MS) - 23) * HOUR_MS]
      : ["%Y-%m-%d", (Math.floor(nowMs / DAY_MS) - 29) * DAY_MS];
  return books.store.read.all(
    `SELECT strftime($pattern, b.created_at / 1000, 'unixepoch') AS at, sum(m.status = 'DELIVERED') AS delivered,
       sum(m.status = 'FAILED') AS failed, sum(m.status = 'SENT') AS without_receipt,
       sum(m.status = 'CANCELLED') AS cancelled, sum(m.status IN ('QUEUED', 'SUBMITTED')) AS under_way
     FROM messages m JOIN batches b ON b.id = m.batch_id JOIN accounts a ON a.id = m.account_id
     WHERE b.status NOT IN ('STAGING', 'VALIDATING', 'FAILED') AND b.is_test = 0 AND b.created_at >= $fromMs
       AND ($account IS NULL OR a.ulid = $account)
     GROUP BY 1 ORDER BY 1`,
    { pattern, fromMs, account },
  );
}

function sumOf(point: VolumeView["points"][number]): number {
  return point.delivered + point.failed + point.without_receipt + point.cancelled + point.under_way;
}

/** Those hours or days on which anything was accepted. */
const busy = ({ points }: VolumeView) => points.filter((point) => sumOf(point) > 0);

async function expectAll(accounts: readonly TestAccount[]): Promise<void> {
  for (const span of ["24h", "30d"] as const) {
    for (const account of [null, ...accounts.map(({ ulid }) => ulid)]) {
      const found = busy(await volume({ span, account }));
      expect([span, account, found]).toEqual([span, account, plainly(span, account)]);
    }
  }
}

async function move(ids: readonly number[], chance: Chance): Promise<void> {
  const waiting = ids.filter((id) => books.messageRow(id).status === "QUEUED");
  await books.apply(...waiting.filter(() => chance.fraction() < 0.1).map((id) => cancelled(id)));
  const some = ids.filter((id) => chance.fraction() < 0.6 && books.messageRow(id).status === "QUEUED");
  await books.apply(...some.map((id) => claimed(id)));
  const taken = some.filter(() => chance.fraction() < 0.9);
  await books.apply(...taken.map((id) => partAccepted(id)));
  const ended = taken.filter(() => chance.fraction() < 0.8);
  await books.apply(...ended.map((id) => (chance.fraction() < 0.8 ? delivered(id) : undelivered(id))));
}

describe("the traffic by hour and by day", () => {
  test.each(seeds(3))(
    "is what the messages themselves add up to, recorded or not (seed %d)",
    seeded(async (chance) => {
      const accounts = [await books.account(), await books.account()];
      const batches: (readonly number[])[] = [];
      for (let n = 0; n < 12; n++) {
        const count = 1 + Math.floor(chance.fraction() * 1500);
        const { messages } = await books.batch(accounts[n % 2]!, { segments: Array<number>(count).fill(1) });
        batches.push(messages);
        await move(batches[Math.floor(chance.fraction() * batches.length)]!, chance);
        await books.clock.advance(Math.floor(chance.fraction() * 4 * HOUR_MS));
        if (chance.fraction() < 0.5) await told();
        if (chance.fraction() < 0.3) await expectAll(accounts);
      }
      await expectAll(accounts);
      await told();
      await expectAll(accounts);
    }),
    60_000,
  );

  test("counts whole blocks of an hour as they were recorded", async () => {
    const account = await books.account();
    const { messages } = await books.batch(account, { segments: Array<number>(5000).fill(1) });
    await books.apply(...messages.slice(0, 3000).map((id) => claimed(id)));
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect(busy(await volume({ span: "24h" }))).toEqual(plainly("24h", null));
    }
  });

  test("has each of 24 hours and of 30 days, the present one last, also where nothing was sent", async () => {
    const nowMs = books.clock.nowMs();
    const [hours, days] = [await volume({ span: "24h" }), await volume({ span: "30d" })];
    const nothing = { delivered: 0, failed: 0, without_receipt: 0, cancelled: 0, under_way: 0 };
    expect(hours.points.length).toBe(24);
    expect(hours.points.at(-1)).toEqual({
      at: new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS).toISOString(),
      ...nothing,
    });
    expect(days.points.length).toBe(30);
    expect(days.points.at(-1)).toEqual({ at: new Date(nowMs).toISOString().slice(0, 10), ...nothing });
  });

  test("leaves out what is older", async () => {
    await books.batch(await books.account());
    await books.clock.advance(25 * HOUR_MS);
    expect(busy(await volume({ span: "24h" }))).toEqual([]);
    expect(busy(await volume({ span: "30d" })).length).toBe(1);
    await books.clock.advance(30 * DAY_MS);
    expect(busy(await volume({ span: "30d" }))).toEqual([]);
  });

  test("is told of one operator, sender and class alone", async () => {
    const account = await books.account();
    await books.batch(account, { segments: [1, 1] });
    const other = await books.batch(account);
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'moov' WHERE batch_id = ?", other.id);
      tx.run("UPDATE batches SET sender = 'OTHER', message_class = 'OTP' WHERE id = ?", other.id);
    });
    for (const span of ["24h", "30d"] as const) {
      const counted = async (query: Partial<VolumeQuery>) =>
        (await volume({ span, ...query })).points.reduce((sum, point) => sum + sumOf(point), 0);
      expect(await counted({})).toBe(3);
      expect(await counted({ operator: "moov" })).toBe(1);
      expect(await counted({ sender: "OTHER" })).toBe(1);
      expect(await counted({ messageClass: "OTP" })).toBe(1);
      expect(await counted({ messageClass: "OTP", operator: "orange" })).toBe(0);
    }
  });

  test("refuses an account that there is not", async () => {
    expect(codeOf(await reportVolume(context(), { ...ANY, span: "24h", account: "nobody" }))).toBe(
      "ACCOUNT_NOT_FOUND",
    );
  });
});
