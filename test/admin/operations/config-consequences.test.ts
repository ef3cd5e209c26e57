import { expect, test } from "vitest";
import { describeConsequence } from "../../../src/admin/operations/config-reload.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

test.each([
  ["operators.orange", "added", "config.change.operator_comes"],
  ["operators.orange", "removed", "config.change.operator_goes.waiting"],
  ["operators.orange.connections[0]", "added", "config.change.connection_comes"],
  ["operators.orange.connections[0]", "removed", "config.change.connection_goes"],
  ["operators.orange.connections[0].password", "changed", "config.change.next_bind"],
  ["operators.orange.connections[0].tls", "changed", "config.change.binds_anew"],
  ["operators.orange.price", "changed", "config.change.price"],
  ["operators.orange.prefixes", "changed", "config.change.prefixes"],
  ["policy.marketing_per_day", "changed", "config.change.account_settings"],
  ["server.tls_key", "changed", "config.change.server_tls"],
  ["webhooks.timeout_seconds", "changed", "config.change.webhooks"],
  ["log.level", "changed", "config.change.log"],
  ["delivery.receipt_timeout_hours", "changed", "config.change.now"],
] as const)("what a reload does is told: %s %s", (path, change, code) => {
  const one = { path, change, from: null, to: null, effect: "now", because: null } as const;
  expect(describeConsequence(one, 5).code).toBe(code);
});

test("an operator that goes while nothing waits, and what waits for a restart, are told so", () => {
  const gone = { path: "operators.orange", change: "removed", from: null, to: null } as const;
  expect(describeConsequence({ ...gone, effect: "now", because: null }, 0)).toEqual(
    phrase("config.change.operator_goes"),
  );
  const because = phrase("config.waits.no_server");
  expect(describeConsequence({ ...gone, effect: "restart", because }, 5)).toEqual(
    phrase("config.change.waits", { because }),
  );
});
