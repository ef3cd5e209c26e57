import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configReload } from "../../../src/admin/operations/config-reload.ts";
import { noteConsoleFile } from "../../../src/admin/operations/console-file-record.ts";
import {
  applySettings,
  consoleSettings,
  previewSettings,
  type SettingsChange,
} from "../../../src/admin/operations/console-settings.ts";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { type SettingsHolder, settingsHolder } from "../../../src/config/live-config.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { type Phrase, paramsIn, phrase } from "../../../src/i18n/phrase.ts";
import { createConfigReloader } from "../../../src/ops/config-reloader.ts";
import { testLog } from "../../kit/test-log.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";

let fixture: AdminFixture;
let context: AdminContext;
let settings: SettingsHolder;
let directory: string;
let hand: string;

const BY_HAND = `[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "secret99"
`;

beforeEach(async () => {
  fixture = adminFixture();
  directory = fixture.context.store.directory;
  hand = join(directory, "..", `${directory.split("/").at(-1)}.toml`);
  writeFileSync(hand, `[storage]\ndirectory = "${directory}"\n${BY_HAND}`);
  const read = () => loadConfig(hand, {});
  const first = await read();
  if (!first.ok) throw new Error("the file is wrong");
  settings = settingsHolder(first.config, first);
  const source = { readConfig: (proposal = {}) => loadConfig(hand, {}, "a fault", proposal) };
  const configuration = createConfigReloader(settings, testLog(), source);
  const { server } = fixture.context;
  context = { ...fixture.context, server: server && { ...server, configuration } };
});
afterEach(async () => {
  rmSync(hand, { force: true });
  await fixture.close();
});

const CONNECTION = {
  was: null,
  host: "smsc.example.net",
  port: 2775,
  system_id: "us",
  password: "hunter2",
  bind: "transceiver",
  window: 10,
  throughput: 30,
} as const;
const MOOV = {
  kind: "operator",
  code: "moov",
  isNew: true,
  name: "Moov Africa",
  prefixes: ["60", "22661"],
  price: 12,
  receipts: true,
  connections: [CONNECTION],
} as const satisfies SettingsChange;

const view = async () => granted(await consoleSettings(context));
const path = () => join(directory, "console.toml");
const text = () => readFileSync(path(), "utf8");
const previous = () => readFileSync(`${path()}.previous`, "utf8");

/** Looks, then decides. */
async function put(change: SettingsChange) {
  const { revision } = granted(await previewSettings(context, change));
  return applySettings(context, change, revision);
}

const keysOf = (faults: readonly Phrase[]) =>
  faults.map((fault) => paramsIn(fault, "config.fault.of_key")?.key);
const audited = () =>
  context.store.read
    .all<{ action: string; detail: string }>("SELECT action, detail FROM audit_entries ORDER BY id")
    .filter(({ action }) => action.startsWith("settings"));

