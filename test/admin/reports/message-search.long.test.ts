import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import {
  type FindFilters,
  type FindView,
  MESSAGE_FIND_OPERATIONS,
} from "../../../src/admin/reports/message-search.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Chance } from "../../../src/core/chance.ts";
import {
  calledOff,
  cancelQueuedMessages,
  requestCancellation,
} from "../../../src/domain/messages/cancellation.ts";
import { recordOperatorRename, unretireCodes } from "../../../src/domain/messages/operator-codes.ts";
import { handOver } from "../../../src/domain/messages/queue.ts";
import { deleteIndexBelow } from "../../../src/domain/messages/search/number-index.ts";
import { startSearchUpkeep } from "../../../src/ops/search-upkeep.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, undelivered } from "../../kit/facts.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { adminConfig, codeOf, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const NONE: FindFilters = {
  number: null,
  account: null,
  batch: null,
  status: null,
  error: null,
  operator: null,
  sender: null,
  messageClass: null,
  from: null,
  to: null,
  before: null,
  limit: 100,
};

function find(filters: Partial<FindFilters>) {
  const { store, clock, newId } = books;
  const context: AdminContext = {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
  const { messageClass, ...asked } = { ...NONE, ...filters };
  return run(MESSAGE_FIND_OPERATIONS["message find"], context, { ...asked, class: messageClass });
}
const found = async (filters: Partial<FindFilters>): Promise<FindView> => granted(await find(filters));

/** Every message that fits, page by page. */
async function all(filters: Partial<FindFilters>): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null = null, pages = 0; pages < 1000; pages++) {
    const page: FindView = await found({ ...filters, before });
    ids.push(...page.messages.map(({ message_id }) => message_id));
    before = page.next;
    if (before === null) return ids;
  }
  throw new Error("it never ended");
}

/** What the search job does until it has nothing left to do, as a process that was just started. */
async function told(): Promise<void> {
  const round = startSearchUpkeep(books.store, books.clock, () => "Africa/Ouagadougou", {
    notWorthIt: 0,
    restMs: 0,
  });
  while (await round(() => false)) {
    // Until there is nothing left.
  }
}

/** The same told the plain way: each message is looked at. */
function plainly(sql: string): string[] {
  return books.store.read
    .all<{ ulid: string }>(
      `SELECT m.ulid FROM messages m JOIN batches b ON b.id = m.batch_id
       WHERE b.status NOT IN ('STAGING', 'VALIDATING', 'FAILED') AND ${sql} ORDER BY m.id DESC`,
    )
    .map(({ ulid }) => ulid);
}

const QUESTIONS: readonly (readonly [sql: string, filters: Partial<FindFilters>])[] = [
  ["1", {}],
  ["m.status = 'FAILED'", { status: "failed" }],
  ["m.status = 'QUEUED'", { status: "QUEUED" }],
  ["m.error_code = 'ABSENT_SUBSCRIBER'", { error: "absent_subscriber" }],
  ["m.error_code = 'NO_ROUTE'", { error: "NO_ROUTE" }],
  ["b.sender = 'OTHER'", { sender: "OTHER" }],
  ["b.sender = 'OTHER' AND m.status = 'DELIVERED'", { sender: "OTHER", status: "DELIVERED" }],
  ["b.message_class = 'OTP'", { messageClass: "otp" }],
  ["m.operator = 'moov'", { operator: "moov" }],
  ["m.msisdn = '+22670000007'", { number: "70 00 00 07" }],
  ["m.msisdn = '+22670000003' AND m.status = 'FAILED'", { number: "+226 70000003", status: "FAILED" }],
];

async function expectAll(): Promise<void> {
  for (const [sql, filters] of QUESTIONS) expect([sql, await all(filters)]).toEqual([sql, plainly(sql)]);
}

