import { Database } from "bun:sqlite";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS, deriveEffect } from "../../src/admin/commands.ts";
import { systemClock } from "../../src/core/clock.ts";
import { StoreError } from "../../src/db/errors.ts";
import { openReadOnly } from "../../src/db/read-only.ts";
import { openStore } from "../../src/db/store.ts";
import { type CliFixture, cliFixture } from "./fixture.ts";

let fixture: CliFixture;
let mounted: string[] = [];
beforeEach(() => {
  fixture = cliFixture();
  mounted = [];
});
afterEach(() => {
  for (const path of mounted) Bun.spawnSync(["umount", "-l", path]);
  fixture.close();
});

/** Every file below a directory with what stands in it and when it was last changed. */
function traceOf(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const { mtimeMs, mode } = statSync(join(directory, name));
      const isFile = statSync(join(directory, name)).isFile();
      const text = isFile ? Bun.hash(readFileSync(join(directory, name))).toString(16) : "directory";
      return [name, `${text} ${mtimeMs} ${mode.toString(8)}`];
    }),
  );
}

/** The data directory seen through a mount that cannot be written; null where mounting is not allowed, which takes root, and is said. */
function readOnlyView(directory: string): string | null {
  const view = `${directory}-view`;
  mkdirSync(view);
  const bound = Bun.spawnSync(["mount", "--bind", directory, view]);
  if (bound.exitCode === 0) {
    mounted.push(view);
    if (Bun.spawnSync(["mount", "-o", "remount,bind,ro", view]).exitCode === 0) return view;
  }
  if (bound.exitCode !== 0) rmdirSync(view);
  process.stderr.write(`SKIPPED: nothing can be mounted read-only here: ${bound.stderr.toString()}`);
  return null;
}

/** The data as a process that ended leaves them: connections of this one may still be open, which the runtime closes when it likes. */
function atRest(): string {
  const copy = join(dirname(fixture.data), "rest");
  mkdirSync(copy, { mode: 0o700 });
  for (const name of readdirSync(fixture.data)) {
    if (/\.(db|lock|key)$/.test(name)) copyFileSync(join(fixture.data, name), join(copy, name));
  }
  return copy;
}

/** Has the configuration name another data directory. */
function inConfiguration(directory: string): string {
  const config = readFileSync(fixture.configPath, "utf8");
  writeFileSync(fixture.configPath, `[storage]\ndirectory = ${JSON.stringify(directory)}\n${config}`);
  return directory;
}

/** Something of everything, as far as commands make it. */
async function filled() {
  const made = await fixture.json("account", "create", "--name", "Faso", "--billing", "prepaid");
  const account = String(made.data?.account_id);
  await fixture.json("wallet", "topup", account, "1000", "--reference", "r1");
  await fixture.json("sender", "request", account, "SHOP");
  await fixture.json("key", "create", account, "--name", "k", "--scopes", "all");
  await fixture.json("suppression", "add", account, "70123456", "--class", "all");
  await fixture.json("price", "set", account, "--operator", "orange", "--amount", "9");
  const people = join(dirname(fixture.data), "people.csv");
  writeFileSync(people, "telephone\n05000001\n");
  await fixture.json("sender", "approve", account, "SHOP");
  await fixture.json("sender", "register", account, "SHOP", "--operator", "orange");
  const text = ["--class", "TRANSACTIONAL", "--body", "Bonjour", "--recipients", people];
  const sent = await fixture.json("batch", "send", account, "--sender", "SHOP", ...text);
  const batch = String(sent.data?.batch_id);
  const found = await fixture.json("message", "find", "--batch", batch);
  const messages = (found.data?.messages ?? []) as readonly { message_id: string }[];
  const quoted = join(dirname(fixture.data), "quote.json");
  const recipients = [{ msisdn: "+22605000001" }];
  writeFileSync(
    quoted,
    JSON.stringify({ sender: "SHOP", body: "Bonjour", message_class: "TRANSACTIONAL", recipients }),
  );
  await fixture.json("ledger", "check");
  return { account, batch, message: String(messages[0]?.message_id), text, quoted };
}

type Filled = Awaited<ReturnType<typeof filled>>;

