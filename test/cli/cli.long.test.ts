import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/admin/commands.ts";
import { startControl } from "../../src/admin/control-server.ts";
import { renderSummary } from "../../src/cli/help-text.ts";
import { systemClock } from "../../src/core/clock.ts";
import { systemServe } from "../../src/core/http-server.ts";
import { openStore } from "../../src/db/store.ts";
import { adjust } from "../../src/domain/ledger/funding.ts";
import { plantBatch } from "../admin/operations/batch-fixture.ts";
import { adminFixture } from "../admin/operations/fixture.ts";
import { testLog } from "../kit/test-log.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(() => {
  fixture = cliFixture();
});
afterEach(() => fixture.close());

const createAccount = async (name = "Faso"): Promise<string> => {
  const { data } = await fixture.json("account", "create", "--name", name, "--billing", "prepaid");
  return String(data?.account_id);
};

/** A configuration of another operator, for a data directory that is there already. */
const configFor = (directory: string) => `
[storage]
directory = ${JSON.stringify(directory)}
[operators.other]
prefixes = ["22601"]
[[operators.other.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "secret99"
`;

describe("what is not there", () => {
  const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  test.each([
    [["account", "show", ID], '"account list"', "« account list »"],
    [["batch", "show", ID], '"batch find"', "« batch find »"],
    [["message", "trace", ID], '"message find"', "« message find »"],
    [["message", "text", ID, "--reason", "why"], '"message find"', "« message find »"],
    [["inbound", "text", "7", "--reason", "why"], '"inbound list"', "« inbound list »"],
    [["key", "revoke", "000000000000"], '"key list ACCOUNT"', "« key list COMPTE »"],
    [["webhook", "show", ID], '"webhook list ACCOUNT"', "« webhook list COMPTE »"],
    [["user", "disable", "a@b.bf"], '"user list"', "« user list »"],
    [["smpp", "revoke", "nobody"], '"smpp list"', "« smpp list »"],
    [["compat", "revoke", "nobody"], '"compat list ACCOUNT"', "« compat list COMPTE »"],
  ])("%j is refused with the command that shows what there is", async (words, english, french) => {
    const { error } = await fixture.json(...words);
    expect(error?.code).toMatch(/_NOT_FOUND$/);
    expect(error?.detail).toContain(english);
    const { err } = await fixture.runIn({ BENDRE_LANGUAGE: "fr" }, ...words);
    expect(err.replaceAll(/[\u00a0\u202f]/g, " ")).toContain(french);
    expect(err).not.toContain("there is");
  });

  test("a sender of an account too", async () => {
    const account = await createAccount();
    const { error } = await fixture.json("sender", "approve", account, "SHOP");
    expect(error?.detail).toContain('"sender list ACCOUNT"');
  });
});

describe("what is printed cannot steer the terminal", () => {
  const RAW = /(?![\n])\p{C}/u;

  test("tables, JSON, and what was not found", async () => {
    await createAccount("Faso \u202eoiduA");
    const table = await fixture.run("account", "list");
    expect(table.out).not.toMatch(RAW);
    expect(table.out).toContain("Faso \\u202eoiduA");
    const json = await fixture.run("account", "list", "--json");
    expect(json.out).not.toMatch(RAW);
    expect(JSON.parse(json.out)).toMatchObject({ data: { accounts: [{ name: "Faso \u202eoiduA" }] } });
    const lost = await fixture.run("account", "show", "x\u009b2J\u202e");
    expect(lost).toMatchObject({ code: 1, out: "" });
    expect(lost.err).not.toMatch(RAW);
    const lostJson = await fixture.run("account", "show", "x\u009b2J\u202e", "--json");
    expect(lostJson.out).not.toMatch(RAW);
    expect(JSON.parse(lostJson.out).error.detail).toContain("\u009b2J\u202e");
  });

  test("words that make no command", async () => {
    for (const words of [
      ["acc\u009bount"],
      ["account", "list", "--\u202ejson"],
      ["account", "show", "A", "\u009bB"],
    ]) {
      expect((await fixture.run(...words)).err).not.toMatch(RAW);
    }
  });

  test("a fault in the configuration", async () => {
    writeFileSync(fixture.configPath, '[server]\nlist\u202een = "\u009b2J"\n');
    for (const words of [
      ["account", "list"],
      ["config", "check"],
      ["doctor"],
      ["account", "list", "--json"],
    ]) {
      const { out, err } = await fixture.run(...words);
      expect(out + err).toContain("\\u202e");
      expect(out + err).not.toMatch(RAW);
    }
  });
});