/** A batch of some messages, one of four kinds. */
async function send(account: TestAccount, count: number, kind: number) {
  const options = { segments: Array<number>(count).fill(1), price: 0, isStaged: kind % 2 === 1 };
  const batch = await books.batch(account, options);
  if (kind < 2) return batch;
  await books.store.write((tx) => {
    tx.run("UPDATE batches SET sender = 'OTHER', message_class = 'OTP' WHERE id = ?", batch.id);
    tx.run("UPDATE messages SET operator = 'moov' WHERE batch_id = ?", batch.id);
  });
  return batch;
}

/** Moves some messages of a batch on, and calls it off now and then. */
async function move(batch: { id: number; messages: readonly number[] }, chance: Chance): Promise<void> {
  const { store, clock } = books;
  const some = batch.messages.filter(() => chance.fraction() < 0.3);
  for (let at = 0; at < some.length; at += 200) {
    const ids = some.slice(at, at + 200);
    await books.apply(...ids.map((id) => claimed(id)));
    await books.apply(...ids.filter(() => chance.fraction() < 0.9).map((id) => partAccepted(id)));
    const sent = ids.filter((id) => books.messageRow(id).status === "SENT");
    await books.apply(...sent.map((id) => (chance.fraction() < 0.8 ? delivered(id) : undelivered(id))));
  }
  if (chance.fraction() > 0.2) return;
  const cancelled = await store.write((tx) => {
    requestCancellation(tx, batch.id, "CANCELLED", null, clock.nowMs());
    return calledOff(tx, batch.id);
  });
  while (
    cancelled &&
    (await store.write((tx) => cancelQueuedMessages(tx, cancelled, clock.nowMs(), 500))) > 0
  ) {
    // Until nothing of it waits.
  }
}

