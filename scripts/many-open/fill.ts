/** Rows as an appliance leaves them that sent them and had no receipt yet, written straight into its database. */
import { Database } from "bun:sqlite";

/** The row id of the only account. */
const ACCOUNT = 1;

const BATCH = `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
  created_at, expires_at, charge_on, first_message_id, accepted, total_segments, queued, submitted, sent, unfinished, unclosed)`;
const MESSAGE = `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, is_money_closed, encoding,
  segments, price, not_before, attempts, stamp_us, created_at, submitted_at, sent_at)`;

/** How long ago the oldest was sent: the receipts of all are still waited for. */
const SPREAD_MS = 48 * 3_600_000;

function inTransaction(file: string, work: (db: Database) => void): void {
  const db = new Database(file);
  db.run("PRAGMA synchronous = OFF");
  db.transaction(() => work(db)).immediate();
  db.close();
}

/** One old campaign of so many messages that wait for an operator which is away. It costs nothing, so the books tie. */
export function fillQueued(file: string, messages: number): void {
  const at = Date.now() - SPREAD_MS - 1000;
  inTransaction(file, (db) => {
    db.run(
      `${BATCH} VALUES (1, printf('00%024d', 1), ${ACCOUNT}, 'QUEUED', 'BENCH', 'SMS', 'MARKETING', 'Bonjour', 0,
         'Africa/Ouagadougou', ?1, ?2, 'accepted', 1, ?3, ?3, ?3, 0, 0, ?3, ?3)`,
      [at, Date.now() + 86_400_000, messages],
    );
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       ${MESSAGE} SELECT i, printf('00%024d', i), ${ACCOUNT}, 1, i - 1, printf('+2267%07d', i), 'bench', 'QUEUED', 0, 'GSM7',
         1, 0, ?1, 0, ?1 * 1000 + i, ?1, NULL, NULL FROM n`,
      [at, messages],
    );
  });
}

/** So many batches of one message each that was SENT in the last two days and has no receipt. */
export function fillOpen(file: string, batches: number): void {
  if (batches === 0) return;
  const from = Date.now() - SPREAD_MS;
  const n = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)";
  const at = `(?1 + i * ${SPREAD_MS} / ?2)`;
  inTransaction(file, (db) => {
    const highest = (table: "messages" | "batches"): number =>
      db.query<{ id: number | null }, []>(`SELECT max(id) AS id FROM ${table}`).get()?.id ?? 0;
    const [first, batch] = [highest("messages"), highest("batches")];
    db.run(
      `${n} ${BATCH} SELECT ?4 + i, printf('01%024d', i), ${ACCOUNT}, 'SENDING', 'BENCH', 'SMS', 'TRANSACTIONAL', 'Bonjour', 0,
         'Africa/Ouagadougou', ${at}, ${at} + 86400000, 'accepted', ?3 + i, 1, 1, 1, 1, 1, 1, 0 FROM n`,
      [from, batches, first, batch],
    );
    db.run(
      `${n} ${MESSAGE} SELECT ?3 + i, printf('01%024d', i), ${ACCOUNT}, ?4 + i, 0, printf('+2267%07d', i), 'bench', 'SENT', 1,
         'GSM7', 1, 0, ${at}, 1, ${at} * 1000 + i % 90, ${at}, ${at} + 500, ${at} + 1000 FROM n`,
      [from, batches, first, batch],
    );
    db.run(
      `${n} INSERT INTO parts (message_id, part, operator, state, smsc_id, smsc_key, sent_at)
       SELECT ?3 + i, 1, 'bench', 'SENT', 'x' || i, 'x' || i, ${at} + 1000 FROM n`,
      [from, batches, first],
    );
    const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('batches')").all();
    if (columns.some(({ name }) => name === "awaiting_since")) {
      db.run("UPDATE batches SET awaiting_since = created_at WHERE status = 'SENDING'");
    }
  });
}
