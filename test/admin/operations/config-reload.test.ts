import { afterEach, beforeEach, expect, test } from "vitest";
import { configDiff, configShow } from "../../../src/admin/operations/config-reload.ts";
import { listSettings } from "../../../src/config/changes.ts";
import type { Config, OperatorConfig } from "../../../src/config/config.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";
import { adminFixture, granted, noConfiguration } from "./fixture.ts";

let whole: Stage;
let atStart: Config;
beforeEach(async () => {
  whole = await stage();
  atStart = whole.settings.now();
});
afterEach(() => whole.close());

const withOrange = (keys: Partial<OperatorConfig>, config = atStart): Config => {
  const { orange } = config.operators;
  return orange ? { ...config, operators: { orange: { ...orange, ...keys } } } : config;
};
const pathsIn = (rows: unknown) => (rows as { path: string }[]).map(({ path }) => path);
const audited = async () => {
  const { entries } = (await whole.admin("audit list")) as { entries: Record<string, unknown>[] };
  return entries.filter(({ action }) => action === "config reload");
};
const dearer = () => ({ ...withOrange({ price: 20 }), server: { ...atStart.server, listen: "127.0.0.1:1" } });

test("a reload puts in force what it can, names what waits for a restart, and is recorded", async () => {
  whole.write(dearer());
  const done = await whole.admin("config reload");
  expect([pathsIn(done.changes), pathsIn(done.restart)]).toEqual([
    ["operators.orange.price"],
    ["server.listen"],
  ]);
  expect(done.restart).toMatchObject([
    { consequence: phrase("config.change.waits", { because: phrase("config.waits.server_listen") }) },
  ]);
  expect(whole.settings.now()).toEqual(withOrange({ price: 20 }));
  expect(await audited()).toMatchObject([
    {
      actor: "test",
      subject: "config.toml",
      detail: { changed: ["operators.orange.price"], restart: ["server.listen"] },
    },
  ]);
  expect(pathsIn((await whole.admin("config reload")).restart)).toEqual(["server.listen"]);
  expect(await audited()).toHaveLength(1);
});

test("a difference is shown before it is made, and changes nothing", async () => {
  whole.write(dearer());
  const { server, changes } = await whole.admin("config diff");
  expect([server, pathsIn(changes)]).toEqual(["running", ["server.listen", "operators.orange.price"]]);
  expect((changes as unknown[])[1]).toMatchObject({
    change: "changed",
    from: 15,
    to: 20,
    effect: "now",
    waiting: 0,
    consequence: phrase("config.change.price"),
  });
  expect(whole.settings.now()).toBe(atStart);
  expect(await audited()).toEqual([]);
});

test("a file with a fault changes nothing, and says why", async () => {
  whole.write(["config.toml:3: api.burst: found 0, expected a whole number"]);
  for (const command of ["config diff", "config reload"]) {
    expect(await whole.refusal(command)).toEqual({
      code: "CONFIG_INVALID",
      detail: phrase("refusal.CONFIG_INVALID.unchanged", {
        faults: [said("config.toml:3: api.burst: found 0, expected a whole number")],
      }),
    });
  }
  expect(whole.settings.now()).toBe(atStart);
});

test("SIGHUP does what the command does, and logs what that prints", async () => {
  whole.write(dearer());
  whole.hangUp();
  while ((await audited()).length === 0) await whole.clock.advance(1);
  expect(await audited()).toMatchObject([{ actor: "SIGHUP" }]);
  expect(whole.settings.now().operators.orange?.price).toBe(20);
  const told = whole.log().filter(({ message }) => message.includes("configuration"));
  expect(told).toMatchObject([
    { level: "info", message: "configuration reloaded", changes: 1, restart: 1 },
    { level: "info", message: "configuration changed", path: "operators.orange.price", from: "15", to: "20" },
    { level: "warn", path: "server.listen", to: '"127.0.0.1:1"' },
  ]);
});

test("several at once are done one after the other: the last file counts", async () => {
  whole.write(withOrange({ price: 20 }));
  const first = whole.admin("config reload");
  const second = whole.admin("config reload");
  expect(pathsIn((await first).changes)).toEqual(["operators.orange.price"]);
  expect(pathsIn((await second).changes)).toEqual([]);
});

test("what is in force is shown whole, with defaults marked and passwords hidden", async () => {
  const { server, settings } = await whole.admin("config show");
  expect([server, pathsIn(settings)]).toEqual(["running", listSettings(atStart).map(({ path }) => path)]);
  expect(JSON.stringify(settings)).not.toContain("hunter2");
  const fixture = adminFixture();
  const file = { pems: new Map(), given: new Set(["operators.orange.price"]) };
  const rows = configShow({ ...fixture.context, server: null, file }).settings;
  const defaults = new Map(rows.map(({ path, is_default }) => [path, is_default]));
  expect([defaults.get("operators.orange.price"), defaults.get("api.burst")]).toEqual([false, true]);
  await fixture.close();
});

test("without a server the difference is that of operators since the last one, and nothing can be reloaded", async () => {
  const fixture = adminFixture();
  const context = { ...fixture.context, server: null };
  const { server, changes } = granted(await configDiff(context));
  expect(server).toBe("not running");
  expect(changes).toMatchObject([
    {
      path: "operators.orange",
      change: "added",
      effect: "restart",
      because: phrase("config.waits.no_server"),
    },
    { path: "operators.moov", change: "added" },
  ]);
  await fixture.close();
});

test("of an operator that is added it is told which keys the file leaves out", async () => {
  const fixture = adminFixture();
  const { config, server } = fixture.context;
  const { orange } = config.operators;
  const next = { ...config, operators: orange ? { ...config.operators, telecel: orange } : {} };
  const given = new Set(["operators.telecel.prefixes", "operators.telecel.connections[0].host"]);
  const pems = new Map<string, string>();
  const context = {
    ...fixture.context,
    server: server && {
      ...server,
      configuration: {
        ...noConfiguration,
        inForce: () => ({ config, pems, given: new Set<string>() }),
        read: async () => ({ ok: true, path: "config.toml", config: next, pems, given, unset: [] }) as const,
      },
    },
  };
  const [added, ...others] = granted(await configDiff(context)).changes;
  expect(others).toEqual([]);
  expect(added?.path).toBe("operators.telecel");
  expect(added?.defaults).toEqual(expect.arrayContaining(["price", "connections[0].window"]));
  expect(added?.defaults).not.toContain("prefixes");
  expect(added?.defaults).not.toContain("connections[0].host");
  await fixture.close();
});