describe("finding messages", () => {
  test.each(seeds(3))(
    "finds what looking at each message finds, whatever happened since searches were told (seed %d)",
    seeded(async (chance) => {
      const accounts = [await books.account(), await books.account()];
      const batches: Awaited<ReturnType<typeof send>>[] = [];
      for (let n = 0; n < 8; n++) {
        const account = accounts[n % 2]!;
        batches.push(await send(account, 1 + Math.floor(chance.fraction() * 900), n % 4));
        await move(batches[Math.floor(chance.fraction() * batches.length)]!, chance);
        await books.clock.advance(1000);
        if (chance.fraction() < 0.4) await told();
      }
      await expectAll();
      await told();
      await expectAll();
      const [mine] = accounts;
      const sql = `m.account_id = ${mine!.id} AND m.status = 'FAILED'`;
      expect(await all({ account: mine!.ulid, status: "FAILED" })).toEqual(plainly(sql));
      for (const { id, ulid } of batches)
        expect(await all({ batch: ulid, limit: 1000 })).toEqual(plainly(`b.id = ${id}`));
    }),
    30_000,
  );

  test("numbers of whole runs are found by their index, those that came since by looking", async () => {
    const account = await books.account();
    await planted(account.id, 70_000);
    await told();
    expect(books.store.read.all("SELECT run FROM search_runs ORDER BY run")).toEqual([
      { run: 0 },
      { run: 1 },
    ]);
    // Ids below those of the runs: into one that is known already.
    await send(account, 20, 0);
    for (const number of ["+22670000007", "+22671012345", "+22671069999"])
      expect(await all({ number })).toEqual(plainly(`m.msisdn = '${number}'`));
    expect(await all({ number: "+22671099999" })).toEqual([]);
  }, 30_000);

  test("what a batch leaves that is not open, or failed, is never found, and is found as soon as it is", async () => {
    const account = await books.account();
    const staged = await books.batch(account, {
      segments: [1, 1],
      price: 0,
      isStaged: true,
      staysClosed: true,
    });
    await told();
    expect(await all({})).toEqual([]);
    await books.store.write((tx) =>
      tx.run(
        "UPDATE batches SET status = 'QUEUED', accepted = 2, queued_stamp_us = ? WHERE id = ?",
        books.clock.nowMs() * 1000,
        staged.id,
      ),
    );
    expect((await all({ status: "QUEUED" })).length).toBe(2);
    await told();
    expect((await all({ status: "QUEUED" })).length).toBe(2);
  });

  test("a search that looks at a hundred thousand messages in vain says how far it came, and goes on from there", async () => {
    const account = await books.account();
    await planted(account.id, 160_000);
    await books.store.write((tx) => tx.run("UPDATE messages SET error_code = 'NO_ROUTE' WHERE id = 105"));
    // Nothing is told of the blocks yet: each has to be looked at.
    const first = await found({ error: "NO_ROUTE" });
    expect(first.messages).toEqual([]);
    expect(first.next).not.toBeNull();
    expect(Date.parse(first.searched_back_to)).toBeGreaterThan(books.clock.nowMs() - 31 * 86_400_000);
    expect(await all({ error: "NO_ROUTE" })).toEqual(plainly("m.id = 105"));
    await told();
    const whole = await found({ error: "NO_ROUTE" });
    expect([whole.messages.length, whole.next]).toEqual([1, null]);
    expect(Date.parse(whole.searched_back_to)).toBe(books.clock.nowMs() + 1 - 31 * 86_400_000);
  }, 30_000);

  test("what is known of messages that are gone is forgotten, and what is left is found", async () => {
    const account = await books.account();
    await planted(account.id, 70_000);
    await told();
    await books.store.write((tx) => {
      tx.run("DELETE FROM messages WHERE id < 40000");
      deleteIndexBelow(tx, 40_000);
    });
    expect(books.store.read.all("SELECT DISTINCT run FROM search_numbers")).toEqual([{ run: 1 }]);
    expect(books.store.read.get("SELECT min(block) AS first FROM search_blocks")).toEqual({ first: 39 });
    expect(await all({ number: "+22671012345" })).toEqual([]);
    expect((await all({ number: "+22671050000" })).length).toBe(1);
    expect((await found({ status: "DELIVERED", limit: 1000 })).messages.length).toBe(1000);
  }, 30_000);

  test("time is from and to, the end excluded: local, ISO, or how long ago; 31 days without one", async () => {
    const account = await books.account();
    const [old] = (await books.batch(account)).messages;
    await books.clock.advance(32 * 86_400_000);
    const [late] = (await books.batch(account)).messages;
    const ulids = [old, late].map((id) => books.messageRow(id!).ulid);
    const day = new Date(books.clock.nowMs()).toISOString().slice(0, 10);
    const next = new Date(books.clock.nowMs() + 86_400_000).toISOString().slice(0, 10);
    expect(await all({})).toEqual([ulids[1]!]);
    expect(await all({ from: "40d" })).toEqual([ulids[1]!, ulids[0]!]);
    expect(await all({ from: "40d", to: "1h" })).toEqual([ulids[0]!]);
    expect(await all({ from: day, to: next })).toEqual([ulids[1]!]);
    expect(await all({ from: "40d", to: new Date(books.clock.nowMs()).toISOString() })).toEqual([ulids[0]!]);
    expect(codeOf(await find({ from: "1h", to: "2h" }))).toBe("INVALID_TIME");
    expect(codeOf(await find({ from: "yesterday" }))).toBe("INVALID_TIME");
  });

  test("an operator that was renamed is found under its new code with what it sent under the old", async () => {
    const account = await books.account();
    await send(account, 3, 2);
    await told();
    await books.store.write((tx) => recordOperatorRename(tx, "moov", "moov2", books.clock.nowMs()));
    expect((await all({ operator: "moov2" })).length).toBe(3);
    expect((await all({ operator: "orange" })).length).toBe(0);
  });

  test("a message is told as the API tells it, and whose it is", async () => {
    const account = await books.account();
    await books.batch(account);
    const { messages } = await found({ account: account.ulid });
    expect(messages).toMatchObject([
      { account_id: account.ulid, account: "Faso Shop", msisdn: "+22670000000", status: "QUEUED", index: 0 },
    ]);
  });

  test.each<[string, Partial<FindFilters>]>([
    ["INVALID_MSISDN", { number: "12" }],
    ["INVALID_STATUS", { status: "LOST" }],
    ["INVALID_CLASS", { messageClass: "SPAM" }],
    ["ACCOUNT_NOT_FOUND", { account: "nobody" }],
    ["BATCH_NOT_FOUND", { batch: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }],
    ["MESSAGE_NOT_FOUND", { before: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }],
    ["INVALID_NUMBER", { limit: 1001 }],
  ])("%s for %j", async (code, filters) => {
    expect(codeOf(await find(filters))).toBe(code);
  });
});

