import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext, ChangeNotice } from "../../../src/admin/operations/context.ts";
import { findCodeWarnings, OPERATOR_CODE_OPERATIONS } from "../../../src/admin/operations/operator-codes.ts";
import { PAUSE_OPERATIONS } from "../../../src/admin/operations/operators.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { readUsualShare, toEpochHour } from "../../../src/channels/sms/route-outcomes.ts";
import type { Config } from "../../../src/config/config.ts";
import { allPauses, insertPause } from "../../../src/dispatch/pauses.ts";
import { priceDifferences, setPrice } from "../../../src/domain/accounts/prices.ts";
import { listSenders } from "../../../src/domain/accounts/senders.ts";
import { operatorFamily } from "../../../src/domain/messages/operator-codes.ts";
import { dueStarter } from "../../../src/domain/messages/scheduled-batches.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

const configWith = (...codes: string[]): Config =>
  configOf(
    document({
      operators: Object.fromEntries(
        codes.map((code, index) => [code, operator({ prefixes: [`2267${index}`], price: 15 })]),
      ),
    }),
  );

let rig: Tenants;
let accountId: number;
beforeEach(async () => {
  rig = tenants(configWith("old"));
  accountId = await rig.account({ funds: 100_000 });
});
afterEach(() => rig.close());