describe("an operator", () => {
  test("is shown as a difference, then written, in force and recorded, and its password is in no clear text", async () => {
    const seen = granted(await previewSettings(context, MOOV));
    expect(seen).toMatchObject({
      faults: [],
      changes: [{ path: "operators.moov", change: "added", effect: "now", to: { price: 12 } }],
    });
    expect(existsSync(path())).toBe(false);
    expect(existsSync(join(directory, "console-passwords.key"))).toBe(false);
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);

    const done = granted(await applySettings(context, MOOV, seen.revision));
    expect(done.changes.map((one) => one.path)).toEqual(["operators.moov"]);
    expect(settings.now().operators.moov).toMatchObject({
      name: "Moov Africa",
      prefixes: ["22660", "22661"],
      connections: [{ password: "hunter2" }],
    });
    expect(text()).not.toContain("hunter2");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.endsWith(".new"))).toEqual([]);
    const [entry] = audited();
    expect(entry?.action).toBe("settings change");
    expect(JSON.parse(entry?.detail ?? "{}")).toMatchObject({ changed: ["operators.moov"] });
    expect(entry?.detail).not.toContain("hunter2");
    expect(JSON.stringify(await view())).not.toContain("hunter2");
    // The file alone says the same to the next start.
    const next = await loadConfig(hand, {});
    expect(next.ok && next.config).toEqual(settings.now());
  });

  test("keeps its password and what the form does not show when it is changed", async () => {
    granted(await put(MOOV));
    writeFileSync(path(), text().replace("host = ", 'default_alphabet = "latin1"\nhost = '));
    const second = { ...CONNECTION, host: "second.example.net", password: "other99" };
    const kept = { ...CONNECTION, was: 0, password: null, window: 20 };
    const change = { ...MOOV, isNew: false, price: null, connections: [second, kept] } as const;
    const done = granted(await put(change));
    expect(done.changes.map((one) => one.path)).toContain("operators.moov.price");
    expect(settings.now().operators.moov).toMatchObject({
      connections: [
        { host: "second.example.net", password: "other99", default_alphabet: "gsm" },
        { host: "smsc.example.net", password: "hunter2", window: 20, default_alphabet: "latin1" },
      ],
    });
    expect(settings.now().operators.moov?.price).toBeUndefined();
  });

  test("keeps a connection to another Bendre, of which the form shows pace and window alone", async () => {
    granted(await put({ ...MOOV, connections: [CONNECTION, CONNECTION] }));
    const sealed = /sealed:[^"]+/.exec(text())?.[0];
    const partner = `kind = "bendre"
url = "https://sms.partner.example/public/v1"
api_key = "${sealed}"
window = 10
`;
    const [operator = "", first = ""] = text().split(/(?=\[\[operators\.moov\.connections\]\])/);
    writeFileSync(path(), `${operator}${first}[[operators.moov.connections]]\n${partner}`);
    const [, shown] = (await view()).operators.find(({ code }) => code === "moov")?.connections ?? [];
    expect(shown).toMatchObject({
      url: "https://sms.partner.example/public/v1",
      host: "sms.partner.example",
    });
    const kept = { ...CONNECTION, was: 0, password: null };
    const changed = { ...CONNECTION, was: 1, password: null, window: 25, host: "elsewhere.example" };
    granted(await put({ ...MOOV, isNew: false, connections: [kept, changed] }));
    expect(settings.now().operators.moov?.connections[1]).toMatchObject({
      kind: "bendre",
      url: "https://sms.partner.example/public/v1",
      host: "sms.partner.example",
      api_key: "hunter2",
      window: 25,
    });
  });

  test("is taken away, with what waits for it told before", async () => {
    granted(await put(MOOV));
    const seen = granted(await previewSettings(context, { kind: "remove", code: "moov" }));
    expect(seen.changes).toMatchObject([{ path: "operators.moov", change: "removed", waiting: 0 }]);
    granted(await put({ kind: "remove", code: "moov" }));
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
  });

  test("has its faults at the keys of its fields, by the rules of the file by hand, and nothing is written", async () => {
    const bad = {
      ...MOOV,
      prefixes: ["x"],
      price: -1,
      connections: [{ ...CONNECTION, host: "h:2775", window: 0, password: "é" }],
    };
    const { faults, changes } = granted(await previewSettings(context, bad));
    expect(new Set(keysOf(faults))).toEqual(
      new Set([
        "operators.moov.prefixes[0]",
        "operators.moov.price",
        ...["host", "window", "password"].map((key) => `operators.moov.connections[0].${key}`),
      ]),
    );
    expect(changes).toEqual([]);
    const refused = await put(bad);
    expect(!refused.ok && refused.refusal.code).toBe("CONFIG_INVALID");
    expect(existsSync(path())).toBe(false);
    expect(audited()).toEqual([]);
  });

  test("is a new one only under a code and prefixes that are free", async () => {
    const known = granted(await previewSettings(context, { ...MOOV, code: "orange" }));
    expect(keysOf(known.faults)).toEqual(["operators.orange"]);
    const taken = granted(await previewSettings(context, { ...MOOV, prefixes: ["05"] }));
    expect(keysOf(taken.faults)).toEqual(["operators.moov.prefixes[0]"]);
  });

  test("of the file by hand is changed there alone, and its line is told", async () => {
    expect((await view()).operators).toMatchObject([{ code: "orange", in: "file", line: 3 }]);
    for (const change of [
      { ...MOOV, code: "orange", isNew: false },
      { kind: "remove", code: "orange" } as const,
    ]) {
      const refused = await previewSettings(context, change);
      expect(!refused.ok && refused.refusal.detail).toEqual(
        phrase("refusal.SETTING_BY_HAND", { key: "operators.orange", place: `${hand}:3` }),
      );
    }
    granted(await put(MOOV));
    writeFileSync(
      hand,
      readFileSync(hand, "utf8") + BY_HAND.replace("22605", "22660").replaceAll("orange", "moov"),
    );
    const { connections, ...moov } = { ...MOOV, isNew: false };
    const [inBoth] = [connections.map((one) => ({ ...one, was: 0, password: null }))];
    for (const change of [
      { ...moov, connections: inBoth } as const,
      { kind: "remove", code: "moov" } as const,
    ]) {
      const refused = await previewSettings(context, change);
      expect(!refused.ok && refused.refusal.detail).toEqual(
        phrase("refusal.SETTING_BY_HAND", { key: "operators.moov", place: `${hand}:10` }),
      );
    }
    const unknown = await previewSettings(context, { kind: "remove", code: "telecel" });
    expect(!unknown.ok && unknown.refusal.code).toBe("OPERATOR_UNKNOWN");
  });
});

