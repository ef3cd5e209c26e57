/**
 * A page of the console costs what it shows: no statement that a route which only reads issues goes through a table that grows, nor sorts
 * one. Every such route is asked, with each of its filters and, where a list goes on, for what comes next; SQLite itself is asked then.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { ROUTES, type RouteName } from "../../src/console/server/routes/table.ts";
import { openOnDisk } from "../../src/db/disk.ts";
import { applyMigrations } from "../../src/db/migrate.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { statementBook } from "../kit/statement-book.ts";
import { type Stage, stage } from "../scenarios/stage.ts";
import { faultOf, isAsked, plain } from "./growing.ts";

const PASSWORD = "un mot de passe qui suffit";
const PERIOD = "from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z";

/** What there is to be asked about; `before`: a place in the middle of a list. */
type Known = Readonly<
  Record<"account" | "batch" | "message" | "beforeBatch" | "beforeMessage" | "number" | "webhook", string>
>;
type Get = Extract<RouteName, `GET ${string}`>;

/** What is asked of each route. One that is not named here does not compile. */
const QUESTIONS: Readonly<Record<Get, (of: Known) => readonly string[]>> = {
  "GET /alarms": () => ["/alarms"],
  "GET /appliance": () => ["/appliance"],
  "GET /appliance/started": () => ["/appliance/started"],
  "GET /appliance/tables": () => ["/appliance/tables"],
  "GET /configuration": () => ["/configuration"],
  "GET /settings": () => ["/settings"],
  "GET /audit": () => [
    ...["/audit", "/audit?before=5", "/audit?action=sender", "/audit?actor=test", `/audit?${PERIOD}`],
    `/audit?actor=test&action=sender&before=9&${PERIOD}`,
  ],
  "GET /audit.csv": () => ["/audit.csv", "/audit.csv?action=sender"],
  "GET /backups": () => ["/backups"],
  "GET /backups/work": () => ["/backups/work"],
  "GET /operators": () => ["/operators"],
  "GET /templates": () => ["/templates"],
  "GET /operators/:code/delivery": () => ["/operators/orange/delivery"],
  "GET /operators/:code/tests": () => ["/operators/orange/tests"],
  "GET /queue": () => ["/queue"],
  "GET /unanswered": () => ["/unanswered", "/unanswered?operator=orange"],
  "GET /unmatched": () => ["/unmatched", "/unmatched?operator=orange"],
  "GET /messages": ({ account, batch, beforeMessage, number }) => [
    ...["", `account=${account}`, `batch=${batch}`, `number=${number}`].flatMap((scope) =>
      [
        ...["", "status=DELIVERED", "status=QUEUED", "error=NO_ROUTE", "operator=orange", "sender=ACME"],
        ...[
          "class=OTP",
          PERIOD,
          `before=${beforeMessage}`,
          `status=FAILED&before=${beforeMessage}&${PERIOD}`,
        ],
      ].map((filter) => `/messages?${scope}&${filter}`),
    ),
    ...["/messages?reference=INV-1", `/messages?reference=INV-1&account=${account}`],
  ],
  "GET /messages-with-part": ({ account }) => [
    ...["/messages-with-part?typed=2233", `/messages-with-part?typed=2233&account=${account}`],
  ],
  "GET /left-out": ({ account, number }) => [
    ...[`/left-out?number=${number}`, `/left-out?number=${number}&account=${account}`],
    `/left-out?number=%2B33612345678&${PERIOD}`,
  ],
  "GET /left-out/rows": ({ account }) => [
    ...["/left-out/rows?typed=7012345", `/left-out/rows?typed=Awa&account=${account}`],
  ],
  "GET /names": ({ account }) => ["/names", `/names?account=${account}`],
  "GET /messages/:message": ({ message }) => [`/messages/${message}`],
  "GET /batches": ({ account, beforeBatch }) =>
    ["", `account=${account}`].flatMap((scope) =>
      [
        ...["", "status=SETTLED", "status=SENDING", "status=FAILED", "reference=spring", "smpp=yes", PERIOD],
        ...[`before=${beforeBatch}`, `status=SETTLED&before=${beforeBatch}&${PERIOD}`],
      ].map((filter) => `/batches?${scope}&${filter}`),
    ),
  "GET /batches/:batch": ({ batch }) => [`/batches/${batch}`],
  "GET /batches/:batch/rejections": ({ batch }) => [
    `/batches/${batch}/rejections`,
    `/batches/${batch}/rejections?from=1`,
  ],
  "GET /batches/:batch/failures": ({ batch }) => [`/batches/${batch}/failures`],
  "GET /batches/:batch/people": ({ batch }) => [`/batches/${batch}/people`],
  "GET /batches/:batch/people.csv": ({ batch }) => [`/batches/${batch}/people.csv`],
  "GET /batches/:batch/report": ({ batch }) => [`/batches/${batch}/report`],
  "GET /batches/:batch/report.csv": ({ batch }) => [`/batches/${batch}/report.csv`],
  "GET /batches/:batch/rows": ({ batch }) => [`/batches/${batch}/rows`, `/batches/${batch}/rows?row=Awa`],
  "GET /batches/:batch/left-out.csv": ({ batch }) => [`/batches/${batch}/left-out.csv`],
  "GET /batches/:batch/again": ({ batch }) => [`/batches/${batch}/again`],
  "GET /inbound": () => ["/inbound", "/inbound?operator=orange", "/inbound?before=1"],
  "GET /suppressions": ({ account, number }) => [
    ...["/suppressions", `/suppressions?account=${account}`],
    ...[`/suppressions?after=0%2B${number}`, `/suppressions?account=${account}&after=${number}`],
  ],
  "GET /suppressions/number": ({ account, number }) => [
    `/suppressions/number?number=${number}`,
    `/suppressions/number?number=${number}&account=${account}`,
  ],
  "GET /search": ({ account, batch, message, number }) =>
    [account, batch, message, number, "Faso", "INV-1", "ACME", "7012345"].map(
      (words) => `/search?q=${words}`,
    ),
  "GET /accounts": () => ["/accounts", "/accounts?search=Faso"],
  "GET /accounts/:account": ({ account }) => [`/accounts/${account}`],
  "GET /accounts/:account/waiting": ({ account }) => [`/accounts/${account}/waiting`],
  "GET /accounts/:account/prices": ({ account }) => [`/accounts/${account}/prices`],
  "GET /accounts/:account/prices/history": ({ account }) => [`/accounts/${account}/prices/history`],
  "GET /accounts/:account/wallet": ({ account }) => [`/accounts/${account}/wallet`],
  "GET /accounts/:account/statement": ({ account }) => [`/accounts/${account}/statement`],
  "GET /accounts/:account/statement.csv": ({ account }) => [`/accounts/${account}/statement.csv`],
  "GET /accounts/:account/invoice": ({ account }) => [`/accounts/${account}/invoice`],
  "GET /accounts/:account/invoice.pdf": ({ account }) => [
    `/accounts/${account}/invoice.pdf?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z`,
  ],
  "GET /books": () => ["/books"],
  "GET /senders/waiting": () => ["/senders/waiting"],
  "GET /accounts/:account/senders": ({ account }) => [`/accounts/${account}/senders`],
  "GET /keys/ending": () => ["/keys/ending"],
  "GET /accounts/:account/keys": ({ account }) => [`/accounts/${account}/keys`],
  "GET /accounts/:account/webhooks": ({ account }) => [`/accounts/${account}/webhooks`],
  "GET /webhooks/:webhook": ({ webhook }) => [`/webhooks/${webhook}`],
  "GET /smpp": ({ account }) => ["/smpp", `/smpp?account=${account}`],
  "GET /smpp/:system_id": () => ["/smpp/pharma1"],
  "GET /send/:account/pauses": ({ account }) => [`/send/${account}/pauses`],
  // They read files that a session brought, not the database.
  "GET /send/:account/files/:file": () => [],
  "GET /send/:account/files/:file/left-out.csv": () => [],
  "GET /reports/margin": () =>
    ["route", "account", "operator", "class", "day"].map((by) => `/reports/margin?by=${by}`),
  "GET /reports/delivery": ({ account }) =>
    ["day", "operator", "sender", "class", "account", "error"].flatMap((by) => [
      `/reports/delivery?by=${by}`,
      `/reports/delivery?by=${by}&account=${account}`,
    ]),
  "GET /reports/volume": ({ account }) =>
    ["24h", "30d"].flatMap((span) => [
      `/reports/volume?span=${span}`,
      `/reports/volume?span=${span}&account=${account}&operator=orange&class=OTP&sender=ACME`,
    ]),
  "GET /reports/margin.csv": () => ["/reports/margin.csv"],
  "GET /reports/delivery.csv": () => ["/reports/delivery.csv"],
  "GET /users": () => ["/users"],
};

