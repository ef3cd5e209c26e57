/** What routes cost, through the appliance whole: over sockets, with two simulated operators. */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASE_FILE, openWriter } from "../../src/db/connections.ts";
import { enterConsole } from "./console-user.ts";
import { type Changes, type TwoRoutes, twoRoutes } from "./two-routes.ts";

let two: TwoRoutes;
let whole: TwoRoutes["whole"];
let agg: TwoRoutes["agg"];
let client: TwoRoutes["client"];
beforeEach(async () => {
  two = await twoRoutes();
  ({ whole, agg, client } = two);
});
afterEach(() => two.close());

const take = (direct: Changes, other: Changes, window = 100): Promise<void> =>
  two.take(two.withRoutes({ order: 1, ...direct }, { order: 1, ...other }, { window }));

let next = 70_500_000;
const send = async (count: number, changes: Changes = {}): Promise<string> => {
  const recipients = Array.from({ length: count }, () => ({ msisdn: String(next++) }));
  const { batch_id } = await client.submit({ recipients, ...changes });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  return batch_id;
};

const COLUMNS = "day, operator, route, account, class, segments, cost_milli, unknown_cost_segments";
const file = () => join(whole.settings.now().storage.directory, DATABASE_FILE);
const asked = <Row>(db: Database, sql: string): Row[] => db.query<Row, []>(sql).all();
const book = () => {
  const db = new Database(file(), { readonly: true });
  const rows = asked<Record<string, unknown>>(
    db,
    `SELECT ${COLUMNS} FROM route_costs ORDER BY route, account`,
  );
  db.close();
  return rows;
};

describe("what routes cost", () => {
  test("is booked for each route by what it accepted, at the cost in force then", async () => {
    await take({ cost: "9", share: 50 }, { cost: "11.125", share: 50 });
    await send(10);
    await take({ cost: "9.5", share: 50 }, { share: 50 });
    await send(10);
    const key = { day: "2026-03-02", operator: "orange", account: 1, class: "TRANSACTIONAL", segments: 10 };
    expect(book()).toEqual([
      { ...key, route: "agg", cost_milli: 5 * 11_125, unknown_cost_segments: 5 },
      { ...key, route: "direct", cost_milli: 5 * 9000 + 5 * 9500, unknown_cost_segments: 0 },
    ]);
  });

  test("is nobody's where it is a test", async () => {
    await take({ cost: "9" }, { cost: "11" });
    const tested = whole.admin("operator test", { CODE: "orange/agg", MSISDN: "+22670123456", wait: "9" });
    for (let step = 0; step < 500; step++) await whole.clock.advance(20);
    await tested;
    expect(book()).toMatchObject([{ route: "agg", account: 0, segments: 1, cost_milli: 11_000 }]);
  });

  test("is not booked of an operator without routes", async () => {
    await send(5);
    expect(book()).toEqual([]);
  });

  test("is nothing that a client reads", async () => {
    await take({ cost: "9.125" }, { cost: "9.375" });
    const batchId = await send(3, { message_class: "OTP" });
    const messageId = (await client.messages(batchId))[0]?.message_id;
    const headers = { "x-api-key": client.apiKey, "content-type": "application/json" };
    const recipients = [{ msisdn: "70599999" }];
    const body = JSON.stringify({ sender: "ACME", body: "Text", message_class: "OTP", recipients });
    const paths = [
      ...[`/batches/${batchId}`, `/messages/${messageId}`, "/sender-ids"],
      ...[
        "/account",
        "/account/balance",
        `/messages?batch_id=${batchId}&status_changed_since=2026-03-01T00:00:00Z`,
      ],
    ];
    const answers = await Promise.all([
      ...paths.map((path) => fetch(`${whole.url()}/public/v1${path}`, { headers })),
      fetch(`${whole.url()}/public/v1/batches/quote`, { method: "POST", headers, body }),
    ]);
    for (const answer of answers) {
      const text = await answer.text();
      expect([answer.status, text.match(/cost|route|margin|direct|agg\b|9\.(125|375)/i)?.[0]]).toEqual([
        200,
        undefined,
      ]);
    }
  });
});