describe("a further route", () => {
  const { was: _, ...LINK } = CONNECTION;
  const YIELDS = { OTP: 2, TRANSACTIONAL: 30, MARKETING: 600 };
  const ROUTE = {
    cost: null,
    classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
    yield_seconds: YIELDS,
    reroute_on: [],
  } as const;
  const DIRECT = { ...ROUTE, name: "direct", order: 1, cost: "9", reroute_on: ["0x45"] } as const;
  const AGG = {
    ...ROUTE,
    name: "agg",
    order: 2,
    cost: "11.5",
    classes: ["OTP", "TRANSACTIONAL"],
    yield_seconds: { ...YIELDS, OTP: 5 },
  } as const;
  const second = {
    kind: "route",
    code: "moov",
    first: DIRECT,
    route: AGG,
    connections: [{ ...LINK, host: "agg.example.net", password: "calabash" }],
  } as const satisfies SettingsChange;

  test("makes a route of the connections that there are, and is taken back with one press", async () => {
    granted(await put({ ...MOOV, connections: [CONNECTION, { ...CONNECTION, port: 2776 }] }));
    const before = text();
    const seen = granted(await previewSettings(context, second));
    expect(seen.faults).toEqual([]);
    expect(text()).toBe(before);
    granted(await applySettings(context, second, seen.revision));
    expect(settings.now().operators.moov).toMatchObject({
      name: "Moov Africa",
      price: 12,
      routes: {
        direct: { order: 1, cost: "9", reroute_on: ["0x45"] },
        agg: { order: 2, cost: "11.5", classes: ["OTP", "TRANSACTIONAL"], yield_seconds: { OTP: 5 } },
      },
      connections: [
        { route: "direct", port: 2775, password: "hunter2" },
        { route: "direct", port: 2776, password: "hunter2" },
        { route: "agg", host: "agg.example.net", password: "calabash" },
      ],
    });
    expect(text()).not.toMatch(/calabash|MARKETING = 600\nOTP/);
    // What is so by default is left to be so.
    expect(text().match(/^\[operators\.moov\.routes\.direct\]\n((?:\w.*\n)*)/m)?.[1]).toBe(
      'order = 1\ncost = "9"\nreroute_on = ["0x45"]\n',
    );
    expect(audited().at(-1)?.action).toBe("settings change");
    expect((await view()).operators.find(({ code }) => code === "moov")).toMatchObject({
      routes: [
        { name: "direct", order: 1 },
        { name: "agg", order: 2 },
      ],
      connections: [{ route: "direct" }, { route: "direct" }, { route: "agg" }],
    });
    granted(await put({ kind: "undo" }));
    expect(settings.now().operators.moov?.routes).toEqual({});
    expect(text()).toBe(before);
  });

  test("is a third one where there are two, and a connection that is added later may be of any", async () => {
    granted(await put(MOOV));
    granted(await put(second));
    const third = { ...second, first: null, route: { ...AGG, name: "spare", order: 3 } } as const;
    granted(await put(third));
    const { routes, connections } = settings.now().operators.moov!;
    expect(Object.keys(routes)).toEqual(["direct", "agg", "spare"]);
    expect(connections.map(({ route }) => route)).toEqual(["direct", "agg", "spare"]);
    const kept = connections.map((_, was) => ({ ...CONNECTION, was, password: null }));
    const more = { ...CONNECTION, host: "more.example.net", route: "agg" };
    granted(await put({ ...MOOV, isNew: false, connections: [...kept, more] }));
    expect(settings.now().operators.moov?.connections.map(({ route }) => route)).toEqual([
      ...["direct", "agg", "spare", "agg"],
    ]);
  });

  test("has its faults at the keys of its fields, and nothing is written", async () => {
    granted(await put(MOOV));
    const before = text();
    const wrong = {
      ...second,
      first: { ...DIRECT, order: 0 },
      route: { ...AGG, cost: "11,5", classes: [], yield_seconds: { ...YIELDS, OTP: -1 }, reroute_on: ["45"] },
      connections: [{ ...LINK, host: "" }],
    } as const;
    expect(keysOf(granted(await previewSettings(context, wrong)).faults).sort()).toEqual(
      [
        "connections[1].host",
        ...["agg.classes", "agg.cost", "agg.reroute_on[0]", "agg.yield_seconds.OTP", "direct.order"].map(
          (key) => `routes.${key}`,
        ),
      ].map((key) => `operators.moov.${key}`),
    );
    const same = { ...second, route: { ...AGG, name: "direct" } };
    expect(keysOf(granted(await previewSettings(context, same)).faults)).toEqual([
      "operators.moov.routes.direct",
    ]);
    const receiver = { ...second, connections: [{ ...LINK, bind: "receiver" }] } as const;
    expect(keysOf(granted(await previewSettings(context, receiver)).faults)).toEqual([
      "operators.moov.routes.agg",
    ]);
    expect(text()).toBe(before);
  });

  test("is refused of the file by hand, with its line, and where somebody else was quicker", async () => {
    expect(await previewSettings(context, { ...second, code: "orange" })).toMatchObject({
      refusal: { code: "SETTING_BY_HAND" },
    });
    expect(await previewSettings(context, second)).toMatchObject({ refusal: { code: "OPERATOR_UNKNOWN" } });
    granted(await put(MOOV));
    expect(await previewSettings(context, { ...second, first: null })).toMatchObject({
      refusal: { code: "SETTINGS_CHANGED" },
    });
    granted(await put(second));
    expect(await previewSettings(context, { ...second, route: { ...AGG, name: "spare" } })).toMatchObject({
      refusal: { code: "SETTINGS_CHANGED" },
    });
  });
});

