/**
 * Makes a data directory with as many messages as are asked for, of 31 days, as an appliance would have left it: campaigns of 10,000 and
 * single texts, 40 accounts, three operators, a few errors of which some are rare. `bun scripts/large-database.ts DIR [messages]`
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { openStore } from "../src/db/store.ts";

const ACCOUNTS = 40;
const CAMPAIGN = 10_000;
/** Of each stretch of ids so many are single texts, the others a campaign. */
const SINGLES = 2_000;
const STRETCH = CAMPAIGN + SINGLES;
const DAY_MS = 86_400_000;
const SPAN_MS = 31 * DAY_MS;

/** Draws that look random and are the same each time: a multiplicative hash of the id. */
const draw = (salt: number, below: number): string =>
  `((((n + ${salt}) * 2654435761) >> 7) & 1073741823) % ${below}`;

async function fill(where: string, messages: number): Promise<void> {
  const store = openStore(where, systemClock);
  await store.close();
  const db = new Database(join(where, "bendre.db"));
  db.run("PRAGMA synchronous = OFF");
  db.run("PRAGMA cache_size = -400000");
  const endMs = systemClock.nowMs();
  for (let n = 1; n <= ACCOUNTS; n++) {
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (?, ?, ?, 'ACTIVE', 'Africa/Ouagadougou', 'PREPAID', ?)`,
      [n, ulidOf(endMs - SPAN_MS, n), `Account ${n}`, endMs - SPAN_MS],
    );
    db.run("INSERT INTO wallets (account_id) VALUES (?)", [n]);
  }
  for (let first = 1; first <= messages; first += STRETCH) {
    const atMs = Math.floor(endMs - SPAN_MS + (SPAN_MS * first) / messages);
    const perMs = SPAN_MS / messages;
    db.transaction(() => stretch(db, first, Math.min(STRETCH, messages - first + 1), atMs, perMs))();
    if ((first - 1) % (STRETCH * 50) === 0) console.log(`${first - 1} messages`);
  }
  db.close();
}

/** A campaign, then single texts of a batch each, from an id on. */
function stretch(db: Database, first: number, length: number, atMs: number, perMs: number): void {
  const campaign = Math.min(CAMPAIGN, length);
  const batch =
    db.query<{ id: number }, []>("SELECT coalesce(max(id), 0) + 1 AS id FROM batches").get()?.id ?? 1;
  const account = 1 + (Math.floor(first / STRETCH) % ACCOUNTS);
  db.run(
    `${BATCH} SELECT ?1, printf('%026d', ?1), ?2, 'SETTLED', 'S' || ?2 || '-A', 'SMS', 'MARKETING', 'Bonjour {name}', 0, 'Africa/Ouagadougou',
       ?3, ?3 + 172800000, 'accepted', ?4, ?5, ?5, ?5, ?5, ?5, ?5 * 15, ?5 * 15`,
    [batch, account, atMs, first, campaign],
  );
  const from = `SELECT value AS n FROM generate`;
  const numbers = `WITH RECURSIVE generate(value) AS (SELECT ?1 UNION ALL SELECT value + 1 FROM generate WHERE value < ?2)`;
  const accountOf = `(CASE WHEN ${draw(5, 4)} = 0 THEN 1 ELSE 2 + ${draw(9, ACCOUNTS - 1)} END)`;
  const at = (n: string) => `(?3 + CAST((${n} - ?1) * ?4 AS INTEGER))`;
  db.run(
    `${numbers} ${MESSAGE} SELECT n, ${ULID("?3", "n")}, ?5, ?6, n - ?1, ${ROW("?3")}, 'Bonjour ' || n, ${STATE("?3")}, ?3 FROM (${from})`,
    [first, first + campaign - 1, atMs, perMs, account, batch],
  );
  if (length <= campaign) return;
  const singles = [first + campaign, first + length - 1, Math.floor(atMs + campaign * perMs), perMs] as const;
  db.run(
    `${numbers} ${BATCH} SELECT ?5 + n - ?1 + 1, printf('%026d', ?5 + n - ?1 + 1), ${accountOf}, 'SETTLED', 'S' || ${accountOf} || '-B', 'SMS',
       'OTP', 'Code 1234', 0, 'Africa/Ouagadougou', ${at("n")}, ${at("n")} + 600000, 'accepted', n, 1, 1, 1, 1, 1, 15, 15 FROM (${from})`,
    [...singles, batch],
  );
  db.run(
    `${numbers} ${MESSAGE} SELECT n, ${ULID(at("n"), "n")}, ${accountOf}, ?5 + n - ?1 + 1, 0, ${ROW(at("n"))}, NULL, ${STATE(at("n"))}, ${at("n")}
     FROM (${from})`,
    [...singles, batch],
  );
}

const BATCH = `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone, created_at, expires_at,
  charge_on, first_message_id, accepted, total_segments, queued, submitted, sent, reserved_amount, charged_amount)`;
const MESSAGE = `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, encoding, segments, price, amount, not_before,
  attempts, text, status, is_final, is_money_closed, error_code, stamp_us, submitted_at, sent_at, delivered_at, finalized_at, created_at)`;

/** What of a message is drawn and has no state. */
function ROW(at: string): string {
  return `'+226' || (60000000 + ${draw(1, 2_000_000)}), (CASE ${draw(2, 10)} WHEN 0 THEN 'telecel' WHEN 1 THEN 'moov' ELSE 'orange' END),
    'GSM7', 1, 15, 15, ${at}, 1`;
}

function STATE(at: string): string {
  const fate = draw(3, 1_000_000);
  return `(CASE WHEN ${fate} < 50000 THEN 'FAILED' WHEN ${fate} < 65000 THEN 'SENT' WHEN ${fate} < 65010 THEN 'CANCELLED' ELSE 'DELIVERED' END),
    1, 1,
    (CASE WHEN ${fate} < 10 THEN 'HANDSET_ERROR' WHEN ${fate} < 2000 THEN 'NETWORK_ERROR' WHEN ${fate} < 20000 THEN 'ABSENT_SUBSCRIBER'
      WHEN ${fate} < 50000 THEN 'UNKNOWN_SUBSCRIBER' WHEN ${fate} < 65000 THEN 'RECEIPT_NOT_RECEIVED' WHEN ${fate} < 65010 THEN 'CANCELLED' END),
    n * 100 + ${at} * 1000, ${at} + 500, ${at} + 900,
    (CASE WHEN ${fate} >= 65010 THEN ${at} + 900 + ${draw(4, 60_000)} END), ${at} + 70000`;
}

function ULID(at: string, n: string): string {
  return `printf('%013d%013d', ${at}, ${n})`;
}

function ulidOf(atMs: number, n: number): string {
  return `${String(atMs).padStart(13, "0")}${String(n).padStart(13, "0")}`;
}

const [directory, count = "10000000"] = process.argv.slice(2);
if (directory === undefined) throw new Error("bun scripts/large-database.ts DIR [messages]");
await fill(directory, Number(count));
