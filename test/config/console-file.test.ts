import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainSecret, renderConsoleFile, sealSecrets } from "../../src/config/console-file.ts";
import { type LoadedConfig, loadConfig } from "../../src/config/load-config.ts";
import { parseToml } from "../../src/config/toml.ts";
import { SEAL_KEY_OCTETS, sealText } from "../../src/core/sealed.ts";
import { type Phrase, paramsIn, phrase } from "../../src/i18n/phrase.ts";

let root: string;
let hand: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bendre-console-file-"));
  hand = join(root, "config.toml");
  data = join(root, "data");
  mkdirSync(data);
});
afterEach(() => rmSync(root, { recursive: true }));

const KEY = new Uint8Array(SEAL_KEY_OCTETS).fill(7);
const MOOV = {
  name: "Moov",
  prefixes: ["22660"],
  price: 12,
  receipts: true,
  connections: [
    {
      host: "smsc.example.net",
      system_id: "us",
      password: plainSecret(`h\${n"ter2`),
      window: 4,
      priority: { OTP: 2 },
    },
  ],
};

/** Writes what the console would, its passwords sealed with a key beside it. */
function keep(document: object, key: Uint8Array | null = KEY): void {
  const sealed = sealSecrets({ ...document }, (plain, label) =>
    sealText(KEY, new Uint8Array(12), plain, label),
  );
  writeFileSync(join(data, "console.toml"), renderConsoleFile(sealed));
  if (key) writeFileSync(join(data, "console-passwords.key"), key);
}

async function load(byHand: string | null) {
  if (byHand !== null) writeFileSync(hand, byHand);
  return loadConfig(hand, { SECRET: "of the environment" }, "a fault", {}, "an empty file");
}

function faultsOf(loaded: LoadedConfig): readonly Phrase[] {
  return loaded.ok ? [] : loaded.faults;
}

function placesIn(loaded: LoadedConfig): unknown[] {
  return faultsOf(loaded).map((fault) => {
    const told = paramsIn(fault, "config.fault.of_key");
    return told && [String(told.place).slice(root.length + 1), told.key];
  });
}

describe("what the console keeps", () => {
  test("counts beside the file by hand, also without one, its passwords opened", async () => {
    keep({
      server: { public_url: "https://sms.bf" },
      alerts: { sms: ["+22670000000"] },
      operators: { moov: MOOV },
    });
    for (const byHand of [
      null,
      '[api]\nburst = 7\n[operators.orange]\nprefixes = ["22605"]\n[[operators.orange.connections]]\nhost = "h"\nsystem_id = "s"\npassword = "p"\n',
    ]) {
      const loaded = await load(byHand);
      expect(faultsOf(loaded)).toEqual([]);
      expect(loaded).toMatchObject({
        config: {
          server: { public_url: "https://sms.bf" },
          alerts: { sms: ["+22670000000"] },
          operators: {
            moov: {
              price: 12,
              connections: [
                { password: `h\${n"ter2`, window: 4, port: 2775, priority: { OTP: 2, MARKETING: 0 } },
              ],
            },
          },
        },
        console: { path: join(data, "console.toml"), shadowed: [] },
      });
      expect(loaded.ok && loaded.ofConsole?.has("operators.moov.price")).toBe(true);
      expect(loaded.ok && Object.keys(loaded.config.operators)).toEqual(
        byHand === null ? ["moov"] : ["orange", "moov"],
      );
    }
  });

  test("is a text that holds no password", () => {
    keep({ operators: { moov: MOOV } });
    const sealed = sealSecrets({ operators: { moov: MOOV } }, (plain, label) =>
      sealText(KEY, new Uint8Array(12), plain, label),
    );
    const text = renderConsoleFile(sealed);
    expect(text).not.toContain("ter2");
    expect(parseToml(text)).toEqual({ ok: true, document: sealed });
  });

  test("is no text of the environment's: nothing in it is read from there", async () => {
    keep({ seller: { name: `\${SECRET}` } });
    expect(await load("")).toMatchObject({ config: { seller: { name: `\${SECRET}` } } });
  });

  test("gives way to the file by hand, key by key and operator by operator", async () => {
    keep({
      seller: { name: "Kept", address: ["Ouaga"] },
      alerts: { smtp: { host: "mail.bf", from: "a@b.bf" } },
      operators: { moov: MOOV, telecel: { ...MOOV, prefixes: ["22658"] } },
    });
    const byHand = `[seller]\nname = "By hand"\n[operators.moov]\nprefixes = ["22661"]\n[[operators.moov.connections]]\nhost = "h"\nsystem_id = "s"\npassword = "p"\n`;
    const loaded = await load(byHand);
    expect(loaded).toMatchObject({
      config: {
        seller: { name: "By hand", address: ["Ouaga"] },
        alerts: { smtp: { host: "mail.bf", from: "a@b.bf" } },
        operators: { moov: { prefixes: ["22661"], name: "moov" }, telecel: { prefixes: ["22658"] } },
      },
      console: {
        shadowed: [
          { key: "operators.moov", line: 3, consoleLine: 11 },
          { key: "seller.name", line: 2, consoleLine: 4 },
        ],
      },
    });
  });
});