/** The administrator, after the configuration was changed. */
function admin(...codes: string[]): AdminContext {
  const { store, clock, newId } = rig;
  const config = configWith(...codes);
  return {
    store,
    config,
    clock,
    chance: seededChance(1),
    newId,
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(70_000_001 + index));
const price = (code: string, amount: number, messageClass: "OTP" | null = null) =>
  rig.store.write((tx) => setPrice(tx, accountId, { operator: code, messageClass, amount }, 1));
const warnings = (...codes: string[]) => findCodeWarnings(rig.store.read, configWith(...codes), rig.clock);
const audited = () =>
  rig.store.read.all<{ action: string; subject: string; detail: string }>(
    "SELECT action, subject, detail FROM audit_entries WHERE actor = 'awa'",
  );

describe("a code that is not in the configuration", () => {
  test("is warned of with what waits for it, its registrations and its prices", async () => {
    await rig.send(accountId, "MARKETING", numbers(3));
    await rig.send(accountId, "OTP", ["70000009"], { scheduledAt: null });
    await price("old", 12);
    expect(await warnings("old")).toEqual([]);
    expect(await warnings("new")).toMatchObject([
      { code: "MESSAGES_WAIT", operator: "old", messages: 4 },
      { code: "REGISTRATIONS_UNUSED", operator: "old" },
      { code: "PRICES_UNUSED", operator: "old" },
    ]);
  });

  test("that is a route is told of by its registrations and its pause", async () => {
    const routes = { agg: { order: 1 }, main: { order: 2 } };
    const connections = Object.keys(routes).map((route) => ({
      host: route,
      system_id: "s",
      password: "p",
      route,
    }));
    const orange = { prefixes: ["22670"], price: 15, routes, connections };
    const config = configOf(document({ operators: { old: operator(orange) } }));
    await rig.store.write((tx) => {
      tx.run("DELETE FROM sender_registrations");
      for (const [sender, code] of ["old/agg", "old/gone", "left/agg"].entries()) {
        tx.run("INSERT INTO sender_registrations VALUES (1, ?, ?)", code, sender);
        insertPause(tx, { operator: code, connection: null, reason: "tariff", actor: "awa", atMs: 1 });
      }
    });
    expect(await findCodeWarnings(rig.store.read, config, rig.clock)).toMatchObject([
      { code: "REGISTRATIONS_UNUSED", operator: "left" },
      {
        code: "REGISTRATIONS_UNUSED",
        operator: "old/gone",
        detail: { code: "config.warning.route_registrations_unused" },
      },
      { code: "PAUSES_UNUSED", operator: "old/gone" },
    ]);
  });

  test("has nothing told of messages that were called off or never accepted", async () => {
    const batchId = await rig.send(accountId, "MARKETING", numbers(3));
    await rig.store.write((tx) => {
      tx.run("UPDATE batches SET cancel_reason = 'CANCELLED' WHERE id = ?", batchId);
      tx.run("DELETE FROM sender_registrations");
    });
    expect(await warnings("new")).toEqual([]);
  });
});

describe("operator rename", () => {
  // Keeps: behaviour 4.70
  test("hands waiting messages, registrations and prices over, counts them, and is audited", async () => {
    await rig.send(accountId, "MARKETING", numbers(600));
    await price("old", 12);
    await price("old", 9, "OTP");
    await price("new", 11);
    expect(
      granted(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }),
      ),
    ).toMatchObject({
      from: "old",
      to: "new",
      messages: 600,
      registrations: 1,
      prices: 1,
      prices_kept: [{ account: "Faso Shop", message_class: null, amount: 11, dropped_amount: 12 }],
    });
    expect(rig.count("messages WHERE operator = 'new' AND price = 15")).toBe(600);
    expect(listSenders(rig.store.read, accountId)[0]?.operators).toEqual(["new"]);
    expect(rig.count("account_prices WHERE operator = 'old'")).toBe(0);
    expect(priceDifferences(rig.store.read)).toEqual([]);
    expect(await warnings("new")).toEqual([]);
    expect(audited()).toMatchObject([{ action: "operator rename", subject: "old" }]);
    expect(await rig.store.write((tx) => operatorFamily(tx, "new"))).toEqual(["new", "old"]);
  });

  test("takes registrations of routes along, and names those that the new code does not have", async () => {
    await rig.store.write((tx) => {
      const [{ id } = { id: 0 }] = tx.all<{ id: number }>("SELECT id FROM senders");
      for (const code of ["old/agg", "old-2/agg"])
        tx.run("INSERT INTO sender_registrations VALUES (?, ?, 1)", id, code);
    });
    expect(
      granted(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }),
      ),
    ).toMatchObject({ registrations: 2, routes_unknown: ["new/agg"] });
    expect(listSenders(rig.store.read, accountId)[0]?.registrations).toEqual(["new", "new/agg", "old-2/agg"]);
  });

  test("takes along what is usual of routes, hour by hour, of an operator and of one route", async () => {
    const hour = toEpochHour(rig.clock.nowMs());
    const hours: readonly (readonly [number, string, string, number, number])[] = [
      [hour - 2, "old", "agg", 80, 20],
      [hour - 1, "old", "agg", 130, 20],
      [hour - 1, "new", "agg", 50, 0],
      [hour - 1, "old-2", "agg", 1, 400],
    ];
    await rig.store.write((tx) => {
      for (const row of hours) tx.run("INSERT INTO route_hours VALUES (?, ?, ?, ?, ?)", ...row);
    });
    const usual = (code: string, route: string) =>
      readUsualShare(rig.store.read, code, route, rig.clock.nowMs());
    expect([usual("old", "agg"), usual("new", "agg")]).toEqual([expect.any(Number), null]);
    granted(await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }));
    const stored = () =>
      rig.store.read.all("SELECT hour, route, delivered, failed FROM route_hours WHERE operator = 'new'");
    expect(stored()).toEqual([
      { hour: hour - 2, route: "agg", delivered: 80, failed: 20 },
      { hour: hour - 1, route: "agg", delivered: 180, failed: 20 },
    ]);
    expect([usual("old", "agg"), usual("new", "agg")]).toEqual([null, expect.any(Number)]);
    const routed = operator({
      routes: { main: { order: 1 } },
      connections: [{ host: "h", system_id: "s", password: "p", route: "main" }],
    });
    const config = configOf({ operators: { new: routed } });
    await rig.store.write((tx) => tx.run("INSERT INTO route_bits VALUES ('new', 'agg', 0)"));
    const context = { ...admin("new"), config };
    granted(
      await run(OPERATOR_CODE_OPERATIONS["operator rename"], context, { from: "new/agg", to: "new/main" }),
    );
    expect(stored()).toMatchObject([
      { route: "main", delivered: 80 },
      { route: "main", delivered: 180 },
    ]);
  });

  test("changes nothing more when it is repeated", async () => {
    await rig.send(accountId, "MARKETING", numbers(3));
    granted(await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }));
    expect(
      granted(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }),
      ),
    ).toMatchObject({
      messages: 0,
      registrations: 0,
      prices: 0,
    });
  });

  test("takes what is paused along: it waits on under the new code, where it can be resumed", async () => {
    await rig.send(accountId, "MARKETING", numbers(3));
    granted(
      await run(PAUSE_OPERATIONS["operator pause"], admin("old"), {
        code: "old",
        connection: null,
        reason: "maintenance",
      }),
    );
    granted(
      await run(PAUSE_OPERATIONS["operator pause"], admin("old"), {
        code: "old",
        connection: "1",
        reason: "a cable",
      }),
    );
    granted(
      await run(PAUSE_OPERATIONS["operator pause"], admin("new"), {
        code: "new",
        connection: null,
        reason: "not yet",
      }),
    );
    expect(
      granted(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }),
      ).pauses,
    ).toBe(2);
    expect(allPauses(rig.store.read)).toMatchObject([
      { operator: "new", connection: null, reason: "not yet" },
      { operator: "new", reason: "a cable", actor: "awa" },
    ]);
    expect(
      granted(await run(PAUSE_OPERATIONS["operator resume"], admin("new"), { code: "new", connection: null }))
        .paused,
    ).toEqual([]);
    expect(
      granted(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }),
      ).pauses,
    ).toBe(0);
  });

  test("has the server know of the pauses before anything of the old code waits under the new one", async () => {
    await rig.send(accountId, "MARKETING", numbers(3));
    granted(
      await run(PAUSE_OPERATIONS["operator pause"], admin("old"), {
        code: "old",
        connection: null,
        reason: "maintenance",
      }),
    );
    const told: unknown[] = [];
    const changed = (concern: ChangeNotice) =>
      void told.push([concern.kind, rig.count("messages WHERE operator = 'new'")]);
    const context = { ...admin("new"), server: { changed } as unknown as AdminContext["server"] };
    granted(await run(OPERATOR_CODE_OPERATIONS["operator rename"], context, { from: "old", to: "new" }));
    expect(told).toEqual([
      ["pauses", 0],
      ["queue", 3],
    ]);
  });

  test("leaves what ended as it was", async () => {
    const batchId = await rig.send(accountId, "MARKETING", numbers(1));
    await rig.store.write((tx) => tx.run("UPDATE messages SET status = 'SENT' WHERE batch_id = ?", batchId));
    granted(await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }));
    expect(rig.message("70000001").operator).toBe("old");
  });

  test("is refused while the old code is configured, for a new one that is not, and for one never heard of", async () => {
    await rig.send(accountId, "MARKETING", numbers(1));
    expect(
      codeOf(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("old", "new"), {
          from: "old",
          to: "new",
        }),
      ),
    ).toBe("OPERATOR_CONFIGURED");
    expect(
      codeOf(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "nwe" }),
      ),
    ).toBe("OPERATOR_UNKNOWN");
    expect(
      codeOf(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "odl", to: "new" }),
      ),
    ).toBe("OPERATOR_UNKNOWN");
    granted(await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new"), { from: "old", to: "new" }));
    expect(
      codeOf(
        await run(OPERATOR_CODE_OPERATIONS["operator rename"], admin("new", "third"), {
          from: "old",
          to: "third",
        }),
      ),
    ).toBe("OPERATOR_UNKNOWN");
    expect(rig.message("70000001").operator).toBe("new");
  });
});

