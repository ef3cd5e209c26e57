import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashKey } from "../../../src/core/ids.ts";
import type { Tx } from "../../../src/db/writer.ts";
import {
  hasSentMarketing,
  hasSentTo,
  purgeOldSends,
  recentSends,
  recordSends,
  type SendsQuery,
  toRecipientKey,
} from "../../../src/domain/messages/recent-messages.ts";
import { stages } from "../../../src/domain/messages/staged-recipients.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../../kit/books.ts";
import { cancelled, claimed, refusedForGood } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
let batch: TestBatch;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
  batch = await books.batch(account, { segments: [1, 1, 1] });
});
afterEach(() => books.close());

const numberOf = (position: number) => `+22670${String(position).padStart(6, "0")}`;
const DAY_MS = 86_400_000;
const forget = (days: number, limit: number) =>
  books.store.write((tx) => purgeOldSends(tx, days * DAY_MS + 1, limit));
const rememberAs = (
  tx: Tx,
  messageId: number,
  msisdn: string,
  {
    plannedAt,
    isMarketing = 1,
    textKey = TEXT,
  }: { plannedAt: number; isMarketing?: number; textKey?: number },
) =>
  recordSends(tx, { firstId: messageId, accountId: account.id, plannedAt, isMarketing }, [
    { msisdn, textKey },
  ]);
const remember = (position: number, plannedAt: number, isMarketing = 1) =>
  books.store.write((tx) =>
    rememberAs(tx, batch.messages[position]!, numberOf(position), { plannedAt, isMarketing }),
  );
const TEXT = hashKey("Bonjour");
const sends = (position: number, fromMs = 0, toMs = 1e15, accountId = account.id, textKey = TEXT) =>
  books.store.write((tx) =>
    recentSends(tx, stages(), {
      accountId,
      msisdn: numberOf(position),
      sameText: { textKey, fromMs, toMs },
      marketing: [],
    }),
  );
const planned = async (position: number, fromMs = 0, toMs = 1e15, accountId = account.id) =>
  (await sends(position, fromMs, toMs, accountId)).map(({ plannedAt }) => plannedAt);
const plannedOf = (...positions: readonly number[]) => Promise.all(positions.map((each) => planned(each)));

/** Has everything that is remembered go into the table that is in order of recipients. */
const FILLER = 10_000_000;
const moveAll = () =>
  books.store.write((tx) => {
    const run = { accountId: account.id, plannedAt: 40 * DAY_MS, isMarketing: 1 };
    const fill = (firstId: number, count: number) =>
      recordSends(
        tx,
        { ...run, firstId },
        Array.from({ length: count }, (_, index) => ({ msisdn: `+33${firstId + index}`, textKey: index })),
      );
    fill(FILLER, 65_536);
    for (let more = 1; more <= 4; more++) fill(FILLER * (1 + more), 10_000);
  });

