import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WALLET_OPERATIONS, walletTopUp } from "../../../src/admin/operations/wallets.ts";
import {
  batchesStatement,
  batchStatement,
  statementPage,
  walletStatement,
} from "../../../src/admin/reports/statements.ts";
import { postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import { english } from "../../../src/i18n/text.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../operations/fixture.ts";
import { run } from "../operations/run-operation.ts";

type StatementPage = Extract<Awaited<ReturnType<typeof statementPage>>, { readonly ok: true }>["value"];

const ALWAYS = { fromMs: null, toMs: null };

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

describe("a statement", () => {
  test("has opening balance, every movement with cause and running balance, and closing balance", async () => {
    granted(await walletTopUp(fixture.context, account, 1000, "r1"));
    await fixture.clock.advance(1000);
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
        account,
        amount: -400,
        reason: "correction",
      }),
    );
    const whole = granted(await walletStatement(fixture.context, account, ALWAYS));
    expect(whole).toMatchObject({ opening_balance: 0, closing_balance: 600, currency: "XOF" });
    expect(whole.entries.map(({ kind, change, balance, note }) => [kind, change, balance, note])).toEqual([
      ["TOPUP", 1000, 1000, "r1"],
      ["ADJUSTMENT", -400, 600, "correction"],
    ]);
    expect(whole.wallet.balance).toBe(600);
  });

  test("opens with what the one before it closed with, wherever time is cut", async () => {
    const startMs = fixture.clock.nowMs();
    for (const [index, amount] of [500, -200, 30, 7].entries()) {
      await fixture.clock.advance(1000);
      granted(
        await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
          account,
          amount,
          reason: `n${index}`,
        }),
      );
    }
    const whole = granted(await walletStatement(fixture.context, account, ALWAYS));
    for (const cutMs of [0, 500, 1000, 1001, 2500, 4000, 9000].map((ms) => startMs + ms)) {
      const before = granted(await walletStatement(fixture.context, account, { fromMs: null, toMs: cutMs }));
      const after = granted(await walletStatement(fixture.context, account, { fromMs: cutMs, toMs: null }));
      expect(after.opening_balance).toBe(before.closing_balance);
      expect([...before.entries, ...after.entries]).toEqual(whole.entries);
      expect(after.closing_balance).toBe(337);
    }
  });

  test("names the batch of an entry, and what the ledger does not hold yet", async () => {
    const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT", "QUEUED"] });
    const { entries, closing_balance, not_entered_yet, wallet } = granted(
      await walletStatement(fixture.context, account, ALWAYS),
    );
    expect(entries.map(({ kind, batch_id }) => [kind, batch_id])).toEqual([
      ["TOPUP", null],
      ["RESERVE", batch],
    ]);
    expect(not_entered_yet).toEqual({ charged: 15, released: 0 });
    expect(closing_balance - not_entered_yet.charged).toBe(wallet.balance);
  });

  test("adds the entries of each kind up: opening balance and changes make the closing balance", async () => {
    granted(await walletTopUp(fixture.context, account, 1000, "r1"));
    await fixture.clock.advance(1000);
    const fromMs = fixture.clock.nowMs();
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
        account,
        amount: -400,
        reason: "correction",
      }),
    );
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
        account,
        amount: 50,
        reason: "correction",
      }),
    );
    const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT", "QUEUED"] });
    await fixture.context.store.write((tx) => postBatchMovements(tx, 1, fixture.clock.nowMs()));
    const { opening_balance, closing_balance, totals, counts } = granted(
      await walletStatement(fixture.context, account, { fromMs, toMs: null }),
    );
    expect(totals).toEqual([
      { kind: "TOPUP", entries: 1, amount: 30, change: 30 },
      { kind: "ADJUSTMENT", entries: 2, amount: 450, change: -350 },
      { kind: "RESERVE", entries: 1, amount: 30, change: 0 },
      { kind: "CHARGE", entries: 1, amount: 15, change: -15 },
      { kind: "RELEASE", entries: 0, amount: 0, change: 0 },
    ]);
    expect(closing_balance).toBe(totals.reduce((sum, { change }) => sum + change, opening_balance));
    expect(counts.code).toBe("cli.counts.entries");
    expect(batch).not.toBe("");
  });

  test("of more entries than an answer holds says where to cut, and the two parts are the whole", async () => {
    for (const n of [1, 2, 3, 4]) {
      await fixture.clock.advance(1000);
      granted(
        await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, { account, amount: n, reason: "n" }),
      );
    }
    const refused = await walletStatement(fixture.context, account, ALWAYS, 3);
    expect(codeOf(refused)).toBe("TOO_MANY_ENTRIES");
    const words = refused.ok ? "" : english(refused.refusal.detail);
    const cut = /--to (\S+), for the next with --from \1, or for all with --csv/.exec(words)?.[1] ?? "";
    const cutMs = Date.parse(cut);
    const first = granted(await walletStatement(fixture.context, account, { fromMs: null, toMs: cutMs }, 3));
    const rest = granted(await walletStatement(fixture.context, account, { fromMs: cutMs, toMs: null }, 3));
    expect([...first.entries, ...rest.entries].map(({ amount }) => amount)).toEqual([1, 2, 3, 4]);
    expect(rest.opening_balance).toBe(first.closing_balance);
  });

  test("in pages is the whole, cut between two instants, however many entries one instant has", async () => {
    granted(await walletTopUp(fixture.context, account, 1000, "r"));
    for (const entriesAtOnce of [1, 2, 7, 1, 1200, 3]) {
      await fixture.clock.advance(1000);
      await Promise.all(
        Array.from({ length: entriesAtOnce }, () =>
          run(WALLET_OPERATIONS["wallet adjust"], fixture.context, { account, amount: 1, reason: "n" }),
        ),
      );
    }
    const whole = granted(await walletStatement(fixture.context, account, ALWAYS));
    for (const most of [1, 2, 3, 8, 1000, 1214, 1215]) {
      const pages: StatementPage[] = [];
      for (let fromMs: number | null = null; ; ) {
        const page: StatementPage = granted(
          await statementPage(fixture.context, account, { fromMs, toMs: null }, most),
        );
        expect(page.opening_balance).toBe(pages.at(-1)?.closing_balance ?? 0);
        expect(page.closing_balance).toBe(
          page.totals.reduce((sum, { change }) => sum + change, page.opening_balance),
        );
        pages.push(page);
        if (page.next === null) break;
        fromMs = Date.parse(page.next);
      }
      expect(pages.flatMap(({ entries }) => entries)).toEqual([...whole.entries]);
      expect(pages.length).toBe({ 1: 7, 2: 6, 3: 6, 8: 4, 1000: 3, 1214: 2, 1215: 1 }[most]!);
    }
  });

  test("of thousands of entries is whole", async () => {
    for (let n = 0; n < 2100; n += 700) {
      await Promise.all(
        Array.from({ length: 700 }, () =>
          run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
            account,
            amount: 1,
            reason: "one more",
          }),
        ),
      );
    }
    const { entries, closing_balance } = granted(await walletStatement(fixture.context, account, ALWAYS));
    expect(entries.map(({ balance }) => balance)).toEqual(Array.from({ length: 2100 }, (_, n) => n + 1));
    expect(closing_balance).toBe(2100);
  });
});