/** Statements that may do it all the same: a piece of their text, and why. */
const EXCEPTIONS: readonly (readonly [string, string])[] = [
  ["FROM ledger_checks ORDER BY id DESC LIMIT 1", "the last row"],
  [
    "WHERE batch_id = ? AND position >= ? AND position < ? GROUP BY reason",
    "groups 5,000 positions of one batch",
  ],
  ["GROUP BY error_code", "groups 5,000 messages of one batch"],
  ["FROM parts WHERE message_id = ? ORDER BY sent_at, part", "sorts the parts of one message"],
  ["FROM batches b CROSS JOIN messages m", "groups the lines of at most 1,000 messages"],
  ["FROM batches b CROSS JOIN purged_lines m", "groups the lines of a page of batches"],
  ["FROM senders WHERE status = 'REQUESTED' OR", "a handful for each account, however much is sent"],
  ["group_concat(operator, ',' ORDER BY operator)", "sorts the operators of one sender"],
];

const book = statementBook(openOnDisk, () => {});
let appliance: Stage;
const refused: string[] = [];

beforeAll(async () => {
  appliance = await stage({ ...systemPlatform, openDatabase: book.openDatabase });
  const client = await appliance.client();
  const ACCOUNT = client.accountId;
  await appliance.admin("smpp create", { ACCOUNT, "system-id": "pharma1" });
  const hook = await appliance.admin("webhook create", { ACCOUNT, url: "https://hooks.example.test/in" });
  const recipients = [1, 2, 3].map((place) => ({
    msisdn: String(70_000_000 + place),
    client_reference: `INV-${place}`,
  }));
  const foreign = { msisdn: "+33612345678" };
  const [first, second] = [
    await client.submit({ client_reference: "spring", recipients: [...recipients, foreign, foreign] }),
    await client.submit({ message_class: "MARKETING", recipients }),
  ];
  for (const { batch_id } of [first, second]) {
    await client.until(batch_id, ({ status }) => status === "SETTLED");
  }
  appliance.smsc.sendMo("22670000001", "ACME", "STOP");
  appliance.smsc.change({ swallowEvery: 1 });
  await client.submit({
    message_class: "MARKETING",
    body: "swallowed",
    recipients: [{ msisdn: "70000511" }],
  });
  await appliance.clock.advance(120_000);
  const [message] = await client.messages(first.batch_id);
  const [later] = await client.messages(second.batch_id);
  const known: Known = {
    account: ACCOUNT,
    batch: first.batch_id,
    message: String(message?.message_id),
    beforeBatch: second.batch_id,
    beforeMessage: String(later?.message_id),
    number: "22670000001",
    webhook: String(hook.webhook_id),
  };
  const cookie = await owner();
  book.reset();
  for (const path of Object.values(QUESTIONS).flatMap((questions) => questions(known))) {
    const answer = await fetch(`${appliance.url()}/console/api${path}`, { headers: { cookie } });
    const text = await answer.text();
    if (!answer.ok) refused.push(`${path}: ${answer.status} ${text}`);
  }
}, 60_000);
afterAll(async () => {
  await appliance.close();
});

