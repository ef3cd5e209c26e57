import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { derived, settingsHolder } from "../../src/config/in-force.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { configOf, connection, document, operator } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const orange = (changes: Table = {}, link: Table = {}) => ({
  operators: { orange: operator({ prefixes: ["22670"], ...changes, connections: [connection(link)] }) },
});
const config = (tables: Table = orange()): Config => configOf(document(tables));

test("another configuration is in force from its replacement on, and is told to who listens", () => {
  const settings = settingsHolder(config());
  const heard: number[] = [];
  settings.onChange(() => heard.push(settings.now().api.burst));
  expect(settings.replace(config({ ...orange({ price: 20 }), api: { burst: 7 } }))).toEqual([]);
  expect(heard).toEqual([7]);
  expect(settings.now().operators.orange?.price).toBe(20);
});

test.each<[string, Table, string]>([
  ["the address", { ...orange(), server: { listen: "127.0.0.1:1" } }, "server.listen"],
  ["the directory", { ...orange(), storage: { directory: "/elsewhere" } }, "storage.directory"],
  ["which steps are told", { ...orange(), log: { rooms: ["sms"] } }, "log.rooms[0]"],
  ["the memory for bodies", { ...orange(), api: { max_body_bytes: 2048 } }, "api.max_body_bytes"],
  ["where a connection goes", orange({}, { port: 9 }), "operators.orange.connections[0].port"],
  [
    "how a connection spells",
    orange({}, { priority: { OTP: 3 } }),
    "operators.orange.connections[0].priority.OTP",
  ],
  [
    "an operator more",
    { operators: { ...orange().operators, moov: operator({ prefixes: ["22601"] }) } },
    "operators.moov",
  ],
])("%s cannot change while the appliance runs, and nothing else changes then", (_what, tables, key) => {
  const settings = settingsHolder(config());
  const before = settings.now();
  const heard: unknown[] = [];
  settings.onChange(() => heard.push("changed"));
  const refused = settings.replace(config({ defaults: { region: "CI" }, ...tables }));
  expect(refused).toHaveLength(1);
  expect(refused[0]).toContain(`${key} cannot change while the appliance runs: the `);
  expect(settings.now()).toBe(before);
  expect(heard).toEqual([]);
});

test("every key that does not change is told at once, and a connection's throughput may change", () => {
  const settings = settingsHolder(config());
  const tables = { ...orange({}, { host: "127.0.0.9", port: 9 }), storage: { directory: "/elsewhere" } };
  expect(settings.replace(config(tables)).map((line) => line.split(" ")[0])).toEqual([
    "operators.orange.connections[0].host",
    "operators.orange.connections[0].port",
    "storage.directory",
  ]);
  expect(settings.replace(config(orange({}, { throughput: 3 })))).toEqual([]);
});

test("what is made of a table is made again when that table changes, and only then", () => {
  const settings = settingsHolder(config());
  let made = 0;
  const burst = derived(
    () => settings.now().api,
    (api) => {
      made += 1;
      return api.burst;
    },
  );
  settings.replace(config({ ...orange(), log: { level: "error" } }));
  expect([burst(), burst(), made]).toEqual([100, 100, 1]);
  settings.replace(config({ ...orange(), api: { burst: 9 } }));
  expect([burst(), burst(), made]).toEqual([9, 9, 2]);
});

/** Changed while running by other tests: of the log, of webhooks' delays, of `GET /health`; a name is only shown. */
const ELSEWHERE = [
  ...["log.level", "webhooks.", "backup.", "console.staff_networks"],
  ...["operators.CODE.name", "retention."],
];

test("every key is changed in a running appliance, or is refused", () => {
  const scenarios = readFileSync(join(import.meta.dir, "../scenarios/settings-change.test.ts"), "utf8");
  const initial = config();
  const missing = SETTINGS.filter(({ table, key }) => {
    const path = [...table.replace("[]", ".0").replace("CODE", "orange").split("."), key];
    const refused = settingsHolder(initial).replace(changedAt(initial, path));
    const name = `${table.replace("[]", "")}.${key}`;
    const isTried = scenarios.includes(name) || (table.includes(".") && scenarios.includes(`${table}"`));
    return refused.length === 0 && !isTried && !ELSEWHERE.some((known) => name.startsWith(known));
  });
  expect(missing.map(({ table, key }) => `${table}.${key}`)).toEqual([]);
});

function changedAt<Value>(value: Value, [step, ...rest]: readonly string[]): Value {
  if (step === undefined) return "another value" as Value;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[step] = changedAt(copy[step], rest);
  return copy as Value;
}
