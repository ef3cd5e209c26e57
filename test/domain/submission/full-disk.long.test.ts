import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import { dropAbandonedStaging, validator } from "../../../src/domain/submission/staging.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { rememberedSends } from "../../kit/remembered-sends.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { type Tenants, tenants, until } from "../../kit/tenants.ts";

const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let accountId: number;
beforeEach(async () => {
  rig = tenants(CONFIG);
  accountId = await rig.account();
});
afterEach(() => rig.close());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(70_000_000 + index));

/**
 * Lets the database grow by so many pages and no further (SQLITE_FULL), and nothing be deleted: a delete finds no room
 * in the write-ahead log of a full disk either.
 */
const leaveRoomFor = (pages: number) =>
  rig.store.write((tx) => {
    tx.run(`CREATE TRIGGER disk_is_full BEFORE DELETE ON messages
      BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    const used = tx.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    tx.get(`PRAGMA max_page_count = ${used + pages}`);
  });
const makeRoom = () =>
  rig.store.write((tx) => {
    tx.get("PRAGMA max_page_count = 1000000");
    tx.run("DROP TRIGGER disk_is_full");
  });

const rows = () => [
  ...["batches", "messages"].map(rig.count),
  rememberedSends(rig.store.read),
  rig.count("submitted_recipients"),
];

describe("a submission that failed on a full disk", () => {
  // Keeps: behaviour 6.70
  test("is taken whole when it is sent again, without a restart, before anything could be dropped", async () => {
    await leaveRoomFor(60);
    await expect(rig.send(accountId, "MARKETING", numbers(2000))).rejects.toThrow(/full/);
    expect(rememberedSends(rig.store.read)).toBeGreaterThan(0);
    await makeRoom();
    const id = await rig.send(accountId, "MARKETING", numbers(2000));
    expect(rig.batch(id)).toMatchObject({ accepted: 2000, rejected: 0 });
  });

  // Keeps: behaviour 6.70
  test("uses up no ceiling", async () => {
    const ceilings = { recipientsPerDay: 2000, recipientsPerMinute: 2000 };
    await rig.store.write((tx) => changeAccount(tx, accountId, ceilings));
    await leaveRoomFor(60);
    await expect(rig.send(accountId, "TRANSACTIONAL", numbers(2000))).rejects.toThrow(/full/);
    await makeRoom();
    const id = await rig.send(accountId, "TRANSACTIONAL", numbers(2000));
    expect(rig.batch(id)).toMatchObject({ accepted: 2000, rejected: 0 });
    const { rejected } = rig.batch(await rig.send(accountId, "TRANSACTIONAL", ["70999999", "70999998"]));
    expect(rejected).toBe(2);
  });

  // Keeps: behaviour 6.70
  test("uses up no cap, once it was to be sent later either", async () => {
    const changes = { scheduledAt: "2026-03-04T09:00:00Z" };
    await rig.store.write((tx) => changeAccount(tx, accountId, { marketingPerDay: 1, marketingPerWeek: 1 }));
    await leaveRoomFor(60);
    await expect(rig.send(accountId, "MARKETING", numbers(2000), changes)).rejects.toThrow(/full/);
    await makeRoom();
    const id = await rig.send(accountId, "MARKETING", numbers(2000), changes);
    expect(rig.batch(id)).toMatchObject({ accepted: 2000, rejected: 0 });
  });

  test("is dropped once there is room, and what is being staged meanwhile is let alone", async () => {
    await leaveRoomFor(60);
    await expect(rig.send(accountId, "OTP", numbers(2000))).rejects.toThrow(/full/);
    await expect(dropAbandonedStaging(rig)).rejects.toThrow(/full/);
    await makeRoom();
    const sending = rig.send(accountId, "OTP", numbers(2000));
    await until(() => rig.count("batches") === 2);
    while (await dropAbandonedStaging(rig)) {
      // Until nothing is left.
    }
    const id = await sending;
    expect(rig.batch(id)).toMatchObject({ status: "QUEUED", accepted: 2000 });
    expect(rows()).toEqual([1, 2000, 2000, 0]);
    expect(await dropAbandonedStaging(rig)).toBe(false);
  });

  test("of more than 10,000 recipients leaves nothing that is validated", async () => {
    await leaveRoomFor(60);
    await expect(rig.send(accountId, "OTP", numbers(10_001))).rejects.toThrow(/full/);
    await makeRoom();
    await dropAbandonedStaging(rig);
    expect(rows()).toEqual([0, 0, 0, 0]);
  });
});

test("a refusal is told as what it is, although nothing of it could be dropped", async () => {
  const poor = await rig.account({ funds: 500 * 15 });
  await leaveRoomFor(1000);
  await expect(rig.send(poor, "OTP", numbers(2000))).rejects.toThrow(/^INSUFFICIENT_FUNDS/);
  expect(rig.count("messages")).toBe(500);
  expect(
    rig.lines.some(({ message }) => message === "what was staged of a refused batch is dropped later"),
  ).toBe(true);
  await makeRoom();
  await rig.store.write((tx) =>
    tx.run("UPDATE wallets SET funds = funds + 30000 WHERE account_id = ?", poor),
  );
  expect(rig.batch(await rig.send(poor, "OTP", numbers(2000)))).toMatchObject({
    accepted: 2000,
    rejected: 0,
  });
});

describe("a batch that is validated on a full disk", () => {
  // Keeps: behaviour 6.70
  test("waits for room within its 30 minutes, and counts for nobody until it is tried again", async () => {
    const id = await rig.send(accountId, "OTP", numbers(10_001));
    const { next } = validator(rig.intake);
    await leaveRoomFor(60);
    await expect(next()).rejects.toThrow(/full/);
    expect(rig.count("messages")).toBeGreaterThan(0);
    expect(rig.batch(id).status).toBe("VALIDATING");
    await makeRoom();
    const other = await rig.send(accountId, "OTP", numbers(1));
    expect(rig.batch(other)).toMatchObject({ accepted: 1 });
    expect(await next()).toBe(true);
    expect(rig.batch(id)).toMatchObject({ status: "QUEUED", accepted: 10_000, rejected: 1 });
    expect(rig.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("submissions of one account at the same time, some of which fail", () => {
  // Keeps: behaviour 4.53, 6.70
  test.each(seeds(4))(
    "never get more than the ceiling together, nor less (seed %d)",
    seeded(async (chance) => {
      const below = (limit: number) => Math.floor(chance.fraction() * limit);
      await rig.store.write((tx) => changeAccount(tx, accountId, { recipientsPerDay: 3000 }));
      await rig.store.write((tx) =>
        tx.run(`CREATE TRIGGER nobody BEFORE INSERT ON messages WHEN NEW.msisdn GLOB '+22670999*'
        BEGIN SELECT RAISE(ABORT, 'this one fails'); END`),
      );
      let failing = 0;
      const going: Promise<number | null>[] = [];
      for (let index = 0; index < 12; index++) {
        const size = index % 3 === 0 ? 1 + below(5) : 300 + below(700);
        const first = 70_000_000 + index * 10_000;
        const body = `Text ${index}`;
        const recipients = Array.from({ length: size }, (_, at) => String(first + at));
        // Some fail in the middle of their staging.
        if (index === 4 || below(3) === 0) recipients[below(size)] = String(70_999_000 + failing++);
        going.push(rig.send(accountId, "TRANSACTIONAL", recipients, { body }).catch(() => null));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const ids = await Promise.all(going);
      const accepted = ids.flatMap((id) => (id === null ? [] : [rig.batch(id).accepted]));
      const sum = accepted.reduce((total, each) => total + each, 0);
      expect(ids).toContain(null);
      expect(sum).toBeLessThanOrEqual(3000);
      const left = Array.from({ length: 4000 }, (_, at) => String(70_500_000 + at));
      const last = await rig.send(accountId, "TRANSACTIONAL", left, { body: "What is left" });
      expect(sum + rig.batch(last).accepted).toBe(3000);
      expect(rig.count("messages")).toBe(3000);
    }),
  );
});
