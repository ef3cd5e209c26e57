import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  forgetOldSends,
  hasSentMarketing,
  hasSentTo,
  keyOf,
  recentSends,
  recipientKeyOf,
  rememberSend,
  type SendsQuery,
} from "../../src/messages/recent-sends.ts";
import { stages } from "../../src/messages/stages.ts";
import type { Params } from "../../src/store/read.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../kit/books.ts";
import { cancelled, claimed, refusedForGood } from "../kit/facts.ts";

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
  books.store.write((tx) => forgetOldSends(tx, days * DAY_MS + 1, limit));
const remember = (position: number, plannedAt: number, isMarketing = 1) =>
  books.store.write((tx) =>
    rememberSend(tx, {
      recipientKey: recipientKeyOf(account.id, numberOf(position)),
      messageId: batch.messages[position]!,
      plannedAt,
      textKey: keyOf("Bonjour"),
      isMarketing,
    }),
  );
const TEXT = keyOf("Bonjour");
const sends = (position: number, fromMs = 0, toMs = 1e15, accountId = account.id, textKey = TEXT) =>
  recentSends(books.store.read, stages(), {
    accountId,
    msisdn: numberOf(position),
    sameText: { textKey, fromMs, toMs },
    marketing: [],
  });
const planned = (position: number, fromMs = 0, toMs = 1e15, accountId = account.id) =>
  sends(position, fromMs, toMs, accountId).map(({ plannedAt }) => plannedAt);