/** Somebody who may read everything, signed in: the cookie of the session. */
async function owner(): Promise<string> {
  const login = "awa@example.bf";
  const { link } = await appliance.admin("user create", { LOGIN: login, role: "OWNER" });
  const secret = String(link).split("#")[1] ?? "";
  const origin = appliance.url();
  const post = (path: string, body: object, cookie = "") =>
    fetch(`${origin}/console/api${path}`, {
      method: "POST",
      headers: { origin, "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
  const cookieOf = (answer: Response) => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const looked = (await (await post("/link/look", { secret })).json()) as {
    totp: { secretBase32: string };
    proposal: string;
  };
  const code = () => deriveCode(looked.totp.secretBase32, appliance.clock.nowMs());
  await post("/link/use", { secret, password: PASSWORD, code: code(), proposal: looked.proposal });
  appliance.clock.setBy(30_000);
  const cookie = cookieOf(await post("/sign-in", { login, password: PASSWORD }));
  return cookieOf(await post("/second-factor", { code: code() }, cookie)) || cookie;
}

const issued = () => book.booked().filter(({ sql }) => isAsked(sql));
const isExcepted = (sql: string) => EXCEPTIONS.some(([piece]) => plain(sql).includes(piece));

describe("what the console's pages read", () => {
  test("is answered, every question of every route", () => {
    expect(refused).toEqual([]);
    expect(Object.keys(QUESTIONS).sort()).toEqual(
      Object.keys(ROUTES)
        .filter((name) => name.startsWith("GET "))
        .sort(),
    );
    expect(issued().length).toBeGreaterThan(80);
  });

  test("is found by an index: nothing that grows is read from end to end, or sorted", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0);
    const faults = issued().flatMap(({ sql }) => {
      const fault = isExcepted(sql) ? null : faultOf(db, sql);
      return fault === null ? [] : [`${fault} <- ${plain(sql)}`];
    });
    db.close();
    expect(faults).toEqual([]);
  });

  test("would be noticed if it read a table whole", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0);
    const faults = [
      "SELECT count(*) FROM messages",
      "SELECT ulid FROM messages WHERE status = ?",
      "SELECT ulid FROM batches b WHERE b.account_id + 0 = ? ORDER BY b.id DESC LIMIT ?",
      "SELECT id FROM ledger WHERE id > ? ORDER BY amount LIMIT ?",
      "SELECT id FROM audit_entries WHERE detail LIKE ?",
    ].map((sql) => faultOf(db, sql));
    db.close();
    expect(faults).not.toContain(null);
  });

  test("and is excepted is still read", () => {
    const all = issued().map(({ sql }) => plain(sql));
    expect(EXCEPTIONS.filter(([piece]) => !all.some((sql) => sql.includes(piece)))).toEqual([]);
  });
});