describe("the statement of a batch", () => {
  test("has messages, segments, price, charged and released by operator and price", async () => {
    const batch = await plantBatch(fixture, {
      account,
      status: "SENDING",
      messages: ["SENT", "SENT", "QUEUED"],
    });
    await fixture.context.store.write((tx) =>
      tx.run("UPDATE messages SET operator = 'moov' WHERE position = 2"),
    );
    const view = granted(await batchStatement(fixture.context, account, batch.toLowerCase()));
    expect(view).toMatchObject({
      batch_id: batch,
      messages: 3,
      segments: 3,
      reserved: 45,
      charged: 30,
      released: 0,
      still_reserved: 15,
    });
    expect(view.lines).toEqual([
      {
        operator: "moov",
        price: 15,
        messages: 1,
        segments: 1,
        reserved: 15,
        charged: 0,
        released: 0,
        still_reserved: 15,
        billed_segments: 0,
        free_segments: 0,
      },
      {
        operator: "orange",
        price: 15,
        messages: 2,
        segments: 2,
        reserved: 30,
        charged: 30,
        released: 0,
        still_reserved: 0,
        billed_segments: 2,
        free_segments: 0,
      },
    ]);
  });

  test("of another account is not there", async () => {
    const other = await fixture.account();
    const batch = await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED"] });
    expect(codeOf(await batchStatement(fixture.context, other, batch))).toBe("BATCH_NOT_FOUND");
  });

  test("of all batches of a stretch of time adds them up, oldest first", async () => {
    const batches: string[] = [];
    const startMs = fixture.clock.nowMs();
    for (const messages of [["SENT"], ["SENT", "QUEUED"], ["QUEUED"]] as const) {
      batches.push(await plantBatch(fixture, { account, status: "SENDING", messages }));
      await fixture.clock.advance(60_000);
    }
    const whole = granted(await batchesStatement(fixture.context, account, ALWAYS));
    expect(whole.batches.map(({ batch_id }) => batch_id)).toEqual(batches);
    expect(whole.total).toEqual({
      messages: 4,
      segments: 4,
      reserved: 60,
      charged: 30,
      released: 0,
      still_reserved: 30,
    });
    const middle = { fromMs: startMs + 60_000, toMs: startMs + 120_000 };
    const part = granted(await batchesStatement(fixture.context, account, middle));
    expect(part.batches.map(({ batch_id }) => batch_id)).toEqual(batches.slice(1, 2));
  });

  test("of more batches than an answer holds says where the newest begin, and says how batches count", async () => {
    for (let n = 0; n < 3; n++) {
      await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
      await fixture.clock.advance(60_000);
    }
    const refused = await batchesStatement(fixture.context, account, ALWAYS, 2);
    expect(codeOf(refused)).toBe("TOO_MANY_ENTRIES");
    const words = refused.ok ? "" : english(refused.refusal.detail);
    const after = /those after (\S+): use that as --from; "wallet invoice"/.exec(words)?.[1] ?? "";
    const newest = { fromMs: Date.parse(after) + 1, toMs: null };
    const { batches, counts } = granted(await batchesStatement(fixture.context, account, newest, 2));
    expect(batches).toHaveLength(2);
    expect(counts.code).toBe("cli.counts.batches");
  });
});
