import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/admin/commands.ts";
import { startControl } from "../../src/admin/control.ts";
import { adminFixture } from "../admin/fixture.ts";
import { testLog } from "../kit/test-log.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
beforeEach(() => {
  fixture = cliFixture();
});
afterEach(() => fixture.close());

const createAccount = async (): Promise<string> => {
  const { data } = await fixture.json("account", "create", "--name", "Faso", "--billing", "prepaid");
  return String(data?.account_id);
};

describe("invocation", () => {
  test("--version prints the name, the version and where it was built from", async () => {
    expect((await fixture.run("--version")).out).toMatch(/^bendre \d+\.\d+\.\d+ \(source\)\n$/);
  });

  test("help goes to stdout and exits 0, and names every command", async () => {
    const { code, out } = await fixture.run("--help");
    expect(code).toBe(0);
    for (const { name } of ADMIN_COMMANDS) expect(out).toContain(`  ${name} `);
    for (const name of ["serve", "demo", "smsc", "config check"]) expect(out).toContain(`  ${name} `);
  });

  test("every command explains itself without touching anything", async () => {
    for (const { name, summary } of ADMIN_COMMANDS) {
      const { code, out } = await fixture.run(...name.split(" "), "--help");
      expect(code).toBe(0);
      expect(out).toContain(`usage: bendre ${name}`);
      expect(out).toContain(summary);
    }
    expect(existsSync(fixture.data)).toBe(false);
  });

  test.each([
    [[], "no command"],
    [["acount", "list"], 'did you mean "account list"?'],
    [["wallet"], "needs a verb"],
    [["account", "create", "--billing", "prepaid"], "--name NAME is missing"],
    [["account", "create", "--name", "a", "--billing", "free"], "must be one of prepaid, postpaid"],
    [["account", "list", "--jsno"], "did you mean --json?"],
    [["account", "show"], "ACCOUNT is missing"],
    [["account", "show", "A", "B"], 'unexpected "B"'],
  ])("%j is a wrong invocation: usage on stderr, nothing on stdout, exit 2", async (words, problem) => {
    const { code, out, err } = await fixture.run(...words);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain(problem);
    expect(err).toContain("usage: bendre");
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
    const key = await fixture.json("key", "create", account, "--name", "shop", "--scopes", "all");
    expect(key.data?.api_key).toMatch(/^bdr_/);
    await fixture.json("sender", "request", account, "SHOP");
    await fixture.json("sender", "approve", account, "SHOP");
    const sender = await fixture.json("sender", "register", account, "SHOP", "--operator", "orange");
    expect(sender.data).toMatchObject({ is_sendable: true, operators: ["orange"] });
    expect((await fixture.json("ledger", "check")).data).toEqual({ accounts: 1, batches: 0 });
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
    expect((await fixture.json(...price)).data).toMatchObject({ message_class: "OTP", amount: 12 });
    const key = ["key", "create", account, "--name", "k", "--scopes", "ACCOUNT_READ"];
    expect((await fixture.json(...key, "--expires-at", "2099-01-01")).data).toMatchObject({
      expires_at: "2099-01-01T00:00:00.000Z",
      scopes: ["ACCOUNT_READ"],
    });
  });

  test("a refusal is one JSON document and exit 1; a person reads it on stderr", async () => {
    const words = ["account", "show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"];
    const scripted = await fixture.run(...words, "--json");
    expect(scripted.code).toBe(1);
    expect(JSON.parse(scripted.out)).toEqual({
      error: { code: "ACCOUNT_NOT_FOUND", detail: 'there is no account "01ARZ3NDEKTSV4RRFFQ69G5FAV"' },
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
    const [head, entry, rest] = out.split("\r\n");
    expect(head).toBe("at,kind,amount,change,balance,cause,note");
    expect(entry).toContain(",TOPUP,1000,1000,1000,");
    expect(entry).toContain(`,"'=1+1,""x"""`);
    expect(rest).toBe("");
  });

  test("people read tables", async () => {
    await createAccount();
    const { out } = await fixture.run("operator", "status");
    expect(out).toContain("server:  not running");
    expect(out).toMatch(/OPERATOR\s+CONNECTION\s+HOST/);
    expect(out).toMatch(/orange\s+1\s+127\.0\.0\.1\s+2775\s+transceiver\s+CLOSED/);
    expect(out).not.toContain("secret99");
  });
});

describe("beside a running server", () => {
  test("the server does the command and hears of the change", async () => {
    const server = adminFixture();
    const { directory } = server.context.store;
    const socket = startControl(directory, (actor) => ({ ...server.context, actor }), testLog());
    const beside = cliFixture(`
[storage]
directory = ${JSON.stringify(directory)}
[operators.other]
prefixes = ["22601"]
[[operators.other.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "secret99"
`);
    const { data } = await beside.json("account", "create", "--name", "Faso", "--billing", "prepaid");
    const account = String(data?.account_id);
    expect(server.told()).toBe(1);
    expect(server.audited()).toEqual(["awa: account create"]);
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

describe("config check", () => {
  test("a configuration without faults exits 0", async () => {
    expect(await fixture.run("config", "check")).toMatchObject({ code: 0, err: "" });
    expect((await fixture.json("config", "check")).data).toEqual({
      file: fixture.configPath,
      operators: ["orange"],
    });
    expect(existsSync(fixture.data)).toBe(false);
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
