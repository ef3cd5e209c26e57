import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyMigrations, LATEST_SCHEMA, withoutLists } from "../../src/db/migrate.ts";
import { SCHEMA_FILE, schemaText } from "./schema-text.ts";

const FOLDER = join(import.meta.dir, "../../src/db/migrations");

function versions(db: Database) {
  return db
    .query<{ version: number; applied_at: number }, []>(
      "SELECT version, applied_at FROM schema_history ORDER BY version",
    )
    .all();
}

/** What stands in a database, but for its history and what SQLite counts by itself. */
function holds(db: Database) {
  const objects = db
    .query<{ type: string; name: string; sql: string | null }, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    )
    .all();
  const tables = objects.filter(({ type, name }) => type === "table" && name !== "schema_history");
  return { objects, rows: tables.map(({ name }) => [name, db.query(`SELECT * FROM ${name}`).all()]) };
}

describe("migrations", () => {
  test("their result is on view in schema.sql (bun test/db/schema-text.ts writes it)", () => {
    expect(readFileSync(SCHEMA_FILE, "utf8")).toBe(schemaText());
  });

  test("each is applied once: doing it again changes nothing", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 1000);
    const first = versions(db);
    applyMigrations(db, 2000);
    expect(versions(db)).toEqual(first);
    expect(first).toEqual([{ version: LATEST_SCHEMA, applied_at: 1000 }]);
    expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: LATEST_SCHEMA });
    db.close();
  });

  test("each step is noted, and all of them come to what a new database begins with", () => {
    const stepped = new Database(":memory:");
    applyMigrations(stepped, 1000, 1);
    applyMigrations(stepped, 2000);
    expect(versions(stepped)).toEqual(
      Array.from({ length: LATEST_SCHEMA }, (_, index) => ({
        version: index + 1,
        applied_at: index === 0 ? 1000 : 2000,
      })),
    );
    const begun = new Database(":memory:");
    applyMigrations(begun, 1000);
    expect(holds(begun)).toEqual(holds(stepped));
    stepped.close();
    begun.close();
  });

  test("a step that was cut off is repeated whole", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 1000);
    const whole = db.query("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    const cut = new Database(":memory:");
    // In the way of the first step's own table: it must fail and leave nothing of itself.
    cut.run("CREATE TABLE ledger (n INTEGER)");
    expect(() => applyMigrations(cut, 1000)).toThrow();
    expect(cut.query("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "ledger" }]);
    expect(cut.query("PRAGMA user_version").get()).toEqual({ user_version: 0 });
    cut.run("DROP TABLE ledger");
    applyMigrations(cut, 1000);
    expect(cut.query("SELECT name, sql FROM sqlite_schema ORDER BY name").all()).toEqual(whole);
    db.close();
    cut.close();
  });

  test("the files are numbered without a gap, and every one is listed", () => {
    const files = readdirSync(FOLDER).sort();
    expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
    expect(LATEST_SCHEMA).toBe(files.length);
  });

  test("every table refuses values of another type", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0);
    const tables = db
      .query<{ name: string; strict: number }, []>("SELECT name, strict FROM pragma_table_list")
      .all();
    const own = tables.filter(({ name }) => !name.startsWith("sqlite_"));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(({ strict }) => strict === 0)).toEqual([]);
    db.close();
  });

  test("no table is checked against a list, which SQLite builds anew for every row that is written", () => {
    expect(schemaText()).not.toMatch(/CHECK \(\w+ (NOT )?IN \(('[^']*',\s*){2,}/);
  });

  test("what a list lets through, comparisons in its place do, and nothing else", () => {
    const listed = `CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y',
      '')), b TEXT, CHECK (b NOT IN ('u', 'v', 'w') OR a = 'x'))`;
    const accepts = (sql: string) => {
      const db = new Database(":memory:");
      db.run(sql);
      const values = [null, "", "x", "y", "z", "u", "v", "w"];
      const taken = values.flatMap((a) =>
        values.map((b) => {
          try {
            db.query("INSERT INTO t VALUES (?, ?)").run(a, b);
            return true;
          } catch {
            return false;
          }
        }),
      );
      db.close();
      return taken;
    };
    expect(withoutLists(listed)).not.toBe(listed);
    expect(accepts(withoutLists(listed))).toEqual(accepts(listed));
    expect(new Set(accepts(listed)).size).toBe(2);
  });

  test("batches that wait for receipts, and what went to whom, are found after it as before", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 14);
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (1, '${"0".repeat(26)}', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
    );
    const batch = (id: number, status: string, submitted: number, unfinished: number) =>
      db.run(
        `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
           created_at, expires_at, charge_on, first_message_id, accepted, submitted, unfinished)
         VALUES (${id}, '${String(id).padStart(26, "0")}', 1, '${status}', 'A', 'SMS', 'OTP', '', 0, 'UTC', ${id * 10}, 0,
           'accepted', 1, 1, ${submitted}, ${unfinished})`,
      );
    batch(1, "SENDING", 1, 1);
    batch(2, "CANCELLED", 1, 1);
    batch(3, "QUEUED", 0, 1);
    batch(4, "SETTLED", 1, 0);
    batch(5, "CANCELLED", 1, 0);
    db.run(
      "INSERT INTO recent_sends (recipient_key, planned_at, message_id, text_key, is_marketing) VALUES (1, 2, 3, 4, 1)",
    );
    applyMigrations(db, 0);
    const waiting = db
      .query("SELECT id, awaiting_since FROM batches WHERE awaiting_since IS NOT NULL ORDER BY id")
      .all();
    expect(waiting).toEqual([
      { id: 1, awaiting_since: 10 },
      { id: 2, awaiting_since: 20 },
    ]);
    expect(db.query("SELECT * FROM recent_sends").all()).toEqual([
      { recipient_key: 1, is_marketing: 1, text_key: 4, planned_at: 2, message_id: 3 },
    ]);
    db.close();
  });

  test("answers that are kept for a repetition are kept as they were, oldest first", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 28);
    const kept = (key: string, atMs: number) => [1, key, new Uint8Array([7]), 202, `{"${key}":1}`, atMs];
    const [newer, older] = [kept("a", 2000), kept("b", 1000)];
    for (const row of [newer, older])
      db.query("INSERT INTO idempotency_records VALUES (?, ?, ?, ?, ?, ?)").run(...(row as [number]));
    applyMigrations(db, 1);
    expect(
      db
        .query(
          `SELECT api_key_id, idempotency_key, body_sha256, status, response, created_at
           FROM idempotency_records ORDER BY id`,
        )
        .values(),
    ).toEqual([older, newer]);
    expect(() =>
      db.run(
        `INSERT INTO idempotency_records (api_key_id, idempotency_key, body_sha256, status, response, created_at)
         VALUES (1, 'a', x'00', 202, '', 0)`,
      ),
    ).toThrow("UNIQUE");
    db.close();
  });

  test("the history of prices before it was chained is chained as it stands", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 7);
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (1, '${"0".repeat(26)}', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
    );
    for (const [operator, amount] of [
      ["orange", 20],
      ["moov", 7],
      ["orange", null],
      ["orange", 30],
    ] as const) {
      db.run(
        `INSERT INTO price_changes (account_id, operator, message_class, amount, created_at)
         VALUES (1, ?, 'OTP', ?, 0)`,
        [operator, amount],
      );
    }
    applyMigrations(db, 1);
    expect(
      db.query("SELECT operator, previous_amount, amount FROM price_changes ORDER BY id").values(),
    ).toEqual([
      ["orange", null, 20],
      ["moov", null, 7],
      ["orange", 20, null],
      ["orange", null, 30],
    ]);
    db.close();
  });

  test("accounts stay what they were, and a sandbox can be of its own account alone", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 45);
    const add = (id: number, toSandboxId: number | null) => {
      const columns = toSandboxId === null ? "" : ", sandbox_of";
      const value = toSandboxId === null ? "" : `, ${toSandboxId}`;
      const ulid = String(id).replace("-", "S").padStart(26, "0");
      db.run(
        `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at${columns})
         VALUES (${id}, '${ulid}', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0${value})`,
      );
    };
    add(1, null);
    add(2, null);
    db.run(
      `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, created_at)
       VALUES (1, 'TOPUP', 'CASH', 'FUNDS', 5, 'topup:a:b', 0)`,
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT id, sandbox_of FROM accounts").values()).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(() => db.run("DELETE FROM ledger")).toThrow("the ledger only grows");
    expect(() => add(-1, 2)).toThrow("CHECK");
    expect(() => add(-1, null)).toThrow("CHECK");
    expect(() => add(3, 1)).toThrow("CHECK");
    add(-1, 1);
    db.run(
      `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, created_at)
       VALUES (-1, 'TOPUP', 'CASH', 'FUNDS', 5, 'topup:c:d', 0)`,
    );
    db.run("DELETE FROM ledger WHERE account_id = -1");
    expect(db.query("SELECT count(*) AS n FROM ledger").get()).toEqual({ n: 1 });
    db.close();
  });

  test("alarms that last stand among those that came and went, once each, and can end", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 48);
    for (const [subject, isFiring] of [
      ["orange", 1],
      ["moov", 0],
    ] as const) {
      db.run(
        "INSERT INTO alarms (rule, subject, since, is_firing, starts, facts) VALUES ('operator_down', ?, 7, ?, '[]', '{}')",
        [subject, isFiring],
      );
    }
    applyMigrations(db, 1);
    const past = () => db.query("SELECT rule, subject, since, ended_at FROM past_alarms").values();
    expect(past()).toEqual([["operator_down", "orange", 7, null]]);
    const again =
      "INSERT INTO past_alarms (rule, subject, since, facts) VALUES ('operator_down', 'orange', 9, '{}')";
    expect(() => db.run(again)).toThrow("UNIQUE");
    db.run("UPDATE past_alarms SET ended_at = 8");
    db.run(again);
    expect(past()).toHaveLength(2);
    db.close();
  });

  test("callbacks that wait keep their place, for a server that nobody knows", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 63);
    db.run(
      `INSERT INTO compat_callbacks (message_ulid, protocol, url, method, body, attempts, due_at)
       VALUES ('a', 'kannel', 'http://a.example/', 'GET', '', 1, 7)`,
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT host, attempts, due_at FROM compat_callbacks").values()).toEqual([["-", 1, 7]]);
    db.close();
  });

  test("batches of before have no rows that nobody could read", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 62);
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (1, '00000000000000000000000001', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
    );
    db.run(
      `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
         created_at, expires_at, charge_on, first_message_id, accepted, rejected, total_segments, queued, unfinished,
         unsquared, reserved_amount)
       VALUES ('00000000000000000000000002', 1, 'QUEUED', 'S', 'SMS', 'OTP', 'b', 0, 'UTC', 0, 1, 'accepted', 1, 1, 0, 1, 1, 1, 1, 15)`,
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT unreadable FROM batches").values()).toEqual([[0]]);
    expect(db.query("SELECT * FROM import_rows").values()).toEqual([]);
    db.close();
  });

  test("posts of before name no user of Meta's", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 64);
    db.run(
      "INSERT INTO whatsapp_posts (message_id, n, number, posted_at, state) VALUES (1, 1, 'main', 5, 'ACCEPTED')",
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT posted_at, user_id FROM whatsapp_posts").values()).toEqual([[5, null]]);
    db.close();
  });

  test("of batches of before no lines are known, and a batch has them once", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 67);
    applyMigrations(db, 1);
    expect(db.query("SELECT * FROM imports").values()).toEqual([]);
    db.run("INSERT INTO imports (batch_id, runs) VALUES (1, '[[0,2]]')");
    expect(() => db.run("INSERT INTO imports (batch_id, runs) VALUES (1, '[]')")).toThrow("UNIQUE");
    db.close();
  });

  test("batches of before correct none, and a batch corrects one at most", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 66);
    applyMigrations(db, 1);
    expect(db.query("SELECT * FROM corrections").values()).toEqual([]);
    db.run("INSERT INTO corrections (batch_id, corrects) VALUES (2, 1), (3, 1)");
    expect(() => db.run("INSERT INTO corrections (batch_id, corrects) VALUES (2, 3)")).toThrow("UNIQUE");
    db.close();
  });

  test("keys of before are found by their end, but for those that have none or were revoked", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 67);
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (1, '00000000000000000000000001', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
    );
    for (const [key, end, revoked] of [
      ["late", 9, null],
      ["soon", 5, null],
      ["never", null, null],
      ["gone", 6, 1],
    ] as const)
      db.run(
        `INSERT INTO api_keys (key_id, account_id, name, scopes, secret_sha256, created_at, expires_at, revoked_at)
         VALUES (?, 1, ?, '', zeroblob(32), 0, ?, ?)`,
        [key, key, end, revoked],
      );
    applyMigrations(db, 1);
    const found = db.query(
      `SELECT key_id FROM api_keys INDEXED BY api_keys_ending
       WHERE revoked_at IS NULL AND expires_at IS NOT NULL AND expires_at BETWEEN 1 AND 9 ORDER BY expires_at`,
    );
    expect(found.values().flat()).toEqual(["soon", "late"]);
    db.close();
  });

  test("texts that stood there before references were counted are known from those of after", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 76);
    db.run(
      `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, encoding, segments, price, not_before,
         created_at) VALUES (41, 'M', 1, 1, 0, '+1', 'orange', 'QUEUED', 'GSM7', 2, 5, 0, 0)`,
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT uncounted_through FROM concatenation_start").values()).toEqual([[41]]);
    db.close();
    const empty = new Database(":memory:");
    applyMigrations(empty, 0);
    expect(empty.query("SELECT uncounted_through FROM concatenation_start").values()).toEqual([[0]]);
    empty.close();
  });

  test("of texts of before no concatenation reference is known, and a text has one", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    applyMigrations(db, 1);
    expect(db.query("SELECT * FROM concatenations").values()).toEqual([]);
    db.run("INSERT INTO concatenations (message_id, reference) VALUES (1, 255)");
    expect(() => db.run("INSERT INTO concatenations (message_id, reference) VALUES (2, 256)")).toThrow(
      "CHECK",
    );
    db.run("INSERT INTO concatenation_counters (place, reached) VALUES (1023, zeroblob(256))");
    expect(() =>
      db.run("INSERT INTO concatenation_counters (place, reached) VALUES (1024, zeroblob(256))"),
    ).toThrow("CHECK");
    db.close();
  });

  test("batches of before have no tags but plain names", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    db.run(
      `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
       VALUES (1, '00000000000000000000000001', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
    );
    db.run(
      `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
         created_at, expires_at, charge_on, first_message_id)
       VALUES (1, '00000000000000000000000002', 1, 'STAGING', 'SHOP', 'SMS', 'OTP', '{Nom complet}', 0, 'UTC', 0, 1, 'accepted', 1)`,
    );
    applyMigrations(db, 1);
    expect(db.query("SELECT body, other_tags FROM batches").values()).toEqual([["{Nom complet}", null]]);
    db.close();
  });

  test("rows of files, their lines and corrections of before are import rows, and what was said stays", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 77);
    db.run("INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (1, 4, '+1', 'SUPPRESSED')");
    const row = (line: number, cause: string) =>
      db.run(
        `INSERT INTO unreadable_rows (batch_id, line, written, msisdn, cause, attributes, client_reference)
         VALUES (1, ?, '7', '+7', ?, '{"nom":"Awa"}', 'r')`,
        [line, cause],
      );
    row(2, '"7" is not a phone number');
    row(3, "the number is in line 2 already, and all else is the same");
    row(4, "it repeats a number that the batch before failed for, and that was not to be tried again: …");
    row(5, "it repeats a number that gets the text already: …");
    row(6, "it was rejected, as recipient 4");
    row(7, "");
    db.run("INSERT INTO unreadable_to_write (batch_id, rows) VALUES (1, ?)", [
      JSON.stringify([
        {
          line: 9,
          written: "8",
          msisdn: null,
          cause: "it has no number",
          attributes: { nom: "Eve" },
          client_reference: null,
        },
      ]),
    ]);
    db.run("INSERT INTO file_lines (batch_id, runs) VALUES (1, '[[0,2]]')");
    db.run("INSERT INTO corrections (batch_id, corrects, lines) VALUES (2, 1, '[[1,2,3,0],[1,7,4,null]]')");
    applyMigrations(db, 1);
    const rows = (batch: number) =>
      db
        .query(
          "SELECT line, status, code, params, position, of_batch, of_line FROM import_rows WHERE batch_id = ?",
        )
        .values(batch);
    expect(rows(1)).toEqual([
      [2, "UNREADABLE", "SAID", '{"said":"\\"7\\" is not a phone number"}', null, null, null],
      [
        ...[3, "DUPLICATE", "SAID"],
        ...['{"said":"the number is in line 2 already, and all else is the same"}', null, null, null],
      ],
      [4, "ALREADY_REACHED", "FAILED_BEFORE", "{}", null, null, null],
      [5, "ALREADY_REACHED", "SERVED_BEFORE", "{}", null, null, null],
      [6, "REJECTED", "SUPPRESSED", "{}", 4, null, null],
      [7, "UNREADABLE", "UNREADABLE_ROW", "{}", null, null, null],
      [9, "UNREADABLE", "SAID", '{"said":"it has no number"}', null, null, null],
    ]);
    expect(
      db
        .query("SELECT DISTINCT written, msisdn, cells, client_reference FROM import_rows WHERE line = 2")
        .values(),
    ).toEqual([["7", "+7", '{"nom":"Awa"}', "r"]]);
    expect(db.query("SELECT cells FROM import_rows WHERE line = 9").values()).toEqual([['{"nom":"Eve"}']]);
    expect(rows(2)).toEqual([
      [3, "ACCEPTED", null, "{}", 0, 1, 2],
      [4, "ACCEPTED", null, "{}", null, 1, 7],
    ]);
    expect(db.query("SELECT batch_id, ulid, runs FROM imports").values()).toEqual([[1, null, "[[0,2]]"]]);
    expect(db.query("SELECT batch_id, corrects, is_again FROM corrections").values()).toEqual([[2, 1, 0]]);
    expect(() => db.run("INSERT INTO import_rows (batch_id, line, status) VALUES (1, 20, 'LEFT')")).toThrow(
      "CHECK",
    );
    db.close();
  });

  test("whose second factor followed from a link, and where people came in from, is told by what is there", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    const user = (login: string, factor: string | null) =>
      db.run("INSERT INTO users (login, role, totp_secret, created_at) VALUES (?, 'OWNER', ?, 0)", [
        login,
        factor,
      ]);
    for (const login of ["link@b.bf", "renewed@b.bf", "again@b.bf"]) user(login, "sealed");
    user("invited@b.bf", null);
    const did = (login: string, action: string) =>
      db.run("INSERT INTO audit_entries (at, actor, action, subject, detail) VALUES (0, '', ?, ?, '{}')", [
        action,
        login,
      ]);
    did("link@b.bf", "user link used");
    did("renewed@b.bf", "user link used");
    did("renewed@b.bf", "user second factor");
    did("again@b.bf", "user second factor");
    did("again@b.bf", "user link used");
    const session = (user: number, stage: string, address: string, seen: number) =>
      db.run(
        `INSERT INTO user_sessions (user_id, token_hash, stage, created_at, seen_at, address, agent)
         VALUES (?1, hex(randomblob(8)), ?2, 0, ?4, ?3, '')`,
        [user, stage, address, seen],
      );
    session(1, "FULL", "192.0.2.1", 5);
    session(1, "FULL", "192.0.2.1", 7);
    session(1, "PASSWORD", "192.0.2.9", 7);
    applyMigrations(db, 1);
    expect(db.query("SELECT login FROM users WHERE has_link_factor = 1").values().flat()).toEqual([
      "link@b.bf",
      "again@b.bf",
    ]);
    expect(db.query("SELECT user_id, network, seen_at FROM user_networks").values()).toEqual([
      [1, "192.0.2.1", 7],
    ]);
    db.close();
  });

  test("answers of before are told as they stand", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    db.run("INSERT INTO idempotency_records VALUES (1, 1, 'k', x'00', 202, '{}', 0)");
    applyMigrations(db, 1);
    expect(
      db.query("SELECT response, rejections_of, rejections_from FROM idempotency_records").values(),
    ).toEqual([["{}", null, null]]);
    db.close();
  });

  test("what goes on by its second way was not told to searches, and what blocks told stays", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    for (const [id, stage, dueAt, isOpen] of [
      [1, "SECOND", 9, 1],
      [5000, "SECOND", 9, 1],
      [5001, "SECOND", 9, 1],
      [9000, "FIRST", 9, 1],
      [12_000, "SECOND", null, 0],
    ] as const) {
      db.run(
        `INSERT INTO second_ways (message_id, batch_id, stage, operator, encoding, segments, price, due_at, is_open, beyond_amount)
         VALUES (?, 1, ?, 'moov', 'GSM7', 1, 10, ?, ?, 0)`,
        [id, stage, dueAt, isOpen],
      );
    }
    db.run("INSERT INTO block_figures (block, messages, figures) VALUES (3, 7, '[]')");
    applyMigrations(db, 1);
    expect(db.query("SELECT block FROM quiet_moves").values()).toEqual([[0], [4]]);
    expect(db.query("SELECT * FROM block_figures").values()).toEqual([[3, "[]"]]);
    db.close();
  });

  test("posts of before say of nobody that Meta calls a user by another number, and their opt-outs are found by their source", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0, 70);
    db.run(
      "INSERT INTO whatsapp_posts (message_id, n, number, posted_at, state) VALUES (1, 1, 'main', 5, 'ACCEPTED')",
    );
    for (const [msisdn, keyword] of [
      ["+2260000001", "STOP"],
      [null, "STOP"],
      ["+2260000001", null],
    ] as const)
      db.run(
        `INSERT INTO inbound_texts (operator, source, destination, msisdn, data_coding, text, parts, missing, received_at, last_at, content_key, keyword, opted_out_of)
         VALUES ('whatsapp:main', '+2260000001', '+1', ?1, 0, '', 1, 0, 5, 5, 1, ?2, iif(?2 IS NULL, NULL, ''))`,
        [msisdn, keyword],
      );
    applyMigrations(db, 1);
    expect(db.query("SELECT posted_at, wa_id FROM whatsapp_posts").values()).toEqual([[5, null]]);
    const found = db.query(
      "SELECT id FROM inbound_texts INDEXED BY inbound_texts_stops WHERE source = '+2260000001' AND keyword IS NOT NULL ORDER BY id",
    );
    expect(found.values().flat()).toEqual([1, 2]);
    db.close();
    db.close();
  });

  test("what a restore holds by place is held by message, and all of it where nobody has decided", () => {
    for (const resumedAt of [null, 9]) {
      const db = new Database(":memory:");
      applyMigrations(db, 0, 70);
      db.run(
        `INSERT INTO accounts (id, ulid, name, status, timezone, billing_mode, created_at)
         VALUES (1, '${"0".repeat(26)}', 'A', 'ACTIVE', 'UTC', 'PREPAID', 0)`,
      );
      db.run(
        `INSERT INTO batches (id, ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
           created_at, expires_at, charge_on, first_message_id, accepted, unfinished)
         VALUES (7, '${"7".padStart(26, "0")}', 1, 'SENDING', 'A', 'WHATSAPP', 'OTP', '', 0, 'UTC', 0, 0, 'accepted', 1, 5, 4),
           (8, '${"8".padStart(26, "0")}', 1, 'VALIDATING', 'A', 'SMS', 'OTP', '', 0, 'UTC', 0, 0, 'accepted', 6, 0, 0)`,
      );
      const message = (id: number, status: string, isFinal: 0 | 1) =>
        db.run(
          `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, is_final, is_squared, encoding,
             segments, price, not_before, created_at)
           VALUES (${id}, '${id}', 1, 7, ${id}, '+1', 'whatsapp:main', '${status}', ${isFinal}, ${isFinal}, 'GSM7', 1, 5, 0, 0)`,
        );
      message(1, "QUEUED", 0);
      message(2, "QUEUED", 0);
      message(3, "SUBMITTED", 0);
      message(4, "SENT", 0);
      message(5, "DELIVERED", 1);
      db.run(
        `INSERT INTO second_ways (message_id, batch_id, operator, encoding, segments, price, beyond_amount)
         VALUES (4, 7, 'orange', 'GSM7', 1, 5, 0)`,
      );
      db.run(
        `INSERT INTO restores (restored_at, file, made_at, parked_before, notes_before, resumed_at) VALUES (1, 'f', 1, 0, 0, ?)`,
        [resumedAt],
      );
      db.run(
        "INSERT INTO held_places (batch_id, operator, decided_through) VALUES (7, 'whatsapp:main', 1), (8, '', 0)",
      );
      db.run("INSERT INTO held_flights (message_id) VALUES (3)");
      applyMigrations(db, 1);
      const held = db.query(
        "SELECT message_id, operator, in_flight FROM held_messages ORDER BY message_id, operator",
      );
      const all = resumedAt === null;
      expect(held.values()).toEqual([
        ...(all ? [[1, "whatsapp:main", 0]] : []),
        ...[
          [2, "whatsapp:main", 0],
          [3, "whatsapp:main", 1],
        ],
        ...(all
          ? [
              [4, "orange", 0],
              [4, "whatsapp:main", 0],
            ]
          : []),
      ]);
      expect(db.query("SELECT last_batch_id FROM restores").values()).toEqual([[8]]);
      expect(db.query("SELECT batch_id FROM held_batches").values()).toEqual([[8]]);
      db.close();
    }
  });
});