describe("operator retire", () => {
  // Keeps: behaviour 4.70, 6.3
  test("gives up what waits, releases it, and names what still stands under the code", async () => {
    const batchId = await rig.send(accountId, "MARKETING", numbers(600));
    await price("old", 12);
    expect(
      granted(await run(OPERATOR_CODE_OPERATIONS["operator retire"], admin("new"), { code: "old" })),
    ).toEqual({
      operator: "old",
      messages: 600,
      registrations_left: 1,
      prices_left: 1,
    });
    expect(rig.count("messages WHERE status = 'FAILED' AND error_code = 'NO_ROUTE' AND amount = 0")).toBe(
      600,
    );
    expect(rig.wallet(accountId)).toMatchObject({ funds: 100_000, reserved: 0 });
    expect(rig.batch(batchId).status).toBe("SETTLED");
    expect(audited()).toMatchObject([{ action: "operator retire", subject: "old" }]);
  });

  test("leaves what had left for it in doubt", async () => {
    const batchId = await rig.send(accountId, "MARKETING", numbers(1));
    await rig.store.write((tx) =>
      tx.run("UPDATE messages SET status = 'SUBMITTED' WHERE batch_id = ?", batchId),
    );
    expect(
      granted(await run(OPERATOR_CODE_OPERATIONS["operator retire"], admin("new"), { code: "old" })).messages,
    ).toBe(0);
    expect(rig.message("70000001").status).toBe("SUBMITTED");
  });

  test("lets a scheduled batch of which nothing is left end at its time", async () => {
    const atMs = rig.clock.nowMs() + 3_600_000;
    const batchId = await rig.send(accountId, "TRANSACTIONAL", numbers(2), {
      scheduledAt: new Date(atMs).toISOString(),
    });
    granted(await run(OPERATOR_CODE_OPERATIONS["operator retire"], admin("new"), { code: "old" }));
    expect(rig.batch(batchId)).toMatchObject({ status: "SCHEDULED", failed: 2, released_amount: 30 });
    await rig.clock.advance(3_600_000);
    await rig.store.write((tx) =>
      dueStarter().step(tx, { wallMs: rig.clock.nowMs(), steadyMs: 0 }, () => false),
    );
    expect(rig.batch(batchId).status).toBe("SETTLED");
  });

  test("is refused while the code is configured, and for one never heard of", async () => {
    expect(
      codeOf(await run(OPERATOR_CODE_OPERATIONS["operator retire"], admin("old"), { code: "old" })),
    ).toBe("OPERATOR_CONFIGURED");
    expect(
      codeOf(await run(OPERATOR_CODE_OPERATIONS["operator retire"], admin("new"), { code: "odl" })),
    ).toBe("OPERATOR_UNKNOWN");
  });
});