describe("what was sent to a number lately", () => {
  test("is found by account and number, from a time to before another", async () => {
    await remember(0, 1000);
    await remember(1, 2000);
    expect(sends(0)).toEqual([{ plannedAt: 1000, textKey: TEXT, isMarketing: 1 }]);
    expect(sends(0, 0, 1e15, account.id, keyOf("Bonsoir"))).toEqual([]);
    expect([planned(0, 1000, 1001), planned(0, 1001), planned(0, 0, 1000)]).toEqual([[1000], [], []]);
    expect(planned(0, 0, 1e15, account.id + 1)).toEqual([]);
  });

  // Keeps: behaviour 4.36, 4.49
  test("counts no more once the message failed or was cancelled", async () => {
    for (const position of [0, 1, 2]) await remember(position, 1000);
    const [a = 0, b = 0, c = 0] = batch.messages;
    await books.apply(claimed(a), refusedForGood(a), cancelled(b), claimed(c));
    expect([planned(0), planned(1), planned(2)]).toEqual([[], [], [1000]]);
  });

  test("of marketing is told up to as many as a cap allows, in each of its spans, and each once", async () => {
    const many = await books.batch(account, { segments: Array(6).fill(1), price: 0 });
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET msisdn = ? WHERE batch_id = ?", numberOf(0), many.id);
      for (const [index, messageId] of many.messages.entries()) {
        const recipientKey = recipientKeyOf(account.id, numberOf(0));
        const isMarketing = index === 5 ? 0 : 1;
        rememberSend(tx, { recipientKey, messageId, plannedAt: index * 1000, textKey: index, isMarketing });
      }
    });
    const within = (marketing: SendsQuery["marketing"]) =>
      recentSends(books.store.read, stages(), {
        accountId: account.id,
        msisdn: numberOf(0),
        sameText: { textKey: 4, fromMs: 0, toMs: 1e15 },
        marketing,
      })
        .map(({ plannedAt }) => plannedAt)
        .sort();
    const all = { fromMs: 0, toMs: 1e15 };
    expect(within([])).toEqual([4000]);
    expect(within([{ ...all, most: 0 }])).toEqual([4000]);
    expect(within([{ ...all, most: 9 }])).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(within([{ ...all, most: 2 }])).toHaveLength(3);
    const spans = [
      { fromMs: 1000, toMs: 2001, most: 9 },
      { fromMs: 0, toMs: 1001, most: 9 },
    ];
    expect(within(spans)).toEqual([0, 1000, 2000, 4000]);
  });

  test("is found behind others of the same text that failed", async () => {
    const many = await books.batch(account, { segments: Array(90).fill(1), price: 0 });
    const recipientKey = recipientKeyOf(account.id, numberOf(0));
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET msisdn = ?", numberOf(0));
      for (const [index, messageId] of many.messages.entries()) {
        rememberSend(tx, { recipientKey, messageId, plannedAt: 1000 + index, textKey: TEXT, isMarketing: 0 });
      }
    });
    const [, ...failed] = many.messages;
    await books.apply(...failed.map(cancelled));
    expect(planned(0)).toEqual([1000]);
  });

  test("is looked up by number and text: other texts to the number are not looked at", async () => {
    const searches: string[] = [];
    const explain = (sql: string, params: Params) =>
      books.store.read
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
        .map(({ detail }) => detail);
    const read = {
      ...books.store.read,
      all: <T>(sql: string, ...params: Params) => {
        searches.push(...explain(sql, params).filter((detail) => detail.includes("recent_sends")));
        return books.store.read.all<T>(sql, ...params);
      },
    };
    const sameText = { textKey: TEXT, fromMs: 0, toMs: 1e15 };
    recentSends(read, stages(), { accountId: account.id, msisdn: numberOf(0), sameText, marketing: [] });
    const wanted = "(recipient_key=? AND is_marketing=? AND text_key=? AND planned_at>? AND planned_at<?)";
    expect(searches).toEqual([expect.stringContaining(wanted), expect.stringContaining(wanted)]);
  });

  test("is not believed where the hash is somebody else's", async () => {
    await books.store.write((tx) =>
      rememberSend(tx, {
        recipientKey: recipientKeyOf(account.id, numberOf(0)),
        messageId: batch.messages[1]!,
        plannedAt: 5,
        textKey: TEXT,
        isMarketing: 0,
      }),
    );
    expect(planned(0)).toEqual([]);
  });

  test("keys are whole numbers that both sides hold exactly, and differ for what differs", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => keyOf(`text ${index}`));
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
    expect(recipientKeyOf(1, "23")).not.toBe(recipientKeyOf(12, "3"));
  });

  test("marketing is forgotten 31 days after its planned time, a step at a time", async () => {
    for (const position of [0, 1, 2]) await remember(position, position * DAY_MS);
    expect([await forget(32, 1), await forget(32, 5), await forget(32, 5)]).toEqual([1, 1, 0]);
    expect([planned(0), planned(1), planned(2)]).toEqual([[], [], [2 * DAY_MS]]);
  });

  test("the other classes are forgotten eight days after theirs", async () => {
    for (const position of [0, 1, 2]) await remember(position, position * DAY_MS, 0);
    expect([await forget(9, 1), await forget(9, 5), await forget(9, 5)]).toEqual([1, 1, 0]);
    expect([planned(0), planned(1), planned(2)]).toEqual([[], [], [2 * DAY_MS]]);
  });

  test("an account has sent a number marketing through an operator, or has not", async () => {
    const [a = 0, b = 0] = batch.messages;
    await remember(0, 1000);
    await remember(1, 1000, 0);
    const has = (position: number, operator = "orange", fromMs = 0, accountId = account.id) => ({
      sent: hasSentTo(books.store.read, accountId, numberOf(position)),
      marketing: hasSentMarketing(books.store.read, accountId, numberOf(position), [operator], fromMs),
    });
    // Accepted, and not sent yet.
    expect(has(0)).toEqual({ sent: false, marketing: false });
    await books.apply(claimed(a), claimed(b));
    expect(has(0)).toEqual({ sent: true, marketing: true });
    expect(has(0, "moov").marketing).toBe(false);
    expect(has(0, "orange", 1001).marketing).toBe(false);
    expect(has(1)).toEqual({ sent: true, marketing: false });
    expect(has(0, "orange", 0, account.id + 1)).toEqual({ sent: false, marketing: false });
    expect(has(2)).toEqual({ sent: false, marketing: false });
  });
});