describe("invocation", () => {
  test("--version prints the name, the version and where it was built from", async () => {
    expect((await fixture.run("--version")).out).toMatch(/^bendre \d+\.\d+\.\d+ \(source\)\n$/);
  });

  test("help goes to stdout and exits 0, and names every command", async () => {
    const { code, out } = await fixture.run("--help");
    expect(code).toBe(0);
    for (const { name } of ADMIN_COMMANDS) expect(out).toContain(`  ${name} `);
    for (const name of ["serve", "demo", "smsc", "whatsapp-sim", "config check"])
      expect(out).toContain(`  ${name} `);
  });

  test("every command explains itself without touching anything", async () => {
    for (const command of ADMIN_COMMANDS) {
      const { name } = command;
      const { code, out } = await fixture.run(...name.split(" "), "--help");
      expect(code).toBe(0);
      expect(out).toContain(`usage: bendre ${name}`);
      expect(out).toContain(renderSummary(command, "en"));
    }
    expect(existsSync(fixture.data)).toBe(false);
  });

  test.each([
    [[], "no command"],
    [["acount", "list"], 'did you mean "account list"?'],
    [["wallet"], "needs a verb"],
    [["operaters"], 'did you mean "operator"?'],
    [["wallet", "tpoup"], 'did you mean "wallet topup"?'],
    [["nonsense", "words"], 'unknown command "nonsense words"'],
    [["account", "create", "--billing", "prepaid"], "--name NAME is missing"],
    [["account", "create", "--name", "a", "--billing", "free"], "must be one of prepaid, postpaid"],
    [["account", "list", "--jsno"], "did you mean --json?"],
    [["account", "show"], "ACCOUNT is missing"],
    [["account", "show", "A", "B"], 'unexpected "B"'],
  ])("%j is a wrong invocation: usage on stderr, nothing on stdout, exit 2", async (words, problem) => {
    const { code, out, err } = await fixture.run(...words);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err.trimEnd().split("\n").at(-1)).toContain(problem);
    expect(err).toContain("usage: bendre");
    expect(err.split("\n").length).toBeLessThan(16);
  });
});

