import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FeedPage, feedPage } from "../../../src/domain/messages/feed.ts";
import { isoToStampUs, stampInRunUs } from "../../../src/domain/messages/feed-stamps.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, notWritten } from "../../kit/facts.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 10_000_000 });
});
afterEach(() => books.close());

const page = (sinceUs: number, limit = 100, batchUlid: string | null = null): FeedPage => {
  const found = feedPage(books.store.read, { accountId: account.id, sinceUs, limit, batchUlid });
  if (!found) throw new Error("no such batch");
  return found;
};
const ones = (count: number): number[] => Array(count).fill(1);
const idsOf = (found: FeedPage) => found.messages.map((message) => message.message_id);
const stampsOf = (found: FeedPage) =>
  found.messages.map((message) => isoToStampUs(message.status_changed_at)!);

/** Every message of the account with the stamp it stands at, in the order of stamps, told the plain way. */
function everyMessage(): { ulid: string; stamp: number }[] {
  return books.store.read
    .all<{ ulid: string; own: number | null; first: number | null; rank: number }>(
      `SELECT m.ulid, m.stamp_us AS own, b.queued_stamp_us AS first, m.id - b.first_message_id AS rank
       FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.account_id = ?`,
      account.id,
    )
    .map(({ ulid, own, first, rank }) => ({ ulid, stamp: own ?? stampInRunUs(first ?? 0, rank) }))
    .sort((a, b) => a.stamp - b.stamp);
}

/** Follows the feed to its end as a client would; `cut` is what it does to the cursor. */
async function follow(
  limit: number,
  between: () => Promise<unknown> = async () => {},
  cut = (us: number) => us,
): Promise<{ ulid: string; stamp: number }[]> {
  const seen: { ulid: string; stamp: number }[] = [];
  let since = 0;
  for (let pages = 0; pages < 1000; pages++) {
    const found = page(since, limit);
    const stamps = stampsOf(found);
    seen.push(...idsOf(found).map((ulid, index) => ({ ulid, stamp: stamps[index]! })));
    if (!found.hasMore) return seen;
    expect(cut(found.nextUs)).toBeGreaterThan(since);
    since = cut(found.nextUs);
    await between();
  }
  throw new Error("it never ended");
}

describe("the feed", () => {
  // Keeps: behaviour 6.51, 6.54
  test("has each message once, oldest change first, in pages with a cursor and word of more", async () => {
    await books.batch(account, { segments: ones(250) });
    const [first, second, third] = [page(0), page(page(0).nextUs), page(page(page(0).nextUs).nextUs)];
    expect([first, second, third].map((each) => [each.messages.length, each.hasMore])).toEqual([
      [100, true],
      [100, true],
      [50, false],
    ]);
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(
      everyMessage().map(({ ulid }) => ulid),
    );
    expect(third.nextUs).toBe(stampsOf(third).at(-1)! + 1);
  });

  // Keeps: behaviour 6.55
  test("of nothing new is an empty page whose cursor stays where it was", async () => {
    await books.batch(account);
    const end = page(0).nextUs;
    expect(page(end)).toEqual({ messages: [], nextUs: end, hasMore: false });
    expect(page(12_345 + end).nextUs).toBe(12_345 + end);
  });

  test("a page exactly full has no more behind it", async () => {
    await books.batch(account, { segments: ones(20) });
    expect(page(0, 20).hasMore).toBe(false);
    expect(page(0, 19).hasMore).toBe(true);
  });

  test("includes what changed at the very cursor, and not what changed a microsecond before", async () => {
    await books.batch(account, { segments: ones(3) });
    const [, second] = everyMessage();
    expect(idsOf(page(second!.stamp))).toHaveLength(2);
    expect(idsOf(page(second!.stamp + 1))).toHaveLength(1);
  });

  // Keeps: behaviour 6.51
  test("a message that changes stands at its latest change only", async () => {
    const batch = await books.batch(account, { segments: ones(3) });
    await books.apply(claimed(batch.messages[0]!));
    expect(page(0).messages.map(({ index, status }) => [index, status])).toEqual([
      [1, "QUEUED"],
      [2, "QUEUED"],
      [0, "SUBMITTED"],
    ]);
  });
});

describe("a batch that was staged", () => {
  test("has its messages in the feed in order of submission, each at its place in the run, moved or not", async () => {
    await books.batch(account, { segments: ones(50) });
    const staged = await books.batch(account, { segments: ones(300), isStaged: true });
    await books.clock.advance(2);
    await books.batch(account, { segments: ones(50) });
    expect(await follow(70)).toEqual(everyMessage());
    await books.apply(...staged.messages.filter((id) => id % 3 === 0).map(claimed));
    const after = await follow(70);
    expect(after).toEqual(everyMessage());
    expect(after).toHaveLength(400);
  });

  test("can be read from any moment of its run", async () => {
    const staged = await books.batch(account, { segments: ones(200), isStaged: true });
    await books.batch(account, { segments: ones(150), isStaged: true });
    await books.apply(...staged.messages.filter((id) => id % 4 === 1).map(claimed));
    const all = everyMessage();
    const [from, to] = [all[0]!.stamp - 3, all.at(-1)!.stamp + 3];
    for (let since = from; since <= to; since += 37) {
      const expected = all.filter(({ stamp }) => stamp >= since);
      const found = page(since, 40);
      expect(idsOf(found)).toEqual(expected.slice(0, 40).map(({ ulid }) => ulid));
      expect(found.hasMore).toBe(expected.length > 40);
    }
  });
});

