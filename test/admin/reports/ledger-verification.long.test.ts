/** One amount in the database is changed by hand, as somebody with a grudge and an editor would; the check finds it. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyLedger } from "../../../src/admin/reports/ledger-verification.ts";
import { readInSnapshots } from "../../../src/db/connections.ts";
import { setPrice, unsetPrice } from "../../../src/domain/accounts/prices.ts";
import { makeCheckpoint } from "../../../src/domain/ledger/checkpoints.ts";
import { adjust } from "../../../src/domain/ledger/funding.ts";
import { post } from "../../../src/domain/ledger/wallet.ts";
import { postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import { purgeMessages } from "../../../src/domain/messages/purge.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import { claimed, delivered, givenUp, partAccepted } from "../../kit/facts.ts";

let books: Books;
beforeEach(async () => {
  books = openBooks();
  const account = await books.account({ funds: 50_000 });
  await books.account({ funds: 700 });
  const ended = await books.batch(account, { segments: [2, 1], price: 100, isStaged: true });
  const [first = 0, second = 0] = ended.messages;
  await books.apply(claimed(first), partAccepted(first, 1), partAccepted(first, 2), givenUp(second));
  await books.apply(delivered(first, 1), delivered(first, 2));
  const running = await books.batch(account, { segments: [1, 1, 1, 2], price: 15 });
  const [sent = 0, gone = 0, later = 0] = running.messages;
  await books.apply(claimed(sent), partAccepted(sent, 1), givenUp(gone));
  await books.store.write((tx) => postBatchMovements(tx, running.id, books.clock.nowMs()));
  await books.apply(givenUp(later));
  // One of WhatsApp that may go on as an SMS, which is dearer.
  const two = await books.batch(account, { segments: [1], price: 5, smsPrice: 15 });
  await books.apply(claimed(two.messages[0] ?? 0));
  await books.store.write((tx) => {
    for (let n = 0; n < 10_001; n++) {
      adjust(tx, { accountId: account.id, amount: n % 2 ? 1 : -1, reason: "n", id: String(n), atMs: 1 });
    }
    for (const amount of [20, 30, 20])
      setPrice(tx, account.id, { operator: "moov", messageClass: "OTP", amount }, 1);
    unsetPrice(tx, account.id, { operator: "moov", messageClass: "OTP" }, 1);
    for (const amount of [9, 15])
      setPrice(tx, account.id, { operator: "moov", messageClass: "OTP", amount }, 1);
    setPrice(tx, account.id, { operator: "orange", messageClass: null, amount: 12 }, 1);
  });
  const purged = { name: "messages", what: "messages", classes: ["TRANSACTIONAL"] } as const;
  await books.store.write((tx) =>
    purgeMessages(tx, account.id, { ...purged, beforeMs: 1e13 }, 100, () => {}),
  );
  await makeCheckpoint(books.store, account.id, Number.MAX_SAFE_INTEGER, () => undefined);
});
afterEach(() => books.close());

const check = () => readInSnapshots(books.store.directory, verifyLedger);

test("money that moves while the books are read is counted in, and no moment outlives its piece", () => {
  let writes = 0;
  const accountId = books.store.read.get<{ id: number }>("SELECT max(id) AS id FROM accounts")!.id;
  const found = readInSnapshots(books.store.directory, (inSnapshot) =>
    verifyLedger((work) => {
      const seen = inSnapshot(work);
      // A writer of its own, between two moments: the log can begin anew, so nobody holds an older one.
      const db = new Database(join(books.store.directory, "bendre.db"), { strict: true });
      db.run("PRAGMA recursive_triggers = ON");
      db.transaction(() => {
        writes += 1;
        db.query(
          `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, created_at)
           VALUES (?, 'TOPUP', 'CASH', 'FUNDS', 7, ?, ?)`,
        ).run(accountId, `topup:between:${writes}`, Number.MAX_SAFE_INTEGER - 100 + writes);
        db.query("UPDATE wallets SET funds = funds + 7 WHERE account_id = ?").run(accountId);
      }).immediate();
      const [held] = db.query("PRAGMA wal_checkpoint(TRUNCATE)").all() as { busy: number }[];
      expect(held).toMatchObject({ busy: 0 });
      db.close();
      return seen;
    }),
  );
  expect(writes).toBeGreaterThan(3);
  expect(found.differences).toEqual([]);
});

/** Settings and notices, which are not made of anything; and what the check itself wrote down. */
const NOT_BOOKS = new Set([
  // Figures of what became of messages, made of them.
  "delivery_figures.charged",
  "delivery_figures.segments",
  // What routes cost is a book of its own, and no account is charged by it.
  "route_costs.segments",
  "route_costs.unknown_cost_segments",
  "accounts.credit_limit",
  "accounts.low_balance",
  // How often, and since when, Meta priced a template as another category.
  "whatsapp_direct_prices.mispriced",
  "whatsapp_direct_prices.released_at",
  "whatsapp_templates.mispriced",
  "whatsapp_templates.price_stopped_at",
  "whatsapp_templates.released_at",
]);