describe("single settings", () => {
  const VALUES = {
    "server.public_url": "https://sms.example.bf",
    "seller.name": "Faso SMS",
    "seller.address": ["01 BP 1"],
    "alerts.email": ["ops@example.bf"],
    "alerts.smtp.host": "mail.example.bf",
    "alerts.smtp.from": "bendre@example.bf",
    "alerts.smtp.user": "bendre",
    "alerts.smtp.password": "hunter2",
  };

  test("are written, kept where they are left out, and leave the file with their default", async () => {
    granted(await put({ kind: "keys", values: VALUES }));
    expect(settings.now()).toMatchObject({
      server: { public_url: "https://sms.example.bf" },
      seller: { name: "Faso SMS", address: ["01 BP 1"], tax_numbers: [] },
      alerts: { email: ["ops@example.bf"], smtp: { port: 587, password: "hunter2" } },
    });
    const { keys } = await view();
    expect(keys.find(({ key }) => key === "alerts.smtp.password")).toMatchObject({
      in: "console",
      value: null,
      is_set: true,
    });
    expect(keys.find(({ key }) => key === "seller.tax_numbers")).toMatchObject({ in: "default", value: [] });
    granted(await put({ kind: "keys", values: { "seller.name": "Autre", "server.public_url": "" } }));
    expect(settings.now().alerts.smtp.password).toBe("hunter2");
    expect(settings.now().server.public_url).toBe("");
    expect(text()).not.toContain("public_url");
  });

  test("that stand in the file by hand are changed there alone", async () => {
    writeFileSync(hand, `[seller]\nname = "By hand"\n[storage]\ndirectory = "${directory}"\n${BY_HAND}`);
    const { keys } = await view();
    expect(keys.find(({ key }) => key === "seller.name")).toMatchObject({ in: "file", line: 2 });
    const refused = await previewSettings(context, { kind: "keys", values: { "seller.name": "x" } });
    expect(!refused.ok && refused.refusal.code).toBe("SETTING_BY_HAND");
  });

  test("that miss what they need are told at the key that is missing", async () => {
    const { faults } = granted(
      await previewSettings(context, { kind: "keys", values: { "alerts.email": ["ops@example.bf"] } }),
    );
    expect(keysOf(faults)).toEqual(["alerts.smtp.host", "alerts.smtp.from"]);
  });
});

