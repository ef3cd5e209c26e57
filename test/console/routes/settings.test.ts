/** What the console writes of the configuration, over real HTTP: by the owner alone, with the second factor, looked at before it is put in force. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { ROLES } from "../../../src/domain/accounts/roles.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type Browser, type ConsoleFixture, consoleFixture } from "../fixture.ts";

const BY_HAND = `[storage]
directory = "DIRECTORY"
[seller]
name = "By hand"
[operators.orange]
prefixes = ["22605"]
[[operators.orange.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "secret99"
`;

let place: ConsoleFixture;
let owner: Browser;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()), byHand: BY_HAND });
  const person = await place.person("owner@example.bf", "OWNER");
  owner = await place.signedIn(person);
  await owner.post("/confirm", { code: await place.nextCode(person) });
});
afterEach(() => place.close());

const TELECEL = {
  code: "Telecel",
  is_new: true,
  name: "Telecel Faso",
  prefixes: ["58"],
  price: 12,
  receipts: true,
  connections: [
    {
      was: null,
      host: "smsc.example.net",
      port: 2775,
      system_id: "us",
      password: "hunter2",
      bind: "transceiver",
      window: 10,
      throughput: 30,
    },
  ],
};

const text = () => readFileSync(join(place.context.store.directory, "console.toml"), "utf8");

describe("the owner", () => {
  test("looks at a change, puts it in force and undoes it, and nothing shows the password", async () => {
    const { status, json: seen } = await owner.post("/settings/preview", { operator: TELECEL });
    expect(status).toBe(200);
    const changes = seen.changes as { path: string; change: string }[];
    expect(changes.find(({ path }) => path === "operators.telecel")).toMatchObject({ change: "added" });
    expect(seen.faults).toEqual([]);
    const put = await owner.post("/settings", { operator: TELECEL, revision: seen.revision });
    expect(put.status).toBe(200);
    expect(place.inForce()?.operators.telecel).toMatchObject({ connections: [{ password: "hunter2" }] });
    const view = (await owner.get("/api/settings")).json;
    expect(view).toMatchObject({ can_undo: true, faults: [] });
    expect(view.operators).toMatchObject([
      { code: "orange", in: "file", line: 5 },
      { code: "telecel", in: "console", prefixes: ["22658"] },
    ]);
    const told = [seen, put.json, view, place.audits(), text()];
    expect(JSON.stringify(told)).not.toContain("hunter2");
    expect(place.audits().find(({ action }) => action === "settings change")?.actor).toContain("owner@");
    const undo = (await owner.post("/settings/preview", { undo: true })).json;
    expect((await owner.post("/settings", { undo: true, revision: undo.revision })).status).toBe(200);
    expect(Object.keys(place.inForce()?.operators ?? {})).toEqual(["orange"]);
  });

  test("adds a route to an operator that was written here, and not to one by hand", async () => {
    const { revision } = (await owner.post("/settings/preview", { operator: TELECEL })).json;
    await owner.post("/settings", { operator: TELECEL, revision });
    const { was: _, ...link } = TELECEL.connections[0]!;
    const route = {
      name: "direct",
      order: 1,
      cost: "9",
      classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
      yield_seconds: { OTP: 2, TRANSACTIONAL: 30, MARKETING: 600 },
      reroute_on: [],
    };
    const second = {
      code: "telecel",
      first: route,
      route: { ...route, name: "agg", order: 2 },
      connections: [{ ...link, password: "calabash" }],
    };
    const seen = await owner.post("/settings/preview", { route: second });
    expect(seen.json).toMatchObject({ faults: [] });
    expect((seen.json.changes as readonly unknown[]).length).toBeGreaterThan(0);
    const put = await owner.post("/settings", { route: second, revision: seen.json.revision });
    expect(put.status).toBe(200);
    expect(Object.keys(place.inForce()?.operators.telecel?.routes ?? {})).toEqual(["direct", "agg"]);
    expect(JSON.stringify([seen.json, put.json, place.audits(), text()])).not.toContain("calabash");
    const byHand = await owner.post("/settings/preview", { route: { ...second, code: "orange" } });
    expect([byHand.status, byHand.json.code]).toEqual([409, "SETTING_BY_HAND"]);
    const misnamed = { ...second, route: { ...route, name: "No" } };
    expect((await owner.post("/settings/preview", { route: misnamed })).status).toBe(422);
  });

  test("is told the faults at their keys, in the language of the reader", async () => {
    const wrong = { ...TELECEL, price: -1, connections: [{ ...TELECEL.connections[0], host: "", port: 0 }] };
    const { json } = await owner.post("/settings/preview", { operator: wrong });
    const faults = json.faults as { key: string; at_field: string | null }[];
    expect(new Set(faults.map(({ key }) => key))).toEqual(
      new Set(
        ["price", "connections[0].host", "connections[0].port"].map((key) => `operators.telecel.${key}`),
      ),
    );
    expect(faults.every(({ at_field: told }) => (told ?? "") !== "")).toBe(true);
    expect(json.changes).toEqual([]);
    const put = await owner.post("/settings", { operator: wrong, revision: json.revision });
    expect([put.status, put.json.code]).toEqual([409, "CONFIG_INVALID"]);
  });

  test("cannot change what stands by hand, nor what the console does not write", async () => {
    const byHand = await owner.post("/settings/preview", { keys: { "seller.name": "x" } });
    expect([byHand.status, byHand.json.code]).toEqual([409, "SETTING_BY_HAND"]);
    const logged = place.log.lines.filter(({ status }) => status === 409);
    expect(logged.map(({ level, code }) => [level, code])).toEqual([["info", "SETTING_BY_HAND"]]);
    const other = await owner.post("/settings/preview", { keys: { "server.listen": "0.0.0.0:80" } });
    expect(other.status).toBe(422);
    const nothing = await owner.post("/settings/preview", {});
    expect([nothing.status, nothing.json.code]).toEqual([422, "NOTHING_TO_CHANGE"]);
  });

  test("is asked for the second factor again after a while", async () => {
    place.clock.setBy(20 * 60_000);
    for (const [path, body] of [
      ["/settings/preview", { operator: TELECEL }],
      ["/settings", { operator: TELECEL, revision: "" }],
    ] as const) {
      const { status, json } = await owner.post(path, body);
      expect([path, status, json.code]).toEqual([path, 403, "SECOND_FACTOR_NEEDED"]);
    }
  });
});

test.each(ROLES.filter((role) => role !== "OWNER"))("%s sees and changes nothing of it", async (role) => {
  const account = role.startsWith("ACCOUNT_") ? await place.admin.account() : null;
  const other = await place.entered("other@example.bf", role, account);
  expect((await other.get("/api/settings")).json.code).toBe("FORBIDDEN");
  expect((await other.post("/settings/preview", { operator: TELECEL })).json.code).toBe("FORBIDDEN");
  const put = await other.post("/settings", { operator: TELECEL, revision: "" });
  expect(put.json.code).toBe("FORBIDDEN");
  expect(Object.keys(place.inForce()?.operators ?? {})).not.toContain("telecel");
});