describe.each([
  ["at hand", () => Promise.resolve()],
  ["in order of recipients", moveAll],
])("what was sent to a number lately, %s,", (_, settle) => {
  test("is found by account and number, from a time to before another", async () => {
    await remember(0, 1000);
    await remember(1, 2000);
    await settle();
    expect(await sends(0)).toEqual([{ plannedAt: 1000, textKey: TEXT, isMarketing: 1 }]);
    expect(await sends(0, 0, 1e15, account.id, hashKey("Bonsoir"))).toEqual([]);
    expect([await planned(0, 1000, 1001), await planned(0, 1001), await planned(0, 0, 1000)]).toEqual([
      [1000],
      [],
      [],
    ]);
    expect(await planned(0, 0, 1e15, account.id + 1)).toEqual([]);
  });

  // Keeps: behaviour 4.36, 4.49
  test("counts no more once the message failed or was cancelled", async () => {
    for (const position of [0, 1, 2]) await remember(position, 1000);
    await settle();
    const [a = 0, b = 0, c = 0] = batch.messages;
    await books.apply(claimed(a), refusedForGood(a), cancelled(b), claimed(c));
    expect(await plannedOf(0, 1, 2)).toEqual([[], [], [1000]]);
  });

  test("of marketing is told up to as many as a cap allows, in each of its spans, and each once", async () => {
    const many = await books.batch(account, { segments: Array(6).fill(1), price: 0 });
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET msisdn = ? WHERE batch_id = ?", numberOf(0), many.id);
      for (const [index, messageId] of many.messages.entries()) {
        const isMarketing = index === 5 ? 0 : 1;
        rememberAs(tx, messageId, numberOf(0), { plannedAt: index * 1000, textKey: index, isMarketing });
      }
    });
    await settle();
    const within = async (marketing: SendsQuery["marketing"]) => {
      const found = await books.store.write((tx) =>
        recentSends(tx, stages(), {
          accountId: account.id,
          msisdn: numberOf(0),
          sameText: { textKey: 5, fromMs: 0, toMs: 1e15 },
          marketing,
        }),
      );
      return found.map(({ plannedAt }) => plannedAt).sort();
    };
    const all = { fromMs: 0, toMs: 1e15 };
    expect(await within([])).toEqual([5000]);
    expect(await within([{ ...all, most: 0 }])).toEqual([5000]);
    expect(await within([{ ...all, most: 9 }])).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
    expect(await within([{ ...all, most: 2 }])).toHaveLength(3);
    const spans = [
      { fromMs: 1000, toMs: 2001, most: 9 },
      { fromMs: 0, toMs: 1001, most: 9 },
    ];
    expect(await within(spans)).toEqual([0, 1000, 2000, 5000]);
  });

  test("is found behind others of the same text that failed", async () => {
    const many = await books.batch(account, { segments: Array(90).fill(1), price: 0 });
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET msisdn = ?", numberOf(0));
      for (const [index, messageId] of many.messages.entries()) {
        rememberAs(tx, messageId, numberOf(0), { plannedAt: 1000 + index, isMarketing: 0 });
      }
    });
    await settle();
    const [, ...failed] = many.messages;
    await books.apply(...failed.map(cancelled));
    expect(await planned(0)).toEqual([1000]);
  });

  test("is not believed where the hash is somebody else's", async () => {
    await books.store.write((tx) =>
      rememberAs(tx, batch.messages[1]!, numberOf(0), { plannedAt: 5, isMarketing: 0 }),
    );
    await settle();
    expect(await planned(0)).toEqual([]);
  });

  test("keys are whole numbers that both sides hold exactly, and differ for what differs", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => hashKey(`text ${index}`));
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
    expect(toRecipientKey(1, "23")).not.toBe(toRecipientKey(12, "3"));
  });

  test("marketing is forgotten 31 days after its planned time, a step at a time", async () => {
    for (const position of [0, 1, 2]) await remember(position, position * DAY_MS);
    await settle();
    expect([await forget(32, 1), await forget(32, 5), await forget(32, 5)]).toEqual([1, 1, 0]);
    expect(await plannedOf(0, 1, 2)).toEqual([[], [], [2 * DAY_MS]]);
  });

  test("the other classes are forgotten eight days after theirs", async () => {
    for (const position of [0, 1, 2]) await remember(position, position * DAY_MS, 0);
    await settle();
    expect([await forget(9, 1), await forget(9, 5), await forget(9, 5)]).toEqual([1, 1, 0]);
    expect(await plannedOf(0, 1, 2)).toEqual([[], [], [2 * DAY_MS]]);
  });

  test("an account has sent a number marketing through an operator, or has not", async () => {
    const [a = 0, b = 0] = batch.messages;
    await remember(0, 1000);
    await remember(1, 1000, 0);
    await settle();
    const has = (position: number, operator = "orange", fromMs = 0, accountId = account.id) =>
      books.store.write((tx) => ({
        sent: hasSentTo(tx, accountId, numberOf(position)),
        marketing: hasSentMarketing(tx, accountId, numberOf(position), [operator], fromMs),
      }));
    // Accepted, and not sent yet.
    expect(await has(0)).toEqual({ sent: false, marketing: false });
    await books.apply(claimed(a), claimed(b));
    expect(await has(0)).toEqual({ sent: true, marketing: true });
    expect((await has(0, "moov")).marketing).toBe(false);
    expect((await has(0, "orange", 1001)).marketing).toBe(false);
    expect(await has(1)).toEqual({ sent: true, marketing: false });
    expect(await has(0, "orange", 0, account.id + 1)).toEqual({ sent: false, marketing: false });
    expect(await has(2)).toEqual({ sent: false, marketing: false });
  });
});