/** How each command that only reads is called, in all the ways in which it does. */
const looks = ({ account, batch, message, text, quoted }: Filled): readonly (readonly string[])[] => [
  ["account", "list"],
  ["account", "show", account],
  ["account", "find", "fas"],
  ["alert", "list"],
  ["audit", "list"],
  ["backup", "list"],
  ["backup", "resume", "--list"],
  ["batch", "list", account],
  ["batch", "show", batch],
  ["batch", "find"],
  ["batch", "quote", account, quoted],
  ["batch", "send", account, "--sender", "SHOP", ...text, "--quote"],
  ["batch", "rejections", batch],
  ["compat", "list", account],
  ["config", "show"],
  ["config", "diff"],
  ["key", "list", account],
  ["ledger", "last"],
  ["message", "find", "--batch", batch],
  ["message", "named", "x"],
  ["message", "trace", message],
  ["operator", "receipts"],
  ["operator", "tests"],
  ["operator", "unanswered"],
  ["price", "history", account],
  ["price", "list", account],
  ["queue", "show"],
  ["report", "delivery"],
  ["report", "margin"],
  ["route", "export"],
  ["route", "show", "70123456"],
  ["sender", "list", account],
  ["sender", "pending"],
  ["smpp", "list"],
  ["smpp", "list", account],
  ["smpp", "show", "NOBODY"],
  ["storage", "purge", "--dry-run"],
  ["storage", "show"],
  ["suppression", "find", "70123456"],
  ["suppression", "list", account],
  ["user", "list"],
  ["wallet", "invoice", account],
  ["wallet", "preview", account, "500", "--reference", "r2"],
  ["wallet", "show", account],
  ["wallet", "statement", account],
  ["webhook", "list", account],
  ["webhook", "show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["webhook", "status"],
  ["whatsapp", "template", "list"],
];

/** What an answer says; the words of those that are refused for another reason than the directory count as well. */
const outcome = ({ error }: { readonly error?: { readonly code: string } }) => error?.code ?? "done";

const REFUSED: Readonly<Record<string, string>> = {
  "smpp show": "SERVER_NOT_RUNNING",
  "webhook show": "WEBHOOK_NOT_FOUND",
  "backup resume": "NOTHING_RESTORED",
};

describe("a command that only reads, with the server stopped", () => {
  test("is every one that says so", async () => {
    const named = new Set(looks(await filled()).map(([noun, verb]) => `${noun} ${verb}`));
    const reading = ADMIN_COMMANDS.filter(({ does }) => does === "reads" || typeof does === "function");
    expect(named).toEqual(new Set(reading.map(({ name }) => name)));
  });

  test("leaves no trace in the data directory", async () => {
    const all = looks(await filled());
    const directory = inConfiguration(atRest());
    const before = traceOf(directory);
    for (const words of all) {
      const code = outcome(await fixture.json(...words));
      expect([words, code]).toEqual([words, REFUSED[`${words[0]} ${words[1]}`] ?? "done"]);
      expect([words, traceOf(directory)]).toEqual([words, before]);
    }
  }, 180_000);

  test("makes no data directory where there is none, and reads as of an empty one", async () => {
    expect(await fixture.json("account", "list")).toEqual({ data: { accounts: [] } });
    expect(readdirSync(dirname(fixture.data))).toEqual(["config.toml"]);
  });

  test("works on a disk that is mounted read-only, where one that changes something is refused in words", async () => {
    const there = await filled();
    const directory = atRest();
    const view = readOnlyView(directory);
    if (view === null) return;
    const before = traceOf(directory);
    inConfiguration(view);
    for (const words of [...looks(there), ["ledger", "check"], ["inbound", "list"]]) {
      const code = outcome(await fixture.json(...words));
      expect([words, code]).toEqual([words, REFUSED[`${words[0]} ${words[1]}`] ?? "done"]);
    }
    const { account, message } = there;
    for (const words of [
      ["account", "suspend", account, "--reason", "r"],
      ["wallet", "topup", account, "5", "--reference", "r2"],
      ["message", "trace", message, "--show-text"],
      ["message", "text", message, "--reason", "r"],
      ["data", "export", "05000001"],
      ["storage", "compact"],
      ["storage", "purge"],
    ]) {
      const { error } = await fixture.json(...words);
      expect([words, error?.code]).toEqual([words, "STORE_UNAVAILABLE"]);
      expect(error?.detail).toMatch(/cannot be written/);
      const { code, err } = await fixture.run(...words);
      expect(code).toBe(1);
      expect(err).not.toMatch(/\bat .*\.ts:\d/);
    }
    expect((await fixture.run("doctor")).out).toContain("read-only");
    expect((await fixture.run("config", "check")).out).toContain("read-only");
    expect(traceOf(directory)).toEqual(before);
  }, 180_000);
});

test("what a process that died left in its log is read, and without a directory that can be written it is told", async () => {
  await filled();
  const store = openStore(fixture.data, systemClock);
  const copied = join(dirname(fixture.data), "died");
  await store.write((tx) => tx.run("UPDATE accounts SET name = 'Later'"));
  const bare = join(dirname(fixture.data), "bare");
  for (const to of [copied, bare]) Bun.spawnSync(["cp", "-r", fixture.data, to]);
  rmSync(join(bare, "bendre.db-shm"));
  await store.close();
  const names = (directory: string) => {
    const found = openReadOnly(directory, systemClock);
    const accounts = found?.read.all<{ name: string }>("SELECT name FROM accounts WHERE id > 0");
    void found?.close();
    return accounts?.map(({ name }) => name);
  };
  expect(names(copied)).toEqual(["Later"]);
  const database = readFileSync(join(copied, "bendre.db"));
  const log = readFileSync(join(copied, "bendre.db-wal"));
  expect(names(copied)).toEqual(["Later"]);
  expect(readFileSync(join(copied, "bendre.db"))).toEqual(database);
  expect(readFileSync(join(copied, "bendre.db-wal"))).toEqual(log);
  const view = readOnlyView(copied);
  if (view === null) return;
  expect(names(view)).toEqual(["Later"]);
  expect(() => openReadOnly(readOnlyView(bare) ?? "", systemClock)).toThrow(
    /can only be read where the directory can be written/,
  );
});

test("whoever writes keeps readers out, and readers keep writers out", async () => {
  await filled();
  const store = openStore(fixture.data, systemClock);
  expect(() => openReadOnly(fixture.data, systemClock)).toThrow(StoreError);
  const view = readOnlyView(fixture.data);
  if (view !== null) expect(() => openReadOnly(view, systemClock)).toThrow("another bendre");
  await store.close();
  const reading = openReadOnly(fixture.data, systemClock);
  expect(() => openStore(fixture.data, systemClock)).toThrow("another bendre");
  const count = "SELECT count(*) AS n FROM accounts WHERE id > 0";
  expect(await reading?.write((tx) => tx.get<{ n: number }>(count)?.n)).toBe(1);
  await expect(reading?.write((tx) => tx.run("DELETE FROM accounts"))).rejects.toThrow(StoreError);
  await reading?.close();
});

test("a database of an older schema, or a restore that was cut off, is for a writer first", async () => {
  await filled();
  mkdirSync(join(fixture.data, "restored"));
  expect(openReadOnly(fixture.data, systemClock)).toBe(null);
  rmdirSync(join(fixture.data, "restored"));
  const db = new Database(join(fixture.data, "bendre.db"));
  db.run("PRAGMA user_version = 5");
  db.close();
  expect(openReadOnly(fixture.data, systemClock)).toBe(null);
});

describe("whoever reads texts", () => {
  const entries = async () => {
    const { data } = await fixture.json("audit", "list", "--limit", "1");
    return (data?.entries as readonly unknown[] | undefined)?.[0];
  };

  test("stands in the audit list, with the reason that was given", async () => {
    const { account, message } = await filled();
    expect((await fixture.json("message", "trace", message, "--show-text")).data?.text).toBe("Bonjour");
    expect(await entries()).toMatchObject({
      actor: "awa",
      action: "message trace",
      subject: message,
      detail: { account_id: account },
    });
    await fixture.json("message", "trace", message, "--show-text", "--reason", "a complaint");
    expect(await entries()).toMatchObject({ detail: { account_id: account, reason: "a complaint" } });
    expect(JSON.stringify(await entries())).not.toContain("Bonjour");
    expect(
      (await fixture.json("data", "export", "05000001", "--reason", "asked")).data?.messages_in_all,
    ).toBe(1);
    expect(await entries()).toMatchObject({
      action: "data export",
      detail: { messages: 1, reason: "asked" },
    });
    expect(
      (await fixture.json("message", "trace", message, "--show-text", "--reason", " ")).error?.code,
    ).toBe("INVALID_REASON");
  });

  test("and whoever does not, does not", async () => {
    const { message } = await filled();
    const before = await entries();
    await fixture.json("message", "trace", message, "--hex");
    await fixture.json("inbound", "list");
    expect(await entries()).toEqual(before);
    expect(deriveEffect("message trace", {})).toBe("reads");
  });
});