describe("a file of the console that is not right", () => {
  test("stops the start with its own name and line", async () => {
    writeFileSync(join(data, "console.toml"), '[seller]\nname = "open\n');
    const broken = faultsOf(await load(""))[0];
    const told = broken && paramsIn(broken, "config.no_toml.quoted");
    expect([String(told?.place).slice(root.length + 1), told?.why.code]).toEqual([
      "data/console.toml:2:8",
      "config.toml.open_basic_string",
    ]);
    writeFileSync(join(data, "console.toml"), Buffer.from('[seller]\nname = "Société"\n', "latin1"));
    expect(faultsOf(await load(""))).toHaveLength(1);
  });

  test("may hold what the console writes and nothing else", async () => {
    writeFileSync(
      join(data, "console.toml"),
      '[server]\nlisten = "0.0.0.0:80"\n\n[storage]\ndirectory = "x"\n',
    );
    const loaded = await load("");
    expect(placesIn(loaded)).toEqual([
      ["data/console.toml:2", "server.listen"],
      ["data/console.toml:5", "storage.directory"],
    ]);
  });

  test("is held to the same rules as the file by hand, each fault where it stands", async () => {
    keep({ server: { public_url: "sms.bf/x" }, operators: { moov: { ...MOOV, price: -1 } } });
    expect(placesIn(await load("[api]\nburst = 0\n"))).toEqual([
      ["config.toml:2", "api.burst"],
      ["data/console.toml:4", "server.public_url"],
      ["data/console.toml:9", "operators.moov.price"],
    ]);
  });

  test("does not start with a prefix that the file by hand has too: both places are told", async () => {
    keep({ operators: { moov: MOOV } });
    const byHand = `[operators.orange]\nprefixes = ["22660"]\n[[operators.orange.connections]]\nhost = "h"\nsystem_id = "s"\npassword = "p"\n`;
    expect(placesIn(await load(byHand))).toEqual([["data/console.toml:5", "operators.moov.prefixes[0]"]]);
  });

  test("has no password in clear, and none that its key does not open", async () => {
    writeFileSync(join(data, "console.toml"), '[alerts.smtp]\npassword = "hunter2"\n');
    const [clear] = faultsOf(await load(""));
    expect(clear && paramsIn(clear, "config.fault.of_key")).toMatchObject({
      key: "alerts.smtp.password",
      expected: phrase("config.expects.sealed"),
    });
    expect(JSON.stringify(clear)).not.toContain("hunter2");
    writeFileSync(join(data, "console.toml"), '[alerts.smtp]\npassword = "plain:hunter2"\n');
    expect(placesIn(await load(""))).toEqual([["data/console.toml:2", "alerts.smtp.password"]]);
    keep({ operators: { moov: MOOV } }, new Uint8Array(SEAL_KEY_OCTETS));
    expect(placesIn(await load(""))).toEqual([
      ["data/console.toml:12", "operators.moov.connections[0].password"],
    ]);
    rmSync(join(data, "console-passwords.key"));
    expect(placesIn(await load(""))).toHaveLength(1);
  });

  test("needs no key for commands that use no password", async () => {
    keep({ operators: { moov: MOOV } }, null);
    const loaded = await loadConfig(hand, {}, "a fault but for secrets", {}, "an empty file");
    expect(loaded.ok && Object.keys(loaded.config.operators)).toEqual(["moov"]);
  });

  test("is no directory", async () => {
    mkdirSync(join(data, "console.toml"));
    expect(faultsOf(await load(""))).toHaveLength(1);
  });
});
