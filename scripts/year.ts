/**
 * A simulated year at a steady load: every day the same messages are accepted, sent and received, and what is over is purged. It shows by
 * the size of the file that the database stops growing, and proves the books at the end. `--days`, `--messages` a day,
 * `--singles` of them in batches of one, `--message-days`.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { purge } from "../src/admin/operations/purge.ts";
import { verifyLedger } from "../src/admin/reports/ledger-verification.ts";
import { DATABASE_FILE, readInSnapshots } from "../src/db/connections.ts";
import { tableSizes } from "../src/db/sizes.ts";
import { configOf, document } from "../test/config/sample.ts";
import { type Books, openBooks } from "../test/kit/books.ts";
import { claimed, delivered, partAccepted } from "../test/kit/facts.ts";

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 * 1024;
const CAMPAIGN = 500;

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "365" },
    messages: { type: "string", default: "2000" },
    singles: { type: "string", default: "0" },
    "message-days": { type: "string", default: "60" },
  },
});
const days = Number(values.days);
const messages = Number(values.messages);
const singles = Math.min(messages, Number(values.singles));
const messageDays = Number(values["message-days"]);
const retention = { text_days: Math.min(30, messageDays), message_days: messageDays };
const config = configOf(
  document({ retention, api: { max_lookback_hours: Math.min(720, messageDays * 24) } }),
);

const books = openBooks();
const account = await books.account({ funds: 1_000_000_000 });
const file = join(books.store.directory, DATABASE_FILE);
console.log(`${messages} messages a day, ${singles} of them in batches of one; kept for ${messageDays} days`);
console.log("day   file MB  in use MB  messages");
for (let day = 1; day <= days; day++) {
  await sendOneDay(books);
  await books.clock.advance(DAY_MS);
  await purged(books);
  if (day % 20 === 0 || day === days) tell(day);
}
const { differences, ...proved } = readInSnapshots(books.store.directory, verifyLedger);
console.log(`books: ${JSON.stringify(proved)}, ${differences.length} differences`);
for (const { name, bytes, rows } of tableSizes(books.store.directory).tables.slice(0, 8)) {
  console.log(
    `${name.padEnd(24)} ${String(rows).padStart(9)} rows ${(bytes / MEGABYTE).toFixed(2).padStart(9)} MB`,
  );
}
await books.close();

async function sendOneDay({ batch, apply }: Books): Promise<void> {
  let left = messages - singles;
  const sizes = Array.from({ length: singles }, () => 1);
  for (; left > 0; left -= CAMPAIGN) sizes.push(Math.min(CAMPAIGN, left));
  for (const size of sizes) {
    const { messages: ids } = await batch(account, { segments: Array.from({ length: size }, () => 1) });
    await apply(...ids.map(claimed));
    await apply(...ids.map((id) => partAccepted(id, 1)));
    await apply(...ids.map((id) => delivered(id, 1)));
  }
}

async function purged({ store, clock, newId }: Books): Promise<void> {
  let isDone = false;
  const done = purge({ store, clock, newId, config }, () => false).finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(20);
  await done;
}

function tell(day: number): void {
  const { bytes, freeBytes, tables } = tableSizes(books.store.directory);
  const rows = tables.find(({ name }) => name === "messages")?.rows ?? 0;
  const [whole, used] = [statSync(file).size, bytes - freeBytes].map((each) => (each / MEGABYTE).toFixed(2));
  console.log(
    `${String(day).padStart(3)} ${whole?.padStart(10)} ${used?.padStart(10)} ${String(rows).padStart(9)}`,
  );
}