describe("commands without a server", () => {
  test("an account is created, paid into, given a key and a sender, and all of it is on record", async () => {
    const account = await createAccount();
    expect(account).toHaveLength(26);
    const topUp = await fixture.json("wallet", "topup", account, "50000", "--reference", "r1");
    expect(topUp.data).toMatchObject({ balance: 50000, spendable: 50000, currency: "XOF" });
    const down = await fixture.json("wallet", "adjust", account, "-500", "--reason", "mistake");
    expect(down.data?.balance).toBe(49500);
    const statement = await fixture.json("wallet", "statement", account);
    expect(statement.data?.entries).toMatchObject([{ balance: 50000 }, { balance: 49500 }]);
    const key = await fixture.json("key", "create", account, "--name", "shop", "--scopes", "all");
    expect(String(key.data?.api_key).startsWith(`bdr_${key.data?.key_id}_`)).toBe(true);
    await fixture.json("sender", "request", account, "SHOP");
    await fixture.json("sender", "approve", account, "SHOP");
    const sender = await fixture.json("sender", "register", account, "SHOP", "--operator", "orange");
    expect(sender.data).toMatchObject({ is_sendable: true, operators: ["orange"] });
    expect((await fixture.json("ledger", "check")).data).toMatchObject({ accounts: 1, batches: 0 });
    const audit = await fixture.json("audit", "list");
    expect(JSON.stringify(audit)).not.toContain(String(key.data?.api_key).slice(17));
    expect(audit.data?.entries).toMatchObject(
      [
        "sender register",
        "sender approve",
        "sender request",
        "key create",
        "wallet adjust",
        "wallet topup",
        "account create",
      ].map((action) => ({ action, actor: "awa" })),
    );
  });

  test("settings are read from words: amounts, classes, times", async () => {
    const { data } = await fixture.json("account", "create", "--name", "B", "--billing", "postpaid");
    const account = String(data?.account_id);
    const set = await fixture.json(
      ...["account", "set", account, "--credit-limit", "10 000", "--classes", "otp,TRANSACTIONAL"],
      ...["--charge-on", "delivered", "--timezone", "UTC"],
    );
    expect(set.data).toMatchObject({
      credit_limit: 10000,
      classes: ["OTP", "TRANSACTIONAL"],
      charge_on: "delivered",
      timezone: "UTC",
    });
    const price = ["price", "set", account, "--operator", "orange", "--amount", "12", "--class", "otp"];
    expect((await fixture.json(...price)).data).toMatchObject({
      message_class: "OTP",
      amount: 12,
      warning: null,
    });
    const free = ["price", "set", account, "--operator", "orange", "--amount", "0"];
    expect((await fixture.json(...free)).data?.warning).toBe(
      "messages to orange cost this account nothing now",
    );
    const unset = ["price", "unset", account, "--operator", "orange"];
    expect((await fixture.json(...unset)).data?.prices).toMatchObject([
      { message_class: "OTP", amount: 12, source: "account" },
      { message_class: null, source: "operator" },
    ]);
    expect((await fixture.json(...unset)).error?.code).toBe("PRICE_NOT_FOUND");
    const key = ["key", "create", account, "--name", "k", "--scopes", "ACCOUNT_READ"];
    expect((await fixture.json(...key, "--expires-at", "2099-01-01")).data).toMatchObject({
      expires_at: "2099-01-01T00:00:00.000Z",
      scopes: ["ACCOUNT_READ"],
    });
  });

  test("an account's rules are set, and given back to the configuration with the word default", async () => {
    const account = await createAccount();
    const rules = [
      ...["--recipients-per-minute", "60", "--recipients-per-day", "500", "--marketing-hours", "09:00-18:00"],
      ...["--marketing-per-day", "1", "--marketing-per-week", "3", "--low-balance", "5 000"],
    ];
    expect((await fixture.json("account", "set", account, ...rules)).data).toMatchObject({
      recipients_per_minute: 60,
      recipients_per_day: 500,
      marketing_hours: "09:00-18:00",
      marketing_per_day: 1,
      marketing_per_week: 3,
      low_balance: 5000,
    });
    const none = rules.map((word, index) => (index % 2 === 0 ? word : "default"));
    expect((await fixture.json("account", "set", account, ...none)).data).toMatchObject({
      recipients_per_minute: null,
      recipients_per_day: null,
      marketing_hours: null,
      marketing_per_day: null,
      marketing_per_week: null,
      low_balance: null,
      policy: { marketing_hours: "08:00-20:00", recipients_per_day: 1_000_000 },
    });
    const { out } = await fixture.run("account", "list");
    expect(out).toMatch(/WALLET BALANCE\s+WALLET SPENDABLE.*\n.*Faso.*PREPAID\s+0\s+0\s/);
  });

  // Keeps: behaviour 4.39
  test("numbers are suppressed for an account or everywhere, exported and imported again", async () => {
    const account = await createAccount();
    const add = ["suppression", "add", account, "70 12 34 56", "--class", "marketing", "--note", "called"];
    expect((await fixture.json(...add)).data).toEqual({
      account_id: account,
      msisdn: "+22670123456",
      message_classes: ["MARKETING"],
    });
    const everywhere = await fixture.json("suppression", "add", "--everywhere", "76000000", "--class", "all");
    expect(everywhere.data).toMatchObject({
      account_id: null,
      message_classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
    });
    const { out } = await fixture.run("suppression", "list", account, "--csv");
    const file = join(fixture.data, "list.csv");
    writeFileSync(file, out);
    const other = await createAccount("Other");
    expect((await fixture.json("suppression", "import", other, file)).data).toMatchObject({
      account_id: other,
      added: 1,
    });
    expect((await fixture.json("suppression", "list", other)).data).toMatchObject({
      suppressions: [
        { msisdn: "+22670123456", message_class: "MARKETING", source: "IMPORT", note: "called" },
      ],
      next_after: null,
    });
    const off = ["suppression", "remove", "--everywhere", "76000000", "--class", "OTP"];
    expect((await fixture.json(...off)).data?.message_classes).toEqual(["TRANSACTIONAL", "MARKETING"]);
  });

  test("a file is read where the command is typed, in any common coding, and is all or nothing", async () => {
    const account = await createAccount();
    const file = join(fixture.data, "optouts.csv");
    writeFileSync(file, "\ufeffmsisdn;note\n70123456;tél\nnobody;\n");
    const refused = await fixture.run("suppression", "import", account, file);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('line 3: "nobody" is not a phone number');
    expect((await fixture.json("suppression", "list", account)).data?.suppressions).toEqual([]);
    const latin1 = Buffer.from("msisdn;note\n70123456;tél\nnobody;\n", "latin1");
    writeFileSync(file, latin1);
    const skipping = ["suppression", "import", account, file, "--skip-invalid", "--class", "OTP"];
    expect((await fixture.json(...skipping)).data).toMatchObject({
      added: 1,
      skipped: 1,
      skipped_lines: [{ line: 3, problem: '"nobody" is not a phone number' }],
    });
    expect((await fixture.json("suppression", "list", account)).data?.suppressions).toMatchObject([
      { msisdn: "+22670123456", message_class: "OTP", note: "tél" },
    ]);
  });

  test("help shows where a flag stands in place of a word", async () => {
    const { out } = await fixture.run("suppression", "add", "--help");
    expect(out.replaceAll(/\n {2,}\[/g, " [")).toContain(
      "usage: bendre suppression add ACCOUNT|--everywhere MSISDN --class CLASS [--note TEXT]",
    );
    expect(out).toMatch(/ {2}--everywhere {2,}the appliance-wide list/);
  });

  test("without a server a batch is listed, shown and called off by the command itself", async () => {
    const account = await createAccount();
    expect((await fixture.json("batch", "list", account)).data).toEqual({
      account_id: account,
      batches: [],
      next_before: null,
    });
    const server = adminFixture();
    const owner = await server.account();
    const batch = await plantBatch(server, {
      account: owner,
      status: "QUEUED",
      messages: ["QUEUED", "QUEUED"],
    });
    await server.context.store.close();
    const { directory } = server.context.store;
    const there = cliFixture(configFor(directory));
    expect((await there.run("batch", "list", owner)).out).toMatch(
      new RegExp(`BATCH ID.*\\n +${batch} +QUEUED +MARKETING +SHOP +2 +0 +30 +0 +0 `),
    );
    const cancelled = await there.json("batch", "cancel", batch, "--reason", "wrong text");
    expect(cancelled.data).toMatchObject({ status: "CANCELLED", released_amount: 30 });
    expect((await there.json("batch", "show", batch)).data).toEqual(cancelled.data!);
    expect((await there.json("ledger", "check")).data).toMatchObject({ accounts: 1, batches: 1 });
    rmSync(directory, { recursive: true });
    there.close();
  });

  test("a refusal is one JSON document and exit 1; a person reads it on stderr", async () => {
    const words = ["account", "show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"];
    const scripted = await fixture.run(...words, "--json");
    expect(scripted.code).toBe(1);
    expect(JSON.parse(scripted.out)).toEqual({
      error: {
        code: "ACCOUNT_NOT_FOUND",
        detail: 'there is no account "01ARZ3NDEKTSV4RRFFQ69G5FAV"; "account list" shows all',
        params: { account: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
      },
    });
    const typed = await fixture.run(...words);
    expect(typed).toMatchObject({ code: 1, out: "" });
    expect(typed.err).toContain("ACCOUNT_NOT_FOUND");
  });

  test.each([
    [["wallet", "topup", "ACCOUNT", "1.5", "--reference", "r"], "INVALID_AMOUNT"],
    [["wallet", "statement", "ACCOUNT", "--from", "yesterday"], "INVALID_TIME"],
    [["key", "create", "ACCOUNT", "--name", "k", "--scopes", "SEND"], "INVALID_SCOPE"],
    [["key", "create", "ACCOUNT", "--name", "k", "--scopes", "all", "--expires-at", "soon"], "INVALID_TIME"],
    [["account", "set", "ACCOUNT", "--classes", "SPAM"], "INVALID_CLASS"],
    [["account", "set", "ACCOUNT"], "NOTHING_TO_CHANGE"],
    [["price", "set", "ACCOUNT", "--operator", "orange", "--amount", "1", "--class", "X"], "INVALID_CLASS"],
    [["audit", "list", "--limit", "many"], "INVALID_NUMBER"],
    [["price", "history", "ACCOUNT", "--limit", "0"], "INVALID_NUMBER"],
    [["price", "set", "ACCOUNT", "--operator", "orange", "--amount", "-1"], "INVALID_AMOUNT"],
    [["price", "set", "ACCOUNT", "--operator", "orange", "--amount", "1.5"], "INVALID_AMOUNT"],
    [["wallet", "topup", "ACCOUNT", "9007199254740993", "--reference", "r"], "INVALID_AMOUNT"],
    [["wallet", "topup", "ACCOUNT", "12.5", "--reference", "r"], "INVALID_AMOUNT"],
    [["wallet", "adjust", "ACCOUNT", "0", "--reason", "r"], "INVALID_AMOUNT"],
    [["wallet", "adjust", "ACCOUNT", "5", "--reason", " "], "INVALID_REASON"],
    [["wallet", "statement", "ACCOUNT", "--batch", "X"], "BATCH_NOT_FOUND"],
    [["account", "set", "ACCOUNT", "--recipients-per-day", "many"], "INVALID_NUMBER"],
    [["account", "set", "ACCOUNT", "--marketing-per-week", "-1"], "INVALID_NUMBER"],
    [["account", "set", "ACCOUNT", "--marketing-hours", "8-20"], "INVALID_HOURS"],
    [["account", "set", "ACCOUNT", "--low-balance", "little"], "INVALID_AMOUNT"],
    [["suppression", "add", "ACCOUNT", "70123456", "--class", "SPAM"], "INVALID_CLASS"],
    [["suppression", "add", "ACCOUNT", "70", "--class", "all"], "INVALID_MSISDN"],
    [["suppression", "list", "ACCOUNT", "--limit", "0"], "INVALID_NUMBER"],
    [["suppression", "import", "ACCOUNT", "no-such.csv"], "FILE_UNREADABLE"],
    [["suppression", "import", "ACCOUNT", "/"], "FILE_UNREADABLE"],
    [["batch", "list", "ACCOUNT", "--before", "x"], "BATCH_NOT_FOUND"],
    [["batch", "show", "x"], "BATCH_NOT_FOUND"],
    [["batch", "cancel", "x", "--reason", "r"], "BATCH_NOT_FOUND"],
  ])("%j is refused as %s", async (words, code) => {
    const account = await createAccount();
    const { error } = await fixture.json(...words.map((word) => (word === "ACCOUNT" ? account : word)));
    expect(error?.code).toBe(code);
  });

  test("a statement is comma-separated values on request, and a date as its end includes the day", async () => {
    const account = await createAccount();
    await fixture.json("wallet", "topup", account, "1000", "--reference", '=1+1,"x"');
    const today = new Date(String((await fixture.json("wallet", "show", account)).data?.as_of));
    const date = today.toISOString().slice(0, 10);
    const { out } = await fixture.run("wallet", "statement", account, "--to", date, "--csv");
    const [head, opening, entry, closing, rest] = out.split("\r\n");
    expect(head).toBe("at,kind,amount,change,balance,batch_id,cause,note");
    expect(opening).toBe(",OPENING,,,0,,,");
    expect(entry).toContain(",TOPUP,1000,1000,1000,");
    expect(closing).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z,CLOSING,,,1000,,,$/);
    expect(entry).toContain(`,"'=1+1,""x"""`);
    expect(rest).toBe("");
  });

  test("a statement of a stretch in which nothing moved still has both balances, an invoice its total", async () => {
    const account = await createAccount();
    await fixture.json("wallet", "topup", account, "1000", "--reference", "r");
    const stretch = ["--from", "2100-01-01", "--to", "2100-01-31", "--csv"];
    const { out } = await fixture.run("wallet", "statement", account, ...stretch);
    expect(out.split("\r\n").slice(1)).toEqual([
      "2100-01-01T00:00:00.000Z,OPENING,,,1000,,,",
      "2100-02-01T00:00:00.000Z,CLOSING,,,1000,,,",
      "",
    ]);
    const invoice = await fixture.run("wallet", "invoice", account, ...stretch);
    expect(invoice.out.split("\r\n")).toEqual([
      "operator,message_class,price,messages,segments,reserved,charged,released,still_reserved,billed_segments,free_segments",
      "TOTAL,,,0,0,0,0,0,0,0,0",
      "",
    ]);
  });

  test("a statement of more entries than a page is one table of comma-separated values", async () => {
    const account = await createAccount();
    const store = openStore(fixture.data, systemClock);
    await store.write((tx) => {
      const { id } = tx.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", account)!;
      for (let n = 1; n <= 20_001; n++) {
        adjust(tx, { accountId: id, amount: 1, reason: "n", id: String(n), atMs: n });
      }
    });
    await store.close();
    const { out } = await fixture.run("wallet", "statement", account, "--csv");
    const lines = out.split("\r\n");
    expect(lines).toHaveLength(20_005);
    expect(lines.slice(0, 2)).toEqual([
      "at,kind,amount,change,balance,batch_id,cause,note",
      ",OPENING,,,0,,,",
    ]);
    expect(lines.slice(-2)).toEqual([",CLOSING,,,20001,,,", ""]);
    expect(lines.slice(2, -2).map((line) => line.split(",")[4])).toEqual(
      Array.from({ length: 20_001 }, (_, n) => String(n + 1)),
    );
  });

  test("a stretch that ends before it begins is refused in words", async () => {
    const account = await createAccount();
    for (const command of ["statement", "invoice"]) {
      const words = ["wallet", command, account, "--from", "2026-03-02", "--to", "2026-03-01T12:00:00Z"];
      expect((await fixture.json(...words)).error).toEqual({
        code: "INVALID_TIME",
        detail: "--from 2026-03-02 is after --to 2026-03-01T12:00:00Z: there is nothing between them",
        params: { from: "2026-03-02", to: "2026-03-01T12:00:00Z" },
      });
    }
  });

  test("one batch is asked for, or all of a stretch, but not both", async () => {
    for (const other of [["--batches"], ["--from", "2026-03-02"], ["--to", "2026-03-02"]]) {
      const { code, err } = await fixture.run("wallet", "statement", "A", ...other, "--batch", "B");
      expect(code).toBe(2);
      expect(err).toContain(`--batch and ${other[0]} cannot be used together`);
    }
  });

  test("an amount above the largest is told what the largest is", async () => {
    const words = ["wallet", "topup", await createAccount(), "9007199254740993", "--reference", "r"];
    expect((await fixture.json(...words)).error?.detail).toContain("at most 1000000000000");
  });

  test("people read tables", async () => {
    const account = await createAccount();
    await fixture.json("key", "create", account, "--name", "shop", "--scopes", "ACCOUNT_READ");
    const { out } = await fixture.run("key", "list", account);
    expect(out).toMatch(/KEY ID\s+ACCOUNT ID\s+NAME/);
    expect(out).toMatch(/shop\s+live\s+ACCOUNT_READ\s+ACTIVE/);
  });

  test("a command needs no operator's password, and config check does", async () => {
    const secret = `[operators.orange]\nprefixes = ["22605"]\n[[operators.orange.connections]]
      host = "127.0.0.1"\nsystem_id = "bendre"\npassword = "\${PASSWORD_OF_NOBODY}"`;
    const without = cliFixture(secret);
    expect((await without.json("account", "create", "--name", "A", "--billing", "prepaid")).error).toBe(
      undefined,
    );
    const checked = await without.run("config", "check");
    expect(checked.code).toBe(1);
    expect(checked.err).toContain("config.toml:6: operators.orange.connections[0].password");
    expect(checked.err).toContain("the environment variable PASSWORD_OF_NOBODY to be set");
    without.close();
  });

  test("what only a server knows exits 1 without one, and makes no data directory", async () => {
    const status = await fixture.run("operator", "status");
    expect(status).toMatchObject({ code: 1, out: "" });
    expect(status.err).toContain('start it with "bendre serve"');
    expect((await fixture.json("operator", "status")).error?.code).toBe("SERVER_NOT_RUNNING");
    expect(existsSync(fixture.data)).toBe(false);
  });
});

describe("beside a running server", () => {
  test("the server does the command and hears of the change", async () => {
    const server = adminFixture();
    const { directory } = server.context.store;
    const socket = startControl(
      directory,
      (actor) => ({ ...server.context, actor }),
      server.clock,
      testLog(),
      systemServe,
    );
    const beside = cliFixture(configFor(directory));
    const { data } = await beside.json("account", "create", "--name", "Faso", "--billing", "prepaid");
    const account = String(data?.account_id);
    await beside.json("account", "suspend", account, "--reason", "unpaid");
    await beside.json("account", "resume", account);
    expect(server.told()).toEqual(["account", "account"]);
    expect(server.audited()).toEqual(["awa: account create", "awa: account suspend", "awa: account resume"]);
    // The server's own configuration counts, not the one that the command was started with.
    const price = ["price", "set", account, "--amount", "1", "--operator"];
    expect((await beside.json(...price, "orange")).data).toMatchObject({ amount: 1 });
    expect((await beside.json(...price, "other")).error?.code).toBe("OPERATOR_UNKNOWN");
    expect((await beside.json("operator", "status")).data?.server).toBe("running");
    await socket.stop();
    await server.close();
    beside.close();
  });
});

describe("a configuration with a fault", () => {
  const WRONG = [
    ["a wrong value", 'prefixes = ["22601"]', "prefixes = 3"],
    ["no TOML below the data directory", "[operators.other]", "[operators.other"],
  ] as const;

  test.each(WRONG)(
    "%s: the server that runs does commands all the same, and that is said",
    async (_, from, to) => {
      const server = adminFixture();
      const { directory } = server.context.store;
      const inForce = (actor: string) => ({ ...server.context, actor });
      const socket = startControl(directory, inForce, server.clock, testLog(), systemServe);
      const beside = cliFixture(configFor(directory).replace(from, () => to));
      const listed = await beside.run("account", "list");
      expect([listed.code, listed.err]).toEqual([0, expect.stringContaining("config check")]);
      expect((await beside.run("account", "list", "--language", "fr")).err).toContain("le serveur en marche");
      const made = await beside.json("account", "create", "--name", "Faso", "--billing", "prepaid");
      expect(made.data).toMatchObject({ name: "Faso" });
      expect((await beside.json("config", "check")).error?.code).toBe("CONFIG_INVALID");
      await socket.stop();
      expect((await beside.json("account", "list")).error?.code).toBe("CONFIG_INVALID");
      await server.close();
      beside.close();
    },
  );

  test("that hides where the data are is all that a command can tell", async () => {
    writeFileSync(fixture.configPath, "[storage]\ndirectory = 3\n");
    expect((await fixture.json("account", "list")).error?.code).toBe("CONFIG_INVALID");
  });
});

describe("config check", () => {
  test("a configuration without faults exits 0", async () => {
    expect(await fixture.run("config", "check")).toMatchObject({ code: 0, err: "" });
    expect((await fixture.json("config", "check")).data).toEqual({
      file: fixture.configPath,
      console_file: null,
      operators: ["orange"],
      directory: fixture.data,
      directory_state: "not there yet",
      database: null,
      warnings: [],
    });
    expect(existsSync(fixture.data)).toBe(false);
  });

  test("a warning is told and exits 0, or 1 with --strict", async () => {
    await createAccount();
    chmodSync(fixture.data, 0o755);
    const { code, out } = await fixture.run("config", "check");
    expect(code).toBe(0);
    expect(out).toMatch(
      /database of schema \d+\nwarning: .* is open to other users \(mode 0755\).*\(DIRECTORY_MODE\)/,
    );
    expect((await fixture.json("config", "check")).data?.warnings).toContainEqual(
      expect.objectContaining({ code: "DIRECTORY_MODE" }),
    );
    const strict = await fixture.run("config", "check", "--strict", "--json");
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.out).error).toMatchObject({
      code: "CONFIG_WARNINGS",
      warnings: expect.arrayContaining([expect.objectContaining({ code: "DIRECTORY_MODE" })]),
    });
    chmodSync(fixture.data, 0o700);
    expect((await fixture.run("config", "check", "--strict")).code).toBe(0);
  });

  test("--no-secrets takes variables that are not set as warnings", async () => {
    const secret = cliFixture(`[operators.orange]\nprefixes = ["22605"]\n[[operators.orange.connections]]
      host = "127.0.0.1"\nsystem_id = "bendre"\npassword = "\${PASSWORD_OF_NOBODY}"`);
    expect((await secret.run("config", "check")).code).toBe(1);
    expect((await secret.json("config", "check", "--no-secrets")).data?.warnings).toMatchObject([
      { code: "VARIABLE_UNSET", detail: expect.stringContaining("PASSWORD_OF_NOBODY") },
    ]);
    expect((await secret.run("config", "check", "--no-secrets", "--strict")).code).toBe(1);
    secret.close();
  });

  test("a fault exits 1 and names the file and the key, for every command", async () => {
    const broken = cliFixture("[server]\nlisen = 1\n");
    for (const words of [
      ["config", "check"],
      ["account", "list"],
    ]) {
      const { code, out, err } = await broken.run(...words);
      expect(code).toBe(1);
      expect(out).toBe("");
      expect(err).toContain(broken.configPath);
      expect(err).toContain("server.lisen");
    }
    expect((await broken.json("config", "check")).error?.code).toBe("CONFIG_INVALID");
    broken.close();
  });

  test("--config goes before $BENDRE_CONFIG", async () => {
    const missing = join(fixture.data, "missing.toml");
    const { code, err } = await fixture.run("account", "list", "--config", missing);
    expect(code).toBe(1);
    expect(err).toContain(missing);
  });
});
