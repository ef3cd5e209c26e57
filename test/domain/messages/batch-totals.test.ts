import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../../../src/db/writer.ts";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, undelivered } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
});
afterEach(() => books.close());

/** What a job runs that writes rows, in order. */
async function writesOf(job: (tx: Tx) => void): Promise<string[]> {
  const ran: string[] = [];
  await books.store.write((tx) => {
    ran.length = 0;
    job({
      ...tx,
      run: (sql, ...params) => {
        ran.push(sql);
        return tx.run(sql, ...params);
      },
    });
  });
  return ran;
}

const writesOfFacts = (...facts: Fact[]) => writesOf((tx) => void applyFacts(tx, facts, books.clock.nowMs()));

const toTable = (ran: readonly string[], table: string) =>
  ran.filter((sql) => sql.startsWith(`UPDATE ${table} SET`));

describe("what the facts of one transaction write", () => {
  test("is each batch once, also where it begins, ends and is posted, and the wallet of an account once", async () => {
    const batches = [await books.batch(account), await books.batch(account), await books.batch(account)];
    const ids = batches.map(({ messages }) => messages[0]!);
    const written = async (...facts: Fact[]) => {
      const ran = await writesOfFacts(...facts);
      return { batches: toTable(ran, "batches").length, wallets: toTable(ran, "wallets").length };
    };
    expect(await written(...ids.map((id) => claimed(id)))).toEqual({ batches: 3, wallets: 0 });
    expect(await written(...ids.map((id) => partAccepted(id)))).toEqual({ batches: 3, wallets: 1 });
    expect(await written(...ids.map((id) => delivered(id)))).toEqual({ batches: 3, wallets: 0 });
    for (const { id } of batches)
      expect(books.batchRow(id)).toMatchObject({
        status: "SETTLED",
        submitted: 1,
        sent: 1,
        delivered: 1,
        unfinished: 0,
        unclosed: 0,
        charged_amount: 15,
        posted_charged: 15,
        postings: 1,
        ended_at: books.clock.nowMs(),
      });
  });

  test("names no column that stays as it is, so that no index is looked at for it", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1] });
    const [first, second] = [messages[0]!, messages[1]!];
    await books.apply(claimed(first), claimed(second), partAccepted(first), partAccepted(second));
    const ran = await writesOfFacts(delivered(first), undelivered(second));
    const named = [...toTable(ran, "messages"), ...toTable(ran, "batches")].join(" ");
    for (const column of ["delivered_at", "error_code", "stamp_us"]) expect(named).toContain(`${column} = `);
    for (const column of ["not_before", "unanswered_until", "attempts", "submitted_at"])
      expect(named).not.toContain(column);
  });

  test("is nothing at all of a batch that has nothing to fold", async () => {
    const { id } = await books.batch(account);
    expect(await writesOf((tx) => postBatchMovements(tx, id, books.clock.nowMs()))).toEqual([]);
  });
});