/** As many messages as that, delivered, of one batch, written at once. */
async function planted(accountId: number, count: number): Promise<void> {
  const nowMs = books.clock.nowMs();
  await books.store.write((tx) => {
    const batchId = tx.insert(
      `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone, created_at, expires_at,
         charge_on, first_message_id, accepted)
       VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAA', ?1, 'SETTLED', 'ACME', 'SMS', 'OTP', 'x', 0, 'UTC', ?2, ?2, 'accepted', 100, ?3)`,
      accountId,
      nowMs,
      count,
    );
    tx.run(
      `WITH RECURSIVE generate(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM generate WHERE n < ?3 + 99)
       INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, is_final, is_money_closed, encoding, segments,
         price, not_before, stamp_us, created_at)
       SELECT n, printf('%026d', n), ?1, ?4, n, '+226' || (CASE n WHEN 107 THEN 70000007 ELSE 71000000 + n END), 'orange', 'DELIVERED', 1, 1,
         'GSM7', 1, 0, ?2, ?2 * 1000 + n, ?2 FROM generate`,
      accountId,
      nowMs,
      count,
      batchId,
    );
    // As an upgrade leaves it: what was there before is gone through.
    tx.run(
      "INSERT INTO search_cursors (account_id, stamp_us) VALUES (?, ?)",
      accountId,
      nowMs * 1000 + count,
    );
  });
  await books.clock.advance(1000);
}

describe("a message that its client saw no change of", () => {
  /** Messages of WhatsApp that may go on as SMS of Moov. */
  async function withFallback(count: number): Promise<readonly number[]> {
    const account = await books.account();
    const { messages } = await books.batch(account, { segments: Array<number>(count).fill(1), smsPrice: 10 });
    await books.store.write((tx) => void tx.run("UPDATE fallbacks SET operator = 'moov'"));
    return messages;
  }
  const countBy = async (filters: Partial<FindFilters>) => (await all(filters)).length;

  test("is found by the way that it goes on by, at once and when that was told", async () => {
    const messages = await withFallback(3);
    await told();
    expect(await countBy({ operator: "moov" })).toBe(0);
    const gone = messages.slice(0, 2);
    await books.apply(...gone.map((messageId) => ({ kind: "first_silent", messageId }) as const));
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect(await countBy({ operator: "moov", status: "QUEUED" })).toBe(2);
      expect(await countBy({ operator: "orange" })).toBe(1);
    }
    expect(books.store.read.all("SELECT * FROM quiet_moves")).toEqual([]);
  });

  test("is found where it was handed over to, also once the code it came from stands for itself again", async () => {
    const account = await books.account();
    const { id } = await books.batch(account, { segments: [1, 1, 1] });
    await told();
    await books.store.write((tx) => {
      recordOperatorRename(tx, "orange", "moov", 0);
      expect(handOver(tx, { batchId: id, operator: "orange" }, "moov", 2)).toBe(2);
      unretireCodes(tx, ["orange"]);
    });
    for (const isTold of [false, true]) {
      if (isTold) await told();
      expect([await countBy({ operator: "moov" }), await countBy({ operator: "orange" })]).toEqual([2, 1]);
    }
  });
});