describe("a report of margins", () => {
  const report = (args: Readonly<Record<string, string>> = {}) => whole.admin("report margin", args);

  test("sets what routes cost beside what was charged, by every key, and adds up to the same", async () => {
    await take({ cost: "9", share: 50 }, { cost: "11.125", share: 50 });
    await send(10);
    await send(2, { message_class: "OTP" });
    const direct = { segments: 7, charged: 105, cost: "63.000", unknown_cost_segments: 0 };
    const other = { segments: 5, charged: 75, cost: "55.625", unknown_cost_segments: 0 };
    const all = { segments: 12, charged: 180, cost: "118.625", unknown_cost_segments: 0 };
    const totals = { ...all, margin: "61.375", margin_share: 0.341 };
    const days = { from: "2026-01-30", to: "2026-03-02", timezone: "Africa/Ouagadougou" };
    expect(await report()).toEqual({
      by: "route",
      ...days,
      totals,
      unknown_outcomes: [],
      rows: [
        { key: "orange/agg", ...other, margin: "19.375", margin_share: 0.2583 },
        { key: "orange/direct", ...direct, margin: "42.000", margin_share: 0.4 },
      ],
    });
    expect(await report({ by: "operator" })).toMatchObject({ rows: [{ key: "orange", ...totals }], totals });
    expect(await report({ by: "day" })).toMatchObject({ rows: [{ key: "2026-03-02", ...totals }], totals });
    expect(await report({ by: "account" })).toMatchObject({
      rows: [{ key: client.accountId, account: "Faso Shop 1", ...totals }],
      totals,
    });
    expect(await report({ by: "class" })).toMatchObject({
      rows: [
        { key: "OTP", segments: 2, charged: 30 },
        { key: "TRANSACTIONAL", segments: 10, charged: 150 },
      ],
      totals,
    });
    expect(await report({ from: "2026-02-01", to: "2026-03-01" })).toMatchObject({ rows: [] });
    expect(await whole.refusal("report margin", { by: "sender" })).toMatchObject({ code: "INVALID_KEY" });
  });

  test("has no margin where a cost is not known, and does not take it for 0", async () => {
    await take({ cost: "9", share: 50 }, { share: 50 });
    await send(4);
    const unknown = { margin: null, margin_share: null };
    expect(await report()).toMatchObject({
      rows: [
        { key: "orange/agg", segments: 2, charged: 30, cost: null, unknown_cost_segments: 2, ...unknown },
        { key: "orange/direct", segments: 2, charged: 30, cost: "18.000", margin: "12.000" },
      ],
      totals: { segments: 4, charged: 60, cost: "18.000", unknown_cost_segments: 2, ...unknown },
    });
  });

  test("leaves out operators without routes", async () => {
    await send(5);
    expect(await report()).toMatchObject({ rows: [], totals: { segments: 0, charged: 0, cost: "0.000" } });
  });

  test("counts tests as nobody's, at a loss, and segments of unknown outcome apart", async () => {
    await take({ cost: "9" }, { order: 2, cost: "11" });
    const tested = whole.admin("operator test", { CODE: "orange/agg", MSISDN: "+22670123456", wait: "9" });
    for (let step = 0; step < 500; step++) await whole.clock.advance(20);
    await tested;
    whole.smsc.change({ swallowEvery: 1, noReceipts: true });
    await client.submit({ recipients: [{ msisdn: String(next++) }] });
    await whole.clock.advance(21_000);
    expect(await report({ by: "account" })).toMatchObject({
      rows: [{ key: null, segments: 1, charged: 0, cost: "11.000", margin: "-11.000", margin_share: null }],
      unknown_outcomes: [{ operator: "orange", route: "direct", segments: 1 }],
    });
  });
});

