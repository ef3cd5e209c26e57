/** What waits for receipts costs nothing: an idle appliance issues the same statements and reads the same rows with ten times as many open batches. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { openOnDisk } from "../../src/db/disk.ts";
import { statementBook } from "../kit/statement-book.ts";
import { type Stage, stage } from "../scenarios/stage.ts";

const book = statementBook(openOnDisk, () => {});
let appliance: Stage;
beforeAll(async () => {
  appliance = await stage({ ...systemPlatform, openDatabase: book.openDatabase });
  appliance.smsc.change({ noReceipts: true });
}, 60_000);
afterAll(async () => {
  await appliance.close();
});

/**
 * What falls where it falls, whatever is in the database: the look at the log, which comes every eighth commit, and the first time that
 * a statement is prepared.
 */
const OF_THE_MOMENT = /^(PRAGMA wal_checkpoint|\()/;

/** What runs are counted: those of the appliance at rest, by statement, with their rows. */
function counted(): Record<string, string> {
  const ran = book.booked().filter(({ sql }) => !OF_THE_MOMENT.test(sql));
  return Object.fromEntries(
    ran.map(({ sql, connection, runs, rows }) => [
      `${connection}: ${sql.replace(/\s+/g, " ")}`,
      `${runs} runs, ${rows} rows`,
    ]),
  );
}

const MINUTE_MS = 60_000;

test("a minute at rest, an administrative change and a start cost the same with 3 batches that wait for receipts and with 33", async () => {
  const client = await appliance.client();
  const send = async (from: number, count: number) => {
    for (let n = 0; n < count; n++) {
      const { batch_id } = await client.submit({ recipients: [{ msisdn: String(70_000_000 + from + n) }] });
      await client.until(batch_id, ({ counts }) => counts.sent === 1);
    }
    // What is done once after a batch was accepted is over: its movements are in the ledger.
    await appliance.clock.advance(3 * MINUTE_MS);
  };
  const rest = async () => {
    book.reset();
    await appliance.clock.advance(MINUTE_MS);
    return counted();
  };
  const change = async () => {
    book.reset();
    await appliance.admin("account suspend", { ACCOUNT: client.accountId, reason: "unpaid" });
    await appliance.admin("account resume", { ACCOUNT: client.accountId });
    await appliance.clock.advance(100);
    return counted();
  };
  const start = async () => {
    await appliance.stop();
    book.reset();
    await appliance.start();
    await appliance.clock.advance(100);
    return counted();
  };
  const costs = async () => ({ rest: await rest(), change: await change(), start: await start() });

  await send(1, 3);
  const few = await costs();
  await send(101, 30);
  const many = await costs();
  expect(many.rest).toEqual(few.rest);
  expect(many.change).toEqual(few.change);
  expect(many.start).toEqual(few.start);
  expect(Object.keys(few.rest).length).toBeGreaterThan(10);
}, 60_000);