describe("while messages go on changing", () => {
  // Keeps: behaviour 6.48
  test.each(seeds(4))(
    "a client that follows it loses nothing and reads no change twice (seed %d)",
    seeded(async (chance) => {
      const plain = await books.batch(account, { segments: ones(120) });
      const staged = await books.batch(account, { segments: ones(260), isStaged: true });
      const everyone = [...plain.messages, ...staged.messages];
      let rounds = 0;
      const move = async () => {
        if (++rounds > 20) return;
        if (chance.fraction() < 0.5) await books.clock.advance(1);
        const some = everyone.filter(() => chance.fraction() < 0.1);
        await books.apply(
          ...some.map((id) => (books.messageRow(id).status === "QUEUED" ? claimed(id) : notWritten(id))),
        );
        if (rounds === 5) await books.batch(account, { segments: ones(100), isStaged: true });
      };
      const seen = await follow(50, move);
      const changes = seen.map(({ ulid, stamp }) => `${ulid} ${stamp}`);
      expect(new Set(changes).size).toBe(changes.length);
      const latest = new Map(seen.map(({ ulid, stamp }) => [ulid, stamp]));
      expect(latest).toEqual(new Map(everyMessage().map(({ ulid, stamp }) => [ulid, stamp])));
    }),
  );

  // Keeps: behaviour 6.49
  test("a client that cuts its cursor to milliseconds still reaches the end, and misses nothing", async () => {
    await books.batch(account, { segments: ones(350) });
    await books.batch(account, { segments: ones(350), isStaged: true });
    const seen = await follow(100, undefined, (us) => Math.floor(us / 1000) * 1000);
    expect(new Set(seen.map(({ ulid }) => ulid)).size).toBe(700);
  });
});

describe("the feed of one batch", () => {
  test("has only its messages, staged or not", async () => {
    for (const isStaged of [false, true]) {
      const batch = await books.batch(account, { segments: ones(5), isStaged });
      await books.batch(account, { segments: ones(5), isStaged });
      await books.apply(claimed(batch.messages[2]!));
      const first = page(0, 3, batch.ulid);
      const second = page(first.nextUs, 3, batch.ulid);
      const found = [...first.messages, ...second.messages];
      expect(found.map(({ batch_id }) => batch_id)).toEqual(Array(5).fill(batch.ulid));
      expect(found.map(({ index }) => index)).toEqual([0, 1, 3, 4, 2]);
      expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    }
  });

  test("of a large batch comes in full pages however much else there is, nothing missing and nothing told twice", async () => {
    for (const isStaged of [false, true]) {
      const batch = await books.batch(account, { segments: ones(60), isStaged, price: 0 });
      const chance = seededChance(3);
      for (let round = 0; round < 12; round++) {
        const others = await books.batch(account, {
          segments: ones(40),
          isStaged: round % 3 === 0,
          price: 0,
        });
        const some = batch.messages.filter(() => chance.fraction() < 0.1);
        await books.apply(
          ...some.map((id) => (books.messageRow(id).status === "QUEUED" ? claimed(id) : notWritten(id))),
        );
        await books.apply(...others.messages.map(claimed));
      }
      const query = { accountId: account.id, limit: 7, batchUlid: batch.ulid };
      const seen: string[] = [];
      for (let sinceUs = 0, hasMore = true; hasMore; ) {
        const found = feedPage(books.store.read, { ...query, sinceUs }, { sorted: 10, changes: 25 })!;
        const stamps = stampsOf(found);
        expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
        if (found.hasMore) expect(found.messages).toHaveLength(7);
        seen.push(...idsOf(found));
        [sinceUs, hasMore] = [found.nextUs, found.hasMore];
      }
      const wanted = new Set(batch.messages.map((id) => books.messageRow(id).ulid));
      const order = everyMessage().map(({ ulid }) => ulid);
      expect(seen).toEqual(order.filter((ulid) => wanted.has(ulid)));
    }
  });

  test("of a large batch that is alone comes in full pages", async () => {
    const batch = await books.batch(account, { segments: ones(50), price: 0 });
    const query = { accountId: account.id, sinceUs: 0, limit: 20, batchUlid: batch.ulid };
    const first = feedPage(books.store.read, query, { sorted: 10, changes: 25 })!;
    const next = feedPage(
      books.store.read,
      { ...query, sinceUs: first.nextUs },
      { sorted: 10, changes: 25 },
    )!;
    expect([first.messages.length, first.hasMore, next.messages.length, next.hasMore]).toEqual([
      20,
      true,
      20,
      true,
    ]);
  });

  test("that is missing, or another account's, is null", async () => {
    const other = await books.account();
    const theirs = await books.batch(other);
    const query = { accountId: account.id, sinceUs: 0, limit: 10 };
    expect(feedPage(books.store.read, { ...query, batchUlid: theirs.ulid })).toBeNull();
    expect(feedPage(books.store.read, { ...query, batchUlid: books.newId() })).toBeNull();
  });

  test("another account's messages are in nobody else's feed", async () => {
    const other = await books.account();
    await books.batch(other, { segments: ones(5) });
    await books.batch(other, { segments: ones(5), isStaged: true });
    expect(page(0).messages).toEqual([]);
  });
});