/** Every column of the schema that holds money or counts what money is made of. */
function amountColumns(): string[] {
  const rows = books.store.read.all<{ name: string }>(
    `SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND c.type = 'INTEGER'
       AND (c.name LIKE '%amount%' OR c.name LIKE '%price%' OR c.name LIKE '%funds%' OR c.name LIKE '%reserved%'
         OR c.name LIKE '%charged%' OR c.name LIKE '%released%' OR c.name LIKE '%segments' OR c.name LIKE '%balance'
         OR c.name = 'spendable' OR c.name = 'credit_limit')
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !NOT_BOOKS.has(name));
}

/** Changes one amount behind the program's back, or puts one where there was none; returns how to undo it. */
function corrupt(table: string, column: string, row: number, by: number): () => void {
  const db = new Database(join(books.store.directory, "bendre.db"));
  const keys = db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(({ name }) => name)
    .join(", ");
  db.run("PRAGMA ignore_check_constraints = ON");
  db.run("DROP TRIGGER IF EXISTS ledger_never_changes");
  const where = `(${keys}) = (SELECT ${keys} FROM ${table} ORDER BY ${keys} LIMIT 1 OFFSET ${row})`;
  const { amount } = db
    .query<{ amount: number | null }, []>(`SELECT ${column} AS amount FROM ${table} WHERE ${where}`)
    .get()!;
  const put = (value: number | null) => db.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, [value]);
  put((amount ?? 0) + by);
  return () => {
    put(amount);
    db.close();
  };
}

/** Every row of a short table; the first, the last and one between of a long one. */
function rowsOf(table: string): readonly number[] {
  const rows = books.store.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  return rows <= 20 ? Array.from({ length: rows }, (_, row) => row) : [0, Math.floor(rows / 2), rows - 1];
}

describe("the check of the books", () => {
  test("agrees with books that nobody touched, in the middle of sending", () => {
    const found = check();
    expect(found.differences).toEqual([]);
    expect(found).toMatchObject({ accounts: 2, batches: 3, messages: 7, entries: 10_010 });
  });

  test("knows every column of the schema that holds money", () => {
    expect(amountColumns()).toEqual([
      "account_prices.amount",
      "batches.charged_amount",
      "batches.posted_charged",
      "batches.posted_released",
      "batches.released_amount",
      "batches.reserved_amount",
      "batches.total_segments",
      "fallbacks.excess_amount",
      "fallbacks.first_amount",
      "fallbacks.price",
      "fallbacks.segments",
      "ledger.amount",
      "ledger_checkpoints.funds",
      "ledger_checkpoints.reserved",
      "messages.amount",
      "messages.price",
      "messages.segments",
      "price_changes.amount",
      "price_changes.previous_amount",
      "purged_lines.charged",
      "purged_lines.excess_amount",
      "purged_lines.price",
      "purged_lines.segments",
      "wallets.funds",
      "wallets.reserved",
    ]);
  });

  test("finds a single changed amount in any of them, in any row, by one franc up or down", () => {
    for (const name of amountColumns()) {
      const [table = "", column = ""] = name.split(".");
      const rows = rowsOf(table);
      expect(rows, name).not.toEqual([]);
      for (const row of rows) {
        for (const by of [1, -1]) {
          const undo = corrupt(table, column, row, by);
          expect(check().differences, `${name}, row ${row}, ${by}`).not.toEqual([]);
          undo();
        }
      }
    }
    expect(check().differences).toEqual([]);
  });

  test("finds a price of the past that was changed, and says which change proves it", () => {
    const undo = corrupt("price_changes", "amount", 0, 979);
    const { ulid: account } = books.store.read.get<{ ulid: string }>("SELECT ulid FROM accounts")!;
    expect(check().differences).toEqual([
      phrase("fault.books.price.change", {
        whose: phrase("fault.books.price.of_class", { account, operator: "moov", message_class: "OTP" }),
        change: 2,
        found: phrase("fault.books.price.amount", { amount: 20 }),
        left: phrase("fault.books.price.amount", { amount: 999 }),
      }),
    ]);
    undo();
  });

  test("finds an entry that is missing, one that is there twice, and one of a batch that is not", async () => {
    const db = new Database(join(books.store.directory, "bendre.db"));
    db.run("DROP TRIGGER ledger_never_shrinks");
    db.run("CREATE TEMP TABLE kept AS SELECT * FROM ledger WHERE kind = 'CHARGE' LIMIT 1");
    db.run("DELETE FROM ledger WHERE id = (SELECT id FROM kept)");
    expect(check().differences).not.toEqual([]);
    db.run("INSERT INTO ledger SELECT * FROM kept");
    expect(check().differences).toEqual([]);
    db.run("UPDATE kept SET id = id + 100000, cause = 'copy'");
    db.run("INSERT INTO ledger SELECT * FROM kept");
    expect(check().differences).not.toEqual([]);
    db.run("DELETE FROM ledger WHERE cause = 'copy'");
    db.run("UPDATE kept SET batch_id = 99, kind = 'RESERVE', debit = 'FUNDS', credit = 'RESERVED'");
    db.run("INSERT INTO ledger SELECT * FROM kept");
    expect(check().differences).not.toEqual([]);
    db.close();
  });

  test("finds an entry of each kind in books that are not its own", () => {
    const db = new Database(join(books.store.directory, "bendre.db"));
    db.run("DROP TRIGGER ledger_never_changes");
    for (const kind of ["TOPUP", "ADJUSTMENT", "RESERVE", "CHARGE", "RELEASE"]) {
      for (const side of ["debit", "credit"]) {
        const { id, book } = db
          .query<{ id: number; book: string }, [string]>(
            `SELECT id, ${side} AS book FROM ledger WHERE kind = ?`,
          )
          .get(kind)!;
        const other = db
          .query<{ book: string }, [string, number]>(
            `SELECT value AS book FROM json_each('["CASH","EARNED","RESERVED","FUNDS"]')
             WHERE value <> ?1 AND value NOT IN (SELECT debit FROM ledger WHERE id = ?2 UNION SELECT credit FROM ledger WHERE id = ?2)`,
          )
          .get(book, id)!.book;
        db.run(`UPDATE ledger SET ${side} = ? WHERE id = ?`, [other, id]);
        expect(check().differences, `${kind} ${side} ${other}`).toContainEqual(
          expect.objectContaining({ code: "fault.books.misplaced" }),
        );
        db.run(`UPDATE ledger SET ${side} = ? WHERE id = ?`, [book, id]);
      }
    }
    expect(check().differences).toEqual([]);
    db.close();
  });

  test("finds an entry whose kind is not what its cause says, though its books could be", () => {
    const db = new Database(join(books.store.directory, "bendre.db"));
    db.run("DROP TRIGGER ledger_never_changes");
    const causes = [
      ["TOPUP", "topup:A:r"],
      ["ADJUSTMENT", "adjustment:A"],
      ["RESERVE", "batch:A:reserve"],
      ["CHARGE", "batch:A:charge:1"],
      ["RELEASE", "batch:A:release:1"],
    ] as const;
    for (const [kind] of causes) {
      const { id, cause } = db
        .query<{ id: number; cause: string }, [string]>("SELECT id, cause FROM ledger WHERE kind = ?")
        .get(kind)!;
      for (const [own, other] of causes) {
        db.run("UPDATE ledger SET cause = ? WHERE id = ?", [other, id]);
        const found = check().differences.filter(({ code }) => code === "fault.books.misnamed");
        expect(found, `${kind}, ${other}`).toHaveLength(own === kind ? 0 : 1);
      }
      db.run("UPDATE ledger SET cause = ? WHERE id = ?", [cause, id]);
    }
    db.run("UPDATE ledger SET kind = 'ADJUSTMENT' WHERE kind = 'TOPUP' AND account_id = 1");
    expect(check().differences).toMatchObject([{ code: "fault.books.misnamed", params: { entries: 1 } }]);
    db.close();
  });

  test("finds entries of no batch that even each other out", async () => {
    const { id, ulid } = books.store.read.get<{ id: number; ulid: string }>("SELECT id, ulid FROM accounts")!;
    const shared = { accountId: id, batchId: null, note: null, atMs: 2 };
    await books.store.write((tx) => {
      const [reserved, spent] = [{ debit: "FUNDS", credit: "RESERVED" }, { debit: "RESERVED" }] as const;
      post(tx, { ...shared, ...reserved, kind: "RESERVE", amount: 6, cause: "batch:X:reserve" });
      post(tx, {
        ...shared,
        ...spent,
        credit: "EARNED",
        kind: "CHARGE",
        amount: 4,
        cause: "batch:X:charge:1",
      });
      post(tx, {
        ...shared,
        ...spent,
        credit: "FUNDS",
        kind: "RELEASE",
        amount: 2,
        cause: "batch:X:release:1",
      });
      post(tx, {
        ...shared,
        debit: "CASH",
        credit: "FUNDS",
        kind: "ADJUSTMENT",
        amount: 4,
        cause: "adjustment:X",
      });
    });
    const ofAccount = (what: "reserved" | "charged" | "released", shown: number, recounted: number) =>
      phrase("fault.books.account", {
        account: ulid,
        what: phrase(`fault.books.what.${what}_by_batches`),
        shown,
        recounted,
      });
    expect(check().differences).toEqual([
      ofAccount("reserved", 390, 396),
      ofAccount("charged", 215, 219),
      ofAccount("released", 115, 117),
    ]);
  });

  test("finds a batch that counts a message which is not there", async () => {
    await books.store.write((tx) => tx.run("UPDATE batches SET accepted = accepted + 1 WHERE id = 2"));
    expect(check().differences).toEqual([
      phrase("fault.books.batch", {
        batch: books.batchRow(2).ulid,
        what: phrase("fault.books.what.messages"),
        shown: 5,
        by: phrase("fault.books.by.there"),
        recounted: 4,
      }),
    ]);
  });

  test("finds an entry that is another batch's, though the account's sums are right", () => {
    const db = new Database(join(books.store.directory, "bendre.db"));
    db.run("DROP TRIGGER ledger_never_changes");
    db.run("UPDATE ledger SET batch_id = 3 - batch_id WHERE kind = 'CHARGE' AND batch_id = 1");
    db.close();
    const { ulid } = books.batchRow(1);
    expect(check().differences).toContainEqual(
      phrase("fault.books.batch", {
        batch: ulid,
        what: phrase("fault.books.what.charged_into_ledger"),
        shown: 200,
        by: phrase("fault.books.by.entries"),
        recounted: 0,
      }),
    );
  });

  test("finds a price that was taken away but is there, and one that was set but is gone", async () => {
    const orange = { operator: "orange", messageClass: null };
    const sql = (text: string) => books.store.write((tx) => tx.run(text));
    await sql("CREATE TABLE kept AS SELECT * FROM account_prices WHERE operator = 'orange'");
    await sql("DELETE FROM account_prices WHERE operator = 'orange'");
    const none = phrase("fault.books.price.none");
    const twelve = phrase("fault.books.price.amount", { amount: 12 });
    expect(check().differences).toMatchObject([
      {
        code: "fault.books.price.standing",
        params: { amount: none, set: phrase("fault.books.price.plain", { amount: 12 }) },
      },
    ]);
    await sql("INSERT INTO account_prices SELECT * FROM kept");
    await books.store.write((tx) => unsetPrice(tx, 1, orange, 3));
    expect(check().differences).toEqual([]);
    await sql("INSERT INTO account_prices SELECT * FROM kept");
    expect(check().differences).toMatchObject([
      { code: "fault.books.price.standing", params: { amount: twelve, set: none } },
    ]);
    await books.store.write((tx) => setPrice(tx, 1, { ...orange, amount: 14 }, 4));
    expect(check().differences).toMatchObject([
      { code: "fault.books.price.change", params: { found: twelve, left: none } },
    ]);
  });

  test("says whose figure differs from what", () => {
    corrupt("batches", "charged_amount", 0, 1);
    const { ulid } = books.batchRow(1);
    expect(check().differences.map(english)).toContain(
      `batch ${ulid}: charged is 201, its messages make 200`,
    );
  });
});
