import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { deriveCached, settingsHolder } from "../../src/config/live-config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { type Phrase, paramsIn } from "../../src/i18n/phrase.ts";
import { configOf, connection, document, operator } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const orange = (changes: Table = {}, link: Table = {}) => ({
  operators: { orange: operator({ prefixes: ["22670"], ...changes, connections: [connection(link)] }) },
});
const keysOf = (waiting: readonly Phrase[]) =>
  waiting.map((one) => paramsIn(one, "config.change.key_waits")?.key);
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
  ["which steps are told", { ...orange(), log: { rooms: ["sms"] } }, "log.rooms"],
  ["the memory for bodies", { ...orange(), api: { max_body_bytes: 2048 } }, "api.max_body_bytes"],
  [
    "HTTPS in place of HTTP",
    { ...orange(), server: { tls_certificate: "/c.pem", tls_key: "/k.pem" } },
    "server.tls_certificate",
  ],
])("%s waits for a restart, and everything else is in force at once", (_what, tables, key) => {
  const settings = settingsHolder(config());
  const atStart = settings.now();
  const heard: string[] = [];
  settings.onChange(() => heard.push(settings.now().defaults.region));
  const waiting = settings.replace(config({ defaults: { region: "CI" }, ...tables }));
  expect(keysOf(waiting)[0]).toBe(key);
  expect(heard).toEqual(["CI"]);
  expect(settings.now()).toEqual({ ...atStart, defaults: { ...atStart.defaults, region: "CI" } });
});

test("what waits for a restart goes on waiting, whatever else changes", () => {
  const settings = settingsHolder(config());
  const tables = { ...orange(), storage: { directory: "/elsewhere" }, log: { slow_statement_ms: 9 } };
  const both = ["storage.directory", "log.slow_statement_ms"];
  expect(keysOf(settings.replace(config(tables)))).toEqual(both);
  expect(keysOf(settings.replace(config({ ...tables, api: { burst: 3 } })))).toEqual(both);
  expect(settings.now().api.burst).toBe(3);
});

test("the text of a file is that of the moment when the configuration came into force", () => {
  const settings = settingsHolder(config(), { pems: new Map([["/ca.pem", "one"]]) });
  settings.replace(config());
  expect(settings.pem("/ca.pem")).toBe("one");
  settings.replace(config(), { pems: new Map([["/ca.pem", "two"]]) });
  expect([settings.pem("/ca.pem"), settings.pem("")]).toEqual(["two", null]);
});

test("what is made of a table is made again when that table changes, and only then", () => {
  const settings = settingsHolder(config());
  let made = 0;
  const burst = deriveCached(
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

/** Changed while running by other tests: of the log, of webhooks' delays, of `GET /health`, of alarms; a name is only shown. */
const ELSEWHERE = [
  ...["log.level", "webhooks.", "backup.", "console.staff_networks", "alerts."],
  // Limits of the console: test/console/rate-limits.long.test.ts, test/console/prepared-files.test.ts and test/domain/accounts/sign-in-attempts.test.ts.
  ...[
    "console.sign_ins_",
    "console.requests_per_second",
    "console.burst",
    "console.account_",
    "console.transfers",
    "console.prepared_files",
    "console.all_prepared_files",
  ],
  ...["operators.CODE.name", "retention."],
  // Of connections: test/channels/sms/connection-profile.test.ts and test/scenarios/operators-change.test.ts.
  "operators.CODE.connections",
  // Of routes: test/scenarios/routes.test.ts.
  "operators.CODE.routes",
  // What is checked of it, and that nothing of it waits for a restart: test/config/whatsapp.test.ts.
  "whatsapp.",
  // What is checked of it: test/config/cross-faults.test.ts; each key changed: test/ingress/smpp/reload.long.test.ts.
  "smpp_server.",
];

test("every key is changed in a running appliance, or is refused", () => {
  const scenarios = readFileSync(join(import.meta.dir, "../scenarios/settings-change.long.test.ts"), "utf8");
  const wa = {
    app_secret: "s",
    verify_token: "v",
    numbers: {
      orange: {
        phone_number_id: "1",
        waba_id: "2",
        token: "t",
        price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
      },
    },
  };
  const connections = [connection({ route: "orange" })];
  const operators = { orange: operator({ routes: { orange: { order: 1, receipts: true } }, connections }) };
  const initial = config({ ...orange(), operators, whatsapp: wa });
  const missing = SETTINGS.filter(({ table, key }) => {
    const path = [...table.replace("[]", ".0").replaceAll("CODE", "orange").split("."), key];
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