describe("the margin of what is about to be sent", () => {
  const request = { sender: "ACME", body: "Text", message_class: "OTP" };
  const quoted = (recipients: readonly string[], flags: Changes = { margin: "" }) => {
    const body = { ...request, recipients: recipients.map((msisdn) => ({ msisdn })) };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return whole.admin("batch quote", { ACCOUNT: client.accountId, FILE: "batch.json", ...flags }, bytes);
  };
  const direct = { operator: "orange", route: "direct", segments: 2, charged: 30, unknown_cost_segments: 0 };

  test("is that by the route which would carry now, and only where it is asked for", async () => {
    await take({ cost: "9.125" }, { order: 2, cost: "11" });
    const numbers = [String(next++), String(next++)];
    const known = { ...direct, cost: "18.250", margin: "11.750", margin_share: 0.3917 };
    const { operator: _, route: __, ...totals } = known;
    expect(await quoted(numbers)).toMatchObject({
      amount: 30,
      margin_by_route: [known],
      margin_totals: totals,
    });
    expect(Object.keys(await quoted(numbers, {})).filter((key) => key.startsWith("margin"))).toEqual([]);
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    expect(await quoted(numbers)).toMatchObject({
      margin_by_route: [{ ...direct, route: "agg", cost: "22.000", margin: "8.000", margin_share: 0.2667 }],
    });
  });

  test("is shown by the console to the owner, and to nobody of an account", async () => {
    await take({ cost: "9.125" }, { order: 2, cost: "11" });
    const shown = async (role: "OWNER" | "ACCOUNT_ADMIN", account: string | null) => {
      const ask = await enterConsole(whole, role, account);
      const at = `/send/${client.accountId}`;
      const file = await ask("POST", `${at}/files`, new TextEncoder().encode("tel\n70599990\n70599991\n"));
      const wanted = { ...request, file: file.json.file_id, column: null };
      return ask("POST", `${at}/quote`, wanted);
    };
    const owner = await shown("OWNER", null);
    expect(owner.json).toMatchObject({ amount: 30, margin_by_route: [{ ...direct, cost: "18.250" }] });
    const other = await shown("ACCOUNT_ADMIN", client.accountId);
    expect([other.status, other.json.amount]).toEqual([200, 30]);
    expect(other.text).not.toMatch(/margin|cost|direct|agg\b|9\.125|18\.25/);
  });

  test("and what was booked are pages for owners and finance, with a file, and for nobody else", async () => {
    await take({ cost: "9.125" }, { order: 2 });
    await send(3);
    const finance = await enterConsole(whole, "FINANCE");
    const page = await finance("GET", "/reports/margin?by=operator");
    expect(page.json).toMatchObject({
      rows: [{ key: "orange", segments: 3, charged: 45, cost: "27.375", margin: "17.625" }],
      operators: [{ code: "orange" }],
      has_routes: true,
      without_cost: ["orange/agg"],
      unknown_outcomes: [],
    });
    const { text } = await finance("GET", "/reports/margin.csv?by=route");
    const [, ...lines] = text.trim().split(/\r?\n/);
    expect(lines).toEqual(["orange/direct;3;45;27,375;0;17,625;0,3917"]);
    for (const role of ["OPERATIONS", "SUPPORT"] as const) {
      const other = await enterConsole(whole, role);
      expect((await other("GET", "/reports/margin")).status).toBe(403);
    }
    const reader = await enterConsole(whole, "ACCOUNT_ADMIN", client.accountId);
    expect((await reader("GET", "/reports/margin")).status).toBe(403);
    expect((await reader("GET", "/reports/margin.csv")).status).toBe(403);
  });
});

describe("a crash", () => {
  test("at whatever moment leaves a book that equals the accepted segments", async () => {
    await take({ cost: "9", share: 60 }, { cost: "11", share: 40 }, 4);
    for (const smsc of [whole.smsc, agg]) smsc.change({ responseDelayMs: 3 });
    const recipients = Array.from({ length: 120 }, () => ({ msisdn: String(next++) }));
    const { batch_id } = await client.submit({ recipients, body: "A text of two segments. ".repeat(10) });
    const seen: number[] = [];
    let isOver = false;
    const over = client
      .until(batch_id, ({ status }) => status === "SETTLED")
      .then(() => {
        isOver = true;
      });
    while (!isOver) {
      const left = mkdtempSync(join(tmpdir(), "bendre-crash-"));
      for (const end of ["", "-wal"])
        if (existsSync(file() + end)) copyFileSync(file() + end, join(left, DATABASE_FILE + end));
      const db = openWriter(left, whole.clock.nowMs());
      const [accepted] = asked<{ n: number; cost: number | null }>(
        db,
        `SELECT count(*) AS n, sum(CASE s.route WHEN 'direct' THEN 9000 ELSE 11000 END) AS cost
         FROM parts p JOIN submit_pdu_parameters s ON s.id = p.pdu_parameters_id`,
      );
      const [booked] = asked<{ n: number | null; cost: number | null }>(
        db,
        "SELECT sum(segments) AS n, sum(cost_milli) AS cost FROM route_costs",
      );
      db.close();
      rmSync(left, { recursive: true });
      expect([booked?.n ?? 0, booked?.cost ?? null]).toEqual([accepted!.n, accepted!.cost]);
      seen.push(accepted!.n);
      await whole.clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await over;
    expect(seen.filter((n) => n > 0 && n < 240).length).toBeGreaterThan(2);
    expect(book().reduce((sum, { segments }) => sum + Number(segments), 0)).toBe(240);
  });
});