describe("undoing", () => {
  test("puts back what was before the last change, and again what was undone", async () => {
    expect((await view()).can_undo).toBe(false);
    const nothing = await previewSettings(context, { kind: "undo" });
    expect(!nothing.ok && nothing.refusal.code).toBe("NOTHING_TO_UNDO");
    granted(await put(MOOV));
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    expect((await view()).can_undo).toBe(true);
    const seen = granted(await previewSettings(context, { kind: "undo" }));
    expect(seen.changes).toMatchObject([{ path: "seller.name", from: "Faso SMS", to: "" }]);
    granted(await put({ kind: "undo" }));
    expect(settings.now().seller.name).toBe("");
    expect(settings.now().operators.moov?.connections[0]?.password).toBe("hunter2");
    granted(await put({ kind: "undo" }));
    expect(settings.now().seller.name).toBe("Faso SMS");
    expect(audited().map(({ action }) => action)).toEqual([
      "settings change",
      "settings change",
      "settings undo",
      "settings undo",
    ]);
  });

  test("needs nothing but the file before: it ends what is wrong with the present one", async () => {
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    granted(await put(MOOV));
    writeFileSync(path(), Buffer.concat([Buffer.from("name = = "), Buffer.of(0xff)]));
    const { faults, can_undo } = await view();
    expect([faults.length, can_undo]).toEqual([1, true]);
    granted(await put({ kind: "undo" }));
    expect(settings.now()).toMatchObject({ seller: { name: "Faso SMS" } });
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
    expect((await view()).can_undo).toBe(false);
  });

  test("is left as it was by a change that changes nothing, a typed password that is the same too", async () => {
    granted(await put(MOOV));
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    const before = [text(), previous(), audited().length];
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    const { connections, ...moov } = { ...MOOV, isNew: false, prefixes: ["22660", "22661"] };
    for (const password of [null, "hunter2"]) {
      granted(await put({ ...moov, connections: connections.map((one) => ({ ...one, was: 0, password })) }));
    }
    expect([text(), previous(), audited().length]).toEqual(before);
    granted(await put({ kind: "undo" }));
    expect(settings.now().seller.name).toBe("");
  });

  test("takes no password that was typed into the file", async () => {
    granted(await put(MOOV));
    writeFileSync(`${path()}.previous`, '[alerts.smtp]\npassword = "plain:hunter2"\n');
    const refused = await previewSettings(context, { kind: "undo" });
    expect(!refused.ok && refused.refusal.code).toBe("NOTHING_TO_UNDO");
    expect((await view()).can_undo).toBe(false);
  });

  test("of the first change leaves nothing", async () => {
    granted(await put(MOOV));
    granted(await put({ kind: "undo" }));
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
  });
});

