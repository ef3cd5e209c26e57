import { describe, expect, test } from "vitest";
import {
  applyWithoutRestart,
  type ConfigChange,
  configChanges,
  listSettings,
  type Whole,
} from "../../src/config/changes.ts";
import { configOf, connection, document, operator } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const orange = (changes: Table = {}, connections: readonly Table[] = [connection()]) => ({
  operators: { orange: operator({ prefixes: ["22670"], price: 15, ...changes, connections }) },
});
const whole = (tables: Table = orange(), pems: Readonly<Record<string, string>> = {}): Whole => ({
  config: configOf(document(tables)),
  pems: new Map(Object.entries(pems)),
  given: new Set(),
});
const plan = (from: Whole, to: Whole) => configChanges(from, to);
const briefly = (changes: readonly ConfigChange[]) =>
  changes.map(({ path, change, effect }) => `${change} ${path} ${effect}`);

describe("two configurations are compared key by key", () => {
  test("the same twice is no change", () => {
    expect(plan(whole(), whole())).toEqual([]);
  });

  test("a price says what it was and what it would be", () => {
    expect(plan(whole(), whole(orange({ price: 20 })))).toEqual([
      { path: "operators.orange.price", change: "changed", from: 15, to: 20, effect: "now", because: null },
    ]);
  });

  test("a price that goes is removed, one that comes is added", () => {
    const without = whole(orange({ price: undefined }));
    expect(briefly(plan(whole(), without))).toEqual(["removed operators.orange.price now"]);
    expect(briefly(plan(without, whole()))).toEqual(["added operators.orange.price now"]);
  });

  test("a list of values is one value, a table with keys of its own is told entry by entry", () => {
    const to = whole(orange({ prefixes: ["22670", "22671"], responses: { "0x45": "fail" } }));
    expect(plan(whole(), to)).toMatchObject([
      { path: "operators.orange.prefixes", from: ["22670"], to: ["22670", "22671"] },
      { path: "operators.orange.responses.0x45", change: "added", from: null, to: "fail" },
    ]);
  });

  test("what needs a restart says why, and stays as it is in what is in force", () => {
    const to = whole({
      ...orange({ price: 20 }),
      server: { listen: "127.0.0.1:9" },
      api: { max_body_bytes: 2048 },
    });
    const changes = plan(whole(), to).filter(({ effect }) => effect === "restart");
    expect(changes.map(({ path, because }) => [path, because?.code])).toEqual([
      ["server.listen", "config.waits.server_listen"],
      ["api.max_body_bytes", "config.waits.body"],
    ]);
    const inForce = applyWithoutRestart(whole().config, to.config);
    expect(inForce).toEqual(whole(orange({ price: 20 })).config);
  });
});

describe("an operator", () => {
  const two = () => ({ operators: { ...orange().operators, moov: operator({ prefixes: ["22601"] }) } });

  test("that comes or goes is one change, its secrets hidden", () => {
    const [added] = plan(whole(), whole(two()));
    expect(added).toMatchObject({ path: "operators.moov", change: "added", from: null });
    expect(JSON.stringify(added)).toContain('"password":"(hidden)"');
    expect(briefly(plan(whole(two()), whole()))[0]).toContain("removed operators.moov");
  });
});

describe("a connection", () => {
  const here = (changes: Table = {}) => connection({ host: "a.example", ...changes });
  const there = (changes: Table = {}) => connection({ host: "b.example", ...changes });

  test("is known by what it binds to, whatever stands before it", () => {
    const changes = plan(whole(orange({}, [here(), there()])), whole(orange({}, [there({ window: 9 })])));
    expect(changes.map(({ path, change }) => [path, change])).toEqual([
      ["operators.orange.connections[0].window", "changed"],
      ["operators.orange.connections[0]", "removed"],
    ]);
  });

  test("to another host is another one", () => {
    const changes = plan(whole(orange({}, [here()])), whole(orange({}, [there()])));
    expect(changes.map(({ change }) => change)).toEqual(["added", "removed"]);
  });

  test("that is alike others is one more of them", () => {
    const [change, ...more] = plan(whole(orange({}, [here()])), whole(orange({}, [here(), here()])));
    expect([change?.path, change?.change, more]).toEqual(["operators.orange.connections[1]", "added", []]);
  });

  test("tells that its password changed and not what it is", () => {
    expect(
      plan(whole(orange({}, [here()])), whole(orange({}, [here({ password: "otherword" })]))),
    ).toMatchObject([{ path: "operators.orange.connections[0].password", from: "(hidden)", to: "(hidden)" }]);
  });
});

describe("a file that the configuration names", () => {
  const named = { ...orange(), webhooks: { ca_file: "/ca.pem" } };

  test("is a change when its content is another one under the same name", () => {
    expect(plan(whole(named, { "/ca.pem": "one" }), whole(named, { "/ca.pem": "one" }))).toEqual([]);
    const [change] = plan(whole(named, { "/ca.pem": "one" }), whole(named, { "/ca.pem": "two" }));
    expect(change).toMatchObject({ path: "webhooks.ca_file", change: "changed", effect: "now" });
    expect(String(change?.from)).toMatch(/^\/ca\.pem \(SHA-256 [0-9a-f]{16}\)$/);
    expect(change?.to).not.toBe(change?.from);
  });
});

test("every setting is shown with its value, passwords hidden", () => {
  const shown = new Map(listSettings(whole().config).map(({ path, value }) => [path, value]));
  expect(shown.get("api.burst")).toBe(100);
  expect(shown.get("operators.orange.prefixes")).toEqual(["22670"]);
  expect(shown.get("operators.orange.connections[0].password")).toBe("(hidden)");
});