describe("a file that no entry tells of", () => {
  const found = () =>
    context.store.read.all("SELECT actor, subject FROM audit_entries WHERE action = 'settings found'");
  const note = () => context.store.write((tx) => noteConsoleFile(tx, directory, 1));

  test("is recorded once, by a start, a reload or the next change", async () => {
    await note();
    granted(await put(MOOV));
    granted(await put({ kind: "undo" }));
    await note();
    granted(await configReload(context));
    expect(found()).toEqual([]);
    const changes = [note, () => configReload(context), () => put({ ...MOOV, code: "telecel" })];
    for (const [index, next] of changes.entries()) {
      writeFileSync(path(), `${text()}# edited\n`);
      await next();
      await note();
      expect(found()).toEqual(Array(index + 1).fill({ actor: "bendre", subject: path() }));
    }
    expect(audited().at(-1)?.action).toBe("settings change");
    rmSync(path());
    await note();
    await note();
    expect(found()).toHaveLength(4);
  });

  test("is one that a process left behind that died before it recorded the change", async () => {
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    const { revision } = granted(await previewSettings(context, MOOV));
    let left = "";
    const store = {
      ...context.store,
      write: ((work: (tx: never) => unknown) =>
        context.store.write((tx) => {
          work(tx as never);
          left = text();
          throw new Error("killed");
        })) as typeof context.store.write,
    };
    await expect(applySettings({ ...context, store }, MOOV, revision)).rejects.toThrow("killed");
    writeFileSync(path(), left);
    await note();
    expect(found()).toHaveLength(1);
  });
});

describe("a change", () => {
  test("is refused where somebody else made one since it was looked at", async () => {
    const { revision } = granted(await previewSettings(context, MOOV));
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    const late = await applySettings(context, MOOV, revision);
    expect(!late.ok && late.refusal.code).toBe("SETTINGS_CHANGED");
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
  });

  test("is refused where the file by hand was edited since it was looked at", async () => {
    const { revision } = granted(await previewSettings(context, MOOV));
    writeFileSync(hand, readFileSync(hand, "utf8").replace("price = 15", "price = 1"));
    const late = await applySettings(context, MOOV, revision);
    expect(!late.ok && late.refusal.code).toBe("SETTINGS_CHANGED");
    expect([existsSync(path()), settings.now().operators.orange?.price]).toEqual([false, 15]);
    const seen = granted(await previewSettings(context, MOOV));
    expect(seen.changes.map((one) => one.path)).toEqual(["operators.orange.price", "operators.moov"]);
    granted(await applySettings(context, MOOV, seen.revision));
    expect(settings.now().operators.orange?.price).toBe(1);
  });

  test("is refused while the file by hand is wrong, and the view says what is", async () => {
    writeFileSync(hand, "nonsense = 1\n");
    const shown = await view();
    expect([keysOf(shown.faults), shown.operators]).toEqual([["nonsense"], []]);
    const refused = await previewSettings(context, MOOV);
    expect(!refused.ok && refused.refusal.code).toBe("CONFIG_INVALID");
  });

  test("that cannot be written changes nothing, and is not recorded", async () => {
    // A directory in the place of a file stands in for a disk that refuses.
    mkdirSync(join(directory, "console.toml.previous"));
    const seen = granted(await previewSettings(context, MOOV));
    const refused = await applySettings(context, MOOV, seen.revision);
    expect(!refused.ok && refused.refusal.code).toBe("FILE_UNWRITABLE");
    expect(existsSync(path())).toBe(false);
    expect(audited()).toEqual([]);
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
  });

  test("that the database does not take is not in the file either", async () => {
    granted(await put({ kind: "keys", values: { "seller.name": "Faso SMS" } }));
    granted(await put({ kind: "keys", values: { "seller.name": "Autre" } }));
    const before = [text(), previous()];
    const seen = granted(await previewSettings(context, MOOV));
    const store = {
      ...context.store,
      write: ((work: (tx: never) => unknown) =>
        context.store.write((tx) => {
          work(tx as never);
          throw new Error("the disk is gone");
        })) as typeof context.store.write,
    };
    await expect(applySettings({ ...context, store }, MOOV, seen.revision)).rejects.toThrow(
      "the disk is gone",
    );
    expect([text(), previous()]).toEqual(before);
    expect(Object.keys(settings.now().operators)).toEqual(["orange"]);
  });
});
